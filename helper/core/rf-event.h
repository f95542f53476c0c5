/* One event of a recording: something that lasted or happened once, unlike a sample, which is taken at fixed times. A
 * line of events.csv, and what the helper sends through its second pipe. Pure, allocates nothing, thread-safe. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_EVENT_HEADER: the first line of the table, without its newline. */
#define RF_EVENT_HEADER "time_ns,kind,duration_ns,pid,tid,process,subject,amount"

/** RF_EVENT_LINE_MAX: bytes that are always enough for one line with newline and NUL. */
#define RF_EVENT_LINE_MAX 1024

/**
 * RfEventKind:
 * @RF_EVENT_RECLAIM: a thread cleared memory itself and waited meanwhile (direct reclaim); subject "order N", amount =
 *   pages won
 * @RF_EVENT_IO: a request above the threshold; process = who has issued it, as far as known; subject
 *   "DISK read|write|flush|discard", amount = bytes
 * @RF_EVENT_IO_HISTOGRAM: subject as with IO; duration = upper edge of the bucket, amount = requests in it since the
 *   measurement began
 * @RF_EVENT_OOM_KILL: the kernel has ended the process
 * @RF_EVENT_FAULT: a thread waited for a page of a file
 * @RF_EVENT_SWAP_IN: a thread waited for a page from swap
 * @RF_EVENT_ORPHAN: amount = ends without a beginning and the other way round, so far
 * @RF_EVENT_LOST: amount = events lost since the line of this kind before
 * @RF_EVENT_TILE: a piece of scenery was loaded; subject = its name
 * @RF_EVENT_GPU_FALL: the load of the GPU fell while the program ran; amount = ratio 0..1
 * @RF_EVENT_FREEZE: a program stood still: no frame for at least a quarter of a second; subject = its name
 * @RF_EVENT_APPLIED: settings were changed
 * @RF_EVENT_TAKEN_BACK: settings were taken back
 * @RF_EVENT_MARK: a person said "it stuttered now"; subject = the text
 */
typedef enum {
    RF_EVENT_RECLAIM,
    RF_EVENT_IO,
    RF_EVENT_IO_HISTOGRAM,
    RF_EVENT_OOM_KILL,
    RF_EVENT_FAULT,
    RF_EVENT_SWAP_IN,
    RF_EVENT_ORPHAN,
    RF_EVENT_LOST,
    RF_EVENT_TILE,
    RF_EVENT_GPU_FALL,
    RF_EVENT_FREEZE,
    RF_EVENT_APPLIED,
    RF_EVENT_TAKEN_BACK,
    RF_EVENT_MARK,
    RF_N_EVENTS,
} RfEventKind;

/**
 * RfEvent: plain, copied by value.
 * @time_ns: CLOCK_MONOTONIC of its beginning
 * @duration_ns: 0 for what has none
 * @pid: 0: not known; @tid likewise
 * @amount: NAN: none
 * @process: name of the thread, "" if not known; like @subject valid UTF-8 without control bytes
 */
typedef struct {
    gint64 time_ns;
    gint64 duration_ns;
    RfEventKind kind;
    gint32 pid;
    gint32 tid;
    double amount;
    char process[64];
    char subject[96];
} RfEvent;

/** rf_event_kind_nick: Returns: (transfer none): the word in the table, "io-histogram" */
const char *rf_event_kind_nick (RfEventKind kind);

/** rf_event_kind_from_nick: Returns: FALSE if no kind is called so; then @out is untouched */
gboolean rf_event_kind_from_nick (const char *nick, RfEventKind *out);

/**
 * rf_event_set_text:
 * @out: (out caller-allocates): a field of an event, @size bytes
 * @bytes: @length bytes of anything, as names of threads are
 *
 * Copies with what is no valid UTF-8 and control bytes as \xNN; cut at a whole character if it is too long.
 */
void rf_event_set_text (char *out, gsize size, const char *bytes, gsize length);

/**
 * rf_event_format:
 * @buffer: (out caller-allocates): @size bytes, RF_EVENT_LINE_MAX are always enough
 *
 * Returns: bytes of the line with its newline; 0 if it did not fit
 */
gsize rf_event_format (const RfEvent *self, char *buffer, gsize size);

/**
 * rf_event_parse:
 * @line: @length bytes without the newline
 *
 * Strict: exactly eight fields, a known kind, no negative time, texts that fit.
 * Returns: FALSE for anything else; then @out is untouched
 */
gboolean rf_event_parse (const char *line, gsize length, RfEvent *out);

G_END_DECLS
