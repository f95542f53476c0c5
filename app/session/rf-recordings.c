#define G_LOG_DOMAIN "rf-recordings"
#include "config.h"

#include "rf-archive.h"
#include "rf-array.h"
#include "rf-csv.h"
#include "rf-error.h"
#include "rf-recordings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define STAMP_LENGTH 16 /* 20261130T180000Z */
#define STAMPS_MAX 100  /* recordings that begin in the same second */
#define TAIL 65536      /* more than a line has */

struct _RfRecordings {
    char *folder;
};

RfRecordings *
rf_recordings_new (const char *folder)
{
    RfRecordings *self = g_new0 (RfRecordings, 1);
    self->folder = folder != NULL ? g_strdup (folder)
                                  : g_build_filename (g_get_user_data_dir (), "ruckelfrei", "sessions", NULL);
    return self;
}

void
rf_recordings_free (RfRecordings *self)
{
    g_free (self->folder);
    g_free (self);
}

const char *
rf_recordings_folder (const RfRecordings *self)
{
    return self->folder;
}

void
rf_recording_summary_free (RfRecordingSummary *self)
{
    g_free (self->id);
    g_clear_pointer (&self->info, rf_session_info_free);
    g_free (self->problem);
    g_free (self);
}

char *
rf_recording_summary_title (const RfRecordingSummary *self)
{
    if (self->info != NULL && *self->info->name != '\0')
        return g_strdup (self->info->name);
    gint64 seconds = self->info != NULL ? self->info->created_us / G_USEC_PER_SEC : 0;
    g_autoptr (GDateTime) time = seconds > 0 ? g_date_time_new_from_unix_local (seconds) : NULL;
    return time != NULL ? g_date_time_format (time, "%x %H:%M") : g_strdup (self->id);
}

/* "20261130T180000Z", with "-2" behind it if there was one in that second */
gboolean
rf_recordings_id_valid (const char *id)
{
    for (guint i = 0; i < STAMP_LENGTH; i++) {
        gboolean ok = i == 8 ? id[i] == 'T' : i == STAMP_LENGTH - 1 ? id[i] == 'Z' : g_ascii_isdigit (id[i]);
        if (!ok)
            return FALSE;
    }
    const char *rest = id + STAMP_LENGTH;
    if (*rest == '\0')
        return TRUE;
    gsize digits = strspn (rest + 1, "0123456789");
    return *rest == '-' && digits >= 1 && digits <= 3 && rest[1 + digits] == '\0';
}

char *
rf_recordings_path (const RfRecordings *self, const char *id)
{
    return rf_recordings_id_valid (id) ? g_build_filename (self->folder, id, NULL) : NULL;
}

static gboolean
fail_errno (const char *what, GError **error)
{
    int code = errno;
    gboolean full = code == ENOSPC || code == EDQUOT;
    gboolean refused = code == EACCES || code == EPERM;
    g_set_error (error, RF_ERROR,
                 full ? RF_ERROR_LIMIT : refused ? RF_ERROR_READ_ONLY : (gint)rf_error_from_errno (code), "'%s': %s", what,
                 g_strerror (code));
    return FALSE;
}

/* Returns: a descriptor of the folder of a recording, -1 */
static int
open_recording (const RfRecordings *self, const char *id, GError **error)
{
    g_autofree char *path = rf_recordings_path (self, id);
    if (path != NULL)
        return rf_folder_open (path, error);
    g_set_error_literal (error, RF_ERROR, RF_ERROR_UNKNOWN, "no such recording");
    return -1;
}

/* Whoever records holds the lock; so does, for a moment, whoever changes something. */
static gboolean
lock (int fd, const char *id, GError **error)
{
    if (flock (fd, LOCK_EX | LOCK_NB) == 0)
        return TRUE;
    if (errno != EWOULDBLOCK)
        return fail_errno (id, error);
    g_set_error (error, RF_ERROR, RF_ERROR_BUSY, "'%s' is being recorded", id);
    return FALSE;
}

typedef void (*EntryFunc) (int folder, const char *name, gpointer data);

static gboolean
each_entry (int folder, EntryFunc func, gpointer data)
{
    int copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
    if (dir == NULL)
        return FALSE;
    const struct dirent *entry;
    /* one stream, one thread */
    while ((entry = readdir (dir)) != NULL) /* NOLINT(concurrency-mt-unsafe) */
        if (!g_str_equal (entry->d_name, ".") && !g_str_equal (entry->d_name, ".."))
            func (folder, entry->d_name, data);
    closedir (dir);
    return TRUE;
}

static void
add_size_cb (int folder, const char *name, gpointer data)
{
    guint64 *size = data;
    struct stat info;
    if (fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (info.st_mode))
        *size += (guint64)info.st_size;
}

static gboolean
line_time (const char *line, gint64 *out)
{
    return rf_csv_to_integer (line, strcspn (line, ","), out);
}

/* Of a recording without an end: from the first to the last whole line of its samples. */
static gint64
samples_duration (int folder)
{
    gint64 first = -1, last = -1;
    int fd = rf_folder_open_file (folder, "samples.csv");
    if (fd < 0)
        return -1;
    g_autofree char *text = rf_new0 (char, TAIL + 1);
    gssize got = pread (fd, text, TAIL, 0);
    char *at = got > 0 ? strchr (text, '\n') : NULL;
    for (; at != NULL && !line_time (at + 1, &first); at = strchr (at + 1, '\n'))
        ;
    struct stat info;
    gint64 size = fstat (fd, &info) == 0 ? info.st_size : 0;
    memset (text, 0, TAIL + 1);
    got = pread (fd, text, TAIL, MAX (0, size - TAIL));
    close (fd);
    char *end = got > 0 ? strrchr (text, '\n') : NULL;
    while (end != NULL && last < 0) {
        *end = '\0';
        end = strrchr (text, '\n');
        if (end != NULL)
            (void)line_time (end + 1, &last);
    }
    return first >= 0 && last >= first ? (last - first) / 1000 : -1;
}

static RfRecordingSummary *
summarise (const RfRecordings *self, const char *id)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = rf_recordings_path (self, id);
    int fd = rf_folder_open (path, NULL);
    if (fd < 0)
        return NULL;
    RfSessionInfo *info = rf_session_info_load (path, &error);
    if (info == NULL && g_error_matches (error, RF_ERROR, RF_ERROR_UNAVAILABLE)) {
        close (fd); /* somebody else's folder */
        return NULL;
    }
    RfRecordingSummary *summary = g_new0 (RfRecordingSummary, 1);
    summary->id = g_strdup (id);
    summary->info = info;
    summary->problem = info == NULL ? g_strdup (error->message) : NULL;
    summary->duration_us = -1;
    summary->running = flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    (void)each_entry (fd, add_size_cb, &summary->size_bytes);
    if (info != NULL && info->end_reason != NULL && info->ended_us >= info->created_us && info->created_us > 0)
        summary->duration_us = info->ended_us - info->created_us;
    else
        summary->duration_us = samples_duration (fd);
    close (fd);
    return summary;
}

static gint
compare_newest (gconstpointer a, gconstpointer b)
{
    const RfRecordingSummary *one = *(const RfRecordingSummary *const *)a, *other = *(const RfRecordingSummary *const *)b;
    return strcmp (other->id, one->id);
}

typedef struct {
    const RfRecordings *self;
    GPtrArray *list;
} Listing;

static void
add_summary_cb (int folder, const char *name, gpointer data)
{
    Listing *listing = data;
    RfRecordingSummary *summary = rf_recordings_id_valid (name) ? summarise (listing->self, name) : NULL;
    if (summary != NULL)
        g_ptr_array_add (listing->list, summary);
}

GPtrArray *
rf_recordings_list (const RfRecordings *self, GError **error)
{
    g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_recording_summary_free);
    int fd = open (self->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return g_steal_pointer (&list);
    Listing listing = {self, list};
    gboolean ok = fd >= 0 && each_entry (fd, add_summary_cb, &listing);
    if (!ok)
        fail_errno (self->folder, error);
    if (fd >= 0)
        close (fd);
    g_ptr_array_sort (list, compare_newest);
    return ok ? g_steal_pointer (&list) : NULL;
}

char *
rf_recordings_find (const RfRecordings *self, const char *text, GError **error)
{
    g_autoptr (GPtrArray) list = rf_recordings_list (self, error);
    const RfRecordingSummary *found = NULL;
    guint matches = 0;
    if (list == NULL)
        return NULL;
    for (guint i = 0; i < list->len; i++) {
        const RfRecordingSummary *summary = list->pdata[i];
        if (g_str_equal (summary->id, text) || (i == 0 && g_str_equal (text, "last")))
            return g_strdup (summary->id);
        gboolean named = summary->info != NULL && g_str_equal (summary->info->name, text);
        if (*text == '\0' || !(named || g_str_has_prefix (summary->id, text)))
            continue;
        found = summary;
        matches++;
    }
    if (matches == 1)
        return g_strdup (found->id);
    if (matches > 1)
        g_set_error (error, RF_ERROR, RF_ERROR_CONFLICT, "'%s' means %u recordings", text, matches);
    else
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "no recording is called '%s'", text);
    return NULL;
}

char *
rf_recordings_create (const RfRecordings *self, gint64 time_us, int *fd, GError **error)
{
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC);
    g_autofree char *stamp = time != NULL ? g_date_time_format (time, "%Y%m%dT%H%M%SZ") : NULL;
    if (stamp == NULL || !rf_recordings_id_valid (stamp)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "the clock of the machine is wrong");
        return NULL;
    }
    if (g_mkdir_with_parents (self->folder, 0700) != 0) {
        fail_errno (self->folder, error);
        return NULL;
    }
    for (guint i = 1; i < STAMPS_MAX; i++) {
        g_autofree char *id = i == 1 ? g_strdup (stamp) : g_strdup_printf ("%s-%u", stamp, i);
        g_autofree char *path = g_build_filename (self->folder, id, NULL);
        if (g_mkdir (path, 0700) != 0) {
            if (errno == EEXIST)
                continue;
            fail_errno (path, error);
            return NULL;
        }
        if (fd == NULL)
            return g_steal_pointer (&id);
        *fd = rf_folder_open (path, error);
        if (*fd >= 0 && lock (*fd, id, error))
            return g_steal_pointer (&id);
        if (*fd >= 0)
            close (*fd);
        *fd = -1;
        (void)g_rmdir (path);
        return NULL;
    }
    g_set_error_literal (error, RF_ERROR, RF_ERROR_LIMIT, "too many recordings in one second");
    return NULL;
}

gboolean
rf_recordings_rename (const RfRecordings *self, const char *id, const char *name, GError **error)
{
    int fd = open_recording (self, id, error);
    if (fd < 0)
        return FALSE;
    g_autofree char *path = rf_recordings_path (self, id);
    g_autoptr (RfSessionInfo) info = lock (fd, id, error) ? rf_session_info_load (path, error) : NULL;
    gboolean ok = info != NULL;
    if (ok) {
        g_autofree char *clean = rf_session_clean (name);
        rf_recording_set (&info->name, clean);
        ok = rf_session_info_save (info, path, FALSE, error);
    }
    close (fd);
    return ok;
}

static void
find_foreign_cb (int folder, const char *name, gpointer data)
{
    char **foreign = data;
    struct stat info;
    gboolean file = fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (info.st_mode);
    if (*foreign == NULL && (!file || !rf_archive_is_member (name)))
        *foreign = g_strdup (name);
}

static void
remove_member_cb (int folder, const char *name, gpointer data)
{
    if (rf_archive_is_member (name))
        (void)unlinkat (folder, name, 0);
}

/* Whether the folder is a recording, and nothing but that. */
static gboolean
is_ours (int fd, const char *id, GError **error)
{
    g_autofree char *foreign = NULL;
    int ini = rf_folder_open_file (fd, RF_SESSION_INI);
    if (ini < 0)
        return fail_errno (RF_SESSION_INI, error);
    close (ini);
    if (!each_entry (fd, find_foreign_cb, &foreign))
        return fail_errno (id, error);
    if (foreign == NULL)
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_FOREIGN, "'%s'", foreign);
    return FALSE;
}

static gboolean
to_trash (const char *path, GError **error)
{
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_autoptr (GError) why = NULL;
    if (g_file_trash (file, NULL, &why))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_STATE, "%s", why->message);
    return FALSE;
}

gboolean
rf_recordings_delete (const RfRecordings *self, const char *id, gboolean for_ever, GError **error)
{
    int fd = open_recording (self, id, error);
    if (fd < 0)
        return FALSE;
    g_autofree char *path = rf_recordings_path (self, id);
    gboolean ok = lock (fd, id, error) && is_ours (fd, id, error);
    if (ok && !for_ever)
        ok = to_trash (path, error);
    else if (ok) {
        (void)each_entry (fd, remove_member_cb, NULL);
        ok = g_rmdir (path) == 0 || fail_errno (id, error);
    }
    close (fd);
    return ok;
}

gboolean
rf_recordings_export (const RfRecordings *self, const char *id, GFile *file, GCancellable *cancellable, GError **error)
{
    int fd = open_recording (self, id, error);
    if (fd < 0)
        return FALSE;
    gboolean ok = FALSE;
    int ini = rf_folder_open_file (fd, RF_SESSION_INI);
    if (ini < 0)
        fail_errno (RF_SESSION_INI, error);
    else {
        close (ini);
        g_autoptr (GFileOutputStream) out
            = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_PRIVATE, cancellable, error);
        ok = out != NULL && rf_archive_write (fd, id, G_OUTPUT_STREAM (out), cancellable, error);
        if (out != NULL && !ok) {
            /* a cancelled close leaves the old file as it was */
            g_autoptr (GCancellable) given_up = g_cancellable_new ();
            g_cancellable_cancel (given_up);
            (void)g_output_stream_close (G_OUTPUT_STREAM (out), given_up, NULL);
        }
    }
    close (fd);
    return ok;
}

static void
discard (const char *path)
{
    int fd = rf_folder_open (path, NULL);
    if (fd >= 0) {
        (void)each_entry (fd, remove_member_cb, NULL);
        close (fd);
    }
    (void)g_rmdir (path);
}

/* The folder gets the id that the recording had where it comes from, or one beside it. */
static char *
settle (const RfRecordings *self, const char *from, const char *name, GError **error)
{
    g_autoptr (RfSessionInfo) info = rf_session_info_load (from, error);
    if (info == NULL)
        return NULL;
    gint64 made_us = info->created_us > 0 ? info->created_us : g_get_real_time ();
    g_autofree char *id = NULL;
    g_autofree char *wanted = rf_recordings_path (self, name);
    if (wanted != NULL && g_mkdir (wanted, 0700) == 0)
        id = g_strdup (name);
    else
        id = rf_recordings_create (self, made_us, NULL, error);
    if (id == NULL)
        return NULL;
    g_autofree char *path = g_build_filename (self->folder, id, NULL);
    /* onto the empty folder, which holds the name until then */
    if (g_rename (from, path) == 0)
        return g_steal_pointer (&id);
    fail_errno (id, error);
    (void)g_rmdir (path);
    return NULL;
}

char *
rf_recordings_import (const RfRecordings *self, GFile *file, GCancellable *cancellable, GError **error)
{
    g_autoptr (GFileInputStream) in = g_file_read (file, cancellable, error);
    g_autofree char *name = NULL;
    g_autofree char *from = g_build_filename (self->folder, ".import-XXXXXX", NULL);
    if (in == NULL)
        return NULL;
    if (g_mkdir_with_parents (self->folder, 0700) != 0 || g_mkdtemp (from) == NULL) {
        fail_errno (self->folder, error);
        return NULL;
    }
    int fd = rf_folder_open (from, error);
    gboolean ok = fd >= 0 && rf_archive_read (G_INPUT_STREAM (in), fd, &name, cancellable, error);
    if (fd >= 0)
        close (fd);
    char *id = ok ? settle (self, from, name, error) : NULL;
    if (id == NULL)
        discard (from);
    return id;
}
