#define G_LOG_DOMAIN "rf-wizard-steps"
#include "config.h"

#include "rf-wizard-steps.h"

#include "rf-tunable-text.h"
#include "rf-wizard-model.h"

#include <glib/gi18n.h>

#define N_DOTS (RF_WIZARD_N_STEPS + 1)

/* between the numbers in a narrow window: long names such as "Feinabstimmung" need the room */
#define COMPACT_GAP 10

struct _RfWizardSteps {
    GtkWidget parent_instance;
    GtkWidget *numbers[N_DOTS];
    GtkWidget *names[N_DOTS];
    GtkWidget *lines[RF_WIZARD_N_STEPS];
    guint current;
};

G_DEFINE_FINAL_TYPE (RfWizardSteps, rf_wizard_steps, GTK_TYPE_WIDGET)

static const char *
step_name (guint step)
{
    return step < RF_WIZARD_N_STEPS ? rf_group_title ((RfGroup) step) : _ ("Review");
}

/* Natural width with all names; with @compact only the current one has a name. */
static int
width_of (RfWizardSteps *self, gboolean compact, gboolean natural)
{
    int sum = 0;
    for (guint i = 0; i < N_DOTS; i++) {
        int number = 0, name = 0;
        gtk_widget_measure (self->numbers[i], GTK_ORIENTATION_HORIZONTAL, -1, &number, NULL, NULL, NULL);
        gtk_widget_measure (self->names[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, &name, NULL, NULL);
        sum += number + (!compact || (i == self->current && natural) ? name + 8 : 0);
        if (i < RF_WIZARD_N_STEPS)
            sum += compact ? COMPACT_GAP : 40;
    }
    return sum;
}

static void
rf_wizard_steps_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
    RfWizardSteps *self = RF_WIZARD_STEPS (widget);
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = width_of (self, TRUE, FALSE);
        *natural = width_of (self, FALSE, TRUE);
        return;
    }
    *minimum = *natural = 0;
    for (guint i = 0; i < N_DOTS; i++) {
        int number = 0, name = 0;
        gtk_widget_measure (self->numbers[i], orientation, -1, NULL, &number, NULL, NULL);
        gtk_widget_measure (self->names[i], orientation, -1, NULL, &name, NULL, NULL);
        *natural = MAX (*natural, MAX (number, name));
    }
    *minimum = *natural;
}

static void
place (GtkWidget *widget, GtkWidget *child, int total, int x, int y, int width, int height)
{
    gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    GtkAllocation area = {mirrored ? total - x - width : x, y, width, height};
    gtk_widget_size_allocate (child, &area, -1);
}

static void
rf_wizard_steps_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    RfWizardSteps *self = RF_WIZARD_STEPS (widget);
    gboolean compact = width < width_of (self, FALSE, TRUE);
    int numbers[N_DOTS], names[N_DOTS], used = 0, name_room = width;
    for (guint i = 0; i < N_DOTS; i++) {
        gtk_widget_measure (self->numbers[i], GTK_ORIENTATION_HORIZONTAL, -1, &numbers[i], NULL, NULL, NULL);
        gtk_widget_measure (self->names[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, &names[i], NULL, NULL);
        name_room -= numbers[i];
    }
    name_room -= RF_WIZARD_N_STEPS * COMPACT_GAP + 8;
    for (guint i = 0; i < N_DOTS; i++) {
        gboolean named = !compact || i == self->current;
        gtk_widget_set_child_visible (self->names[i], named);
        names[i] = !named ? 0 : compact ? CLAMP (names[i], 0, MAX (name_room, 0)) : names[i];
        used += numbers[i] + (named ? names[i] + 8 : 0);
    }
    int gap = MAX (4, (width - used) / RF_WIZARD_N_STEPS);
    int x = 0;
    for (guint i = 0; i < N_DOTS; i++) {
        place (widget, self->numbers[i], width, x, 0, numbers[i], height);
        x += numbers[i];
        if (names[i] > 0) {
            place (widget, self->names[i], width, x + 8, 0, names[i], height);
            x += names[i] + 8;
        }
        if (i == RF_WIZARD_N_STEPS)
            break;
        int margin = gap > 16 ? 8 : 1;
        place (widget, self->lines[i], width, x + margin, height / 2, MAX (0, gap - 2 * margin), 1);
        x += gap;
    }
}

static void
rf_wizard_steps_dispose (GObject *object)
{
    GtkWidget *child = NULL;
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
        gtk_widget_unparent (child);
    G_OBJECT_CLASS (rf_wizard_steps_parent_class)->dispose (object);
}

static void
rf_wizard_steps_class_init (RfWizardStepsClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = rf_wizard_steps_dispose;
    widget_class->measure = rf_wizard_steps_measure;
    widget_class->size_allocate = rf_wizard_steps_size_allocate;
    gtk_widget_class_set_css_name (widget_class, "rfsteps");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
rf_wizard_steps_init (RfWizardSteps *self)
{
    for (guint i = 0; i < N_DOTS; i++) {
        g_autofree char *number = i < RF_WIZARD_N_STEPS ? g_strdup_printf ("%u", i + 1) : g_strdup ("✓");
        self->numbers[i] = gtk_label_new (number);
        gtk_widget_add_css_class (self->numbers[i], "rf-step-number");
        gtk_widget_set_valign (self->numbers[i], GTK_ALIGN_CENTER);
        gtk_widget_set_parent (self->numbers[i], GTK_WIDGET (self));
        self->names[i] = gtk_label_new (step_name (i));
        gtk_label_set_ellipsize (GTK_LABEL (self->names[i]), PANGO_ELLIPSIZE_END);
        gtk_widget_add_css_class (self->names[i], "rf-step-name");
        gtk_widget_set_parent (self->names[i], GTK_WIDGET (self));
        if (i == RF_WIZARD_N_STEPS)
            break;
        self->lines[i] = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
        gtk_widget_set_parent (self->lines[i], GTK_WIDGET (self));
    }
    self->current = G_MAXUINT;
}

void
rf_wizard_steps_set_current (RfWizardSteps *self, guint step)
{
    g_return_if_fail (RF_IS_WIZARD_STEPS (self) && step < N_DOTS);
    self->current = step;
    for (guint i = 0; i < N_DOTS; i++) {
        GtkWidget *parts[] = {self->numbers[i], self->names[i]};
        for (guint p = 0; p < G_N_ELEMENTS (parts); p++) {
            (i == step ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (parts[p], "current");
            (i < step ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (parts[p], "done");
        }
    }
    /* TRANSLATORS: %1$u is the number of the step, %2$u how many there are, %3$s its name */
    g_autofree char *spoken = g_strdup_printf (_ ("Step %1$u of %2$u: %3$s"), step + 1, N_DOTS, step_name (step));
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
    gtk_widget_queue_resize (GTK_WIDGET (self));
}
