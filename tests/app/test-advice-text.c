#include "config.h"

#include "rf-tunable-text.h"

#include <string.h>

/* Words that promise more than is proven, or that the glossary forbids. */
static void
assert_honest (const char *text)
{
    static const char *const forbidden[] = {"smooth", "Smooth", "guarantee", "dirty pages"};
    g_assert_nonnull (text);
    g_assert_cmpstr (text, !=, "");
    g_assert_true (g_utf8_validate (text, -1, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS (forbidden); i++)
        if (strstr (text, forbidden[i]) != NULL)
            g_error ("'%s' in: %s", forbidden[i], text);
}

static guint
sentences (const char *text)
{
    guint n = 0;
    for (const char *p = text; *p != '\0'; p++)
        if (*p == '.' && (p[1] == ' ' || p[1] == '\0'))
            n++;
    return n;
}

static void
every_tunable (void)
{
    gsize n = 0;
    const RfTunable *table = rf_tunable_list (&n);
    g_autoptr (GHashTable) titles = g_hash_table_new (g_str_hash, g_str_equal);
    g_assert_cmpuint (n, ==, 20);
    for (gsize i = 0; i < n; i++) {
        const char *title = rf_tunable_title (&table[i]);
        const char *explanation = rf_tunable_explanation (&table[i]);
        assert_honest (title);
        assert_honest (explanation);
        g_assert_cmpstr (title, !=, table[i].id);
        g_assert_true (g_hash_table_add (titles, (gpointer)title)); /* no two settings look alike */
        g_assert_cmpuint (sentences (explanation), >=, 2);
        g_assert_cmpuint (sentences (explanation), <=, 4);
        g_assert_false (g_str_has_suffix (title, "."));
    }
}

static void
every_enum (void)
{
    for (guint i = 0; i < RF_N_GROUPS; i++) {
        assert_honest (rf_group_title ((RfGroup)i));
        assert_honest (rf_group_headline ((RfGroup)i));
        assert_honest (rf_group_problem ((RfGroup)i));
        g_assert_cmpuint (sentences (rf_group_problem ((RfGroup)i)), ==, 3);
    }
    for (guint i = 0; i < RF_N_PRESETS; i++) {
        RfPreset back;
        assert_honest (rf_preset_title ((RfPreset)i));
        assert_honest (rf_preset_explanation ((RfPreset)i));
        g_assert_true (rf_preset_from_nick (rf_preset_nick ((RfPreset)i), &back));
        g_assert_cmpuint (back, ==, i);
    }
    for (guint i = 0; i < RF_N_VERDICTS; i++) {
        assert_honest (rf_verdict_text ((RfVerdict)i));
        assert_honest (rf_verdict_nick ((RfVerdict)i));
    }
    for (guint i = RF_RECORD_PENDING; i <= RF_RECORD_REVERTED; i++)
        assert_honest (rf_record_state_text ((RfRecordState)i));
    for (guint i = RF_ENTRY_PLANNED; i <= RF_ENTRY_SUPERSEDED; i++)
        assert_honest (rf_entry_state_text ((RfEntryState)i));
    for (guint i = RF_REASON_USER; i <= RF_REASON_RECOVERY; i++)
        assert_honest (rf_reason_text ((RfReason)i));
    for (guint i = RF_AVAIL_OK; i <= RF_AVAIL_NO_DEVICE; i++)
        assert_honest (rf_avail_text ((RfAvail)i));
    g_assert_cmpstr (rf_reason_text (RF_REASON_NONE), ==, "");
    g_assert_cmpstr (rf_avail_text (RF_AVAIL_OFF), ==, "not available: off, boot with psi=1");
}

/* Each reason, cost and doubt with each setting: something is said, and numbers are in it where it speaks of them. */
static void
every_reason (void)
{
    gsize n = 0;
    const RfTunable *table = rf_tunable_list (&n);
    for (gsize t = 0; t < n; t++) {
        RfRecommendation row = {.tunable = &table[t],
                                .instance = (char *)"",
                                .evidence_bytes = 24 << 20,
                                .target_bytes = 150 << 20,
                                .cost_bytes = 126 << 20};
        for (guint i = 0; i < RF_N_REASONS; i++) {
            row.why = (RfReasonId)i;
            g_autofree char *text = rf_recommendation_reason (&row);
            assert_honest (text);
            assert_honest (rf_why_nick (row.why));
            g_assert_true (g_str_has_suffix (text, "."));
        }
        for (guint i = RF_COST_NONE; i < RF_N_COSTS; i++) {
            row.cost = (RfCostId)i;
            g_autofree char *text = rf_recommendation_cost (&row);
            assert_honest (rf_cost_nick (row.cost));
            if (i == RF_COST_NONE)
                g_assert_null (text);
            else
                assert_honest (text);
        }
        for (guint i = RF_DOUBT_NONE; i < RF_N_DOUBTS; i++) {
            row.doubt = (RfDoubtId)i;
            g_autofree char *text = rf_recommendation_doubt (&row);
            assert_honest (rf_doubt_nick (row.doubt));
            if (i == RF_DOUBT_NONE)
                g_assert_null (text);
            else
                assert_honest (text);
        }
    }
}

static void
numbers_in_reasons (void)
{
    RfRecommendation row = {.tunable = rf_tunable_find ("vm.watermark_scale_factor"),
                            .instance = (char *)"",
                            .why = RF_WHY_HEAD_START,
                            .cost = RF_COST_MEMORY,
                            .evidence_bytes = 24 << 20,
                            .target_bytes = 150 << 20,
                            .cost_bytes = 126 << 20};
    g_autofree char *reason = rf_recommendation_reason (&row);
    g_autofree char *cost = rf_recommendation_cost (&row);
    g_assert_nonnull (strstr (reason, "24 MiB"));
    g_assert_nonnull (strstr (reason, "150 MiB"));
    g_assert_nonnull (strstr (cost, "126 MiB"));
    row.why = RF_WHY_UNAVAILABLE;
    row.detail = (char *)"'x' needs Linux 5.0";
    g_autofree char *detail = rf_recommendation_reason (&row);
    g_assert_nonnull (strstr (detail, "needs Linux 5.0"));
    /* the measured warning of zram is said with its numbers */
    row.tunable = rf_tunable_find ("swap.zram");
    row.cost = RF_COST_LATENCY_UNDER_SWAP;
    g_autofree char *zram = rf_recommendation_cost (&row);
    g_assert_nonnull (strstr (zram, "4.6 to 6.6"));
}

static void
values (void)
{
    const struct {
        const char *id;
        RfValue value;
        const char *text;
        const char *raw;
    } table[] = {
        {"vm.min_free_kbytes", rf_value_int (67584), "66 MiB", "67584"},
        {"vm.watermark_scale_factor", rf_value_int (10), "0.1 % of memory", "10"},
        {"vm.watermark_scale_factor", rf_value_int (62), "0.62 % of memory", "62"},
        {"vm.watermark_scale_factor", rf_value_int (300), "3 % of memory", "300"},
        {"vm.dirty", rf_value_dirty (RF_DIRTY_RATIO, 20), "20 % of memory", "20"},
        {"vm.dirty", rf_value_dirty (RF_DIRTY_BYTES, 268435456), "256 MiB", "268435456"},
        {"vm.dirty_expire_centisecs", rf_value_int (1500), "15 s", "1500"},
        {"vm.dirty_writeback_centisecs", rf_value_int (0), "off", "0"},
        {"vm.dirty_writeback_centisecs", rf_value_int (-1), "off", "-1"},
        {"block.scheduler", rf_value_choice ("mq-deadline"), "mq-deadline", "mq-deadline"},
        {"block.wbt_lat_usec", rf_value_int (2000), "2 ms", "2000"},
        {"block.wbt_lat_usec", rf_value_int (0), "off", "0"},
        {"swap.zram", rf_value_zram (G_GINT64_CONSTANT (8589934592), "lz4", 100), "8 GiB, lz4, priority 100",
         "8589934592 lz4 100"},
        {"swap.zram", rf_value_absent (), "not set up", "absent"},
        {"vm.page-cluster", rf_value_int (0), "1 page", "0"},
        {"vm.page-cluster", rf_value_int (3), "8 pages", "3"},
        {"vm.swappiness", rf_value_int (60), "60", "60"},
        {"vm.watermark_boost_factor", rf_value_int (15000), "150 % of the upper threshold", "15000"},
        {"vm.watermark_boost_factor", rf_value_int (0), "off", "0"},
        {"block.read_ahead_kb", rf_value_int (128), "128 KiB", "128"},
        {"vm.vfs_cache_pressure", rf_value_int (100), "100 %", "100"},
        {"net.core.rmem_max", rf_value_int (212992), "208 KiB", "212992"},
        {"net.ipv4.tcp_rmem", rf_value_vector (4096, 131072, 33554432), "4 KiB, 128 KiB, 32 MiB",
         "4096 131072 33554432"},
        {"net.ipv4.tcp_keepalive_time", rf_value_int (7200), "2 h", "7200"},
        {"net.ipv4.tcp_fin_timeout", rf_value_int (60), "1 min", "60"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        const RfTunable *tunable = rf_tunable_find (table[i].id);
        g_autofree char *text = rf_value_text (tunable, &table[i].value);
        g_autofree char *raw = rf_value_raw_text (tunable, &table[i].value);
        g_assert_cmpstr (text, ==, table[i].text);
        g_assert_cmpstr (raw, ==, table[i].raw);
    }
}

static void
kernel_names (void)
{
    RfValue bytes = rf_value_dirty (RF_DIRTY_BYTES, 1), ratio = rf_value_dirty (RF_DIRTY_RATIO, 1);
    const struct {
        const char *id;
        const char *instance;
        const RfValue *value;
        const char *name;
    } table[] = {
        {"vm.swappiness", "", NULL, "vm.swappiness"},
        {"vm.dirty", "", &bytes, "vm.dirty_bytes"},
        {"vm.dirty_background", "", &ratio, "vm.dirty_background_ratio"},
        {"vm.dirty", "", NULL, "vm.dirty_ratio, vm.dirty_bytes"},
        {"block.scheduler", "nvme0n1", NULL, "queue/scheduler (nvme0n1)"},
        {"block.read_ahead_kb", "dm-0", NULL, "queue/read_ahead_kb (dm-0)"},
        {"block.read_ahead_kb", "btrfs-1", NULL, "bdi/read_ahead_kb (btrfs-1)"},
        {"swap.zram", "", NULL, "zram"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autofree char *name
            = rf_tunable_kernel_name (rf_tunable_find (table[i].id), table[i].instance, table[i].value);
        g_assert_cmpstr (name, ==, table[i].name);
    }
}

/* What compressed swap holds, and the word on whether it can be emptied; the margin is 2 % of memory. */
static void
held_by_zram (void)
{
    static const struct {
        guint64 stored_mib;
        guint64 available_mib;
        const char *text;
    } table[] = {
        {0, 4000, "It holds nothing now."},
        {1024, 4000, "It holds 1 GiB in 256 MiB of memory. 3.9 GiB are available, enough to take it back now."},
        {1024, 1188, "It holds 1 GiB in 256 MiB of memory. 1.2 GiB are available, enough to take it back now."},
        {1024, 1187, "It holds 1 GiB in 256 MiB of memory. Only 1.2 GiB are available: taking it back now would be "
                     "complete only after the next restart."},
        {1024, 10, "It holds 1 GiB in 256 MiB of memory. Only 10 MiB are available: taking it back now would be "
                   "complete only after the next restart."},
    };
    RfSnapshot snapshot = {0};
    rf_zram_totals_init (&snapshot.zram);
    g_assert_null (rf_zram_held_text (&snapshot, 0));
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        snapshot.zram.stored = (RfCounter){.value = table[i].stored_mib << 20, .avail = RF_AVAIL_OK};
        snapshot.zram.mem_used = (RfCounter){.value = table[i].stored_mib << 18, .avail = RF_AVAIL_OK};
        snapshot.meminfo.available = (RfCounter){.value = table[i].available_mib << 20, .avail = RF_AVAIL_OK};
        g_autofree char *text = rf_zram_held_text (&snapshot, G_GUINT64_CONSTANT (8192) << 20);
        g_assert_cmpstr (text, ==, table[i].text);
    }
    snapshot.meminfo.available = RF_COUNTER_MISSING (RF_AVAIL_NO_FIELD);
    g_assert_null (rf_zram_held_text (&snapshot, 0));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/advice-text/every-tunable", every_tunable);
    g_test_add_func ("/advice-text/every-enum", every_enum);
    g_test_add_func ("/advice-text/every-reason", every_reason);
    g_test_add_func ("/advice-text/numbers-in-reasons", numbers_in_reasons);
    g_test_add_func ("/advice-text/values", values);
    g_test_add_func ("/advice-text/kernel-names", kernel_names);
    g_test_add_func ("/advice-text/held-by-zram", held_by_zram);
    return g_test_run ();
}
