#define G_LOG_DOMAIN "rf-about"

#include "config.h"

#include "rf-about.h"

#include <glib/gi18n.h>

#include "rf-message.h"

#define WEBSITE "https://github.com/ruckelfrei/ruckelfrei"

char *
rf_about_toolkit (void)
{
    const char *display = G_OBJECT_TYPE_NAME (gdk_display_get_default ());

    return g_strdup_printf ("GTK %u.%u.%u, %s", gtk_get_major_version (), gtk_get_minor_version (),
                            gtk_get_micro_version (), g_str_has_prefix (display, "GdkWayland") ? "Wayland" : "X11");
}

/* @helper: its version, or why there is none */
static void
set_system (GtkAboutDialog *dialog, const char *helper)
{
    g_autofree char *toolkit = rf_about_toolkit ();
    /* Translators: the first is the version of the window, the second that of the helper, which works as root; the third is
     * "GTK 4.8.3, X11" */
    g_autofree char *text = g_strdup_printf (_ ("Window: %1$s\nHelper: %2$s\n%3$s"), PACKAGE_VERSION, helper, toolkit);

    gtk_about_dialog_set_system_information (dialog, text);
}

static void
version_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    GWeakRef *dialog_ref = data;
    g_autoptr (GtkAboutDialog) dialog = g_weak_ref_get (dialog_ref);
    g_autoptr (GError) error = NULL;
    g_autofree char *version = rf_client_version_finish (RF_CLIENT (source), result, &error);
    g_autofree char *why = version == NULL ? rf_message_from_error (error) : NULL;

    g_weak_ref_clear (dialog_ref);
    g_free (dialog_ref);
    if (dialog != NULL)
        set_system (dialog, version != NULL ? version : why);
}

void
rf_about_show (GtkWindow *parent, RfClient *client)
{
    const char *authors[] = {_ ("The Ruckelfrei developers"), NULL};
    GtkWidget *dialog = NULL;
    GWeakRef *dialog_ref = g_new0 (GWeakRef, 1);

    dialog = g_object_new (
        GTK_TYPE_ABOUT_DIALOG, "transient-for", parent, "modal", TRUE, "destroy-with-parent", TRUE, "program-name",
        "Ruckelfrei", "version", PACKAGE_VERSION, "logo-icon-name", RF_APP_ID, "license-type", GTK_LICENSE_GPL_3_0,
        "website", WEBSITE, "website-label", _ ("Website"), "copyright", _ ("© 2026 The Ruckelfrei developers"),
        "authors", authors, "comments",
        _ ("Finds the stutter that memory and disks cause, fixes it as a trial, and takes everything "
           "back."),
        /* Translators: your names, one a line */
        "translator-credits", _ ("translator-credits"), NULL);
    set_system (GTK_ABOUT_DIALOG (dialog), _ ("asking…"));
    g_weak_ref_init (dialog_ref, dialog);
    rf_client_version_async (client, version_cb, dialog_ref);
    gtk_widget_add_css_class (dialog, "rf-window");
    gtk_window_present (GTK_WINDOW (dialog));
}
