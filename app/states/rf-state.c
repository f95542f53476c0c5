#define G_LOG_DOMAIN "rf-state"
#include "config.h"

#include "rf-state.h"

#include "rf-message.h"
#include "rf-power.h"
#include "rf-snippet.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

/* How long it is said that an interrupted change was put back; after that it is history. Seconds. */
#define RECOVERED_FOR (24 * 60 * 60)

static const char *const nicks[] = {
    "helper-missing", "helper-older", "program-older", "half-applied", "container", "read-only",
    "recovered",      "kernel-drift", "immutable",     "ostree",       "no-psi",    "battery",
    "not-authorized", "no-agent",     "no-answer",     "refused",      "journal",
};
G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_N_STATES);

const char *
rf_state_nick (RfState state)
{
    g_return_val_if_fail ((guint)state < RF_N_STATES, "");
    return nicks[state];
}

const char *
rf_state_action_label (RfStateAction action)
{
    static const char *const labels[] = {
        [RF_STATE_ACTION_NONE] = NULL,
        [RF_STATE_ACTION_LOOK_AGAIN] = N_ ("_Look again"),
        [RF_STATE_ACTION_RESTART_HELPER] = N_ ("_Restart the helper"),
        [RF_STATE_ACTION_RESTART_PROGRAM] = N_ ("_Restart this window"),
        [RF_STATE_ACTION_SHOW_CHANGES] = N_ ("_Look at it"),
        [RF_STATE_ACTION_TAKE_BACK] = N_ ("_Put it back now"),
        [RF_STATE_ACTION_TRY_AGAIN] = N_ ("_Try again"),
        [RF_STATE_ACTION_APPLY_AGAIN] = N_ ("_Apply again as a trial"),
        [RF_STATE_ACTION_ANYWAY] = N_ ("_Try anyway"),
        [RF_STATE_ACTION_LEAVE_OUT] = N_ ("_Leave it out"),
    };
    G_STATIC_ASSERT (G_N_ELEMENTS (labels) == RF_STATE_N_ACTIONS);
    g_return_val_if_fail ((guint)action < RF_STATE_N_ACTIONS, NULL);
    return labels[action] != NULL ? _ (labels[action]) : NULL;
}

void
rf_state_info_free (RfStateInfo *self)
{
    if (self == NULL)
        return;
    g_free (self->sentence);
    g_free (self->detail);
    g_free (self->snippet);
    g_free (self->instance);
    g_free (self);
}

int
rf_state_compare_versions (const char *a, const char *b)
{
    g_return_val_if_fail (a != NULL && b != NULL, 0);
    while (g_ascii_isdigit (*a) || g_ascii_isdigit (*b)) {
        guint64 left = g_ascii_strtoull (a, (char **)&a, 10), right = g_ascii_strtoull (b, (char **)&b, 10);
        if (left != right)
            return left < right ? -1 : 1;
        if (*a == '.')
            a++;
        if (*b == '.')
            b++;
    }
    return 0;
}

void
rf_state_look (RfStateInput *input, RfClient *client, RfSysroot *sysroot, const RfFacts *facts)
{
    g_return_if_fail (input != NULL && RF_IS_SYSROOT (sysroot) && facts != NULL);
    input->facts = facts;
    input->own_version = PACKAGE_VERSION;
    input->on_battery = rf_power_on_battery (sysroot);
    input->now = g_get_real_time () / G_USEC_PER_SEC;
    if (client != NULL) {
        input->helper_known = rf_client_is_known (client);
        input->helper_available = rf_client_get_available (client);
        input->helper_version = rf_client_get_helper_version (client);
        input->restarting = rf_client_is_restarting (client);
        input->bus_error = rf_client_get_bus_error (client);
    }
    g_autofree char *pressure = rf_sysroot_read_avail (sysroot, "proc/pressure/memory", NULL, &input->psi);
    input->kernel_argument = NULL;
    if (input->psi != RF_AVAIL_OFF)
        return;
    /* interned: there is one for a machine */
    g_autofree char *argument = rf_snippet_kernel_argument (sysroot, facts, "psi=1");
    input->kernel_argument = g_intern_string (argument);
}

/* ---- one function for each group: fills in @info, or says that the state does not hold */

static gboolean
helper_missing (const RfStateInput *input, RfStateInfo *info)
{
    static const char *const debian[] = {"debian", "ubuntu", "linuxmint", "pop", "raspbian", NULL};
    if (!input->helper_known || input->helper_available)
        return FALSE;
    g_autoptr (GError) error = g_error_new_literal (G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN, "");
    info->sentence = rf_message_from_error (input->bus_error != NULL ? input->bus_error : error);
    if (input->bus_error != NULL)
        return TRUE;
    info->action = RF_STATE_ACTION_LOOK_AGAIN;
    if (input->facts != NULL && input->facts->distribution_id != NULL
        && g_strv_contains (debian, input->facts->distribution_id))
        info->snippet = g_strdup ("sudo apt install --reinstall ruckelfrei");
    return TRUE;
}

static gboolean
versions (const RfStateInput *input, RfStateInfo *info)
{
    if (input->helper_version == NULL || input->own_version == NULL)
        return FALSE;
    int order = rf_state_compare_versions (input->helper_version, input->own_version);
    if (info->state == RF_STATE_HELPER_OLDER && order < 0) {
        info->sentence = g_strdup_printf (_ ("An older helper is still running: it is version %1$s, this program is %2$s."),
                                          input->helper_version, input->own_version);
        info->detail = g_strdup (_ ("After an update the old helper stays until it has nothing to do; a trial ends first. "
                                    "Restarting it takes up to half a minute and changes no setting."));
        info->action = RF_STATE_ACTION_RESTART_HELPER;
        if (!input->restarting)
            return TRUE;
        g_free (info->detail);
        info->detail = g_strdup (_ ("Waiting until the old helper has nothing to do and leaves…"));
        info->action = RF_STATE_ACTION_NONE;
        return TRUE;
    }
    if (info->state == RF_STATE_PROGRAM_OLDER && order > 0) {
        info->sentence = g_strdup_printf (
            _ ("This program is older than the helper: it is version %2$s, the helper is %1$s."), input->helper_version,
            input->own_version);
        info->detail = g_strdup (_ ("Ruckelfrei was updated while this was running. The new version is there after a "
                                    "restart of the program; no setting changes."));
        info->action = RF_STATE_ACTION_RESTART_PROGRAM;
        return TRUE;
    }
    return FALSE;
}

static char *
entry_titles (const RfRecord *record, const RfFacts *facts)
{
    GString *text = g_string_new (NULL);
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, facts);
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", title);
    }
    return g_string_free (text, FALSE);
}

static gboolean
half_applied (const RfStateInput *input, RfStateInfo *info)
{
    for (guint i = input->records != NULL ? input->records->len : 0; i-- > 0;) {
        const RfRecord *record = g_ptr_array_index (input->records, i);
        if (record->state != RF_RECORD_PENDING && record->state != RF_RECORD_KEEPING
            && record->state != RF_RECORD_REVERTING)
            continue;
        g_autofree char *titles = entry_titles (record, input->facts);
        info->sentence = g_strdup (_ ("An earlier change has stopped half-way, and not everything could be put back yet."));
        /* TRANSLATORS: %s is a list of settings */
        info->detail = g_strdup_printf (_ ("It is about: %s. The helper tries again whenever it starts."), titles);
        info->action = RF_STATE_ACTION_TAKE_BACK;
        return TRUE;
    }
    return FALSE;
}

static gboolean
recovered (const RfStateInput *input, RfStateInfo *info)
{
    if (input->records == NULL || input->records->len == 0)
        return FALSE;
    const RfRecord *record = g_ptr_array_index (input->records, input->records->len - 1);
    if (record->state != RF_RECORD_REVERTED || record->reason != RF_REASON_RECOVERY
        || record->changed + RECOVERED_FOR < input->now)
        return FALSE;
    g_autofree char *titles = entry_titles (record, input->facts);
    info->sentence = g_strdup (_ ("A change was interrupted, and the helper has put everything back as it was before."));
    /* TRANSLATORS: %s is a list of settings */
    info->detail = g_strdup_printf (_ ("It was about: %s. The old values had been noted before anything was written."), titles);
    info->action = RF_STATE_ACTION_SHOW_CHANGES;
    return TRUE;
}

static gboolean
only_looking (const RfStateInput *input, RfStateInfo *info)
{
    const RfFacts *facts = input->facts;
    if (facts == NULL)
        return FALSE;
    if (info->state == RF_STATE_CONTAINER && facts->container != NULL) {
        /* TRANSLATORS: %s is the name of a kind of container: "docker" */
        info->sentence = g_strdup_printf (
            _ ("This system runs in a container (%s), so Ruckelfrei can look here but change nothing."), facts->container);
        info->detail = g_strdup (_ ("Kernel settings belong to the host. What you see here is true for it, too: install "
                                    "Ruckelfrei there, and this command shows what it would change."));
        info->snippet = g_strdup ("ruckelfreictl plan");
        return TRUE;
    }
    if (info->state == RF_STATE_READ_ONLY && facts->container == NULL && facts->sysctl_read_only) {
        info->sentence = g_strdup (
            _ ("The kernel’s settings are write-protected here, so Ruckelfrei can look but change nothing."));
        info->detail = g_strdup (_ ("/proc/sys is mounted read-only. That is usual inside of containers and in some rescue "
                                    "systems; if this is neither, this command undoes it until the next start."));
        info->snippet = g_strdup ("sudo mount -o remount,rw /proc/sys");
        return TRUE;
    }
    return FALSE;
}

static gboolean
immutable (const RfStateInput *input, RfStateInfo *info)
{
    if (input->facts == NULL || input->facts->container != NULL)
        return FALSE;
    if (info->state == RF_STATE_OSTREE && input->facts->immutable == RF_IMMUTABLE_OSTREE) {
        info->sentence = g_strdup (_ ("This is an image-based system (ostree), and settings can be tried and kept as usual."));
        info->detail = g_strdup (_ ("They are kept below /etc, which updates leave alone. Only /usr cannot be written, and "
                                    "arguments of the kernel are added with “rpm-ostree kargs”."));
        return TRUE;
    }
    gboolean nix = input->facts->immutable == RF_IMMUTABLE_NIXOS;
    if (info->state != RF_STATE_IMMUTABLE || !(nix || input->facts->immutable == RF_IMMUTABLE_GUIX))
        return FALSE;
    /* TRANSLATORS: %s is "NixOS" or "Guix" */
    info->sentence = g_strdup_printf (
        _ ("On %s settings can be tried here, but are kept in the configuration of the system."), nix ? "NixOS" : "Guix");
    info->snippet = input->plan != NULL ? rf_snippet_configuration (input->plan, input->facts) : NULL;
    if (info->snippet == NULL)
        info->detail = g_strdup (_ ("The guided tuning writes down the lines for it, before the trial and after it."));
    else if (nix)
        info->detail = g_strdup (_ ("To keep them, put these lines into a module of /etc/nixos and run “sudo nixos-rebuild "
                                    "switch”."));
    else
        info->detail = g_strdup (_ ("To keep them, put these services into /etc/config.scm and run “sudo guix system "
                                    "reconfigure /etc/config.scm”."));
    return TRUE;
}

static gboolean
no_psi (const RfStateInput *input, RfStateInfo *info)
{
    if (input->psi == RF_AVAIL_OK || (input->psi != RF_AVAIL_OFF && input->psi != RF_AVAIL_NO_FILE))
        return FALSE;
    if (input->psi == RF_AVAIL_NO_FILE) {
        info->sentence = g_strdup (_ ("This kernel cannot tell how long programs wait, because it was built without PSI."));
        info->detail = g_strdup (_ ("Ruckelfrei still counts how often they wait. The seconds are there with a kernel that "
                                    "has CONFIG_PSI, as those of the large distributions do."));
        return TRUE;
    }
    info->sentence = g_strdup (_ ("This kernel does not tell how long programs wait, because PSI is switched off."));
    info->snippet = g_strdup (input->kernel_argument);
    info->detail = g_strdup (
        info->snippet != NULL
            ? _ ("Ruckelfrei still counts how often they wait. To see the seconds, too, add “psi=1” to the start of the "
                 "kernel like this, and restart.")
            : _ ("Ruckelfrei still counts how often they wait. To see the seconds, too, add “psi=1” to the command line of "
                 "the kernel in the configuration of your boot loader, and restart."));
    return TRUE;
}

static gboolean
battery (const RfStateInput *input, RfStateInfo *info)
{
    if (!input->on_battery)
        return FALSE;
    info->sentence = g_strdup (_ ("The machine runs on its battery, and what you see in a trial now would mislead."));
    info->detail = g_strdup (_ ("Saving power makes processor and drives slower, so before and after cannot be compared. "
                                "Plug it in first, if you can."));
    info->action = RF_STATE_ACTION_ANYWAY;
    return TRUE;
}

/* ---- drift after a change of the kernel */

static const RfRecord *
find_record (const RfStateInput *input, const char *id)
{
    for (guint i = 0; i < input->records->len; i++) {
        const RfRecord *record = g_ptr_array_index (input->records, i);
        if (g_str_equal (record->id, id))
            return record;
    }
    return NULL;
}

static const RfRecordEntry *
find_entry (const RfRecord *record, const RfDrift *row)
{
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->tunable == row->tunable && g_str_equal (entry->instance, row->instance))
            return entry;
    }
    return NULL;
}

/* Returns: what row number @index of the drift was kept as, under which kernel; NULL if that one still runs or it is as kept */
static const RfRecordEntry *
drifted_since (const RfStateInput *input, guint index, const char **kernel)
{
    const RfDrift *row = g_ptr_array_index (input->drift, index);
    const RfRecord *record = find_record (input, row->record_id);
    if (!g_str_equal (row->verdict, "drifted") || record == NULL || record->state != RF_RECORD_KEPT
        || record->kernel_release == NULL || *record->kernel_release == '\0'
        || g_strcmp0 (record->kernel_release, input->facts->kernel_release) == 0)
        return NULL;
    *kernel = record->kernel_release;
    return find_entry (record, row);
}

static gboolean
can_drift (const RfStateInput *input)
{
    return input->records != NULL && input->drift != NULL && input->facts != NULL
           && input->facts->kernel_release != NULL;
}

static gboolean
kernel_drift (const RfStateInput *input, RfStateInfo *info)
{
    g_autoptr (GString) list = g_string_new (NULL);
    const char *from = NULL;
    for (guint i = 0; can_drift (input) && i < input->drift->len; i++) {
        const RfRecordEntry *entry = drifted_since (input, i, &from);
        if (entry == NULL)
            continue;
        const RfDrift *row = g_ptr_array_index (input->drift, i);
        g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, input->facts);
        g_autofree char *change = rf_setting_change_text (entry->tunable, &entry->ours, &row->now);
        g_string_append_printf (list, "%s%s: %s", list->len > 0 ? "\n" : "", title, change);
    }
    if (list->len == 0)
        return FALSE;
    /* TRANSLATORS: two versions of the kernel: "6.1.0-18-amd64" */
    info->sentence = g_strdup_printf (
        _ ("Since you kept this the kernel has changed from %1$s to %2$s, and not everything is as you kept it."), from,
        input->facts->kernel_release);
    info->detail = g_strdup (list->str);
    info->action = RF_STATE_ACTION_APPLY_AGAIN;
    return TRUE;
}

RfPlan *
rf_state_drift_plan (const RfStateInput *input)
{
    g_return_val_if_fail (input != NULL, NULL);
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    const char *from = NULL;
    for (guint i = 0; can_drift (input) && i < input->drift->len; i++) {
        const RfRecordEntry *entry = drifted_since (input, i, &from);
        if (entry != NULL)
            rf_plan_builder_set (builder, entry->tunable, entry->instance, &entry->ours);
    }
    return rf_plan_builder_finish (builder, NULL);
}

/* ---- the table */

static const struct {
    gboolean grave;
    gboolean (*fill) (const RfStateInput *input, RfStateInfo *info);
} table[] = {
    [RF_STATE_HELPER_MISSING] = {TRUE, helper_missing}, [RF_STATE_HELPER_OLDER] = {TRUE, versions},
    [RF_STATE_PROGRAM_OLDER] = {TRUE, versions},        [RF_STATE_HALF_APPLIED] = {TRUE, half_applied},
    [RF_STATE_CONTAINER] = {FALSE, only_looking},       [RF_STATE_READ_ONLY] = {FALSE, only_looking},
    [RF_STATE_RECOVERED] = {FALSE, recovered},          [RF_STATE_KERNEL_DRIFT] = {TRUE, kernel_drift},
    [RF_STATE_IMMUTABLE] = {FALSE, immutable},          [RF_STATE_OSTREE] = {FALSE, immutable},
    [RF_STATE_NO_PSI] = {FALSE, no_psi},                [RF_STATE_BATTERY] = {TRUE, battery},
};
G_STATIC_ASSERT (G_N_ELEMENTS (table) == RF_STATE_NOT_AUTHORIZED);

RfStateInfo *
rf_state_get (RfState state, const RfStateInput *input)
{
    g_return_val_if_fail ((guint)state < G_N_ELEMENTS (table) && input != NULL, NULL);
    g_autoptr (RfStateInfo) info = g_new0 (RfStateInfo, 1);
    info->state = state;
    info->grave = table[state].grave;
    return table[state].fill (input, info) ? g_steal_pointer (&info) : NULL;
}

GPtrArray *
rf_state_list (const RfStateInput *input)
{
    g_return_val_if_fail (input != NULL, NULL);
    GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_state_info_free);
    for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
        RfStateInfo *info = rf_state_get ((RfState)i, input);
        if (info != NULL)
            g_ptr_array_add (list, info);
    }
    return list;
}
