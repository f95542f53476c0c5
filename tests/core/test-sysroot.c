#include "config.h"

#include "rf-error.h"
#include "rf-sysroot.h"

#include <glib/gstdio.h>

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
    g_assert_null (rf_sysroot_read_avail (sysroot, "off", NULL, &avail));
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

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/sysroot/reading", reading);
    return g_test_run ();
}
