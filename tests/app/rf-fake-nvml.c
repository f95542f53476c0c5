#include "rf-fake-nvml.h"

#include <stdio.h>
#include <string.h>

/* The shapes are declared here once more on purpose: what the program declares is compared with it, not with itself. */
struct pci {
    char legacy[16];
    unsigned int domain, bus, device, id, subsystem;
    char bus_id[32];
};

static RfFakeNvml script;

/* NVML has no prototypes that could be included. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

RfFakeNvml *
rf_fake_nvml (void)
{
    return &script;
}

static int
init (void)
{
    script.inits++;
    return script.init_result;
}

static int
count (unsigned int *out)
{
    *out = script.count;
    return 0;
}

static int
handle (unsigned int index, void **out)
{
    if (index >= script.count)
        return 2;
    *out = &script.gpu[index];
    return script.gpu[index].handle_result;
}

static int
reasons (void *device, unsigned long long *out)
{
    RfFakeGpu *gpu = device;
    *out = gpu->reasons;
    return gpu->result;
}

#ifdef RF_FAKE_OLD /* as of 2012 */
int
nvmlInit (void)
{
    return init ();
}

int
nvmlDeviceGetCount (unsigned int *out)
{
    return count (out);
}

int
nvmlDeviceGetHandleByIndex (unsigned int index, void **out)
{
    return handle (index, out);
}

int
nvmlDeviceGetCurrentClocksThrottleReasons (void *device, unsigned long long *out)
{
    return reasons (device, out);
}
#else
int
nvmlInit_v2 (void)
{
    return init ();
}

int
nvmlDeviceGetCount_v2 (unsigned int *out)
{
    return count (out);
}

int
nvmlDeviceGetHandleByIndex_v2 (unsigned int index, void **out)
{
    return handle (index, out);
}

int
nvmlDeviceGetCurrentClocksEventReasons (void *device, unsigned long long *out)
{
    return reasons (device, out);
}

int
nvmlDeviceGetPciInfo_v3 (void *device, struct pci *out)
{
    RfFakeGpu *gpu = device;
    memset (out, 0, sizeof *out);
    out->domain = gpu->domain;
    out->bus = gpu->bus;
    out->device = gpu->device;
    return 0;
}

int
nvmlDeviceGetMemoryInfo_v2 (void *device, void *out)
{
    RfFakeGpu *gpu = device;
    unsigned int version;
    unsigned long long numbers[4] = {gpu->total, gpu->reserved, gpu->total - gpu->used - gpu->reserved, gpu->used};
    memcpy (&version, out, sizeof version);
    if (version != (40u | 2u << 24))
        return 25; /* NVML_ERROR_ARGUMENT_VERSION_MISMATCH */
    if (gpu->memory2 == 0)
        memcpy ((char *)out + 8, numbers, sizeof numbers);
    return gpu->memory2;
}

int
nvmlDeviceGetPowerUsage (void *device, unsigned int *out)
{
    RfFakeGpu *gpu = device;
    *out = gpu->milliwatts;
    return gpu->power_result != 0 ? gpu->power_result : gpu->result;
}

int
nvmlDeviceGetMaxClockInfo (void *device, int type, unsigned int *out)
{
    RfFakeGpu *gpu = device;
    *out = gpu->mhz_max;
    return type != 0 ? 2 : gpu->result;
}
#endif

int
nvmlShutdown (void)
{
    script.shutdowns++;
    return 0;
}

int
nvmlDeviceGetName (void *device, char *out, unsigned int length)
{
    RfFakeGpu *gpu = device;
    if (gpu->name == NULL)
        return 3;
    snprintf (out, length, "%s", gpu->name);
    return 0;
}

int
nvmlDeviceGetUtilizationRates (void *device, unsigned int out[2])
{
    RfFakeGpu *gpu = device;
    script.reads++;
    out[0] = gpu->busy_percent;
    out[1] = 77;
    return gpu->result;
}

int
nvmlDeviceGetMemoryInfo (void *device, unsigned long long out[3])
{
    RfFakeGpu *gpu = device;
    out[0] = gpu->total;
    out[1] = gpu->total - gpu->used - gpu->reserved;
    out[2] = gpu->used + gpu->reserved;
    return gpu->result;
}

int
nvmlDeviceGetTemperature (void *device, int sensor, unsigned int *out)
{
    RfFakeGpu *gpu = device;
    *out = gpu->degrees;
    return sensor != 0 ? 2 : gpu->result;
}

int
nvmlDeviceGetClockInfo (void *device, int type, unsigned int *out)
{
    RfFakeGpu *gpu = device;
    *out = gpu->mhz;
    return type != 0 ? 2 : gpu->result;
}
