/* A short verdict in a rounded frame: a sign and a word, so that the colour is never alone. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    RF_PILL_NEUTRAL,
    RF_PILL_GOOD,
    RF_PILL_WARNING,
    RF_PILL_DANGER,
    RF_PILL_ACCENT,
} RfPillKind;

#define RF_TYPE_PILL (rf_pill_get_type ())
G_DECLARE_FINAL_TYPE (RfPill, rf_pill, RF, PILL, GtkWidget)

/** rf_pill_new: @text (translated): one or two words */
GtkWidget *rf_pill_new (RfPillKind kind, const char *text);
void rf_pill_set (RfPill *self, RfPillKind kind, const char *text);

G_END_DECLS
