/* What should be known before a recording is made: doubts that make it worth less, each a whole sentence. Pure; the one
 * function that reads says so. */
#pragma once

#include "rf-recordings.h"
#include "rf-sample.h"

G_BEGIN_DECLS

/** RF_SESSION_SHORT_S: under this a recording of daily work has rarely come to its equilibrium */
#define RF_SESSION_SHORT_S 3600

typedef enum {
    RF_SESSION_DOUBT_SWAP_USED,  /* what is swapped out already hides what the recording is to show */
    RF_SESSION_DOUBT_SETTINGS,   /* not those of the recording that it is to be compared with */
    RF_SESSION_DOUBT_DISK_SPACE,
    RF_SESSION_DOUBT_BATTERY,
    RF_SESSION_DOUBT_SHORT,
    RF_SESSION_N_DOUBTS,
} RfSessionDoubt;

/**
 * RfSessionConditions:
 * @swap_used_bytes: negative: not known
 * @free_bytes: where recordings are kept; negative: not known
 * @wanted_s: how long it is to be; 0: not said
 * @hz: lines a second
 * @settings: now
 * @like: (nullable): settings at the start of the recording that it is to be compared with
 */
typedef struct {
    gint64 swap_used_bytes;
    gint64 free_bytes;
    gint64 wanted_s;
    guint hz;
    gboolean on_battery;
    GHashTable *settings;
    GHashTable *like;
} RfSessionConditions;

/** rf_session_conditions_read: all but @wanted_s, @hz and @like; takes some milliseconds. Free with _clear() */
void rf_session_conditions_read (RfSessionConditions *self, RfSysroot *sysroot, const RfRecordings *recordings);
void rf_session_conditions_clear (RfSessionConditions *self);

/** rf_session_check: whether @doubt is one under these conditions */
gboolean rf_session_check (const RfSessionConditions *self, RfSessionDoubt doubt);
/** rf_session_doubt_nick: Returns: (transfer none): "swap-used", for --json */
const char *rf_session_doubt_nick (RfSessionDoubt doubt);
/** rf_session_doubt_text: Returns: (transfer full): for a person, translated: what is and what to do */
char *rf_session_doubt_text (const RfSessionConditions *self, RfSessionDoubt doubt);

/** rf_session_message: Returns: (transfer full): what @error of this room means to a person, translated, a whole sentence with
 * the detail in brackets */
char *rf_session_message (const GError *error);
/** rf_session_end_text: Returns: (transfer full): why a recording has ended; @reason as session.ini has it */
char *rf_session_end_text (const char *reason);

G_END_DECLS
