#define G_LOG_DOMAIN "rf-journal"
#include "config.h"

#include "rf-journal.h"
#include "rf-error.h"
#include "rf-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".record"

struct _RfJournal {
    RfMachine *machine;
    char *folder;
    GPtrArray *records; /* of RfRecord */
    GPtrArray *damaged; /* of char*, file names */
    GError *complaint;  /* about the first of them */
};

static int
compare_records (gconstpointer a, gconstpointer b)
{
    const RfRecord *left = *(const RfRecord *const *)a, *right = *(const RfRecord *const *)b;
    return strcmp (left->id, right->id);
}

static char *
record_path (const RfJournal *self, const char *id)
{
    return g_strdup_printf ("%s/%s" SUFFIX, self->folder, id);
}

static gboolean
check_folder (const char *path, GError **error)
{
    struct stat info;
    if (lstat (path, &info) != 0) {
        int keep = errno;
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "cannot inspect '%s': %s", path, g_strerror (keep));
        return FALSE;
    }
    if (S_ISDIR (info.st_mode) && info.st_uid == geteuid () && (info.st_mode & 077) == 0)
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL,
                 "'%s' is not a folder that belongs to the helper alone (mode 0700, no link)", path);
    return FALSE;
}

static gboolean
make_folders (RfMachine *machine, char **journal, GError **error)
{
    static const struct {
        const char *path;
        mode_t mode;
    } folders[]
        = {{"var", 0755}, {"var/lib", 0755}, {"var/lib/ruckelfrei", 0700}, {"var/lib/ruckelfrei/journal", 0700}};
    for (gsize i = 0; i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *path = rf_sysroot_path (machine->files, folders[i].path);
        /* only ours must not be links: /var may well be one */
        gboolean ours = i >= 2;
        if (!ours && g_file_test (path, G_FILE_TEST_IS_DIR))
            continue;
        if (!rf_file_make_folder (path, folders[i].mode, error) || (ours && !check_folder (path, error)))
            return FALSE;
    }
    *journal = rf_sysroot_path (machine->files, "var/lib/ruckelfrei/journal");
    return TRUE;
}

static void
note_damaged (RfJournal *self, const char *name, GError *problem)
{
    g_ptr_array_add (self->damaged, g_strdup (name));
    if (self->complaint == NULL) {
        /* a name can have any bytes, and this goes to terminals and over the bus */
        g_autofree char *text = g_strdup_printf ("'%s/%s': %s", self->folder, name, problem->message);
        g_autofree char *printable = g_strescape (text, NULL);
        self->complaint = g_error_new_literal (RF_ERROR, problem->code, printable);
    }
    g_error_free (problem);
}

static void
load_record (RfJournal *self, const char *name)
{
    g_autofree char *path = g_build_filename (self->folder, name, NULL);
    g_autofree char *id = g_strndup (name, strlen (name) - strlen (SUFFIX));
    GError *problem = NULL;
    gsize length = 0;
    g_autofree char *text = rf_file_read (path, TRUE, &length, &problem);
    g_autoptr (RfRecord) record = text != NULL ? rf_record_from_keyfile (text, length, &problem) : NULL;
    if (record != NULL && !g_str_equal (record->id, id)) {
        g_set_error_literal (&problem, RF_ERROR, RF_ERROR_JOURNAL, "the record is damaged: it has another file's id");
        g_clear_pointer (&record, rf_record_free);
    }
    if (record == NULL)
        note_damaged (self, name, problem);
    else
        g_ptr_array_add (self->records, g_steal_pointer (&record));
}

/* Half a list would pass for the whole truth, so an error of the disk is one of ours. */
static gboolean
load_all (RfJournal *self, GError **error)
{
    DIR *dir = opendir (self->folder);
    int problem = dir == NULL ? errno : 0;
    while (dir != NULL && problem == 0) {
        errno = 0;
        /* glibc: safe, each stream has one thread; NOLINTNEXTLINE(concurrency-mt-unsafe) */
        const struct dirent *entry = readdir (dir);
        if (entry == NULL) {
            problem = errno;
            break;
        }
        const char *name = entry->d_name;
        if (name[0] == '.' && g_str_has_suffix (name, ".tmp")) {
            g_autofree char *path = g_build_filename (self->folder, name, NULL);
            unlink (path);
        } else if (g_str_has_suffix (name, SUFFIX)) {
            load_record (self, name);
        }
    }
    if (dir != NULL)
        closedir (dir);
    g_ptr_array_sort (self->records, compare_records);
    if (problem != 0)
        g_set_error (error, RF_ERROR, rf_error_from_errno (problem), "cannot list '%s': %s", self->folder,
                     g_strerror (problem));
    return problem == 0;
}

RfJournal *
rf_journal_open (RfMachine *machine, GError **error)
{
    g_return_val_if_fail (machine != NULL, NULL);
    g_autofree char *folder = NULL;
    if (!make_folders (machine, &folder, error))
        return NULL;
    RfJournal *self = g_new0 (RfJournal, 1);
    self->machine = rf_machine_ref (machine);
    self->folder = g_steal_pointer (&folder);
    self->records = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
    self->damaged = g_ptr_array_new_with_free_func (g_free);
    if (!load_all (self, error))
        g_clear_pointer (&self, rf_journal_free);
    return self;
}

void
rf_journal_free (RfJournal *self)
{
    if (self == NULL)
        return;
    rf_machine_unref (self->machine);
    g_free (self->folder);
    g_ptr_array_unref (self->records);
    g_ptr_array_unref (self->damaged);
    g_clear_error (&self->complaint);
    g_free (self);
}

gboolean
rf_journal_check (const RfJournal *self, GError **error)
{
    if (self->complaint == NULL)
        return TRUE;
    g_set_error_literal (error, RF_ERROR, RF_ERROR_JOURNAL, self->complaint->message);
    return FALSE;
}

const GPtrArray *
rf_journal_records (const RfJournal *self)
{
    return self->records;
}

RfRecord *
rf_journal_find (const RfJournal *self, const char *id)
{
    for (guint i = 0; i < self->records->len; i++) {
        RfRecord *record = g_ptr_array_index (self->records, i);
        if (g_str_equal (record->id, id))
            return record;
    }
    return NULL;
}

RfRecord *
rf_journal_find_state (const RfJournal *self, RfRecordState state)
{
    for (guint i = self->records->len; i-- > 0;) {
        RfRecord *record = g_ptr_array_index (self->records, i);
        if (record->state == state)
            return record;
    }
    return NULL;
}

char *
rf_journal_new_id (const RfJournal *self)
{
    const RfRecord *last = self->records->len > 0 ? g_ptr_array_index (self->records, self->records->len - 1) : NULL;
    g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
    g_autofree char *stamp = g_date_time_format (now, "%Y%m%dT%H%M%SZ");
    g_autofree char *id = g_strdup_printf ("%s-%08x", stamp, g_random_int () & 0x0fffffff);
    if (last == NULL || strcmp (id, last->id) > 0)
        return g_steal_pointer (&id);
    /* two in one second, or the clock went back: the order of the ids is the order of the changes all the same */
    guint64 tail = g_ascii_strtoull (last->id + strlen (stamp) + 1, NULL, 16);
    return g_strdup_printf ("%.*s-%08x", (int)strlen (stamp), last->id, (guint32)tail + 1);
}

static gboolean
has_next_boot (const RfRecord *record, const char *boot_id)
{
    for (guint i = 0; i < record->entries->len; i++)
        if (((const RfRecordEntry *)g_ptr_array_index (record->entries, i))->state == RF_ENTRY_NEXT_BOOT)
            return g_str_equal (record->boot_id, boot_id);
    return FALSE;
}

/* Makes room by forgetting the oldest that are only history. */
static void
prune (RfJournal *self)
{
    guint history = 0;
    for (guint i = 0; i < self->records->len; i++)
        history += ((const RfRecord *)g_ptr_array_index (self->records, i))->state == RF_RECORD_REVERTED;
    for (guint i = 0;
         i < self->records->len && (history > RF_JOURNAL_MAX_HISTORY || self->records->len > RF_JOURNAL_MAX);) {
        const RfRecord *record = g_ptr_array_index (self->records, i);
        g_autofree char *path = record_path (self, record->id);
        if (record->state != RF_RECORD_REVERTED || has_next_boot (record, self->machine->boot_id)
            || !rf_file_remove (path, NULL)) {
            i++;
            continue;
        }
        g_ptr_array_remove_index (self->records, i);
        history--;
    }
}

gboolean
rf_journal_save (RfJournal *self, RfRecord *record, GError **error)
{
    g_autofree char *path = record_path (self, record->id);
    g_autofree char *text = rf_record_to_keyfile (record);
    return rf_file_replace (path, text, 0600, error);
}

gboolean
rf_journal_add (RfJournal *self, RfRecord *record, GError **error)
{
    g_return_val_if_fail (rf_record_id_valid (record->id), FALSE);
    /* what cannot be read back could never be taken back: then nothing may be begun */
    g_autofree char *text = rf_record_to_keyfile (record);
    g_autoptr (GError) unreadable = NULL;
    g_autoptr (RfRecord) again = rf_record_from_keyfile (text, strlen (text), &unreadable);
    if (again == NULL) {
        g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "the journal cannot hold this change: %s", unreadable->message);
        return FALSE;
    }
    prune (self);
    if (self->records->len >= RF_JOURNAL_MAX) {
        g_set_error (error, RF_ERROR, RF_ERROR_LIMIT, "%u records are kept: take some back first", self->records->len);
        return FALSE;
    }
    if (!rf_journal_save (self, record, error))
        return FALSE;
    g_ptr_array_add (self->records, record);
    g_ptr_array_sort (self->records, compare_records);
    return TRUE;
}

gboolean
rf_journal_set_state (RfJournal *self, RfRecord *record, RfRecordState state, RfReason reason, GError **error)
{
    RfRecordState old_state = record->state;
    RfReason old_reason = record->reason;
    gint64 old_changed = record->changed;
    record->state = state;
    record->reason = reason;
    record->changed = g_get_real_time () / G_USEC_PER_SEC;
    if (rf_journal_save (self, record, error))
        return TRUE;
    record->state = old_state;
    record->reason = old_reason;
    record->changed = old_changed;
    return FALSE;
}

static gboolean
is_newer_format (const char *path)
{
    g_autofree char *text = rf_file_read (path, TRUE, NULL, NULL);
    g_autoptr (GKeyFile) file = g_key_file_new ();
    return text != NULL && g_key_file_load_from_data (file, text, (gsize)-1, G_KEY_FILE_NONE, NULL)
           && g_key_file_get_integer (file, "record", "format", NULL) > 1;
}

/* never over another one that was put aside before */
static char *
free_name (const char *path)
{
    for (guint i = 0;; i++) {
        char *aside = i == 0 ? g_strconcat (path, ".damaged", NULL) : g_strdup_printf ("%s.damaged-%u", path, i);
        struct stat info;
        if (lstat (aside, &info) != 0)
            return aside;
        g_free (aside);
    }
}

gboolean
rf_journal_set_aside (RfJournal *self, GError **error)
{
    for (guint i = self->damaged->len; i-- > 0;) {
        const char *name = g_ptr_array_index (self->damaged, i);
        g_autofree char *path = g_build_filename (self->folder, name, NULL);
        if (is_newer_format (path))
            continue;
        g_autofree char *aside = free_name (path);
        if (rename (path, aside) != 0) {
            int keep = errno;
            g_set_error (error, RF_ERROR, RF_ERROR_IO, "cannot rename '%s': %s", path, g_strerror (keep));
            return FALSE;
        }
        g_ptr_array_remove_index (self->damaged, i);
    }
    if (self->damaged->len == 0)
        g_clear_error (&self->complaint);
    return rf_journal_check (self, error);
}

gboolean
rf_journal_lock (RfMachine *machine, guint wait_ms, int *lock_fd, GError **error)
{
    g_autofree char *folder = NULL;
    if (!make_folders (machine, &folder, error))
        return FALSE;
    g_autofree char *path = rf_sysroot_path (machine->files, "var/lib/ruckelfrei/lock");
    g_auto (RfAutoFd) fd = open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        int keep = errno;
        g_set_error (error, RF_ERROR, rf_error_from_errno (keep), "cannot open '%s': %s", path, g_strerror (keep));
        return FALSE;
    }
    for (guint waited = 0; flock (fd, LOCK_EX | LOCK_NB) != 0; waited += 50) {
        if (errno != EWOULDBLOCK || waited >= wait_ms) {
            g_set_error (error, RF_ERROR, RF_ERROR_BUSY, "another process of the helper is at work");
            return FALSE;
        }
        g_usleep (50 * 1000);
    }
    *lock_fd = g_steal_fd (&fd);
    return TRUE;
}
