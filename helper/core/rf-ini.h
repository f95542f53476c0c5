/* Lines of the other kinds of configuration that set values: "[section] key = value" (TuneD, zram-generator) and the
 * w lines of tmpfiles.d. Only text is taken apart; nothing is expanded, evaluated or run. Pure functions, thread-safe.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RfIniLine:
 * @section: "" before the first one
 * @text: the line for a person, see rf_conf_quote()
 */
typedef struct {
    guint line;
    char *section;
    char *key;
    char *value;
    char *text;
} RfIniLine;

/** rf_ini_parse: Returns: (transfer full) (element-type RfIniLine): every assignment, in order; "#" and ";" begin a
 * comment at the start of a line only */
GPtrArray *rf_ini_parse (const char *text, gsize length);

/**
 * RfTmpfilesLine:
 * @path: absolute; a pattern if @glob
 * @argument: what is written, escapes of C resolved; NULL if it has a specifier ("%v") or is encoded, so is not known
 * @append: "w+": of several lines for one path all are done, of "w" lines only the first
 */
typedef struct {
    guint line;
    char *path;
    char *argument;
    gboolean glob;
    gboolean append;
    char *text;
} RfTmpfilesLine;

/** rf_tmpfiles_parse: Returns: (transfer full) (element-type RfTmpfilesLine): the lines that write into a file (type
 * w); tmpfiles.d(5) */
GPtrArray *rf_tmpfiles_parse (const char *text, gsize length);

G_END_DECLS
