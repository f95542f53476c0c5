#define G_LOG_DOMAIN "rf-monitor-compact"

#include "config.h"

#include "rf-monitor-compact.h"

#include "rf-health.h"
#include "rf-monitor-cards.h"

#define JUDGE_EVERY_US (5 * G_USEC_PER_SEC)
#define LOOK_BACK_S 60

struct _RfMonitorCompact {
    GtkWidget parent_instance;
    RfSampler *sampler;
    RfFacts *facts;
    RfGraphCard *card[RF_N_MONITOR_GROUPS];
    gint64 judged; /* CLOCK_MONOTONIC, µs, of the sample; 0: there is no judgement yet */
};

G_DEFINE_FINAL_TYPE (RfMonitorCompact, rf_monitor_compact, GTK_TYPE_WIDGET)

/* The graph that bears out the line of its group. */
static const char *const witness[RF_N_MONITOR_GROUPS] = {
    [RF_MONITOR_GROUP_MEMORY] = "stalls",
    [RF_MONITOR_GROUP_DRIVES] = "latency",
    [RF_MONITOR_GROUP_CPU] = "cpu",
};

static const char *
level_class (RfHealthLevel level)
{
    switch (level) {
    case RF_HEALTH_NOTICE:
        return "warning";
    case RF_HEALTH_TROUBLE:
        return "danger";
    case RF_HEALTH_CALM:
    case RF_HEALTH_NONE:
    case RF_HEALTH_UNKNOWN:
        break;
    }
    return NULL;
}

static void
show_line (RfMonitorCompact *self, RfMonitorGroup group, RfHealthLevel level, char *line)
{
    rf_graph_card_set_title (self->card[group], line, level_class (level));
    g_free (line);
}

static void
judge (RfMonitorCompact *self, gint64 monotonic_us)
{
    RfHealthInput input;
    RfHealth health;

    rf_health_read_seconds (self->sampler, self->facts, LOOK_BACK_S, &input);
    rf_health_judge (&input, &health);
    show_line (self, RF_MONITOR_GROUP_MEMORY, health.memory, rf_health_memory_line (&health, &input));
    show_line (self, RF_MONITOR_GROUP_DRIVES, MAX (health.disks, health.swap),
               rf_health_drives_line (&health, &input));
    show_line (self, RF_MONITOR_GROUP_CPU, health.cpu, rf_health_cpu_line (&health, &input));
    /* "having a look" gives way as soon as it can */
    self->judged = health.finding != RF_FINDING_LOOKING ? monotonic_us : 0;
}

void
rf_monitor_compact_update (RfMonitorCompact *self)
{
    const RfSample *sample = NULL;

    g_return_if_fail (RF_IS_MONITOR_COMPACT (self));

    for (guint group = 0; group < RF_N_MONITOR_GROUPS; group++)
        rf_monitor_card_update (rf_monitor_cards_find (witness[group]), self->card[group], self->sampler);
    sample = rf_sampler_get_sample (self->sampler);
    if (self->judged == 0 || (sample != NULL && sample->monotonic_us - self->judged >= JUDGE_EVERY_US))
        judge (self, sample != NULL ? sample->monotonic_us : 0);
}

void
rf_monitor_compact_foreach (RfMonitorCompact *self, void (*func) (RfGraphCard *card, gpointer data), gpointer data)
{
    g_return_if_fail (RF_IS_MONITOR_COMPACT (self));

    for (guint group = 0; group < RF_N_MONITOR_GROUPS; group++)
        func (self->card[group], data);
}

static void
rf_monitor_compact_dispose (GObject *object)
{
    RfMonitorCompact *self = RF_MONITOR_COMPACT (object);
    GtkWidget *child = NULL;

    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    g_clear_object (&self->sampler);
    g_clear_pointer (&self->facts, rf_facts_unref);
    G_OBJECT_CLASS (rf_monitor_compact_parent_class)->dispose (object);
}

static void
rf_monitor_compact_class_init (RfMonitorCompactClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_monitor_compact_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
rf_monitor_compact_init (RfMonitorCompact *self)
{
    GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));

    gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
    gtk_box_layout_set_spacing (layout, 12);
}

GtkWidget *
rf_monitor_compact_new (RfSampler *sampler, RfFacts *facts)
{
    RfMonitorCompact *self = NULL;

    g_return_val_if_fail (RF_IS_SAMPLER (sampler), NULL);

    self = g_object_new (RF_TYPE_MONITOR_COMPACT, NULL);
    self->sampler = g_object_ref (sampler);
    self->facts = facts != NULL ? rf_facts_ref (facts) : NULL;
    for (guint group = 0; group < RF_N_MONITOR_GROUPS; group++) {
        GtkWidget *card = rf_monitor_card_create (rf_monitor_cards_find (witness[group]), sampler);

        self->card[group] = RF_GRAPH_CARD (card);
        rf_graph_card_set_small (self->card[group]);
        gtk_widget_set_parent (card, GTK_WIDGET (self));
    }
    return GTK_WIDGET (self);
}
