/* A sentence inside a page that says what went wrong or what to know; can be closed. One at a time. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    RF_MESSAGE_INFO,
    RF_MESSAGE_GOOD,
    RF_MESSAGE_WARNING,
    RF_MESSAGE_DANGER,
} RfMessageKind;

#define RF_TYPE_MESSAGE_BAR (rf_message_bar_get_type ())
G_DECLARE_FINAL_TYPE (RfMessageBar, rf_message_bar, RF, MESSAGE_BAR, GtkWidget)

/* RfMessageBar signal: "action" (): the button was pressed. Made by a .ui file; hidden until something is shown. */
void rf_message_bar_show (RfMessageBar *self, RfMessageKind kind, const char *text);
/** rf_message_bar_show_action: with a button @label, whose press is the signal "action" */
void rf_message_bar_show_action (RfMessageBar *self, RfMessageKind kind, const char *text, const char *label);
/** rf_message_bar_show_error: the sentence of rf_message_from_error(); hides the bar for quiet errors */
void rf_message_bar_show_error (RfMessageBar *self, const GError *error);
void rf_message_bar_hide (RfMessageBar *self);
/** rf_message_bar_get_text: Returns: (nullable): what is shown now */
const char *rf_message_bar_get_text (RfMessageBar *self);

G_END_DECLS
