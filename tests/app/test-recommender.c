#include "config.h"

#include "rf-error.h"
#include "rf-test-tree.h"
#include "rf-tunable-text.h"

#include <string.h>

#define MIB (G_GUINT64_CONSTANT (1024) * 1024)
#define GIB (MIB * 1024)

/* A machine made of numbers: plain structs, so that thousands of them cost nothing. */
typedef struct {
    guint64 ram;
    guint cpus;
    gboolean zram_swap;
    gboolean disk_swap;
    gboolean on_data_disk;
    RfDiskKind disk_kind;
    RfDisk disk;
    RfSwapDevice swaps[2];
    RfReadahead readahead;
    RfFacts facts;
    RfCurrentSet *current;
    RfSnapshot snapshot;
} Machine;

static const char *const no_strings[] = {NULL};
static const char *const root_mount[] = {"/", NULL};
static const char *const btrfs_layers[] = {"partition nvme0n1p3", "LUKS", "btrfs", NULL};
static const char *const schedulers[] = {"none", "mq-deadline", NULL};

static void
put (Machine *machine, const char *id, const char *instance, RfValue value)
{
    const RfTunable *tunable = rf_tunable_find (id);
    rf_current_set_put (machine->current, tunable, instance, &value,
                        tunable->kind == RF_VALUE_CHOICE ? schedulers : NULL);
}

static void
put_defaults (Machine *machine)
{
    put (machine, "vm.min_free_kbytes", "", rf_value_int (67584));
    put (machine, "vm.watermark_scale_factor", "", rf_value_int (10));
    put (machine, "vm.dirty", "", rf_value_dirty (RF_DIRTY_RATIO, 20));
    put (machine, "vm.dirty_background", "", rf_value_dirty (RF_DIRTY_RATIO, 10));
    put (machine, "vm.dirty_expire_centisecs", "", rf_value_int (3000));
    put (machine, "vm.dirty_writeback_centisecs", "", rf_value_int (500));
    put (machine, "block.scheduler", "nvme0n1", rf_value_choice ("mq-deadline"));
    put (machine, "block.wbt_lat_usec", "nvme0n1", rf_value_int (2000));
    put (machine, "swap.zram", "", rf_value_absent ());
    put (machine, "vm.page-cluster", "", rf_value_int (3));
    put (machine, "vm.swappiness", "", rf_value_int (60));
    put (machine, "vm.watermark_boost_factor", "", rf_value_int (15000));
    put (machine, "block.read_ahead_kb", "nvme0n1", rf_value_int (128));
    put (machine, "vm.vfs_cache_pressure", "", rf_value_int (100));
    put (machine, "net.core.rmem_max", "", rf_value_int (212992));
    put (machine, "net.core.wmem_max", "", rf_value_int (212992));
    put (machine, "net.ipv4.tcp_rmem", "", rf_value_vector (4096, 131072, 6291456));
    put (machine, "net.ipv4.tcp_wmem", "", rf_value_vector (4096, 16384, 4194304));
    put (machine, "net.ipv4.tcp_keepalive_time", "", rf_value_int (7200));
    put (machine, "net.ipv4.tcp_fin_timeout", "", rf_value_int (60));
}

static void
machine_init (Machine *machine, guint64 ram)
{
    *machine = (Machine){.ram = ram, .cpus = 8, .disk_swap = TRUE, .on_data_disk = TRUE, .disk_kind = RF_DISK_NVME};
    machine->disk = (RfDisk){.name = (char *)"nvme0n1",
                             .model = (char *)"Test SSD",
                             .size_bytes = 1000 * GIB,
                             .kind = RF_DISK_NVME,
                             .has_scheduler = TRUE,
                             .has_wbt = TRUE,
                             .hw_queues = 8,
                             .holders = (char **)no_strings,
                             .mount_points = (char **)root_mount,
                             .layers = (char **)no_strings};
    machine->readahead = (RfReadahead){.instance = (char *)"nvme0n1",
                                       .path = (char *)"sys/block/nvme0n1/queue/read_ahead_kb",
                                       .label = (char *)"ext4 on /",
                                       .rules = TRUE};
    machine->facts = (RfFacts){.ram_bytes = ram,
                               .managed_bytes = ram,
                               .page_size = 4096,
                               .is_64bit = TRUE,
                               .kernel_release = (char *)"6.1.0",
                               .kernel = RF_KERNEL (6, 1),
                               .zram_available = TRUE,
                               .zram_algorithms = (char **)no_strings,
                               .zswap = RF_AVAIL_NO_FILE,
                               .psi = TRUE,
                               .disks = g_ptr_array_new (),
                               .swaps = g_ptr_array_new (),
                               .readahead = g_ptr_array_new ()};
    machine->current = rf_current_set_new ();
    put_defaults (machine);
    machine->snapshot.page_size = 4096;
    machine->snapshot.vmstat.nr_dirty_threshold = RF_COUNTER (ram / 100 * 16 / 4096);
    machine->snapshot.vmstat.nr_dirty_background_threshold = RF_COUNTER (ram / 100 * 8 / 4096);
    machine->snapshot.meminfo.available = RF_COUNTER (ram / 100 * 80);
    guint64 min = 67584 * 1024 / 4096;
    machine->snapshot.zoneinfo.min = RF_COUNTER (min);
    machine->snapshot.zoneinfo.low = RF_COUNTER (min + MAX (min / 4, ram / 10000 * 10 / 4096));
}

/* Call after the switches are set. */
static void
machine_ready (Machine *machine)
{
    machine->facts.n_cpus = machine->cpus;
    machine->disk.kind = machine->disk_kind;
    g_ptr_array_add (machine->facts.disks, &machine->disk);
    g_ptr_array_add (machine->facts.readahead, &machine->readahead);
    if (machine->zram_swap) {
        machine->swaps[0] = (RfSwapDevice){.path = (char *)"/dev/zram0", .kind = RF_SWAP_ZRAM, .size_bytes = 4 * GIB};
        g_ptr_array_add (machine->facts.swaps, &machine->swaps[0]);
        machine->facts.zram_owner = RF_ZRAM_OWNER_GENERATOR;
    }
    if (machine->disk_swap) {
        machine->swaps[1] = (RfSwapDevice){.path = (char *)"/swapfile",
                                           .kind = RF_SWAP_FILE,
                                           .size_bytes = 2 * GIB,
                                           .disk = (char *)"nvme0n1",
                                           .on_data_disk = machine->on_data_disk};
        g_ptr_array_add (machine->facts.swaps, &machine->swaps[1]);
    }
}

static void
machine_clear (Machine *machine)
{
    g_ptr_array_unref (machine->facts.disks);
    g_ptr_array_unref (machine->facts.swaps);
    g_ptr_array_unref (machine->facts.readahead);
    rf_current_set_free (machine->current);
}

static const RfRecommendation *
find (GPtrArray *rows, const char *id)
{
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = g_ptr_array_index (rows, i);
        if (g_str_equal (row->tunable->id, id))
            return row;
    }
    g_error ("no row for %s", id);
}

/* What must be true of every row on every machine. */
static void
check_rows (const RfFacts *facts, const RfCurrentSet *current, const RfSnapshot *snapshot, GPtrArray *rows,
            RfPreset preset)
{
    guint64 limit = snapshot != NULL && rf_counter_ok (snapshot->vmstat.nr_dirty_threshold)
                        ? snapshot->vmstat.nr_dirty_threshold.value * snapshot->page_size
                        : 0;
    guint64 background = snapshot != NULL && rf_counter_ok (snapshot->vmstat.nr_dirty_background_threshold)
                             ? snapshot->vmstat.nr_dirty_background_threshold.value * snapshot->page_size
                             : 0;
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    g_autoptr (RfPlanBuilder) everything = rf_plan_builder_new ();
    g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < rows->len; i++) {
        g_autoptr (GError) error = NULL;
        const RfRecommendation *row = g_ptr_array_index (rows, i);
        g_autofree char *reason = rf_recommendation_reason (row);
        g_assert_true (g_hash_table_add (seen, g_strconcat (row->tunable->id, "@", row->instance, NULL)));
        g_assert_cmpstr (reason, !=, "");
        if (row->verdict == RF_VERDICT_RECOMMENDED || row->verdict == RF_VERDICT_TRY)
            g_assert_true (row->has_proposed);
        if (row->verdict == RF_VERDICT_FINE || row->verdict == RF_VERDICT_REFUSED)
            g_assert_false (row->has_proposed);
        if (!row->has_proposed) {
            g_assert_cmpint (row->cost, ==, RF_COST_NONE);
            continue;
        }
        g_assert_true (facts->is_64bit);
        g_assert_null (facts->container);
        g_assert_false (row->has_current && rf_value_equal (&row->current, &row->proposed));
        g_assert_true (rf_catalogue_available (row->tunable, row->instance, facts, &error));
        g_assert_no_error (error);
        g_assert_true (rf_catalogue_check_value (row->tunable, facts, &row->proposed, &error));
        g_assert_no_error (error);
        rf_plan_builder_set (everything, row->tunable, row->instance, &row->proposed);
        if (row->verdict == RF_VERDICT_RECOMMENDED)
            rf_plan_builder_set (builder, row->tunable, row->instance, &row->proposed);

        if (g_str_equal (row->tunable->id, "vm.watermark_scale_factor")) {
            guint64 distance = facts->managed_bytes / 10000 * (guint64)row->proposed.n[0];
            g_assert_cmpint (row->proposed.n[0], >, row->current.n[0]); /* never lowered */
            g_assert_cmpint (row->proposed.n[0], >=, 10);
            g_assert_cmpint (row->proposed.n[0], <=, 300);
            g_assert_cmpuint (2 * distance, <=, facts->ram_bytes / 20);
        } else if (g_str_equal (row->tunable->id, "vm.min_free_kbytes")) {
            g_assert_cmpint (preset, ==, RF_PRESET_CASE_STUDY);
            g_assert_cmpint (row->proposed.n[0], >, row->current.n[0]);
            g_assert_cmpuint ((guint64)row->proposed.n[0] * 1024, <=, facts->ram_bytes / 20);
            if (snapshot != NULL && rf_counter_ok (snapshot->meminfo.available))
                g_assert_cmpuint ((guint64)row->proposed.n[0] * 1024, <=, snapshot->meminfo.available.value / 100 * 15);
        } else if (row->tunable->kind == RF_VALUE_DIRTY && row->proposed.n[1] == RF_DIRTY_BYTES) {
            guint64 in_force = g_str_equal (row->tunable->id, "vm.dirty") ? limit : background;
            g_assert_cmpuint ((guint64)row->proposed.n[0], <, in_force); /* never above the limit in force */
        } else if (row->tunable->kind == RF_VALUE_DIRTY) {
            g_assert_true (row->current.n[1] == RF_DIRTY_BYTES || row->proposed.n[0] < row->current.n[0]);
        } else if (g_str_equal (row->tunable->id, "block.scheduler")) {
            g_assert_cmpint (row->verdict, ==, RF_VERDICT_TRY);
        } else if (g_str_equal (row->tunable->id, "block.wbt_lat_usec")) {
            g_assert_cmpint (row->verdict, ==, RF_VERDICT_EXPERT);
        } else if (g_str_equal (row->tunable->id, "swap.zram")) {
            g_assert_cmpint (row->verdict, ==, RF_VERDICT_TRY);
            g_assert_cmpint (row->cost, ==, RF_COST_LATENCY_UNDER_SWAP);
            g_assert_cmpuint (facts->n_cpus, >=, 4);
        } else if (g_str_equal (row->tunable->id, "vm.page-cluster") && row->proposed.n[0] == 0) {
            for (guint s = 0; s < facts->swaps->len; s++)
                g_assert_cmpint (((RfSwapDevice *)g_ptr_array_index (facts->swaps, s))->kind, ==, RF_SWAP_ZRAM);
        }
    }
    /* what is ticked is a plan that the helper accepts; so is everything at once */
    RfPlanBuilder *builders[] = {builder, everything};
    for (gsize i = 0; i < G_N_ELEMENTS (builders); i++) {
        if (rf_plan_builder_length (builders[i]) == 0)
            continue;
        g_autoptr (GError) error = NULL;
        g_autoptr (RfPlan) plan = rf_plan_builder_finish (builders[i], &error);
        g_assert_no_error (error);
        g_assert_true (rf_plan_validate (plan, facts, &error));
        g_assert_no_error (error);
    }
}

static void
many_machines (void)
{
    static const RfDiskKind kinds[]
        = {RF_DISK_NVME, RF_DISK_NVME_HEAD, RF_DISK_SATA, RF_DISK_USB, RF_DISK_VIRTIO, RF_DISK_MMC, RF_DISK_OTHER};
    static const gint64 factors[] = {1, 10, 62, 125, 300, 3000};
    guint n = 0;
    for (guint64 ram = 2 * GIB; ram <= 512 * GIB; ram += ram < 32 * GIB ? 512 * MIB + 12345 * 4096 : 7 * GIB + 4096)
        for (guint bits = 0; bits < 16; bits++)
            for (guint preset = 0; preset < RF_N_PRESETS; preset++) {
                Machine machine;
                machine_init (&machine, ram);
                machine.disk_kind = kinds[n % G_N_ELEMENTS (kinds)];
                machine.zram_swap = (bits & 1) != 0;
                machine.disk_swap = (bits & 2) != 0;
                machine.on_data_disk = (bits & 4) != 0;
                machine.cpus = (bits & 8) != 0 ? 2 : 16;
                machine_ready (&machine);
                put (&machine, "vm.watermark_scale_factor", "", rf_value_int (factors[n % G_N_ELEMENTS (factors)]));
                if (n % 5 == 0) {
                    put (&machine, "vm.dirty", "", rf_value_dirty (RF_DIRTY_BYTES, 256 << 20));
                    put (&machine, "vm.dirty_background", "", rf_value_dirty (RF_DIRTY_BYTES, 64 << 20));
                    machine.snapshot.vmstat.nr_dirty_threshold = RF_COUNTER (65536);
                    machine.snapshot.vmstat.nr_dirty_background_threshold = RF_COUNTER (16384);
                }
                const RfSnapshot *snapshot = n % 7 == 0 ? NULL : &machine.snapshot;
                g_autoptr (GPtrArray) rows = rf_recommend (&machine.facts, machine.current, snapshot, (RfPreset)preset);
                check_rows (&machine.facts, machine.current, snapshot, rows, (RfPreset)preset);
                machine_clear (&machine);
                n++;
            }
    g_assert_cmpuint (n, >, 5000);
}

/* The factor by size of memory; the numbers of issue and lab: 62 on 24 GiB, 60 on 94 GiB. */
static void
head_start (void)
{
    static const struct {
        guint64 ram_gib;
        guint64 target_mib;
        gint64 factor;
    } table[] = {
        {2, 51, 250},  {4, 102, 250}, {6, 150, 245}, {8, 150, 184},  {16, 150, 92},   {24, 150, 62},
        {32, 196, 60}, {64, 393, 60}, {94, 577, 60}, {128, 786, 60}, {512, 3145, 60},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        Machine machine;
        machine_init (&machine, table[i].ram_gib * GIB);
        machine_ready (&machine);
        g_autoptr (GPtrArray) rows
            = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
        const RfRecommendation *row = find (rows, "vm.watermark_scale_factor");
        g_assert_cmpint (row->verdict, ==, RF_VERDICT_RECOMMENDED);
        g_assert_cmpint (row->why, ==, RF_WHY_HEAD_START);
        g_assert_cmpuint (row->target_bytes / MIB, ==, table[i].target_mib);
        g_assert_cmpint (row->proposed.n[0], ==, table[i].factor);
        g_assert_cmpint (row->cost, ==, RF_COST_MEMORY);
        g_assert_cmpuint (row->cost_bytes, >, 0);
        g_assert_cmpuint (row->evidence_bytes, ==,
                          rf_recommend_head_start (&machine.facts, machine.current, &machine.snapshot));
        machine_clear (&machine);
    }
}

static void
head_start_is_enough (void)
{
    Machine machine;
    machine_init (&machine, 24 * GIB);
    machine_ready (&machine);
    /* a large reserve gives the distance as well: 1 GiB is 256 MiB of lead */
    put (&machine, "vm.min_free_kbytes", "", rf_value_int (1048576));
    machine.snapshot.zoneinfo.min = RF_COUNTER (GIB / 4096);
    machine.snapshot.zoneinfo.low = RF_COUNTER (GIB / 4096 + 256 * MIB / 4096);
    g_autoptr (GPtrArray) rows = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    g_assert_cmpint (find (rows, "vm.watermark_scale_factor")->why, ==, RF_WHY_HEAD_START_ENOUGH);
    /* by the kernel's formula if there are no watermarks to read */
    g_autoptr (GPtrArray) blind = rf_recommend (&machine.facts, machine.current, NULL, RF_PRESET_MACHINE);
    g_assert_cmpint (find (blind, "vm.watermark_scale_factor")->why, ==, RF_WHY_HEAD_START_ENOUGH);
    g_assert_cmpuint (find (blind, "vm.watermark_scale_factor")->evidence_bytes, ==, 256 * MIB);
    machine_clear (&machine);
}

static void
dirty_limits (void)
{
    Machine machine;
    machine_init (&machine, 94 * GIB);
    machine_ready (&machine);
    g_autoptr (GPtrArray) rows = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    const RfRecommendation *hard = find (rows, "vm.dirty"), *background = find (rows, "vm.dirty_background");
    g_assert_cmpint (hard->verdict, ==, RF_VERDICT_OPTIONAL);
    g_assert_cmpint (hard->doubt, ==, RF_DOUBT_DRIVE_SPEED);
    g_assert_cmpint (hard->cost, ==, RF_COST_THROUGHPUT);
    g_assert_cmpint (hard->proposed.n[1], ==, RF_DIRTY_BYTES);
    g_assert_cmpuint ((guint64)hard->proposed.n[0], ==, 4000 * MIB);
    g_assert_cmpuint ((guint64)background->proposed.n[0], ==, 800 * MIB);

    /* the limit in force is lower already: nothing is proposed */
    machine.snapshot.vmstat.nr_dirty_threshold = RF_COUNTER (4000 * MIB / 4096);
    machine.snapshot.vmstat.nr_dirty_background_threshold = RF_COUNTER (100 * MIB / 4096);
    g_autoptr (GPtrArray) low = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    g_assert_cmpint (find (low, "vm.dirty")->why, ==, RF_WHY_LIMIT_ALREADY_LOW);
    g_assert_cmpint (find (low, "vm.dirty_background")->why, ==, RF_WHY_LIMIT_ALREADY_LOW);
    /* it is not known: nothing is proposed either */
    g_autoptr (GPtrArray) blind = rf_recommend (&machine.facts, machine.current, NULL, RF_PRESET_MACHINE);
    g_assert_cmpint (find (blind, "vm.dirty")->why, ==, RF_WHY_LIMIT_UNKNOWN);
    machine_clear (&machine);
}

/* The kernel's command line forbids the generator to make it: nothing is offered that the next start would not bring. */
static void
zram_switched_off (void)
{
    Machine machine;
    machine_init (&machine, 16 * GIB);
    machine.cpus = 8;
    machine.disk_swap = machine.on_data_disk = TRUE;
    machine_ready (&machine);
    machine.facts.zram_available = TRUE;
    for (guint off = 0; off < 2; off++) {
        machine.facts.zram_switched_off = off == 1;
        g_autoptr (GPtrArray) rows
            = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
        const RfRecommendation *row = find (rows, "swap.zram");
        g_assert_cmpint (row->why, ==, off == 1 ? RF_WHY_ZRAM_OFF : RF_WHY_ZRAM_TRY);
        g_assert_cmpint (row->has_proposed, ==, off == 0);
    }
    machine_clear (&machine);
}

static void
zram_table (void)
{
    static const struct {
        const char *name;
        guint64 ram_gib;
        guint cpus;
        gboolean disk_swap, on_data_disk, hibernation, available, zswap;
        RfZramOwner owner;
        guint64 available_mib; /* MemAvailable, 0: plenty */
        RfReasonId why;
    } table[] = {
        {"try", 16, 8, TRUE, TRUE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_TRY},
        {"no swap", 16, 8, FALSE, FALSE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_NO_SWAP},
        {"other disk", 16, 8, TRUE, FALSE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_NOT_NEEDED},
        {"foreign", 16, 8, TRUE, TRUE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_GENERATOR, 0, RF_WHY_ZRAM_FOREIGN},
        {"unknown owner", 16, 8, TRUE, TRUE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_UNKNOWN, 0, RF_WHY_ZRAM_FOREIGN},
        {"ours", 16, 8, TRUE, TRUE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_OURS, 0, RF_WHY_ZRAM_OURS},
        {"hibernation", 16, 8, TRUE, TRUE, TRUE, TRUE, FALSE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_HIBERNATION},
        {"two cores", 16, 2, TRUE, TRUE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_CORES},
        {"little memory", 2, 8, TRUE, TRUE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_MEMORY},
        {"memory is full", 16, 8, TRUE, TRUE, FALSE, TRUE, FALSE, RF_ZRAM_OWNER_NONE, 900, RF_WHY_ZRAM_MEMORY},
        {"no module", 16, 8, TRUE, TRUE, FALSE, FALSE, FALSE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_MODULE},
        {"zswap", 16, 8, TRUE, TRUE, FALSE, TRUE, TRUE, RF_ZRAM_OWNER_NONE, 0, RF_WHY_ZRAM_ZSWAP},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        Machine machine;
        machine_init (&machine, table[i].ram_gib * GIB);
        machine.cpus = table[i].cpus;
        machine.disk_swap = table[i].disk_swap;
        machine.on_data_disk = table[i].on_data_disk;
        machine_ready (&machine);
        machine.facts.hibernation = table[i].hibernation;
        machine.facts.zram_available = table[i].available;
        machine.facts.zram_owner = table[i].owner;
        machine.facts.zswap = RF_AVAIL_OK;
        machine.facts.zswap_enabled = table[i].zswap;
        if (table[i].available_mib != 0)
            machine.snapshot.meminfo.available = RF_COUNTER (table[i].available_mib * MIB);
        g_autoptr (GPtrArray) rows
            = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
        const RfRecommendation *row = find (rows, "swap.zram");
        g_test_message ("%s", table[i].name);
        g_assert_cmpint (row->why, ==, table[i].why);
        g_assert_cmpint (row->verdict, ==,
                         table[i].why == RF_WHY_ZRAM_TRY    ? RF_VERDICT_TRY
                         : table[i].why == RF_WHY_ZRAM_OURS ? RF_VERDICT_FINE
                                                            : RF_VERDICT_REFUSED);
        if (table[i].why == RF_WHY_ZRAM_TRY) {
            g_assert_cmpuint ((guint64)row->proposed.n[0], ==, 4 * GIB);
            g_assert_cmpstr (row->proposed.token, ==, "lzo-rle");
        }
        machine_clear (&machine);
    }
}

static void
swap_tuning (void)
{
    static const struct {
        gboolean zram, disk;
        gint64 swappiness;
        guint kernel;
        RfReasonId cluster_why, swappiness_why;
        gint64 proposed; /* swappiness, -1: none */
    } table[] = {
        {FALSE, FALSE, 60, RF_KERNEL (6, 1), RF_WHY_NO_SWAP, RF_WHY_NO_SWAP, -1},
        {FALSE, TRUE, 60, RF_KERNEL (6, 1), RF_WHY_PAGE_CLUSTER_DISK, RF_WHY_SWAPPINESS_DISK, -1},
        {FALSE, TRUE, 10, RF_KERNEL (6, 1), RF_WHY_PAGE_CLUSTER_DISK, RF_WHY_SWAPPINESS_DISK, -1},
        {FALSE, TRUE, 180, RF_KERNEL (6, 1), RF_WHY_PAGE_CLUSTER_DISK, RF_WHY_SWAPPINESS_DISK, 60},
        {TRUE, FALSE, 60, RF_KERNEL (6, 1), RF_WHY_PAGE_CLUSTER_ZRAM, RF_WHY_SWAPPINESS_BOTH, 180},
        {TRUE, FALSE, 150, RF_KERNEL (6, 1), RF_WHY_PAGE_CLUSTER_ZRAM, RF_WHY_SWAPPINESS_BOTH, -1},
        {TRUE, FALSE, 60, RF_KERNEL (5, 4), RF_WHY_PAGE_CLUSTER_ZRAM, RF_WHY_SWAPPINESS_BOTH, -1},
        {TRUE, TRUE, 60, RF_KERNEL (6, 1), RF_WHY_PAGE_CLUSTER_DISK, RF_WHY_DEFAULT_IS_FINE, -1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        Machine machine;
        machine_init (&machine, 16 * GIB);
        machine.zram_swap = table[i].zram;
        machine.disk_swap = table[i].disk;
        machine_ready (&machine);
        machine.facts.kernel = table[i].kernel;
        put (&machine, "vm.swappiness", "", rf_value_int (table[i].swappiness));
        g_autoptr (GPtrArray) rows
            = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
        const RfRecommendation *swappiness = find (rows, "vm.swappiness");
        g_assert_cmpint (find (rows, "vm.page-cluster")->why, ==, table[i].cluster_why);
        g_assert_cmpint (swappiness->why, ==, table[i].swappiness_why);
        g_assert_cmpint (swappiness->has_proposed ? swappiness->proposed.n[0] : -1, ==, table[i].proposed);
        machine_clear (&machine);
    }
}

static void
queues (void)
{
    Machine machine;
    machine_init (&machine, 16 * GIB);
    machine_ready (&machine);
    g_autoptr (GPtrArray) rows = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    g_assert_cmpint (find (rows, "block.scheduler")->why, ==, RF_WHY_SCHEDULER_TRY);
    g_assert_cmpint (find (rows, "block.wbt_lat_usec")->verdict, ==, RF_VERDICT_EXPERT);
    g_assert_false (find (rows, "block.wbt_lat_usec")->has_proposed);
    g_assert_cmpint (find (rows, "block.read_ahead_kb")->why, ==, RF_WHY_READAHEAD_RULES);

    put (&machine, "block.scheduler", "nvme0n1", rf_value_choice ("none"));
    put (&machine, "block.read_ahead_kb", "nvme0n1", rf_value_int (33553920));
    g_autoptr (GPtrArray) again = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    g_assert_cmpint (find (again, "block.scheduler")->why, ==, RF_WHY_SCHEDULER_ALREADY);
    g_assert_cmpint (find (again, "block.read_ahead_kb")->why, ==, RF_WHY_READAHEAD_HUGE);

    machine.readahead.rules = FALSE;
    g_autoptr (GPtrArray) below = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    g_assert_cmpint (find (below, "block.read_ahead_kb")->why, ==, RF_WHY_READAHEAD_BELOW);
    /* SATA, rotational, zoned: refused, once */
    machine.disk.kind = RF_DISK_SATA;
    g_autoptr (GPtrArray) sata = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    g_assert_cmpint (find (sata, "block.scheduler")->why, ==, RF_WHY_NO_NVME);
    g_assert_cmpstr (find (sata, "block.scheduler")->instance, ==, "");
    machine.disk.kind = RF_DISK_NVME;
    machine.disk.zoned = TRUE;
    g_autoptr (GPtrArray) zoned = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_MACHINE);
    g_assert_cmpint (find (zoned, "block.scheduler")->why, ==, RF_WHY_NO_NVME);
    machine_clear (&machine);
}

static void
nothing_at_all (void)
{
    static const struct {
        gboolean is_64bit, container, read_only;
        RfReasonId why;
    } table[] = {
        {FALSE, FALSE, FALSE, RF_WHY_32BIT},
        {TRUE, TRUE, FALSE, RF_WHY_CONTAINER},
        {TRUE, FALSE, TRUE, RF_WHY_CONTAINER},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        for (guint preset = 0; preset < RF_N_PRESETS; preset++) {
            Machine machine;
            machine_init (&machine, 3 * GIB);
            machine_ready (&machine);
            machine.facts.is_64bit = table[i].is_64bit;
            machine.facts.container = table[i].container ? (char *)"docker" : NULL;
            machine.facts.sysctl_read_only = table[i].read_only;
            g_autoptr (GPtrArray) rows
                = rf_recommend (&machine.facts, machine.current, &machine.snapshot, (RfPreset)preset);
            for (guint r = 0; r < rows->len; r++) {
                const RfRecommendation *row = g_ptr_array_index (rows, r);
                g_assert_cmpint (row->verdict, ==, RF_VERDICT_REFUSED);
                g_assert_cmpint (row->why, ==, table[i].why);
                g_assert_false (row->has_proposed);
            }
            machine_clear (&machine);
        }
}

static void
case_study (void)
{
    static const struct {
        guint64 ram_gib;
        guint64 available_percent;
        gint64 min_free; /* KiB, -1: not raised */
        RfReasonId why;
    } table[] = {
        {94, 80, 1048576, RF_WHY_PRESET},        {24, 80, 1048576, RF_WHY_PRESET},
        {16, 80, 838860, RF_WHY_PRESET_CLAMPED}, /* 5 % of RAM */
        {94, 5, 739246, RF_WHY_PRESET_CLAMPED},  /* 15 % of MemAvailable */
        {2, 10, -1, RF_WHY_LEFT_ALONE},          /* the cap lies below what is there */
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        Machine machine;
        machine_init (&machine, table[i].ram_gib * GIB);
        machine_ready (&machine);
        machine.snapshot.meminfo.available = RF_COUNTER (machine.ram / 100 * table[i].available_percent);
        g_autoptr (GPtrArray) rows
            = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_CASE_STUDY);
        const RfRecommendation *reserve = find (rows, "vm.min_free_kbytes");
        g_assert_cmpint (reserve->why, ==, table[i].why);
        g_assert_cmpint (reserve->has_proposed ? reserve->proposed.n[0] : -1, ==, table[i].min_free);
        g_assert_cmpint (find (rows, "vm.watermark_scale_factor")->proposed.n[0], ==, 125);
        g_assert_cmpint (find (rows, "vm.dirty")->proposed.n[0], ==, 5);
        g_assert_cmpint (find (rows, "vm.dirty")->proposed.n[1], ==, RF_DIRTY_RATIO);
        g_assert_cmpint (find (rows, "vm.dirty_background")->proposed.n[0], ==, 1);
        g_assert_cmpint (find (rows, "vm.dirty_expire_centisecs")->proposed.n[0], ==, 1500);
        g_assert_cmpint (find (rows, "vm.dirty_writeback_centisecs")->verdict, ==, RF_VERDICT_FINE);
        /* swap on a drive: what suits compressed swap only is left out */
        g_assert_false (find (rows, "vm.page-cluster")->has_proposed);
        g_assert_cmpint (find (rows, "vm.watermark_boost_factor")->verdict, ==, RF_VERDICT_OPTIONAL);
        machine_clear (&machine);
    }
}

static void
audio (void)
{
    Machine machine;
    machine_init (&machine, 16 * GIB);
    machine_ready (&machine);
    g_autoptr (GPtrArray) rows = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_AUDIO);
    const RfRecommendation *hard = find (rows, "vm.dirty");
    g_assert_cmpint (hard->verdict, ==, RF_VERDICT_RECOMMENDED);
    g_assert_cmpuint ((guint64)hard->proposed.n[0], ==, 128 * MIB);
    g_assert_cmpint (hard->cost, ==, RF_COST_THROUGHPUT); /* its price is said */
    g_assert_cmpint (hard->doubt, ==, RF_DOUBT_NO_EFFECT_SHOWN);
    g_assert_cmpuint ((guint64)find (rows, "vm.dirty_background")->proposed.n[0], ==, 32 * MIB);
    g_assert_cmpint (find (rows, "vm.watermark_scale_factor")->verdict, ==, RF_VERDICT_RECOMMENDED);
    machine.disk.layers = (char **)btrfs_layers;
    g_autoptr (GPtrArray) btrfs = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_AUDIO);
    g_assert_cmpint (find (btrfs, "vm.dirty")->doubt, ==, RF_DOUBT_BTRFS);
    machine_clear (&machine);
}

/* Pure: the same in, the same out. */
static void
repeatable (void)
{
    Machine machine;
    machine_init (&machine, 24 * GIB);
    machine_ready (&machine);
    g_autoptr (GPtrArray) a = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_CASE_STUDY);
    g_autoptr (GPtrArray) b = rf_recommend (&machine.facts, machine.current, &machine.snapshot, RF_PRESET_CASE_STUDY);
    g_assert_cmpuint (a->len, ==, b->len);
    for (guint i = 0; i < a->len; i++) {
        const RfRecommendation *x = g_ptr_array_index (a, i), *y = g_ptr_array_index (b, i);
        g_assert_cmpint (x->verdict, ==, y->verdict);
        g_assert_cmpint (x->why, ==, y->why);
        g_assert_true (!x->has_proposed || rf_value_equal (&x->proposed, &y->proposed));
    }
    machine_clear (&machine);
}

/* The six machines: each row as one line, so that a change of a rule shows itself as a changed line. */
static const struct {
    const char *machine;
    const char *rows[12];
} golden[] = {
    {"laptop-8g",
     {"vm.watermark_scale_factor: 10 -> 195 recommended head-start",
      "swap.zram: absent -> 1879048192 lzo-rle 100 try zram-try"}},
    {"desktop-94g",
     {"vm.watermark_scale_factor: 10 -> 60 recommended head-start",
      "vm.dirty_background: ratio:10 -> bytes:838860800 optional write-storm",
      "vm.dirty: ratio:20 -> bytes:4194304000 optional write-storm",
      "block.scheduler@nvme0n1: kyber -> none try scheduler-try",
      "swap.zram: absent -> 4294967296 lzo-rle 100 try zram-try"}},
    {"sata-ssd-hdd",
     {"vm.watermark_scale_factor: 10 -> 95 recommended head-start",
      "vm.dirty_background: ratio:10 -> bytes:100663296 optional write-storm",
      "vm.dirty: ratio:20 -> bytes:520093696 optional write-storm",
      "swap.zram: absent -> 4026531840 lzo-rle 100 try zram-try"}},
    {"virtio-vm",
     {"vm.watermark_scale_factor: 10 -> 250 recommended head-start",
      "vm.dirty_background: ratio:10 -> bytes:125829120 optional write-storm",
      "swap.zram: absent -> - refused zram-cores"}},
    {"nvme-multipath",
     {"vm.watermark_scale_factor: 10 -> 60 recommended head-start",
      "vm.dirty_background: ratio:10 -> bytes:838860800 optional write-storm",
      "vm.dirty: ratio:20 -> bytes:4194304000 optional write-storm",
      "swap.zram: absent -> 4294967296 lzo-rle 100 try zram-try"}},
    {"container", {"swap.zram: absent -> - refused container"}},
};

static char *
row_line (const RfRecommendation *row)
{
    g_autofree char *current = row->has_current ? rf_value_to_text (&row->current) : g_strdup ("-");
    g_autofree char *proposed = row->has_proposed ? rf_value_to_text (&row->proposed) : g_strdup ("-");
    return g_strdup_printf ("%s%s%s: %s -> %s %s %s", row->tunable->id, *row->instance != '\0' ? "@" : "",
                            row->instance, current, proposed, rf_verdict_nick (row->verdict), rf_why_nick (row->why));
}

static void
fixture_machines (void)
{
    for (gsize i = 0; i < G_N_ELEMENTS (golden); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (golden[i].machine);
        RfSysroot *sysroot = rf_test_tree_sysroot (tree);
        g_autoptr (RfFacts) facts = rf_facts_read (sysroot);
        g_autoptr (RfCurrentSet) current = rf_current_set_read (sysroot, facts);
        g_autoptr (RfSnapshot) snapshot = rf_snapshot_read (sysroot);
        for (guint preset = 0; preset < RF_N_PRESETS; preset++) {
            g_autoptr (GPtrArray) rows = rf_recommend (facts, current, snapshot, (RfPreset)preset);
            check_rows (facts, current, snapshot, rows, (RfPreset)preset);
            if (preset != RF_PRESET_MACHINE)
                continue;
            guint line = 0;
            for (guint r = 0; r < rows->len; r++) {
                const RfRecommendation *row = g_ptr_array_index (rows, r);
                if (row->tunable->group == RF_GROUP_EXPERT)
                    continue;
                g_autofree char *text = row_line (row);
                g_test_message ("%s %s", golden[i].machine, text);
                if (row->has_proposed || row->tunable->group == RF_GROUP_SWAP) {
                    g_assert_cmpuint (line, <, G_N_ELEMENTS (golden[i].rows));
                    g_assert_cmpstr (text, ==, golden[i].rows[line]);
                    line++;
                }
            }
            g_assert_null (golden[i].rows[line]);
        }
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/recommender/many-machines", many_machines);
    g_test_add_func ("/recommender/head-start", head_start);
    g_test_add_func ("/recommender/head-start-is-enough", head_start_is_enough);
    g_test_add_func ("/recommender/dirty-limits", dirty_limits);
    g_test_add_func ("/recommender/zram", zram_table);
    g_test_add_func ("/recommender/zram-off", zram_switched_off);
    g_test_add_func ("/recommender/swap-tuning", swap_tuning);
    g_test_add_func ("/recommender/queues", queues);
    g_test_add_func ("/recommender/nothing-at-all", nothing_at_all);
    g_test_add_func ("/recommender/case-study", case_study);
    g_test_add_func ("/recommender/audio", audio);
    g_test_add_func ("/recommender/repeatable", repeatable);
    g_test_add_func ("/recommender/fixture-machines", fixture_machines);
    return g_test_run ();
}
