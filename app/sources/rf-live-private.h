/* Only for app/sources and its tests. */
#pragma once

#include "rf-live.h"

G_BEGIN_DECLS

/** rf_live_start_for_test: @library: (nullable): in place of NVIDIA's */
RfLive *rf_live_start_for_test (const RfLiveOptions *options, const char *library, const RfLiveSink *sink,
                                gpointer user_data);

G_END_DECLS
