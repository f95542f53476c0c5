/* The program: command line, theme, actions and what lives as long as the program does (sampler). */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_APPLICATION (rf_application_get_type ())
G_DECLARE_FINAL_TYPE (RfApplication, rf_application, RF, APPLICATION, GtkApplication)

RfApplication *rf_application_new (void);
/** rf_application_get_exit_status: what main() should return if g_application_run() itself was content */
int rf_application_get_exit_status (RfApplication *self);
/** rf_application_wants_restart: whether "app.restart" has ended it: main() is to start the installed program anew */
gboolean rf_application_wants_restart (RfApplication *self);

G_END_DECLS
