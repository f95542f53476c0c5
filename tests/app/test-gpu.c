#include "config.h"

#include "rf-fake-nvml.h"
#include "rf-gpu-private.h"
#include "rf-test-tree.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#define S G_GINT64_CONSTANT (1000000000)

#define has(sample, column, expected)                                                                                  \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        g_assert_cmpint ((sample).avail[column], ==, RF_AVAIL_OK);                                                     \
        g_assert_cmpfloat_with_epsilon ((sample).value[column], (double)(expected), 1e-9);                             \
    }                                                                                                                  \
    G_STMT_END
#define lacks(sample, column, why) g_assert_cmpint ((sample).avail[column], ==, why)

#define NVIDIA_TREE                                                                                                    \
    "= sys/devices/pci0000:00/0000:01:00.0/power/runtime_status active\n"                                              \
    "= sys/devices/pci0000:00/0000:02:00.0/power/runtime_status active\n"                                              \
    "=> sys/bus/pci/devices/0000:01:00.0 -> ../../../devices/pci0000:00/0000:01:00.0\n"                                \
    "=> sys/bus/pci/devices/0000:02:00.0 -> ../../../devices/pci0000:00/0000:02:00.0\n"                                \
    "=> sys/bus/pci/drivers/nvidia/0000:01:00.0 -> ../../../../devices/pci0000:00/0000:01:00.0\n"                      \
    "= sys/bus/pci/drivers/nvidia/new_id x\n"                                                                          \
    "=> sys/devices/pci0000:00/0000:01:00.0/driver -> ../../../bus/pci/drivers/nvidia\n"                               \
    "=> sys/class/drm/card0/device -> ../../../devices/pci0000:00/0000:01:00.0\n"

/* The script of the library that is loaded already: the same library twice is one. */
static RfFakeNvml *
script (const char *library)
{
    void *handle = dlopen (library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    g_assert_nonnull (handle);
    RfFakeNvmlFunc func = NULL;
    void *symbol = dlsym (handle, "rf_fake_nvml");
    memcpy (&func, &symbol, sizeof func);
    RfFakeNvml *fake = func ();
    dlclose (handle);
    *fake = (RfFakeNvml){
        .count = 1,
        .gpu[0] = {.name = "NVIDIA GeForce RTX 3090",
                   .bus = 1,
                   .busy_percent = 69,
                   .milliwatts = 20770,
                   .degrees = 36,
                   .mhz = 210,
                   .mhz_max = 2100,
                   .total = 25757220864,
                   .used = 1657798656,
                   .reserved = 300000000,
                   .reasons = 0x5},
    };
    return fake;
}

static RfGpuSample
read_gpu (RfGpus *gpus, guint index, gint64 now_ns)
{
    RfGpuSample sample;
    rf_gpus_read (gpus, index, now_ns, &sample);
    g_assert_cmpint (sample.time_ns, ==, now_ns);
    for (guint i = 0; i < RF_GPU_N_COLUMNS; i++)
        g_assert_true (isnan (sample.value[i]) == (sample.avail[i] != RF_AVAIL_OK));
    return sample;
}

static void
nvml (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, NVIDIA_TREE);
    RfFakeNvml *fake = script (RF_FAKE_NVML);
    g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (tree), RF_FAKE_NVML);
    g_assert_cmpuint (rf_gpus_count (gpus), ==, 1); /* once, although the kernel lists it, too */
    const RfGpu *gpu = rf_gpus_get (gpus, 0);
    g_assert_cmpstr (gpu->name, ==, "NVIDIA GeForce RTX 3090");
    g_assert_cmpstr (gpu->slot, ==, "0000:01:00.0");
    g_assert_cmpint (gpu->state, ==, RF_GPU_READY);
    RfGpuSample sample = read_gpu (gpus, 0, S);
    has (sample, RF_GPU_UTILISATION, 0.69);
    has (sample, RF_GPU_VRAM_USED, 1657798656.0);
    has (sample, RF_GPU_VRAM_TOTAL, 25757220864.0);
    has (sample, RF_GPU_POWER, 20.77);
    has (sample, RF_GPU_TEMPERATURE, 36);
    has (sample, RF_GPU_CLOCK, 210);
    has (sample, RF_GPU_CLOCK_MAX, 2100);
    has (sample, RF_GPU_SLOWED, RF_GPU_SLOW_POWER);
    lacks (sample, RF_GPU_AWAKE, RF_AVAIL_NO_FILE);
    /* the second form of the memory is not there on old drivers */
    fake->gpu[0].memory2 = 13;
    sample = read_gpu (gpus, 0, 2 * S);
    has (sample, RF_GPU_VRAM_USED, 1957798656.0);
    g_clear_pointer (&gpus, rf_gpus_free);
    g_assert_cmpint (fake->inits, ==, 1);
    g_assert_cmpint (fake->shutdowns, ==, 1);
}

static void
nvml_errors (void)
{
    static const struct {
        int result;
        RfAvail avail;
    } table[] = {
        {3, RF_AVAIL_NO_FIELD},
        {4, RF_AVAIL_DENIED},
        {15, RF_AVAIL_NO_DEVICE},
        {999, RF_AVAIL_MALFORMED},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, NVIDIA_TREE);
    RfFakeNvml *fake = script (RF_FAKE_NVML);
    g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (tree), RF_FAKE_NVML);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        fake->gpu[0].result = fake->gpu[0].memory2 = table[i].result;
        RfGpuSample sample = read_gpu (gpus, 0, S);
        for (guint column = 0; column < RF_GPU_N_COLUMNS; column++)
            lacks (sample, column, column == RF_GPU_AWAKE ? RF_AVAIL_NO_FILE : table[i].avail);
    }
    fake->gpu[0].result = fake->gpu[0].memory2 = 0;
    fake->gpu[0].power_result = 3; /* one that cannot be told harms no other */
    fake->gpu[0].busy_percent = 101;
    fake->gpu[0].used = fake->gpu[0].total + 1;
    fake->gpu[0].degrees = G_MAXUINT;
    RfGpuSample sample = read_gpu (gpus, 0, S);
    lacks (sample, RF_GPU_POWER, RF_AVAIL_NO_FIELD);
    lacks (sample, RF_GPU_UTILISATION, RF_AVAIL_MALFORMED);
    lacks (sample, RF_GPU_VRAM_USED, RF_AVAIL_MALFORMED);
    lacks (sample, RF_GPU_TEMPERATURE, RF_AVAIL_MALFORMED);
    has (sample, RF_GPU_CLOCK, 210);
}

static void
nvml_old (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, NVIDIA_TREE);
    script (RF_FAKE_NVML_OLD)->gpu[0].reasons = 0x48;
    g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (tree), RF_FAKE_NVML_OLD);
    RfGpuSample sample = read_gpu (gpus, 0, S);
    has (sample, RF_GPU_UTILISATION, 0.69);
    has (sample, RF_GPU_VRAM_USED, 1957798656.0);
    has (sample, RF_GPU_SLOWED, RF_GPU_SLOW_HARDWARE | RF_GPU_SLOW_HEAT);
    lacks (sample, RF_GPU_POWER, RF_AVAIL_NO_FILE);
    lacks (sample, RF_GPU_CLOCK_MAX, RF_AVAIL_NO_FILE);
    g_assert_cmpstr (rf_gpus_get (gpus, 0)->slot, ==, "");
}

static void
nvml_missing (void)
{
    static const struct {
        const char *library;
        int init;
        RfGpuState state;
    } table[] = {
        {NULL, 0, RF_GPU_NO_LIBRARY},
        {"/nonexistent/libnvidia-ml.so.1", 0, RF_GPU_NO_LIBRARY},
        {RF_FAKE_NVML, 18, RF_GPU_LIBRARY_FAILED}, /* NVML_ERROR_LIB_RM_VERSION_MISMATCH */
        {RF_FAKE_NOTHING, 0, RF_GPU_LIBRARY_FAILED},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, NVIDIA_TREE);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfFakeNvml *fake = script (RF_FAKE_NVML);
        fake->init_result = table[i].init;
        g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (tree), table[i].library);
        g_assert_cmpuint (rf_gpus_count (gpus), ==, 1);
        g_assert_cmpint (rf_gpus_get (gpus, 0)->state, ==, table[i].state);
        g_assert_nonnull (rf_gpu_state_text (table[i].state));
        RfGpuSample sample = read_gpu (gpus, 0, S);
        lacks (sample, RF_GPU_UTILISATION, RF_AVAIL_NO_FILE);
        g_assert_cmpint (fake->shutdowns, ==, 0);
    }
    /* where no card is NVIDIA's, its library is not even loaded */
    g_autoptr (RfTestTree) empty = rf_test_tree_new (NULL);
    RfFakeNvml *fake = script (RF_FAKE_NVML);
    g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (empty), RF_FAKE_NVML);
    g_assert_cmpuint (rf_gpus_count (gpus), ==, 0);
    g_assert_cmpint (fake->inits, ==, 0);
}

static void
nvml_odd (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, NVIDIA_TREE "=> sys/bus/pci/drivers/nvidia/0000:02:00.0 -> ../../../../devices/x\n");
    RfFakeNvml *fake = script (RF_FAKE_NVML);
    fake->count = RF_FAKE_GPUS;
    for (guint i = 0; i < RF_FAKE_GPUS; i++)
        fake->gpu[i] = (RfFakeGpu){.name = i == 1 ? NULL : "\xff\xfe bad \xc3", .bus = i + 1};
    fake->gpu[1].handle_result = 15; /* lost: listed, with nothing to read */
    g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (tree), RF_FAKE_NVML);
    g_assert_cmpuint (rf_gpus_count (gpus), ==, RF_GPUS_MAX);
    for (guint i = 0; i < rf_gpus_count (gpus); i++)
        g_assert_true (g_utf8_validate (rf_gpus_get (gpus, i)->name, -1, NULL));
    g_assert_cmpstr (rf_gpus_get (gpus, RF_GPUS_MAX - 1)->slot, ==, "0000:02:00.0");
    g_assert_cmpint (rf_gpus_get (gpus, RF_GPUS_MAX - 1)->state, ==, RF_GPU_LIBRARY_FAILED);
}

static void
sleeping (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, NVIDIA_TREE);
    RfFakeNvml *fake = script (RF_FAKE_NVML);
    g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (tree), RF_FAKE_NVML);
    rf_test_tree_set (tree, "sys/devices/pci0000:00/0000:01:00.0/power/runtime_status", "suspended\n");
    RfGpuSample sample = read_gpu (gpus, 0, S);
    lacks (sample, RF_GPU_UTILISATION, RF_AVAIL_OFF);
    lacks (sample, RF_GPU_POWER, RF_AVAIL_OFF);
    g_assert_cmpint (fake->reads, ==, 0);
    rf_test_tree_set (tree, "sys/devices/pci0000:00/0000:01:00.0/power/runtime_status", "active\n");
    sample = read_gpu (gpus, 0, 2 * S);
    has (sample, RF_GPU_UTILISATION, 0.69);
}

#define AMD                                                                                                            \
    "=@ sys/devices/pci0000:00/0000:03:00.0\n"                                                                         \
    "=> ./driver -> ../../../bus/pci/drivers/amdgpu\n"                                                                 \
    "= ./vendor 0x1002\n"                                                                                              \
    "= ./device 0x744c\n"                                                                                              \
    "= ./power/runtime_status active\n"                                                                                \
    "= ./gpu_busy_percent 98\n"                                                                                        \
    "= ./mem_info_vram_total 25753026560\n"                                                                            \
    "= ./mem_info_vram_used 9753026560\n"                                                                              \
    "= ./hwmon/hwmon4/power1_average 278000000\n"                                                                      \
    "= ./hwmon/hwmon4/temp1_input 61000\n"                                                                             \
    "= ./hwmon/hwmon4/freq1_input 2450000000\n"                                                                        \
    "=> sys/bus/pci/devices/0000:03:00.0 -> ../../../devices/pci0000:00/0000:03:00.0\n"                                \
    "=> sys/class/drm/card1/device -> ../../../devices/pci0000:00/0000:03:00.0\n"                                      \
    "=/ sys/class/drm/card1-DP-1\n"                                                                                    \
    "=/ sys/class/drm/renderD128\n"

static void
amd (void)
{
    static const char metrics[120] = {120, 0, 1, 3, [112] = 0x01, [116] = 0x10};
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, AMD);
    g_autoptr (RfGpus) gpus = rf_gpus_new (rf_test_tree_sysroot (tree));
    g_assert_cmpuint (rf_gpus_count (gpus), ==, 1);
    g_assert_cmpstr (rf_gpus_get (gpus, 0)->name, ==, "AMD 744c");
    g_assert_cmpstr (rf_gpus_get (gpus, 0)->slot, ==, "0000:03:00.0");
    RfGpuSample sample = read_gpu (gpus, 0, S);
    has (sample, RF_GPU_UTILISATION, 0.98);
    has (sample, RF_GPU_VRAM_USED, 9753026560.0);
    has (sample, RF_GPU_VRAM_TOTAL, 25753026560.0);
    has (sample, RF_GPU_POWER, 278);
    has (sample, RF_GPU_TEMPERATURE, 61);
    has (sample, RF_GPU_CLOCK, 2450);
    lacks (sample, RF_GPU_SLOWED, RF_AVAIL_NO_FILE);
    /* the reasons are binary, with NULs; a processor with graphics has power1_input */
    g_autofree char *path = rf_test_tree_path (tree, "sys/devices/pci0000:00/0000:03:00.0/gpu_metrics");
    g_assert_true (g_file_set_contents (path, metrics, sizeof metrics, NULL));
    rf_test_tree_remove (tree, "sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon4/power1_average");
    rf_test_tree_apply (tree, "= sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon4/power1_input 15500000\n"
                              "= sys/devices/pci0000:00/0000:03:00.0/product_name Radeon RX 7900 XTX\n");
    g_autoptr (RfGpus) later = rf_gpus_new (rf_test_tree_sysroot (tree));
    g_assert_cmpstr (rf_gpus_get (later, 0)->name, ==, "Radeon RX 7900 XTX");
    sample = read_gpu (later, 0, S);
    has (sample, RF_GPU_POWER, 15.5);
    has (sample, RF_GPU_SLOWED, RF_GPU_SLOW_POWER | RF_GPU_SLOW_HEAT);
}

static void
amd_hostile (void)
{
    g_autofree char *huge = g_strnfill (2 * RF_SYSROOT_MAX_READ, '9');
    const char *const texts[]
        = {"", "\n", "101\n", "-1\n", "98 %\n", "0x10\n", "18446744073709551616\n", "\xff\xfe\n", huge};
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, AMD);
    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
        rf_test_tree_set (tree, "sys/devices/pci0000:00/0000:03:00.0/gpu_busy_percent", texts[i]);
        g_autoptr (RfGpus) gpus = rf_gpus_new (rf_test_tree_sysroot (tree));
        RfGpuSample sample = read_gpu (gpus, 0, S);
        lacks (sample, RF_GPU_UTILISATION, RF_AVAIL_MALFORMED);
        has (sample, RF_GPU_POWER, 278);
    }
    rf_test_tree_set (tree, "sys/devices/pci0000:00/0000:03:00.0/gpu_busy_percent", "!errno EACCES\n");
    g_autoptr (RfGpus) gpus = rf_gpus_new (rf_test_tree_sysroot (tree));
    RfGpuSample sample = read_gpu (gpus, 0, S);
    lacks (sample, RF_GPU_UTILISATION, RF_AVAIL_DENIED);
    /* unplugged while it is watched */
    rf_test_tree_remove (tree, "sys/devices/pci0000:00/0000:03:00.0");
    sample = read_gpu (gpus, 0, 2 * S);
    lacks (sample, RF_GPU_VRAM_USED, RF_AVAIL_NO_FILE);
}

static void
metrics (void)
{
    guint8 bytes[120] = {120, 0, 1, 3};
    guint bits = 77;
    g_assert_cmpint (rf_gpu_metrics_slow_bits (bytes, sizeof bytes, &bits), ==, RF_AVAIL_OK);
    g_assert_cmpuint (bits, ==, 0);
    bytes[112 + 46 / 8] = 1 << (46 % 8); /* SMU_THROTTLER_PROCHOT_CPU_BIT */
    g_assert_cmpint (rf_gpu_metrics_slow_bits (bytes, sizeof bytes, &bits), ==, RF_AVAIL_OK);
    g_assert_cmpuint (bits, ==, RF_GPU_SLOW_HARDWARE);
    bytes[112 + 56 / 8] = 1; /* SMU_THROTTLER_PPM_BIT */
    g_assert_cmpint (rf_gpu_metrics_slow_bits (bytes, sizeof bytes, &bits), ==, RF_AVAIL_OK);
    g_assert_cmpuint (bits, ==, RF_GPU_SLOW_HARDWARE | RF_GPU_SLOW_OTHER);
    memset (bytes + 112, 0xff, 8);
    g_assert_cmpint (rf_gpu_metrics_slow_bits (bytes, sizeof bytes, &bits), ==, RF_AVAIL_NO_FIELD);
    for (gsize length = 0; length < sizeof bytes; length++)
        g_assert_cmpint (rf_gpu_metrics_slow_bits (bytes, length, &bits), ==, RF_AVAIL_MALFORMED);
    bytes[3] = 2;
    g_assert_cmpint (rf_gpu_metrics_slow_bits (bytes, sizeof bytes, &bits), ==, RF_AVAIL_NO_FIELD);
}

#define I915                                                                                                           \
    "=@ sys/devices/pci0000:00/0000:00:02.0\n"                                                                         \
    "=> ./driver -> ../../../bus/pci/drivers/i915\n"                                                                   \
    "= ./vendor 0x8086\n"                                                                                              \
    "= ./device 0x46a6\n"                                                                                              \
    "= ./drm/card0/gt/gt0/rps_act_freq_mhz 300\n"                                                                      \
    "= ./drm/card0/gt/gt0/rps_RP0_freq_mhz 1300\n"                                                                     \
    "= ./drm/card0/gt/gt0/rc6_residency_ms 5000\n"                                                                     \
    "= ./drm/card0/gt/gt0/throttle_reason_pl1 1\n"                                                                     \
    "= ./drm/card0/gt/gt0/throttle_reason_thermal 0\n"                                                                 \
    "= ./drm/card0/gt/gt0/throttle_reason_prochot 0\n"                                                                 \
    "=> ./drm/card0/device -> ../../../0000:00:02.0\n"                                                                 \
    "=> sys/class/drm/card0 -> ../../devices/pci0000:00/0000:00:02.0/drm/card0\n"

static void
i915 (void)
{
    const char *idle = "sys/devices/pci0000:00/0000:00:02.0/drm/card0/gt/gt0/rc6_residency_ms";
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, I915);
    g_autoptr (RfGpus) gpus = rf_gpus_new (rf_test_tree_sysroot (tree));
    g_assert_cmpuint (rf_gpus_count (gpus), ==, 1);
    g_assert_cmpstr (rf_gpus_get (gpus, 0)->name, ==, "Intel 46a6");
    RfGpuSample sample = read_gpu (gpus, 0, S);
    lacks (sample, RF_GPU_UTILISATION, RF_AVAIL_DENIED);
    lacks (sample, RF_GPU_AWAKE, RF_AVAIL_NO_BASELINE);
    lacks (sample, RF_GPU_VRAM_USED, RF_AVAIL_NO_DEVICE);
    lacks (sample, RF_GPU_POWER, RF_AVAIL_NO_FILE);
    has (sample, RF_GPU_CLOCK, 300);
    has (sample, RF_GPU_CLOCK_MAX, 1300);
    has (sample, RF_GPU_SLOWED, RF_GPU_SLOW_POWER);
    rf_test_tree_set (tree, idle, "5750\n");
    sample = read_gpu (gpus, 0, 2 * S);
    has (sample, RF_GPU_AWAKE, 0.25);
    rf_test_tree_set (tree, idle, "6755\n"); /* a little more than there was time */
    sample = read_gpu (gpus, 0, 3 * S);
    has (sample, RF_GPU_AWAKE, 0);
    rf_test_tree_set (tree, idle, "10\n"); /* counts anew */
    sample = read_gpu (gpus, 0, 4 * S);
    lacks (sample, RF_GPU_AWAKE, RF_AVAIL_NO_BASELINE);
    rf_test_tree_set (tree, idle, "much\n");
    sample = read_gpu (gpus, 0, 5 * S);
    lacks (sample, RF_GPU_AWAKE, RF_AVAIL_MALFORMED);
    rf_test_tree_set (tree, idle, "510\n"); /* not over the hole */
    sample = read_gpu (gpus, 0, 6 * S);
    lacks (sample, RF_GPU_AWAKE, RF_AVAIL_NO_BASELINE);
    /* and not over a sleep, in which nothing is counted */
    rf_test_tree_apply (tree, "= sys/bus/pci/devices/0000:00:02.0/power/runtime_status suspended\n");
    sample = read_gpu (gpus, 0, 7 * S);
    lacks (sample, RF_GPU_AWAKE, RF_AVAIL_OFF);
    rf_test_tree_set (tree, "sys/bus/pci/devices/0000:00:02.0/power/runtime_status", "active\n");
    sample = read_gpu (gpus, 0, 8 * S);
    lacks (sample, RF_GPU_AWAKE, RF_AVAIL_NO_BASELINE);
}

static void
xe (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, "=@ sys/devices/pci0000:00/0000:03:00.0\n"
                              "=> ./driver -> ../../../bus/pci/drivers/xe\n"
                              "= ./tile0/gt0/freq0/act_freq 2850\n"
                              "= ./tile0/gt0/freq0/rp0_freq 2850\n"
                              "= ./tile0/gt0/freq0/throttle/reason_thermal 1\n"
                              "= ./tile0/gt0/gtidle/idle_residency_ms 100\n"
                              "= ./hwmon/hwmon2/energy1_input 1000000\n"
                              "= ./hwmon/hwmon2/temp2_input 55000\n"
                              "=> sys/class/drm/card1/device -> ../../../devices/pci0000:00/0000:03:00.0\n");
    g_autoptr (RfGpus) gpus = rf_gpus_new (rf_test_tree_sysroot (tree));
    g_assert_cmpstr (rf_gpus_get (gpus, 0)->name, ==, "xe");
    RfGpuSample sample = read_gpu (gpus, 0, S);
    lacks (sample, RF_GPU_POWER, RF_AVAIL_NO_BASELINE);
    lacks (sample, RF_GPU_VRAM_USED, RF_AVAIL_DENIED);
    lacks (sample, RF_GPU_VRAM_TOTAL, RF_AVAIL_NO_FILE);
    has (sample, RF_GPU_TEMPERATURE, 55);
    has (sample, RF_GPU_SLOWED, RF_GPU_SLOW_HEAT);
    rf_test_tree_set (tree, "sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon2/energy1_input", "96000000\n");
    sample = read_gpu (gpus, 0, 2 * S);
    has (sample, RF_GPU_POWER, 95); /* 95 J in a second */
    has (sample, RF_GPU_AWAKE, 1);
}

static void
silent (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, "=> sys/devices/virtio1/driver -> ../../bus/virtio/drivers/virtio_gpu\n"
                              "=> sys/class/drm/card0/device -> ../../../devices/virtio1\n"
                              "=/ sys/class/drm/card7\n"
                              "=/ sys/class/drm/card\n");
    g_autoptr (RfGpus) gpus = rf_gpus_new (rf_test_tree_sysroot (tree));
    g_assert_cmpuint (rf_gpus_count (gpus), ==, 1);
    g_assert_cmpstr (rf_gpus_get (gpus, 0)->driver, ==, "virtio_gpu");
    g_assert_cmpstr (rf_gpus_get (gpus, 0)->slot, ==, "");
    g_assert_cmpint (rf_gpus_get (gpus, 0)->state, ==, RF_GPU_SILENT);
    RfGpuSample sample = read_gpu (gpus, 0, S);
    lacks (sample, RF_GPU_UTILISATION, RF_AVAIL_NO_FILE);
}

static void
words (void)
{
    g_autofree char *none = rf_gpu_slow_words (0);
    g_autofree char *two = rf_gpu_slow_words (RF_GPU_SLOW_HEAT | RF_GPU_SLOW_POWER);
    g_autofree char *nicks = rf_gpu_slow_nicks (RF_GPU_SLOW_HEAT | RF_GPU_SLOW_SETTING);
    g_assert_cmpstr (none, ==, "");
    g_assert_cmpstr (two, ==, "power limit, heat");
    g_assert_cmpstr (nicks, ==, "heat,setting");
    g_assert_cmpuint (rf_nvml_slow_bits (0x1), ==, 0);
    g_assert_cmpuint (rf_nvml_slow_bits (0x1ff), ==, 15);
    g_assert_cmpuint (rf_nvml_slow_bits (G_GUINT64_CONSTANT (1) << 63), ==, RF_GPU_SLOW_OTHER);
    for (guint i = 0; i < RF_GPU_N_COLUMNS; i++)
        g_assert_nonnull (rf_gpu_column_name ((RfGpuColumn)i));
    for (guint i = 0; i <= RF_AVAIL_NO_DEVICE; i++)
        g_assert_cmpstr (rf_gpu_avail_text ((RfAvail)i), !=, "");
}

/* What one look costs, printed; the drivers' own time on a real card comes on top. */
static void
cost (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, NVIDIA_TREE AMD I915);
    script (RF_FAKE_NVML);
    g_autoptr (RfGpus) gpus = rf_gpus_new_for_test (rf_test_tree_sysroot (tree), RF_FAKE_NVML);
    g_assert_cmpuint (rf_gpus_count (gpus), ==, 3);
    for (guint i = 0; i < rf_gpus_count (gpus); i++) {
        gint64 start = g_get_monotonic_time ();
        for (guint n = 1; n <= 1000; n++)
            read_gpu (gpus, i, n * S);
        g_test_message ("%s: %.1f us a reading", rf_gpus_get (gpus, i)->name,
                        (double)(g_get_monotonic_time () - start) / 1000);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/gpu/nvml", nvml);
    g_test_add_func ("/gpu/nvml/errors", nvml_errors);
    g_test_add_func ("/gpu/nvml/old", nvml_old);
    g_test_add_func ("/gpu/nvml/missing", nvml_missing);
    g_test_add_func ("/gpu/nvml/odd", nvml_odd);
    g_test_add_func ("/gpu/sleeping", sleeping);
    g_test_add_func ("/gpu/amd", amd);
    g_test_add_func ("/gpu/amd/hostile", amd_hostile);
    g_test_add_func ("/gpu/amd/metrics", metrics);
    g_test_add_func ("/gpu/i915", i915);
    g_test_add_func ("/gpu/xe", xe);
    g_test_add_func ("/gpu/silent", silent);
    g_test_add_func ("/gpu/words", words);
    g_test_add_func ("/gpu/cost", cost);
    return g_test_run ();
}
