#define G_LOG_DOMAIN "rf-screenshot"

#include "config.h"

#include "rf-screenshot.h"

#include <glib/gi18n.h>

gboolean
rf_screenshot_save (GtkWindow *window, const char *path, GError **error)
{
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (window));
    GtkSnapshot *snapshot = gtk_snapshot_new ();
    g_autoptr (GskRenderNode) node = NULL;
    g_autoptr (GdkTexture) texture = NULL;
    g_autoptr (GBytes) bytes = NULL;
    g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
    GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));

    gdk_paintable_snapshot (paintable, snapshot, gdk_paintable_get_intrinsic_width (paintable),
                            gdk_paintable_get_intrinsic_height (paintable));
    node = gtk_snapshot_free_to_node (snapshot);
    if (node == NULL || renderer == NULL) {
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("The window could not be drawn."));
        return FALSE;
    }
    texture = gsk_renderer_render_texture (renderer, node, NULL);
    bytes = gdk_texture_save_to_png_bytes (texture);
    return g_file_replace_contents (file, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL, FALSE,
                                    G_FILE_CREATE_NONE, NULL, NULL, error);
}
