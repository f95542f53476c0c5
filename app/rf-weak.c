#define G_LOG_DOMAIN "rf-weak"
#include "config.h"

#include "rf-weak.h"

GWeakRef *
rf_weak_new (gpointer object)
{
    g_return_val_if_fail (G_IS_OBJECT (object), NULL);
    GWeakRef *weak = g_new0 (GWeakRef, 1);
    g_weak_ref_init (weak, object);
    return weak;
}

gpointer
rf_weak_take (GWeakRef *weak)
{
    gpointer object = g_weak_ref_get (weak);
    g_weak_ref_clear (weak);
    g_free (weak);
    return object;
}
