/* One growing table of a recording: takes bytes, cuts them into lines, keeps the newest two minutes of them in memory until
 * it is told to write, and from then on appends them to its file. Inside the recorder; one thread. */
#pragma once

#include "rf-sample-line.h"

#include <glib.h>

G_BEGIN_DECLS

/** RF_PRE_ROLL_NS, RF_PRE_ROLL_BYTES: what is kept at most until somebody wants it */
#define RF_PRE_ROLL_NS (G_GINT64_CONSTANT (120) * 1000000000)
#define RF_PRE_ROLL_BYTES (32 * 1024 * 1024)

typedef struct _RfRecorderStream RfRecorderStream;

/** RfRecorderStreamComment: is given each comment that has a meaning */
typedef void (*RfRecorderStreamComment) (const RfSampleComment *comment, gpointer data);

/** rf_recorder_stream_new: @name: of the table; @comment: (nullable) */
RfRecorderStream *rf_recorder_stream_new (const char *name, RfRecorderStreamComment comment, gpointer data);
void rf_recorder_stream_free (RfRecorderStream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfRecorderStream, rf_recorder_stream_free)

const char *rf_recorder_stream_name (const RfRecorderStream *self);
/** rf_recorder_stream_feed: @bytes: may end in the middle of a line. The first line is the header; if it
 * comes again, it is passed over. Returns: FALSE if that is
 * no text with lines; nothing more is taken then */
gboolean rf_recorder_stream_feed (RfRecorderStream *self, const char *bytes, gsize length);
/** rf_recorder_stream_line: one whole line of somebody else, @line with its end; where the other one has only come half way
 * it goes before it */
void rf_recorder_stream_line (RfRecorderStream *self, const char *line, gsize length);
/** rf_recorder_stream_first_ns, last_ns: times of the first line that is there (or written) and of the last; 0: none */
gint64 rf_recorder_stream_first_ns (const RfRecorderStream *self);
gint64 rf_recorder_stream_last_ns (const RfRecorderStream *self);
/** rf_recorder_stream_open: from now on everything, also what was kept and is not before @from_ns, is written to a new file
 * in @folder. Errors: RF_ERROR */
gboolean rf_recorder_stream_open (RfRecorderStream *self, int folder, gint64 from_ns, GError **error);
/** rf_recorder_stream_flush: hands whole lines to the kernel; RF_ERROR_LIMIT: full. What did not go is kept, and what went
 * half is taken back */
gboolean rf_recorder_stream_flush (RfRecorderStream *self, GError **error);
/** rf_recorder_stream_sync: waits until it is on the drive: at the end only, see rf-recorder.h */
gboolean rf_recorder_stream_sync (RfRecorderStream *self, GError **error);

G_END_DECLS
