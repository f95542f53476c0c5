#define G_LOG_DOMAIN "rf-record"
#include "config.h"

#include "rf-record.h"
#include "rf-blocks.h"
#include "rf-error.h"
#include "rf-text.h"

#include <string.h>

/* The journal file, format 1: group [record] (format, id, state, reason, created, changed, boot-id, kernel, entries),
 * one group [entry N] each (tunable, instance, stable-id, before, ours, effective, state), and last a group [checksum]
 * with the SHA-256 of everything above it, so that a torn or flipped file is refused and not half obeyed. */
#define FORMAT 1
#define TEXT_MAX (256 * 1024)
#define CHECKSUM_HEAD "\n[checksum]\nsha256="
#define STRING_MAX 160

static const char *const state_nicks[] = {"pending", "trial", "keeping", "kept", "reverting", "reverted"};
static const char *const entry_nicks[]
    = {"planned", "applied", "reverted", "left-alone", "unreachable", "next-boot", "superseded"};
static const char *const reason_nicks[]
    = {"none",      "user",   "timeout",   "caller-gone", "guard-stalls", "guard-pressure",
       "guard-oom", "failed", "cancelled", "recovery"};
G_STATIC_ASSERT (G_N_ELEMENTS (state_nicks) == RF_RECORD_REVERTED + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (entry_nicks) == RF_ENTRY_SUPERSEDED + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (reason_nicks) == RF_REASON_RECOVERY + 1);

static int
find_nick (const char *const *nicks, gsize n, const char *text)
{
    for (gsize i = 0; i < n; i++)
        if (text != NULL && g_str_equal (nicks[i], text))
            return (int)i;
    return -1;
}

const char *
rf_record_state_nick (RfRecordState state)
{
    g_return_val_if_fail ((guint)state < G_N_ELEMENTS (state_nicks), "");
    return state_nicks[state];
}

const char *
rf_entry_state_nick (RfEntryState state)
{
    g_return_val_if_fail ((guint)state < G_N_ELEMENTS (entry_nicks), "");
    return entry_nicks[state];
}

const char *
rf_reason_nick (RfReason reason)
{
    g_return_val_if_fail ((guint)reason < G_N_ELEMENTS (reason_nicks), "");
    return reason_nicks[reason];
}

gboolean
rf_reason_from_nick (const char *nick, RfReason *out)
{
    int found = find_nick (reason_nicks, G_N_ELEMENTS (reason_nicks), nick);
    if (found >= 0)
        *out = (RfReason)found;
    return found >= 0;
}

gboolean
rf_record_id_valid (const char *id)
{
    static const char form[] = "dddddddd"
                               "T"
                               "dddddd"
                               "Z"
                               "-"
                               "xxxxxxxx";
    if (id == NULL || strlen (id) != sizeof form - 1)
        return FALSE;
    for (gsize i = 0; i < sizeof form - 1; i++) {
        gboolean ok = form[i] == 'd'   ? g_ascii_isdigit (id[i])
                      : form[i] == 'x' ? g_ascii_isdigit (id[i]) || (id[i] >= 'a' && id[i] <= 'f')
                                       : id[i] == form[i];
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

static void
entry_free (gpointer data)
{
    RfRecordEntry *entry = data;
    g_free (entry->instance);
    g_free (entry->stable_id);
    g_free (entry);
}

static RfRecord *
record_alloc (void)
{
    RfRecord *self = g_new0 (RfRecord, 1);
    self->entries = g_ptr_array_new_with_free_func (entry_free);
    return self;
}

RfRecord *
rf_record_new_from_plan (const RfPlan *plan, const char *id, gint64 now)
{
    g_return_val_if_fail (plan != NULL && rf_record_id_valid (id), NULL);
    RfRecord *self = record_alloc ();
    self->id = g_strdup (id);
    self->created = self->changed = now;
    self->boot_id = g_strdup ("");
    self->kernel_release = g_strdup ("");
    for (guint i = 0; i < rf_plan_length (plan); i++) {
        const RfChange *change = rf_plan_get (plan, i);
        RfRecordEntry *entry = g_new0 (RfRecordEntry, 1);
        entry->tunable = change->tunable;
        entry->instance = g_strdup (change->instance);
        entry->ours = change->value;
        g_ptr_array_add (self->entries, entry);
    }
    return self;
}

void
rf_record_free (RfRecord *self)
{
    if (self == NULL)
        return;
    g_free (self->id);
    g_free (self->boot_id);
    g_free (self->kernel_release);
    g_ptr_array_unref (self->entries);
    g_free (self);
}

gboolean
rf_record_is_settled (const RfRecord *self)
{
    g_return_val_if_fail (self != NULL, FALSE);
    return self->state == RF_RECORD_KEPT || self->state == RF_RECORD_REVERTED;
}

gboolean
rf_record_has_entry (const RfRecord *self, RfEntryState state)
{
    g_return_val_if_fail (self != NULL, FALSE);
    for (guint i = 0; i < self->entries->len; i++)
        if (((const RfRecordEntry *)g_ptr_array_index (self->entries, i))->state == state)
            return TRUE;
    return FALSE;
}

gboolean
rf_record_entry_same (const RfRecordEntry *a, const RfRecordEntry *b)
{
    g_return_val_if_fail (a != NULL && b != NULL, FALSE);
    gboolean same_name = g_str_equal (a->instance, b->instance);
    if (a->tunable != b->tunable || g_strcmp0 (a->stable_id, b->stable_id) != 0)
        return FALSE;
    return same_name
           || (a->stable_id != NULL && !rf_blocks_nvme_path (a->instance, NULL)
               && !rf_blocks_nvme_path (b->instance, NULL));
}

static void
set_value (GKeyFile *file, const char *group, const char *key, const RfValue *value)
{
    g_autofree char *text = rf_value_to_text (value);
    g_key_file_set_string (file, group, key, text);
}

char *
rf_record_to_keyfile (const RfRecord *self)
{
    g_return_val_if_fail (self != NULL, NULL);
    g_autoptr (GKeyFile) file = g_key_file_new ();
    g_key_file_set_integer (file, "record", "format", FORMAT);
    g_key_file_set_string (file, "record", "id", self->id);
    g_key_file_set_string (file, "record", "state", rf_record_state_nick (self->state));
    g_key_file_set_string (file, "record", "reason", rf_reason_nick (self->reason));
    g_key_file_set_int64 (file, "record", "created", self->created);
    g_key_file_set_int64 (file, "record", "changed", self->changed);
    g_key_file_set_string (file, "record", "boot-id", self->boot_id);
    g_key_file_set_string (file, "record", "kernel", self->kernel_release);
    g_key_file_set_integer (file, "record", "entries", (int)self->entries->len);
    for (guint i = 0; i < self->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (self->entries, i);
        g_autofree char *group = g_strdup_printf ("entry %u", i);
        g_key_file_set_string (file, group, "tunable", entry->tunable->id);
        g_key_file_set_string (file, group, "instance", entry->instance);
        if (entry->stable_id != NULL)
            g_key_file_set_string (file, group, "stable-id", entry->stable_id);
        set_value (file, group, "before", &entry->before);
        set_value (file, group, "ours", &entry->ours);
        set_value (file, group, "effective", &entry->effective);
        if (entry->requests > 0)
            g_key_file_set_int64 (file, group, "nr-requests", entry->requests);
        g_key_file_set_string (file, group, "state", rf_entry_state_nick (entry->state));
    }
    g_autofree char *body = g_key_file_to_data (file, NULL, NULL);
    g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, body, -1);
    return g_strconcat (body, CHECKSUM_HEAD, sum, "\n", NULL);
}

static gboolean
damaged (GError **error, const char *what)
{
    g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "the record is damaged: %s", what);
    return FALSE;
}

/* one line of printable text without surprises, or FALSE */
static gboolean
get_string (GKeyFile *file, const char *group, const char *key, char **out, GError **error)
{
    g_autofree char *text = g_key_file_get_string (file, group, key, NULL);
    if (text == NULL || strlen (text) > STRING_MAX)
        return damaged (error, key);
    for (const char *p = text; *p != '\0'; p++)
        if (!g_ascii_isprint (*p))
            return damaged (error, key);
    g_free (*out);
    *out = g_steal_pointer (&text);
    return TRUE;
}

static gboolean
get_nick (GKeyFile *file, const char *group, const char *key, const char *const *nicks, gsize n, int *out,
          GError **error)
{
    g_autofree char *text = NULL;
    if (!get_string (file, group, key, &text, error))
        return FALSE;
    *out = find_nick (nicks, n, text);
    return *out >= 0 || damaged (error, key);
}

static gboolean
get_time (GKeyFile *file, const char *key, gint64 *out, GError **error)
{
    g_autofree char *text = g_key_file_get_string (file, "record", key, NULL);
    return (rf_text_to_int64 (text, out) && *out >= 0) || damaged (error, key);
}

static gboolean
get_value (GKeyFile *file, const char *group, const char *key, RfValueKind kind, RfValue *out, GError **error)
{
    g_autofree char *text = NULL;
    if (!get_string (file, group, key, &text, error))
        return FALSE;
    if (g_str_equal (text, "absent"))
        kind = RF_VALUE_ABSENT;
    return rf_value_from_text (kind, text, out, NULL) || damaged (error, key);
}

static gboolean
get_requests (GKeyFile *file, const char *group, gint64 *out, GError **error)
{
    if (!g_key_file_has_key (file, group, "nr-requests", NULL))
        return TRUE;
    g_autofree char *text = g_key_file_get_string (file, group, "nr-requests", NULL);
    return (rf_text_to_int64 (text, out) && *out > 0 && *out <= G_MAXINT32) || damaged (error, "nr-requests");
}

static gboolean
instance_ok (const RfRecordEntry *entry)
{
    if (entry->tunable->instances == RF_INSTANCE_NONE)
        return entry->instance[0] == '\0';
    return entry->instance[0] != '\0' && strlen (entry->instance) <= 64 && strchr (entry->instance, '/') == NULL
           && entry->instance[0] != '.';
}

static gboolean
parse_entry (GKeyFile *file, guint index, RfRecord *self, GError **error)
{
    g_autofree char *group = g_strdup_printf ("entry %u", index);
    g_autofree char *id = NULL;
    if (!get_string (file, group, "tunable", &id, error))
        return FALSE;
    const RfTunable *tunable = rf_tunable_find (id);
    if (tunable == NULL)
        return damaged (error, "unknown setting");
    RfRecordEntry *entry = g_new0 (RfRecordEntry, 1);
    g_ptr_array_add (self->entries, entry);
    entry->tunable = tunable;
    int state = 0;
    if (!get_string (file, group, "instance", &entry->instance, error)
        || (g_key_file_has_key (file, group, "stable-id", NULL)
            && !get_string (file, group, "stable-id", &entry->stable_id, error))
        || !get_value (file, group, "before", tunable->kind, &entry->before, error)
        || !get_value (file, group, "ours", tunable->kind, &entry->ours, error)
        || !get_value (file, group, "effective", tunable->kind, &entry->effective, error)
        || !get_requests (file, group, &entry->requests, error)
        || !get_nick (file, group, "state", entry_nicks, G_N_ELEMENTS (entry_nicks), &state, error))
        return FALSE;
    entry->state = (RfEntryState)state;
    return instance_ok (entry) || damaged (error, "instance");
}

static gboolean
parse_record (GKeyFile *file, RfRecord *self, GError **error)
{
    int format = g_key_file_get_integer (file, "record", "format", NULL);
    if (format > FORMAT) {
        g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "the record is from a newer version (format %d)", format);
        return FALSE;
    }
    int state = 0, reason = 0;
    if (format != FORMAT)
        return damaged (error, "format");
    if (!get_string (file, "record", "id", &self->id, error)
        || !get_nick (file, "record", "state", state_nicks, G_N_ELEMENTS (state_nicks), &state, error)
        || !get_nick (file, "record", "reason", reason_nicks, G_N_ELEMENTS (reason_nicks), &reason, error)
        || !get_time (file, "created", &self->created, error) || !get_time (file, "changed", &self->changed, error)
        || !get_string (file, "record", "boot-id", &self->boot_id, error)
        || !get_string (file, "record", "kernel", &self->kernel_release, error))
        return FALSE;
    self->state = (RfRecordState)state;
    self->reason = (RfReason)reason;
    if (!rf_record_id_valid (self->id))
        return damaged (error, "id");
    int n = g_key_file_get_integer (file, "record", "entries", NULL);
    if (n < 1 || n > RF_PLAN_MAX_CHANGES)
        return damaged (error, "entries");
    for (int i = 0; i < n; i++)
        if (!parse_entry (file, (guint)i, self, error))
            return FALSE;
    return TRUE;
}

/* Returns the length of what the checksum covers, or -1 */
static gssize
checked_length (const char *text, gsize length)
{
    const char *head = g_strrstr_len (text, (gssize)length, CHECKSUM_HEAD);
    if (head == NULL)
        return -1;
    gsize body = (gsize)(head - text);
    const char *sum = head + strlen (CHECKSUM_HEAD);
    g_autofree char *expected = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)text, body);
    gsize rest = length - (gsize)(sum - text);
    if (rest != strlen (expected) + 1 || strncmp (sum, expected, strlen (expected)) != 0 || sum[rest - 1] != '\n')
        return -1;
    return (gssize)body;
}

RfRecord *
rf_record_from_keyfile (const char *text, gsize length, GError **error)
{
    g_return_val_if_fail (text != NULL, NULL);
    if (length > TEXT_MAX || memchr (text, '\0', length) != NULL) {
        damaged (error, "size");
        return NULL;
    }
    gssize body = checked_length (text, length);
    if (body < 0) {
        damaged (error, "checksum");
        return NULL;
    }
    g_autoptr (GKeyFile) file = g_key_file_new ();
    if (body == 0 || !g_key_file_load_from_data (file, text, (gsize)body, G_KEY_FILE_NONE, NULL)) {
        damaged (error, "not a key file");
        return NULL;
    }
    RfRecord *self = record_alloc ();
    if (parse_record (file, self, error))
        return self;
    rf_record_free (self);
    return NULL;
}

GVariant *
rf_record_to_variant (const RfRecord *self)
{
    g_return_val_if_fail (self != NULL, NULL);
    GVariantBuilder entries;
    g_variant_builder_init (&entries, G_VARIANT_TYPE ("a(sssvvvs)"));
    for (guint i = 0; i < self->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (self->entries, i);
        g_variant_builder_add (&entries, "(sssvvvs)", entry->tunable->id, entry->instance,
                               entry->stable_id != NULL ? entry->stable_id : "", rf_value_to_variant (&entry->before),
                               rf_value_to_variant (&entry->ours), rf_value_to_variant (&entry->effective),
                               rf_entry_state_nick (entry->state));
    }
    GVariantDict dict;
    g_variant_dict_init (&dict, NULL);
    g_variant_dict_insert (&dict, "id", "s", self->id);
    g_variant_dict_insert (&dict, "state", "s", rf_record_state_nick (self->state));
    g_variant_dict_insert (&dict, "reason", "s", rf_reason_nick (self->reason));
    g_variant_dict_insert (&dict, "created", "x", self->created);
    g_variant_dict_insert (&dict, "changed", "x", self->changed);
    g_variant_dict_insert (&dict, "kernel", "s", self->kernel_release);
    g_variant_dict_insert_value (&dict, "entries", g_variant_builder_end (&entries));
    return g_variant_dict_end (&dict);
}

static gboolean
value_from_record (RfValueKind kind, GVariant *variant, RfValue *out)
{
    /* a CHOICE called "absent" would be ambiguous; the kernel has none */
    if (g_variant_is_of_type (variant, G_VARIANT_TYPE_STRING)
        && g_str_equal (g_variant_get_string (variant, NULL), "absent"))
        kind = RF_VALUE_ABSENT;
    return rf_value_from_variant (kind, variant, out, NULL);
}

static gboolean
entries_from_variant (RfRecord *self, GVariant *rows)
{
    const char *id, *instance, *stable, *state;
    GVariantIter iter;
    g_variant_iter_init (&iter, rows);
    for (;;) {
        g_autoptr (GVariant) before = NULL, ours = NULL, effective = NULL;
        if (!g_variant_iter_next (&iter, "(&s&s&svvv&s)", &id, &instance, &stable, &before, &ours, &effective, &state))
            return TRUE;
        const RfTunable *tunable = rf_tunable_find (id);
        if (tunable == NULL)
            continue;
        RfRecordEntry *entry = g_new0 (RfRecordEntry, 1);
        g_ptr_array_add (self->entries, entry);
        entry->tunable = tunable;
        entry->instance = g_strdup (instance);
        entry->stable_id = stable[0] != '\0' ? g_strdup (stable) : NULL;
        int found = find_nick (entry_nicks, G_N_ELEMENTS (entry_nicks), state);
        if (found < 0 || !value_from_record (tunable->kind, before, &entry->before)
            || !value_from_record (tunable->kind, ours, &entry->ours)
            || !value_from_record (tunable->kind, effective, &entry->effective))
            return FALSE;
        entry->state = (RfEntryState)found;
    }
}

static gboolean
fill_from_variant (RfRecord *self, GVariant *variant)
{
    g_autoptr (GVariant) rows = NULL;
    const char *state = NULL, *reason = NULL;
    if (!g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT) || !g_variant_lookup (variant, "id", "s", &self->id)
        || !rf_record_id_valid (self->id) || !g_variant_lookup (variant, "state", "&s", &state)
        || !g_variant_lookup (variant, "reason", "&s", &reason)
        || !g_variant_lookup (variant, "created", "x", &self->created)
        || !g_variant_lookup (variant, "changed", "x", &self->changed)
        || !g_variant_lookup (variant, "kernel", "s", &self->kernel_release)
        || (rows = g_variant_lookup_value (variant, "entries", G_VARIANT_TYPE ("a(sssvvvs)"))) == NULL)
        return FALSE;
    int found = find_nick (state_nicks, G_N_ELEMENTS (state_nicks), state);
    if (found < 0 || !rf_reason_from_nick (reason, &self->reason) || !entries_from_variant (self, rows))
        return FALSE;
    self->boot_id = g_strdup ("");
    self->state = (RfRecordState)found;
    return TRUE;
}

RfRecord *
rf_record_from_variant (GVariant *variant, GError **error)
{
    g_return_val_if_fail (variant != NULL, NULL);
    RfRecord *self = record_alloc ();
    if (fill_from_variant (self, variant))
        return self;
    rf_record_free (self);
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "a record from the helper cannot be understood");
    return NULL;
}
