#define G_LOG_DOMAIN "rf-monitor-choice"

#include "config.h"

#include "rf-monitor-choice.h"

#define KEY_MINUTES "monitor-minutes"
#define KEY_COMPACT "monitor-compact"
#define KEY_ORDER "monitor-order"
#define KEY_HIDDEN "monitor-hidden"

struct _RfMonitorChoice {
    GObject parent_instance;
    GSettings *settings; /* (nullable) */
    char **known;
    GPtrArray *order;   /* of const char *, out of known: each of them once */
    GHashTable *hidden; /* a set of const char *, out of known */
    guint minutes;
    gboolean compact;
};

G_DEFINE_FINAL_TYPE (RfMonitorChoice, rf_monitor_choice, G_TYPE_OBJECT)

enum {
    SIGNAL_CHANGED,
    N_SIGNALS
};

static guint signals[N_SIGNALS];
static const guint ranges[] = {1, 5, 15, 60};
#define DEFAULT_MINUTES 5

static const char *
find_known (RfMonitorChoice *self, const char *id)
{
    for (char **k = self->known; *k != NULL; k++) {
        if (g_strcmp0 (*k, id) == 0)
            return *k;
    }
    return NULL;
}

static guint
next_range (guint minutes)
{
    for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
        if (ranges[i] >= minutes)
            return ranges[i];
    }
    return ranges[G_N_ELEMENTS (ranges) - 1];
}

/* @kept: (nullable): ids as they were kept: foreign ones and repetitions are left out. What it lacks follows the graph
 * that it follows in the program's own order. */
static void
set_order (RfMonitorChoice *self, const char *const *kept)
{
    guint place = 0;

    g_ptr_array_set_size (self->order, 0);
    for (; kept != NULL && *kept != NULL; kept++) {
        const char *id = find_known (self, *kept);

        if (id != NULL && !g_ptr_array_find (self->order, id, NULL))
            g_ptr_array_add (self->order, (gpointer)id);
    }
    for (char **k = self->known; *k != NULL; k++) {
        guint found = 0;

        if (g_ptr_array_find (self->order, *k, &found)) {
            place = found + 1;
            continue;
        }
        g_ptr_array_insert (self->order, (int)place, *k);
        place++;
    }
}

static void
set_hidden (RfMonitorChoice *self, const char *const *kept)
{
    g_hash_table_remove_all (self->hidden);
    for (; kept != NULL && *kept != NULL; kept++) {
        const char *id = find_known (self, *kept);

        if (id != NULL)
            g_hash_table_add (self->hidden, (gpointer)id);
    }
}

static gboolean
is_usual_order (RfMonitorChoice *self)
{
    for (guint i = 0; i < self->order->len; i++) {
        if (self->order->pdata[i] != self->known[i])
            return FALSE;
    }
    return TRUE;
}

/* The usual order is kept as "nothing chosen", so that a later version may arrange its graphs anew. */
static void
changed (RfMonitorChoice *self)
{
    if (self->settings != NULL) {
        g_autoptr (GPtrArray) order = g_ptr_array_new ();
        g_autoptr (GPtrArray) hidden = g_ptr_array_new ();

        for (guint i = 0; i < self->order->len; i++) {
            if (!is_usual_order (self))
                g_ptr_array_add (order, self->order->pdata[i]);
            if (g_hash_table_contains (self->hidden, self->order->pdata[i]))
                g_ptr_array_add (hidden, self->order->pdata[i]);
        }
        g_ptr_array_add (order, NULL);
        g_ptr_array_add (hidden, NULL);
        g_settings_set_uint (self->settings, KEY_MINUTES, self->minutes);
        g_settings_set_boolean (self->settings, KEY_COMPACT, self->compact);
        g_settings_set_strv (self->settings, KEY_ORDER, (const char *const *)order->pdata);
        g_settings_set_strv (self->settings, KEY_HIDDEN, (const char *const *)hidden->pdata);
    }
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
rf_monitor_choice_finalize (GObject *object)
{
    RfMonitorChoice *self = RF_MONITOR_CHOICE (object);

    g_clear_object (&self->settings);
    g_ptr_array_unref (self->order);
    g_hash_table_unref (self->hidden);
    g_strfreev (self->known);
    G_OBJECT_CLASS (rf_monitor_choice_parent_class)->finalize (object);
}

static void
rf_monitor_choice_class_init (RfMonitorChoiceClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_monitor_choice_finalize;

    signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                            NULL, G_TYPE_NONE, 0);
}

static void
rf_monitor_choice_init (RfMonitorChoice *self)
{
    self->order = g_ptr_array_new ();
    self->hidden = g_hash_table_new (g_str_hash, g_str_equal);
    self->minutes = DEFAULT_MINUTES;
}

RfMonitorChoice *
rf_monitor_choice_new (GSettings *settings, const char *const *known)
{
    RfMonitorChoice *self = NULL;

    g_return_val_if_fail (settings == NULL || G_IS_SETTINGS (settings), NULL);
    g_return_val_if_fail (known != NULL, NULL);

    self = g_object_new (RF_TYPE_MONITOR_CHOICE, NULL);
    self->known = g_strdupv ((char **)known);
    set_order (self, NULL);
    if (settings != NULL) {
        g_auto (GStrv) order = g_settings_get_strv (settings, KEY_ORDER);
        g_auto (GStrv) hidden = g_settings_get_strv (settings, KEY_HIDDEN);

        self->settings = g_object_ref (settings);
        self->minutes = next_range (g_settings_get_uint (settings, KEY_MINUTES));
        self->compact = g_settings_get_boolean (settings, KEY_COMPACT);
        set_order (self, (const char *const *)order);
        set_hidden (self, (const char *const *)hidden);
    }
    return self;
}

guint
rf_monitor_choice_get_minutes (RfMonitorChoice *self)
{
    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (self), DEFAULT_MINUTES);

    return self->minutes;
}

void
rf_monitor_choice_set_minutes (RfMonitorChoice *self, guint minutes)
{
    g_return_if_fail (RF_IS_MONITOR_CHOICE (self));

    minutes = next_range (minutes);
    if (minutes == self->minutes)
        return;
    self->minutes = minutes;
    changed (self);
}

void
rf_monitor_choice_step_minutes (RfMonitorChoice *self, int by)
{
    g_return_if_fail (RF_IS_MONITOR_CHOICE (self));

    for (int i = 0; i < (int)G_N_ELEMENTS (ranges); i++) {
        if (ranges[i] != self->minutes)
            continue;
        rf_monitor_choice_set_minutes (self, ranges[CLAMP (i + by, 0, (int)G_N_ELEMENTS (ranges) - 1)]);
        return;
    }
}

const guint *
rf_monitor_choice_ranges (guint *n)
{
    *n = G_N_ELEMENTS (ranges);
    return ranges;
}

gboolean
rf_monitor_choice_get_compact (RfMonitorChoice *self)
{
    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (self), FALSE);

    return self->compact;
}

void
rf_monitor_choice_set_compact (RfMonitorChoice *self, gboolean compact)
{
    g_return_if_fail (RF_IS_MONITOR_CHOICE (self));

    if (self->compact == !!compact)
        return;
    self->compact = !!compact;
    changed (self);
}

guint
rf_monitor_choice_count (RfMonitorChoice *self)
{
    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (self), 0);

    return self->order->len;
}

const char *
rf_monitor_choice_get_id (RfMonitorChoice *self, guint place)
{
    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (self), NULL);
    g_return_val_if_fail (place < self->order->len, NULL);

    return self->order->pdata[place];
}

gboolean
rf_monitor_choice_get_shown (RfMonitorChoice *self, const char *id)
{
    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (self), FALSE);

    return find_known (self, id) != NULL && !g_hash_table_contains (self->hidden, id);
}

void
rf_monitor_choice_set_shown (RfMonitorChoice *self, const char *id, gboolean shown)
{
    const char *known = NULL;

    g_return_if_fail (RF_IS_MONITOR_CHOICE (self));

    known = find_known (self, id);
    if (known == NULL || rf_monitor_choice_get_shown (self, id) == !!shown)
        return;
    if (shown)
        g_hash_table_remove (self->hidden, known);
    else
        g_hash_table_add (self->hidden, (gpointer)known);
    changed (self);
}

gboolean
rf_monitor_choice_move (RfMonitorChoice *self, const char *id, guint place)
{
    const char *known = NULL;
    guint now = 0;

    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (self), FALSE);

    known = find_known (self, id);
    if (known == NULL || place >= self->order->len || !g_ptr_array_find (self->order, known, &now) || now == place)
        return FALSE;
    g_ptr_array_remove_index (self->order, now);
    g_ptr_array_insert (self->order, (int)place, (gpointer)known);
    changed (self);
    return TRUE;
}

gboolean
rf_monitor_choice_is_usual (RfMonitorChoice *self)
{
    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (self), TRUE);

    return g_hash_table_size (self->hidden) == 0 && is_usual_order (self);
}

void
rf_monitor_choice_reset (RfMonitorChoice *self)
{
    g_return_if_fail (RF_IS_MONITOR_CHOICE (self));

    if (rf_monitor_choice_is_usual (self))
        return;
    g_hash_table_remove_all (self->hidden);
    set_order (self, NULL);
    changed (self);
}
