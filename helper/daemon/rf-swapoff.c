#define G_LOG_DOMAIN "rf-swapoff"
#include "config.h"

#include "rf-swapoff.h"
#include "rf-error.h"
#include "rf-swaps.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

/* how often the progress is looked at; the first looks come sooner, as an empty swap is gone at once */
#define POLL_FIRST_US 2000
#define POLL_MAX_US 200000

typedef struct {
    RfMachine *machine;
    const char *device;
    int result;
    gint done; /* atomic */
} Work;

static void
wake_cb (int number)
{
    /* only there so that the system call returns with EINTR */
}

static void *
swapoff_thread (void *data)
{
    Work *work = data;
    sigset_t set;
    sigemptyset (&set);
    sigaddset (&set, SIGUSR1);
    pthread_sigmask (SIG_UNBLOCK, &set, NULL);
    work->result = work->machine->ops->swap_off (work->machine->ops, work->machine->kernel, work->device);
    g_atomic_int_set (&work->done, 1);
    return NULL;
}

gboolean
rf_swapoff_find (RfMachine *machine, const char *device, guint64 *used_kib)
{
    g_auto (RfSwaps) swaps = {0};
    rf_swaps_read (machine->kernel, &swaps);
    for (guint i = 0; swaps.avail == RF_AVAIL_OK && i < swaps.entries->len; i++) {
        const RfSwapEntry *entry = g_ptr_array_index (swaps.entries, i);
        if (entry->deleted || !g_str_equal (entry->path, device))
            continue;
        if (used_kib != NULL)
            *used_kib = entry->used_bytes / 1024;
        return TRUE;
    }
    return FALSE;
}

static gboolean
report (const Work *work, GError **error)
{
    if (work->result == 0)
        return TRUE;
    if (work->result == EINTR)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_CANCELLED, "the job was cancelled");
    else
        g_set_error (error, RF_ERROR,
                     work->result == ENOMEM ? (int)RF_ERROR_NO_MEMORY : (int)rf_error_from_errno (work->result),
                     "swapoff of '%s' failed: %s", work->device, g_strerror (work->result));
    return FALSE;
}

gboolean
rf_swapoff_run (RfMachine *machine, const char *device, const char *step, const RfControl *control, GError **error)
{
    if (rf_control_cancelled (control, error))
        return FALSE;
    struct sigaction action = {.sa_handler = wake_cb}; /* no SA_RESTART, on purpose */
    sigaction (SIGUSR1, &action, NULL);
    guint64 total = 0;
    rf_swapoff_find (machine, device, &total);
    Work work = {.machine = machine, .device = device};
    pthread_t thread;
    int errnum = pthread_create (&thread, NULL, swapoff_thread, &work);
    if (errnum != 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "cannot start a thread: %s", g_strerror (errnum));
        return FALSE;
    }
    gulong pause_us = POLL_FIRST_US;
    while (!g_atomic_int_get (&work.done)) {
        g_usleep (pause_us);
        pause_us = MIN (pause_us * 2, POLL_MAX_US);
        guint64 used = 0;
        if (rf_swapoff_find (machine, device, &used) && used <= total)
            rf_control_progress (control, step, (guint)((total - used) / 1024), (guint)(total / 1024));
        /* again and again: one signal could come just before the call */
        if (rf_control_cancelled (control, NULL) && !g_atomic_int_get (&work.done))
            pthread_kill (thread, SIGUSR1);
    }
    pthread_join (thread, NULL);
    return report (&work, error);
}
