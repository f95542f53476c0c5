#define G_LOG_DOMAIN "rf-persist"
#include "config.h"

#include "rf-persist.h"
#include "rf-error.h"
#include "rf-file.h"
#include "rf-setting-line.h"

#include <string.h>

#define HEADER "# Written by Ruckelfrei."
#define HEADER_REST                                                                                                    \
    " Rewritten or removed when settings are kept or taken back; do not edit.\n"                                       \
    "# Take everything back: ruckelfreictl revert --all\n"
#define MIB (G_GINT64_CONSTANT (1024) * 1024)
#define GENERATOR_MASK "run/systemd/zram-generator.conf.d/90-ruckelfrei.conf"

/* 99-zz: after every file of the distributions we know (99-sysctl.conf, 60-schedulers, 98-block-io-scheduler). The
 * trial has a name of its own: for equal names /etc would hide /run. */
static const char *const paths[] = {
    [RF_PERSIST_SYSCTL] = "etc/sysctl.d/99-zz-ruckelfrei.conf",
    [RF_PERSIST_UDEV] = "etc/udev/rules.d/99-zz-ruckelfrei.rules",
    [RF_PERSIST_UDEV_TRIAL] = "run/udev/rules.d/99-zzz-ruckelfrei-trial.rules",
    [RF_PERSIST_ZRAM_GENERATOR] = "etc/systemd/zram-generator.conf.d/90-ruckelfrei.conf",
};
G_STATIC_ASSERT (G_N_ELEMENTS (paths) == RF_N_PERSIST);

void
rf_persist_texts_clear (RfPersistTexts *self)
{
    for (guint i = 0; i < RF_N_PERSIST; i++)
        g_clear_pointer (&self->text[i], g_free);
}

static void
add_sysctl (GString *out, const RfRecordEntry *entry)
{
    g_autofree char *key = rf_setting_line_key (entry->tunable, &entry->ours);
    g_autofree char *value = rf_setting_line_value (&entry->ours);
    g_string_append_printf (out, "%s = %s\n", key, value);
}

static void
add_udev (GString *out, const RfRecordEntry *entry)
{
    g_autofree char *line
        = rf_setting_line_udev (entry->tunable, entry->instance, entry->stable_id, &entry->ours);
    g_string_append (out, line);
}

static void
add_zram (GString *out, const RfRecordEntry *entry)
{
    g_string_append_printf (out,
                            "[zram0]\nzram-size = %" G_GINT64_FORMAT "\ncompression-algorithm = %s\n"
                            "swap-priority = %" G_GINT64_FORMAT "\n",
                            entry->ours.n[0] / MIB, entry->ours.token, entry->ours.n[1]);
}

gboolean
rf_persist_needs_boot (const RfRecordEntry *entry, gboolean zram_generator)
{
    if (entry->tunable->backend == RF_BACKEND_ZRAM)
        return !zram_generator;
    if (entry->tunable->backend != RF_BACKEND_QUEUE || entry->stable_id == NULL)
        return FALSE;
    /* a btrfs bdi is named by a counter, and the hidden path of a multipath disk has no events */
    return g_str_has_prefix (entry->stable_id, "btrfs:")
           || (g_str_has_prefix (entry->instance, "nvme") && strchr (entry->instance, 'c') != NULL);
}

gboolean
rf_persist_keepable (const RfRecordEntry *entry, GError **error)
{
    if (entry->tunable->instances == RF_INSTANCE_NONE
        || (entry->stable_id != NULL && !g_str_has_prefix (entry->stable_id, "diskseq:")))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE,
                 "'%s' has no identity that survives a reboot, so '%s' cannot be kept for it", entry->instance,
                 entry->tunable->id);
    return FALSE;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
    const RfRecordEntry *left = *(const RfRecordEntry *const *)a, *right = *(const RfRecordEntry *const *)b;
    if (left->tunable != right->tunable)
        return left->tunable < right->tunable ? -1 : 1; /* rows of one table: its order */
    return strcmp (left->stable_id != NULL ? left->stable_id : "", right->stable_id != NULL ? right->stable_id : "");
}

/* what counts: the newest applied entry of each setting among the records in one of two states */
static GPtrArray *
collect (const GPtrArray *records, RfRecordState first, RfRecordState second, gboolean with_planned)
{
    GPtrArray *found = g_ptr_array_new ();
    for (guint i = records->len; i-- > 0;) {
        const RfRecord *record = g_ptr_array_index (records, i);
        if (record->state != first && record->state != second)
            continue;
        for (guint j = 0; j < record->entries->len; j++) {
            RfRecordEntry *entry = g_ptr_array_index (record->entries, j);
            gboolean known = entry->state != RF_ENTRY_APPLIED && !(with_planned && entry->state == RF_ENTRY_PLANNED);
            for (guint k = 0; k < found->len && !known; k++)
                known = rf_record_entry_same (entry, g_ptr_array_index (found, k));
            if (!known)
                g_ptr_array_add (found, entry);
        }
    }
    g_ptr_array_sort (found, compare_entries);
    return found;
}

static void
render_file (const GPtrArray *entries, RfBackendKind backend, char **out)
{
    g_autoptr (GString) body = g_string_new (HEADER HEADER_REST);
    gsize empty = body->len;
    for (guint i = 0; i < entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (entries, i);
        if (entry->tunable->backend != backend || rf_persist_needs_boot (entry, TRUE)
            || (backend == RF_BACKEND_QUEUE && entry->stable_id == NULL))
            continue;
        if (backend == RF_BACKEND_SYSCTL)
            add_sysctl (body, entry);
        else if (backend == RF_BACKEND_ZRAM)
            add_zram (body, entry);
        else if (!g_str_has_prefix (entry->stable_id, "diskseq:"))
            add_udev (body, entry);
    }
    if (body->len > empty)
        *out = g_string_free (g_steal_pointer (&body), FALSE);
}

gboolean
rf_persist_by_generator (const RfFacts *facts)
{
    return facts->zram_generator && !facts->generator_taken;
}

void
rf_persist_render (const GPtrArray *records, gboolean zram_generator, RfPersistTexts *out)
{
    g_autoptr (GPtrArray) kept = collect (records, RF_RECORD_KEPT, RF_RECORD_KEEPING, FALSE);
    /* planned ones too: the rule must be there before the write, or udev could put the distribution's value back */
    g_autoptr (GPtrArray) trial = collect (records, RF_RECORD_PENDING, RF_RECORD_TRIAL, TRUE);
    *out = (RfPersistTexts){0};
    render_file (kept, RF_BACKEND_SYSCTL, &out->text[RF_PERSIST_SYSCTL]);
    render_file (kept, RF_BACKEND_QUEUE, &out->text[RF_PERSIST_UDEV]);
    render_file (trial, RF_BACKEND_QUEUE, &out->text[RF_PERSIST_UDEV_TRIAL]);
    if (zram_generator)
        render_file (kept, RF_BACKEND_ZRAM, &out->text[RF_PERSIST_ZRAM_GENERATOR]);
}

static gboolean
make_folders (RfMachine *machine, const char *relative, GError **error)
{
    g_auto (GStrv) parts = g_strsplit (relative, "/", -1);
    g_autoptr (GString) path = g_string_new (NULL);
    for (guint i = 0; parts[i] != NULL && parts[i + 1] != NULL; i++) {
        if (i > 0)
            g_string_append_c (path, '/');
        g_string_append (path, parts[i]);
        g_autofree char *absolute = rf_sysroot_path (machine->files, path->str);
        if (!g_file_test (absolute, G_FILE_TEST_IS_DIR) && !rf_file_make_folder (absolute, 0755, error))
            return FALSE;
    }
    return TRUE;
}

static char *
original_path (RfMachine *machine, RfPersistFile file)
{
    g_autofree char *folder = rf_sysroot_path (machine->files, "var/lib/ruckelfrei/originals");
    g_autofree char *name = g_path_get_basename (paths[file]);
    return g_build_filename (folder, name, NULL);
}

/* @text is set to what lies at @path now, NULL if nothing does */
static gboolean
read_present (const char *path, char **text, GError **error)
{
    g_autoptr (GError) local = NULL;
    *text = rf_file_read (path, FALSE, NULL, &local);
    if (*text != NULL || g_error_matches (local, RF_ERROR, RF_ERROR_UNAVAILABLE))
        return TRUE;
    if (g_error_matches (local, RF_ERROR, RF_ERROR_JOURNAL)) {
        g_set_error (error, RF_ERROR, RF_ERROR_FOREIGN, "%s: it belongs to somebody else", local->message);
        return FALSE;
    }
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
}

static gboolean
put_file (RfMachine *machine, RfPersistFile file, const char *present, const char *text, GError **error)
{
    g_autofree char *path = rf_sysroot_path (machine->files, paths[file]);
    if (!make_folders (machine, paths[file], error))
        return FALSE;
    g_autofree char *original = original_path (machine, file);
    if (present != NULL && !g_str_has_prefix (present, HEADER)) {
        g_autofree char *folder = g_path_get_dirname (original);
        if (!rf_file_make_folder (folder, 0700, error) || !rf_file_replace (original, present, 0600, error))
            return FALSE;
    }
    return rf_file_replace (path, text, 0644, error);
}

/* A copy that stayed would come back one day when nobody wants it. */
static gboolean
forget_original (RfMachine *machine, RfPersistFile file, GError **error)
{
    g_autofree char *original = original_path (machine, file);
    return rf_file_remove (original, error);
}

/* Ours goes, and what lay there before comes back. */
static gboolean
take_file (RfMachine *machine, RfPersistFile file, const char *present, GError **error)
{
    g_autofree char *path = rf_sysroot_path (machine->files, paths[file]);
    g_autofree char *original = original_path (machine, file);
    g_autofree char *text = NULL;
    rf_file_forget (path);
    rf_file_forget (original);
    /* somebody put a file of their own there meanwhile: it stays; or it is the one from before, if a crash came in the
     * middle */
    if (present != NULL && !g_str_has_prefix (present, HEADER))
        return forget_original (machine, file, error);
    if (!read_present (original, &text, error))
        return FALSE;
    if (text != NULL)
        return rf_file_replace (path, text, 0644, error) && rf_file_remove (original, error);
    return present == NULL || rf_file_remove (path, error);
}

/* A file below /run hides the one of the same name below /etc from the generator, until the next boot. It has to: the
 * swap that was on trial goes on as the kept one, and at the next look at its files, say after the installation of any
 * package, the generator would order a second one. */
static gboolean
hide_drop_in (RfMachine *machine, gboolean hide, GError **error)
{
    g_autofree char *path = rf_sysroot_path (machine->files, GENERATOR_MASK);
    if (!hide)
        return rf_file_remove (path, error);
    return !rf_sysroot_exists (machine->files, "run/systemd")
           || (make_folders (machine, GENERATOR_MASK, error)
               && rf_file_replace (path, HEADER " Hides the file below /etc until the next boot.\n", 0644, error));
}

static gboolean
has_line (const char *text, const char *line)
{
    g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
    return g_strv_contains ((const char *const *)lines, line);
}

/* Adds to @text the lines of @present that come from none of @records, whatever became of those. */
static void
keep_unknown_lines (const GPtrArray *records, RfPersistFile file, const char *present, char **text)
{
    g_autoptr (GPtrArray) all = g_ptr_array_new ();
    g_autofree char *known = NULL;
    g_autoptr (GString) unknown = g_string_new (HEADER HEADER_REST);
    gsize empty = unknown->len;
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        for (guint j = 0; j < record->entries->len; j++)
            g_ptr_array_add (all, g_ptr_array_index (record->entries, j));
    }
    render_file (all, file == RF_PERSIST_SYSCTL ? RF_BACKEND_SYSCTL : RF_BACKEND_QUEUE, &known);
    g_auto (GStrv) lines = g_strsplit (present, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++)
        if (lines[i][0] != '\0' && lines[i][0] != '#' && !has_line (known, lines[i]))
            g_string_append_printf (unknown, "%s\n", lines[i]);
    if (unknown->len == empty)
        return;
    /* first, so that what we know of has the last word */
    if (*text != NULL)
        g_string_append (unknown, *text + empty);
    g_free (*text);
    *text = g_string_free (g_steal_pointer (&unknown), FALSE);
}

static gboolean
sync_files (RfMachine *machine, const GPtrArray *records, gboolean zram_generator, gboolean partial, GError **error)
{
    static const char *const reload[] = {"udevadm", "control", "--reload", NULL};
    g_auto (RfPersistTexts) texts;
    gboolean rules_changed = FALSE;
    rf_persist_render (records, zram_generator, &texts);
    for (guint i = 0; i < RF_N_PERSIST; i++) {
        g_autofree char *path = rf_sysroot_path (machine->files, paths[i]);
        g_autofree char *present = NULL;
        g_autoptr (GError) problem = NULL;
        if (!read_present (path, &present, &problem)) {
            /* a link that stands where nothing of ours shall be is nobody's trouble */
            if (texts.text[i] == NULL && g_error_matches (problem, RF_ERROR, RF_ERROR_FOREIGN)) {
                if (!forget_original (machine, i, error))
                    return FALSE;
                continue;
            }
            g_propagate_error (error, g_steal_pointer (&problem));
            return FALSE;
        }
        if (partial && present != NULL && g_str_has_prefix (present, HEADER)) {
            if (i == RF_PERSIST_ZRAM_GENERATOR)
                continue;
            keep_unknown_lines (records, i, present, &texts.text[i]);
        }
        gboolean changes = g_strcmp0 (present, texts.text[i]) != 0;
        if (texts.text[i] != NULL && !changes) {
            rf_file_forget (path);
            continue;
        }
        /* without udev there is nobody to read it, and the folder would make programs believe that udev runs */
        if (i == RF_PERSIST_UDEV_TRIAL && !rf_sysroot_exists (machine->files, "run/udev"))
            continue;
        gboolean put = texts.text[i] != NULL, generator = i == RF_PERSIST_ZRAM_GENERATOR;
        if ((generator && put && !hide_drop_in (machine, TRUE, error))
            || !(put ? put_file (machine, i, present, texts.text[i], error) : take_file (machine, i, present, error)))
            return FALSE;
        rules_changed |= changes && (i == RF_PERSIST_UDEV || i == RF_PERSIST_UDEV_TRIAL);
    }
    if (!partial && texts.text[RF_PERSIST_ZRAM_GENERATOR] == NULL && !hide_drop_in (machine, FALSE, error))
        return FALSE;
    /* a hint only: udev looks at its folders by itself, some seconds later */
    if (rules_changed && rf_sysroot_exists (machine->files, "run/udev/control"))
        machine->ops->run (machine->ops, machine->kernel, reload, NULL);
    return TRUE;
}

gboolean
rf_persist_sync (RfMachine *machine, const GPtrArray *records, gboolean zram_generator, GError **error)
{
    return sync_files (machine, records, zram_generator, FALSE, error);
}

gboolean
rf_persist_sync_partial (RfMachine *machine, const GPtrArray *records, gboolean zram_generator, GError **error)
{
    return sync_files (machine, records, zram_generator, TRUE, error);
}

RfPersistState
rf_persist_check (RfMachine *machine, const RfPersistTexts *texts, RfPersistFile file)
{
    g_autofree char *path = rf_sysroot_path (machine->files, paths[file]);
    g_autofree char *present = NULL;
    if (texts->text[file] == NULL)
        return RF_PERSIST_OK;
    if (!read_present (path, &present, NULL))
        return RF_PERSIST_EDITED;
    if (present == NULL)
        return RF_PERSIST_MISSING;
    return g_str_equal (present, texts->text[file]) ? RF_PERSIST_OK : RF_PERSIST_EDITED;
}
