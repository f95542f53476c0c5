/* One sample as a line of samples.csv, and the comments between the lines: what the helper sends through its first pipe
 * and what a recording holds. Pure, thread-safe; only the two functions for the header allocate.
 *
 * The first line is the header: time_ns, interval_s, the columns of rf_column_info(), eight for each disk
 * ("sda.read_iops"), and what the measuring itself has cost. An empty field is not available. Comments begin with '#'.
 */
#pragma once

#include <gio/gio.h>

#include "rf-sample.h"

G_BEGIN_DECLS

/** RF_SAMPLE_COLUMNS_MAX: columns that a header may have at most; enough for 250 disks. */
#define RF_SAMPLE_COLUMNS_MAX 2048

/**
 * RfSampleCost: what one sample has cost, since the sample before.
 * @cpu_us: of the thread that measures
 * @reclaims: times that this thread had to clear memory itself; negative: not known, as nothing is traced
 * @late_us: how much later than it was due this sample was taken
 * @dropped: lines that were dropped since the line before, because nobody had read
 */
typedef struct {
    gint64 cpu_us;
    gint64 minor_faults;
    gint64 major_faults;
    gint64 reclaims;
    gint64 late_us;
    gint64 dropped;
} RfSampleCost;

/** RF_SAMPLE_DISKS_MAX: disks with columns of their own */
#define RF_SAMPLE_DISKS_MAX 32

/** rf_sample_line_may_name: Returns: whether @disk can be in the name of a column. The kernel's names are so; one that is
 * not would break the table */
gboolean rf_sample_line_may_name (const char *disk);

/**
 * rf_sample_line_disks:
 *
 * Returns: (transfer full): the names of the disks that get columns, NULL-terminated: at most RF_SAMPLE_DISKS_MAX
 */
char **rf_sample_line_disks (const RfSample *sample);

/**
 * rf_sample_line_header:
 * @disks: names, NULL-terminated; they cannot change within a recording
 *
 * Returns: (transfer full): the line with its newline
 */
char *rf_sample_line_header (const char *const *disks);

/**
 * rf_sample_line_max:
 * Returns: bytes that are always enough for a line with so many disks, with newline and NUL
 */
gsize rf_sample_line_max (guint n_disks);

/**
 * rf_sample_line_format:
 * @time_ns: CLOCK_MONOTONIC
 * @disks: as in the header; a disk that is not in the sample any more leaves its fields empty
 * @cost: (nullable): NULL leaves them empty
 * @buffer: (out caller-allocates): @size bytes
 *
 * Returns: bytes of the line with its newline; 0 if it did not fit
 */
gsize rf_sample_line_format (const RfSample *sample, gint64 time_ns, const char *const *disks, const RfSampleCost *cost,
                             char *buffer, gsize size);

/**
 * rf_sample_header_parse:
 * @line: @length bytes without the newline
 *
 * Returns: (transfer full) (nullable): the columns behind time_ns, NULL-terminated; NULL with RF_ERROR_INVALID for a
 * header that does not begin with time_ns, has the same column twice, an empty one or too many
 */
char **rf_sample_header_parse (const char *line, gsize length, GError **error);

/**
 * rf_sample_line_parse:
 * @line: @length bytes without the newline
 * @n_columns: as many as the header has behind time_ns
 * @values: (out caller-allocates): @n_columns numbers, NAN for an empty field
 *
 * Returns: FALSE if it is no line of such a table; @values is undefined then
 */
gboolean rf_sample_line_parse (const char *line, gsize length, guint n_columns, gint64 *time_ns, double *values);

/**
 * RfSampleCommentKind:
 * @RF_SAMPLE_ANCHOR: "# anchor MONOTONIC_NS WALL_US": one instant on both clocks; the second line of what the helper
 *   sends
 * @RF_SAMPLE_GAP: "# gap FROM_NS TO_NS REASON": no sample between these two times
 * @RF_SAMPLE_END: "# end REASON"
 * @RF_SAMPLE_CHECK: "# self-check SUBJECT traced FOUND counted EXPECTED agrees|differs|too-few"
 * @RF_SAMPLE_VERDICT: "# self-check verdict trusted|not-trusted"
 */
typedef enum {
    RF_SAMPLE_ANCHOR,
    RF_SAMPLE_GAP,
    RF_SAMPLE_END,
    RF_SAMPLE_CHECK,
    RF_SAMPLE_VERDICT,
} RfSampleCommentKind;

/**
 * RfSampleCheckResult:
 * @RF_SAMPLE_TOO_FEW: so few that 5 % would mean nothing
 */
typedef enum {
    RF_SAMPLE_AGREES,
    RF_SAMPLE_DIFFERS,
    RF_SAMPLE_TOO_FEW,
} RfSampleCheckResult;

/**
 * RfSampleComment:
 * @from_ns: of a gap; the monotonic time of an anchor
 * @to_ns: of a gap
 * @wall_us: of an anchor, microseconds since 1970
 * @word: reason of a gap or of the end, subject of a check
 * @found: what was traced or sent, @expected: what the kernel has counted or the clock says
 * @trusted: of the verdict
 */
typedef struct {
    RfSampleCommentKind kind;
    gint64 from_ns;
    gint64 to_ns;
    gint64 wall_us;
    char word[64];
    guint64 found;
    guint64 expected;
    RfSampleCheckResult result;
    gboolean trusted;
} RfSampleComment;

/** rf_sample_comment_format: Returns: bytes of the line with its newline; 0 if it did not fit in @size bytes */
gsize rf_sample_comment_format (const RfSampleComment *self, char *buffer, gsize size);

/**
 * rf_sample_comment_parse:
 * @line: @length bytes without the newline
 *
 * Returns: FALSE for what is none of these comments; readers leave other lines with '#' alone. Then @out is untouched
 */
gboolean rf_sample_comment_parse (const char *line, gsize length, RfSampleComment *out);

G_END_DECLS
