#define G_LOG_DOMAIN "rf-ctl-import"
#include "config.h"

#include "rf-ctl.h"
#include "rf-error.h"
#include "rf-import.h"
#include "rf-recordings.h"
#include "rf-text.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#define OFFSET_MAX_S 1e6

/* Their sentences are for people already; what they are about goes before them */
static RfExit
fail (RfCtl *ctl, const char *path, const GError *error)
{
    if (error->domain != RF_ERROR || ctl->json)
        return rf_ctl_fail (ctl, error);
    g_autofree char *shown = rf_text_printable (path);
    g_printerr ("ruckelfreictl: %s: %s\n", shown, error->message);
    return error->code == RF_ERROR_INVALID ? RF_EXIT_USAGE : RF_EXIT_FAILED;
}

/* "COLUMN=NAME": the name has no "=" in it, the column may. Returns: (transfer full) (nullable): NULL if one is not so
 */
static GHashTable *
parse_map (char **list)
{
    g_autoptr (GHashTable) map = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    for (char **item = list; *item != NULL; item++) {
        const char *sign = strrchr (*item, '=');
        if (sign == NULL || sign == *item || sign[1] == '\0')
            return NULL;
        g_hash_table_insert (map, g_strndup (*item, (gsize)(sign - *item)), g_strdup (sign + 1));
    }
    return g_steal_pointer (&map);
}

/* Returns: (transfer full): the file's name without its ending */
static char *
default_name (const char *path)
{
    g_autofree char *base = g_path_get_basename (path);
    char *dot = strrchr (base, '.');
    if (dot != NULL && dot != base)
        *dot = '\0';
    g_autofree char *shown = g_filename_display_name (base);
    return rf_session_clean (shown);
}

/* Takes the whole of the older recording and adds what was imported. Returns: NULL with an error */
static RfRecording *
join (RfCtl *ctl, const RfRecordings *recordings, RfImport *import, char **folder, GError **error)
{
    g_autofree char *id = rf_recordings_find (recordings, ctl->import.join, error);
    g_autofree char *path = id != NULL ? rf_recordings_path (recordings, id) : NULL;
    g_autoptr (RfRecording) into = path != NULL ? rf_recording_load (path, NULL, error) : NULL;
    if (into == NULL)
        return NULL;
    gint64 offset_ns = (gint64)(ctl->import.offset * 1e9);
    if (!rf_import_join (into, import->recording, offset_ns, error))
        return NULL;
    *folder = g_steal_pointer (&path);
    return g_steal_pointer (&into);
}

/* session.ini holds more than a recording in memory does: who measured, marks, its own check */
static gboolean
keep_info (const char *from, const char *to, const char *name, GError **error)
{
    g_autoptr (RfSessionInfo) info = rf_session_info_load (from, error);
    if (info == NULL)
        return FALSE;
    if (name != NULL)
        rf_recording_set (&info->name, name);
    return rf_session_info_save (info, to, TRUE, error);
}

/* Returns: (transfer full): id of the new recording; NULL with an error, and nothing is left */
static char *
save (const RfRecordings *recordings, const RfRecording *recording, const char *joined, const char *name,
      GError **error)
{
    gint64 start = 0, end = 0, wall_us;
    int fd = -1;
    if (!rf_recording_span (recording, &start, &end)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("There is nothing in it to keep."));
        return NULL;
    }
    wall_us = rf_recording_wall_us (recording, start);
    g_autofree char *id = rf_recordings_create (recordings, wall_us > 0 ? wall_us : g_get_real_time (), &fd, error);
    if (id == NULL)
        return NULL;
    g_autofree char *path = rf_recordings_path (recordings, id);
    gboolean ok
        = rf_recording_save (recording, path, error) && (joined == NULL || keep_info (joined, path, name, error));
    close (fd);
    if (!ok) {
        /* whatever was written so far */
        if (!rf_recordings_delete (recordings, id, TRUE, NULL))
            (void)g_rmdir (path);
        return NULL;
    }
    return g_steal_pointer (&id);
}

static void
print_json (const RfImport *import, const RfRecording *recording, const char *id, const char *path)
{
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "id", id);
    rf_json_string (json, "folder", path);
    rf_json_string (json, "name", recording->name);
    rf_json_string (json, "format", rf_import_nick (import->format));
    rf_json_begin_object (json, "rows");
    for (guint i = 0; i < recording->tables->len; i++) {
        RfTable *table = g_ptr_array_index (recording->tables, i);
        rf_json_uint (json, rf_table_name (table), rf_table_n_rows (table));
    }
    rf_json_end_object (json);
    rf_json_uint (json, "events", recording->events->len);
    rf_json_begin_array (json, "warnings");
    for (guint i = 0; i < import->warnings->len; i++)
        rf_json_string (json, NULL, g_ptr_array_index (import->warnings, i));
    rf_json_end_array (json);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
}

/* What takes the longest: worth a look before anything else */
static void
print_worst_tile (const RfRecording *recording)
{
    const RfEvent *worst = NULL;
    for (guint i = 0; i < recording->events->len; i++) {
        const RfEvent *event = &g_array_index (recording->events, RfEvent, i);
        if (event->kind == RF_EVENT_TILE && (worst == NULL || event->duration_ns > worst->duration_ns))
            worst = event;
    }
    if (worst == NULL)
        return;
    g_autofree char *time = g_strdup_printf ("%.3f", (double)worst->duration_ns / 1e9);
    g_autofree char *text = *worst->process != '\0'
                                /* TRANSLATORS: a tile of scenery, seconds, and the scenery it belongs to */
                                ? g_strdup_printf (_ ("%1$s took %2$s s (%3$s)"), worst->subject, time, worst->process)
                                /* TRANSLATORS: a tile of scenery, and seconds */
                                : g_strdup_printf (_ ("%1$s took %2$s s"), worst->subject, time);
    rf_ctl_pair (_ ("Slowest tile"), text);
}

static void
print_text (const RfImport *import, const RfRecording *recording, const char *path)
{
    gint64 start = 0, end = 0;
    g_autofree char *shown = rf_text_printable (path);
    (void)rf_recording_span (recording, &start, &end);
    double seconds = (double)(end - start) / 1e9;
    g_autofree char *length
        = seconds < 120 ? g_strdup_printf ("%.1f s", seconds) : g_strdup_printf ("%.1f min", seconds / 60);
    rf_ctl_heading (_ ("Imported"));
    rf_ctl_pair (_ ("Name"), recording->name);
    rf_ctl_pair (_ ("Kind"), rf_import_name (import->format));
    rf_ctl_pair (_ ("Length"), length);
    for (guint i = 0; i < recording->tables->len; i++) {
        RfTable *table = g_ptr_array_index (recording->tables, i);
        gulong rows = (gulong)rf_table_n_rows (table);
        g_autofree char *lines = g_strdup_printf (ngettext ("%lu line", "%lu lines", rows), rows);
        rf_ctl_pair (rf_table_name (table), lines);
    }
    g_autofree char *events = g_strdup_printf ("%u", recording->events->len);
    rf_ctl_pair (_ ("Events"), events);
    print_worst_tile (recording);
    rf_ctl_pair (_ ("Folder"), shown);
    if (import->warnings->len > 0)
        rf_ctl_heading (_ ("What to know about it"));
    for (guint i = 0; i < import->warnings->len; i++)
        rf_ctl_print (2, g_ptr_array_index (import->warnings, i));
}

static RfExit
run (RfCtl *ctl, const RfImportOptions *options)
{
    const char *path = ctl->args[0];
    g_autoptr (GError) error = NULL;
    g_autoptr (RfImport) import = rf_import_path (path, options, &error);
    if (import == NULL)
        return fail (ctl, path, error);
    g_autoptr (RfRecordings) recordings = rf_recordings_new (NULL);
    g_autoptr (RfRecording) joined = NULL;
    g_autofree char *folder = NULL;
    if (ctl->import.join != NULL) {
        joined = join (ctl, recordings, import, &folder, &error);
        if (joined == NULL)
            return fail (ctl, path, error);
    }
    RfRecording *recording = joined != NULL ? joined : import->recording;
    g_autofree char *name = ctl->import.name != NULL ? rf_session_clean (ctl->import.name) : NULL;
    if (name == NULL && joined == NULL)
        name = default_name (path);
    if (name != NULL)
        rf_recording_set (&recording->name, name);
    g_autofree char *id = save (recordings, recording, folder, name, &error);
    if (id == NULL)
        return fail (ctl, path, error);
    g_autofree char *saved = rf_recordings_path (recordings, id);
    if (ctl->json)
        print_json (import, recording, id, saved);
    else
        print_text (import, recording, saved);
    return RF_EXIT_OK;
}

RfExit
rf_ctl_import (RfCtl *ctl)
{
    static char *nothing[] = {NULL};
    RfImportOptions options = {0};
    if (ctl->import.as != NULL) {
        options.format = rf_import_from_nick (ctl->import.as);
        if (options.format == RF_IMPORT_NONE)
            return rf_ctl_usage (ctl, _ ("“%s” is not a kind of file that can be imported."), ctl->import.as);
    }
    g_autoptr (GHashTable) map = parse_map (ctl->import.map != NULL ? ctl->import.map : nothing);
    if (map == NULL)
        return rf_ctl_usage (ctl, _ ("--map wants COLUMN=NAME."));
    if (g_hash_table_size (map) > 0) {
        if (options.format != RF_IMPORT_NONE && options.format != RF_IMPORT_CSV)
            return rf_ctl_usage (ctl, _ ("--map is for tables of kind “csv” only."));
        options.format = RF_IMPORT_CSV;
        options.map = map;
    }
    if (!(fabs (ctl->import.offset) <= OFFSET_MAX_S))
        return rf_ctl_usage (ctl, _ ("The offset is too large."));
    if (fabs (ctl->import.offset) > 0 && ctl->import.join == NULL)
        return rf_ctl_usage (ctl, _ ("--offset goes with --join only."));
    return run (ctl, &options);
}
