#define G_LOG_DOMAIN "rf-session-check"
#include "config.h"

#include "rf-error.h"
#include "rf-power.h"
#include "rf-session-check.h"
#include "rf-session-machine.h"
#include "rf-tunable-text.h"

#include <string.h>

#include <glib/gi18n.h>

#define LINE_BYTES 600            /* of samples and events together, generously */
#define UNSAID_S (8 * 3600)       /* room for a day's work, if nothing is said */
#define ROOM_BYTES (64 * 1024 * 1024)
#define SWAP_EMPTY_BYTES (16 * 1024 * 1024)
#define NAMES_SHOWN 4

static gint64
free_bytes (const char *folder)
{
    g_autoptr (GFile) file = g_file_new_for_path (folder);
    /* the folder need not be there yet */
    while (TRUE) {
        g_autoptr (GFileInfo) info
            = g_file_query_filesystem_info (file, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
        if (info != NULL && g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE))
            return (gint64)MIN (g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE),
                                (guint64)G_MAXINT64);
        GFile *parent = g_file_get_parent (file);
        if (parent == NULL)
            return -1;
        g_object_unref (file);
        file = parent;
    }
}

void
rf_session_conditions_read (RfSessionConditions *self, RfSysroot *sysroot, const RfRecordings *recordings)
{
    g_autoptr (RfFacts) facts = rf_facts_read (sysroot);
    g_autoptr (RfSnapshot) now = rf_snapshot_read (sysroot);
    g_autoptr (RfSample) sample = rf_sample_derive (NULL, now);
    memset (self, 0, sizeof *self);
    self->swap_used_bytes = sample->avail[RF_COLUMN_SWAP_USED] == RF_AVAIL_OK
                                ? (gint64)sample->value[RF_COLUMN_SWAP_USED]
                                : -1;
    self->free_bytes = free_bytes (rf_recordings_folder (recordings));
    self->on_battery = rf_power_on_battery (sysroot);
    self->settings = rf_session_settings (sysroot, facts);
}

void
rf_session_conditions_clear (RfSessionConditions *self)
{
    g_clear_pointer (&self->settings, g_hash_table_unref);
    g_clear_pointer (&self->like, g_hash_table_unref);
}

static gint64
needed_bytes (const RfSessionConditions *self)
{
    gint64 seconds = self->wanted_s > 0 ? self->wanted_s : UNSAID_S;
    return seconds * (gint64)self->hz * LINE_BYTES + ROOM_BYTES;
}

gboolean
rf_session_check (const RfSessionConditions *self, RfSessionDoubt doubt)
{
    switch (doubt) {
    case RF_SESSION_DOUBT_SWAP_USED:
        return self->swap_used_bytes > SWAP_EMPTY_BYTES;
    case RF_SESSION_DOUBT_SETTINGS: {
        if (self->like == NULL || self->settings == NULL)
            return FALSE;
        g_auto (GStrv) names = rf_session_settings_differ (self->like, self->settings);
        return *names != NULL;
    }
    case RF_SESSION_DOUBT_DISK_SPACE:
        return self->free_bytes >= 0 && self->free_bytes < needed_bytes (self);
    case RF_SESSION_DOUBT_BATTERY:
        return self->on_battery;
    case RF_SESSION_DOUBT_SHORT:
        return self->wanted_s > 0 && self->wanted_s < RF_SESSION_SHORT_S;
    case RF_SESSION_N_DOUBTS:
    default:
        g_return_val_if_reached (FALSE);
    }
}

const char *
rf_session_doubt_nick (RfSessionDoubt doubt)
{
    static const char *const nicks[RF_SESSION_N_DOUBTS] = {
        [RF_SESSION_DOUBT_SWAP_USED] = "swap-used", [RF_SESSION_DOUBT_SETTINGS] = "settings-differ", [RF_SESSION_DOUBT_DISK_SPACE] = "disk-space",
        [RF_SESSION_DOUBT_BATTERY] = "battery",     [RF_SESSION_DOUBT_SHORT] = "short",
    };
    g_return_val_if_fail ((guint)doubt < RF_SESSION_N_DOUBTS, NULL);
    return nicks[doubt];
}

static char *
settings_text (const RfSessionConditions *self)
{
    g_auto (GStrv) names = rf_session_settings_differ (self->like, self->settings);
    guint n = g_strv_length (names);
    for (guint i = NAMES_SHOWN; i < n; i++)
        g_clear_pointer (&names[i], g_free);
    g_autofree char *shown = g_strjoinv (", ", names);
    /* TRANSLATORS: %s are kernel names of settings: "vm.swappiness, vm.dirty" */
    return g_strdup_printf (n > NAMES_SHOWN ? _ ("Settings differ from those of the recording to compare with (%s and "
                                                 "more). Only what was changed on purpose should.")
                                            : _ ("Settings differ from those of the recording to compare with (%s). "
                                                 "Only what was changed on purpose should."),
                            shown);
}

char *
rf_session_doubt_text (const RfSessionConditions *self, RfSessionDoubt doubt)
{
    switch (doubt) {
    case RF_SESSION_DOUBT_SWAP_USED: {
        g_autofree char *used = rf_format_bytes ((guint64)MAX (0, self->swap_used_bytes));
        return g_strdup_printf (_ ("The swap space is not empty (%s): what was swapped out before makes this recording "
                                   "harder to compare. It is empty after a restart."),
                                used);
    }
    case RF_SESSION_DOUBT_SETTINGS:
        return settings_text (self);
    case RF_SESSION_DOUBT_DISK_SPACE: {
        g_autofree char *left = rf_format_disk_bytes ((guint64)MAX (0, self->free_bytes));
        g_autofree char *needed = rf_format_disk_bytes ((guint64)needed_bytes (self));
        return g_strdup_printf (_ ("Only %1$s are free where recordings are kept; up to %2$s are needed. When the drive "
                                   "is full the recording ends."),
                                left, needed);
    }
    case RF_SESSION_DOUBT_BATTERY:
        return g_strdup (_ ("This machine runs on its battery, and saves power: please plug it in for a recording to "
                            "compare with."));
    case RF_SESSION_DOUBT_SHORT:
        return g_strdup (_ ("Under 60 minutes memory has rarely filled up, and what makes it stutter may not have "
                            "happened yet."));
    case RF_SESSION_N_DOUBTS:
    default:
        g_return_val_if_reached (NULL);
    }
}

static const char *
sentence (const GError *error)
{
    if (error->domain != RF_ERROR)
        return _ ("This did not work. Please try again.");
    switch (error->code) {
    case RF_ERROR_BUSY:
        return _ ("This recording, or another one, is being made right now. Please end it first.");
    case RF_ERROR_STATE:
        return _ ("No recording is being made.");
    case RF_ERROR_UNKNOWN:
    case RF_ERROR_UNAVAILABLE:
        return _ ("There is no such recording.");
    case RF_ERROR_CONFLICT:
        return _ ("More than one recording is meant. Please say which one by its identifier.");
    case RF_ERROR_FOREIGN:
        return _ ("In the folder of this recording is something that does not belong to it, so nothing was deleted. Please "
                  "take it out first.");
    case RF_ERROR_LIMIT:
        return _ ("The drive is full. What had been recorded until then is kept.");
    case RF_ERROR_READ_ONLY:
        return _ ("The folder of the recordings cannot be written.");
    case RF_ERROR_INVALID:
        return _ ("This is not a recording, or it is damaged.");
    case RF_ERROR_IO:
        return _ ("A file could not be read or written.");
    default:
        return _ ("This did not work. Please try again.");
    }
}

char *
rf_session_message (const GError *error)
{
    g_autofree char *detail = g_utf8_make_valid (error->message, -1);
    if (g_error_matches (error, RF_ERROR, RF_ERROR_STATE) || *detail == '\0')
        return g_strdup (sentence (error));
    return g_strdup_printf ("%s (%s)", sentence (error), detail);
}

char *
rf_session_end_text (const char *reason)
{
    static const struct {
        const char *reason;
        const char *text;
    } words[] = {
        {"stopped", N_ ("It was ended.")},
        {"limit", N_ ("The time set for it was over.")},
        {"imported", N_ ("It was imported.")},
        {"caller-left", N_ ("The program that recorded has left.")},
        {"reader-gone", N_ ("Nobody has read what was measured any more.")},
        {"failed", N_ ("The helper could not measure any more.")},
        {"helper-gone", N_ ("The helper has left in the middle.")},
        {"disk-full", N_ ("The drive was full.")},
        {"write-failed", N_ ("A file could not be written any more.")},
        {"damaged", N_ ("What came from the helper could not be understood.")},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        if (g_str_equal (words[i].reason, reason))
            return g_strdup (_ (words[i].text));
    return g_strdup (reason);
}
