/* The report of a problem: says what helps, and nothing that is nobody's business, wherever that stands. */
#include "config.h"

#include <string.h>

#include "rf-privacy.h"
#include "rf-recent-messages.h"
#include "rf-report.h"
#include "rf-test-tree.h"

/* What identifies the made-up machine, and the file that tells it. */
static const struct {
    const char *path;
    const char *content;
    const char *secret;
} secrets[] = {
    {"proc/sys/kernel/hostname", "schreibtisch.example.org\n", "schreibtisch"},
    {"etc/hostname", "werkstatt\n", "werkstatt"},
    {"etc/machine-id", "0f1e2d3c4b5a69788796a5b4c3d2e1f0\n", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
    {"proc/sys/kernel/random/boot_id", "2b6f1a90-1111-4222-8333-444455556666\n", "2b6f1a90-1111-4222-8333-444455556666"},
    {"sys/class/dmi/id/product_serial", "PF1ABCDE\n", "PF1ABCDE"},
    {"sys/class/dmi/id/product_uuid", "4c4c4544-0051-4a10-8052-b4c04f4e5332\n", "4c4c4544-0051-4a10-8052-b4c04f4e5332"},
    {"sys/class/net/enp3s0/address", "3c:52:82:0b:1a:7f\n", "3c:52:82:0b:1a:7f"},
    {"sys/class/nvme/nvme0/serial", "S4GENX0N123456      \n", "S4GENX0N123456"},
    {"sys/class/nvme/nvme0/subsysnqn", "nqn.1994-11.com.samsung:nvme:PM981a:S4GENX0N123456\n",
     "nqn.1994-11.com.samsung:nvme:PM981a:S4GENX0N123456"},
    {"sys/block/nvme0n1/wwid", "eui.002538b971047a11\n", "eui.002538b971047a11"},
    {"sys/block/nvme0n1/device/serial", "WD-WCC3F7KLMN\n", "WCC3F7KLMN"},
    {"sys/block/dm-0/dm/name", "werkzeug--vg-alles\n", "werkzeug--vg-alles"},
    {"sys/block/dm-0/dm/uuid", "LVM-abcdefGHIJKL\n", "werkzeug-vg"},
    {"etc/passwd", "root:x:0:0:root:/root:/bin/sh\nkarla:x:1001:1001:Karla Kolumna,,,:/srv/k:/bin/sh\n", "kolumna"},
    {"etc/machine-info", "PRETTY_HOSTNAME=\"Ottos Rechner\"\n", "Ottos Rechner"},
    {"sys/bus/usb/devices/1-2/serial", "AA00042\n", "AA00042"},
    {"sys/fs/btrfs/6e0f7c1a-3b52-4d0f-8a53-94c9d7b3e111/label", "Familienfotos\n", "Familienfotos"},
};

/* Names of files and folders that tell something. */
static const char *const names[] = {"home/erika", "home/otto", "dev/disk/by-label/Steuer\\x202025",
                                    "dev/disk/by-partlabel/Geheimfach"};
static const char *const of_names[] = {"erika", "otto", "Steuer 2025", "Geheimfach"};

/* No file tells these, but their form does. */
static const char *const forms[] = {
    "52:54:00:ab:cd:ef",
    "52-54-00-AB-CD-EF",
    "DEADBEEF-0000-4000-8000-00C0FFEE0001",
    "naa.5000c500a1b2c3d4",
    "nvme.1987-3132333435363738-50484953-00000001",
    "t10.ATA_Samsung_SSD_860_S3Z9NB0K",
    "0x5000c500a1b2c3d4",
    "aabbccddeeff00112233",
    "somebody.else+x@example.org",
    "/home/somebody/Videos",
    "/run/media/somebody/Stick",
    "/media/somebody/Stick",
    "/root/notes.txt",
    "/mnt/Somebody",
    "t10.ATA     Samsung SSD 860 EVO 500GB               S3Z9NB0K123456",
    "fe80::1c2d:3eff:fe4f:5061",
    "2001:db8:0:1:2:3:4:5",
    "192.168.178.23",
};

static RfTestTree *
make_tree (void)
{
    RfTestTree *tree = rf_test_tree_new ("laptop-8g");

    for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
        rf_test_tree_set (tree, secrets[i].path, secrets[i].content);
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        rf_test_tree_mkdir (tree, names[i]);
    return tree;
}

static gboolean
contains (const char *text, const char *word)
{
    g_autofree char *small_text = g_ascii_strdown (text, -1);
    g_autofree char *small_word = g_ascii_strdown (word, -1);

    return strstr (small_text, small_word) != NULL;
}

static void
assert_nothing_private (const char *text)
{
    for (guint i = 0; i < G_N_ELEMENTS (secrets); i++) {
        if (contains (text, secrets[i].secret))
            g_error ("“%s” of %s came through:\n%s", secrets[i].secret, secrets[i].path, text);
    }
    for (guint i = 0; i < G_N_ELEMENTS (of_names); i++) {
        if (contains (text, of_names[i]))
            g_error ("the name “%s” came through:\n%s", of_names[i], text);
    }
    for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
        if (contains (text, forms[i]))
            g_error ("“%s” came through:\n%s", forms[i], text);
    }
}

/* The secrets one by one, because a text is cut; with what stands around such things in real texts. */
static char *
in_context (guint index)
{
    const char *secret = NULL;

    if (index < G_N_ELEMENTS (secrets))
        secret = secrets[index].secret;
    else if ((index -= G_N_ELEMENTS (secrets)) < G_N_ELEMENTS (of_names))
        secret = of_names[index];
    else if ((index -= G_N_ELEMENTS (of_names)) < G_N_ELEMENTS (forms))
        secret = forms[index];
    else
        return NULL;
    return g_strdup_printf ("%s Model (%s), \"%s\" x=%s %s-000 /home/%s/x %s's", secret, secret, secret, secret, secret,
                            secret, secret);
}

static void
plant (char **field, const char *text)
{
    g_free (*field);
    *field = g_strdup (text);
}

static void
plant_list (char ***field, const char *text)
{
    g_auto (GStrv) before = *field;
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

    g_strv_builder_add (builder, text);
    for (guint i = 0; before != NULL && before[i] != NULL; i++)
        g_strv_builder_add (builder, before[i]);
    *field = g_strv_builder_end (builder);
}

static void
plant_in_facts (RfFacts *facts, const char *text)
{
    plant (&facts->kernel_release, text);
    plant (&facts->distribution, text);
    plant (&facts->distribution_id, text);
    plant (&facts->machine_model, text);
    plant (&facts->virtualisation, text);
    plant (&facts->container, text);
    plant_list (&facts->zram_algorithms, text);
    for (guint i = 0; i < facts->disks->len; i++) {
        RfDisk *disk = facts->disks->pdata[i];

        plant (&disk->name, text);
        plant (&disk->model, text);
        plant (&disk->stable_id, text);
        plant_list (&disk->holders, text);
        plant_list (&disk->mount_points, text);
        plant_list (&disk->layers, text);
    }
    for (guint i = 0; i < facts->swaps->len; i++) {
        RfSwapDevice *swap = facts->swaps->pdata[i];

        plant (&swap->path, text);
        plant (&swap->disk, text);
    }
    for (guint i = 0; i < facts->readahead->len; i++) {
        RfReadahead *row = facts->readahead->pdata[i];

        plant (&row->instance, text);
        plant (&row->path, text);
        plant (&row->stable_id, text);
        plant (&row->label, text);
    }
}

static RfRecord *
make_record (const char *instance, const char *text)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = NULL;
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    RfValue value = {.kind = RF_VALUE_INT, .n = {125}};
    RfRecord *record = NULL;
    RfRecordEntry *entry = NULL;

    rf_plan_builder_set (builder, rf_tunable_find ("vm.watermark_scale_factor"), "", &value);
    plan = rf_plan_builder_finish (builder, &error);
    g_assert_no_error (error);
    record = rf_record_new_from_plan (plan, "20261130T140300Z-1a2b3c4d", 1796047380);
    entry = record->entries->pdata[0];
    plant (&record->kernel_release, text);
    plant (&record->boot_id, text);
    plant (&entry->instance, instance);
    plant (&entry->stable_id, text);
    return record;
}

static void
plant_and_look (RfTestTree *tree, const RfPrivacy *privacy, const char *text)
{
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_autoptr (RfCurrentSet) current = rf_current_set_new ();
    g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
    const char *messages[] = {text, NULL};
    RfReport report = {
        .program = "ruckelfrei",
        .helper_version = text,
        .helper_error = text,
        .toolkit = text,
        .desktop = text,
        .facts = facts,
        .current = current,
        .records = records,
        .messages = messages,
        .privacy = privacy,
    };
    g_autofree char *with_helper = NULL;
    g_autofree char *without_helper = NULL;

    g_assert_cmpuint (facts->disks->len, >, 2);
    g_assert_cmpuint (facts->swaps->len, >, 0);
    plant_in_facts (facts, text);
    g_ptr_array_add (records, make_record (text, text));
    with_helper = rf_report_text (&report);
    assert_nothing_private (with_helper);
    g_assert_true (g_utf8_validate (with_helper, -1, NULL));
    if (strstr (with_helper, "Model (" RF_PRIVACY_LEFT_OUT ")") == NULL)
        g_error ("too much of “%s” was taken out:\n%s", text, with_helper);

    report.helper_version = NULL;
    report.records = NULL;
    report.current = NULL;
    without_helper = rf_report_text (&report);
    assert_nothing_private (without_helper);
    g_assert_nonnull (strstr (without_helper, "the helper does not answer"));
}

static void
test_planted_everywhere (void)
{
    g_autoptr (RfTestTree) tree = make_tree ();
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    char *text = NULL;

    rf_privacy_collect (privacy, rf_test_tree_sysroot (tree));
    for (guint i = 0; (text = in_context (i)) != NULL; i++) {
        plant_and_look (tree, privacy, text);
        g_free (text);
    }
}

/* The same from the files themselves: what the readers make of them. */
static void
test_planted_in_files (void)
{
    g_autoptr (RfTestTree) tree = make_tree ();
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    g_autoptr (RfFacts) facts = NULL;
    g_autoptr (RfCurrentSet) current = NULL;
    g_autofree char *text = NULL;
    RfReport report = {.program = "ruckelfrei", .privacy = privacy};

    rf_test_tree_set (tree, "sys/block/nvme0n1/device/model", "WDC WD-WCC3F7KLMN SCHREIBTISCH\n");
    rf_test_tree_set (tree, "proc/sys/kernel/osrelease", "6.1.0-werkstatt-3c:52:82:0b:1a:7f\n");
    rf_test_tree_set (tree, "etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian for erika on werkstatt\"\n");
    rf_test_tree_set (tree, "sys/class/dmi/id/product_name", "ThinkPad PF1ABCDE\n");
    facts = rf_facts_read (rf_test_tree_sysroot (tree));
    current = rf_current_set_read (rf_test_tree_sysroot (tree), facts);
    rf_privacy_collect (privacy, rf_test_tree_sysroot (tree));
    report.facts = facts;
    report.current = current;
    text = rf_report_text (&report);
    assert_nothing_private (text);
    g_assert_nonnull (strstr (text, "Debian for [left out] on [left out]"));
    g_assert_nonnull (strstr (text, "nvme, WDC [left out] [left out], "));
}

/* What is left has to help. */
static void
test_useful (void)
{
    static const char *const lines[] = {
        "  ruckelfrei: " PACKAGE_VERSION "\n",
        "  helper: 0.9.1\n",
        "  kernel: 6.1.0-18-amd64\n",
        "  distribution: Debian GNU/Linux 12 (bookworm)\n",
        "  toolkit: GTK 4.8.3, X11\n",
        "  model: ThinkPad T480\n",
        "  virtual machine: no\n",
        "  PSI: yes\n",
        "  nvme0n1: nvme, SAMSUNG MZVLB256HAHQ-000L7, 256060 MB, partition > LUKS > LVM > btrfs, on /, /boot, ",
        "  partition: 8191 MiB, priority -2, on the drive with the data, encrypted\n",
        "  block.scheduler@nvme0n1: ",
        "  vm.watermark_scale_factor: 10\n",
        "  2026-11-30 14:03 UTC: pending, none, Linux 6.1.0-18-amd64\n",
        "    vm.watermark_scale_factor: absent -> 125",
        "  rf-window warning: something\n",
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_autoptr (RfCurrentSet) current = rf_current_set_read (rf_test_tree_sysroot (tree), facts);
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
    const char *messages[] = {"rf-window warning: something", NULL};
    RfReport report = {
        .program = "ruckelfrei",
        .helper_version = "0.9.1",
        .toolkit = "GTK 4.8.3, X11",
        .facts = facts,
        .current = current,
        .records = records,
        .messages = messages,
        .privacy = privacy,
    };
    g_autofree char *text = NULL;
    g_autofree char *long_text = NULL;

    rf_privacy_collect (privacy, rf_test_tree_sysroot (tree));
    g_ptr_array_add (records, make_record (NULL, "6.1.0-18-amd64"));
    text = rf_report_text (&report);
    for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
        if (strstr (text, lines[i]) == NULL)
            g_error ("“%s” is missing:\n%s", lines[i], text);
    }
    for (guint i = 0; i < 14; i++)
        g_ptr_array_add (records, make_record (NULL, "6.1.0-18-amd64"));
    long_text = rf_report_text (&report);
    g_assert_nonnull (strstr (long_text, "  5 older ones\n"));
    g_assert_cmpuint (strlen (long_text), <, 8000);
}

static void
assert_clean (const RfPrivacy *privacy, const char *text, const char *expected)
{
    g_autofree char *clean = rf_privacy_clean (privacy, text);

    g_assert_cmpstr (clean, ==, expected);
}

static void
test_words (void)
{
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();

    assert_clean (privacy, "nothing is known", "nothing is known");
    rf_privacy_add (privacy, " max\n");
    rf_privacy_add (privacy, "maximilian");
    rf_privacy_add (privacy, "S123456789X");
    rf_privacy_add (privacy, "Jörg Müller");
    /* what says nothing about anybody stays readable */
    rf_privacy_add (privacy, "debian");
    rf_privacy_add (privacy, "To Be Filled By O.E.M.");
    rf_privacy_add (privacy, "");
    rf_privacy_add (privacy, "7");
    rf_privacy_add (privacy, "12");
    rf_privacy_add (privacy, NULL);
    assert_clean (privacy, "Debian 12 on 7 drives", "Debian 12 on 7 drives");
    /* a short word only by itself, a long one everywhere, the longer one first */
    assert_clean (privacy, "maximum of max, MAX_1", "maximum of [left out], [left out]_1");
    assert_clean (privacy, "x-MAXIMILIAN-y", "x-[left out]-y");
    assert_clean (privacy, "abcS123456789Xdef s123456789x", "abc[left out]def [left out]");
    assert_clean (privacy, "by Jörg Müller", "by [left out]");
}

/* Nobody writes a name like the file that tells it. */
static void
test_spellings (void)
{
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    static const char *const texts[] = {
        "of Jürgen",       "of JÜRGEN",          "of ju\xcc\x88rgen", "of Juergen", "of GROSSKREUZ", "of Großkreuz", "of a",
        "of My_Old  Disk", "of my old disk",     "of PC",            "of pc",      "of Ülf",        "of ÜLF",       "of ülf",
        "of \xef\xbc\xb0\xef\xbc\xa3", /* full width */
    };

    rf_privacy_add (privacy, "Jürgen");
    rf_privacy_add (privacy, "Großkreuz");
    rf_privacy_add (privacy, "My Old Disk");
    rf_privacy_add (privacy, "pc");
    rf_privacy_add (privacy, "Ülf");
    rf_privacy_add (privacy, "a");
    /* one across another, and in the middle of a form */
    rf_privacy_add (privacy, "anna-bert");
    rf_privacy_add (privacy, "bert-carl");
    rf_privacy_add (privacy, "8052");
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
        assert_clean (privacy, texts[i], "of [left out]");
    assert_clean (privacy, "of pcs, äpc and Ülfs", "of pcs, äpc and Ülfs");
    assert_clean (privacy, "of anna-bert-carl", "of [left out]");
    assert_clean (privacy, "of pcGroßkreuzpc", "of [left out]");
    assert_clean (privacy, "of 4c4c4544-0051-4a10-8052-b4c04f4e5332", "of [left out]");
}

static void
test_forms (void)
{
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();

    for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
        g_autofree char *text = g_strdup_printf ("before %s, after", forms[i]);
        g_autofree char *clean = rf_privacy_clean (privacy, text);

        if (contains (clean, forms[i]) || !g_str_has_prefix (clean, "before [left out]") || !contains (clean, "after"))
            g_error ("“%s” became “%s”", text, clean);
    }
    /* versions, models, dates and settings are no identities */
    assert_clean (privacy, "6.1.0-18-amd64 2026-11-30 14:03:00", "6.1.0-18-amd64 2026-11-30 14:03:00");
    assert_clean (privacy, "SAMSUNG MZVLB256HAHQ-000L7", "SAMSUNG MZVLB256HAHQ-000L7");
    assert_clean (privacy, "4096 131072 33554432", "4096 131072 33554432");
    assert_clean (privacy, "nvme0n1 /home /root", "nvme0n1 /home /root");
    assert_clean (privacy, "5.15.153.1-microsoft 0000:00:14.0 14:03:00 a :: b", "5.15.153.1-microsoft 0000:00:14.0 14:03:00 a :: b");
}

static void
test_hostile (void)
{
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    g_autofree char *huge = g_strnfill (1024 * 1024, 'a');
    g_autofree char *huge_clean = NULL;
    g_autofree char *huge_clean_x = NULL;
    GString *cut = g_string_new (NULL);
    g_autofree char *text = NULL;
    g_autofree char *clean = NULL;

    rf_privacy_add (privacy, "S123456789X");
    rf_privacy_add (privacy, "\xff\xfe broken \x01 name");
    assert_clean (privacy, "two\r\nlines\tand\x1b[31m colour", "two  lines and [31m colour");
    clean = rf_privacy_clean (privacy, "\xff\xfe");
    g_assert_true (g_utf8_validate (clean, -1, NULL));
    huge_clean = rf_privacy_clean (privacy, huge);
    g_assert_cmpstr (huge_clean, ==, RF_PRIVACY_LEFT_OUT); /* a hexadecimal number, a very long one */
    memset (huge, 'x', strlen (huge));
    huge_clean_x = rf_privacy_clean (privacy, huge);
    g_assert_cmpint (g_utf8_strlen (huge_clean_x, -1), ==, RF_PRIVACY_MAX);
    /* wherever the end falls, no half of it is left */
    for (guint i = RF_PRIVACY_MAX - 20; i < RF_PRIVACY_MAX + 5; i++) {
        g_autofree char *one = NULL;

        g_string_truncate (cut, 0);
        for (guint k = 0; k < i; k++)
            g_string_append_c (cut, '-');
        g_string_append (cut, "S123456789X");
        one = rf_privacy_clean (privacy, cut->str);
        g_assert_false (contains (one, "S1"));
    }
    g_string_free (cut, TRUE);
}

static void
test_messages (void)
{
    g_auto (GStrv) none = rf_recent_messages_get ();
    g_auto (GStrv) lines = NULL;

    g_assert_cmpuint (g_strv_length (none), ==, 0);
    if (!g_test_subprocess ()) {
        g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
        g_test_trap_assert_passed ();
        return;
    }
    rf_recent_messages_install ();
    g_log_structured ("rf-test", G_LOG_LEVEL_DEBUG, "MESSAGE", "not this one");
    for (guint i = 1; i <= RF_RECENT_MESSAGES + 3; i++)
        g_log_structured ("rf-test", G_LOG_LEVEL_MESSAGE, "MESSAGE", "number %u", i);
    lines = rf_recent_messages_get ();
    g_assert_cmpuint (g_strv_length (lines), ==, RF_RECENT_MESSAGES);
    g_assert_cmpstr (lines[0], ==, "rf-test message: number 4");
    g_assert_cmpstr (lines[RF_RECENT_MESSAGES - 1], ==, "rf-test message: number 23");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/report/planted-everywhere", test_planted_everywhere);
    g_test_add_func ("/app/report/planted-in-files", test_planted_in_files);
    g_test_add_func ("/app/report/useful", test_useful);
    g_test_add_func ("/app/report/words", test_words);
    g_test_add_func ("/app/report/forms", test_forms);
    g_test_add_func ("/app/report/spellings", test_spellings);
    g_test_add_func ("/app/report/hostile", test_hostile);
    g_test_add_func ("/app/report/messages", test_messages);
    return g_test_run ();
}
