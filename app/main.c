#define G_LOG_DOMAIN "ruckelfrei"

#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <unistd.h>

#include "rf-application.h"
#include "rf-recent-messages.h"

/* A window that watches memory should take little of it: drawn by cairo it needs about 50 MiB, through OpenGL 160, and
 * a second costs less processor time. Whoever sets one of these variables keeps what was set. */
static void
prefer_small_renderer (void)
{
    g_setenv ("GSK_RENDERER", "cairo", FALSE);
    /* without this, GTK opens OpenGL all the same; the name of the switch has changed */
    if (gtk_get_minor_version () < 16)
        g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
    else
        g_setenv ("GDK_DISABLE", "gl,vulkan", FALSE);
}

/* After an update: the file that this process was started from is not the one of that name any more. Returns: only if it
 * could not be started */
static void
start_anew (const char *name)
{
    g_autofree char *program = g_find_program_in_path (name);

    if (program != NULL)
        execl (program, program, (char *)NULL);
    g_printerr ("%s: %s\n", name, g_strerror (errno));
}

int
main (int argc, char **argv)
{
    g_autoptr (RfApplication) app = NULL;
    int status;

    rf_recent_messages_install ();
    prefer_small_renderer ();
    /* no thread runs yet; NOLINTNEXTLINE(concurrency-mt-unsafe) */
    (void)setlocale (LC_ALL, "");
    bindtextdomain (GETTEXT_PACKAGE, RF_LOCALEDIR);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    g_set_application_name ("Ruckelfrei");

    app = rf_application_new ();
    status = g_application_run (G_APPLICATION (app), argc, argv);
    if (status == 0 && rf_application_wants_restart (app))
        start_anew (argv[0]);
    return status != 0 ? status : rf_application_get_exit_status (app);
}
