#define G_LOG_DOMAIN "rf-ctl-records"
#include "config.h"

#include "rf-ctl.h"
#include "rf-tunable-text.h"

#include <string.h>

#include <glib/gi18n.h>

RfExit
rf_ctl_records (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) records = rf_ctl_list (ctl, &error);
    if (records == NULL)
        return rf_ctl_fail (ctl, error);
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_array (json, NULL);
        for (guint i = 0; i < records->len; i++)
            rf_ctl_json_record (json, NULL, g_ptr_array_index (records, i));
        rf_json_end_array (json);
        rf_ctl_print_json (json);
        return RF_EXIT_OK;
    }
    for (guint i = 0; i < records->len; i++)
        rf_ctl_print_record (g_ptr_array_index (records, i));
    if (records->len == 0)
        rf_ctl_print (0, _ ("Ruckelfrei has not changed anything yet."));
    return RF_EXIT_OK;
}

static const char *
drift_text (const char *verdict)
{
    static const struct {
        const char *nick;
        const char *text;
    } words[] = {
        {"as-kept", NC_ ("drift", "as kept")},
        {"drifted", NC_ ("drift", "drifted: somebody else has changed it")},
        {"unreachable", NC_ ("drift", "cannot be read now")},
        {"file-missing", NC_ ("drift", "as kept, but the file that brings it back at boot is missing")},
        {"file-edited", NC_ ("drift", "as kept, but the file that brings it back at boot was edited")},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        if (g_str_equal (words[i].nick, verdict))
            return g_dpgettext2 (NULL, "drift", words[i].text);
    return verdict;
}

static GPtrArray *
check_drift (RfCtl *ctl, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    rf_client_check_async (rf_ctl_connect (ctl), rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    return rf_client_check_finish (ctl->client, result, error);
}

static const RfRecord *
find_trial (GPtrArray *records)
{
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        if (record->state == RF_RECORD_TRIAL)
            return record;
    }
    return NULL;
}

/* Returns: (transfer full) (element-type RfStateInfo): what the Changes page of the window says on top */
static GPtrArray *
list_states (RfCtl *ctl, GPtrArray *records, GPtrArray *drift)
{
    static const RfState states[] = {RF_STATE_HELPER_OLDER, RF_STATE_PROGRAM_OLDER, RF_STATE_HALF_APPLIED,
                                     RF_STATE_RECOVERED, RF_STATE_KERNEL_DRIFT};
    RfStateInput input = {.records = records, .drift = drift};
    g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_state_info_free);
    rf_state_look (&input, ctl->client, ctl->sysroot, ctl->facts);
    for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
        RfStateInfo *info = rf_state_get (states[i], &input);
        if (info != NULL)
            g_ptr_array_add (list, info);
    }
    return g_steal_pointer (&list);
}

static void
status_json (GPtrArray *records, GPtrArray *drift, GPtrArray *states)
{
    const RfRecord *trial = find_trial (records);
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_object (json, NULL);
    if (trial != NULL)
        rf_ctl_json_record (json, "trial", trial);
    else
        rf_json_null (json, "trial");
    rf_json_begin_array (json, "applied");
    for (guint i = 0; i < drift->len; i++) {
        const RfDrift *row = g_ptr_array_index (drift, i);
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "record", row->record_id);
        rf_json_string (json, "id", row->tunable->id);
        rf_json_string (json, "instance", *row->instance != '\0' ? row->instance : NULL);
        rf_ctl_json_value (json, "now", &row->now);
        rf_json_string (json, "verdict", row->verdict);
        rf_json_end_object (json);
    }
    rf_json_end_array (json);
    rf_json_begin_array (json, "states");
    for (guint i = 0; i < states->len; i++)
        rf_json_string (json, NULL, rf_state_nick (((const RfStateInfo *)g_ptr_array_index (states, i))->state));
    rf_json_end_array (json);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
}

static void
status_text (GPtrArray *records, GPtrArray *drift, GPtrArray *states)
{
    const RfRecord *trial = find_trial (records);
    for (guint i = 0; i < states->len; i++)
        rf_ctl_print_state (0, g_ptr_array_index (states, i));
    if (trial != NULL) {
        rf_ctl_print (0, _ ("On trial; it goes back by itself unless it is kept:"));
        rf_ctl_print_record (trial);
    }
    if (drift->len == 0) {
        rf_ctl_print (0, _ ("Nothing of Ruckelfrei is in force."));
        return;
    }
    rf_ctl_print (0, _ ("In force now:"));
    for (guint i = 0; i < drift->len; i++) {
        const RfDrift *row = g_ptr_array_index (drift, i);
        g_autofree char *kernel = rf_tunable_kernel_name (row->tunable, row->instance, &row->now);
        g_autofree char *now = rf_value_text (row->tunable, &row->now);
        g_autofree char *line = g_strdup_printf ("%s: %s (%s)", kernel, now, drift_text (row->verdict));
        rf_ctl_print (2, line);
    }
}

RfExit
rf_ctl_status (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) records = rf_ctl_list (ctl, &error);
    g_autoptr (GPtrArray) drift = records != NULL ? check_drift (ctl, &error) : NULL;
    if (drift == NULL)
        return rf_ctl_fail (ctl, error);
    rf_ctl_look (ctl);
    g_autoptr (GPtrArray) states = list_states (ctl, records, drift);
    if (ctl->json)
        status_json (records, drift, states);
    else
        status_text (records, drift, states);
    return RF_EXIT_OK;
}
