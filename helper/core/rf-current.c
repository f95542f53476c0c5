#define G_LOG_DOMAIN "rf-current"
#include "config.h"

#include "rf-current.h"
#include "rf-error.h"

#include <string.h>

#include "rf-text.h"

#define LARGEST_PAGE 65536

/* The codes of rf_sysroot_read() speak of writes too; in a read EINVAL means that the kernel has nothing to tell (WBT
 * without an object), and a permission is no property of the system. */
static char *
read_text (RfSysroot *sysroot, const char *path, GError **error)
{
    g_autoptr (GError) failure = NULL;
    char *text = rf_sysroot_read (sysroot, path, NULL, &failure);
    if (text != NULL)
        return text;
    if (failure->code == RF_ERROR_REFUSED)
        failure->code = RF_ERROR_UNAVAILABLE;
    else if (failure->code != RF_ERROR_UNAVAILABLE)
        failure->code = RF_ERROR_IO;
    g_propagate_error (error, g_steal_pointer (&failure));
    return NULL;
}

/* One number of a /proc/sys or /sys file. */
static gboolean
read_number (RfSysroot *sysroot, const char *path, gint64 *number, GError **error)
{
    g_autofree char *text = read_text (sysroot, path, error);
    if (text == NULL)
        return FALSE;
    if (rf_text_to_int64 (rf_text_strip_newline (text), number))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_IO, "'/%s' does not hold one number", path);
    return FALSE;
}

static gboolean
read_int (RfSysroot *sysroot, const char *path, RfValue *out, GError **error)
{
    gint64 number;
    if (!read_number (sysroot, path, &number, error))
        return FALSE;
    *out = rf_value_int (number);
    return TRUE;
}

/* The kernel keeps one member of a pair at 0: Documentation/admin-guide/sysctl/vm.rst, dirty_bytes */
static gboolean
read_dirty (RfSysroot *sysroot, const char *stem, RfValue *out, GError **error)
{
    g_autofree char *bytes_path = g_strconcat (stem, "_bytes", NULL);
    g_autofree char *ratio_path = g_strconcat (stem, "_ratio", NULL);
    gint64 bytes, ratio;
    if (!read_number (sysroot, bytes_path, &bytes, error) || !read_number (sysroot, ratio_path, &ratio, error))
        return FALSE;
    *out = bytes != 0 ? rf_value_dirty (RF_DIRTY_BYTES, bytes) : rf_value_dirty (RF_DIRTY_RATIO, ratio);
    return TRUE;
}

static gboolean
read_vector (RfSysroot *sysroot, const char *path, RfValue *out, GError **error)
{
    g_autofree char *text = read_text (sysroot, path, error);
    if (text == NULL)
        return FALSE;
    g_auto (GStrv) words = g_strsplit_set (rf_text_strip_newline (text), " \t", -1);
    gint64 fields[3];
    guint n = 0;
    for (char **word = words; *word != NULL; word++) {
        if ((*word)[0] == '\0')
            continue;
        if (n == G_N_ELEMENTS (fields) || !rf_text_to_int64 (*word, &fields[n])) {
            n = 0;
            break;
        }
        n++;
    }
    if (n != G_N_ELEMENTS (fields)) {
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "'/%s' does not hold three numbers", path);
        return FALSE;
    }
    *out = rf_value_vector (fields[0], fields[1], fields[2]);
    return TRUE;
}

static gboolean
read_choice (RfSysroot *sysroot, const char *path, RfValue *out, GError **error)
{
    g_autofree char *text = read_text (sysroot, path, error);
    g_autofree char *selected = NULL;
    if (text == NULL)
        return FALSE;
    g_strfreev (rf_text_brackets (text, &selected));
    RfValue value = selected != NULL ? rf_value_choice (selected) : rf_value_absent ();
    if (value.kind != RF_VALUE_CHOICE) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "'/%s' has no word that is chosen", path);
        return FALSE;
    }
    *out = value;
    return TRUE;
}

/* The file of @instance. A name that the facts do not list never becomes a path. */
static char *
queue_path (const RfFacts *facts, const RfTunable *tunable, const char *instance, GError **error)
{
    const RfDisk *disk = rf_facts_find_disk (facts, instance);
    if (tunable->instances == RF_INSTANCE_READAHEAD) {
        const RfReadahead *readahead = rf_facts_find_readahead (facts, instance);
        if (readahead != NULL)
            return g_strdup (readahead->path);
        /* a drive that nobody reads through any more, with a value of ours on it */
        disk = disk != NULL && rf_disk_may_be_read_ahead (disk) ? disk : NULL;
    }
    if (disk != NULL)
        return g_strdup_printf ("sys/block/%s/queue/%s", instance, tunable->path);
    g_autofree char *safe = g_strescape (instance, NULL);
    g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "%s has no instance '%.64s' here", tunable->id, safe);
    return NULL;
}

static gboolean
read_file (RfSysroot *sysroot, const char *path, RfValueKind kind, RfValue *out, GError **error)
{
    switch (kind) {
    case RF_VALUE_INT:
        return read_int (sysroot, path, out, error);
    case RF_VALUE_DIRTY:
        return read_dirty (sysroot, path, out, error);
    case RF_VALUE_VECTOR:
        return read_vector (sysroot, path, out, error);
    case RF_VALUE_CHOICE:
        return read_choice (sysroot, path, out, error);
    case RF_VALUE_ABSENT:
    case RF_VALUE_ZRAM:
    default:
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "no file holds a value of this kind");
        return FALSE;
    }
}

gboolean
rf_current_read (RfSysroot *sysroot, const RfFacts *facts, const RfTunable *tunable, const char *instance, RfValue *out,
                 GError **error)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && facts != NULL && tunable != NULL && out != NULL, FALSE);
    g_return_val_if_fail (instance != NULL, FALSE);
    if (tunable->backend == RF_BACKEND_ZRAM) {
        if (!rf_zram_marker_read (sysroot, NULL, out))
            *out = rf_value_absent ();
        return TRUE;
    }
    g_autofree char *path = tunable->backend == RF_BACKEND_SYSCTL ? g_strdup (tunable->path)
                                                                  : queue_path (facts, tunable, instance, error);
    return path != NULL && read_file (sysroot, path, tunable->kind, out, error);
}

char **
rf_current_choices (RfSysroot *sysroot, const RfTunable *tunable, const char *instance)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && tunable != NULL && instance != NULL, NULL);
    if (tunable->kind != RF_VALUE_CHOICE || strchr (instance, '/') != NULL || instance[0] == '.' || instance[0] == '\0')
        return NULL;
    g_autofree char *path = g_strdup_printf ("sys/block/%s/queue/%s", instance, tunable->path);
    g_autofree char *text = rf_sysroot_read (sysroot, path, NULL, NULL);
    return text != NULL ? rf_text_brackets (text, NULL) : NULL;
}

static gboolean
is_zram_device (const char *text)
{
    guint64 number;
    return g_str_has_prefix (text, "zram") && rf_text_to_uint64 (text + 4, &number) && number <= 9999;
}

gboolean
rf_zram_marker_parse (const char *text, char **device, RfValue *value, guint64 *diskseq)
{
    g_return_val_if_fail (text != NULL && device != NULL && value != NULL && diskseq != NULL, FALSE);
    gsize length = strlen (text);
    if (length < 2 || length > 256 || strchr (text, '\n') != text + length - 1)
        return FALSE;
    g_autofree char *line = g_strndup (text, length - 1);
    char *blank = strchr (line, ' ');
    if (blank == NULL)
        return FALSE;
    *blank = '\0';
    RfValue parsed;
    guint64 number = 0;
    char *words[] = {blank + 1, NULL, NULL, NULL};
    for (guint i = 1; i < G_N_ELEMENTS (words) && words[i - 1] != NULL; i++)
        words[i] = (blank = strchr (words[i - 1], ' ')) != NULL ? blank + 1 : NULL;
    if (words[3] != NULL && blank != NULL) {
        if (!rf_text_to_uint64 (words[3], &number) || number == 0)
            return FALSE;
        *blank = '\0'; /* the one before the number */
    }
    if (!is_zram_device (line) || !rf_value_from_text (RF_VALUE_ZRAM, words[0], &parsed, NULL)
        || parsed.kind != RF_VALUE_ZRAM || parsed.n[0] <= 0 || parsed.n[1] < -1 || parsed.n[1] > 32767)
        return FALSE;
    *device = g_strdup (line);
    *value = parsed;
    *diskseq = number;
    return TRUE;
}

char *
rf_zram_marker_format (const char *device, const RfValue *value, guint64 diskseq)
{
    g_autofree char *words = rf_value_to_text (value);
    return diskseq != 0 ? g_strdup_printf ("%s %s %" G_GUINT64_FORMAT "\n", device, words, diskseq)
                        : g_strdup_printf ("%s %s\n", device, words);
}

guint64
rf_zram_diskseq (RfSysroot *sysroot, const char *device)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/diskseq", device);
    g_autofree char *text = rf_sysroot_read_line (sysroot, path);
    guint64 number = 0;
    return text != NULL && rf_text_to_uint64 (text, &number) ? number : 0;
}

gboolean
rf_zram_marker_read (RfSysroot *sysroot, char **device, RfValue *value)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), FALSE);
    g_autofree char *text = rf_sysroot_read_own (sysroot, RF_ZRAM_MARKER);
    g_autofree char *name = NULL;
    RfValue marked;
    guint64 diskseq = 0;
    gint64 size;
    if (text == NULL || !rf_zram_marker_parse (text, &name, &marked, &diskseq)
        || (diskseq != 0 && rf_zram_diskseq (sysroot, name) != diskseq))
        return FALSE;
    g_autofree char *path = g_strdup_printf ("sys/block/%s/disksize", name);
    if (!read_number (sysroot, path, &size, NULL) || size < marked.n[0] || size - marked.n[0] >= LARGEST_PAGE)
        return FALSE;
    if (device != NULL)
        *device = g_steal_pointer (&name);
    if (value != NULL)
        *value = marked;
    return TRUE;
}
