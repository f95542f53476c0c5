#define G_LOG_DOMAIN "rf-report-window"

#include "config.h"

#include "rf-report-window.h"

#include <glib/gi18n.h>

#include "rf-about.h"
#include "rf-fold.h"
#include "rf-label.h"
#include "rf-recent-messages.h"
#include "rf-report.h"
#include "rf-weak.h"

#define WHERE_TO "https://github.com/ruckelfrei/ruckelfrei/issues"

struct _RfReportWindow {
    GtkWindow parent_instance;
    RfSysroot *sysroot;
    RfFacts *facts;
    char *helper_version;
    char *helper_error;
    GtkTextBuffer *buffer;
    GtkWidget *copy_button;
    GtkWidget *copied;
    gboolean complete;
};

G_DEFINE_FINAL_TYPE (RfReportWindow, rf_report_window, GTK_TYPE_WINDOW)

/* @records: (nullable) */
static void
show_text (RfReportWindow *self, GPtrArray *records)
{
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    g_autoptr (RfCurrentSet) current = rf_current_set_read (self->sysroot, self->facts);
    g_auto (GStrv) messages = rf_recent_messages_get ();
    g_autofree char *toolkit = rf_about_toolkit ();
    g_autofree char *text = NULL;
    RfReport report = {
        .program = "ruckelfrei",
        .helper_version = self->helper_version,
        .helper_error = self->helper_error,
        .toolkit = toolkit,
        .desktop = g_getenv ("XDG_CURRENT_DESKTOP"),
        .facts = self->facts,
        .current = current,
        .records = records,
        .messages = (const char *const *)messages,
        .privacy = privacy,
    };

    rf_privacy_collect (privacy, self->sysroot);
    rf_privacy_collect_person (privacy);
    text = rf_report_text (&report);
    gtk_text_buffer_set_text (self->buffer, text, -1);
    self->complete = TRUE;
    gtk_widget_set_sensitive (self->copy_button, TRUE);
}

/* A window that outlives its parent is broken, so none is held until an answer comes. */
static void
listed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfReportWindow) self = rf_weak_take (data);
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) records = rf_client_list_finish (RF_CLIENT (source), result, &error);

    if (self == NULL || self->buffer == NULL) /* closed meanwhile */
        return;
    if (records == NULL && self->helper_error == NULL)
        self->helper_error = g_strdup (error->message);
    show_text (self, records);
}

static void
version_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfReportWindow) self = rf_weak_take (data);
    g_autoptr (GError) error = NULL;
    g_autofree char *version = rf_client_version_finish (RF_CLIENT (source), result, &error);

    if (self == NULL)
        return;
    self->helper_version = g_steal_pointer (&version);
    if (error != NULL)
        self->helper_error = g_strdup (error->message);
    rf_client_list_async (RF_CLIENT (source), listed_cb, rf_weak_new (self));
}

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfReportWindow *self = RF_REPORT_WINDOW (widget);
    g_autofree char *text = rf_report_window_get_text (self);

    if (text == NULL)
        return;
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
    gtk_label_set_text (GTK_LABEL (self->copied), _ ("Copied. Paste it into your report."));
}

static void
open_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    gtk_show_uri (GTK_WINDOW (widget), WHERE_TO, GDK_CURRENT_TIME);
}

static void
rf_report_window_dispose (GObject *object)
{
    RfReportWindow *self = RF_REPORT_WINDOW (object);

    g_clear_object (&self->buffer);
    g_clear_object (&self->sysroot);
    g_clear_pointer (&self->facts, rf_facts_unref);
    G_OBJECT_CLASS (rf_report_window_parent_class)->dispose (object);
}

static void
rf_report_window_finalize (GObject *object)
{
    RfReportWindow *self = RF_REPORT_WINDOW (object);

    g_free (self->helper_version);
    g_free (self->helper_error);
    G_OBJECT_CLASS (rf_report_window_parent_class)->finalize (object);
}

static void
rf_report_window_class_init (RfReportWindowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_report_window_dispose;
    G_OBJECT_CLASS (klass)->finalize = rf_report_window_finalize;
    gtk_widget_class_install_action (widget_class, "report.copy", NULL, copy_action);
    gtk_widget_class_install_action (widget_class, "report.open", NULL, open_action);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkWidget *
text_view_new (GtkTextBuffer *buffer)
{
    GtkWidget *view = gtk_text_view_new_with_buffer (buffer);
    GtkWidget *scroller = gtk_scrolled_window_new ();

    gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
    gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
    gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
    gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
    gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Text of the report"), -1);
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
    gtk_widget_set_vexpand (scroller, TRUE);
    gtk_widget_set_overflow (scroller, GTK_OVERFLOW_HIDDEN); /* round corners for the text, too */
    gtk_widget_add_css_class (scroller, "rf-report-text");
    return scroller;
}

static GtkWidget *
button_new (const char *label, const char *action, const char *css_class)
{
    GtkWidget *button = gtk_button_new_with_mnemonic (label);

    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
    gtk_widget_add_css_class (button, "rf-pill-button");
    if (css_class != NULL)
        gtk_widget_add_css_class (button, css_class);
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (button)));
    return button;
}

static void
rf_report_window_init (RfReportWindow *self)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    GtkWidget *buttons = rf_fold_new (0, 12);

    self->buffer = gtk_text_buffer_new (NULL);
    gtk_text_buffer_set_text (self->buffer, _ ("Asking the helper…"), -1);
    self->copy_button = button_new (_ ("_Copy"), "report.copy", "suggested-action");
    gtk_widget_set_sensitive (self->copy_button, FALSE);
    self->copied = rf_label_new (NULL, "rf-caption");

    gtk_widget_add_css_class (box, "rf-page");
    gtk_box_append (GTK_BOX (box),
                    rf_label_new (_ ("This text says what your computer is and what Ruckelfrei has set on it. It is in "
                                     "English, because the developers read it. Serial numbers and the names of your "
                                     "computer, of people and of their folders are left out."),
                                  NULL));
    gtk_box_append (GTK_BOX (box), rf_label_new (_ ("Nothing is sent. Read it, copy it, and paste it into your report."),
                                                 "rf-dim"));
    gtk_box_append (GTK_BOX (box), text_view_new (self->buffer));
    gtk_box_append (GTK_BOX (box), self->copied);
    rf_fold_append (RF_FOLD (buttons), self->copy_button);
    rf_fold_append (RF_FOLD (buttons), button_new (_ ("_Open the website"), "report.open", NULL));
    gtk_box_append (GTK_BOX (box), buttons);

    gtk_window_set_titlebar (GTK_WINDOW (self), gtk_header_bar_new ());
    gtk_window_set_title (GTK_WINDOW (self), _ ("Report a problem"));
    gtk_window_set_child (GTK_WINDOW (self), box);
    gtk_window_set_default_size (GTK_WINDOW (self), 640, 620);
    gtk_widget_add_css_class (GTK_WIDGET (self), "rf-window");
}

GtkWidget *
rf_report_window_new (GtkWindow *parent, RfClient *client, RfSysroot *sysroot, const RfFacts *facts)
{
    RfReportWindow *self = g_object_new (RF_TYPE_REPORT_WINDOW, "application", gtk_window_get_application (parent),
                                         "transient-for", parent, "destroy-with-parent", TRUE, "modal", TRUE, NULL);

    self->sysroot = g_object_ref (sysroot);
    self->facts = rf_facts_ref ((RfFacts *)facts);
    rf_client_version_async (client, version_cb, rf_weak_new (self));
    return GTK_WIDGET (self);
}

char *
rf_report_window_get_text (RfReportWindow *self)
{
    char *text = NULL;

    g_return_val_if_fail (RF_IS_REPORT_WINDOW (self), NULL);

    if (!self->complete)
        return NULL;
    g_object_get (self->buffer, "text", &text, NULL);
    return text;
}
