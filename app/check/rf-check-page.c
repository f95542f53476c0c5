#define G_LOG_DOMAIN "rf-check-page"
#include "config.h"

#include "rf-check-page.h"

#include <glib/gi18n.h>

#include "rf-check-row.h"
#include "rf-clamp.h"
#include "rf-fold.h"
#include "rf-label.h"
#include "rf-message-bar.h"

struct _RfCheckPage {
    GtkWidget parent_instance;
    GtkWidget *scroller;
    RfMessageBar *bar;
    GtkLabel *title;
    GtkLabel *lead;
    GtkWidget *again;
    GtkWidget *looking;
    GtkSpinner *spinner;
    GtkWidget *empty;
    GtkButton *tune;
    GtkWidget *look_list;
    GtkExpander *fine;
    GtkWidget *fine_list;
    GtkWidget *unknown_box;
    GtkWidget *unknown_list;

    RfChecker *look;
    GPtrArray *shown; /* the results that are in the lists */
};

G_DEFINE_FINAL_TYPE (RfCheckPage, rf_check_page, GTK_TYPE_WIDGET)

static void
again_cb (RfCheckPage *self)
{
    rf_checker_start (self->look);
}

static void
fill (GtkWidget *list, GPtrArray *results, RfCheckVerdict verdict)
{
    rf_boxed_list_clear (list);
    for (guint i = 0; i < results->len; i++) {
        const RfCheckResult *result = results->pdata[i];
        if (result->verdict == verdict)
            gtk_list_box_append (GTK_LIST_BOX (list), rf_check_row_new (result));
    }
}

static void
show_title (RfCheckPage *self, guint n)
{
    g_autofree char *title
        = g_strdup_printf (ngettext ("%u thing to look at first", "%u things to look at first", n), n);
    gtk_label_set_text (self->title, n > 0 ? title : _ ("Nothing stands in the way of tuning"));
}

static void
show_lead (RfCheckPage *self)
{
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (rf_checker_get_time (self->look));
    /* TRANSLATORS: hours and minutes as is usual in your language; see strftime(3) */
    g_autofree char *when = time != NULL ? g_date_time_format (time, _ ("%H:%M")) : g_strdup ("");
    /* TRANSLATORS: %s is a time such as 14:03 */
    g_autofree char *looked = g_strdup_printf (_ ("Looked at %s."), when);
    g_autofree char *lead = g_strjoin (
        " ", _ ("What causes stutter by itself cannot be tuned away, so it is ruled out first."), looked, NULL);
    gtk_label_set_text (self->lead, lead);
}

static void
show_results (RfCheckPage *self, GPtrArray *results)
{
    guint n = rf_check_count (results, RF_CHECK_LOOK), n_fine = rf_check_count (results, RF_CHECK_FINE);
    g_autofree char *fine = g_strdup_printf (ngettext ("%u check is fine", "%u checks are fine", n_fine), n_fine);
    show_title (self, n);
    show_lead (self);
    fill (self->look_list, results, RF_CHECK_LOOK);
    fill (self->fine_list, results, RF_CHECK_FINE);
    fill (self->unknown_list, results, RF_CHECK_UNKNOWN);
    gtk_expander_set_label (self->fine, fine);
    /* GTK names an expander after its type */
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->fine), GTK_ACCESSIBLE_PROPERTY_LABEL, fine, -1);
    rf_label_let_wrap (gtk_expander_get_label_widget (self->fine));
    gtk_widget_set_visible (self->look_list, n > 0);
    gtk_widget_set_visible (self->empty, n == 0);
    gtk_widget_set_visible (GTK_WIDGET (self->fine), n_fine > 0);
    gtk_widget_set_visible (self->unknown_box, rf_check_count (results, RF_CHECK_UNKNOWN) > 0);
}

static void
update (RfCheckPage *self)
{
    GPtrArray *results = rf_checker_get_results (self->look);
    gboolean running = rf_checker_is_running (self->look);
    gtk_widget_set_sensitive (self->again, !running);
    gtk_widget_set_visible (self->again, results != NULL);
    gtk_button_set_label (GTK_BUTTON (self->again), running ? _ ("Looking…") : _ ("Look again"));
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (self->again)));
    gtk_widget_set_visible (self->looking, results == NULL);
    /* one that turns draws the window sixty times a second, also from a page that nobody sees */
    gtk_spinner_set_spinning (self->spinner, running && results == NULL);
    if (rf_checker_is_slow (self->look))
        rf_message_bar_show (self->bar, RF_MESSAGE_WARNING,
                             _ ("Looking takes unusually long. Perhaps a file system does not answer; that alone makes "
                                "programs wait."));
    else
        rf_message_bar_hide (self->bar);
    if (results == NULL || self->shown == results)
        return;
    g_clear_pointer (&self->shown, g_ptr_array_unref);
    self->shown = g_ptr_array_ref (results);
    show_results (self, results);
}

static void
rf_check_page_map (GtkWidget *widget)
{
    RfCheckPage *self = RF_CHECK_PAGE (widget);
    GTK_WIDGET_CLASS (rf_check_page_parent_class)->map (widget);
    if (rf_checker_get_results (self->look) == NULL)
        rf_checker_start (self->look);
}

static void
rf_check_page_dispose (GObject *object)
{
    RfCheckPage *self = RF_CHECK_PAGE (object);
    if (self->look != NULL)
        g_signal_handlers_disconnect_by_data (self->look, self);
    gtk_widget_dispose_template (GTK_WIDGET (self), RF_TYPE_CHECK_PAGE);
    g_clear_object (&self->look);
    g_clear_pointer (&self->shown, g_ptr_array_unref);
    G_OBJECT_CLASS (rf_check_page_parent_class)->dispose (object);
}

static void
rf_check_page_class_init (RfCheckPageClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = rf_check_page_dispose;
    widget_class->map = rf_check_page_map;
    g_type_ensure (RF_TYPE_CLAMP);
    g_type_ensure (RF_TYPE_FOLD);
    g_type_ensure (RF_TYPE_MESSAGE_BAR);
    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-check-page.ui");
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, scroller);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, bar);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, title);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, lead);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, again);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, looking);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, spinner);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, empty);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, tune);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, look_list);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, fine);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, fine_list);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, unknown_box);
    gtk_widget_class_bind_template_child (widget_class, RfCheckPage, unknown_list);
    gtk_widget_class_bind_template_callback (widget_class, again_cb);
}

static void
rf_check_page_init (RfCheckPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    rf_label_let_wrap (gtk_button_get_child (self->tune));
}

GtkWidget *
rf_check_page_new (RfChecker *look)
{
    g_return_val_if_fail (RF_IS_CHECKER (look), NULL);
    RfCheckPage *self = g_object_new (RF_TYPE_CHECK_PAGE, NULL);
    self->look = g_object_ref (look);
    g_signal_connect_swapped (look, "changed", G_CALLBACK (update), self);
    update (self);
    return GTK_WIDGET (self);
}
