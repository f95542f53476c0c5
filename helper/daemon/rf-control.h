/* How a job tells its progress and hears that it shall stop. Lives as long as the job; the callback is called in the
 * thread of the job. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef void (*RfProgressFunc) (const char *step, guint done, guint total, gpointer data);

/**
 * RfControl:
 * @cancellable: (nullable): cancelled from another thread
 * @progress: (nullable): @step is a tunable id
 */
typedef struct {
    GCancellable *cancellable;
    RfProgressFunc progress;
    gpointer data;
} RfControl;

/** rf_control_cancelled: TRUE with RF_ERROR_CANCELLED if the job shall stop. */
gboolean rf_control_cancelled (const RfControl *self, GError **error);
void rf_control_progress (const RfControl *self, const char *step, guint done, guint total);

G_END_DECLS
