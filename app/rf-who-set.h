/* "Who set this?": a button that opens the value now, the kernel's own, what the next start will give, and every file and
 * line that has to do with a setting. What stands in it is raw text to be selected; nothing of it can be changed here. */
#pragma once

#include "rf-provenance.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_WHO_SET (rf_who_set_get_type ())
G_DECLARE_FINAL_TYPE (RfWhoSet, rf_who_set, RF, WHO_SET, GtkBox)

/**
 * rf_who_set_new:
 * @provenance: (transfer full)
 * @title: the setting, for the spoken name of the button
 */
GtkWidget *rf_who_set_new (RfProvenance *provenance, const char *title);

G_END_DECLS
