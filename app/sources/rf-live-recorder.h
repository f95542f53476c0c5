/* Live sources that go into a recording: their tables, their events. Main thread. */
#pragma once

#include "rf-live.h"
#include "rf-recorder.h"

G_BEGIN_DECLS

typedef struct _RfLiveRecorder RfLiveRecorder;

/** rf_live_recorder_start: @recorder: gets rows and events from now on; a reference is kept */
RfLiveRecorder *rf_live_recorder_start (const RfLiveOptions *options, RfRecorder *recorder);
/** rf_live_recorder_stop: what was read until now is still recorded; frees */
void rf_live_recorder_stop (RfLiveRecorder *self);

G_END_DECLS
