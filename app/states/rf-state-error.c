/* What went wrong just now: what the helper or the bus answered to an attempt. */
#define G_LOG_DOMAIN "rf-state"
#include "config.h"

#include "rf-state.h"

#include "rf-error.h"
#include "rf-message.h"
#include "rf-snippet.h"
#include "rf-tunable-text.h"

#include <string.h>

#include <glib/gi18n.h>

/* The helper begins its detail with the id of the setting in quotes, and " of DEVICE" behind it where there is one; an
 * error of the file system names the path instead. */
static void
find_setting (const char *detail, const RfPlan *plan, RfStateInfo *info)
{
    for (guint i = 0; plan != NULL && i < rf_plan_length (plan); i++) {
        const RfChange *change = rf_plan_get (plan, i);
        g_autofree char *quoted = g_strdup_printf ("'%s'", change->tunable->id);
        g_autofree char *path = change->tunable->path != NULL && change->tunable->backend == RF_BACKEND_SYSCTL
                                    ? g_strdup (change->tunable->path)
                                    : g_strdup_printf ("%s/queue/%s", change->instance, change->tunable->path);
        gboolean named = strstr (detail, quoted) != NULL
                         && (change->instance[0] == '\0' || strstr (detail, change->instance) != NULL);
        if (!named && (change->tunable->path == NULL || strstr (detail, path) == NULL))
            continue;
        info->tunable = change->tunable;
        info->instance = g_strdup (change->instance);
        return;
    }
}

static void
explain_refusal (const GError *error, const RfPlan *plan, RfStateInfo *info)
{
    find_setting (error->message, plan, info);
    /* with one setting only, nothing would be left to apply */
    gboolean others = info->tunable != NULL && rf_plan_length (plan) > 1;
    info->action = others ? RF_STATE_ACTION_LEAVE_OUT : RF_STATE_ACTION_TRY_AGAIN;
    if (info->tunable == NULL)
        return;
    g_autofree char *title = rf_setting_title (info->tunable, info->instance, NULL);
    /* TRANSLATORS: %s is a setting */
    info->detail = others ? g_strdup_printf (_ ("It is about “%s”. Without it the others can be tried."), title)
                          : g_strdup_printf (_ ("It is about “%s”."), title);
}

static RfState
state_of_error (const GError *error)
{
    if (error->domain == RF_ERROR) {
        switch (error->code) {
        case RF_ERROR_NOT_AUTHORIZED:
        case RF_ERROR_DISMISSED:
            return RF_STATE_NOT_AUTHORIZED;
        case RF_ERROR_NO_AGENT:
            return RF_STATE_NO_AGENT;
        case RF_ERROR_AUTHORITY_GONE:
        case RF_ERROR_CALLER_GONE:
        case RF_ERROR_BUSY:
        case RF_ERROR_NO_MEMORY:
            return RF_STATE_NO_ANSWER;
        case RF_ERROR_REFUSED:
        case RF_ERROR_MISMATCH:
        case RF_ERROR_UNAVAILABLE:
            return RF_STATE_REFUSED;
        case RF_ERROR_JOURNAL:
            return RF_STATE_JOURNAL;
        case RF_ERROR_INVALID:
            return RF_STATE_PROGRAM_OLDER;
        default:
            return RF_N_STATES;
        }
    }
    if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD)
        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_INTERFACE)
        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS))
        return RF_STATE_PROGRAM_OLDER;
    if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
        || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER))
        return RF_STATE_HELPER_MISSING;
    return RF_N_STATES;
}

RfStateInfo *
rf_state_from_error (const GError *error, const RfPlan *plan)
{
    g_return_val_if_fail (error != NULL, NULL);
    RfState state = state_of_error (error);
    if (state == RF_N_STATES)
        return NULL;
    RfStateInfo *info = g_new0 (RfStateInfo, 1);
    info->state = state;
    info->grave = !rf_message_is_quiet (error);
    info->sentence = rf_message_from_error (error);
    info->action = RF_STATE_ACTION_TRY_AGAIN;
    switch (state) {
    case RF_STATE_NO_AGENT:
        info->snippet = plan != NULL ? rf_snippet_command (plan) : NULL;
        break;
    case RF_STATE_REFUSED:
        explain_refusal (error, plan, info);
        break;
    case RF_STATE_JOURNAL:
        info->snippet = g_strdup ("sudo ruckelfreictl revert --all --force");
        info->detail = g_strdup (_ ("This command takes back what can be read and puts the damaged notes aside."));
        break;
    case RF_STATE_PROGRAM_OLDER:
        info->action = RF_STATE_ACTION_RESTART_PROGRAM;
        break;
    default:
        break;
    }
    return info;
}

RfStateInfo *
rf_state_partly_reverted (const GPtrArray *records)
{
    RfStateInfo *info = g_new0 (RfStateInfo, 1);
    guint left = 0;
    for (guint i = 0; records != NULL && i < records->len; i++)
        left += ((const RfRecord *)g_ptr_array_index (records, i))->state != RF_RECORD_REVERTED ? 1 : 0;
    info->state = RF_STATE_JOURNAL;
    info->grave = TRUE;
    info->sentence = g_strdup (records != NULL && left == 0
                                   ? _ ("All that the readable notes tell of is taken back.")
                                   : _ ("Not all that the readable notes tell of could be taken back."));
    info->detail = g_strdup (_ ("Notes that cannot be read stay, and what was changed with them was not taken back. This "
                                "command puts them aside and removes the files of Ruckelfrei:"));
    info->snippet = g_strdup ("sudo ruckelfreictl revert --all --force");
    return info;
}
