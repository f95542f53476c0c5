/* A page of the kernel's ring buffer, as per_cpu/cpuN/trace_pipe_raw gives it: a head with the time of its first event,
 * then records, each with a head of 32 bits (include/linux/ring_buffer.h, kernel/trace/ring_buffer.c). A cursor walks
 * over it. Pure, nothing is allocated, any thread. In the byte order of this machine. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_TRACE_PAGE_MAX: bytes that a page may have: the greatest of Linux (64 KiB), doubled by buffer_subbuf_size_kb */
#define RF_TRACE_PAGE_MAX (128 * 1024)

/** RfTraceLayout: of the page's head, from the file "header_page". @size: of a whole page */
typedef struct {
    guint time_offset;
    guint commit_offset;
    guint commit_size;
    guint data_offset;
    guint size;
} RfTraceLayout;

/**
 * RfTraceRecord:
 * @data: (transfer none): points into the page
 * @length: bytes; may have padding at its end
 */
typedef struct {
    gint64 time_ns;
    const guint8 *data;
    gsize length;
} RfTraceRecord;

/**
 * RfTracePage:
 * @lost: events before this page were overwritten
 * @broken: what followed could not be understood
 */
typedef struct {
    const guint8 *data;
    gsize length;
    gsize position;
    guint64 time_ns;
    gboolean lost;
    gboolean broken;
} RfTracePage;

/** rf_trace_layout_parse: @text: the file "events/header_page"; @out: written only on success */
gboolean rf_trace_layout_parse (const char *text, gsize length, RfTraceLayout *out);

/**
 * rf_trace_page_open:
 * @bytes: must outlive the cursor
 * @size: what was read; less than a page only if it was cut
 *
 * A page that is no page has no records, and @self->broken is set.
 */
void rf_trace_page_open (RfTracePage *self, const RfTraceLayout *layout, const guint8 *bytes, gsize size);

/** rf_trace_page_next: Returns: FALSE at the end, or where the page is broken */
gboolean rf_trace_page_next (RfTracePage *self, RfTraceRecord *out);

G_END_DECLS
