#define G_LOG_DOMAIN "rf-ctl-revert"
#include "config.h"

#include "rf-ctl.h"
#include "rf-ctl-revert.h"
#include "rf-error.h"
#include "rf-tunable-text.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n.h>

static char *helper_program = NULL;

void
rf_ctl_set_helper_program (const char *path)
{
    g_free (helper_program);
    helper_program = g_strdup (path);
}

static const RfRecord *
newest_trial (GPtrArray *records)
{
    for (guint i = records->len; i > 0; i--) {
        const RfRecord *record = g_ptr_array_index (records, i - 1);
        if (record->state == RF_RECORD_TRIAL)
            return record;
    }
    return NULL;
}

static gboolean
has_left_alone (const RfRecord *record)
{
    for (guint i = 0; i < record->entries->len; i++)
        if (((RfRecordEntry *)g_ptr_array_index (record->entries, i))->state == RF_ENTRY_LEFT_ALONE)
            return TRUE;
    return FALSE;
}

static RfExit
print_records (RfCtl *ctl, GPtrArray *records)
{
    gboolean left_alone = FALSE;
    for (guint i = 0; i < records->len; i++)
        left_alone |= has_left_alone (g_ptr_array_index (records, i));
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_array (json, NULL);
        for (guint i = 0; i < records->len; i++)
            rf_ctl_json_record (json, NULL, g_ptr_array_index (records, i));
        rf_json_end_array (json);
        rf_ctl_print_json (json);
    } else {
        for (guint i = 0; i < records->len; i++)
            rf_ctl_print_record (g_ptr_array_index (records, i));
        if (records->len == 0)
            rf_ctl_print (0, _ ("There is nothing to take back."));
        if (left_alone)
            rf_ctl_print (0, _ ("What somebody else has changed was left alone. This takes it back too:"));
        /* by name: the record counts as taken back now, so "--all" would no longer touch it */
        for (guint i = 0; i < records->len; i++) {
            const RfRecord *record = g_ptr_array_index (records, i);
            g_autofree char *command = g_strdup_printf ("ruckelfreictl revert %s --force", record->id);
            if (has_left_alone (record))
                rf_ctl_print (2, command);
        }
    }
    return left_alone ? RF_EXIT_CONFLICT : RF_EXIT_OK;
}

static RfExit
print_one (RfCtl *ctl, RfRecord *record)
{
    g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
    g_ptr_array_add (records, record);
    return print_records (ctl, records);
}

RfExit
rf_ctl_keep (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GAsyncResult) result = NULL;
    g_autofree char *id = g_strdup (ctl->args[0]);
    if (id == NULL) {
        g_autoptr (GPtrArray) records = rf_ctl_list (ctl, &error);
        if (records == NULL)
            return rf_ctl_fail (ctl, error);
        const RfRecord *trial = newest_trial (records);
        if (trial == NULL) {
            g_set_error_literal (&error, RF_ERROR, RF_ERROR_STATE, "nothing is on trial");
            return rf_ctl_fail (ctl, error);
        }
        id = g_strdup (trial->id);
    }
    if (!rf_record_id_valid (id))
        return rf_ctl_usage (ctl, _ ("“%s” is not the name of a record."), id);
    rf_client_keep_async (rf_ctl_connect (ctl), id, rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    RfRecord *record = rf_client_keep_finish (ctl->client, result, &error);
    return record != NULL ? print_one (ctl, record) : rf_ctl_fail (ctl, error);
}

/* From a rescue shell: no bus, but root. The helper does the same work as a plain program. */
static RfExit
run_helper (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    int status = 0;
    char *argv[] = {helper_program != NULL ? helper_program : (char *)RF_HELPER, (char *)"--revert-all",
                    ctl->force ? (char *)"--force" : NULL, NULL};
    if (!ctl->json)
        rf_ctl_print (0, _ ("There is no connection to the helper; it is started directly."));
    if (!g_spawn_sync (NULL, argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, &error)) {
        g_printerr ("ruckelfreictl: %s\n", error->message);
        return RF_EXIT_NO_HELPER;
    }
    if (!g_spawn_check_wait_status (status, &error))
        return WIFEXITED (status) && WEXITSTATUS (status) == RF_EXIT_CONFLICT ? RF_EXIT_CONFLICT : RF_EXIT_FAILED;
    if (!ctl->json)
        rf_ctl_print (0, _ ("Everything is taken back."));
    return RF_EXIT_OK;
}

/* What could be read has been taken back all the same; only what cannot be understood stays. */
static RfExit
print_partly (RfCtl *ctl, const GError *error)
{
    g_autoptr (GPtrArray) records = ctl->json ? NULL : rf_ctl_list (ctl, NULL);
    if (records == NULL)
        return rf_ctl_fail (ctl, error);
    g_autoptr (RfStateInfo) info = rf_state_partly_reverted (records);
    rf_ctl_print_state (0, info);
    for (guint i = 0; i < records->len; i++)
        if (((const RfRecord *)g_ptr_array_index (records, i))->state != RF_RECORD_REVERTED)
            rf_ctl_print_record (g_ptr_array_index (records, i));
    return RF_EXIT_FAILED;
}

static RfExit
revert_all (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GAsyncResult) result = NULL;
    rf_client_revert_all_async (rf_ctl_connect (ctl), ctl->force, rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    g_autoptr (GPtrArray) records = rf_client_revert_all_finish (ctl->client, result, &error);
    if (records != NULL)
        return print_records (ctl, records);
    if (geteuid () == 0 && rf_ctl_helper_missing (error))
        return run_helper (ctl);
    return g_error_matches (error, RF_ERROR, RF_ERROR_JOURNAL) ? print_partly (ctl, error) : rf_ctl_fail (ctl, error);
}

static RfExit
revert_entry (RfCtl *ctl, const char *id, const char *name)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GAsyncResult) result = NULL;
    g_auto (GStrv) parts = g_strsplit (name, "@", 2);
    const RfTunable *tunable = rf_tunable_find (parts[0]);
    if (tunable == NULL)
        return rf_ctl_usage (ctl, _ ("No setting is called “%s”. “ruckelfreictl list” names them."), parts[0]);
    rf_client_revert_entry_async (rf_ctl_connect (ctl), id, tunable, parts[1] != NULL ? parts[1] : "", ctl->force,
                                  rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    RfRecord *record = rf_client_revert_entry_finish (ctl->client, result, &error);
    return record != NULL ? print_one (ctl, record) : rf_ctl_fail (ctl, error);
}

RfExit
rf_ctl_revert (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GAsyncResult) result = NULL;
    const char *id = ctl->args[0];
    if (ctl->all && id != NULL)
        return rf_ctl_usage (ctl, _ ("Either a record or --all, not both."));
    if (ctl->all)
        return revert_all (ctl);
    if (id == NULL)
        return rf_ctl_usage (ctl, _ ("Which record? “ruckelfreictl records” names them; --all takes back everything."));
    if (!rf_record_id_valid (id))
        return rf_ctl_usage (ctl, _ ("“%s” is not the name of a record."), id);
    if (ctl->n_args == 2)
        return revert_entry (ctl, id, ctl->args[1]);
    rf_client_revert_async (rf_ctl_connect (ctl), id, ctl->force, rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    RfRecord *record = rf_client_revert_finish (ctl->client, result, &error);
    return record != NULL ? print_one (ctl, record) : rf_ctl_fail (ctl, error);
}
