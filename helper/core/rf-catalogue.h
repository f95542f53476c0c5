/* The catalogue applied to one machine: which tunables exist here, for which instances, in which sane range.
 * Pure functions of the table and the facts; no reading, thread-safe. */
#pragma once

#include "rf-tunable.h"

G_BEGIN_DECLS

/**
 * rf_catalogue_instances:
 *
 * Returns: (transfer full): instance ids of @tunable here, NULL-terminated; {""} for RF_INSTANCE_NONE
 */
char **rf_catalogue_instances (const RfTunable *tunable, const RfFacts *facts);

/**
 * rf_catalogue_available:
 *
 * Whether @tunable can be changed here at all: kernel old enough, 64 bit where needed, instance listed, the disk has the
 * attribute, no foreign zram, not in a container.
 * Returns: TRUE, or FALSE with RF_ERROR_UNAVAILABLE, UNKNOWN, FOREIGN or READ_ONLY and an untranslated reason
 */
gboolean rf_catalogue_available (const RfTunable *tunable, const char *instance, const RfFacts *facts, GError **error);

/**
 * rf_catalogue_range:
 * @mode: for dirty pairs, which member; ignored otherwise
 * @min: (out): smallest and
 * @max: (out): largest number that is sane on this machine, both inclusive, in the tunable's unit. For a VECTOR the
 *   range of each field; for ZRAM of the disksize in bytes (priority is -1..32767 by itself); for a CHOICE 0, 0.
 */
void rf_catalogue_range (const RfTunable *tunable, const RfFacts *facts, RfDirtyMode mode, gint64 *min, gint64 *max);

/**
 * rf_catalogue_check_value:
 *
 * Kind, range and form of one value; what a CHOICE may be is checked by the back-end against the live list.
 * Returns: TRUE, or FALSE with RF_ERROR_INVALID or RF_ERROR_OUT_OF_RANGE naming the tunable and the range
 */
gboolean rf_catalogue_check_value (const RfTunable *tunable, const RfFacts *facts, const RfValue *value,
                                   GError **error);

/**
 * rf_catalogue_check_memory:
 * @available_bytes: MemAvailable now
 *
 * What only the moment can tell: vm.min_free_kbytes above 15 % of MemAvailable makes programs die (measured), so the
 * helper asks this right before it writes.
 * Returns: TRUE, or FALSE with RF_ERROR_NO_MEMORY
 */
gboolean rf_catalogue_check_memory (const RfTunable *tunable, const RfValue *value, guint64 available_bytes,
                                    GError **error);

G_END_DECLS
