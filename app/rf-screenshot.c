#define G_LOG_DOMAIN "rf-screenshot"

#include "config.h"

#include "rf-screenshot.h"

#include <glib/gi18n.h>

#include "rf-compat.h"

#define MARGIN 24

/* Takes @snapshot. */
static GBytes *
to_png (GtkWidget *widget, GtkSnapshot *snapshot, GError **error)
{
    g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
    g_autoptr (GdkTexture) texture = NULL;
    GtkNative *native = gtk_widget_get_native (widget);
    GskRenderer *renderer = native != NULL ? gtk_native_get_renderer (native) : NULL;

    if (node == NULL || renderer == NULL) {
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("The window could not be drawn."));
        return NULL;
    }
    texture = gsk_renderer_render_texture (renderer, node, NULL);
    return gdk_texture_save_to_png_bytes (texture);
}

gboolean
rf_screenshot_save (GtkWindow *window, const char *path, GError **error)
{
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (window));
    GtkSnapshot *snapshot = gtk_snapshot_new ();
    g_autoptr (GBytes) bytes = NULL;
    g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);

    gdk_paintable_snapshot (paintable, snapshot, gdk_paintable_get_intrinsic_width (paintable),
                            gdk_paintable_get_intrinsic_height (paintable));
    bytes = to_png (GTK_WIDGET (window), snapshot, error);
    if (bytes == NULL)
        return FALSE;
    return g_file_replace_contents (file, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL, FALSE,
                                    G_FILE_CREATE_NONE, NULL, NULL, error);
}

GBytes *
rf_screenshot_take (GtkWidget *widget, const char *title, GError **error)
{
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
    g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, title);
    GtkSnapshot *snapshot = gtk_snapshot_new ();
    const float scale = (float)gtk_widget_get_scale_factor (widget);
    const int width = gtk_widget_get_width (widget);
    const int height = gtk_widget_get_height (widget);
    GdkRGBA background, color;
    int title_height = 0;

    pango_layout_set_width (layout, width * PANGO_SCALE);
    if (title != NULL)
        pango_layout_get_pixel_size (layout, NULL, &title_height);
    rf_compat_lookup_color (widget, "rf_window_bg", &background);
    rf_compat_get_color (widget, &color);
    gtk_snapshot_scale (snapshot, scale, scale);
    gtk_snapshot_append_color (snapshot, &background,
                               &GRAPHENE_RECT_INIT (0, 0, (float)(width + 2 * MARGIN),
                                                    (float)(title_height + height + 3 * MARGIN)));
    gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (MARGIN, MARGIN));
    gtk_snapshot_append_layout (snapshot, layout, &color);
    gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, (float)title_height + MARGIN / 2.F));
    gdk_paintable_snapshot (paintable, snapshot, width, height);
    return to_png (widget, snapshot, error);
}
