#define G_LOG_DOMAIN "rf-gpu-nvml"
#include "config.h"

#include "rf-gpu-private.h"

#include <dlfcn.h>
#include <string.h>

/* The part of NVML's binary interface that is used, declared anew after the reference manual
 * (docs.nvidia.com/deploy/nvml-api: "Device Queries", "Device Structs", "Device Enums"): structures and numbers there
 * never change under one name, what changes gets a new name ("_v2"). */
typedef struct {
    char bus_id_legacy[16];
    unsigned int domain, bus, device;
    unsigned int pci_device_id, pci_subsystem_id;
    char bus_id[32];
} NvmlPci; /* nvmlPciInfo_t of nvmlDeviceGetPciInfo_v3 */

typedef struct {
    unsigned int gpu, memory; /* percent */
} NvmlUtilisation;

typedef struct {
    unsigned long long total, free, used; /* used includes what the driver keeps for itself */
} NvmlMemory;

typedef struct {
    unsigned int version;
    unsigned long long total, reserved, free, used;
} NvmlMemory2;

#define NVML_MEMORY_2 ((unsigned int)(sizeof (NvmlMemory2) | (2u << 24)))

enum {
    NVML_SUCCESS = 0,
    NVML_NOT_SUPPORTED = 3,
    NVML_NO_PERMISSION = 4,
    NVML_GPU_IS_LOST = 15,
};
#define NVML_TEMPERATURE_GPU 0
#define NVML_CLOCK_GRAPHICS 0

struct _RfNvml {
    void *library;
    int (*init) (void);
    int (*shutdown) (void);
    int (*count) (unsigned int *count);
    int (*handle) (unsigned int index, void **device);
    /* each of these may be missing, in an old library or a new one */
    int (*name) (void *device, char *name, unsigned int length);
    int (*pci) (void *device, NvmlPci *pci);
    int (*utilisation) (void *device, NvmlUtilisation *utilisation);
    int (*memory) (void *device, NvmlMemory *memory);
    int (*memory2) (void *device, NvmlMemory2 *memory);
    int (*power) (void *device, unsigned int *milliwatts);
    int (*temperature) (void *device, int sensor, unsigned int *degrees);
    int (*clock) (void *device, int type, unsigned int *mhz);
    int (*clock_max) (void *device, int type, unsigned int *mhz);
    int (*reasons) (void *device, unsigned long long *reasons);
};

/* The first of the names that the library has; dlsym() gives an object pointer, which POSIX lets hold a function. */
static void
find (RfNvml *self, void *slot, const char *first, const char *second)
{
    void *symbol = dlsym (self->library, first);
    if (symbol == NULL && second != NULL)
        symbol = dlsym (self->library, second);
    memcpy (slot, &symbol, sizeof symbol);
}

RfNvml *
rf_nvml_open (const char *library, RfGpuState *state)
{
    /* NODELETE: what a driver has started in the process may outlive the last use */
    void *opened = dlopen (library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    *state = RF_GPU_NO_LIBRARY;
    if (opened == NULL)
        return NULL;
    RfNvml *self = g_new0 (RfNvml, 1);
    self->library = opened;
    find (self, &self->init, "nvmlInit_v2", "nvmlInit");
    find (self, &self->shutdown, "nvmlShutdown", NULL);
    find (self, &self->count, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount");
    find (self, &self->handle, "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex");
    find (self, &self->name, "nvmlDeviceGetName", NULL);
    find (self, &self->pci, "nvmlDeviceGetPciInfo_v3", NULL);
    find (self, &self->utilisation, "nvmlDeviceGetUtilizationRates", NULL);
    find (self, &self->memory, "nvmlDeviceGetMemoryInfo", NULL);
    find (self, &self->memory2, "nvmlDeviceGetMemoryInfo_v2", NULL);
    find (self, &self->power, "nvmlDeviceGetPowerUsage", NULL);
    find (self, &self->temperature, "nvmlDeviceGetTemperature", NULL);
    find (self, &self->clock, "nvmlDeviceGetClockInfo", NULL);
    find (self, &self->clock_max, "nvmlDeviceGetMaxClockInfo", NULL);
    find (self, &self->reasons, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons");
    gboolean whole = self->init != NULL && self->shutdown != NULL && self->count != NULL && self->handle != NULL;
    if (!whole || self->init () != NVML_SUCCESS) {
        *state = RF_GPU_LIBRARY_FAILED;
        dlclose (self->library);
        g_free (self);
        return NULL;
    }
    *state = RF_GPU_READY;
    return self;
}

void
rf_nvml_close (RfNvml *self)
{
    if (self == NULL)
        return;
    self->shutdown ();
    dlclose (self->library);
    g_free (self);
}

guint
rf_nvml_count (RfNvml *self)
{
    unsigned int count = 0;
    return self->count (&count) == NVML_SUCCESS ? MIN (count, RF_GPUS_MAX) : 0;
}

/* Puts a value, or why there is none. */
static void
put (RfGpuSample *out, RfGpuColumn column, int result, double value, double max)
{
    if (result == NVML_SUCCESS && value <= max) {
        rf_gpu_sample_put (out, column, value);
        return;
    }
    switch (result) {
    case NVML_NOT_SUPPORTED:
        out->avail[column] = RF_AVAIL_NO_FIELD;
        break;
    case NVML_NO_PERMISSION:
        out->avail[column] = RF_AVAIL_DENIED;
        break;
    case NVML_GPU_IS_LOST:
        out->avail[column] = RF_AVAIL_NO_DEVICE;
        break;
    default: /* a number that cannot be, or an error that says nothing to a person */
        out->avail[column] = RF_AVAIL_MALFORMED;
        break;
    }
}

#define MAX_BYTES 1e15 /* a petabyte: more is no memory of a card */

static void
read_memory (RfNvml *self, void *device, RfGpuSample *out)
{
    NvmlMemory2 second = {.version = NVML_MEMORY_2};
    NvmlMemory first = {0};
    if (self->memory2 != NULL && self->memory2 (device, &second) == NVML_SUCCESS) {
        put (out, RF_GPU_VRAM_TOTAL, NVML_SUCCESS, (double)second.total, MAX_BYTES);
        put (out, RF_GPU_VRAM_USED, NVML_SUCCESS, (double)second.used, (double)second.total);
    } else if (self->memory != NULL) {
        int result = self->memory (device, &first);
        put (out, RF_GPU_VRAM_TOTAL, result, (double)first.total, MAX_BYTES);
        put (out, RF_GPU_VRAM_USED, result, (double)first.used, (double)first.total);
    }
}

guint
rf_nvml_slow_bits (guint64 reasons)
{
    static const struct {
        guint64 theirs;
        guint ours;
    } table[] = {
        {0x01, 0},                    /* idle */
        {0x02, RF_GPU_SLOW_SETTING},  /* application clocks */
        {0x04, RF_GPU_SLOW_POWER},    /* software power cap */
        {0x08, RF_GPU_SLOW_HARDWARE}, /* hardware slowdown: heat, brake or a draw that is too fast */
        {0x10, RF_GPU_SLOW_SETTING},  /* sync boost: held to another card */
        {0x20, RF_GPU_SLOW_HEAT},     /* software */
        {0x40, RF_GPU_SLOW_HEAT},     /* hardware */
        {0x80, RF_GPU_SLOW_HARDWARE}, /* power brake */
        {0x100, RF_GPU_SLOW_SETTING}, /* clocks of the display */
    };
    guint bits = 0;
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        if ((reasons & table[i].theirs) != 0)
            bits |= table[i].ours;
        reasons &= ~table[i].theirs;
    }
    return reasons != 0 ? bits | RF_GPU_SLOW_OTHER : bits;
}

static void
nvml_read (RfGpuDevice *device, RfSysroot *sysroot, RfNvml *self, gint64 now_ns, RfGpuSample *out)
{
    NvmlUtilisation utilisation = {0};
    unsigned int number = 0;
    unsigned long long reasons = 0;
    void *handle = device->handle;
    if (self->utilisation != NULL) {
        int result = self->utilisation (handle, &utilisation);
        put (out, RF_GPU_UTILISATION, result, utilisation.gpu / 100.0, 1);
    }
    read_memory (self, handle, out);
    if (self->power != NULL) {
        int result = self->power (handle, &number);
        put (out, RF_GPU_POWER, result, number / 1000.0, 10000);
    }
    if (self->temperature != NULL) {
        int result = self->temperature (handle, NVML_TEMPERATURE_GPU, &number);
        put (out, RF_GPU_TEMPERATURE, result, number, 300);
    }
    if (self->clock != NULL) {
        int result = self->clock (handle, NVML_CLOCK_GRAPHICS, &number);
        put (out, RF_GPU_CLOCK, result, number, 100000);
    }
    if (self->clock_max != NULL) {
        int result = self->clock_max (handle, NVML_CLOCK_GRAPHICS, &number);
        put (out, RF_GPU_CLOCK_MAX, result, number, 100000);
    }
    if (self->reasons != NULL) {
        int result = self->reasons (handle, &reasons);
        put (out, RF_GPU_SLOWED, result, rf_nvml_slow_bits (reasons), G_MAXUINT);
    }
}

gboolean
rf_nvml_describe (RfNvml *self, guint index, RfGpuDevice *out)
{
    char name[sizeof out->gpu.name] = "";
    NvmlPci pci = {0};
    if (self->handle (index, &out->handle) != NVML_SUCCESS)
        return FALSE;
    if (self->name == NULL || self->name (out->handle, name, sizeof name) != NVML_SUCCESS)
        g_strlcpy (name, "NVIDIA", sizeof name);
    name[sizeof name - 1] = '\0';
    g_autofree char *valid = g_utf8_make_valid (name, -1);
    g_strlcpy (out->gpu.name, valid, sizeof out->gpu.name);
    if (!g_utf8_validate (out->gpu.name, -1, NULL)) /* cut inside a character */
        g_strlcpy (out->gpu.name, "NVIDIA", sizeof out->gpu.name);
    /* sysfs writes the domain with four digits, NVML's text with eight; a graphics card is function 0 */
    if (self->pci != NULL && self->pci (out->handle, &pci) == NVML_SUCCESS && pci.domain <= 0xffff && pci.bus <= 0xff
        && pci.device <= 0x1f)
        g_snprintf (out->gpu.slot, sizeof out->gpu.slot, "%04x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
    out->gpu.state = RF_GPU_READY;
    out->read = nvml_read;
    return TRUE;
}
