/* What any program with a window costs: one that has nothing in it, drawn as ours is. Compared by tests/bench/figures. */
#include <gtk/gtk.h>

static void
activate_cb (GtkApplication *app, gpointer data)
{
    GtkWidget *window = gtk_application_window_new (app);

    gtk_window_set_title (GTK_WINDOW (window), "Empty");
    gtk_window_set_default_size (GTK_WINDOW (window), 1100, 760);
    gtk_window_present (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
    g_autoptr (GtkApplication) app = NULL;

    /* as app/main.c */
    g_setenv ("GSK_RENDERER", "cairo", FALSE);
    g_setenv (gtk_get_minor_version () < 16 ? "GDK_DEBUG" : "GDK_DISABLE",
              gtk_get_minor_version () < 16 ? "gl-disable" : "gl,vulkan", FALSE);
    app = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
    g_signal_connect (app, "activate", G_CALLBACK (activate_cb), NULL);
    return g_application_run (G_APPLICATION (app), argc, argv);
}
