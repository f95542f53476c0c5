#define G_LOG_DOMAIN "rf-work-stop"
#include "config.h"

#include "rf-work-stop.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <glib/gi18n.h>

/* what is asked for at least so often */
#define SLICE (50 * RF_WORK_MS)
#define BACKGROUND_NICE 5

static gint ended = RF_WORK_RUNNING;
static char *failure;
static GMutex mutex;

void
rf_work_stop (RfWorkEnd why)
{
    g_atomic_int_compare_and_exchange (&ended, RF_WORK_RUNNING, (gint)why);
}

RfWorkEnd
rf_work_ended (void)
{
    return (RfWorkEnd)g_atomic_int_get (&ended);
}

void
rf_work_fail (const char *what, int errnum)
{
    g_autofree char *message = g_strdup_printf ("%s: %s", what, g_strerror (errnum));
    g_mutex_lock (&mutex);
    if (failure == NULL)
        failure = g_steal_pointer (&message);
    g_mutex_unlock (&mutex);
    rf_work_stop (RF_WORK_END_FAILED);
}

char *
rf_work_failure (void)
{
    g_mutex_lock (&mutex);
    char *copy = g_strdup (failure);
    g_mutex_unlock (&mutex);
    return copy;
}

const char *
rf_work_end_nick (RfWorkEnd end)
{
    static const char *const nicks[RF_WORK_N_ENDS] = {
        "running",  "time", "signal",  "parent", "stdin", "memory",
        "pressure", "swap", "battery", "full",   "slow",  "failed",
    };
    g_return_val_if_fail ((guint)end < RF_WORK_N_ENDS, "failed");
    return nicks[end];
}

const char *
rf_work_end_text (RfWorkEnd end)
{
    switch (end) {
    case RF_WORK_END_SIGNAL:
        return _ ("Stopped because it was asked to.");
    case RF_WORK_END_PARENT:
        return _ ("Stopped because the program that started it has ended or no longer listens.");
    case RF_WORK_END_STDIN:
        return _ ("Stopped because its input was closed.");
    case RF_WORK_END_MEMORY:
        return _ ("Stopped for safety: other programs need the memory.");
    case RF_WORK_END_PRESSURE:
        return _ ("Stopped for safety: the computer could hardly go on for want of memory.");
    case RF_WORK_END_SWAP:
        return _ ("Stopped for safety: the swap space is nearly full.");
    case RF_WORK_END_BATTERY:
        return _ ("Stopped because the computer was unplugged.");
    case RF_WORK_END_FULL:
        return _ ("Stopped because the drive of the folder is nearly full.");
    case RF_WORK_END_SLOW:
        return _ ("Stopped because getting ready took too long. Choose a folder on a faster drive with --folder.");
    case RF_WORK_END_FAILED:
        return _ ("Stopped because something failed.");
    case RF_WORK_RUNNING:
    case RF_WORK_END_TIME:
    case RF_WORK_N_ENDS:
    default:
        return "";
    }
}

gint64
rf_work_now (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return now.tv_sec * RF_WORK_S + now.tv_nsec;
}

gboolean
rf_work_sleep_until (gint64 due)
{
    while (!rf_work_stopped ()) {
        gint64 until = MIN (due, rf_work_now () + SLICE);
        struct timespec time = {until / RF_WORK_S, until % RF_WORK_S};
        clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
        if (until == due)
            return !rf_work_stopped ();
    }
    return FALSE;
}

void
rf_work_in_background (void)
{
    /* on Linux of a thread alone, despite its name: setpriority(2), "C library/kernel differences" */
    (void)setpriority (PRIO_PROCESS, (id_t)gettid (), BACKGROUND_NICE);
}
