/* Light or dark, usual or high contrast: follows the desktop's settings portal live, GTK's own settings where there is
 * no portal, and loads our stylesheet with the palette that fits. One for a display. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    RF_THEME_FOLLOW,
    RF_THEME_LIGHT,
    RF_THEME_DARK,
} RfThemeChoice;

#define RF_TYPE_THEME (rf_theme_get_type ())
G_DECLARE_FINAL_TYPE (RfTheme, rf_theme, RF, THEME, GObject)

/** rf_theme_new: @choice: FOLLOW, or what the person asked for on the command line. Never blocks. */
RfTheme *rf_theme_new (GdkDisplay *display, RfThemeChoice choice);

/** rf_theme_decide_dark: pure. @portal: color-scheme of the portal (0 no preference, 1 dark, 2 light);
 * @prefer_dark: GTK's setting; @theme_name: of the GTK theme ("Adwaita-dark", "HighContrastInverse") */
gboolean rf_theme_decide_dark (RfThemeChoice choice, guint portal, gboolean prefer_dark, const char *theme_name);
/** rf_theme_name_is_contrast: whether the GTK theme is a high-contrast one */
gboolean rf_theme_name_is_contrast (const char *theme_name);

G_END_DECLS
