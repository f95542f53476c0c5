#define G_LOG_DOMAIN "rf-application"

#include "config.h"

#include "rf-application.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "rf-compat.h"
#include "rf-question.h"
#include "rf-recording-notice.h"
#include "rf-sampler.h"
#include "rf-screenshot.h"
#include "rf-settings.h"
#include "rf-theme.h"
#include "rf-window.h"

#define RESOURCES "/io/github/ruckelfrei/Ruckelfrei"
/* while graphs are watched; and how many of these intervals there are between two looks while they are not */
#define INTERVAL_MS 250
#define CALM_EVERY 4
/* an hour, see rf_series_bytes() */
#define CAPACITY (3600 * 1000 / INTERVAL_MS)
/* seconds of samples before a picture is taken, if nothing else is asked for: enough for lines to be seen */
#define SCREENSHOT_SECONDS 12

struct _RfApplication {
    GtkApplication parent_instance;
    RfTheme *theme;
    RfThemeChoice theme_choice;
    RfSampler *sampler;
    RfFacts *facts;
    RfRecordingDesk *desk;
    RfRecordingNotice *notice;
    GSettings *settings; /* NULL: nothing is remembered */
    char *page;
    char *screenshot;
    int width;
    int height;
    int seconds;
    int samples_seen;
    int exit_status;
    gboolean restart;
    gboolean leaving; /* as soon as the recording is finished */
};

G_DEFINE_FINAL_TYPE (RfApplication, rf_application, GTK_TYPE_APPLICATION)

static const GOptionEntry entries[] = {
    {"version", 'v', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, N_ ("Show the version and exit"), NULL},
    {"page", 'p', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, NULL, N_ ("Open this page"),
     /* Translators: the words between the bars are typed as they are, do not translate them */
     N_ ("overview|monitor|check|recordings|changes|wizard")},
    {"screenshot", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, NULL,
     N_ ("Save a picture of the page (monitor if none is named) and exit"), N_ ("FILE")},
    {"seconds", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, NULL, N_ ("How long to look before the picture is taken"),
     N_ ("SECONDS")},
    {"size", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, NULL, N_ ("Size of the window in pixels"),
     N_ ("WIDTHxHEIGHT")},
    {"dark", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, N_ ("Dark colours, whatever the desktop says"), NULL},
    {"light", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, N_ ("Light colours, whatever the desktop says"), NULL},
    {NULL},
};

static void
take_screenshot (RfApplication *self, GtkWindow *window)
{
    g_autoptr (GError) error = NULL;

    if (!rf_screenshot_save (window, self->screenshot, &error)) {
        g_printerr ("%s\n", error->message);
        self->exit_status = EXIT_FAILURE;
    }
    g_application_quit (G_APPLICATION (self));
}

static void
sampled_for_screenshot_cb (RfSampler *sampler, RfApplication *self)
{
    GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

    if (++self->samples_seen > (gint64)self->seconds * 1000 / INTERVAL_MS && window != NULL)
        take_screenshot (self, window);
}

/* A history without a hole is worth a look a second, also on a page without graphs; but not without any window. */
static void
window_destroyed_cb (GtkWidget *window, RfApplication *self)
{
    rf_sampler_set_unseen (self->sampler, FALSE);
    rf_sampler_release (self->sampler);
}

static void
window_state_cb (GdkToplevel *toplevel, GParamSpec *pspec, RfApplication *self)
{
    const GdkToplevelState hidden = GDK_TOPLEVEL_STATE_MINIMIZED | RF_COMPAT_TOPLEVEL_STATE_SUSPENDED;

    rf_sampler_set_unseen (self->sampler, (gdk_toplevel_get_state (toplevel) & hidden) != 0);
}

static void
window_realized_cb (GtkWidget *window, RfApplication *self)
{
    GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

    g_signal_connect_object (surface, "notify::state", G_CALLBACK (window_state_cb), self, 0);
}

static GtkWindow *
ensure_window (RfApplication *self)
{
    GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));
    GtkWidget *window = NULL;

    for (; windows != NULL; windows = windows->next) {
        if (RF_IS_WINDOW (windows->data))
            return windows->data;
    }
    window = rf_window_new (GTK_APPLICATION (self), self->sampler, self->facts, self->desk, self->settings);
    rf_sampler_hold (self->sampler);
    g_signal_connect (window, "destroy", G_CALLBACK (window_destroyed_cb), self);
    g_signal_connect (window, "realize", G_CALLBACK (window_realized_cb), self);
    if (self->screenshot != NULL)
        rf_window_zoom_in (RF_WINDOW (window));
    /* whoever opens the window again wants to know what became of it */
    if (rf_recording_desk_is_running (self->desk))
        rf_window_show_page (RF_WINDOW (window), "recordings");
    if (self->width > 0) {
        gtk_window_unmaximize (GTK_WINDOW (window));
        gtk_window_set_default_size (GTK_WINDOW (window), self->width, self->height);
    }
    return GTK_WINDOW (window);
}

static void
show_page_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    RfApplication *self = RF_APPLICATION (data);
    GtkWindow *window = ensure_window (self);

    rf_window_show_page (RF_WINDOW (window), g_variant_get_string (parameter, NULL));
    gtk_window_present (window);
}

static void
show_window_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    gtk_window_present (ensure_window (RF_APPLICATION (data)));
}

/* Somebody has pressed a button of a notification, perhaps of one about a trial that is over: then the window says so. */
static void
decide_trial (RfApplication *self, GVariant *id, gboolean keep)
{
    GtkWindow *window = ensure_window (self);

    if (!rf_window_decide_trial (RF_WINDOW (window), g_variant_get_string (id, NULL), keep))
        gtk_window_present (window);
}

static void
keep_trial_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    decide_trial (RF_APPLICATION (data), parameter, TRUE);
}

static void
revert_trial_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    decide_trial (RF_APPLICATION (data), parameter, FALSE);
}

static void
mark_recording_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    rf_recording_desk_mark (RF_APPLICATION (data)->desk);
}

static void
stop_recording_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    rf_recording_desk_stop (RF_APPLICATION (data)->desk);
}

static void
close_windows (RfApplication *self)
{
    GList *windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));

    /* closing one can destroy another that belongs to it */
    for (GList *l = windows; l != NULL; l = l->next)
        g_object_ref (l->data);
    /* as if each was closed by hand: a window with a trial asks first */
    for (GList *l = windows; l != NULL; l = l->next)
        gtk_window_close (l->data);
    g_list_free_full (windows, g_object_unref);
}

static void
leave (RfApplication *self)
{
    self->leaving = TRUE;
    if (rf_recording_desk_is_running (self->desk)) {
        rf_recording_desk_stop (self->desk);
        return;
    }
    self->leaving = FALSE;
    close_windows (self);
    rf_recording_notice_leave (self->notice);
}

static void
desk_changed_cb (RfApplication *self)
{
    if (self->leaving && !rf_recording_desk_is_running (self->desk))
        leave (self);
}

static void
leave_answer (guint answer, gpointer data)
{
    RfApplication *self = RF_APPLICATION (data);

    if (answer == 1)
        leave (self);
    g_object_unref (self);
}

/* A window may be closed while it is recorded, but without this program nothing is recorded. */
static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    RfApplication *self = RF_APPLICATION (data);
    GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
    GtkWindow *question = NULL;

    if (window == NULL || !rf_recording_desk_is_running (self->desk)) {
        leave (self);
        return;
    }
    question = rf_question_new (window, _ ("Quit"), _ ("End the recording and quit?"),
                                _ ("What was recorded until now is kept. If you only close the window, the recording goes "
                                   "on."),
                                leave_answer, g_object_ref (self));
    rf_question_add_answer (question, _ ("_Go on recording"), TRUE, NULL);
    rf_question_add_answer (question, _ ("_End it and quit"), TRUE, NULL);
    gtk_window_present (question);
}

static void
restart_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    quit_action (action, parameter, data);
    /* a window that asks first, because of a trial, stays with this program */
    RF_APPLICATION (data)->restart = gtk_application_get_windows (GTK_APPLICATION (data)) == NULL;
}

static void
rf_application_startup (GApplication *application)
{
    static const GActionEntry actions[] = {
        {"quit", quit_action, NULL, NULL, NULL},
        {"restart", restart_action, NULL, NULL, NULL},
        {"show-page", show_page_action, "s", NULL, NULL},
        {"show-window", show_window_action, NULL, NULL, NULL},
        {"keep-trial", keep_trial_action, "s", NULL, NULL},
        {"revert-trial", revert_trial_action, "s", NULL, NULL},
        {"mark-recording", mark_recording_action, NULL, NULL, NULL},
        {"stop-recording", stop_recording_action, NULL, NULL, NULL},
    };
    static const struct {
        const char *action;
        const char *keys[3];
    } accels[] = {
        {"app.quit", {"<Control>q", NULL}},
        {"app.mark-recording", {"<Control>d", NULL}},
        {"window.close", {"<Control>w", NULL}},
        {"win.show-help::", {"F1", NULL}},
        {"win.show-help-overlay", {"<Control>question", NULL}},
        {"win.show-page::overview", {"<Control>1", NULL}},
        {"win.show-page::monitor", {"<Control>2", NULL}},
        {"win.show-page::check", {"<Control>3", NULL}},
        {"win.show-page::recordings", {"<Control>4", NULL}},
        {"win.show-page::changes", {"<Control>5", NULL}},
    };
    RfApplication *self = RF_APPLICATION (application);
    g_autoptr (RfSysroot) sysroot = NULL;
    g_autoptr (RfSysroot) beside = NULL;

    G_APPLICATION_CLASS (rf_application_parent_class)->startup (application);

    self->theme = rf_theme_new (gdk_display_get_default (), self->theme_choice);
    gtk_window_set_default_icon_name (RF_APP_ID);
    g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
    for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
        gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action, accels[i].keys);

    sysroot = rf_sysroot_new (NULL);
    self->facts = rf_facts_read (sysroot);
    /* a picture neither depends on what was seen last nor changes it */
    if (self->screenshot == NULL)
        self->settings = rf_settings_open ();
    self->sampler = rf_sampler_new (sysroot, INTERVAL_MS, CAPACITY);
    rf_sampler_set_calm_every (self->sampler, CALM_EVERY);
    /* other threads read while the sampler does */
    beside = rf_sysroot_new (NULL);
    self->desk = rf_recording_desk_new (beside, NULL, NULL);
    self->notice = rf_recording_notice_new (self->desk);
    g_signal_connect_object (self->desk, "ended", G_CALLBACK (desk_changed_cb), self, G_CONNECT_SWAPPED);
    if (self->screenshot != NULL) {
        g_signal_connect (self->sampler, "sampled", G_CALLBACK (sampled_for_screenshot_cb), self);
        /* also a page without graphs has to end some time */
        rf_sampler_hold_lively (self->sampler);
    }
}

static void
rf_application_activate (GApplication *application)
{
    RfApplication *self = RF_APPLICATION (application);
    GtkWindow *window = ensure_window (self);

    if (self->page != NULL)
        rf_window_show_page (RF_WINDOW (window), self->page);
    g_clear_pointer (&self->page, g_free);
    gtk_window_present (window);
}

static gboolean
parse_size (const char *text, int *width, int *height)
{
    char *end = NULL;
    const guint64 w = g_ascii_strtoull (text, &end, 10);
    guint64 h;

    if (end == text || *end != 'x')
        return FALSE;
    text = end + 1;
    h = g_ascii_strtoull (text, &end, 10);
    if (end == text || *end != '\0' || w < 1 || h < 1 || w > 16384 || h > 16384)
        return FALSE;
    *width = (int)w;
    *height = (int)h;
    return TRUE;
}

/* Returns: -1 to go on, else the exit status. */
static int
rf_application_handle_local_options (GApplication *application, GVariantDict *options)
{
    RfApplication *self = RF_APPLICATION (application);
    const char *size = NULL;
    g_autoptr (GError) error = NULL;

    if (g_variant_dict_contains (options, "version")) {
        g_print ("Ruckelfrei %s\n", PACKAGE_VERSION);
        return EXIT_SUCCESS;
    }
    if (g_variant_dict_lookup (options, "page", "s", &self->page) && !rf_window_page_exists (self->page)) {
        g_printerr (_ ("There is no page called “%s”.\n"), self->page);
        return 2;
    }
    if (g_variant_dict_lookup (options, "size", "&s", &size) && !parse_size (size, &self->width, &self->height)) {
        g_printerr (_ ("“%s” is not a size such as 1100x760.\n"), size);
        return 2;
    }
    self->seconds = SCREENSHOT_SECONDS;
    g_variant_dict_lookup (options, "seconds", "i", &self->seconds);
    if (g_variant_dict_contains (options, "dark"))
        self->theme_choice = RF_THEME_DARK;
    else if (g_variant_dict_contains (options, "light"))
        self->theme_choice = RF_THEME_LIGHT;
    if (g_variant_dict_lookup (options, "screenshot", "^ay", &self->screenshot)) {
        /* the picture is of a window of its own, not of one that is open already */
        g_application_set_flags (application, g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
        if (self->page == NULL)
            self->page = g_strdup ("monitor");
        return -1;
    }
    if (self->page != NULL && g_application_register (application, NULL, &error)
        && g_application_get_is_remote (application)) {
        g_action_group_activate_action (G_ACTION_GROUP (application), "show-page", g_variant_new_string (self->page));
        return EXIT_SUCCESS;
    }
    return -1;
}

static void
rf_application_shutdown (GApplication *application)
{
    RfApplication *self = RF_APPLICATION (application);
    GList *windows = NULL;

    while ((windows = gtk_application_get_windows (GTK_APPLICATION (self))) != NULL)
        gtk_window_destroy (windows->data);
    if (self->screenshot != NULL && self->sampler != NULL) {
        g_signal_handlers_disconnect_by_data (self->sampler, self);
        rf_sampler_release_lively (self->sampler);
    }
    g_clear_object (&self->notice);
    g_clear_object (&self->desk);
    g_clear_object (&self->sampler);
    g_clear_object (&self->settings);
    g_clear_pointer (&self->facts, rf_facts_unref);
    g_clear_object (&self->theme);
    G_APPLICATION_CLASS (rf_application_parent_class)->shutdown (application);
}

static void
rf_application_finalize (GObject *object)
{
    RfApplication *self = RF_APPLICATION (object);

    g_free (self->page);
    g_free (self->screenshot);
    G_OBJECT_CLASS (rf_application_parent_class)->finalize (object);
}

static void
rf_application_class_init (RfApplicationClass *klass)
{
    GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

    G_OBJECT_CLASS (klass)->finalize = rf_application_finalize;
    application_class->startup = rf_application_startup;
    application_class->activate = rf_application_activate;
    application_class->handle_local_options = rf_application_handle_local_options;
    application_class->shutdown = rf_application_shutdown;
}

static void
rf_application_init (RfApplication *self)
{
    g_application_add_main_option_entries (G_APPLICATION (self), entries);
    g_application_set_option_context_summary (
        G_APPLICATION (self), _ ("Finds the stutter that memory and disks cause, fixes it as a trial, and takes "
                                 "everything back."));
}

RfApplication *
rf_application_new (void)
{
    return g_object_new (RF_TYPE_APPLICATION, "application-id", RF_APP_ID, "resource-base-path", RESOURCES, NULL);
}

int
rf_application_get_exit_status (RfApplication *self)
{
    g_return_val_if_fail (RF_IS_APPLICATION (self), EXIT_FAILURE);

    return self->exit_status;
}

gboolean
rf_application_wants_restart (RfApplication *self)
{
    g_return_val_if_fail (RF_IS_APPLICATION (self), FALSE);

    return self->restart;
}
