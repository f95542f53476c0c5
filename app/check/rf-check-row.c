#define G_LOG_DOMAIN "rf-check-row"
#include "config.h"

#include "rf-check-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "rf-copy-button.h"
#include "rf-fold.h"
#include "rf-label.h"
#include "rf-pill.h"

struct _RfCheckRow {
    GtkListBoxRow parent_instance;
};

G_DEFINE_FINAL_TYPE (RfCheckRow, rf_check_row, GTK_TYPE_LIST_BOX_ROW)

static void
rf_check_row_class_init (RfCheckRowClass *klass)
{
}

static void
rf_check_row_init (RfCheckRow *self)
{
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
    gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

static GtkWidget *
new_pill (const RfCheckResult *result)
{
    RfPillKind kind = RF_PILL_GOOD;
    if (result->verdict == RF_CHECK_LOOK)
        kind = result->danger ? RF_PILL_DANGER : RF_PILL_WARNING;
    GtkWidget *pill
        = rf_pill_new (kind, result->danger ? C_ ("check", "dangerous") : rf_check_verdict_text (result->verdict));
    gtk_widget_set_halign (pill, GTK_ALIGN_START);
    gtk_widget_set_valign (pill, GTK_ALIGN_START);
    return pill;
}

/* the command, and beside it, or below where there is little room, the button that copies it */
static GtkWidget *
new_command (const RfCheckResult *result)
{
    GtkWidget *fold = rf_fold_new (460, 10);
    GtkWidget *text = rf_label_new (result->command, "rf-kernel");
    GtkWidget *copy = rf_copy_button_new ();
    /* TRANSLATORS: spoken name of a button; %s is what was found */
    g_autofree char *name = g_strdup_printf (_ ("Copy the command for: %s"), result->title);
    rf_copy_button_set (copy, result->command, name);
    gtk_widget_set_valign (copy, GTK_ALIGN_CENTER);
    gtk_widget_set_hexpand (text, TRUE);
    gtk_widget_set_valign (text, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (fold, "rf-command");
    rf_fold_append (RF_FOLD (fold), text);
    rf_fold_append (RF_FOLD (fold), copy);
    return fold;
}

static GtkWidget *
new_page_button (const char *page)
{
    GtkWidget *button = gtk_button_new_with_label (g_str_equal (page, "wizard") ? _ ("Open the guided tuning")
                                                                                : _ ("Show the changes"));
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.show-page");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", page);
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (button)));
    return button;
}

GtkWidget *
rf_check_row_new (const RfCheckResult *result)
{
    g_return_val_if_fail (result != NULL, NULL);
    RfCheckRow *self = g_object_new (RF_TYPE_CHECK_ROW, NULL);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    GtkWidget *head = rf_fold_new (460, 8);
    GtkWidget *title = rf_label_new (result->title, "rf-heading");
    GtkWidget *evidence = rf_label_new (result->evidence, NULL);
    /* it names files and devices that somebody will look up */
    gtk_label_set_selectable (GTK_LABEL (evidence), strchr (result->evidence, '/') != NULL);
    gtk_widget_set_hexpand (title, TRUE);
    rf_fold_append (RF_FOLD (head), title);
    if (result->verdict != RF_CHECK_UNKNOWN) /* the heading above says it for all of them */
        rf_fold_append (RF_FOLD (head), new_pill (result));
    gtk_box_append (GTK_BOX (box), head);
    gtk_box_append (GTK_BOX (box), evidence);
    if (result->detail != NULL)
        gtk_box_append (GTK_BOX (box), rf_label_new (result->detail, "rf-kernel"));
    if (result->next != NULL)
        gtk_box_append (GTK_BOX (box), rf_label_new (result->next, "rf-next"));
    if (result->command != NULL)
        gtk_box_append (GTK_BOX (box), new_command (result));
    if (result->page != NULL)
        gtk_box_append (GTK_BOX (box), new_page_button (result->page));
    gtk_widget_add_css_class (box, "rf-row");
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title, NULL,
                                    GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, evidence, NULL, -1);
    return GTK_WIDGET (self);
}
