#define G_LOG_DOMAIN "rf-window"

#include "config.h"

#include "rf-window.h"

#include <glib/gi18n.h>

#include "rf-about.h"
#include "rf-check-page.h"
#include "rf-help-topics.h"
#include "rf-help-window.h"
#include "rf-history-page.h"
#include "rf-monitor-marks.h"
#include "rf-monitor-page.h"
#include "rf-overview-page.h"
#include "rf-recordings-page.h"
#include "rf-report-window.h"
#include "rf-split.h"
#include "rf-wizard.h"

/* the ranges of the schema, beyond which GSettings complains */
#define MIN_WIDTH 360
#define MIN_HEIGHT 240
#define MAX_LENGTH 16384
/* the place of the monitor in the list at the side */
#define PAGE_MONITOR 1

struct _RfWindow {
    GtkApplicationWindow parent_instance;

    GtkWidget *header;
    GtkWidget *sidebar_button;
    GtkWidget *cancel_button;
    GtkWidget *menu_button;
    GtkStack *outer;
    GtkStack *pages;
    RfSplit *split;
    GtkListBox *navigation;

    RfSampler *sampler;
    RfFacts *facts;
    RfRecordingDesk *desk;
    GSettings *settings; /* NULL: nothing is remembered */
    RfClient *client;
    RfChecker *look;
    RfMonitorMarks *marks;
    GtkWidget *help;      /* while it is open */
    GtkWidget *shortcuts; /* likewise */
    RfWizard *wizard;     /* likewise */
    gboolean quitting;    /* close the window when the wizard is done */
    gboolean narrow;
    guint narrow_source;
};

G_DEFINE_FINAL_TYPE (RfWindow, rf_window, GTK_TYPE_APPLICATION_WINDOW)

static GtkWidget *
create_overview (RfWindow *self)
{
    return rf_overview_page_new (self->sampler, self->facts, self->client, self->look);
}

static GtkWidget *
create_monitor (RfWindow *self)
{
    return rf_monitor_page_new (self->sampler, self->facts, self->settings);
}

static GtkWidget *
create_check (RfWindow *self)
{
    return rf_check_page_new (self->look);
}

static void apply_again_cb (RfWindow *self, const RfPlan *plan);

static GtkWidget *
create_changes (RfWindow *self)
{
    GtkWidget *page = rf_history_page_new (self->client, rf_sampler_get_sysroot (self->sampler), self->facts);

    g_signal_connect_swapped (page, "apply-again", G_CALLBACK (apply_again_cb), self);
    return page;
}

static GtkWidget *
create_recordings (RfWindow *self)
{
    GtkWidget *page = rf_recordings_page_new (self->desk != NULL ? rf_recording_desk_get_folder (self->desk) : NULL);

    if (self->desk != NULL)
        rf_recordings_page_add_recorder (RF_RECORDINGS_PAGE (page), self->desk, self->client);
    return page;
}

static const struct {
    const char *name;
    const char *title;
    const char *icon;
    GtkWidget *(*create) (RfWindow *self);
} destinations[] = {
    {"overview", N_ ("Overview"), "rf-overview-symbolic", create_overview},
    [PAGE_MONITOR] = {"monitor", N_ ("Monitor"), "rf-monitor-symbolic", create_monitor},
    {"check", N_ ("Check"), "rf-check-symbolic", create_check},
    {"recordings", N_ ("Recordings"), "rf-recordings-symbolic", create_recordings},
    {"changes", N_ ("Changes"), "rf-changes-symbolic", create_changes},
};

/* "recordings/ID" is one of them, "recordings/ID/ID" two of them compared. */
static char **
split_recordings (const char *name)
{
    g_auto (GStrv) parts = g_strsplit (name, "/", 4);
    const guint n = g_strv_length (parts);

    if (n < 2 || n > 3 || !g_str_equal (parts[0], "recordings"))
        return NULL;
    for (guint i = 1; i < n; i++) {
        if (!rf_recordings_id_valid (parts[i]))
            return NULL;
    }
    return g_steal_pointer (&parts);
}

gboolean
rf_window_page_exists (const char *name)
{
    g_auto (GStrv) recordings = split_recordings (name);

    if (recordings != NULL)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS (destinations); i++) {
        if (g_str_equal (destinations[i].name, name))
            return TRUE;
    }
    return g_str_equal (name, "wizard");
}

const char *
rf_window_page_name (guint index)
{
    return index < G_N_ELEMENTS (destinations) ? destinations[index].name : NULL;
}

/* What the header shows follows from where we are, and is decided here and nowhere else. */
static void
update_header (RfWindow *self)
{
    const gboolean folded = rf_split_get_folded (self->split);
    const char *visible = gtk_stack_get_visible_child_name (self->pages);

    gtk_widget_set_visible (self->sidebar_button, folded && self->wizard == NULL);
    gtk_widget_set_visible (self->cancel_button,
                            self->wizard != NULL && rf_wizard_get_stage (self->wizard) < RF_STAGE_PROGRESS);
    /* beside "Cancel" there is room for the title or for the menu */
    gtk_widget_set_visible (self->menu_button, self->wizard == NULL || !self->narrow);
    if (self->wizard != NULL) {
        gtk_window_set_title (GTK_WINDOW (self), _ ("Guided tuning"));
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS (destinations); i++) {
        if (g_strcmp0 (visible, destinations[i].name) == 0)
            gtk_window_set_title (GTK_WINDOW (self), _ (destinations[i].title));
    }
}

static void
folded_cb (RfWindow *self)
{
    rf_split_set_revealed (self->split, FALSE);
    update_header (self);
}

static gboolean
narrow_cb (gpointer data)
{
    RfWindow *self = RF_WINDOW (data);

    self->narrow_source = 0;
    if (self->narrow)
        gtk_widget_add_css_class (GTK_WIDGET (self), "rf-narrow");
    else
        gtk_widget_remove_css_class (GTK_WIDGET (self), "rf-narrow");
    update_header (self);
    return G_SOURCE_REMOVE;
}

/* Whatever is shown, pages or the guided tuning: below the same width there is less air around everything. */
static void
rf_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    RfWindow *self = RF_WINDOW (widget);
    gboolean narrow;

    GTK_WIDGET_CLASS (rf_window_parent_class)->size_allocate (widget, width, height, baseline);
    narrow = gtk_widget_get_width (GTK_WIDGET (self->outer)) < RF_SPLIT_FOLD_WIDTH;
    if (narrow == self->narrow)
        return;
    self->narrow = narrow;
    /* a style must not change while sizes are being given out */
    if (self->narrow_source == 0)
        self->narrow_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, narrow_cb, self, NULL);
}

/* A page is made when somebody wants to see it: most of them are not looked at, and all of them together are what the
 * first frame would wait for. */
static GtkWidget *
ensure_page (RfWindow *self, guint index)
{
    GtkWidget *page = gtk_stack_get_child_by_name (self->pages, destinations[index].name);

    if (page == NULL) {
        page = destinations[index].create (self);
        gtk_stack_add_named (self->pages, page, destinations[index].name);
    }
    return page;
}

static void
row_selected_cb (GtkListBox *list, GtkListBoxRow *row, RfWindow *self)
{
    if (row == NULL)
        return;
    gtk_stack_set_visible_child (self->pages, ensure_page (self, (guint)gtk_list_box_row_get_index (row)));
    update_header (self);
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, RfWindow *self)
{
    rf_split_set_revealed (self->split, FALSE);
}

static void
add_rows (RfWindow *self)
{
    for (guint i = 0; i < G_N_ELEMENTS (destinations); i++) {
        GtkWidget *row = gtk_list_box_row_new ();
        GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
        GtkWidget *label = gtk_label_new (_ (destinations[i].title));

        gtk_label_set_xalign (GTK_LABEL (label), 0);
        gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (destinations[i].icon));
        gtk_box_append (GTK_BOX (box), label);
        gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
        gtk_widget_set_name (row, destinations[i].name);
        gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (destinations[i].title),
                                        -1);
        gtk_list_box_append (self->navigation, row);
    }
}

/* The guided tuning takes the whole window: nothing leads away from it but its own buttons. */

static void
leave_wizard (RfWindow *self)
{
    GtkWidget *wizard = GTK_WIDGET (self->wizard);

    if (wizard == NULL)
        return;
    self->wizard = NULL;
    g_signal_handlers_disconnect_by_data (wizard, self);
    gtk_stack_set_visible_child_name (self->outer, "browse");
    gtk_stack_remove (self->outer, wizard);
    update_header (self);
}

static void
wizard_closed_cb (RfWindow *self)
{
    leave_wizard (self);
    if (self->quitting)
        gtk_window_destroy (GTK_WINDOW (self));
}

static void
wizard_stayed_cb (RfWindow *self)
{
    self->quitting = FALSE;
}

static void
open_wizard (RfWindow *self)
{
    if (self->wizard != NULL)
        return;
    self->wizard = RF_WIZARD (rf_wizard_new (self->client, self->sampler, self->facts));
    g_signal_connect_swapped (self->wizard, "closed", G_CALLBACK (wizard_closed_cb), self);
    g_signal_connect_swapped (self->wizard, "stayed", G_CALLBACK (wizard_stayed_cb), self);
    g_signal_connect_swapped (self->wizard, "notify::stage", G_CALLBACK (update_header), self);
    gtk_stack_add_named (self->outer, GTK_WIDGET (self->wizard), "wizard");
    gtk_stack_set_visible_child_name (self->outer, "wizard");
    update_header (self);
}

static void
apply_again_cb (RfWindow *self, const RfPlan *plan)
{
    open_wizard (self);
    rf_wizard_propose (self->wizard, plan);
}

static void
guided_tuning_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    open_wizard (RF_WINDOW (widget));
}

static void
cancel_tuning_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfWindow *self = RF_WINDOW (widget);

    if (self->wizard != NULL)
        rf_wizard_request_close (self->wizard);
}

static gboolean
rf_window_close_request (GtkWindow *window)
{
    RfWindow *self = RF_WINDOW (window);

    if (self->wizard != NULL && rf_wizard_must_ask (self->wizard)) {
        self->quitting = TRUE;
        rf_wizard_request_close (self->wizard);
        return TRUE;
    }
    return GTK_WINDOW_CLASS (rf_window_parent_class)->close_request (window);
}

static void
show_page_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_window_show_page (RF_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

/* An empty id: what helps on the page that is shown. */
static void
show_help_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfWindow *self = RF_WINDOW (widget);
    const char *page = self->wizard != NULL ? "wizard" : gtk_stack_get_visible_child_name (self->pages);
    const char *id = g_variant_get_string (parameter, NULL);

    if (self->help == NULL) {
        self->help = rf_help_window_new (GTK_WINDOW (self));
        g_object_add_weak_pointer (G_OBJECT (self->help), (gpointer *)&self->help);
    }
    rf_help_window_show_topic (RF_HELP_WINDOW (self->help),
                               *id != '\0' ? id : rf_help_topic_id (rf_help_topics_for_page (page)));
    gtk_window_present (GTK_WINDOW (self->help));
}

/* GTK would make this window together with ours, at "gtk/help-overlay.ui". */
static void
show_help_overlay_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfWindow *self = RF_WINDOW (widget);

    if (self->shortcuts == NULL) {
        g_autoptr (GtkBuilder) builder
            = gtk_builder_new_from_resource ("/io/github/ruckelfrei/Ruckelfrei/help-overlay.ui");

        self->shortcuts = GTK_WIDGET (gtk_builder_get_object (builder, "help_overlay"));
        g_object_add_weak_pointer (G_OBJECT (self->shortcuts), (gpointer *)&self->shortcuts);
        gtk_window_set_transient_for (GTK_WINDOW (self->shortcuts), GTK_WINDOW (self));
        gtk_window_set_destroy_with_parent (GTK_WINDOW (self->shortcuts), TRUE);
    }
    gtk_window_present (GTK_WINDOW (self->shortcuts));
}

static gboolean
leave_full_size (RfWindow *self)
{
    GtkWidget *page = gtk_stack_get_visible_child (self->pages);

    return RF_IS_MONITOR_PAGE (page) && rf_monitor_page_go_back (RF_MONITOR_PAGE (page));
}

static void
report_problem_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfWindow *self = RF_WINDOW (widget);

    gtk_window_present (GTK_WINDOW (rf_report_window_new (GTK_WINDOW (self), self->client,
                                                          rf_sampler_get_sysroot (self->sampler), self->facts)));
}

static void
about_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_about_show (GTK_WINDOW (widget), RF_WINDOW (widget)->client);
}

static gboolean
leave_recording (RfWindow *self)
{
    GtkWidget *page = gtk_stack_get_visible_child (self->pages);

    return RF_IS_RECORDINGS_PAGE (page) && rf_recordings_page_back (RF_RECORDINGS_PAGE (page));
}

static void
back_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfWindow *self = RF_WINDOW (widget);

    if (self->wizard != NULL)
        rf_wizard_go_back (self->wizard);
    else if (rf_split_get_folded (self->split) && rf_split_get_revealed (self->split))
        rf_split_set_revealed (self->split, FALSE);
    else if (!leave_full_size (self) && !leave_recording (self))
        rf_window_show_page (self, destinations[0].name);
}

static void
toggle_sidebar_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfWindow *self = RF_WINDOW (widget);

    if (!rf_split_get_folded (self->split))
        return;
    rf_split_set_revealed (self->split, !rf_split_get_revealed (self->split));
    if (rf_split_get_revealed (self->split))
        gtk_widget_child_focus (GTK_WIDGET (self->navigation), GTK_DIR_TAB_FORWARD);
}

/* A monitor can be smaller than the one where the window was last. */
static void
largest_monitor (GtkWidget *widget, int *width, int *height)
{
    GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (widget));

    *width = *height = 0;
    for (guint i = 0; i < g_list_model_get_n_items (monitors); i++) {
        g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);
        GdkRectangle area;

        gdk_monitor_get_geometry (monitor, &area);
        *width = MAX (*width, area.width);
        *height = MAX (*height, area.height);
    }
}

static void
restore (RfWindow *self)
{
    g_autofree char *page = g_settings_get_string (self->settings, "page");
    int width = g_settings_get_int (self->settings, "window-width");
    int height = g_settings_get_int (self->settings, "window-height");
    int widest, highest;

    largest_monitor (GTK_WIDGET (self), &widest, &highest);
    if (widest > 0 && highest > 0) {
        width = MIN (width, widest);
        height = MIN (height, highest);
    }
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
    if (g_settings_get_boolean (self->settings, "window-maximized"))
        gtk_window_maximize (GTK_WINDOW (self));
    /* the guided tuning is no place to wake up in; its name is never stored, but somebody can have written it */
    if (rf_window_page_exists (page) && !g_str_equal (page, "wizard"))
        rf_window_show_page (self, page);
}

/* However the window goes away, it passes through here. */
static void
rf_window_unmap (GtkWidget *widget)
{
    RfWindow *self = RF_WINDOW (widget);
    int width, height;

    if (self->settings != NULL) {
        gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
        g_settings_set_int (self->settings, "window-width", CLAMP (width, MIN_WIDTH, MAX_LENGTH));
        g_settings_set_int (self->settings, "window-height", CLAMP (height, MIN_HEIGHT, MAX_LENGTH));
        g_settings_set_boolean (self->settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
        g_settings_set_string (self->settings, "page", gtk_stack_get_visible_child_name (self->pages));
    }
    GTK_WIDGET_CLASS (rf_window_parent_class)->unmap (widget);
}

static void
rf_window_dispose (GObject *object)
{
    RfWindow *self = RF_WINDOW (object);

    leave_wizard (self);
    if (self->help != NULL)
        gtk_window_destroy (GTK_WINDOW (self->help));
    if (self->shortcuts != NULL)
        gtk_window_destroy (GTK_WINDOW (self->shortcuts));
    g_clear_handle_id (&self->narrow_source, g_source_remove);
    g_clear_object (&self->marks);
    g_clear_object (&self->look);
    g_clear_object (&self->client);
    g_clear_object (&self->sampler);
    g_clear_object (&self->desk);
    g_clear_object (&self->settings);
    g_clear_pointer (&self->facts, rf_facts_unref);
    G_OBJECT_CLASS (rf_window_parent_class)->dispose (object);
}

static void
rf_window_class_init (RfWindowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_window_dispose;
    GTK_WINDOW_CLASS (klass)->close_request = rf_window_close_request;
    widget_class->size_allocate = rf_window_size_allocate;
    widget_class->unmap = rf_window_unmap;

    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-window.ui");
    gtk_widget_class_bind_template_child (widget_class, RfWindow, header);
    gtk_widget_class_bind_template_child (widget_class, RfWindow, sidebar_button);
    gtk_widget_class_bind_template_child (widget_class, RfWindow, cancel_button);
    gtk_widget_class_bind_template_child (widget_class, RfWindow, menu_button);
    gtk_widget_class_bind_template_child (widget_class, RfWindow, outer);
    gtk_widget_class_bind_template_child (widget_class, RfWindow, pages);
    gtk_widget_class_bind_template_child (widget_class, RfWindow, split);
    gtk_widget_class_bind_template_child (widget_class, RfWindow, navigation);

    gtk_widget_class_install_action (widget_class, "win.show-page", "s", show_page_action);
    gtk_widget_class_install_action (widget_class, "win.guided-tuning", NULL, guided_tuning_action);
    gtk_widget_class_install_action (widget_class, "win.cancel-tuning", NULL, cancel_tuning_action);
    gtk_widget_class_install_action (widget_class, "win.show-help", "s", show_help_action);
    gtk_widget_class_install_action (widget_class, "win.show-help-overlay", NULL, show_help_overlay_action);
    gtk_widget_class_install_action (widget_class, "win.report-problem", NULL, report_problem_action);
    gtk_widget_class_install_action (widget_class, "win.about", NULL, about_action);
    gtk_widget_class_install_action (widget_class, "win.back", NULL, back_action);
    gtk_widget_class_install_action (widget_class, "win.toggle-sidebar", NULL, toggle_sidebar_action);

    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.back", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "win.back", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F9, 0, "win.toggle-sidebar", NULL);

    g_type_ensure (RF_TYPE_SPLIT);
}

static void
rf_window_init (RfWindow *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));

    g_object_bind_property (self->split, "revealed", self->sidebar_button, "active", G_BINDING_BIDIRECTIONAL);
    g_signal_connect_object (self->split, "notify::folded", G_CALLBACK (folded_cb), self, G_CONNECT_SWAPPED);
    g_signal_connect (self->navigation, "row-selected", G_CALLBACK (row_selected_cb), self);
    g_signal_connect (self->navigation, "row-activated", G_CALLBACK (row_activated_cb), self);
}

GtkWidget *
rf_window_new (GtkApplication *app, RfSampler *sampler, RfFacts *facts, RfRecordingDesk *desk, GSettings *settings)
{
    RfWindow *self = g_object_new (RF_TYPE_WINDOW, "application", app, NULL);

    self->sampler = g_object_ref (sampler);
    self->facts = rf_facts_ref (facts);
    g_set_object (&self->desk, desk);
    self->client = rf_client_new (NULL);
    self->look = rf_checker_new (rf_sampler_get_sysroot (sampler));
    /* what happens while nobody has opened the monitor is seen there later */
    self->marks = rf_monitor_marks_new (self->client, sampler);
    add_rows (self);
    if (settings != NULL) {
        self->settings = g_object_ref (settings);
        restore (self);
    }
    if (gtk_list_box_get_selected_row (self->navigation) == NULL)
        rf_window_show_page (self, destinations[0].name);
    return GTK_WIDGET (self);
}

void
rf_window_show_page (RfWindow *self, const char *name)
{
    g_auto (GStrv) recordings = NULL;

    g_return_if_fail (RF_IS_WINDOW (self));

    if (g_strcmp0 (name, "wizard") == 0) {
        open_wizard (self);
        return;
    }
    if (self->wizard != NULL && rf_wizard_must_ask (self->wizard))
        return;
    leave_wizard (self);
    recordings = split_recordings (name);
    for (guint i = 0; i < G_N_ELEMENTS (destinations); i++) {
        if (g_strcmp0 (destinations[i].name, recordings != NULL ? recordings[0] : name) != 0)
            continue;
        gtk_list_box_select_row (self->navigation, gtk_list_box_get_row_at_index (self->navigation, (int)i));
        rf_split_set_revealed (self->split, FALSE);
        if (recordings != NULL && recordings[2] == NULL)
            rf_recordings_page_open (RF_RECORDINGS_PAGE (ensure_page (self, i)), recordings[1]);
        else if (recordings != NULL)
            rf_recordings_page_compare (RF_RECORDINGS_PAGE (ensure_page (self, i)), recordings[1], recordings[2]);
    }
}

gboolean
rf_window_decide_trial (RfWindow *self, const char *id, gboolean keep)
{
    g_return_val_if_fail (RF_IS_WINDOW (self) && id != NULL, FALSE);

    return self->wizard != NULL && rf_wizard_decide (self->wizard, id, keep);
}

void
rf_window_zoom_in (RfWindow *self)
{
    g_return_if_fail (RF_IS_WINDOW (self));

    rf_monitor_page_zoom_in (RF_MONITOR_PAGE (ensure_page (self, PAGE_MONITOR)));
}
