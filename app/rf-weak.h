/* For what waits for an answer that may come when it is gone: a weak reference that can be handed to a callback once. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/** rf_weak_new: Returns: (transfer full): for rf_weak_take(), which has to be called exactly once */
GWeakRef *rf_weak_new (gpointer object);
/** rf_weak_take: @weak: (transfer full). Returns: (transfer full) (nullable): NULL if the object is gone */
gpointer rf_weak_take (GWeakRef *weak);

G_END_DECLS
