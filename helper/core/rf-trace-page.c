#define G_LOG_DOMAIN "rf-trace-page"
#include "config.h"

#include "rf-trace-page.h"

#include <string.h>

#include "rf-trace-format.h"

/* include/linux/ring_buffer.h, enum ring_buffer_type; lesser values are the length of a record in units of 4 bytes, and
 * 0 says that the length follows in the next 32 bits */
#define TYPE_PADDING 29
#define TYPE_TIME_EXTEND 30
#define TYPE_TIME_STAMP 31

/* kernel/trace/ring_buffer.c: TS_SHIFT, TS_MSB (a time stamp of its own has 59 bits, the rest is that of the page),
 * RB_MISSED_EVENTS, and the bit below it, RB_MISSED_STORED */
#define TIME_SHIFT 27
#define TIME_HIGH_BITS (G_GUINT64_CONSTANT (0xf8) << 56)
#define MISSED_EVENTS (G_GUINT64_CONSTANT (1) << 31)
/* the length is below both; how many were missed, an unsigned long, then lies behind the records */
#define COMMIT_LENGTH ((G_GUINT64_CONSTANT (1) << 30) - 1)

gboolean
rf_trace_layout_parse (const char *text, gsize length, RfTraceLayout *out)
{
    RfTraceField fields[RF_TRACE_FIELDS_MAX];
    guint n_fields = rf_trace_fields_parse (text, length, fields);
    const RfTraceField *time = rf_trace_fields_find (fields, n_fields, "timestamp");
    const RfTraceField *commit = rf_trace_fields_find (fields, n_fields, "commit");
    const RfTraceField *data = rf_trace_fields_find (fields, n_fields, "data");
    if (time == NULL || time->size != 8 || commit == NULL || (commit->size != 4 && commit->size != 8) || data == NULL
        || data->size < 8 || time->offset + time->size > data->offset || commit->offset + commit->size > data->offset
        || (guint)data->offset + data->size > RF_TRACE_PAGE_MAX)
        return FALSE;
    *out = (RfTraceLayout){
        .time_offset = time->offset,
        .commit_offset = commit->offset,
        .commit_size = commit->size,
        .data_offset = data->offset,
        .size = (guint)data->offset + data->size,
    };
    return TRUE;
}

static guint64
read_word (const guint8 *bytes, guint size)
{
    guint64 eight;
    guint32 four;
    if (size == 8) {
        memcpy (&eight, bytes, sizeof eight);
        return eight;
    }
    memcpy (&four, bytes, sizeof four);
    return four;
}

void
rf_trace_page_open (RfTracePage *self, const RfTraceLayout *layout, const guint8 *bytes, gsize size)
{
    *self = (RfTracePage){.broken = TRUE};
    size = MIN (size, layout->size);
    if (size < layout->data_offset)
        return;
    guint64 commit = read_word (bytes + layout->commit_offset, layout->commit_size);
    gsize room = size - layout->data_offset;
    self->time_ns = read_word (bytes + layout->time_offset, 8);
    self->data = bytes + layout->data_offset;
    self->length = (gsize)(commit & COMMIT_LENGTH);
    self->lost = (commit & MISSED_EVENTS) != 0;
    self->broken = self->length > room;
    /* a page that was cut has whole records at its beginning */
    self->length = MIN (self->length, room);
}

/* Whether so many bytes are left; where not, it ends here. */
static gboolean
has (RfTracePage *self, gsize bytes)
{
    if (self->length - self->position >= bytes)
        return TRUE;
    self->position = self->length;
    self->broken = TRUE;
    return FALSE;
}

gboolean
rf_trace_page_next (RfTracePage *self, RfTraceRecord *out)
{
    while (self->position < self->length) {
        if (!has (self, 4))
            return FALSE;
        guint64 head = read_word (self->data + self->position, 4);
        /* struct ring_buffer_event: u32 type_len:5, time_delta:27 */
        guint type = (guint)(G_BYTE_ORDER == G_LITTLE_ENDIAN ? head & 31 : head >> TIME_SHIFT);
        guint64 delta = G_BYTE_ORDER == G_LITTLE_ENDIAN ? head >> 5 : head & ((1u << TIME_SHIFT) - 1);
        /* rb_null_event(): nothing follows on this page */
        if (type == TYPE_PADDING && delta == 0) {
            self->position = self->length;
            return FALSE;
        }
        gsize length = 4 * (gsize)type;
        guint64 extra = 0;
        gboolean long_head = type == 0 || type >= TYPE_PADDING;
        if (long_head) {
            if (!has (self, 8))
                return FALSE;
            extra = read_word (self->data + self->position + 4, 4);
        }
        self->position += long_head ? 8 : 4;
        switch (type) {
        case TYPE_TIME_EXTEND:
            self->time_ns += (extra << TIME_SHIFT) + delta;
            continue;
        case TYPE_TIME_STAMP:
            /* rb_fix_abs_ts(): the high bits may have turned over since */
            extra = (extra << TIME_SHIFT) + delta + (self->time_ns & TIME_HIGH_BITS);
            self->time_ns = extra < self->time_ns ? extra + (G_GUINT64_CONSTANT (1) << 59) : extra;
            continue;
        case 0:
        case TYPE_PADDING:
            /* the length has itself in it, and the next head is aligned */
            length = (gsize)extra < 4 ? self->length : (((gsize)extra + 3) & ~(gsize)3) - 4;
            break;
        default:
            break;
        }
        if (!has (self, length))
            return FALSE;
        /* A record that was discarded has its share of the time, too: that of the next counts from it (check_buffer()
         * in kernel/trace/ring_buffer.c). A 1 stands there for 0, rb_event_discard(); a nanosecond does not matter. */
        self->time_ns += delta;
        const guint8 *data = self->data + self->position;
        self->position += length;
        if (type == TYPE_PADDING)
            continue;
        *out = (RfTraceRecord){
            .time_ns = (gint64)MIN (self->time_ns, (guint64)G_MAXINT64), .data = data, .length = length};
        return TRUE;
    }
    return FALSE;
}
