#define G_LOG_DOMAIN "ruckelfrei"

#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "rf-application.h"

int
main (int argc, char **argv)
{
    g_autoptr (RfApplication) app = NULL;
    int status;

    setlocale (LC_ALL, "");
    bindtextdomain (GETTEXT_PACKAGE, RF_LOCALEDIR);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    g_set_application_name ("Ruckelfrei");

    app = rf_application_new ();
    status = g_application_run (G_APPLICATION (app), argc, argv);
    return status != 0 ? status : rf_application_get_exit_status (app);
}
