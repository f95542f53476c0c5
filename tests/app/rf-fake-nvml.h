/* A library with NVML's names and our values. Tests load it in place of NVIDIA's and get at its script by
 * rf_fake_nvml(), looked up in the loaded library; see test-gpu.c. */
#pragma once

#define RF_FAKE_GPUS 12

/**
 * RfFakeGpu:
 * @result: NVML's answer of everything but the name and the place, 0 for success
 * @memory2: NVML's answer of the second form of the memory
 */
typedef struct {
    const char *name;
    unsigned int domain, bus, device;
    int handle_result, result, memory2, power_result;
    unsigned int busy_percent, milliwatts, degrees, mhz, mhz_max;
    unsigned long long total, used, reserved, reasons;
} RfFakeGpu;

typedef struct {
    int init_result;
    unsigned int count;
    int inits, shutdowns, reads;
    RfFakeGpu gpu[RF_FAKE_GPUS];
} RfFakeNvml;

typedef RfFakeNvml *(*RfFakeNvmlFunc) (void);
