#define G_LOG_DOMAIN "rf-message"
#include "config.h"

#include "rf-message.h"

#include "rf-error.h"

#include <glib/gi18n.h>

/* A detail is shown in brackets behind the sentence; longer than this it helps nobody. Characters. */
#define DETAIL_MAX 160

typedef struct {
    const char *text;
    gboolean with_detail; /* the untranslated detail names the value, file or device it is about */
} Message;

/* One row for each code; what is wrong, then what to do. */
static const Message messages[] = {
    [RF_ERROR_FAILED] = {N_ ("This did not work. Please try again."), TRUE},
    [RF_ERROR_INVALID] = {N_ ("The request was not understood, and nothing was changed. The window and the helper "
                              "may come from different versions: please log out and in again."),
                          TRUE},
    [RF_ERROR_OUT_OF_RANGE] = {N_ ("One of the values is not sensible on this machine, so nothing was changed. "
                                   "Please choose a value within the range shown."),
                               TRUE},
    [RF_ERROR_UNKNOWN] = {N_ ("What should be changed is no longer there. Please look at the settings again."), TRUE},
    [RF_ERROR_UNAVAILABLE] = {N_ ("This setting does not exist on this system. Please leave it out and try again."),
                              TRUE},
    [RF_ERROR_NOT_AUTHORIZED] = {N_ ("You may not change settings of this system. Please ask somebody who knows an "
                                     "administrator password."),
                                 FALSE},
    [RF_ERROR_DISMISSED] = {N_ ("Nothing was changed, because the password was not entered."), FALSE},
    [RF_ERROR_NO_AGENT] = {N_ ("The password could not be asked for, because no authentication agent is running in "
                               "this session. Please use the terminal: sudo ruckelfreictl."),
                           FALSE},
    [RF_ERROR_AUTHORITY_GONE] = {N_ ("The system service that checks permissions (polkit) does not answer, so nothing "
                                     "was changed. Please try again, or restart the machine."),
                                 FALSE},
    [RF_ERROR_CALLER_GONE] = {N_ ("The connection was lost while the permission was being checked, so nothing was "
                                  "changed. Please try again."),
                              FALSE},
    [RF_ERROR_BUSY] = {N_ ("Another change or trial is running. Please wait until it has ended, or end it."), FALSE},
    [RF_ERROR_LIMIT] = {N_ ("That was too much at once. Please wait a moment and try again with fewer changes."),
                        FALSE},
    [RF_ERROR_REFUSED] = {N_ ("The kernel refused the value, and everything is as it was before. Please choose "
                              "another value or leave this setting out."),
                          TRUE},
    [RF_ERROR_MISMATCH] = {N_ ("The kernel accepted a value but uses another one, so everything was put back as it "
                               "was before. Please choose another value."),
                           TRUE},
    [RF_ERROR_READ_ONLY] = {N_ ("This setting cannot be written here: the system is a container, is immutable, or "
                                "protects it. Nothing was changed."),
                            TRUE},
    [RF_ERROR_CONFLICT] = {N_ ("Another program has changed a setting in the meantime, so it was left alone. You can "
                               "take it back anyway on the Changes page."),
                           TRUE},
    [RF_ERROR_FOREIGN] = {N_ ("This is managed by another program, and Ruckelfrei does not touch it. Please change it "
                              "there."),
                          TRUE},
    [RF_ERROR_NO_MEMORY] = {N_ ("There is not enough free memory for this at the moment. Please close some programs "
                                "and try again, or restart the machine."),
                            TRUE},
    [RF_ERROR_JOURNAL] = {N_ ("The notes about earlier changes are damaged or come from a newer version, so nothing is "
                              "changed. The files are in /var/lib/ruckelfrei."),
                          TRUE},
    [RF_ERROR_CANCELLED] = {N_ ("Cancelled. Everything is as it was before."), FALSE},
    [RF_ERROR_STATE] = {N_ ("This is not possible now, because something has changed in the meantime. Please look at "
                            "the Changes page."),
                        TRUE},
    [RF_ERROR_IO] = {N_ ("A file could not be read or written. Please check that the disk is not full and try again."),
                     TRUE},
};

G_STATIC_ASSERT (G_N_ELEMENTS (messages) == RF_ERROR_N_CODES);

static const char *
dbus_message (int code)
{
    switch (code) {
    case G_DBUS_ERROR_SERVICE_UNKNOWN:
    case G_DBUS_ERROR_NAME_HAS_NO_OWNER:
    case G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND:
        return _ ("The helper that changes settings is not installed, so Ruckelfrei can only look. Please install the "
                  "package “ruckelfrei” completely.");
    case G_DBUS_ERROR_SPAWN_EXEC_FAILED:
    case G_DBUS_ERROR_SPAWN_FORK_FAILED:
    case G_DBUS_ERROR_SPAWN_CHILD_EXITED:
    case G_DBUS_ERROR_SPAWN_CHILD_SIGNALED:
    case G_DBUS_ERROR_SPAWN_FAILED:
    case G_DBUS_ERROR_SPAWN_SETUP_FAILED:
    case G_DBUS_ERROR_SPAWN_CONFIG_INVALID:
    case G_DBUS_ERROR_SPAWN_SERVICE_INVALID:
    case G_DBUS_ERROR_SPAWN_PERMISSIONS_INVALID:
    case G_DBUS_ERROR_SPAWN_FILE_INVALID:
    case G_DBUS_ERROR_SPAWN_NO_MEMORY:
        return _ ("The helper that changes settings could not be started. Please install the package “ruckelfrei” "
                  "again, or restart the machine.");
    case G_DBUS_ERROR_NO_REPLY:
    case G_DBUS_ERROR_DISCONNECTED:
        return _ ("The helper stopped in the middle. When it starts again it finishes its work or puts everything back "
                  "as it was; please look at the Changes page.");
    case G_DBUS_ERROR_TIMEOUT:
    case G_DBUS_ERROR_TIMED_OUT:
        return _ ("The helper did not answer in time. Please look at the Changes page to see what was done.");
    case G_DBUS_ERROR_ACCESS_DENIED:
    case G_DBUS_ERROR_AUTH_FAILED:
        return _ ("The system does not let you talk to the helper. Please ask an administrator.");
    case G_DBUS_ERROR_NO_SERVER:
    case G_DBUS_ERROR_FILE_NOT_FOUND:
        return _ ("The system’s message bus (D-Bus) cannot be reached, so Ruckelfrei can only look. Please restart the "
                  "machine.");
    case G_DBUS_ERROR_UNKNOWN_METHOD:
    case G_DBUS_ERROR_UNKNOWN_INTERFACE:
    case G_DBUS_ERROR_UNKNOWN_OBJECT:
    case G_DBUS_ERROR_INVALID_ARGS:
    case G_DBUS_ERROR_INVALID_SIGNATURE:
        return _ ("The window and the helper come from different versions, and nothing was changed. Please log out and "
                  "in again, or restart the machine.");
    case G_DBUS_ERROR_LIMITS_EXCEEDED:
        return _ ("The helper has too much to do. Please wait a moment and try again.");
    case G_DBUS_ERROR_NO_MEMORY:
        return _ ("There is not enough memory for this. Please close some programs and try again.");
    default:
        return NULL;
    }
}

static const char *
io_message (int code)
{
    switch (code) {
    case G_IO_ERROR_CANCELLED:
        return _ ("Cancelled. Everything is as it was before.");
    case G_IO_ERROR_TIMED_OUT:
        return dbus_message (G_DBUS_ERROR_TIMED_OUT);
    case G_IO_ERROR_CLOSED:
    case G_IO_ERROR_CONNECTION_CLOSED: /* the same as BROKEN_PIPE */
        return dbus_message (G_DBUS_ERROR_DISCONNECTED);
    case G_IO_ERROR_NOT_FOUND:
    case G_IO_ERROR_CONNECTION_REFUSED:
        return dbus_message (G_DBUS_ERROR_NO_SERVER);
    default:
        return NULL;
    }
}

/* The detail comes from another process: one line, no control characters, not endless. */
static char *
clean_detail (const GError *error)
{
    g_autoptr (GError) copy = g_error_copy (error);
    g_dbus_error_strip_remote_error (copy);
    g_autofree char *valid = g_utf8_make_valid (copy->message, -1);
    GString *text = g_string_new (NULL);
    guint n = 0;
    for (const char *p = valid; *p != '\0' && n < DETAIL_MAX; p = g_utf8_next_char (p), n++) {
        gunichar c = g_utf8_get_char (p);
        g_string_append_unichar (text, g_unichar_isprint (c) ? c : ' ');
    }
    if (n == DETAIL_MAX)
        g_string_append (text, "…");
    return g_strstrip (g_string_free (text, FALSE));
}

/* Only where a change of settings would be told in other words. */
static const Message measurement_messages[RF_ERROR_N_CODES] = {
    [RF_ERROR_UNKNOWN] = {N_ ("This measurement has already ended."), FALSE},
    [RF_ERROR_UNAVAILABLE] = {N_ ("The events of the kernel cannot be recorded on this system. Measuring without them "
                                  "works."),
                              TRUE},
    [RF_ERROR_NOT_AUTHORIZED] = {N_ ("You may not measure on this system. Please ask somebody who knows an "
                                     "administrator password."),
                                 FALSE},
    [RF_ERROR_DISMISSED] = {N_ ("Nothing is measured, because the password was not entered."), FALSE},
    [RF_ERROR_AUTHORITY_GONE] = {N_ ("The system service that checks permissions (polkit) does not answer, so nothing "
                                     "is measured. Please try again, or restart the machine."),
                                 FALSE},
    [RF_ERROR_BUSY] = {N_ ("The helper is about to end. Please try again in a moment."), FALSE},
    [RF_ERROR_LIMIT] = {N_ ("Too many measurements are running. Please end one and try again."), FALSE},
    [RF_ERROR_NO_MEMORY] = {N_ ("There is not enough free memory to record the events of the kernel. Please close some "
                                "programs and try again, or measure without them."),
                            TRUE},
};

static const char *
measurement_dbus_message (int code)
{
    switch (code) {
    case G_DBUS_ERROR_NO_REPLY:
    case G_DBUS_ERROR_DISCONNECTED:
    case G_DBUS_ERROR_TIMEOUT:
    case G_DBUS_ERROR_TIMED_OUT:
        return _ ("The helper has ended, and the measurement with it. Please start the measurement again.");
    case G_DBUS_ERROR_UNKNOWN_METHOD:
        return _ ("The helper that is running is older than this program and cannot measure. Please log out and in "
                  "again, or restart the machine.");
    default:
        return NULL;
    }
}

/* Returns: (transfer full): @sentence with the detail of @error in brackets, if there is one */
static char *
add_detail (const char *sentence, const GError *error)
{
    g_autofree char *detail = clean_detail (error);
    if (*detail == '\0')
        return g_strdup (sentence);
    /* Translators: %1$s is one or two whole sentences, %2$s an untranslated detail such as a file name and a reason */
    return g_strdup_printf (_ ("%1$s (%2$s)"), sentence, detail);
}

char *
rf_message_from_measurement_error (const GError *error)
{
    g_return_val_if_fail (error != NULL, NULL);
    const char *sentence = NULL;
    gboolean with_detail = FALSE;
    if (error->domain == RF_ERROR && (guint) error->code < RF_ERROR_N_CODES
        && measurement_messages[error->code].text != NULL) {
        sentence = _ (measurement_messages[error->code].text);
        with_detail = measurement_messages[error->code].with_detail;
    } else if (error->domain == G_DBUS_ERROR) {
        sentence = measurement_dbus_message (error->code);
    } else if (error->domain == G_IO_ERROR && (error->code == G_IO_ERROR_CLOSED || error->code == G_IO_ERROR_TIMED_OUT)) {
        sentence = measurement_dbus_message (G_DBUS_ERROR_NO_REPLY);
    }
    if (sentence == NULL)
        return rf_message_from_error (error);
    return with_detail ? add_detail (sentence, error) : g_strdup (sentence);
}

char *
rf_message_from_error (const GError *error)
{
    g_return_val_if_fail (error != NULL, NULL);
    const char *sentence = NULL;
    gboolean with_detail = FALSE;
    if (error->domain == RF_ERROR && (guint) error->code < RF_ERROR_N_CODES) {
        sentence = _ (messages[error->code].text);
        with_detail = messages[error->code].with_detail;
    } else if (error->domain == G_DBUS_ERROR) {
        sentence = dbus_message (error->code);
    } else if (error->domain == G_IO_ERROR) {
        sentence = io_message (error->code);
    }
    if (sentence == NULL) {
        sentence = _ (messages[RF_ERROR_FAILED].text);
        with_detail = TRUE;
    }
    return with_detail ? add_detail (sentence, error) : g_strdup (sentence);
}

gboolean
rf_message_is_quiet (const GError *error)
{
    g_return_val_if_fail (error != NULL, FALSE);
    return g_error_matches (error, RF_ERROR, RF_ERROR_DISMISSED) ||
           g_error_matches (error, RF_ERROR, RF_ERROR_CANCELLED) ||
           g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}
