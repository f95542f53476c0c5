/* The files that bring kept settings back at each boot. Their text is a pure function of the journal: kept records give
 * the files in /etc, the record on trial gives udev rules below /run. So taking back is rendering again. A file of the
 * same name that is not ours is put away first and comes back when ours goes. */
#pragma once

#include "rf-facts.h"
#include "rf-machine.h"
#include "rf-record.h"

G_BEGIN_DECLS

typedef enum {
    RF_PERSIST_SYSCTL,
    RF_PERSIST_UDEV,
    RF_PERSIST_UDEV_TRIAL,
    RF_PERSIST_ZRAM_GENERATOR,
    RF_N_PERSIST,
} RfPersistFile;

/** RfPersistTexts: what each file shall contain; NULL: it shall not be there. */
typedef struct {
    char *text[RF_N_PERSIST];
} RfPersistTexts;

void rf_persist_texts_clear (RfPersistTexts *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RfPersistTexts, rf_persist_texts_clear)

/**
 * rf_persist_by_generator:
 *
 * Whether systemd-zram-generator is to set up a kept swap at boot; without it the boot unit does. FALSE also where
 * somebody else's configuration asks the generator for a device: a file of ours would change that one.
 */
gboolean rf_persist_by_generator (const RfFacts *facts);

/**
 * rf_persist_render:
 * @records: (element-type RfRecord): oldest first; "kept" and "keeping" ones count for /etc, "pending" and "trial" ones
 *   for /run; of several entries for the same setting the newest wins
 * @zram_generator: see rf_persist_by_generator()
 *
 * Pure.
 */
void rf_persist_render (const GPtrArray *records, gboolean zram_generator, RfPersistTexts *out);

/**
 * rf_persist_sync:
 *
 * Brings the files to what rf_persist_render() says and tells udev, if it runs, that rules have changed (existing
 * devices are not triggered). RF_ERROR_FOREIGN for a link at one of the places, READ_ONLY on an immutable system.
 */
gboolean rf_persist_sync (RfMachine *machine, const GPtrArray *records, gboolean zram_generator, GError **error);

/**
 * rf_persist_sync_partial: the same while a record cannot be understood: lines that none of @records explains belong to
 * that one and stay, so that its settings are not lost with a disk that fails once or a version that is too old for it.
 */
gboolean rf_persist_sync_partial (RfMachine *machine, const GPtrArray *records, gboolean zram_generator,
                                  GError **error);

typedef enum {
    RF_PERSIST_OK,
    RF_PERSIST_MISSING,
    RF_PERSIST_EDITED,
} RfPersistState;

/** rf_persist_check: whether the file is as rendered. */
RfPersistState rf_persist_check (RfMachine *machine, const RfPersistTexts *texts, RfPersistFile file);

/** rf_persist_keepable: whether the entry can be brought back at boot at all; else RF_ERROR_UNAVAILABLE. */
gboolean rf_persist_keepable (const RfRecordEntry *entry, GError **error);

/** rf_persist_needs_boot: whether only the boot unit can bring the entry back (no udev event carries its identity). */
gboolean rf_persist_needs_boot (const RfRecordEntry *entry, gboolean zram_generator);

G_END_DECLS
