/* Recordings that other programs made. What a file is, is told by what stands in it, never by its name alone. What
 * comes of it is a recording like any other, and words for all that was not understood, left out or taken for granted:
 * nothing is filled in. Files of strangers: every size is bounded. No GTK; one thread. */
#pragma once

#include "rf-recording.h"

G_BEGIN_DECLS

/** RF_IMPORT_BYTES_MAX: of one file; larger ones are refused */
#define RF_IMPORT_BYTES_MAX (256u * 1024 * 1024)

typedef enum {
    RF_IMPORT_NONE,     /* nothing that is known here */
    RF_IMPORT_FLIGHT,   /* a folder with vmstat.csv, mem.csv, trace_reclaim.log … */
    RF_IMPORT_MANGOHUD, /* a frame log of MangoHud */
    RF_IMPORT_XPLANE,   /* Log.txt of X-Plane */
    RF_IMPORT_VMSTAT,   /* vmstat -t */
    RF_IMPORT_SAR,      /* what sar prints */
    RF_IMPORT_SADF,     /* sadf -d */
    RF_IMPORT_CSV,      /* any table with a header */
    RF_N_IMPORTS
} RfImportFormat;

/**
 * RfImportOptions:
 * @format: RF_IMPORT_NONE: find out
 * @map: (nullable) (element-type utf8 utf8): for RF_IMPORT_CSV: column of the file → column of a recording
 * @file_name: (nullable): without folder: some programs write the time into it
 * @zone: (nullable): of clocks that do not say theirs; NULL: this machine's
 */
typedef struct {
    RfImportFormat format;
    GHashTable *map;
    const char *file_name;
    GTimeZone *zone;
} RfImportOptions;

/**
 * RfImport:
 * @warnings: (element-type utf8): whole sentences for a person, in the user's language
 */
typedef struct {
    RfImportFormat format;
    RfRecording *recording;
    GPtrArray *warnings;
} RfImport;

/** rf_import_nick: Returns: (transfer none): "mangohud", as `--as` and a recording's source have it */
const char *rf_import_nick (RfImportFormat format);
/** rf_import_from_nick: Returns: RF_IMPORT_NONE if it is none */
RfImportFormat rf_import_from_nick (const char *nick);
/** rf_import_name: Returns: (transfer none): for a person: "MangoHud log" */
const char *rf_import_name (RfImportFormat format);

/** rf_import_detect_text: by the first lines of @text, which need not be all of it, nor end with NUL */
RfImportFormat rf_import_detect_text (const char *text, gsize length);
/** rf_import_detect: @path: a file or a folder; RF_IMPORT_NONE also if it cannot be read */
RfImportFormat rf_import_detect (const char *path);

/**
 * rf_import_text:
 * @text: all of one file; need not end with NUL
 * @options: @format says what it is
 *
 * Returns: (transfer full): NULL with RF_ERROR_INVALID and a translated sentence if this is not what it should be, or
 * if more of it was not understood than was
 */
RfImport *rf_import_text (const char *text, gsize length, const RfImportOptions *options, GError **error);

/** rf_import_path: like rf_import_text(), from a file or a folder; RF_ERROR_IO or RF_ERROR_UNAVAILABLE if it cannot be
 * read. Only what is a plain file is opened. @options: (nullable) */
RfImport *rf_import_path (const char *path, const RfImportOptions *options, GError **error);

void rf_import_free (RfImport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfImport, rf_import_free)

/**
 * rf_import_join:
 * @into: gets the tables, events and gaps of @other
 * @other: loses its tables
 * @offset_ns: added to the times of @other after both wall clocks were laid over each other
 *
 * Returns: FALSE with RF_ERROR_INVALID and a translated sentence, and nothing is changed, if one of them has no wall
 * clock, if they share no time, or if @into already has a table of that name
 */
gboolean rf_import_join (RfRecording *into, RfRecording *other, gint64 offset_ns, GError **error);

G_END_DECLS
