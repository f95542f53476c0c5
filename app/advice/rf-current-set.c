#define G_LOG_DOMAIN "rf-current-set"
#include "config.h"

#include "rf-catalogue.h"
#include "rf-recommendation.h"

typedef struct {
    const RfTunable *tunable;
    char *instance;
    gboolean ok;
    RfValue value;
    char *reason;
    char **choices;
} Item;

struct _RfCurrentSet {
    GPtrArray *items; /* of Item; a few dozen, so a walk is cheap */
};

static void
item_free (Item *item)
{
    g_free (item->instance);
    g_free (item->reason);
    g_strfreev (item->choices);
    g_free (item);
}

static Item *
find_item (const RfCurrentSet *self, const RfTunable *tunable, const char *instance)
{
    for (guint i = 0; i < self->items->len; i++) {
        Item *item = g_ptr_array_index (self->items, i);
        if (item->tunable == tunable && g_str_equal (item->instance, instance))
            return item;
    }
    return NULL;
}

static Item *
add_item (RfCurrentSet *self, const RfTunable *tunable, const char *instance)
{
    Item *item = find_item (self, tunable, instance);
    if (item != NULL)
        return item;
    item = g_new0 (Item, 1);
    item->tunable = tunable;
    item->instance = g_strdup (instance);
    g_ptr_array_add (self->items, item);
    return item;
}

RfCurrentSet *
rf_current_set_new (void)
{
    RfCurrentSet *self = g_new0 (RfCurrentSet, 1);
    self->items = g_ptr_array_new_with_free_func ((GDestroyNotify)item_free);
    return self;
}

void
rf_current_set_put (RfCurrentSet *self, const RfTunable *tunable, const char *instance, const RfValue *value,
                    const char *const *choices)
{
    g_return_if_fail (self != NULL && tunable != NULL && instance != NULL && value != NULL);
    Item *item = add_item (self, tunable, instance);
    item->ok = TRUE;
    item->value = *value;
    g_clear_pointer (&item->reason, g_free);
    g_strfreev (item->choices);
    item->choices = g_strdupv ((char **)choices);
}

RfCurrentSet *
rf_current_set_read (RfSysroot *sysroot, const RfFacts *facts)
{
    g_return_val_if_fail (sysroot != NULL && facts != NULL, NULL);
    g_autoptr (RfCurrentSet) self = rf_current_set_new ();
    gsize n = 0;
    const RfTunable *table = rf_tunable_list (&n);
    for (gsize i = 0; i < n; i++) {
        g_auto (GStrv) instances = rf_catalogue_instances (&table[i], facts);
        for (char **instance = instances; *instance != NULL; instance++) {
            g_autoptr (GError) error = NULL;
            Item *item = add_item (self, &table[i], *instance);
            item->ok = rf_current_read (sysroot, facts, &table[i], *instance, &item->value, &error);
            if (!item->ok)
                item->reason = g_strdup (error->message);
            if (table[i].kind == RF_VALUE_CHOICE)
                item->choices = rf_current_choices (sysroot, &table[i], *instance);
        }
    }
    return g_steal_pointer (&self);
}

void
rf_current_set_free (RfCurrentSet *self)
{
    g_ptr_array_unref (self->items);
    g_free (self);
}

gboolean
rf_current_set_get (const RfCurrentSet *self, const RfTunable *tunable, const char *instance, RfValue *out,
                    const char **reason)
{
    g_return_val_if_fail (self != NULL && tunable != NULL && instance != NULL && out != NULL, FALSE);
    const Item *item = find_item (self, tunable, instance);
    if (item != NULL && item->ok) {
        *out = item->value;
        return TRUE;
    }
    if (reason != NULL)
        *reason = item != NULL ? item->reason : "not read";
    return FALSE;
}

const char *const *
rf_current_set_choices (const RfCurrentSet *self, const RfTunable *tunable, const char *instance)
{
    g_return_val_if_fail (self != NULL && tunable != NULL && instance != NULL, NULL);
    const Item *item = find_item (self, tunable, instance);
    return item != NULL ? (const char *const *)item->choices : NULL;
}
