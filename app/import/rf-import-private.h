/* What the importers share: a bounded text by lines and fields, numbers and clocks as other programs print them, tables
 * filled from fields, and words for what was not understood. Within this room only. */
#pragma once

#include "rf-import.h"

G_BEGIN_DECLS

#define RF_IMPORT_LINE_MAX (64u * 1024)
#define RF_IMPORT_FIELDS_MAX 512
/* all at once in memory; a recording of a day at 100 lines a second has less */
#define RF_IMPORT_ROWS_MAX 10000000u

typedef struct _RfImportText RfImportText;

/**
 * rf_import_text_new:
 * @label: (nullable): name of the file, for the sentences
 * @warnings: (element-type utf8): gets sentences; outlives the object
 *
 * A byte order mark at the start and a run of NUL at the end (a computer that crashed leaves it) are taken off.
 * Returns: (transfer full): NULL with RF_ERROR_INVALID if it is compressed, UTF-16, or has NUL inside
 */
RfImportText *rf_import_text_new (const char *label, const char *data, gsize length, GPtrArray *warnings,
                                  GError **error);
void rf_import_text_free (RfImportText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfImportText, rf_import_text_free)

/** rf_import_text_next: Returns: (transfer none): the next line that is not blank, valid UTF-8, without its end, to be
 * written on until the next call; NULL at the end. What is too long is passed over and counted. */
char *rf_import_text_next (RfImportText *self);
/** rf_import_text_good: the line that was read last was of use */
void rf_import_text_good (RfImportText *self);
/** rf_import_text_bad: the line that was read last was not understood */
void rf_import_text_bad (RfImportText *self);
/** rf_import_text_number: as rf_import_number(), and remembers a decimal comma */
gboolean rf_import_text_number (RfImportText *self, const char *field, double *out);
/** rf_import_text_finish: says what is to be said. Returns: FALSE with an error if less than half was of use */
gboolean rf_import_text_finish (RfImportText *self, GError **error);
GPtrArray *rf_import_text_warnings (RfImportText *self);

/** rf_import_warn: @warnings: nothing is added twice, nor more than a hundred */
void rf_import_warn (GPtrArray *warnings, const char *format, ...) G_GNUC_PRINTF (2, 3);

/** rf_import_split: in place, with quotes as CSV has them. Returns: how many, 0 if a quote is open or there are too
 * many */
guint rf_import_split (char *line, char separator, char **fields);
/** rf_import_words: in place, between blanks and tabs */
guint rf_import_words (char *line, char **fields);
/** rf_import_separator: Returns: what parts the fields of the header @line: ',', ';' or a tab */
char rf_import_separator (const char *line);
/** rf_import_find: Returns: number of the field that is @name, -1 if none is */
int rf_import_find (char **fields, guint n, const char *name);

/**
 * rf_import_number:
 * @comma: (inout): set if the number has a decimal comma, untouched otherwise
 *
 * Digits with sign, one point or comma, and exponent; blanks around. Never looks at the locale. Empty, "-", "nan" and
 * "N/A" are NAN. Returns: FALSE if it is nothing of this, or too large for a float
 */
gboolean rf_import_number (const char *field, gboolean *comma, double *out);
/** rf_import_integer: digits only, at most 18 */
gboolean rf_import_integer (const char *text, gint64 *out);

/** rf_import_epoch: "1773644464.599": seconds since 1970, exact. Returns: FALSE if it is not between 2000 and 2100 */
gboolean rf_import_epoch (const char *text, gint64 *us);
/** rf_import_clock: @text: begins with "7:05:09"; @rest: (out): what follows it. Returns: FALSE if it is no time of day
 */
gboolean rf_import_clock (const char *text, int *seconds, const char **rest);
/** rf_import_date_time: "2026-12-01 01:37:16", "2026-12-01T01:37:16.25Z", "… UTC", "… +01:00"; @zone: if it names none.
 * A time that a change of clocks leaves out is refused */
gboolean rf_import_date_time (const char *text, GTimeZone *zone, gint64 *us);
/** rf_import_local: Returns: microseconds since 1970, 0 if there is no such time */
gint64 rf_import_local (GTimeZone *zone, int year, int month, int day, int seconds);

/** RfImportColumn: a number of the file times @scale is column @to of the recording; a column that is named twice is a
 * sum */
typedef struct {
    const char *from;
    const char *to;
    double scale;
} RfImportColumn;

/** RfImportSheet: fills a table from the fields of lines */
typedef struct {
    RfTable *table;
    guint n_fields;
    int column[RF_IMPORT_FIELDS_MAX]; /* of the table, -1: left out */
    double scale[RF_IMPORT_FIELDS_MAX];
    float row[RF_IMPORT_FIELDS_MAX];
} RfImportSheet;

/** rf_import_sheet_new: @header: changed in no way. @map: ends with a NULL @from */
RfImportSheet *rf_import_sheet_new (const char *table, char **header, guint n, const RfImportColumn *map);
void rf_import_sheet_free (RfImportSheet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfImportSheet, rf_import_sheet_free)
/** rf_import_sheet_fill: @row of the sheet gets the numbers of @fields. Returns: FALSE if one is none or their count is
 * wrong */
gboolean rf_import_sheet_fill (RfImportSheet *self, RfImportText *text, char **fields, guint n);
/** rf_import_sheet_append: Returns: FALSE if the time goes backwards or the table is full */
gboolean rf_import_sheet_append (RfImportSheet *self, gint64 time_ns);

/** rf_import_event_text: copies @text into a field of an event, cut at a whole character, control characters escaped */
void rf_import_event_text (char *field, gsize size, const char *text);
/** rf_import_add_event: Returns: FALSE if there are too many */
gboolean rf_import_add_event (RfRecording *recording, const RfEvent *event);
void rf_import_sort_events (RfRecording *recording);

/** rf_import_read: Returns: (transfer full): the plain file's bytes, with NUL behind; NULL with an error */
char *rf_import_read (const char *path, gsize *length, GError **error);

/* the formats; each gets a new recording and fills it */
gboolean rf_import_mangohud (RfImportText *text, const RfImportOptions *options, RfRecording *recording,
                             GError **error);
gboolean rf_import_xplane (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error);
gboolean rf_import_vmstat (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error);
gboolean rf_import_sar (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error);
gboolean rf_import_sadf (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error);
gboolean rf_import_csv (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error);

G_END_DECLS
