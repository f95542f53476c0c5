#define G_LOG_DOMAIN "rf-ctl-report"
#include "config.h"

#include "rf-ctl.h"
#include "rf-recent-messages.h"
#include "rf-report.h"

#include <glib/gi18n.h>

static char *
helper_version (RfCtl *ctl, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    rf_client_version_async (rf_ctl_connect (ctl), rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    return rf_client_version_finish (ctl->client, result, error);
}

RfExit
rf_ctl_report (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *version = helper_version (ctl, &error);
    g_autoptr (GPtrArray) records = version != NULL ? rf_ctl_list (ctl, &error) : NULL;
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    g_auto (GStrv) messages = rf_recent_messages_get ();
    rf_ctl_look (ctl);
    rf_privacy_collect (privacy, ctl->sysroot);
    rf_privacy_collect_person (privacy);
    RfReport report = {
        .program = "ruckelfreictl",
        .helper_version = version,
        .helper_error = error != NULL ? error->message : NULL,
        .desktop = g_getenv ("XDG_CURRENT_DESKTOP"),
        .facts = ctl->facts,
        .current = ctl->current,
        .records = records,
        .messages = (const char *const *)messages,
        .privacy = privacy,
    };
    g_autofree char *text = rf_report_text (&report);
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "report", text);
        rf_json_end_object (json);
        rf_ctl_print_json (json);
    } else {
        g_print ("%s", text);
    }
    /* that there is no helper is said in it: a report is what one wants just then */
    return RF_EXIT_OK;
}
