/* A kernel made of files, for tests: only as much of it as the back-ends can notice. Not in the installed program. */
#define G_LOG_DOMAIN "rf-ops-fixture"
#include "config.h"

#include "rf-ops.h"
#include "rf-text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE G_GINT64_CONSTANT (4096)

static gboolean
put (RfSysroot *kernel, const char *relative, const char *text)
{
    g_autofree char *path = rf_sysroot_path (kernel, relative);
    g_autofree char *folder = g_path_get_dirname (path);
    if (g_mkdir_with_parents (folder, 0755) != 0)
        return FALSE;
    /* in place, as the kernel's files are: links in the middle lead on, and the mode stays */
    FILE *file = fopen (path, "we");
    if (file == NULL)
        return FALSE;
    gboolean ok = fputs (text, file) >= 0;
    return fclose (file) == 0 && ok;
}

static gboolean
put_line (RfSysroot *kernel, const char *relative, const char *text)
{
    g_autofree char *line = g_strconcat (text, "\n", NULL);
    return put (kernel, relative, line);
}

/* "none [mq-deadline] kyber" with another word chosen; EINVAL for a word that is not there */
static int
choose (RfSysroot *kernel, const char *relative, const char *old, const char *word)
{
    g_auto (GStrv) words = rf_text_brackets (old, NULL);
    g_autoptr (GString) text = g_string_new (NULL);
    if (!g_strv_contains ((const char *const *)words, word))
        return EINVAL;
    for (guint i = 0; words[i] != NULL; i++)
        g_string_append_printf (text, g_str_equal (words[i], word) ? "%s[%s]" : "%s%s", i > 0 ? " " : "", words[i]);
    /* most lists of the kernel end with a blank, some do not */
    if (g_str_has_suffix (old, " \n"))
        g_string_append_c (text, ' ');
    return put_line (kernel, relative, text->str) ? 0 : EIO;
}

/* Writing one member of a dirty pair zeroes the other; zero bytes are refused. */
static int
write_dirty (RfSysroot *kernel, const char *relative, const char *text)
{
    gboolean bytes = g_str_has_suffix (relative, "_bytes");
    g_autofree char *stem = g_strndup (relative, strlen (relative) - strlen ("_bytes"));
    g_autofree char *partner = g_strconcat (stem, bytes ? "_ratio" : "_bytes", NULL);
    if (bytes && g_str_equal (text, "0"))
        return EINVAL;
    return put_line (kernel, relative, text) && put_line (kernel, partner, "0") ? 0 : EIO;
}

static int
write_disksize (RfSysroot *kernel, const char *relative, const char *old, const char *text)
{
    gint64 size = 0;
    if (strcmp (old, "0\n") != 0)
        return EBUSY;
    if (!rf_text_to_int64 (text, &size))
        return EINVAL;
    g_autofree char *rounded = g_strdup_printf ("%" G_GINT64_FORMAT, (size + PAGE - 1) / PAGE * PAGE);
    return put_line (kernel, relative, rounded) ? 0 : EIO;
}

static void
remove_folder (const char *path)
{
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;) {
        g_autofree char *child = g_build_filename (path, name, NULL);
        if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
            remove_folder (child);
        else
            unlink (child);
    }
    rmdir (path);
}

static gboolean
swap_in_use (RfSysroot *kernel, const char *device)
{
    g_autofree char *swaps = rf_sysroot_read (kernel, "proc/swaps", NULL, NULL);
    g_autofree char *row = g_strdup_printf ("%s ", device);
    return swaps != NULL && strstr (swaps, row) != NULL;
}

static int
hot_remove (RfSysroot *kernel, const char *number)
{
    g_autofree char *relative = g_strconcat ("sys/block/zram", number, NULL);
    g_autofree char *device = g_strconcat ("/dev/zram", number, NULL);
    g_autofree char *path = rf_sysroot_path (kernel, relative);
    if (!g_file_test (path, G_FILE_TEST_IS_DIR))
        return ENODEV;
    if (swap_in_use (kernel, device))
        return EBUSY;
    remove_folder (path);
    return 0;
}

static int
fixture_write_value (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    g_autofree char *path = rf_sysroot_path (kernel, relative);
    g_autofree char *folder = g_path_get_dirname (relative);
    struct stat info;
    if (g_str_equal (relative, "sys/class/zram-control/hot_remove"))
        return hot_remove (kernel, text);
    if (stat (path, &info) != 0)
        return errno;
    if ((info.st_mode & 0200) == 0)
        return EROFS;
    g_autofree char *old = rf_sysroot_read (kernel, relative, NULL, NULL);
    if (old == NULL)
        return EINVAL;
    if (g_str_has_suffix (relative, "/disksize"))
        return write_disksize (kernel, relative, old, text);
    if (g_str_has_suffix (relative, "/reset")) {
        g_autofree char *size = g_build_filename (folder, "disksize", NULL);
        return put_line (kernel, size, "0") ? 0 : EIO;
    }
    if (strchr (old, '[') != NULL)
        return choose (kernel, relative, old, text);
    if (g_str_has_prefix (relative, "proc/sys/vm/dirty_")
        && (g_str_has_suffix (relative, "_bytes") || g_str_has_suffix (relative, "_ratio")))
        return write_dirty (kernel, relative, text);
    g_autofree char *tabs = g_strdelimit (g_strdup (text), " ", '\t');
    return put_line (kernel, relative, tabs) ? 0 : EIO;
}

static int
fixture_hot_add (const RfOps *self, RfSysroot *kernel, guint *number)
{
    static const struct {
        const char *name;
        const char *text;
    } files[] = {
        {"disksize", "0\n"},
        {"initstate", "0\n"},
        {"comp_algorithm", "[lzo-rle] lzo lz4 zstd \n"},
        {"reset", "\n"},
        {"mm_stat", "0 0 0 0 0 0 0 0 0\n"},
        {"size", "0\n"},
        {"queue/rotational", "0\n"},
    };
    for (guint i = 0; i < 100; i++) {
        g_autofree char *folder = g_strdup_printf ("sys/block/zram%u", i);
        if (rf_sysroot_exists (kernel, folder))
            continue;
        for (gsize j = 0; j < G_N_ELEMENTS (files); j++) {
            g_autofree char *relative = g_build_filename (folder, files[j].name, NULL);
            if (!put (kernel, relative, files[j].text))
                return EIO;
        }
        *number = i;
        return 0;
    }
    return ENOMEM;
}

static int
fixture_swap_on (const RfOps *self, RfSysroot *kernel, const char *device, int priority)
{
    g_autofree char *swaps = rf_sysroot_read (kernel, "proc/swaps", NULL, NULL);
    g_autofree char *size_path = g_strdup_printf ("sys/block/%s/disksize", device + strlen ("/dev/"));
    g_autofree char *size = rf_sysroot_read_line (kernel, size_path);
    gint64 bytes = 0;
    if (size == NULL || !rf_text_to_int64 (size, &bytes) || bytes == 0)
        return EINVAL;
    g_autofree char *text
        = g_strdup_printf ("%s%-40spartition\t%" G_GINT64_FORMAT "\t\t0\t\t%d\n",
                           swaps != NULL ? swaps : "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n", device,
                           bytes / 1024 - 4, priority);
    return put (kernel, "proc/swaps", text) ? 0 : EIO;
}

static int
fixture_swap_off (const RfOps *self, RfSysroot *kernel, const char *device)
{
    g_autofree char *swaps = rf_sysroot_read (kernel, "proc/swaps", NULL, NULL);
    if (!swap_in_use (kernel, device))
        return EINVAL;
    g_auto (GStrv) lines = g_strsplit (swaps, "\n", -1);
    g_autofree char *row = g_strdup_printf ("%s ", device);
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; lines[i] != NULL; i++)
        if (lines[i][0] != '\0' && !g_str_has_prefix (lines[i], row))
            g_string_append_printf (text, "%s\n", lines[i]);
    return put (kernel, "proc/swaps", text->str) ? 0 : EIO;
}

static gboolean
fixture_run (const RfOps *self, RfSysroot *kernel, const char *const *argv, GError **error)
{
    return TRUE;
}

static gboolean
fixture_load_zram (const RfOps *self, RfSysroot *kernel, GError **error)
{
    return put (kernel, "sys/class/zram-control/hot_remove", "") && put (kernel, "sys/class/zram-control/hot_add", "");
}

/* what the generator makes is a matter of the test */
static gboolean
fixture_reload_systemd (const RfOps *self, RfSysroot *kernel, GError **error)
{
    return TRUE;
}

const RfOps *
rf_ops_fixture (void)
{
    static const RfOps ops = {
        .write_value = fixture_write_value,
        .hot_add = fixture_hot_add,
        .swap_on = fixture_swap_on,
        .swap_off = fixture_swap_off,
        .run = fixture_run,
        .load_zram = fixture_load_zram,
        .reload_systemd = fixture_reload_systemd,
    };
    return &ops;
}
