#define G_LOG_DOMAIN "rf-ctl"
#include "config.h"

#include "rf-ctl.h"
#include "rf-error.h"
#include "rf-message.h"

#include <glib/gi18n.h>

void
rf_ctl_look (RfCtl *ctl)
{
    if (ctl->facts != NULL)
        return;
    ctl->facts = rf_facts_read (ctl->sysroot);
    ctl->current = rf_current_set_read (ctl->sysroot, ctl->facts);
    ctl->snapshot = rf_snapshot_read (ctl->sysroot);
}

GPtrArray *
rf_ctl_recommend (RfCtl *ctl, RfPreset preset)
{
    rf_ctl_look (ctl);
    return rf_recommend (ctl->facts, ctl->current, ctl->snapshot, preset);
}

RfClient *
rf_ctl_connect (RfCtl *ctl)
{
    if (ctl->client == NULL)
        ctl->client = rf_client_new (NULL);
    return ctl->client;
}

void
rf_ctl_wait_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    GAsyncResult **slot = data;
    *slot = g_object_ref (result);
}

void
rf_ctl_wait (GAsyncResult **result)
{
    while (*result == NULL)
        g_main_context_iteration (NULL, TRUE);
}

GPtrArray *
rf_ctl_list (RfCtl *ctl, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    rf_client_list_async (rf_ctl_connect (ctl), rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    return rf_client_list_finish (ctl->client, result, error);
}

gboolean
rf_ctl_helper_missing (const GError *error)
{
    if (error->domain == G_IO_ERROR) /* no bus, or no way to it */
        return error->code != G_IO_ERROR_CANCELLED && error->code != G_IO_ERROR_TIMED_OUT;
    if (error->domain != G_DBUS_ERROR)
        return FALSE;
    switch (error->code) {
    case G_DBUS_ERROR_NO_REPLY: /* it was there and did not finish */
    case G_DBUS_ERROR_TIMEOUT:
    case G_DBUS_ERROR_TIMED_OUT:
    case G_DBUS_ERROR_ACCESS_DENIED:
    case G_DBUS_ERROR_AUTH_FAILED:
    case G_DBUS_ERROR_INVALID_ARGS:
    case G_DBUS_ERROR_FAILED:
    case G_DBUS_ERROR_LIMITS_EXCEEDED:
        return FALSE;
    default:
        return TRUE;
    }
}

static RfExit
exit_code (const GError *error)
{
    if (rf_ctl_helper_missing (error))
        return RF_EXIT_NO_HELPER;
    if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED))
        return RF_EXIT_NOT_AUTHORIZED;
    if (error->domain != RF_ERROR)
        return RF_EXIT_FAILED;
    switch (error->code) {
    case RF_ERROR_NOT_AUTHORIZED:
    case RF_ERROR_DISMISSED:
    case RF_ERROR_NO_AGENT:
    case RF_ERROR_AUTHORITY_GONE:
    case RF_ERROR_CALLER_GONE:
        return RF_EXIT_NOT_AUTHORIZED;
    case RF_ERROR_BUSY:
        return RF_EXIT_BUSY;
    case RF_ERROR_CONFLICT:
        return RF_EXIT_CONFLICT;
    case RF_ERROR_INVALID:
    case RF_ERROR_OUT_OF_RANGE:
    case RF_ERROR_UNKNOWN:
        return RF_EXIT_USAGE;
    case RF_ERROR_CANCELLED:
        return RF_EXIT_TAKEN_BACK;
    default:
        return RF_EXIT_FAILED;
    }
}

static const char *
code_nick (const GError *error)
{
    if (error->domain == RF_ERROR && error->code >= 0 && error->code < RF_ERROR_N_CODES)
        return rf_error_code_nick ((RfError)error->code);
    return rf_ctl_helper_missing (error) ? "no-helper" : "failed";
}

RfExit
rf_ctl_fail (RfCtl *ctl, const GError *error)
{
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        g_autoptr (GError) copy = g_error_copy (error);
        g_dbus_error_strip_remote_error (copy);
        rf_json_begin_object (json, NULL);
        rf_json_begin_object (json, "error");
        rf_json_string (json, "code", code_nick (error));
        rf_json_string (json, "message", copy->message);
        rf_json_end_object (json);
        rf_json_end_object (json);
        rf_ctl_print_json (json);
    } else {
        g_autofree char *message = rf_message_from_error (error);
        g_printerr ("ruckelfreictl: %s\n", message);
    }
    return exit_code (error);
}

RfExit
rf_ctl_usage (RfCtl *ctl, const char *format, ...)
{
    va_list list;
    va_start (list, format);
    g_autofree char *text = g_strdup_vprintf (format, list);
    va_end (list);
    g_printerr ("ruckelfreictl: %s\n", text);
    g_printerr ("%s\n", _ ("Try “ruckelfreictl --help”."));
    return RF_EXIT_USAGE;
}
