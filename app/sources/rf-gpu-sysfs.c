#define G_LOG_DOMAIN "rf-gpu-sysfs"
#include "config.h"

#include "rf-gpu-private.h"
#include "rf-text.h"

#include <string.h>

#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 50)

static RfCounter
read_number (RfSysroot *sysroot, const char *dir, const char *file, guint64 max)
{
    RfAvail avail;
    guint64 value;
    g_autofree char *path = g_strconcat (dir, "/", file, NULL);
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, NULL, &avail);
    if (text == NULL)
        return RF_COUNTER_MISSING (avail);
    if (!rf_text_to_uint64 (rf_text_strip_newline (text), &value) || value > max)
        return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    return RF_COUNTER (value);
}

static void
put (RfGpuSample *out, RfGpuColumn column, RfCounter counter, double unit)
{
    out->avail[column] = counter.avail;
    if (rf_counter_ok (counter))
        rf_gpu_sample_put (out, column, (double)counter.value / unit);
}

/* How much the number has grown for each nanosecond since the last reading. */
static gboolean
rate (RfGpuReading *before, guint64 value, gint64 now_ns, double *per_ns)
{
    gboolean good = before->time_ns != 0 && now_ns > before->time_ns && value >= before->value;
    if (good)
        *per_ns = (double)(value - before->value) / (double)(now_ns - before->time_ns);
    *before = (RfGpuReading){value, now_ns};
    return good;
}

static void
put_rate (RfGpuSample *out, RfGpuColumn column, RfGpuReading *before, RfCounter counter, double scale, double offset)
{
    double per_ns;
    out->avail[column] = counter.avail;
    if (!rf_counter_ok (counter))
        before->time_ns = 0;
    else if (rate (before, counter.value, out->time_ns, &per_ns))
        rf_gpu_sample_put (out, column, offset + scale * per_ns);
    else
        out->avail[column] = RF_AVAIL_NO_BASELINE;
}

/* amdgpu: Documentation/gpu/amdgpu/thermal.rst and driver-misc.rst. */

#define GPU_METRICS_1_3 120

RfAvail
rf_gpu_metrics_slow_bits (const guint8 *bytes, gsize length, guint *bits)
{
    /* drivers/gpu/drm/amd/include/kgd_pp_interface.h: struct gpu_metrics_v1_3; its last member are the reasons, the
     * same on all cards; the bits are SMU_THROTTLER_* of drivers/gpu/drm/amd/pm/swsmu/inc/amdgpu_smu.h */
    guint64 reasons;
    guint16 size;
    if (length < 4)
        return RF_AVAIL_MALFORMED;
    memcpy (&size, bytes, sizeof size);
    if (GUINT16_FROM_LE (size) != length)
        return RF_AVAIL_MALFORMED;
    if (bytes[2] != 1 || bytes[3] != 3 || length != GPU_METRICS_1_3)
        return RF_AVAIL_NO_FIELD;
    memcpy (&reasons, bytes + GPU_METRICS_1_3 - sizeof reasons, sizeof reasons);
    reasons = GUINT64_FROM_LE (reasons);
    const guint64 power = G_GUINT64_CONSTANT (0x0000000000ff00ff);    /* PPT, SPL, FPPT, SPPT; TDC, EDC, APCC */
    const guint64 heat = G_GUINT64_CONSTANT (0x00003fff00000000);     /* TEMP_*, VRHOT */
    const guint64 hardware = G_GUINT64_CONSTANT (0x0000c00000000000); /* PROCHOT */
    if (reasons == G_MAXUINT64) /* how the driver marks what a card does not fill */
        return RF_AVAIL_NO_FIELD;
    *bits = ((reasons & power) != 0 ? RF_GPU_SLOW_POWER : 0) | ((reasons & heat) != 0 ? RF_GPU_SLOW_HEAT : 0)
            | ((reasons & hardware) != 0 ? RF_GPU_SLOW_HARDWARE : 0)
            | ((reasons & ~(power | heat | hardware)) != 0 ? RF_GPU_SLOW_OTHER : 0);
    return RF_AVAIL_OK;
}

static void
amd_slowed (RfSysroot *sysroot, const char *dir, RfGpuSample *out)
{
    gsize length = 0;
    guint bits = 0;
    g_autofree char *path = g_strconcat (dir, "/device/gpu_metrics", NULL);
    g_autofree char *bytes = rf_sysroot_read_avail (sysroot, path, &length, &out->avail[RF_GPU_SLOWED]);
    if (bytes == NULL)
        return;
    out->avail[RF_GPU_SLOWED] = rf_gpu_metrics_slow_bits ((const guint8 *)bytes, length, &bits);
    if (out->avail[RF_GPU_SLOWED] == RF_AVAIL_OK)
        rf_gpu_sample_put (out, RF_GPU_SLOWED, bits);
}

static void
amd_read (RfGpuDevice *self, RfSysroot *sysroot, RfNvml *nvml, gint64 now_ns, RfGpuSample *out)
{
    put (out, RF_GPU_UTILISATION, read_number (sysroot, self->dir, "device/gpu_busy_percent", 100), 100);
    put (out, RF_GPU_VRAM_TOTAL, read_number (sysroot, self->dir, "device/mem_info_vram_total", MAX_BYTES), 1);
    put (out, RF_GPU_VRAM_USED, read_number (sysroot, self->dir, "device/mem_info_vram_used", MAX_BYTES), 1);
    amd_slowed (sysroot, self->dir, out);
    if (self->hwmon == NULL)
        return;
    /* one or the other, by the kind of card */
    RfCounter power = read_number (sysroot, self->hwmon, "power1_average", G_GUINT64_CONSTANT (10000000000));
    if (!rf_counter_ok (power))
        power = read_number (sysroot, self->hwmon, "power1_input", G_GUINT64_CONSTANT (10000000000));
    put (out, RF_GPU_POWER, power, 1e6);
    put (out, RF_GPU_TEMPERATURE, read_number (sysroot, self->hwmon, "temp1_input", 300000), 1000);
    put (out, RF_GPU_CLOCK, read_number (sysroot, self->hwmon, "freq1_input", G_GUINT64_CONSTANT (100000000000)), 1e6);
}

/* i915 and xe: Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon, drivers/gpu/drm/i915/gt/intel_gt_sysfs_pm.c,
 * Documentation/gpu/xe/xe_gt_freq.rst, drivers/gpu/drm/xe/xe_gt_idle.c. The first engine group (gt0) is the one that
 * draws. How busy it is stands in perf events, which need privileges; the memory in use is told for own programs only.
 */
typedef struct {
    const char *clock;
    const char *clock_max;
    const char *idle_ms;
    const char *reasons; /* (nullable): what the names of the reasons begin with */
} IntelFiles;

static const IntelFiles intel_files[] = {
    {"device/tile0/gt0/freq0/act_freq", "device/tile0/gt0/freq0/rp0_freq", "device/tile0/gt0/gtidle/idle_residency_ms",
     "device/tile0/gt0/freq0/throttle/reason_"},
    {"gt/gt0/rps_act_freq_mhz", "gt/gt0/rps_RP0_freq_mhz", "gt/gt0/rc6_residency_ms", "gt/gt0/throttle_reason_"},
    {"gt_act_freq_mhz", "gt_RP0_freq_mhz", "power/rc6_residency_ms", NULL},
};

static const IntelFiles *
intel_choose (RfSysroot *sysroot, const char *dir)
{
    for (gsize i = 0; i < G_N_ELEMENTS (intel_files); i++) {
        g_autofree char *path = g_strconcat (dir, "/", intel_files[i].clock, NULL);
        if (rf_sysroot_exists (sysroot, path))
            return &intel_files[i];
    }
    return NULL;
}

static void
intel_slowed (RfSysroot *sysroot, const char *dir, const char *prefix, RfGpuSample *out)
{
    static const struct {
        const char *name;
        guint bit;
    } reasons[] = {
        {"pl1", RF_GPU_SLOW_POWER},          {"pl2", RF_GPU_SLOW_POWER},        {"pl4", RF_GPU_SLOW_POWER},
        {"vr_tdc", RF_GPU_SLOW_POWER},       {"thermal", RF_GPU_SLOW_HEAT},     {"ratl", RF_GPU_SLOW_HEAT},
        {"vr_thermalert", RF_GPU_SLOW_HEAT}, {"prochot", RF_GPU_SLOW_HARDWARE},
    };
    guint bits = 0, read = 0;
    for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++) {
        g_autofree char *file = g_strconcat (prefix, reasons[i].name, NULL);
        RfCounter flag = read_number (sysroot, dir, file, 1);
        if (!rf_counter_ok (flag)) {
            out->avail[RF_GPU_SLOWED] = flag.avail;
            continue;
        }
        read++;
        bits |= flag.value != 0 ? reasons[i].bit : 0;
    }
    if (read > 0)
        rf_gpu_sample_put (out, RF_GPU_SLOWED, bits);
}

static void
intel_read (RfGpuDevice *self, RfSysroot *sysroot, RfNvml *nvml, gint64 now_ns, RfGpuSample *out)
{
    const IntelFiles *files = intel_choose (sysroot, self->dir);
    /* the one inside the processor stands on the first bus and has no memory of its own */
    gboolean inside = g_str_has_prefix (self->gpu.slot, "0000:00:");
    out->avail[RF_GPU_UTILISATION] = RF_AVAIL_DENIED;
    out->avail[RF_GPU_VRAM_USED] = inside ? RF_AVAIL_NO_DEVICE : RF_AVAIL_DENIED;
    if (inside)
        out->avail[RF_GPU_VRAM_TOTAL] = RF_AVAIL_NO_DEVICE;
    else
        put (out, RF_GPU_VRAM_TOTAL,
             read_number (sysroot, self->dir, "device/tile0/physical_vram_size_bytes", MAX_BYTES), 1);
    if (files != NULL) {
        put (out, RF_GPU_CLOCK, read_number (sysroot, self->dir, files->clock, 100000), 1);
        put (out, RF_GPU_CLOCK_MAX, read_number (sysroot, self->dir, files->clock_max, 100000), 1);
        RfCounter idle = read_number (sysroot, self->dir, files->idle_ms, G_MAXUINT64);
        put_rate (out, RF_GPU_AWAKE, &self->idle_ms, idle, -1e6, 1);
        /* both clocks are read one after the other: a little above or below is nothing */
        out->value[RF_GPU_AWAKE] = out->avail[RF_GPU_AWAKE] == RF_AVAIL_OK ? CLAMP (out->value[RF_GPU_AWAKE], 0, 1)
                                                                           : out->value[RF_GPU_AWAKE];
        if (files->reasons != NULL)
            intel_slowed (sysroot, self->dir, files->reasons, out);
    }
    if (self->hwmon == NULL)
        return;
    put_rate (out, RF_GPU_POWER, &self->energy_uj, read_number (sysroot, self->hwmon, "energy1_input", G_MAXUINT64),
              1e3, 0);
    RfCounter degrees = read_number (sysroot, self->hwmon, "temp1_input", 300000);
    if (!rf_counter_ok (degrees)) /* xe numbers the package 2 */
        degrees = read_number (sysroot, self->hwmon, "temp2_input", 300000);
    put (out, RF_GPU_TEMPERATURE, degrees, 1000);
}

/* The last part of where a link leads. */
static gboolean
link_name (RfSysroot *sysroot, const char *dir, const char *link, char *out, gsize size)
{
    g_autofree char *path = g_strconcat (dir, "/", link, NULL);
    g_autofree char *target = rf_sysroot_readlink (sysroot, path);
    if (target == NULL)
        return FALSE;
    g_autofree char *name = g_path_get_basename (target);
    return g_utf8_validate (name, -1, NULL) && g_strlcpy (out, name, size) < size;
}

static void
choose_name (RfSysroot *sysroot, RfGpuDevice *device)
{
    g_autofree char *product_path = g_strconcat (device->dir, "/device/product_name", NULL);
    g_autofree char *product = rf_sysroot_read_line (sysroot, product_path);
    if (product != NULL && product[0] != '\0' && strlen (product) < sizeof device->gpu.name
        && g_utf8_validate (product, -1, NULL)) {
        g_strlcpy (device->gpu.name, product, sizeof device->gpu.name);
        return;
    }
    g_autofree char *vendor_path = g_strconcat (device->dir, "/device/vendor", NULL);
    g_autofree char *id_path = g_strconcat (device->dir, "/device/device", NULL);
    g_autofree char *vendor = rf_sysroot_read_line (sysroot, vendor_path);
    g_autofree char *id = rf_sysroot_read_line (sysroot, id_path);
    const char *maker = g_strcmp0 (vendor, "0x1002") == 0   ? "AMD"
                        : g_strcmp0 (vendor, "0x8086") == 0 ? "Intel"
                        : g_strcmp0 (vendor, "0x10de") == 0 ? "NVIDIA"
                                                            : device->gpu.driver;
    if (id != NULL && g_str_has_prefix (id, "0x") && strlen (id) == 6 && g_utf8_validate (id, -1, NULL))
        g_snprintf (device->gpu.name, sizeof device->gpu.name, "%s %s", maker, id + 2);
    else
        g_strlcpy (device->gpu.name, maker, sizeof device->gpu.name);
}

gboolean
rf_gpu_sysfs_describe (RfSysroot *sysroot, const char *card, RfGpuDevice *out)
{
    g_autofree char *dir = g_strconcat ("sys/class/drm/", card, NULL);
    if (!link_name (sysroot, dir, "device/driver", out->gpu.driver, sizeof out->gpu.driver))
        return FALSE;
    /* "device" leads to the folder of the PCI device; what is no PCI device has another form of name */
    if (!link_name (sysroot, dir, "device", out->gpu.slot, sizeof out->gpu.slot) || strchr (out->gpu.slot, ':') == NULL)
        out->gpu.slot[0] = '\0';
    out->dir = g_steal_pointer (&dir);
    choose_name (sysroot, out);
    g_autofree char *sensors = g_strconcat (out->dir, "/device/hwmon", NULL);
    g_auto (GStrv) names = rf_sysroot_list (sysroot, sensors);
    if (names[0] != NULL)
        out->hwmon = g_strconcat (sensors, "/", names[0], NULL);
    if (g_str_equal (out->gpu.driver, "amdgpu"))
        out->read = amd_read;
    else if (g_str_equal (out->gpu.driver, "i915") || g_str_equal (out->gpu.driver, "xe"))
        out->read = intel_read;
    out->gpu.state = out->read != NULL ? RF_GPU_READY : RF_GPU_SILENT;
    return TRUE;
}
