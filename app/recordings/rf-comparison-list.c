#define G_LOG_DOMAIN "rf-comparison-list"

#include "config.h"

#include "rf-comparison-list.h"

#include <glib/gi18n.h>

#include "rf-fold.h"
#include "rf-label.h"
#include "rf-pill.h"

struct _RfComparisonList {
    GtkWidget parent_instance;
    GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (RfComparisonList, rf_comparison_list, GTK_TYPE_WIDGET)

static void
rf_comparison_list_dispose (GObject *object)
{
    g_clear_pointer (&RF_COMPARISON_LIST (object)->box, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_comparison_list_parent_class)->dispose (object);
}

static void
rf_comparison_list_class_init (RfComparisonListClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_comparison_list_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
rf_comparison_list_init (RfComparisonList *self)
{
    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

static RfPillKind
pill_kind (RfOutcome outcome)
{
    switch (outcome) {
    case RF_OUTCOME_BETTER:
        return RF_PILL_GOOD;
    case RF_OUTCOME_WORSE:
        return RF_PILL_DANGER;
    case RF_OUTCOME_CHANGED:
        return RF_PILL_ACCENT;
    case RF_OUTCOME_SAME:
    case RF_OUTCOME_NOT_COMPARABLE:
    case RF_N_OUTCOMES:
        break;
    }
    return RF_PILL_NEUTRAL;
}

/* A number and its unit stay together; a line ends at an arrow or a bracket. */
static char *
unbroken (char *text)
{
    g_auto (GStrv) words = g_strsplit (text, " ", -1);

    g_free (text);
    return g_strjoinv ("\u00a0", words);
}

/* in a sentence only what belongs to a number: "−60 %" */
static char *
keep_percent (char *text)
{
    GString *out = g_string_new (text);

    g_free (text);
    g_string_replace (out, " %", "\u00a0%", 0);
    return g_string_free (out, FALSE);
}

static GtkWidget *
numbers (const RfComparisonRow *row)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
    g_autofree char *before = unbroken (rf_metric_value_text (row->metric, row->before, row->per_hour));
    g_autofree char *after = unbroken (rf_metric_value_text (row->metric, row->after, row->per_hour));
    g_autofree char *change = unbroken (rf_comparison_row_change (row));
    g_autofree char *certainty = unbroken (rf_comparison_row_certainty (row));
    /* Translators: before → after; the arrow points from the first to the second */
    g_autofree char *values = g_strdup_printf (C_ ("comparison", "%1$s → %2$s"), before, after);
    GtkWidget *label = rf_label_new (values, "rf-heading");

    gtk_widget_add_css_class (label, "rf-numeric");
    gtk_box_append (GTK_BOX (box), label);
    if (*change != '\0') {
        /* Translators: a change and the interval it lies in with 95 % certainty: "−43 % (−60 to −21 %)" */
        g_autofree char *words = *certainty != '\0'
                                     ? g_strdup_printf (C_ ("comparison", "%1$s (%2$s)"), change, certainty)
                                     : g_strdup (change);

        label = rf_label_new (words, "rf-caption");
        gtk_widget_add_css_class (label, "rf-numeric");
        gtk_box_append (GTK_BOX (box), label);
    }
    return box;
}

static GtkWidget *
new_row (const RfComparisonRow *row)
{
    GtkWidget *out = gtk_list_box_row_new ();
    GtkWidget *fold = rf_fold_new (560, 12);
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
    GtkWidget *right = rf_fold_new (0, 12);
    GtkWidget *pill = NULL;
    GtkWidget *title_label = NULL;
    g_autofree char *title = rf_comparison_row_title (row);

    title_label = rf_label_new (title, "rf-heading");
    gtk_box_append (GTK_BOX (words), title_label);
    gtk_box_append (GTK_BOX (words), rf_label_new (rf_metric_explanation (row->metric), "rf-caption"));
    gtk_widget_set_hexpand (words, TRUE);
    rf_fold_append (RF_FOLD (fold), words);
    if (row->outcome == RF_OUTCOME_NOT_COMPARABLE) {
        g_autofree char *verdict = rf_comparison_row_verdict (row);

        gtk_box_append (GTK_BOX (words), rf_label_new (verdict, "rf-next"));
    } else {
        rf_fold_append (RF_FOLD (right), numbers (row));
        pill = rf_pill_new (pill_kind (row->outcome), rf_outcome_text (row->outcome));
        gtk_widget_set_halign (pill, GTK_ALIGN_START);
        gtk_widget_set_valign (pill, GTK_ALIGN_CENTER);
        rf_fold_append (RF_FOLD (right), pill);
        gtk_widget_set_valign (right, GTK_ALIGN_CENTER);
        rf_fold_append (RF_FOLD (fold), right);
    }
    gtk_widget_add_css_class (fold, "rf-row");
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (out), FALSE);
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (out), fold);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (out), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title_label, NULL, -1);
    return out;
}

/* What could not be compared is there, too, but it does not stand in the way. */
static void
add_rows (RfComparisonList *self, const RfComparison *comparison, gboolean compared)
{
    const char *title = compared ? _ ("Before and after") : _ ("Not compared");
    GtkWidget *list = rf_boxed_list_new (title);
    guint n = 0;

    for (guint i = 0; i < comparison->rows->len; i++) {
        const RfComparisonRow *row = comparison->rows->pdata[i];

        if ((row->outcome != RF_OUTCOME_NOT_COMPARABLE) != compared)
            continue;
        gtk_list_box_append (GTK_LIST_BOX (list), new_row (row));
        n++;
    }
    if (n == 0) {
        g_object_ref_sink (list);
        g_object_unref (list);
        return;
    }
    if (compared) {
        gtk_box_append (GTK_BOX (self->box), list);
    } else {
        g_autofree char *label = g_strdup_printf (
            /* Translators: opens a list of numbers that were not compared, each with its reason */
            ngettext ("Not compared: %u number", "Not compared: %u numbers", n), n);
        GtkWidget *expander = gtk_expander_new (label);

        rf_label_let_wrap (gtk_expander_get_label_widget (GTK_EXPANDER (expander)));
        gtk_widget_add_css_class (expander, "rf-group");
        gtk_expander_set_child (GTK_EXPANDER (expander), list);
        gtk_box_append (GTK_BOX (self->box), expander);
    }
}

GtkWidget *
rf_comparison_list_new (const RfComparison *comparison, gboolean heading)
{
    RfComparisonList *self = g_object_new (RF_TYPE_COMPARISON_LIST, NULL);
    g_autofree char *sentence = keep_percent (rf_comparison_sentence (comparison));
    g_autofree char *warning = rf_comparison_warning (comparison);

    gtk_box_append (GTK_BOX (self->box), rf_label_new (sentence, heading ? "rf-title" : "rf-heading"));
    if (warning != NULL)
        gtk_box_append (GTK_BOX (self->box), rf_label_new (warning, "rf-lead"));
    for (guint i = 0; i < comparison->unlike->len; i++) {
        g_autofree char *why = rf_unlike_text (comparison->unlike->pdata[i]);

        gtk_box_append (GTK_BOX (self->box), rf_label_new (why, "rf-next"));
    }
    add_rows (self, comparison, TRUE);
    add_rows (self, comparison, FALSE);
    return GTK_WIDGET (self);
}
