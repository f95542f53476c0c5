#define G_LOG_DOMAIN "rf-trial"
#include "config.h"

#include "rf-trial.h"
#include "rf-error.h"
#include "rf-file.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct _RfTrial {
    int fd;
    guint source;
    gint64 start;
    gint64 end;
    RfTrialFunc expired;
    gpointer data;
};

gint64
rf_trial_now (void)
{
    struct timespec now = {0};
    clock_gettime (CLOCK_BOOTTIME, &now);
    return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

gboolean
rf_trial_seconds_valid (guint32 seconds)
{
    return seconds >= RF_TRIAL_MIN_SECONDS && seconds <= RF_TRIAL_MAX_SECONDS;
}

gboolean
rf_trial_extended_end (gint64 start, gint64 now, guint32 seconds, gint64 *end, GError **error)
{
    gint64 wanted = now + (gint64)seconds * G_USEC_PER_SEC;
    if (wanted - start > (gint64)RF_TRIAL_TOTAL_SECONDS * G_USEC_PER_SEC) {
        g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "a trial lasts at most %d seconds in all",
                     RF_TRIAL_TOTAL_SECONDS);
        return FALSE;
    }
    *end = wanted;
    return TRUE;
}

static gboolean
expired_cb (int fd, GIOCondition condition, gpointer data)
{
    RfTrial *self = data;
    guint64 count;
    if (read (fd, &count, sizeof count) < 0 && (errno == EAGAIN || errno == EINTR))
        return G_SOURCE_CONTINUE;
    self->source = 0;
    self->expired (self->data);
    return G_SOURCE_REMOVE;
}

static gboolean
arm (int fd, gint64 end, GError **error)
{
    struct itimerspec when = {.it_value = {.tv_sec = end / G_USEC_PER_SEC, .tv_nsec = end % G_USEC_PER_SEC * 1000}};
    if (timerfd_settime (fd, TFD_TIMER_ABSTIME, &when, NULL) != 0) {
        int keep = errno;
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "cannot set the timer: %s", g_strerror (keep));
        return FALSE;
    }
    return TRUE;
}

RfTrial *
rf_trial_new (guint32 seconds, RfTrialFunc expired, gpointer data, GError **error)
{
    gint64 start = rf_trial_now ();
    gint64 end = start + (gint64)seconds * G_USEC_PER_SEC;
    g_auto (RfAutoFd) fd = timerfd_create (CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd < 0) {
        int keep = errno;
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "cannot create a timer: %s", g_strerror (keep));
        return NULL;
    }
    if (!arm (fd, end, error))
        return NULL;
    RfTrial *self = g_new0 (RfTrial, 1);
    self->expired = expired;
    self->data = data;
    self->start = start;
    self->end = end;
    self->fd = g_steal_fd (&fd);
    self->source = g_unix_fd_add (self->fd, G_IO_IN, expired_cb, self);
    return self;
}

void
rf_trial_free (RfTrial *self)
{
    if (self == NULL)
        return;
    if (self->source != 0)
        g_source_remove (self->source);
    rf_file_close_fd (&self->fd);
    g_free (self);
}

gboolean
rf_trial_extend (RfTrial *self, guint32 seconds, GError **error)
{
    gint64 end = 0;
    if (self->source == 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_STATE, "the trial is over");
        return FALSE;
    }
    if (!rf_trial_extended_end (self->start, rf_trial_now (), seconds, &end, error) || !arm (self->fd, end, error))
        return FALSE;
    self->end = end;
    return TRUE;
}

gint64
rf_trial_end (const RfTrial *self)
{
    return self->end;
}
