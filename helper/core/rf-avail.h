/* Why a number is there or not. A missing counter is "not available" with its reason, never 0. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RfAvail:
 * @RF_AVAIL_OK: the value is valid
 * @RF_AVAIL_NO_FILE: this kernel does not have the file
 * @RF_AVAIL_NO_FIELD: the file is there, the field is not
 * @RF_AVAIL_OFF: switched off (PSI without psi=1 at boot: reading gives EOPNOTSUPP)
 * @RF_AVAIL_DENIED: no permission
 * @RF_AVAIL_MALFORMED: the text could not be understood
 * @RF_AVAIL_NO_BASELINE: a rate needs two readings, and there is only one yet (or the device was re-created)
 * @RF_AVAIL_NO_DEVICE: the machine has no such device (no swap, no zram, no NVMe)
 */
typedef enum {
    RF_AVAIL_OK,
    RF_AVAIL_NO_FILE,
    RF_AVAIL_NO_FIELD,
    RF_AVAIL_OFF,
    RF_AVAIL_DENIED,
    RF_AVAIL_MALFORMED,
    RF_AVAIL_NO_BASELINE,
    RF_AVAIL_NO_DEVICE,
} RfAvail;

/**
 * RfCounter: a number from the kernel together with the reason why it is missing.
 * @value: only meaningful when @avail is RF_AVAIL_OK
 */
typedef struct {
    guint64 value;
    RfAvail avail;
} RfCounter;

#define RF_COUNTER(v) ((RfCounter){.value = (v), .avail = RF_AVAIL_OK})
#define RF_COUNTER_MISSING(why) ((RfCounter){.value = 0, .avail = (why)})

static inline gboolean
rf_counter_ok (RfCounter counter)
{
    return counter.avail == RF_AVAIL_OK;
}

G_END_DECLS
