/* The desktop's wish for dark or light and for high contrast, live, from a settings portal that the test plays; and
 * whether a window that is open meanwhile is drawn in other colours. */
#include "config.h"

#include <gtk/gtk.h>

#include "rf-compat.h"
#include "rf-theme.h"

#define PORTAL "org.freedesktop.portal.Desktop"
#define PATH "/org/freedesktop/portal/desktop"
#define INTERFACE "org.freedesktop.portal.Settings"

static const char introspection[]
    = "<node><interface name='" INTERFACE "'>"
      "<method name='ReadAll'><arg type='as' direction='in'/>"
      "<arg type='a{sa{sv}}' direction='out'/></method>"
      "<signal name='SettingChanged'><arg type='s'/><arg type='s'/><arg type='v'/></signal>"
      "</interface></node>";

static guint32 color_scheme = 1;
static guint reads;

static void
method_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method,
           GVariant *parameters, GDBusMethodInvocation *invocation, gpointer data)
{
    GVariantBuilder keys;
    GVariantBuilder spaces;

    reads++;
    g_variant_builder_init (&keys, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add (&keys, "{sv}", "color-scheme", g_variant_new_uint32 (color_scheme));
    g_variant_builder_add (&keys, "{sv}", "accent-color", g_variant_new ("(ddd)", 0.1, 0.2, 0.3));
    g_variant_builder_init (&spaces, G_VARIANT_TYPE ("a{sa{sv}}"));
    g_variant_builder_add (&spaces, "{sa{sv}}", "org.freedesktop.appearance", &keys);
    g_dbus_method_invocation_return_value (invocation, g_variant_new ("(a{sa{sv}})", &spaces));
}

static void
tell (GDBusConnection *bus, const char *name_space, const char *key, guint32 value)
{
    g_dbus_connection_emit_signal (bus, NULL, PATH, INTERFACE, "SettingChanged",
                                   g_variant_new ("(ssv)", name_space, key, g_variant_new_uint32 (value)), NULL);
}

static gboolean
is_dark (void)
{
    gboolean dark = FALSE;

    g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, NULL);
    return dark;
}

static gboolean
is_contrast (void)
{
    g_autofree char *name = NULL;

    g_object_get (gtk_settings_get_default (), "gtk-theme-name", &name, NULL);
    return rf_theme_name_is_contrast (name);
}

/* Waits for something that has to come; the test's own time-out ends it if it does not. */
#define WAIT_FOR(condition)                                                                                            \
    while (!(condition))                                                                                               \
    g_main_context_iteration (NULL, TRUE)

/* The colour that the ground of an open window has: drawn, not looked up. */
static guint32
ground_of (GtkWidget *window)
{
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
    g_autoptr (GskRenderNode) node = NULL;
    g_autoptr (GdkTexture) texture = NULL;
    GtkSnapshot *snapshot = gtk_snapshot_new ();
    guint32 pixel = 0;

    gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (window), gtk_widget_get_height (window));
    node = gtk_snapshot_free_to_node (snapshot);
    if (node == NULL)
        return 0; /* a frame is still to come */
    texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node,
                                           &GRAPHENE_RECT_INIT (50, 150, 1, 1));
    gdk_texture_download (texture, (guchar *)&pixel, sizeof pixel);
    return pixel & 0xffffff;
}

static GtkWidget *
open_window (void)
{
    GtkWidget *window = gtk_window_new ();
    GtkWidget *words = gtk_label_new ("x");

    gtk_widget_add_css_class (window, "rf-window");
    gtk_widget_add_css_class (words, "rf-lead");
    gtk_window_set_child (GTK_WINDOW (window), words);
    gtk_window_set_default_size (GTK_WINDOW (window), 200, 200);
    gtk_window_present (GTK_WINDOW (window));
    return window;
}

/* Waits until the open window shows the colours of a palette, ground and words. */
static void
wait_for_palette (GtkWidget *window, const char *name, guint32 ground, const char *words)
{
    GdkRGBA expected, seen = {0};

    g_test_message ("%s", name);
    gdk_rgba_parse (&expected, words);
    do {
        gtk_widget_queue_draw (window);
        g_main_context_iteration (NULL, TRUE);
        rf_compat_get_color (gtk_window_get_child (GTK_WINDOW (window)), &seen);
    } while (ground_of (window) != ground || !gdk_rgba_equal (&expected, &seen));
}

static void
test_portal (void)
{
    static const GDBusInterfaceVTable vtable = {.method_call = method_cb};
    g_autoptr (GTestDBus) test_bus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_autoptr (GDBusConnection) bus = NULL;
    g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (introspection, NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (GDBusConnection) session = NULL;
    RfTheme *theme = NULL;
    RfTheme *fixed = NULL;
    GtkWidget *window = NULL;
    guint registered, owned;

    g_test_dbus_up (test_bus);
    bus = g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (test_bus),
                                                  G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                      | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                  NULL, NULL, &error);
    g_assert_no_error (error);
    registered = g_dbus_connection_register_object (bus, PATH, info->interfaces[0], &vtable, NULL, NULL, &error);
    g_assert_no_error (error);
    owned = g_bus_own_name_on_connection (bus, PORTAL, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);

    g_assert_false (is_dark ());
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_FOLLOW);
    window = open_window ();
    WAIT_FOR (is_dark ());
    g_assert_cmpuint (reads, ==, 1);
    wait_for_palette (window, "dark", 0x232325, "#b6b6bd");
    tell (bus, "org.freedesktop.appearance", "color-scheme", 2);
    wait_for_palette (window, "light", 0xfafafa, "#5c5c62");
    g_assert_false (is_dark ());
    tell (bus, "org.freedesktop.appearance", "contrast", 1);
    wait_for_palette (window, "high contrast light", 0xffffff, "#1c1c1e");
    tell (bus, "org.freedesktop.appearance", "color-scheme", 1);
    wait_for_palette (window, "high contrast dark", 0x000000, "#e9e9ec");
    g_assert_true (is_dark ());
    g_assert_true (is_contrast ());
    tell (bus, "org.freedesktop.appearance", "contrast", 0);
    wait_for_palette (window, "dark again", 0x232325, "#b6b6bd");
    g_assert_false (is_contrast ());
    /* what others say is not for us; the signal after it shows that it has been seen */
    tell (bus, "org.example", "color-scheme", 2);
    tell (bus, "org.freedesktop.appearance", "something", 2);
    tell (bus, "org.freedesktop.appearance", "contrast", 1);
    WAIT_FOR (is_contrast ());
    g_assert_true (is_dark ());
    tell (bus, "org.freedesktop.appearance", "contrast", 0);
    WAIT_FOR (!is_contrast ());
    gtk_window_destroy (GTK_WINDOW (window));
    g_assert_finalize_object (theme);

    /* a choice of the person wins, and the portal is not asked at all */
    fixed = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    g_assert_false (is_dark ());
    g_assert_cmpuint (reads, ==, 1);
    g_assert_finalize_object (fixed);

    g_bus_unown_name (owned);
    g_dbus_connection_unregister_object (bus, registered);
    g_dbus_connection_close_sync (bus, NULL, NULL);
    session = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
    g_dbus_connection_set_exit_on_close (session, FALSE);
    g_dbus_connection_close_sync (session, NULL, NULL);
    g_test_dbus_stop (test_bus);
}

int
main (int argc, char **argv)
{
    gtk_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/theme/portal", test_portal);
    return g_test_run ();
}
