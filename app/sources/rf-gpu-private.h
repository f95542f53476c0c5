/* What the two ways to a graphics card share; only for app/sources and its tests. */
#pragma once

#include "rf-gpu.h"

G_BEGIN_DECLS

typedef struct _RfNvml RfNvml;
typedef struct _RfGpuDevice RfGpuDevice;

/** RfGpuReading: the number before, to derive a rate or a share of time from. */
typedef struct {
    guint64 value;
    gint64 time_ns; /* 0: none yet */
} RfGpuReading;

/**
 * RfGpuDevice:
 * @read: fills what it knows; everything else stays RF_AVAIL_NO_FILE. NULL if @gpu.state is not RF_GPU_READY
 * @handle: of NVML
 * @dir: "sys/class/drm/card0"
 * @hwmon: (nullable): the folder of its sensors
 */
struct _RfGpuDevice {
    RfGpu gpu;
    void (*read) (RfGpuDevice *self, RfSysroot *sysroot, RfNvml *nvml, gint64 now_ns, RfGpuSample *out);
    gpointer handle;
    char *dir;
    char *hwmon;
    RfGpuReading idle_ms;
    RfGpuReading energy_uj;
};

static inline void
rf_gpu_sample_put (RfGpuSample *sample, RfGpuColumn column, double value)
{
    sample->value[column] = value;
    sample->avail[column] = RF_AVAIL_OK;
}

/* rf-gpu-nvml.c */
/**
 * rf_nvml_open:
 * @library: name or path for dlopen()
 * @state: (out): RF_GPU_READY, or why NULL is returned
 */
RfNvml *rf_nvml_open (const char *library, RfGpuState *state);
void rf_nvml_close (RfNvml *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfNvml, rf_nvml_close)
guint rf_nvml_count (RfNvml *self);
/** rf_nvml_describe: Returns: FALSE if the card has no handle (no permission, fallen off the bus) */
gboolean rf_nvml_describe (RfNvml *self, guint index, RfGpuDevice *out);
/** rf_nvml_slow_bits: pure: NVML's bits as ours */
guint rf_nvml_slow_bits (guint64 reasons);

/* rf-gpu-sysfs.c */
/** rf_gpu_sysfs_describe: @card: "card0". Returns: FALSE if it is no card with a driver */
gboolean rf_gpu_sysfs_describe (RfSysroot *sysroot, const char *card, RfGpuDevice *out);
/**
 * rf_gpu_metrics_slow_bits:
 * @bytes: what amdgpu's gpu_metrics holds
 * @bits: (out): RfGpuSlow
 *
 * Pure. Returns: RF_AVAIL_OK, NO_FIELD for a layout without reasons that are the same on all cards, or MALFORMED
 */
RfAvail rf_gpu_metrics_slow_bits (const guint8 *bytes, gsize length, guint *bits);

/**
 * rf_gpus_new_for_test:
 * @library: (nullable): in place of NVIDIA's; NULL for none, as if it was not installed
 */
RfGpus *rf_gpus_new_for_test (RfSysroot *sysroot, const char *library);

G_END_DECLS
