#define G_LOG_DOMAIN "rf-drift"
#include "config.h"

#include "rf-drift.h"
#include "rf-backend.h"
#include "rf-persist.h"
#include "rf-reverter.h"

static const char *
file_verdict (RfMachine *machine, const RfPersistTexts *texts, const RfRecordEntry *entry)
{
    static const RfPersistFile files[] = {[RF_BACKEND_SYSCTL] = RF_PERSIST_SYSCTL,
                                          [RF_BACKEND_QUEUE] = RF_PERSIST_UDEV,
                                          [RF_BACKEND_ZRAM] = RF_PERSIST_ZRAM_GENERATOR};
    switch (rf_persist_check (machine, texts, files[entry->tunable->backend])) {
    case RF_PERSIST_MISSING:
        return "file-missing";
    case RF_PERSIST_EDITED:
        return "file-edited";
    case RF_PERSIST_OK:
    default:
        return "as-kept";
    }
}

static const char *
verdict (RfMachine *machine, const RfFacts *facts, const RfPersistTexts *texts, const RfRecord *record,
         const RfRecordEntry *entry, RfValue *now)
{
    g_autofree char *instance = rf_reverter_find (facts, entry);
    RfTarget target = {machine, facts, entry->tunable, instance};
    *now = rf_value_absent ();
    if (instance == NULL || !rf_backend_read (&target, now, NULL))
        return "unreachable";
    if (!rf_value_equal (now, &entry->ours) && !rf_value_equal (now, &entry->effective))
        return "drifted";
    return record->state == RF_RECORD_KEPT ? file_verdict (machine, texts, entry) : "as-kept";
}

GVariant *
rf_drift_check (RfMachine *machine, const RfFacts *facts, const RfJournal *journal)
{
    const GPtrArray *records = rf_journal_records (journal);
    g_auto (RfPersistTexts) texts = {{NULL}};
    GVariantBuilder builder;
    rf_persist_render (records, rf_persist_by_generator (facts), &texts);
    g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sssvs)"));
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        if (record->state != RF_RECORD_TRIAL && record->state != RF_RECORD_KEPT)
            continue;
        for (guint j = 0; j < record->entries->len; j++) {
            const RfRecordEntry *entry = g_ptr_array_index (record->entries, j);
            RfValue now;
            if (entry->state != RF_ENTRY_APPLIED)
                continue;
            const char *word = verdict (machine, facts, &texts, record, entry, &now);
            g_variant_builder_add (&builder, "(sss@vs)", record->id, entry->tunable->id, entry->instance,
                                   g_variant_new_variant (rf_value_to_variant (&now)), word);
        }
    }
    return g_variant_ref_sink (g_variant_builder_end (&builder));
}
