/* What was done: one apply, from "about to write" to "taken back". The helper keeps a record on disk as a key file that
 * an administrator can read; over D-Bus it is an a{sv}. A record read from disk is validated like hostile input.
 * Plain struct with one owner; not thread-safe. */
#pragma once

#include "rf-plan.h"

G_BEGIN_DECLS

/**
 * RfRecordState:
 * @RF_RECORD_PENDING: before-values are on disk, writing has begun or is about to
 * @RF_RECORD_TRIAL: everything is written and read back; goes back by itself unless kept
 * @RF_RECORD_KEEPING: the persistent files are being written
 * @RF_RECORD_KEPT: survives a reboot
 * @RF_RECORD_REVERTING: going back has begun
 * @RF_RECORD_REVERTED: everything is back, or was left alone on purpose (see the entries)
 */
typedef enum {
    RF_RECORD_PENDING,
    RF_RECORD_TRIAL,
    RF_RECORD_KEEPING,
    RF_RECORD_KEPT,
    RF_RECORD_REVERTING,
    RF_RECORD_REVERTED,
} RfRecordState;

/**
 * RfEntryState:
 * @RF_ENTRY_PLANNED: not written (yet); in a kept record: being taken back by itself
 * @RF_ENTRY_APPLIED: written and read back
 * @RF_ENTRY_REVERTED: the value from before is back
 * @RF_ENTRY_LEFT_ALONE: somebody else had changed it; not touched
 * @RF_ENTRY_UNREACHABLE: the device is gone; nothing to take back
 * @RF_ENTRY_NEXT_BOOT: cannot go back now (swap too full); files are gone, so the next boot has it as before
 * @RF_ENTRY_SUPERSEDED: a newer kept record took this entry over, with our before-value
 */
typedef enum {
    RF_ENTRY_PLANNED,
    RF_ENTRY_APPLIED,
    RF_ENTRY_REVERTED,
    RF_ENTRY_LEFT_ALONE,
    RF_ENTRY_UNREACHABLE,
    RF_ENTRY_NEXT_BOOT,
    RF_ENTRY_SUPERSEDED,
} RfEntryState;

/** RfReason: why a record went back. */
typedef enum {
    RF_REASON_NONE,
    RF_REASON_USER,        /* somebody asked */
    RF_REASON_TIMEOUT,     /* the trial ran out */
    RF_REASON_CALLER_GONE, /* the program that had applied it left */
    RF_REASON_GUARD_STALLS,
    RF_REASON_GUARD_PRESSURE,
    RF_REASON_GUARD_OOM,
    RF_REASON_FAILED,      /* a write failed, all others were undone */
    RF_REASON_CANCELLED,
    RF_REASON_RECOVERY,    /* the helper or the machine had stopped in the middle */
} RfReason;

typedef struct {
    const RfTunable *tunable;
    char *instance;
    char *stable_id; /* of the instance, NULL if it has none */
    RfValue before;
    RfValue ours;
    RfValue effective; /* what was read back after the write; ABSENT until then */
    gint64 requests;   /* of a scheduler: nr_requests before, which the kernel resets with it; 0: not noted */
    RfEntryState state;
} RfRecordEntry;

typedef struct {
    char *id; /* "20261130T140300Z-1a2b3c4d": UTC time and eight random hex digits; also the file name */
    RfRecordState state;
    RfReason reason;
    gint64 created;   /* seconds since 1970, UTC */
    gint64 changed;   /* last change of state */
    char *boot_id;    /* /proc/sys/kernel/random/boot_id at the time of writing */
    char *kernel_release;
    GPtrArray *entries; /* of RfRecordEntry */
} RfRecord;

/** rf_record_new_from_plan: a PENDING record with all entries PLANNED and before-values ABSENT. */
RfRecord *rf_record_new_from_plan (const RfPlan *plan, const char *id, gint64 now);
void rf_record_free (RfRecord *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfRecord, rf_record_free)

/** rf_record_is_settled: whether the record is kept or taken back, so that nothing more will happen by itself. */
gboolean rf_record_is_settled (const RfRecord *self);

/** rf_record_has_entry: whether one of its entries is in @state. */
gboolean rf_record_has_entry (const RfRecord *self, RfEntryState state);

/** rf_record_id_valid: whether @id has the form of a record id; nothing else may become a file name. */
gboolean rf_record_id_valid (const char *id);

/**
 * rf_record_entry_same:
 *
 * Whether two entries are about the same setting of the same device. Names of devices change from boot to boot, so the
 * identity counts where there is one; the paths of a multipath disk share theirs and are told apart by name.
 */
gboolean rf_record_entry_same (const RfRecordEntry *a, const RfRecordEntry *b);

/** rf_record_to_keyfile: Returns: (transfer full): text of the journal file, with a format number. */
char *rf_record_to_keyfile (const RfRecord *self);
/** rf_record_from_keyfile: NULL with RF_ERROR_JOURNAL for anything damaged, unknown or from a newer format. */
RfRecord *rf_record_from_keyfile (const char *text, gsize length, GError **error);

/**
 * rf_record_to_variant: Returns: (transfer floating): a{sv} with
 * id s, state s, reason s, created x, changed x, kernel s, entries a(sssvvvs)
 * (tunable, instance, stable id, before, ours, effective, state nick)
 */
GVariant *rf_record_to_variant (const RfRecord *self);
/** rf_record_from_variant: NULL with RF_ERROR_INVALID; an unknown tunable id drops the entry (newer helper). */
RfRecord *rf_record_from_variant (GVariant *variant, GError **error);

const char *rf_record_state_nick (RfRecordState state);
const char *rf_entry_state_nick (RfEntryState state);
const char *rf_reason_nick (RfReason reason);
gboolean rf_reason_from_nick (const char *nick, RfReason *out);

G_END_DECLS
