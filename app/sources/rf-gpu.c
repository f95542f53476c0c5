#define G_LOG_DOMAIN "rf-gpu"
#include "config.h"

#include "rf-gpu-private.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#define NVML_LIBRARY "libnvidia-ml.so.1"
#define NVIDIA_DEVICES "sys/bus/pci/drivers/nvidia"

struct _RfGpus {
    RfSysroot *sysroot;
    RfNvml *nvml; /* (nullable) */
    GArray *devices;
};

static void
device_clear (gpointer data)
{
    RfGpuDevice *device = data;
    g_free (device->dir);
    g_free (device->hwmon);
}

static gboolean
known_slot (RfGpus *self, const char *slot)
{
    for (guint i = 0; i < self->devices->len; i++)
        if (slot[0] != '\0' && g_str_equal (g_array_index (self->devices, RfGpuDevice, i).gpu.slot, slot))
            return TRUE;
    return FALSE;
}

static void
add (RfGpus *self, RfGpuDevice *device)
{
    if (self->devices->len < RF_GPUS_MAX && !known_slot (self, device->gpu.slot))
        g_array_append_val (self->devices, *device);
    else
        device_clear (device);
}

/* The cards that the library knows, then those that only the kernel knows, with the reason. */
static void
add_nvidia (RfGpus *self, const char *library)
{
    RfGpuState state = RF_GPU_NO_LIBRARY;
    g_auto (GStrv) names = rf_sysroot_list (self->sysroot, NVIDIA_DEVICES);
    g_autoptr (GPtrArray) slots = g_ptr_array_new ();
    for (char **name = names; *name != NULL; name++)
        if (strchr (*name, ':') != NULL && strlen (*name) < sizeof ((RfGpu *)NULL)->slot)
            g_ptr_array_add (slots, *name);
    if (slots->len == 0)
        return;
    if (library != NULL)
        self->nvml = rf_nvml_open (library, &state);
    for (guint i = 0; self->nvml != NULL && i < rf_nvml_count (self->nvml); i++) {
        RfGpuDevice device = {.gpu.driver = "nvidia"};
        if (rf_nvml_describe (self->nvml, i, &device))
            add (self, &device);
    }
    if (state == RF_GPU_READY)
        state = RF_GPU_LIBRARY_FAILED; /* it works, and does not have this one */
    for (guint i = 0; i < slots->len; i++) {
        RfGpuDevice device = {.gpu = {.name = "NVIDIA", .driver = "nvidia", .state = state}};
        g_strlcpy (device.gpu.slot, g_ptr_array_index (slots, i), sizeof device.gpu.slot);
        add (self, &device);
    }
}

static gboolean
is_card (const char *name)
{
    return g_str_has_prefix (name, "card") && name[4] != '\0' && strspn (name + 4, "0123456789") == strlen (name + 4);
}

RfGpus *
rf_gpus_new_for_test (RfSysroot *sysroot, const char *library)
{
    RfGpus *self = g_new0 (RfGpus, 1);
    self->sysroot = rf_sysroot_new_keeping (sysroot);
    self->devices = g_array_new (FALSE, TRUE, sizeof (RfGpuDevice));
    g_array_set_clear_func (self->devices, device_clear);
    add_nvidia (self, library);
    g_auto (GStrv) cards = rf_sysroot_list (self->sysroot, "sys/class/drm");
    for (char **card = cards; *card != NULL; card++) {
        RfGpuDevice device = {0};
        if (is_card (*card) && rf_gpu_sysfs_describe (self->sysroot, *card, &device))
            add (self, &device);
    }
    return self;
}

RfGpus *
rf_gpus_new (RfSysroot *sysroot)
{
    /* the library tells of this machine, whatever folder stands for it */
    return rf_gpus_new_for_test (sysroot, rf_sysroot_is_machine (sysroot) ? NVML_LIBRARY : NULL);
}

void
rf_gpus_free (RfGpus *self)
{
    if (self == NULL)
        return;
    g_array_unref (self->devices);
    g_clear_pointer (&self->nvml, rf_nvml_close);
    g_object_unref (self->sysroot);
    g_free (self);
}

guint
rf_gpus_count (RfGpus *self)
{
    return self->devices->len;
}

const RfGpu *
rf_gpus_get (RfGpus *self, guint index)
{
    g_return_val_if_fail (index < self->devices->len, NULL);
    return &g_array_index (self->devices, RfGpuDevice, index).gpu;
}

/* Documentation/ABI/testing/sysfs-devices-power: reading this never wakes the device. Reading anything else does. */
static gboolean
asleep (RfGpus *self, const RfGpu *gpu)
{
    if (gpu->slot[0] == '\0')
        return FALSE;
    g_autofree char *path = g_strconcat ("sys/bus/pci/devices/", gpu->slot, "/power/runtime_status", NULL);
    g_autofree char *status = rf_sysroot_read_line (self->sysroot, path);
    return g_strcmp0 (status, "suspended") == 0 || g_strcmp0 (status, "suspending") == 0;
}

static void
fill (RfGpuSample *sample, RfAvail why)
{
    for (guint i = 0; i < RF_GPU_N_COLUMNS; i++) {
        sample->value[i] = NAN;
        sample->avail[i] = why;
    }
}

void
rf_gpus_read (RfGpus *self, guint index, gint64 now_ns, RfGpuSample *out)
{
    g_return_if_fail (index < self->devices->len);
    RfGpuDevice *device = &g_array_index (self->devices, RfGpuDevice, index);
    out->time_ns = now_ns;
    fill (out, RF_AVAIL_NO_FILE);
    if (device->gpu.state != RF_GPU_READY)
        return;
    if (asleep (self, &device->gpu)) {
        fill (out, RF_AVAIL_OFF);
        device->idle_ms.time_ns = device->energy_uj.time_ns = 0;
        return;
    }
    device->read (device, self->sysroot, self->nvml, now_ns, out);
}

const char *
rf_gpu_column_name (RfGpuColumn column)
{
    static const char *const names[] = {
        [RF_GPU_UTILISATION] = "utilisation",
        [RF_GPU_AWAKE] = "awake",
        [RF_GPU_VRAM_USED] = "vram_used_bytes",
        [RF_GPU_VRAM_TOTAL] = "vram_total_bytes",
        [RF_GPU_POWER] = "power_w",
        [RF_GPU_TEMPERATURE] = "temperature_c",
        [RF_GPU_CLOCK] = "clock_mhz",
        [RF_GPU_CLOCK_MAX] = "clock_max_mhz",
        [RF_GPU_SLOWED] = "slowed",
    };
    G_STATIC_ASSERT (G_N_ELEMENTS (names) == RF_GPU_N_COLUMNS);
    g_return_val_if_fail ((guint)column < RF_GPU_N_COLUMNS, NULL);
    return names[column];
}

static const struct {
    RfGpuSlow bit;
    const char *nick;
    const char *word;
} slow_words[] = {
    /* TRANSLATORS: why a graphics card holds its clock down */
    {RF_GPU_SLOW_POWER, "power", NC_ ("slowed by", "power limit")},
    {RF_GPU_SLOW_HEAT, "heat", NC_ ("slowed by", "heat")},
    {RF_GPU_SLOW_HARDWARE, "hardware", NC_ ("slowed by", "signal of the hardware")},
    {RF_GPU_SLOW_SETTING, "setting", NC_ ("slowed by", "fixed clock")},
    {RF_GPU_SLOW_OTHER, "other", NC_ ("slowed by", "another reason")},
};

static char *
slow_list (guint bits, const char *between, gboolean words)
{
    GString *text = g_string_new (NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (slow_words); i++) {
        if ((bits & slow_words[i].bit) == 0)
            continue;
        if (text->len > 0)
            g_string_append (text, between);
        g_string_append (text, words ? g_dpgettext2 (NULL, "slowed by", slow_words[i].word) : slow_words[i].nick);
    }
    return g_string_free (text, FALSE);
}

char *
rf_gpu_slow_words (guint bits)
{
    return slow_list (bits, ", ", TRUE);
}

char *
rf_gpu_slow_nicks (guint bits)
{
    return slow_list (bits, ",", FALSE);
}

const char *
rf_gpu_state_nick (RfGpuState state)
{
    static const char *const nicks[] = {
        [RF_GPU_READY] = "ready",
        [RF_GPU_SILENT] = "silent",
        [RF_GPU_NO_LIBRARY] = "no-library",
        [RF_GPU_LIBRARY_FAILED] = "library-failed",
    };
    g_return_val_if_fail ((guint)state < G_N_ELEMENTS (nicks), NULL);
    return nicks[state];
}

const char *
rf_gpu_state_text (RfGpuState state)
{
    switch (state) {
    case RF_GPU_READY:
        return NULL;
    case RF_GPU_SILENT:
        return _ ("Its driver tells nothing that could be shown here.");
    case RF_GPU_NO_LIBRARY:
        return _ ("Not available: NVIDIA’s library libnvidia-ml.so.1 is not installed.");
    case RF_GPU_LIBRARY_FAILED:
        return _ (
            "Not available: NVIDIA’s library does not work with the running driver. After an update of the driver "
            "a restart helps.");
    default:
        g_return_val_if_reached (NULL);
    }
}

const char *
rf_gpu_avail_text (RfAvail avail)
{
    switch (avail) {
    case RF_AVAIL_OK:
        return _ ("available");
    case RF_AVAIL_NO_FILE:
        return _ ("not available: this driver does not offer it");
    case RF_AVAIL_NO_FIELD:
        return _ ("not available: this graphics card does not offer it");
    case RF_AVAIL_OFF:
        return _ ("not available: the graphics card is asleep");
    case RF_AVAIL_DENIED:
        return _ ("not available: the driver tells it only to administrators");
    case RF_AVAIL_MALFORMED:
        return _ ("not available: the driver’s answer could not be understood");
    case RF_AVAIL_NO_BASELINE:
        return _ ("not available yet: it needs two readings");
    case RF_AVAIL_NO_DEVICE:
        return _ ("not available: this graphics card has no memory of its own, or is gone");
    default:
        g_return_val_if_reached ("");
    }
}
