/* A helper that keeps its records in memory and changes nothing, on a private bus. For tests of what talks to it. */
#pragma once

#include "rf-event.h"
#include "rf-helper1-generated.h"
#include "rf-sysroot.h"
#include "rf-facts.h"

G_BEGIN_DECLS

typedef struct {
    GTestDBus *bus;
    GDBusConnection *connection; /* of the helper */
    GDBusConnection *client;     /* for the program under test */
    RfHelper1 *skeleton;
    RfSysroot *sysroot;
    RfFacts *facts;
    GPtrArray *records; /* of RfRecord */
    guint owner_id;
    gboolean owned;
    const char *version; /* NULL: the program's own */
    const char *detail;  /* of refusals; NULL: one that names nothing */
    int answer; /* RF_ERROR code that every change is refused with, -1 for none */
    gboolean hold_apply;
    gboolean hold_revert; /* RevertAll gets no answer before it is cancelled */
    GDBusMethodInvocation *pending; /* a call without answer */
    gboolean drift;                 /* the first kept entry has been changed by somebody else */
    gint64 created;                 /* of the records to come, seconds since 1970 */
    guint applies;
    guint extends;
    guint forced;

    gboolean no_tracefs;      /* a measurement with trace is refused as where there is none */
    guint measurements;       /* that were started */
    gboolean measured_trace;  /* what the last one asked for */
    guint measured_hz;
    guint measured_limit;
    char *measurement_id;     /* NULL: none runs */
    int measurement_fds[2];   /* writing ends: samples, events */
    gint64 measured_ns;       /* time of the next sample */
} RfFakeHelper;

RfFakeHelper *rf_fake_helper_new (RfSysroot *sysroot, RfFacts *facts);
void rf_fake_helper_free (RfFakeHelper *self);
/** rf_fake_helper_die: closes the connection without a word; nothing answers from now on */
void rf_fake_helper_die (RfFakeHelper *self);
/** rf_fake_helper_start: it is there again and remembers its records, as one that is started anew reads its journal */
void rf_fake_helper_start (RfFakeHelper *self);
/** rf_fake_helper_end_trial: as if the helper took the running trial back by itself */
void rf_fake_helper_end_trial (RfFakeHelper *self, const char *reason);

/**
 * rf_fake_helper_add_samples: sends @n made-up samples of the measurement that runs, a tenth of a second apart from the
 * one before whatever the clock says; it begins at 1,000 s. The pipe takes some thousand without a reader. The columns
 * are those of the helper with the disks "nvme0n1" and "sda".
 */
void rf_fake_helper_add_samples (RfFakeHelper *self, guint n);
/** rf_fake_helper_add_event: sends one event of it. */
void rf_fake_helper_add_event (RfFakeHelper *self, const RfEvent *event);
/** rf_fake_helper_write: sends any bytes through one of its pipes. */
void rf_fake_helper_write (RfFakeHelper *self, gboolean events, const char *text);
/** rf_fake_helper_end_measurement: "# end @reason", a self-check with the verdict @trusted, the end of both pipes and the
 * signal; @reason NULL: nothing of all that, the pipes just end. */
void rf_fake_helper_end_measurement (RfFakeHelper *self, const char *reason, gboolean trusted);

/** RF_ITERATE_UNTIL: runs the main context until @condition holds; the test ends after 20 s without it */
#define RF_ITERATE_UNTIL(condition)                                                                                   \
    G_STMT_START                                                                                                      \
    {                                                                                                                 \
        guint timer_ = g_timeout_add_seconds (20, rf_fake_helper_too_long, (gpointer) #condition);                    \
        while (!(condition))                                                                                          \
            g_main_context_iteration (NULL, TRUE);                                                                    \
        g_source_remove (timer_);                                                                                     \
    }                                                                                                                 \
    G_STMT_END
gboolean rf_fake_helper_too_long (gpointer what);

G_END_DECLS
