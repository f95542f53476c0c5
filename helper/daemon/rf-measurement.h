/* One measurement while it runs: two pipes and a thread that takes a sample at fixed times, until it is told to stop,
 * its time is over or nobody reads any more. To be used in the main thread, where also the callbacks come. */
#pragma once

#include "rf-measurer.h"

G_BEGIN_DECLS

/**
 * RfMeasureEnd:
 * @RF_MEASURE_CALLER_LEFT: who has started it is not on the bus any more
 * @RF_MEASURE_LIMIT: it has lasted as long as it may
 * @RF_MEASURE_FAILED: the helper itself ends
 */
typedef enum {
    RF_MEASURE_RUNS,
    RF_MEASURE_STOPPED,
    RF_MEASURE_CALLER_LEFT,
    RF_MEASURE_LIMIT,
    RF_MEASURE_READER_GONE,
    RF_MEASURE_FAILED,
} RfMeasureEnd;

/** rf_measure_end_nick: Returns: (transfer none): the word for it, "caller-left" */
const char *rf_measure_end_nick (RfMeasureEnd end);

typedef struct _RfMeasurement RfMeasurement;

/**
 * RfMeasurementFuncs:
 * @started: everything is made and the first line is on its way, or, with @error, it is not; then @ended comes, too
 * @ended: the last line is in the pipe, or given up; from here on it may be freed, and with that the pipes end
 */
typedef struct {
    void (*started) (RfMeasurement *self, const GError *error, gpointer data);
    void (*ended) (RfMeasurement *self, RfMeasureEnd end, gpointer data);
} RfMeasurementFuncs;

/**
 * rf_measurement_start:
 * @kernel: what is measured
 *
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_FAILED if there is no pipe or no thread
 */
RfMeasurement *rf_measurement_start (RfSysroot *kernel, const RfMeasureOptions *options,
                                     const RfMeasurementFuncs *funcs, gpointer data, GError **error);

/** rf_measurement_take_reader: Returns: (transfer full): the reading end of the samples, or of the events; once each */
int rf_measurement_take_reader (RfMeasurement *self, gboolean events);

/**
 * rf_measurement_stop:
 *
 * The first reason counts. With RF_MEASURE_STOPPED, as when the limit is reached, the reader still has as long to read
 * what waits as it takes to fill the backlog; otherwise only what the pipe takes at once is written.
 */
void rf_measurement_stop (RfMeasurement *self, RfMeasureEnd why);

/** rf_measurement_free: waits for its thread; without a callback for @ended if that has not come yet. */
void rf_measurement_free (RfMeasurement *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfMeasurement, rf_measurement_free)

G_END_DECLS
