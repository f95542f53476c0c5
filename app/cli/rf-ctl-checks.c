#define G_LOG_DOMAIN "rf-ctl-checks"
#include "config.h"

#include "rf-ctl.h"

#include "rf-check.h"

#include <glib/gi18n.h>

/* Commands and names of the kernel are copied and searched for: they are not wrapped. */
static void
print_raw (const char *text)
{
    g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++)
        g_print ("      %s\n", *line);
}

static void
print_result (const RfCheckResult *result, const char *sign)
{
    g_autofree char *title = g_strdup_printf ("%s %s", sign, result->title);
    g_auto (GStrv) evidence = g_strsplit (result->evidence, "\n", -1);
    rf_ctl_print (2, title);
    for (char **line = evidence; *line != NULL; line++)
        rf_ctl_print (4, *line);
    print_raw (result->detail);
    if (result->next != NULL)
        rf_ctl_print (4, result->next);
    print_raw (result->command);
}

void
rf_ctl_print_checks (RfCtl *ctl)
{
    g_autoptr (RfCheckInput) input = rf_check_input_read (ctl->sysroot);
    g_autoptr (GPtrArray) results = rf_check_run (input);
    g_autoptr (GString) fine = g_string_new (NULL);
    rf_ctl_heading (_ ("Check before tuning"));
    if (rf_check_count (results, RF_CHECK_LOOK) == 0)
        rf_ctl_print (2, _ ("Nothing has to be looked at first."));
    for (guint i = 0; i < results->len; i++) {
        const RfCheckResult *result = results->pdata[i];
        if (result->verdict == RF_CHECK_FINE)
            g_string_append_printf (fine, "%s%s", fine->len > 0 ? C_ ("findings", " · ") : "", result->title);
        else
            print_result (result, result->verdict == RF_CHECK_UNKNOWN ? "?" : result->danger ? "‼" : "!");
    }
    g_autofree char *text = g_strdup_printf (_ ("Fine: %s"), fine->str);
    if (fine->len > 0)
        rf_ctl_print (2, text);
}

void
rf_ctl_json_checks (RfCtl *ctl, RfJson *json)
{
    g_autoptr (RfCheckInput) input = rf_check_input_read (ctl->sysroot);
    g_autoptr (GPtrArray) results = rf_check_run (input);
    rf_json_begin_array (json, "checks");
    for (guint i = 0; i < results->len; i++) {
        const RfCheckResult *result = results->pdata[i];
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "id", result->id);
        rf_json_string (json, "verdict", rf_check_verdict_nick (result->verdict));
        rf_json_bool (json, "danger", result->danger);
        rf_json_string (json, "title", result->title);
        rf_json_string (json, "evidence", result->evidence);
        rf_json_string (json, "next", result->next);
        rf_json_string (json, "command", result->command);
        rf_json_string (json, "detail", result->detail);
        rf_json_end_object (json);
    }
    rf_json_end_array (json);
}
