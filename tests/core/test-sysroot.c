#include "config.h"

#include "rf-error.h"
#include "rf-sysroot.h"

#include <glib/gstdio.h>
#include <string.h>

static void
reading (void)
{
    g_autofree char *root = g_dir_make_tmp ("rf-sysroot-XXXXXX", NULL);
    g_autofree char *good = g_build_filename (root, "good", NULL);
    g_autofree char *off = g_build_filename (root, "off", NULL);
    g_assert_true (g_file_set_contents (good, "10\n", -1, NULL));
    g_assert_true (g_file_set_contents (off, "!errno EOPNOTSUPP\n", -1, NULL));

    g_autoptr (RfSysroot) sysroot = rf_sysroot_new (root);
    g_autoptr (GError) error = NULL;
    gsize length = 0;
    g_autofree char *text = rf_sysroot_read (sysroot, "good", &length, &error);
    g_assert_cmpstr (text, ==, "10\n");
    g_assert_cmpuint (length, ==, 3);
    g_autofree char *line = rf_sysroot_read_line (sysroot, "good");
    g_assert_cmpstr (line, ==, "10");

    RfAvail avail = RF_AVAIL_OK;
    g_assert_null (rf_sysroot_read_avail (sysroot, "off", &length, &avail));
    g_assert_cmpuint (length, ==, 0); /* whoever takes nothing for an empty text must not read on */
    g_assert_cmpint (avail, ==, RF_AVAIL_OFF);
    g_assert_null (rf_sysroot_read_avail (sysroot, "missing", NULL, &avail));
    g_assert_cmpint (avail, ==, RF_AVAIL_NO_FILE);
    g_assert_null (rf_sysroot_read (sysroot, "missing", NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE);
    g_assert_nonnull (g_strstr_len (error->message, -1, "/missing"));

    g_auto (GStrv) names = rf_sysroot_list (sysroot, "");
    g_assert_cmpuint (g_strv_length (names), ==, 2);
    g_assert_cmpstr (names[0], ==, "good");
    g_assert_cmpint (g_unlink (good) | g_unlink (off) | g_rmdir (root), ==, 0);
}

static guint
count_descriptors (void)
{
    g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
    guint count = 0;
    while (g_dir_read_name (dir) != NULL)
        count++;
    return count;
}

static void
write_in_place (const char *path, const char *text)
{
    FILE *file = g_fopen (path, "we");
    g_assert_nonnull (file);
    g_assert_cmpint (fputs (text, file), >=, 0);
    g_assert_cmpint (fclose (file), ==, 0);
}

static void
assert_reads (RfSysroot *sysroot, const char *relative, const char *expected)
{
    g_autofree char *text = rf_sysroot_read_line (sysroot, relative);
    g_assert_cmpstr (text, ==, expected);
}

static void
keeping (void)
{
    g_autofree char *root = g_dir_make_tmp ("rf-sysroot-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (root, "value", NULL);
    g_autoptr (RfSysroot) plain = rf_sysroot_new (root);
    g_autoptr (RfSysroot) keep = rf_sysroot_new_keeping (plain);
    const guint before = count_descriptors ();
    write_in_place (path, "1\n");
    assert_reads (keep, "value", "1");
    assert_reads (plain, "value", "1");
    g_assert_cmpuint (count_descriptors (), ==, before + 1);
    /* shorter, longer, and longer than what was allocated: always the whole of what is there now */
    g_autofree char *huge = g_strnfill (100 * 1000, 'x');
    const char *const texts[] = {"", "12345", huge, "2", "!errno EIO\n", "3"};
    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
        write_in_place (path, texts[i]);
        assert_reads (keep, "value", texts[i][0] != '!' ? texts[i] : NULL);
        g_assert_cmpuint (count_descriptors (), ==, before + 1);
    }
    /* unplugged, and plugged in again: another file with the same name */
    RfAvail avail = RF_AVAIL_OK;
    g_assert_cmpint (g_unlink (path), ==, 0);
    g_assert_null (rf_sysroot_read_avail (keep, "value", NULL, &avail));
    g_assert_cmpint (avail, ==, RF_AVAIL_NO_FILE);
    g_assert_cmpuint (count_descriptors (), ==, before);
    g_assert_true (g_file_set_contents (path, "4\n", -1, NULL));
    assert_reads (keep, "value", "4");
    g_assert_true (g_file_set_contents (path, "5\n", -1, NULL));
    assert_reads (keep, "value", "5");
    /* too much is an error here, too, and not for ever */
    g_autofree char *flood = g_strnfill (RF_SYSROOT_MAX_READ + 1, 'x');
    write_in_place (path, flood);
    g_assert_null (rf_sysroot_read_avail (keep, "value", NULL, &avail));
    g_assert_cmpint (avail, ==, RF_AVAIL_MALFORMED);
    write_in_place (path, "6");
    assert_reads (keep, "value", "6");
    g_assert_null (rf_sysroot_read_avail (keep, "", NULL, &avail));
    g_assert_cmpint (avail, ==, RF_AVAIL_MALFORMED);
    g_clear_object (&keep);
    g_assert_cmpuint (count_descriptors (), ==, before);
    g_assert_cmpint (g_unlink (path) | g_rmdir (root), ==, 0);
}

/* Drives that come and go under new names must not use up all descriptors. */
static void
keeping_many (void)
{
    g_autofree char *root = g_dir_make_tmp ("rf-sysroot-XXXXXX", NULL);
    g_autoptr (RfSysroot) plain = rf_sysroot_new (root);
    g_autoptr (RfSysroot) keep = rf_sysroot_new_keeping (plain);
    const guint before = count_descriptors ();
    for (guint i = 0; i < 1000; i++) {
        g_autofree char *name = g_strdup_printf ("%u", i);
        g_autofree char *path = g_build_filename (root, name, NULL);
        write_in_place (path, name);
        assert_reads (keep, name, name);
        g_assert_cmpint (g_unlink (path), ==, 0);
    }
    g_assert_cmpuint (count_descriptors (), <=, before + 128);
    g_assert_cmpint (g_rmdir (root), ==, 0);
}

/* The kernel makes the text anew whenever it is read from its start. */
static void
keeping_of_the_machine (void)
{
    g_autoptr (RfSysroot) here = rf_sysroot_new (NULL);
    g_autoptr (RfSysroot) keep = rf_sysroot_new_keeping (here);
    guint64 last = 0;
    for (guint i = 0; i < 3; i++) {
        g_autofree char *text = rf_sysroot_read (keep, "proc/self/io", NULL, NULL);
        if (text == NULL) {
            g_test_skip ("this kernel does not count reading");
            return;
        }
        const char *reads = g_strstr_len (text, -1, "syscr: ");
        g_assert_nonnull (reads);
        guint64 count = g_ascii_strtoull (reads + strlen ("syscr: "), NULL, 10);
        g_assert_cmpuint (count, >, last);
        last = count;
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/sysroot/reading", reading);
    g_test_add_func ("/core/sysroot/keeping", keeping);
    g_test_add_func ("/core/sysroot/keeping-many", keeping_many);
    g_test_add_func ("/core/sysroot/keeping-of-the-machine", keeping_of_the_machine);
    return g_test_run ();
}
