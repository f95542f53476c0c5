/* Log.txt of X-Plane 10 to 12: how long each tile took to load.
 *   0:00:17.965 I/SCN: DSF load time: 10234 for file Custom Scenery/Alps/Earth nav data/+40+010/+47+013.dsf (0 tris, 0
 * skipped …) The number is microseconds (a tile of 22 ms stands there as 22xxx). X-Plane 10 has no time in front. */
#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-import-private.h"

#include <string.h>

#include <glib/gi18n.h>

#define LOADED "DSF load time: "
#define STARTED "X-Plane Started on "
#define HOURS_MAX 1000
#define LOAD_MAX_US (G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC)

/* "0:01:23.456 ", hours without end. Returns: FALSE if the line does not begin with it */
static gboolean
stamp (const char *line, gint64 *ns)
{
    gsize hours = strspn (line, "0123456789");
    if (hours == 0 || hours > 4 || line[hours] != ':')
        return FALSE;
    gint64 h = g_ascii_strtoll (line, NULL, 10);
    const char *at = line + hours + 1;
    if (!g_ascii_isdigit (at[0]) || !g_ascii_isdigit (at[1]) || at[2] != ':' || !g_ascii_isdigit (at[3])
        || !g_ascii_isdigit (at[4]) || at[5] != '.' || !g_ascii_isdigit (at[6]) || !g_ascii_isdigit (at[7])
        || !g_ascii_isdigit (at[8]) || at[9] != ' ' || h > HOURS_MAX)
        return FALSE;
    gint64 m = (at[0] - '0') * 10 + (at[1] - '0'), s = (at[3] - '0') * 10 + (at[4] - '0');
    gint64 ms = (at[6] - '0') * 100 + (at[7] - '0') * 10 + (at[8] - '0');
    if (m > 59 || s > 59)
        return FALSE;
    *ns = ((h * 3600 + m * 60 + s) * 1000 + ms) * 1000000;
    return TRUE;
}

/* "Custom Scenery/Alps/Earth nav data/+40+010/+47+013.dsf": the tile, and the scenery it belongs to, which stands where
 * other events have a process: several sceneries have parts of one tile */
static void
name_tile (const char *path, RfEvent *event)
{
    g_autofree char *unix_path = g_strdelimit (g_strdup (path), "\\", '/');
    g_auto (GStrv) parts = g_strsplit (unix_path, "/", 0);
    guint n = g_strv_length (parts);
    if (n == 0)
        return;
    rf_import_event_text (event->subject, sizeof event->subject, parts[n - 1]);
    for (guint i = 1; i < n; i++)
        if (g_ascii_strcasecmp (parts[i], "Earth nav data") == 0)
            rf_import_event_text (event->process, sizeof event->process, parts[i - 1]);
}

/* What stands behind LOADED: "10234 for file PATH.dsf (0 tris)" */
static gboolean
parse_load (const char *text, RfEvent *event)
{
    gint64 us;
    g_autofree char *number = g_strndup (text, strspn (text, "0123456789"));
    const char *at = text + strlen (number);
    if (!rf_import_integer (number, &us) || us > LOAD_MAX_US || !g_str_has_prefix (at, " for file "))
        return FALSE;
    at += strlen (" for file ");
    /* a name may hold anything, but ends so */
    const char *end = g_strrstr (at, ".dsf");
    if (end == NULL || end == at || (end[4] != '\0' && end[4] != ' '))
        return FALSE;
    g_autofree char *path = g_strndup (at, (gsize)(end - at));
    event->kind = RF_EVENT_TILE;
    event->duration_ns = us * 1000;
    name_tile (path, event);
    return *event->subject != '\0';
}

/* "Sun Mar 15 14:30:45 2026", as ctime() has it whatever the language */
static gint64
parse_started (const char *text, GTimeZone *zone)
{
    static const char *const months[]
        = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char *fields[RF_IMPORT_FIELDS_MAX];
    g_autofree char *copy = g_strdup (text);
    guint n = rf_import_words (copy, fields);
    gint64 day, year;
    int seconds;
    const char *rest;
    if (n < 5 || !rf_import_integer (fields[2], &day) || !rf_import_integer (fields[4], &year)
        || !rf_import_clock (fields[3], &seconds, &rest) || *rest != '\0' || year > 2099 || day > 31)
        return 0;
    for (int i = 0; i < (int)G_N_ELEMENTS (months); i++)
        if (g_str_equal (fields[1], months[i]))
            return rf_import_local (zone, (int)year, i + 1, (int)day, seconds);
    return 0;
}

static void
say (GPtrArray *warnings, RfRecording *recording, gboolean any_stamp, guint undated)
{
    guint n = recording->events->len;
    if (n == 0) {
        rf_import_warn (warnings, _ ("No tile was loaded."));
        return;
    }
    if (!any_stamp)
        rf_import_warn (warnings,
                        _ ("It has no times: how long tiles took is known, but not when. All stand at the start."));
    else if (undated > 0)
        rf_import_warn (warnings,
                        ngettext ("%u tile has no time of its own; it got that of the line before it.",
                                  "%u tiles have no time of their own; they got that of the line before them.",
                                  undated),
                        undated);
    if (recording->anchor_wall_us == 0)
        rf_import_warn (warnings, _ ("When X-Plane was started does not stand in it."));
    else
        rf_import_warn (warnings, _ ("The start of X-Plane stands in it as a local time, to the second."));
}

gboolean
rf_import_xplane (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error)
{
    gboolean any_stamp = FALSE;
    guint undated = 0;
    gint64 last = 0;
    char *line;
    while ((line = rf_import_text_next (text)) != NULL) {
        gint64 now;
        gboolean dated = stamp (line, &now);
        const char *loaded = strstr (line, LOADED), *started = strstr (line, STARTED);
        any_stamp = any_stamp || dated;
        if (dated)
            last = now;
        if (started != NULL && recording->anchor_wall_us == 0)
            recording->anchor_wall_us = parse_started (started + strlen (STARTED), options->zone);
        if (g_ascii_strncasecmp (line, "log.txt for X-Plane ", 20) == 0 && *recording->workload == '\0') {
            g_autofree char *version = g_strndup (line + 20, strcspn (line + 20, " ("));
            g_autofree char *workload = g_strconcat ("X-Plane ", version, NULL);
            rf_recording_set (&recording->workload, workload);
        }
        if (loaded == NULL) {
            rf_import_text_good (text);
            continue;
        }
        RfEvent event = {0};
        if (!parse_load (loaded + strlen (LOADED), &event)) {
            rf_import_text_bad (text);
            continue;
        }
        undated += dated ? 0 : 1;
        /* the line is written when the tile is there */
        event.time_ns = MAX (0, last - event.duration_ns);
        if (rf_import_add_event (recording, &event))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (!rf_import_text_finish (text, error))
        return FALSE;
    if (*recording->workload == '\0' && recording->events->len == 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("It is not a log of X-Plane."));
        return FALSE;
    }
    say (rf_import_text_warnings (text), recording, any_stamp, undated);
    return TRUE;
}
