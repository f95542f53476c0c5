#define G_LOG_DOMAIN "rf-measure"
#include "config.h"

#include "rf-measure-backlog.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct _RfMeasureBacklog {
    int fd;
    gboolean gone;
    gsize size;
    gsize reserve;
    gsize start; /* of what waits */
    gsize waiting;
    char *ring;
};

RfMeasureBacklog *
rf_measure_backlog_new (int fd, gsize size, gsize reserve)
{
    g_return_val_if_fail (reserve < size, NULL);
    RfMeasureBacklog *self = g_new0 (RfMeasureBacklog, 1);
    self->fd = fd;
    self->size = size;
    self->reserve = reserve;
    self->ring = g_malloc (size);
    memset (self->ring, '\n', size); /* not zero: each page is touched */
    return self;
}

void
rf_measure_backlog_free (RfMeasureBacklog *self)
{
    if (self == NULL)
        return;
    close (self->fd);
    g_free (self->ring);
    g_free (self);
}

gboolean
rf_measure_backlog_fits (const RfMeasureBacklog *self, gsize length)
{
    return self->waiting + self->reserve + length <= self->size;
}

gboolean
rf_measure_backlog_push_last (RfMeasureBacklog *self, const char *line, gsize length)
{
    if (self->waiting + length > self->size)
        return FALSE;
    gsize at = (self->start + self->waiting) % self->size, first = MIN (length, self->size - at);
    memcpy (self->ring + at, line, first);
    memcpy (self->ring, line + first, length - first);
    self->waiting += length;
    return TRUE;
}

gboolean
rf_measure_backlog_push (RfMeasureBacklog *self, const char *line, gsize length)
{
    return rf_measure_backlog_fits (self, length) && rf_measure_backlog_push_last (self, line, length);
}

RfMeasureFlow
rf_measure_backlog_flush (RfMeasureBacklog *self)
{
    while (self->waiting > 0 && !self->gone) {
        ssize_t put = write (self->fd, self->ring + self->start, MIN (self->waiting, self->size - self->start));
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN)
            return RF_MEASURE_FLOW_FULL;
        /* EPIPE; a pipe has no other errors, and whatever it is, nothing can be said any more */
        self->gone = put < 0;
        if (put > 0) {
            self->start = (self->start + (gsize)put) % self->size;
            self->waiting -= (gsize)put;
        }
    }
    return self->gone ? RF_MEASURE_FLOW_GONE : RF_MEASURE_FLOW_EMPTY;
}

gsize
rf_measure_backlog_waiting (const RfMeasureBacklog *self)
{
    return self->waiting;
}
