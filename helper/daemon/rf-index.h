/* What the gate must know about records before it asks polkit, and what ListRecords answers: a copy of the journal that
 * any thread may read while a job works on the journal itself. */
#pragma once

#include "rf-journal.h"

G_BEGIN_DECLS

typedef struct _RfIndex RfIndex;

/**
 * RfIndexEntry:
 * @storage: disk queues or swap are among the settings
 * @settings: what applies, and
 * @settings_before: what applies after taking back, for polkit's message
 * @revertible: and
 * @revertible_forced: whether rf_reverter_allowed() says yes without and with force
 */
typedef struct {
    RfRecordState state;
    gboolean storage;
    guint count;
    char *settings;
    char *settings_before;
    gboolean revertible;
    gboolean revertible_forced;
} RfIndexEntry;

void rf_index_entry_free (RfIndexEntry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfIndexEntry, rf_index_entry_free)

RfIndex *rf_index_new (void);
void rf_index_free (RfIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfIndex, rf_index_free)

/** rf_index_update: only while no job runs. */
void rf_index_update (RfIndex *self, const RfJournal *journal, const char *boot_id);

/** rf_index_find: Returns: (transfer full) (nullable): a copy. */
RfIndexEntry *rf_index_find (RfIndex *self, const char *id);

/** rf_index_all: Returns: (transfer full): all that can be taken back, as one. */
RfIndexEntry *rf_index_all (RfIndex *self);

/** rf_index_records: Returns: (transfer full): aa{sv} */
GVariant *rf_index_records (RfIndex *self);

G_END_DECLS
