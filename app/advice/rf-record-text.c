#define G_LOG_DOMAIN "rf-record-text"
#include "config.h"

#include "rf-tunable-text.h"

#include <glib/gi18n.h>

const char *
rf_record_state_text (RfRecordState state)
{
    switch (state) {
    case RF_RECORD_PENDING:
        return C_ ("record", "being applied");
    case RF_RECORD_TRIAL:
        return C_ ("record", "on trial");
    case RF_RECORD_KEEPING:
        return C_ ("record", "being kept");
    case RF_RECORD_KEPT:
        return C_ ("record", "kept");
    case RF_RECORD_REVERTING:
        return C_ ("record", "being taken back");
    case RF_RECORD_REVERTED:
        return C_ ("record", "taken back");
    default:
        g_return_val_if_reached ("");
    }
}

const char *
rf_entry_state_text (RfEntryState state)
{
    switch (state) {
    case RF_ENTRY_PLANNED:
        return C_ ("entry", "not written");
    case RF_ENTRY_APPLIED:
        return C_ ("entry", "applied");
    case RF_ENTRY_REVERTED:
        return C_ ("entry", "as before");
    case RF_ENTRY_LEFT_ALONE:
        return C_ ("entry", "left alone, because somebody else has changed it");
    case RF_ENTRY_UNREACHABLE:
        return C_ ("entry", "the device is gone, nothing to take back");
    case RF_ENTRY_NEXT_BOOT:
        return C_ ("entry", "as before after the next restart");
    case RF_ENTRY_SUPERSEDED:
        return C_ ("entry", "taken over by a newer change");
    default:
        g_return_val_if_reached ("");
    }
}

const char *
rf_reason_text (RfReason reason)
{
    switch (reason) {
    case RF_REASON_NONE:
        return "";
    case RF_REASON_USER:
        return _ ("It was taken back on request.");
    case RF_REASON_TIMEOUT:
        return _ ("The time was over.");
    case RF_REASON_CALLER_GONE:
        return _ ("The program that had applied it was closed.");
    case RF_REASON_GUARD_STALLS:
        return _ ("Programs waited for memory far more often than before.");
    case RF_REASON_GUARD_PRESSURE:
        return _ ("Everything waited for memory for too long.");
    case RF_REASON_GUARD_OOM:
        return _ ("The kernel had to end a program for lack of memory.");
    case RF_REASON_FAILED:
        return _ ("A setting could not be written, so all others were taken back.");
    case RF_REASON_CANCELLED:
        return _ ("It was cancelled.");
    case RF_REASON_RECOVERY:
        return _ ("The system or the helper had stopped in the middle of it.");
    default:
        g_return_val_if_reached ("");
    }
}

const char *
rf_avail_text (RfAvail avail)
{
    switch (avail) {
    case RF_AVAIL_OK:
        return _ ("available");
    case RF_AVAIL_NO_FILE:
        return _ ("not available: this kernel does not offer it");
    case RF_AVAIL_NO_FIELD:
        return _ ("not available: this kernel does not count it");
    case RF_AVAIL_OFF:
        return _ ("not available: off, boot with psi=1");
    case RF_AVAIL_DENIED:
        return _ ("not available: no permission");
    case RF_AVAIL_MALFORMED:
        return _ ("not available: the kernel's answer could not be understood");
    case RF_AVAIL_NO_BASELINE:
        return _ ("not available yet: it needs two readings");
    case RF_AVAIL_NO_DEVICE:
        return _ ("not available: this system has no such device");
    default:
        g_return_val_if_reached ("");
    }
}

char *
rf_zram_held_text (const RfSnapshot *snapshot, guint64 ram_bytes)
{
    const RfZramTotals *zram = &snapshot->zram;
    const RfCounter available = snapshot->meminfo.available;
    if (!rf_counter_ok (zram->stored) || !rf_counter_ok (zram->mem_used) || !rf_counter_ok (available))
        return NULL;
    if (zram->stored.value == 0)
        return g_strdup (_ ("It holds nothing now."));
    g_autofree char *stored = rf_format_bytes (zram->stored.value);
    g_autofree char *taken = rf_format_bytes (zram->mem_used.value);
    g_autofree char *free = rf_format_bytes (available.value);
    /* Translators: "it" is the compressed swap; %1$s is what lies in it, %2$s what that takes when compressed, %3$s the
     * memory that is available */
    if (rf_zram_can_empty (zram->stored.value, available.value, ram_bytes))
        return g_strdup_printf (_ ("It holds %1$s in %2$s of memory. %3$s are available, enough to take it back now."),
                                stored, taken, free);
    /* Translators: see the sentence before */
    return g_strdup_printf (_ ("It holds %1$s in %2$s of memory. Only %3$s are available: taking it back now would be "
                               "complete only after the next restart."),
                            stored, taken, free);
}
