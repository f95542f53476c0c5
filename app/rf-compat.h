/* The few calls whose old form is deprecated and whose new form GTK 4.8 does not have: one place, so that moving to a
 * newer GTK means editing this file only. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** RF_COMPAT_TOPLEVEL_STATE_SUSPENDED: the window is not drawn at all, as on another workspace; since GTK 4.12 */
#define RF_COMPAT_TOPLEVEL_STATE_SUSPENDED ((GdkToplevelState)(1 << 16))

/** rf_compat_get_color: the CSS foreground colour of @widget */
static inline void
rf_compat_get_color (GtkWidget *widget, GdkRGBA *out)
{
    gtk_style_context_get_color (gtk_widget_get_style_context (widget), out);
}

/** rf_compat_lookup_color: a colour that a palette defines by @name; the foreground colour if there is none */
static inline void
rf_compat_lookup_color (GtkWidget *widget, const char *name, GdkRGBA *out)
{
    if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, out))
        rf_compat_get_color (widget, out);
}

static inline void
rf_compat_add_provider (GdkDisplay *display, GtkCssProvider *provider)
{
    gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                                GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static inline void
rf_compat_remove_provider (GdkDisplay *display, GtkCssProvider *provider)
{
    gtk_style_context_remove_provider_for_display (display, GTK_STYLE_PROVIDER (provider));
}

G_END_DECLS
