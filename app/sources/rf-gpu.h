/* The graphics cards of this machine, and what their drivers tell an ordinary user: NVIDIA's through its own library
 * (rf-gpu-nvml.c), AMD's and Intel's through sysfs (rf-gpu-sysfs.c). Looks, never changes, and never wakes a card that
 * sleeps once it is listed. An RfGpus belongs to one thread; a driver may take some milliseconds for an answer, so that
 * thread is better not the one that draws. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfGpuColumn:
 * @RF_GPU_UTILISATION: ratio 0..1 of the driver's own window (NVML: 1/6 to 1 second)
 * @RF_GPU_AWAKE: ratio 0..1 of the interval in which the engine was not in its idle state; Intel's drivers tell an
 *   ordinary user no utilisation, and this is its upper bound
 * @RF_GPU_VRAM_USED: bytes
 * @RF_GPU_VRAM_TOTAL: bytes
 * @RF_GPU_POWER: watts
 * @RF_GPU_TEMPERATURE: degrees Celsius
 * @RF_GPU_CLOCK: MHz of the core
 * @RF_GPU_CLOCK_MAX: MHz that the core could reach
 * @RF_GPU_SLOWED: why the clock is held down: RfGpuSlow bits as a number, 0 if it is not
 */
typedef enum {
    RF_GPU_UTILISATION,
    RF_GPU_AWAKE,
    RF_GPU_VRAM_USED,
    RF_GPU_VRAM_TOTAL,
    RF_GPU_POWER,
    RF_GPU_TEMPERATURE,
    RF_GPU_CLOCK,
    RF_GPU_CLOCK_MAX,
    RF_GPU_SLOWED,
    RF_GPU_N_COLUMNS,
} RfGpuColumn;

/** RfGpuSlow: an idle card runs slowly, too, but is not slowed. */
typedef enum {
    RF_GPU_SLOW_POWER = 1 << 0,    /* a limit of power or current */
    RF_GPU_SLOW_HEAT = 1 << 1,     /* a limit of temperature */
    RF_GPU_SLOW_HARDWARE = 1 << 2, /* a signal from outside the card: power brake, PROCHOT */
    RF_GPU_SLOW_SETTING = 1 << 3,  /* clocks that somebody has fixed */
    RF_GPU_SLOW_OTHER = 1 << 4,    /* the driver's reason has no word here */
} RfGpuSlow;

/**
 * RfGpuState:
 * @RF_GPU_READY: it can be read
 * @RF_GPU_SILENT: the driver tells nothing that is read here
 * @RF_GPU_NO_LIBRARY: NVIDIA's driver without its library libnvidia-ml.so.1
 * @RF_GPU_LIBRARY_FAILED: the library is there and does not work, as after an update of the driver without a restart
 */
typedef enum {
    RF_GPU_READY,
    RF_GPU_SILENT,
    RF_GPU_NO_LIBRARY,
    RF_GPU_LIBRARY_FAILED,
} RfGpuState;

/**
 * RfGpu:
 * @name: for people; valid UTF-8, made by the card's maker, so nothing to rely on
 * @driver: of the kernel
 * @slot: PCI address ("0000:01:00.0"), "" if there is none
 */
typedef struct {
    char name[96];
    char driver[24];
    char slot[24];
    RfGpuState state;
} RfGpu;

/** RfGpuSample: @value is NAN where @avail is not RF_AVAIL_OK. @time_ns: CLOCK_MONOTONIC, when reading began */
typedef struct {
    gint64 time_ns;
    double value[RF_GPU_N_COLUMNS];
    RfAvail avail[RF_GPU_N_COLUMNS];
} RfGpuSample;

typedef struct _RfGpus RfGpus;

/** RF_GPUS_MAX: more cards than this are left out. */
#define RF_GPUS_MAX 8

/**
 * rf_gpus_new:
 *
 * Lists the cards: those of NVIDIA's driver first, then the others in the order of their names in sysfs. Loading NVIDIA's
 * library takes up to a second and wakes its cards; it is loaded only where its driver has a card.
 * Returns: (transfer full): may be empty, see rf_gpus_count()
 */
RfGpus *rf_gpus_new (RfSysroot *sysroot);
void rf_gpus_free (RfGpus *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfGpus, rf_gpus_free)

guint rf_gpus_count (RfGpus *self);

/** rf_gpus_get: Returns: (transfer none): @index below rf_gpus_count() */
const RfGpu *rf_gpus_get (RfGpus *self, guint index);

/**
 * rf_gpus_read:
 * @now_ns: CLOCK_MONOTONIC; rates and shares of time are over the time since the last call for this card
 *
 * A card that sleeps is left asleep: everything is RF_AVAIL_OFF then.
 */
void rf_gpus_read (RfGpus *self, guint index, gint64 now_ns, RfGpuSample *out);

/** rf_gpu_column_name: Returns: (transfer none): CSV and JSON name with its unit: "power_w" */
const char *rf_gpu_column_name (RfGpuColumn column);

/**
 * rf_gpu_slow_words:
 * @bits: RfGpuSlow
 *
 * Returns: (transfer full): translated, with commas between: "power limit, heat"; "" if it is not slowed
 */
char *rf_gpu_slow_words (guint bits);

/** rf_gpu_slow_nicks: Returns: (transfer full): the same as stable words: "power,heat" */
char *rf_gpu_slow_nicks (guint bits);

/** rf_gpu_state_nick: Returns: (transfer none): stable word: "no-library" */
const char *rf_gpu_state_nick (RfGpuState state);

/** rf_gpu_state_text: Returns: (transfer none): translated sentence; NULL for RF_GPU_READY */
const char *rf_gpu_state_text (RfGpuState state);

/** rf_gpu_avail_text: Returns: (transfer none): why a number of a card is missing, translated: "asleep" */
const char *rf_gpu_avail_text (RfAvail avail);

G_END_DECLS
