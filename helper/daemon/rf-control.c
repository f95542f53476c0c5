#define G_LOG_DOMAIN "rf-control"
#include "config.h"

#include "rf-control.h"
#include "rf-error.h"

gboolean
rf_control_cancelled (const RfControl *self, GError **error)
{
    if (self == NULL || self->cancellable == NULL || !g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
    g_set_error_literal (error, RF_ERROR, RF_ERROR_CANCELLED, "the job was cancelled");
    return TRUE;
}

void
rf_control_progress (const RfControl *self, const char *step, guint done, guint total)
{
    if (self != NULL && self->progress != NULL)
        self->progress (step, done, total, self->data);
}
