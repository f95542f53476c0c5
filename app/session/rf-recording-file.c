#define G_LOG_DOMAIN "rf-recording-file"
#include "config.h"

#include "rf-archive.h"
#include "rf-error.h"
#include "rf-array.h"
#include "rf-event-file.h"
#include "rf-recording-file.h"
#include "rf-table-file.h"
#include "rf-text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#define TABLES_MAX 32
#define SAMPLES "samples"
#define EVENTS "events"

void
rf_recording_state_free (RfRecordingState *self)
{
    g_ptr_array_unref (self->missing);
    g_free (self);
}

char *
rf_recording_state_text (const RfRecordingState *self)
{
    GString *text = g_string_new (NULL);
    if (!self->ended)
        g_string_append (text, _ ("This recording has no end: it is still running, or it was cut off. Everything up to there "
                                  "is in it."));
    if (self->damaged > 0) {
        gulong lines = (gulong)MIN (self->damaged, G_MAXULONG);
        g_string_append (text, text->len > 0 ? " " : "");
        g_string_append_printf (text,
                                ngettext ("%lu damaged line is left out.", "%lu damaged lines are left out.", lines),
                                lines);
    }
    if (self->cut)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                                _ ("It is longer than can be shown; the rest is left out."));
    for (guint i = 0; i < self->missing->len; i++) {
        g_string_append (text, text->len > 0 ? " " : "");
        /* TRANSLATORS: %s is a file with what the system says about it: "frames.csv: Permission denied" */
        g_string_append_printf (text, _ ("A file could not be read: %s."), (const char *)self->missing->pdata[i]);
    }
    gboolean nothing = text->len == 0;
    return g_string_free (text, nothing);
}

int
rf_folder_open (const char *path, GError **error)
{
    int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        int code = errno;
        g_autofree char *shown = rf_text_printable (path);
        gboolean other = code == ELOOP || code == ENOTDIR || code == ENOENT;
        g_set_error (error, RF_ERROR, other ? RF_ERROR_UNAVAILABLE : RF_ERROR_IO, "'%s': %s", shown,
                     g_strerror (code));
    }
    return fd;
}

int
rf_folder_open_file (int folder, const char *name)
{
    struct stat info;
    int fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode))
        return fd;
    close (fd);
    errno = EINVAL;
    return -1;
}

static char *
read_small (int fd, gsize *length)
{
    g_autofree char *text = rf_new0 (char, RF_SESSION_INFO_MAX + 2);
    gsize used = 0;
    while (used <= RF_SESSION_INFO_MAX) {
        gssize got = read (fd, text + used, RF_SESSION_INFO_MAX + 1 - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return NULL;
        if (got == 0)
            break;
        used += (gsize)got;
    }
    text[used] = '\0';
    *length = used;
    return g_steal_pointer (&text);
}

static RfSessionInfo *
load_info (int folder, GError **error)
{
    int fd = rf_folder_open_file (folder, RF_SESSION_INI);
    if (fd < 0) {
        int code = errno;
        gboolean other = code == ENOENT || code == ELOOP || code == EINVAL;
        g_set_error (error, RF_ERROR, other ? RF_ERROR_UNAVAILABLE : RF_ERROR_IO, "'" RF_SESSION_INI "': %s",
                     g_strerror (code));
        return NULL;
    }
    gsize length = 0;
    g_autofree char *text = read_small (fd, &length);
    int code = errno;
    close (fd);
    if (text == NULL) {
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "'" RF_SESSION_INI "': %s", g_strerror (code));
        return NULL;
    }
    return rf_session_info_parse (text, length, error);
}

RfSessionInfo *
rf_session_info_load (const char *folder, GError **error)
{
    int fd = rf_folder_open (folder, error);
    if (fd < 0)
        return NULL;
    RfSessionInfo *info = load_info (fd, error);
    close (fd);
    return info;
}

gboolean
rf_session_info_save (const RfSessionInfo *self, const char *folder, gboolean flush, GError **error)
{
    g_autofree char *path = g_build_filename (folder, RF_SESSION_INI, NULL);
    g_autofree char *text = rf_session_info_format (self);
    g_autoptr (GError) why = NULL;
    /* durable takes an fsync() of this small file; without, the rename alone decides */
    GFileSetContentsFlags flags
        = flush ? G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE : G_FILE_SET_CONTENTS_CONSISTENT;
    if (g_file_set_contents_full (path, text, -1, flags, 0600, &why))
        return TRUE;
    gboolean full = g_error_matches (why, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
    g_set_error (error, RF_ERROR, full ? RF_ERROR_LIMIT : RF_ERROR_IO, "%s", why->message);
    return FALSE;
}

static void
note_missing (RfRecordingState *state, const char *name, const char *why)
{
    g_autofree char *shown = rf_text_printable (name);
    g_ptr_array_add (state->missing, g_strdup_printf ("%s: %s", shown, why));
}

static void
take_notes (RfRecording *self, RfRecordingState *state, RfTableNotes *notes, gboolean main_table)
{
    state->damaged += notes->damaged;
    state->torn = state->torn || notes->torn;
    state->cut = state->cut || notes->cut;
    if (main_table)
        g_array_append_vals (self->gaps, notes->gaps->data, notes->gaps->len);
}

static void
load_file (RfRecording *self, RfRecordingState *state, int folder, const char *file)
{
    g_autofree char *name = g_strndup (file, strlen (file) - strlen (".csv"));
    g_autoptr (RfTableNotes) notes = rf_table_notes_new ();
    g_autoptr (GError) error = NULL;
    int fd = rf_folder_open_file (folder, file);
    if (fd < 0) {
        note_missing (state, file, g_strerror (errno));
        return;
    }
    struct stat info;
    /* a file with a hole of a terabyte would be read for hours */
    if (fstat (fd, &info) != 0 || (guint64)info.st_size > RF_ARCHIVE_BYTES_MAX) {
        note_missing (state, file, g_strerror (EFBIG));
        close (fd);
        return;
    }
    gboolean ok;
    if (g_str_equal (name, EVENTS))
        ok = rf_events_read (fd, self->events, notes, &error);
    else {
        RfTable *table = rf_table_read (fd, name, notes, &error);
        ok = table != NULL;
        if (ok)
            rf_recording_add_table (self, table);
    }
    /* a recording that ended before its first line: nothing is missing */
    gboolean empty = info.st_size == 0;
    close (fd);
    if (!ok && !empty)
        note_missing (state, file, error->message);
    take_notes (self, state, notes, g_str_equal (name, SAMPLES));
}

static gint
compare_name (gconstpointer a, gconstpointer b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
load_files (RfRecording *self, RfRecordingState *state, int folder)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    int copy = dup (folder);
    DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
    if (dir == NULL) {
        note_missing (state, ".", g_strerror (errno));
        if (copy >= 0)
            close (copy);
        return;
    }
    const struct dirent *entry;
    /* one stream, one thread */
    while ((entry = readdir (dir)) != NULL) /* NOLINT(concurrency-mt-unsafe) */
        if (g_str_has_suffix (entry->d_name, ".csv") && entry->d_name[0] != '.')
            g_ptr_array_add (names, g_strdup (entry->d_name));
    closedir (dir);
    g_ptr_array_sort (names, compare_name);
    for (guint i = 0; i < MIN (names->len, TABLES_MAX); i++)
        load_file (self, state, folder, names->pdata[i]);
    state->cut = state->cut || names->len > TABLES_MAX;
}

static gint
compare_event (gconstpointer a, gconstpointer b)
{
    const RfEvent *one = a, *other = b;
    return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

/* session.ini has the marks too, which a person may have added or worded anew. */
static void
take_marks (RfRecording *self, const RfSessionInfo *info)
{
    g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
    for (guint i = 0; i < self->events->len; i++) {
        RfEvent *event = &g_array_index (self->events, RfEvent, i);
        if (event->kind == RF_EVENT_MARK)
            g_hash_table_insert (known, &event->time_ns, event);
    }
    g_autoptr (GArray) added = g_array_new (FALSE, TRUE, sizeof (RfEvent));
    for (guint i = 0; i < info->marks->len; i++) {
        const RfSessionMark *mark = info->marks->pdata[i];
        RfEvent *event = g_hash_table_lookup (known, &mark->time_ns);
        RfEvent fresh = {.time_ns = mark->time_ns, .kind = RF_EVENT_MARK, .amount = NAN};
        rf_event_set_text (fresh.subject, sizeof fresh.subject, mark->text, strlen (mark->text));
        if (event != NULL)
            memcpy (event->subject, fresh.subject, sizeof event->subject);
        else
            g_array_append_val (added, fresh);
    }
    if (added->len == 0)
        return;
    g_array_append_vals (self->events, added->data, added->len);
    g_array_sort (self->events, compare_event);
}

static void
take_text (RfRecording *self, const RfSessionInfo *info)
{
    const char *kernel = g_hash_table_lookup (info->machine, "kernel");
    const char *model = g_hash_table_lookup (info->machine, "model");
    rf_recording_set (&self->name, info->name);
    rf_recording_set (&self->source, info->source);
    rf_recording_set (&self->workload, info->workload);
    rf_recording_set (&self->kernel, kernel != NULL ? kernel : "");
    rf_recording_set (&self->machine, model != NULL ? model : "");
    self->anchor_monotonic_ns = info->anchor_monotonic_ns;
    self->anchor_wall_us = info->anchor_wall_us;
    g_hash_table_unref (self->settings_start);
    self->settings_start = g_hash_table_ref (info->settings_start);
    self->settings_end = info->settings_end != NULL ? g_hash_table_ref (info->settings_end) : NULL;
    for (guint i = 0; i < info->untrusted->len; i++)
        g_ptr_array_add (self->untrusted, g_strdup (info->untrusted->pdata[i]));
}

RfRecording *
rf_recording_load (const char *folder, RfRecordingState **state, GError **error)
{
    int fd = rf_folder_open (folder, error);
    if (fd < 0)
        return NULL;
    g_autoptr (RfSessionInfo) info = load_info (fd, error);
    if (info == NULL) {
        close (fd);
        return NULL;
    }
    RfRecording *self = rf_recording_new ();
    g_autoptr (RfRecordingState) found = rf_new0 (RfRecordingState, 1);
    found->missing = g_ptr_array_new_with_free_func (g_free);
    found->ended = info->end_reason != NULL;
    take_text (self, info);
    load_files (self, found, fd);
    close (fd);
    take_marks (self, info);
    found->damaged += rf_recording_trim (self);
    if (state != NULL)
        *state = g_steal_pointer (&found);
    return self;
}

static gboolean
save_file (int folder, const char *name, const RfRecording *self, const RfTable *table, GError **error)
{
    g_autofree char *file = g_strconcat (name, ".csv", NULL);
    int fd = openat (folder, file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        int code = errno;
        g_set_error (error, RF_ERROR, (gint)rf_error_from_errno (code), "'%s': %s", file, g_strerror (code));
        return FALSE;
    }
    gboolean ok = table != NULL
                      ? rf_table_write (table, g_str_equal (name, SAMPLES) ? self->gaps : NULL, fd, error)
                      : rf_events_write (self->events, fd, error);
    if (ok && fsync (fd) != 0) {
        int code = errno;
        g_set_error (error, RF_ERROR, (gint)rf_error_from_errno (code), "'%s': %s", file, g_strerror (code));
        ok = FALSE;
    }
    close (fd);
    if (!ok)
        (void)unlinkat (folder, file, 0);
    return ok;
}

static void
give_text (const RfRecording *self, RfSessionInfo *info)
{
    rf_recording_set (&info->name, self->name);
    rf_recording_set (&info->source, *self->source != '\0' ? self->source : "import");
    rf_recording_set (&info->workload, self->workload);
    rf_recording_set (&info->program, "ruckelfrei " PACKAGE_VERSION);
    rf_recording_set (&info->end_reason, "imported");
    gint64 start = 0, end = 0;
    if (rf_recording_span (self, &start, &end)) {
        info->created_us = rf_recording_wall_us (self, start);
        info->ended_us = rf_recording_wall_us (self, end);
    }
    info->anchor_monotonic_ns = self->anchor_monotonic_ns;
    info->anchor_wall_us = self->anchor_wall_us;
    if (*self->kernel != '\0')
        g_hash_table_insert (info->machine, g_strdup ("kernel"), g_strdup (self->kernel));
    if (*self->machine != '\0')
        g_hash_table_insert (info->machine, g_strdup ("model"), g_strdup (self->machine));
    g_hash_table_unref (info->settings_start);
    info->settings_start = g_hash_table_ref (self->settings_start);
    info->settings_end = self->settings_end != NULL ? g_hash_table_ref (self->settings_end) : NULL;
    info->trust = self->untrusted->len > 0 ? RF_TRUST_NO : RF_TRUST_UNCHECKED;
    for (guint i = 0; i < self->untrusted->len; i++)
        g_ptr_array_add (info->untrusted, g_strdup (self->untrusted->pdata[i]));
}

gboolean
rf_recording_save (const RfRecording *self, const char *folder, GError **error)
{
    gboolean made = g_mkdir (folder, 0700) == 0;
    int fd = rf_folder_open (folder, error);
    if (fd < 0)
        return FALSE;
    g_autoptr (GPtrArray) written = g_ptr_array_new_with_free_func (g_free);
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < self->tables->len; i++) {
        const RfTable *table = self->tables->pdata[i];
        ok = save_file (fd, rf_table_name (table), self, table, error);
        if (ok)
            g_ptr_array_add (written, g_strconcat (rf_table_name (table), ".csv", NULL));
    }
    if (ok && self->events->len > 0) {
        ok = save_file (fd, EVENTS, self, NULL, error);
        if (ok)
            g_ptr_array_add (written, g_strdup (EVENTS ".csv"));
    }
    if (ok) {
        g_autoptr (RfSessionInfo) info = rf_session_info_new ();
        give_text (self, info);
        ok = rf_session_info_save (info, folder, TRUE, error);
    }
    for (guint i = 0; !ok && i < written->len; i++)
        (void)unlinkat (fd, written->pdata[i], 0);
    close (fd);
    if (!ok && made)
        (void)g_rmdir (folder);
    return ok;
}
