#define G_LOG_DOMAIN "rf-index"
#include "config.h"

#include "rf-index.h"
#include "rf-request.h"
#include "rf-reverter.h"

struct _RfIndex {
    GMutex mutex;
    GHashTable *entries; /* id → RfIndexEntry */
    RfIndexEntry *all;
    GVariant *records;
};

void
rf_index_entry_free (RfIndexEntry *self)
{
    if (self == NULL)
        return;
    g_free (self->settings);
    g_free (self->settings_before);
    g_free (self);
}

static RfIndexEntry *
entry_copy (const RfIndexEntry *self)
{
    RfIndexEntry *copy = g_memdup2 (self, sizeof *self);
    copy->settings = g_strdup (self->settings);
    copy->settings_before = g_strdup (self->settings_before);
    return copy;
}

static RfIndexEntry *
entry_new (void)
{
    RfIndexEntry *self = g_new0 (RfIndexEntry, 1);
    self->settings = g_strdup ("");
    self->settings_before = g_strdup ("");
    return self;
}

RfIndex *
rf_index_new (void)
{
    RfIndex *self = g_new0 (RfIndex, 1);
    g_mutex_init (&self->mutex);
    self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)rf_index_entry_free);
    self->all = entry_new ();
    self->records = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_VARDICT, NULL, 0));
    return self;
}

void
rf_index_free (RfIndex *self)
{
    if (self == NULL)
        return;
    g_hash_table_unref (self->entries);
    rf_index_entry_free (self->all);
    g_variant_unref (self->records);
    g_mutex_clear (&self->mutex);
    g_free (self);
}

static void
add_to (RfIndexEntry *entry, GString *ours, GString *before, const RfRecordEntry *change)
{
    if (change->state == RF_ENTRY_SUPERSEDED || change->state == RF_ENTRY_REVERTED)
        return;
    rf_request_describe (ours, entry->count, change->tunable, change->instance, &change->ours);
    rf_request_describe (before, entry->count, change->tunable, change->instance, &change->before);
    entry->count++;
    entry->storage |= change->tunable->backend != RF_BACKEND_SYSCTL;
}

void
rf_index_update (RfIndex *self, const RfJournal *journal, const char *boot_id)
{
    const GPtrArray *records = rf_journal_records (journal);
    g_autoptr (GString) all_ours = g_string_new (NULL);
    g_autoptr (GString) all_before = g_string_new (NULL);
    GVariantBuilder builder;
    g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
    g_mutex_lock (&self->mutex);
    g_hash_table_remove_all (self->entries);
    rf_index_entry_free (self->all);
    self->all = entry_new ();
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        g_autoptr (GString) ours = g_string_new (NULL);
        g_autoptr (GString) before = g_string_new (NULL);
        RfIndexEntry *entry = g_new0 (RfIndexEntry, 1);
        entry->state = record->state;
        entry->revertible = rf_reverter_allowed (record, FALSE, boot_id, NULL);
        entry->revertible_forced = rf_reverter_allowed (record, TRUE, boot_id, NULL);
        for (guint j = 0; j < record->entries->len; j++) {
            add_to (entry, ours, before, g_ptr_array_index (record->entries, j));
            if (entry->revertible)
                add_to (self->all, all_ours, all_before, g_ptr_array_index (record->entries, j));
        }
        entry->settings = g_string_free (g_steal_pointer (&ours), FALSE);
        entry->settings_before = g_string_free (g_steal_pointer (&before), FALSE);
        g_hash_table_insert (self->entries, g_strdup (record->id), entry);
        g_variant_builder_add_value (&builder, rf_record_to_variant (record));
    }
    g_free (self->all->settings);
    self->all->settings = g_string_free (g_steal_pointer (&all_ours), FALSE);
    g_free (self->all->settings_before);
    self->all->settings_before = g_string_free (g_steal_pointer (&all_before), FALSE);
    g_variant_unref (self->records);
    self->records = g_variant_ref_sink (g_variant_builder_end (&builder));
    g_mutex_unlock (&self->mutex);
}

RfIndexEntry *
rf_index_find (RfIndex *self, const char *id)
{
    g_mutex_lock (&self->mutex);
    const RfIndexEntry *found = g_hash_table_lookup (self->entries, id);
    RfIndexEntry *copy = found != NULL ? entry_copy (found) : NULL;
    g_mutex_unlock (&self->mutex);
    return copy;
}

RfIndexEntry *
rf_index_all (RfIndex *self)
{
    g_mutex_lock (&self->mutex);
    RfIndexEntry *copy = entry_copy (self->all);
    g_mutex_unlock (&self->mutex);
    return copy;
}

GVariant *
rf_index_records (RfIndex *self)
{
    g_mutex_lock (&self->mutex);
    GVariant *records = g_variant_ref (self->records);
    g_mutex_unlock (&self->mutex);
    return records;
}
