/* What is not as it should be: every state with its sentence and its button, and the text to copy. No display. */
#include "config.h"

#include "rf-error.h"
#include "rf-snippet.h"
#include "rf-state.h"
#include "rf-test-tree.h"
#include "rf-tunable-text.h"

#include <string.h>

#define ID "20261130T140300Z-1a2b3c4d"

typedef struct {
    RfTestTree *tree;
    RfFacts *facts;
    RfStateInput input;
} Fixture;

static void
set_up (Fixture *f, gconstpointer machine)
{
    f->tree = rf_test_tree_new (machine);
    f->facts = rf_facts_read (rf_test_tree_sysroot (f->tree));
    f->input = (RfStateInput){.helper_known = TRUE,
                              .helper_available = TRUE,
                              .own_version = "1.2.0",
                              .facts = f->facts,
                              .psi = RF_AVAIL_OK,
                              .now = 1796047380};
}

static void
tear_down (Fixture *f, gconstpointer machine)
{
    rf_facts_unref (f->facts);
    rf_test_tree_free (f->tree);
}

static void
assert_words (const RfStateInfo *info)
{
    g_test_message ("%s: %s | %s | %s", rf_state_nick (info->state), info->sentence, info->detail, info->snippet);
    g_assert_true (g_utf8_validate (info->sentence, -1, NULL));
    g_assert_true (g_ascii_isupper (info->sentence[0]));
    g_assert_true (g_str_has_suffix (info->sentence, ".") || g_str_has_suffix (info->sentence, ")"));
    g_assert_true (info->detail == NULL || *info->detail != '\0');
}

/* Exactly @state holds, or none if it is RF_N_STATES. */
static RfStateInfo *
only (const RfStateInput *input, RfState state)
{
    g_autoptr (GPtrArray) list = rf_state_list (input);
    for (guint i = 0; i < list->len; i++) {
        const RfStateInfo *info = g_ptr_array_index (list, i);
        assert_words (info);
        g_assert_cmpstr (rf_state_nick (info->state), ==, state != RF_N_STATES ? rf_state_nick (state) : "none");
    }
    g_assert_cmpuint (list->len, ==, state != RF_N_STATES ? 1 : 0);
    return state != RF_N_STATES ? g_ptr_array_steal_index (list, 0) : NULL;
}

static void
test_nothing (Fixture *f, gconstpointer data)
{
    g_assert_null (only (&f->input, RF_N_STATES));
    RfStateInput empty = {.psi = RF_AVAIL_OK};
    g_assert_null (only (&empty, RF_N_STATES));
    /* the bus has not answered yet: nothing is missing */
    f->input.helper_known = f->input.helper_available = FALSE;
    g_assert_null (only (&f->input, RF_N_STATES));
}

static void
test_helper (Fixture *f, gconstpointer data)
{
    f->input.helper_available = FALSE;
    g_autoptr (RfStateInfo) missing = only (&f->input, RF_STATE_HELPER_MISSING);
    g_assert_nonnull (strstr (missing->sentence, "not installed"));
    g_assert_cmpstr (missing->snippet, ==, "sudo apt install --reinstall ruckelfrei");
    g_assert_cmpint (missing->action, ==, RF_STATE_ACTION_LOOK_AGAIN);

    f->input.helper_available = TRUE;
    f->input.helper_version = "1.2.0";
    g_assert_null (only (&f->input, RF_N_STATES));
    f->input.helper_version = "1.1.9";
    g_autoptr (RfStateInfo) older = only (&f->input, RF_STATE_HELPER_OLDER);
    g_assert_nonnull (strstr (older->sentence, "1.1.9"));
    g_assert_nonnull (strstr (older->sentence, "1.2.0"));
    g_assert_cmpint (older->action, ==, RF_STATE_ACTION_RESTART_HELPER);
    f->input.helper_version = "1.10.0";
    g_autoptr (RfStateInfo) newer = only (&f->input, RF_STATE_PROGRAM_OLDER);
    g_assert_cmpint (newer->action, ==, RF_STATE_ACTION_RESTART_PROGRAM);
}

static void
test_versions (void)
{
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {
        {"0.1.0", "0.1.0", 0}, {"0.9.0", "0.10.0", -1}, {"1.0", "1.0.0", 0},       {"1.0.1", "1.0", 1},
        {"2", "10", -1},       {"", "0.1", -1},         {"0.1.0~rc1", "0.1.0", 0}, {"nonsense", "0.1", -1},
        {"99999999999999999999", "1", 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_assert_cmpint (rf_state_compare_versions (rows[i].a, rows[i].b), ==, rows[i].order);
        g_assert_cmpint (rf_state_compare_versions (rows[i].b, rows[i].a), ==, -rows[i].order);
    }
}

static void
test_container (Fixture *f, gconstpointer data)
{
    g_autoptr (RfStateInfo) info = rf_state_get (RF_STATE_CONTAINER, &f->input);
    g_assert_nonnull (info);
    assert_words (info);
    g_assert_nonnull (strstr (info->sentence, f->facts->container));
    g_assert_nonnull (info->snippet);
    g_assert_null (rf_state_get (RF_STATE_READ_ONLY, &f->input)); /* one of the two is enough */
}

static void
test_read_only (Fixture *f, gconstpointer data)
{
    f->facts->sysctl_read_only = TRUE;
    g_autoptr (RfStateInfo) info = only (&f->input, RF_STATE_READ_ONLY);
    g_assert_nonnull (info->snippet);
}

static RfRecord *
new_record (const char *value, const char *kernel)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    RfValue ours;
    g_assert_true (rf_value_from_text (RF_VALUE_INT, value, &ours, NULL));
    rf_plan_builder_set (builder, rf_tunable_find ("vm.swappiness"), "", &ours);
    g_autoptr (RfPlan) plan = rf_plan_builder_finish (builder, NULL);
    RfRecord *record = rf_record_new_from_plan (plan, ID, 1796047000);
    RfRecordEntry *entry = g_ptr_array_index (record->entries, 0);
    entry->before = rf_value_int (60);
    entry->effective = entry->ours;
    entry->state = RF_ENTRY_APPLIED;
    g_free (record->kernel_release);
    record->kernel_release = g_strdup (kernel);
    return record;
}

static void
test_half_applied (Fixture *f, gconstpointer data)
{
    static const RfRecordState unfinished[] = {RF_RECORD_PENDING, RF_RECORD_KEEPING, RF_RECORD_REVERTING};
    g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
    RfRecord *record = new_record ("180", "6.1.0");
    g_ptr_array_add (records, record);
    f->input.records = records;
    for (guint i = 0; i < G_N_ELEMENTS (unfinished); i++) {
        record->state = unfinished[i];
        g_autoptr (RfStateInfo) info = only (&f->input, RF_STATE_HALF_APPLIED);
        g_assert_cmpint (info->action, ==, RF_STATE_ACTION_TAKE_BACK);
        g_autofree char *title = rf_setting_title (rf_tunable_find ("vm.swappiness"), "", f->facts);
        g_assert_nonnull (strstr (info->detail, title));
    }
    record->state = RF_RECORD_TRIAL;
    g_assert_null (only (&f->input, RF_N_STATES));
    record->state = RF_RECORD_REVERTED;
    record->reason = RF_REASON_USER;
    g_assert_null (only (&f->input, RF_N_STATES));

    record->reason = RF_REASON_RECOVERY;
    record->changed = f->input.now - 60;
    g_autoptr (RfStateInfo) info = only (&f->input, RF_STATE_RECOVERED);
    g_assert_false (info->grave);
    /* after a day it is history, and after another change it is no news either */
    record->changed = f->input.now - 25 * 60 * 60;
    g_assert_null (only (&f->input, RF_N_STATES));
    record->changed = f->input.now - 60;
    RfRecord *later = new_record ("100", "6.1.0");
    later->state = RF_RECORD_KEPT;
    g_ptr_array_add (records, later);
    g_assert_null (only (&f->input, RF_N_STATES));
}

static void
test_kernel_drift (Fixture *f, gconstpointer data)
{
    g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
    g_autoptr (GPtrArray) drift = g_ptr_array_new ();
    RfRecord *record = new_record ("180", "5.10.0-30-amd64");
    RfDrift row = {.record_id = (char *)ID,
                   .tunable = rf_tunable_find ("vm.swappiness"),
                   .instance = (char *)"",
                   .now = rf_value_int (60),
                   .verdict = (char *)"drifted"};
    record->state = RF_RECORD_KEPT;
    g_ptr_array_add (records, record);
    g_ptr_array_add (drift, &row);
    f->input.records = records;
    f->input.drift = drift;
    g_autoptr (RfStateInfo) info = only (&f->input, RF_STATE_KERNEL_DRIFT);
    g_assert_nonnull (strstr (info->sentence, "5.10.0-30-amd64"));
    g_assert_nonnull (strstr (info->sentence, f->facts->kernel_release));
    g_assert_nonnull (strstr (info->detail, "180"));
    g_autoptr (RfPlan) plan = rf_state_drift_plan (&f->input);
    g_assert_cmpuint (rf_plan_length (plan), ==, 1);
    g_assert_cmpint (rf_plan_get (plan, 0)->value.n[0], ==, 180);

    row.verdict = (char *)"as-kept";
    g_assert_null (only (&f->input, RF_N_STATES));
    g_assert_null (rf_state_drift_plan (&f->input));
    /* the same kernel: somebody has changed it, which the row says by itself */
    row.verdict = (char *)"drifted";
    g_free (record->kernel_release);
    record->kernel_release = g_strdup (f->facts->kernel_release);
    g_assert_null (only (&f->input, RF_N_STATES));
    /* a record from before the kernel was noted, and one that is not there any more */
    g_free (record->kernel_release);
    record->kernel_release = NULL;
    g_assert_null (only (&f->input, RF_N_STATES));
    row.record_id = (char *)"20261130T140300Z-00000000";
    g_assert_null (only (&f->input, RF_N_STATES));
}

static void
test_psi_and_battery (Fixture *f, gconstpointer data)
{
    f->input.psi = RF_AVAIL_OFF;
    g_autoptr (RfStateInfo) unknown = only (&f->input, RF_STATE_NO_PSI);
    g_assert_null (unknown->snippet);
    f->input.kernel_argument = "sudo do psi=1";
    g_autoptr (RfStateInfo) off = only (&f->input, RF_STATE_NO_PSI);
    g_assert_cmpstr (off->snippet, ==, "sudo do psi=1");
    f->input.psi = RF_AVAIL_NO_FILE;
    g_autoptr (RfStateInfo) none = only (&f->input, RF_STATE_NO_PSI);
    g_assert_null (none->snippet); /* no argument brings what is not built in */
    f->input.psi = RF_AVAIL_DENIED;
    g_assert_null (only (&f->input, RF_N_STATES));
    f->input.psi = RF_AVAIL_OK;
    f->input.on_battery = TRUE;
    g_autoptr (RfStateInfo) battery = only (&f->input, RF_STATE_BATTERY);
    g_assert_cmpint (battery->action, ==, RF_STATE_ACTION_ANYWAY);
}

/* ---- errors */

static RfPlan *
new_plan (const char *const *settings)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    for (guint i = 0; settings[i] != NULL; i++) {
        g_auto (GStrv) parts = g_strsplit (settings[i], "=", 2);
        g_auto (GStrv) name = g_strsplit (parts[0], "@", 2);
        const RfTunable *tunable = rf_tunable_find (name[0]);
        RfValue value;
        g_assert_nonnull (tunable);
        g_assert_true (rf_value_from_text (tunable->kind, parts[1], &value, NULL));
        rf_plan_builder_set (builder, tunable, name[1] != NULL ? name[1] : "", &value);
    }
    return rf_plan_builder_finish (builder, NULL);
}

static void
test_errors (void)
{
    static const char *const two[] = {"vm.swappiness=180", "block.scheduler@nvme0n1=none", NULL};
    static const char *const one[] = {"vm.swappiness=180", NULL};
    static const struct {
        int code;
        const char *detail;
        RfState state;
        RfStateAction action;
        const char *tunable;
    } rows[] = {
        {RF_ERROR_NOT_AUTHORIZED, "x", RF_STATE_NOT_AUTHORIZED, RF_STATE_ACTION_TRY_AGAIN, NULL},
        {RF_ERROR_NO_AGENT, "x", RF_STATE_NO_AGENT, RF_STATE_ACTION_TRY_AGAIN, NULL},
        {RF_ERROR_AUTHORITY_GONE, "x", RF_STATE_NO_ANSWER, RF_STATE_ACTION_TRY_AGAIN, NULL},
        {RF_ERROR_MISMATCH, "'vm.swappiness' was set to '180' but reads back as '100'", RF_STATE_REFUSED,
         RF_STATE_ACTION_LEAVE_OUT, "vm.swappiness"},
        {RF_ERROR_REFUSED, "cannot write '/proc/sys/vm/swappiness': Invalid argument", RF_STATE_REFUSED,
         RF_STATE_ACTION_LEAVE_OUT, "vm.swappiness"},
        {RF_ERROR_REFUSED, "cannot write '/sys/block/nvme0n1/queue/scheduler': Invalid argument", RF_STATE_REFUSED,
         RF_STATE_ACTION_LEAVE_OUT, "block.scheduler"},
        {RF_ERROR_REFUSED, "'block.scheduler' of nvme1n1", RF_STATE_REFUSED, RF_STATE_ACTION_TRY_AGAIN, NULL},
        {RF_ERROR_REFUSED, "", RF_STATE_REFUSED, RF_STATE_ACTION_TRY_AGAIN, NULL},
        {RF_ERROR_JOURNAL, "x", RF_STATE_JOURNAL, RF_STATE_ACTION_TRY_AGAIN, NULL},
        {RF_ERROR_CANCELLED, "x", RF_N_STATES, RF_STATE_ACTION_NONE, NULL},
    };
    g_autoptr (RfPlan) plan = new_plan (two), alone = new_plan (one);
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (GError) error = g_error_new_literal (RF_ERROR, rows[i].code, rows[i].detail);
        g_autoptr (RfStateInfo) info = rf_state_from_error (error, plan);
        if (rows[i].state == RF_N_STATES) {
            g_assert_null (info);
            continue;
        }
        assert_words (info);
        g_assert_cmpint (info->state, ==, rows[i].state);
        g_assert_cmpint (info->action, ==, rows[i].action);
        g_assert_cmpstr (info->tunable != NULL ? info->tunable->id : NULL, ==, rows[i].tunable);
        g_assert_cmpint (info->snippet != NULL, ==,
                         rows[i].code == RF_ERROR_NO_AGENT || rows[i].code == RF_ERROR_JOURNAL);
    }
    /* the only setting cannot be left out */
    g_autoptr (GError) error = g_error_new_literal (RF_ERROR, RF_ERROR_REFUSED, "'vm.swappiness'");
    g_autoptr (RfStateInfo) info = rf_state_from_error (error, alone);
    g_assert_cmpint (info->action, ==, RF_STATE_ACTION_TRY_AGAIN);
    g_assert_null (strstr (info->detail, "the others"));
    g_autoptr (RfStateInfo) without = rf_state_from_error (error, NULL);
    g_assert_cmpint (without->action, ==, RF_STATE_ACTION_TRY_AGAIN);
}

/* ---- text to copy */

static void
test_nix_strings (void)
{
    static const struct {
        const char *text, *quoted, *indented;
    } rows[] = {
        {"", "\"\"", ""},
        {"plain", "\"plain\"", "plain"},
        {"${x}", "\"\\${x}\"", "''${x}"},
        {"$${x}", "\"$\\${x}\"", "$''${x}"},
        {"$x", "\"$x\"", "$x"},
        {"a\"b", "\"a\\\"b\"", "a\"b"},
        {"a\\b", "\"a\\\\b\"", "a\\b"},
        {"a\nb", "\"a\\nb\"", "a\nb"},
        {"a\rb\tc", "\"a\\rb\\tc\"", "a''\\rb\tc"},
        {"it's", "\"it's\"", "it's"},
        {"''", "\"''\"", "'''"},
        {"'", "\"'\"", "''\\'"},
        {"'''", "\"'''\"", "'''''\\'"},
        {"'${x}", "\"'\\${x}\"", "''\\'''${x}"},
        {"''${x}", "\"''\\${x}\"", "'''''${x}"},
        {"\\${x}", "\"\\\\\\${x}\"", "\\''${x}"},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autofree char *quoted = rf_snippet_nix_string (rows[i].text);
        g_autofree char *indented = rf_snippet_nix_indented (rows[i].text);
        g_assert_cmpstr (quoted, ==, rows[i].quoted);
        g_assert_cmpstr (indented, ==, rows[i].indented);
    }
    g_autofree char *scheme = rf_snippet_scheme_string ("a\"b\\c\nd\t${e}");
    g_assert_cmpstr (scheme, ==, "\"a\\\"b\\\\c\\nd\\t${e}\"");
}

static const char *const everything[] = {
    "vm.swappiness=180",       "vm.dirty=bytes:268435456",          "net.ipv4.tcp_rmem=4096 131072 6291456",
    "swap.zram=4294967296 lz4 100", "block.scheduler@nvme0n1=none", NULL,
};

static void
test_nix (Fixture *f, gconstpointer data)
{
    g_autoptr (RfPlan) plan = new_plan (everything);
    g_assert_null (rf_snippet_configuration (plan, f->facts));
    f->facts->immutable = RF_IMMUTABLE_NIXOS;
    RfDisk *disk = (RfDisk *)rf_facts_find_disk (f->facts, "nvme0n1");
    g_assert_nonnull (disk);
    g_free (disk->stable_id);
    disk->stable_id = g_strdup ("eui.00253\"8${x}''");
    g_autofree char *text = rf_snippet_configuration (plan, f->facts);
    g_assert_cmpstr (text, ==,
                     "{\n"
                     "  boot.kernel.sysctl = {\n"
                     "    \"vm.dirty_bytes\" = 268435456;\n"
                     "    \"vm.swappiness\" = 180;\n"
                     "    \"net.ipv4.tcp_rmem\" = \"4096 131072 6291456\";\n"
                     "  };\n"
                     "  services.udev.extraRules = ''\n"
                     "    ACTION!=\"remove\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", KERNEL==\"nvme*n*\", "
                     "ATTR{wwid}==\"eui.00253?8??x???\", TEST==\"queue/scheduler\", ATTR{queue/scheduler}=\"none\"\n"
                     "  '';\n"
                     "  zramSwap = {\n"
                     "    enable = true;\n"
                     "    algorithm = \"lz4\";\n"
                     "    memoryPercent = 100;\n"
                     "    memoryMax = 4294967296;\n"
                     "    priority = 100;\n"
                     "  };\n"
                     "}\n");
    /* a drive that cannot be told from others gets no rule, and that is said */
    g_clear_pointer (&disk->stable_id, g_free);
    RfReadahead *readahead = (RfReadahead *)rf_facts_find_readahead (f->facts, "nvme0n1");
    if (readahead != NULL)
        g_clear_pointer (&readahead->stable_id, g_free);
    g_autofree char *without = rf_snippet_configuration (plan, f->facts);
    g_assert_null (strstr (without, "extraRules"));
    g_assert_nonnull (strstr (without, "# nvme0n1: "));
    /* the state carries it */
    f->input.plan = plan;
    g_autoptr (RfStateInfo) info = only (&f->input, RF_STATE_IMMUTABLE);
    g_assert_cmpstr (info->snippet, ==, without);
    g_assert_nonnull (strstr (info->detail, "nixos-rebuild"));
    f->input.plan = NULL;
    g_autoptr (RfStateInfo) before = only (&f->input, RF_STATE_IMMUTABLE);
    g_assert_null (before->snippet);
}

static void
test_guix_and_ostree (Fixture *f, gconstpointer data)
{
    g_autoptr (RfPlan) plan = new_plan (everything);
    f->facts->immutable = RF_IMMUTABLE_GUIX;
    g_autofree char *text = rf_snippet_configuration (plan, f->facts);
    static const char *const parts[] = {
        "(\"vm.dirty_bytes\" . \"268435456\")", "(\"vm.swappiness\" . \"180\")",
        "(sysctl-configuration-settings config)", "(udev-rule \"99-zz-ruckelfrei.rules\"",
        "ATTR{queue/scheduler}=\\\"none\\\"\\n\"", "(size 4294967296)", "(compression-algorithm 'lz4)",
    };
    int depth = 0;
    for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        if (strstr (text, parts[i]) == NULL)
            g_error ("no %s in:\n%s", parts[i], text);
    for (const char *p = strchr (text, '\n'); *p != '\0'; p++)
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
    g_assert_cmpint (depth, ==, 0);
    f->facts->immutable = RF_IMMUTABLE_OSTREE;
    g_assert_null (rf_snippet_configuration (plan, f->facts)); /* it is kept as everywhere */
    g_autoptr (RfStateInfo) info = only (&f->input, RF_STATE_OSTREE);
    g_assert_nonnull (strstr (info->detail, "rpm-ostree kargs"));
}

static void
test_command (void)
{
    g_autoptr (RfPlan) plan = new_plan (everything);
    g_autofree char *text = rf_snippet_command (plan);
    g_assert_cmpstr (text, ==,
                     "sudo ruckelfreictl apply vm.dirty=bytes:268435456 block.scheduler@nvme0n1=none "
                     "swap.zram=4294967296,lz4,100 vm.swappiness=180 net.ipv4.tcp_rmem=4096,131072,6291456");
    static const char *const hostile[] = {"block.scheduler@a;b $(c)=none", NULL};
    g_autoptr (RfPlan) odd = new_plan (hostile);
    g_autofree char *quoted = rf_snippet_command (odd);
    g_assert_cmpstr (quoted, ==, "sudo ruckelfreictl apply 'block.scheduler@a;b $(c)=none'");
}

static void
test_kernel_argument (void)
{
    static const struct {
        const char *tree;
        RfImmutable immutable;
        const char *says;
    } rows[] = {
        {"= proc/uptime 1\n", RF_IMMUTABLE_NO, NULL},
        {"= proc/uptime 1\n", RF_IMMUTABLE_NIXOS, "boot.kernelParams = [ \"psi=1\" ];"},
        {"= proc/uptime 1\n", RF_IMMUTABLE_GUIX, "(kernel-arguments (cons \"psi=1\" %default-kernel-arguments))"},
        {"= usr/sbin/grubby x\n", RF_IMMUTABLE_OSTREE, "sudo rpm-ostree kargs --append-if-missing=psi=1"},
        {"= usr/sbin/grubby x\n= etc/default/grub x\n", RF_IMMUTABLE_NO, "sudo grubby --update-kernel=ALL --args=psi=1"},
        {"= usr/bin/kernelstub x\n", RF_IMMUTABLE_NO, "sudo kernelstub --add-options psi=1"},
        {"= boot/firmware/cmdline.txt x\n", RF_IMMUTABLE_NO, "sudo sed -i '1s/$/ psi=1/' /boot/firmware/cmdline.txt"},
        {"= etc/default/grub x\n= usr/sbin/update-grub x\n", RF_IMMUTABLE_NO, "sudo update-grub"},
        {"= etc/default/grub x\n= usr/bin/grub-mkconfig x\n", RF_IMMUTABLE_NO, "sudo grub-mkconfig -o /boot/grub/grub.cfg"},
        {"= etc/default/grub x\n= usr/sbin/grub2-mkconfig x\n", RF_IMMUTABLE_NO, "-o /boot/grub2/grub.cfg"},
        {"= etc/default/grub x\n", RF_IMMUTABLE_NO, NULL},
        {"= etc/kernel/cmdline x\n= usr/bin/kernel-install x\n", RF_IMMUTABLE_NO, "/etc/kernel/cmdline) psi=1\""},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
        rf_test_tree_apply (tree, rows[i].tree);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        facts->immutable = rows[i].immutable;
        g_autofree char *text = rf_snippet_kernel_argument (rf_test_tree_sysroot (tree), facts, "psi=1");
        g_test_message ("%u: %s", i, text);
        g_assert_cmpint (text != NULL, ==, rows[i].says != NULL);
        if (text != NULL)
            g_assert_nonnull (strstr (text, rows[i].says));
    }
}

static void
test_words (void)
{
    for (int i = 0; i < RF_STATE_N_ACTIONS; i++)
        g_assert_cmpint (rf_state_action_label ((RfStateAction)i) == NULL, ==, i == RF_STATE_ACTION_NONE);
    g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
    for (int i = 0; i < RF_N_STATES; i++)
        g_assert_true (g_hash_table_add (seen, (gpointer)rf_state_nick ((RfState)i)));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
#define ADD(name, machine, func) g_test_add ("/state/" name, Fixture, machine, set_up, func, tear_down)
    ADD ("nothing", "laptop-8g", test_nothing);
    ADD ("helper", "laptop-8g", test_helper);
    ADD ("container", "container", test_container);
    ADD ("read-only", "laptop-8g", test_read_only);
    ADD ("half-applied", "laptop-8g", test_half_applied);
    ADD ("kernel-drift", "laptop-8g", test_kernel_drift);
    ADD ("psi-and-battery", "laptop-8g", test_psi_and_battery);
    ADD ("nix", "laptop-8g", test_nix);
    ADD ("guix-and-ostree", "laptop-8g", test_guix_and_ostree);
    g_test_add_func ("/state/versions", test_versions);
    g_test_add_func ("/state/errors", test_errors);
    g_test_add_func ("/state/nix-strings", test_nix_strings);
    g_test_add_func ("/state/command", test_command);
    g_test_add_func ("/state/kernel-argument", test_kernel_argument);
    g_test_add_func ("/state/words", test_words);
    return g_test_run ();
}
