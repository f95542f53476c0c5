/* Pages of the kernel's ring buffer and records of its events, made by hand, and those that were recorded
 * (tests/fixtures/ trace-6.18: two processors, with what the kernel itself printed of the same buffers). */
#pragma once

#include "rf-trace-format.h"
#include "rf-trace-page.h"

G_BEGIN_DECLS

/** RfTestPage: of 4096 bytes, as on most machines; its head is right after every call */
typedef struct {
    guint8 bytes[4096];
    gsize used; /* bytes behind the head */
} RfTestPage;

/** RfTestRecord: of one event, to be filled field by field */
typedef struct {
    const RfTraceFormat *format;
    guint8 bytes[128];
    gsize length;
} RfTestRecord;

/** rf_test_page_layout: 8 bytes of time, 8 of length, then the records */
extern const RfTraceLayout rf_test_page_layout;

void rf_test_page_begin (RfTestPage *self, guint64 time_ns);
/** rf_test_page_head: the 32 bits at the beginning of a record */
void rf_test_page_head (RfTestPage *self, guint type, guint32 delta);
void rf_test_page_word (RfTestPage *self, guint32 word);
/** rf_test_page_add: a record with @length bytes, a multiple of 4 */
void rf_test_page_add (RfTestPage *self, guint32 delta, const void *data, gsize length);
/** rf_test_page_lost: events before this page were lost; @count: 0: it does not say how many */
void rf_test_page_lost (RfTestPage *self, guint64 count);

void rf_test_record_begin (RfTestRecord *self, const RfTraceFormat *format);
void rf_test_record_number (RfTestRecord *self, const char *field, guint64 value);
/** rf_test_record_text: into an array, or behind the record with its place in the field */
void rf_test_record_text (RfTestRecord *self, const char *field, const char *text);

#define RF_TEST_RECORDING_CPUS 2

/** RfTestRecording: the recorded pages, as whoever merges them reads them: one of each processor */
typedef struct {
    guint8 *pages[RF_TEST_RECORDING_CPUS];
    gsize sizes[RF_TEST_RECORDING_CPUS];
} RfTestRecording;

void rf_test_recording_open (RfTestRecording *self);
/** rf_test_recording_read: an RfTraceReadPage */
gsize rf_test_recording_read (gpointer self, guint cpu, guint8 *buffer, gsize size);
void rf_test_recording_close (RfTestRecording *self);

/** rf_test_trace_file: Returns: (transfer full): a file of the recording */
char *rf_test_trace_file (const char *name, gsize *length);
/** rf_test_trace_format: that of the kernel of the recording */
void rf_test_trace_format (const char *event, RfTraceFormat *out);
/** rf_test_trace_old_format: that of Linux 6.1, from its include/trace/events */
void rf_test_trace_old_format (const char *event, RfTraceFormat *out);

G_END_DECLS
