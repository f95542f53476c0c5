#define G_LOG_DOMAIN "rf-theme"

#include "config.h"

#include "rf-theme.h"

#include "rf-compat.h"

#define RESOURCES "/io/github/ruckelfrei/Ruckelfrei/"
#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"

struct _RfTheme {
    GObject parent_instance;
    GdkDisplay *display;
    GtkSettings *settings;
    GtkCssProvider *rules;
    GtkCssProvider *palette;
    const char *palette_file;
    RfThemeChoice choice;
    guint color_scheme; /* of the portal: 0 no preference or no portal, 1 dark, 2 light */
    guint contrast;     /* of the portal: 1 more */
    gboolean prefer_dark;
    gboolean setting_it;
    char *own_theme_name; /* what the person had before we asked GTK for high contrast */
    GDBusConnection *bus;
    guint subscription;
    GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (RfTheme, rf_theme, G_TYPE_OBJECT)

gboolean
rf_theme_decide_dark (RfThemeChoice choice, guint portal, gboolean prefer_dark, const char *theme_name)
{
    if (choice != RF_THEME_FOLLOW)
        return choice == RF_THEME_DARK;
    if (portal == 1 || portal == 2)
        return portal == 1;
    if (prefer_dark)
        return TRUE;
    return theme_name != NULL
           && (g_str_has_suffix (theme_name, "-dark") || g_str_has_suffix (theme_name, ":dark")
               || g_strcmp0 (theme_name, "HighContrastInverse") == 0);
}

gboolean
rf_theme_name_is_contrast (const char *theme_name)
{
    return theme_name != NULL
           && (g_str_has_prefix (theme_name, "HighContrast") || g_str_has_suffix (theme_name, "-hc")
               || g_str_has_suffix (theme_name, ":hc") || g_str_has_suffix (theme_name, "hc-dark"));
}

static void
load_palette (RfTheme *self, const char *file)
{
    g_autofree char *path = NULL;

    if (self->palette_file == file)
        return;
    self->palette_file = file;
    path = g_strconcat (RESOURCES, file, NULL);
    gtk_css_provider_load_from_resource (self->palette, path);
}

/* Only what is another value: GTK reads its whole style sheet again at each setting, which is a quarter of our start. */
static void
set_prefer_dark (RfTheme *self, gboolean dark)
{
    gboolean now = FALSE;

    g_object_get (self->settings, "gtk-application-prefer-dark-theme", &now, NULL);
    if (now != dark)
        g_object_set (self->settings, "gtk-application-prefer-dark-theme", dark, NULL);
}

static void
update (RfTheme *self)
{
    /* GTK_THEME wins over every setting inside GTK, so what it says has to count here as well */
    const char *forced = g_getenv ("GTK_THEME");
    g_autofree char *theme_name = NULL;
    const char *name = NULL;
    gboolean dark, high_contrast;

    g_object_get (self->settings, "gtk-theme-name", &theme_name, NULL);
    name = forced != NULL && *forced != '\0' ? forced
           : self->own_theme_name != NULL    ? self->own_theme_name
                                             : theme_name;
    dark = rf_theme_decide_dark (self->choice, self->color_scheme, self->prefer_dark, name);
    high_contrast = self->contrast == 1 || rf_theme_name_is_contrast (name);

    self->setting_it = TRUE;
    set_prefer_dark (self, dark);
    if (high_contrast) {
        if (self->own_theme_name == NULL)
            self->own_theme_name = g_strdup (theme_name);
        g_object_set (self->settings, "gtk-theme-name", dark ? "HighContrastInverse" : "HighContrast", NULL);
    } else if (self->own_theme_name != NULL) {
        g_object_set (self->settings, "gtk-theme-name", self->own_theme_name, NULL);
        g_clear_pointer (&self->own_theme_name, g_free);
    }
    self->setting_it = FALSE;

    if (high_contrast)
        load_palette (self, dark ? "palette-hc-dark.css" : "palette-hc-light.css");
    else
        load_palette (self, dark ? "palette-dark.css" : "palette-light.css");
}

static void
settings_changed_cb (GtkSettings *settings, GParamSpec *pspec, RfTheme *self)
{
    if (self->setting_it)
        return;
    if (g_str_equal (pspec->name, "gtk-application-prefer-dark-theme"))
        g_object_get (settings, "gtk-application-prefer-dark-theme", &self->prefer_dark, NULL);
    else
        g_clear_pointer (&self->own_theme_name, g_free);
    update (self);
}

/* The portal wraps the value in one or two variants, depending on its version. */
static void
take_value (RfTheme *self, const char *key, GVariant *wrapped)
{
    g_autoptr (GVariant) value = g_variant_ref (wrapped);

    while (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
        GVariant *inner = g_variant_get_variant (value);

        g_variant_unref (value);
        value = inner;
    }
    if (!g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
        return;
    if (g_strcmp0 (key, "color-scheme") == 0)
        self->color_scheme = g_variant_get_uint32 (value);
    else if (g_strcmp0 (key, "contrast") == 0)
        self->contrast = g_variant_get_uint32 (value);
    else
        return;
    update (self);
}

static void
setting_signal_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                   const char *signal, GVariant *parameters, gpointer data)
{
    g_autoptr (GVariant) value = NULL;
    const char *name_space = NULL;
    const char *key = NULL;

    if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
        return;
    g_variant_get (parameters, "(&s&s@v)", &name_space, &key, &value);
    if (g_str_equal (name_space, APPEARANCE))
        take_value (RF_THEME (data), key, value);
}

static void
read_all_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
    g_autoptr (GVariant) spaces = NULL;
    g_autoptr (GVariant) keys = NULL;
    GVariantIter iter;
    const char *key = NULL;
    GVariant *value = NULL;

    /* no portal is a normal desktop; a cancelled call means that @data is gone */
    if (reply == NULL) {
        g_debug ("no settings portal: %s", error->message);
        return;
    }
    spaces = g_variant_get_child_value (reply, 0);
    keys = g_variant_lookup_value (spaces, APPEARANCE, G_VARIANT_TYPE_VARDICT);
    if (keys == NULL)
        return;
    g_variant_iter_init (&iter, keys);
    while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
        take_value (RF_THEME (data), key, value);
}

static void
bus_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GDBusConnection) bus = g_bus_get_finish (result, &error);
    const char *const spaces[] = {APPEARANCE, NULL};
    RfTheme *self = NULL;

    if (bus == NULL) {
        g_debug ("no session bus: %s", error->message);
        return;
    }
    self = RF_THEME (data);
    self->bus = g_steal_pointer (&bus);
    self->subscription
        = g_dbus_connection_signal_subscribe (self->bus, PORTAL_NAME, PORTAL_INTERFACE, "SettingChanged", PORTAL_PATH,
                                              APPEARANCE, G_DBUS_SIGNAL_FLAGS_NONE, setting_signal_cb, self, NULL);
    g_dbus_connection_call (self->bus, PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "ReadAll",
                            g_variant_new ("(^as)", spaces), G_VARIANT_TYPE ("(a{sa{sv}})"), G_DBUS_CALL_FLAGS_NONE, -1,
                            self->cancellable, read_all_cb, self);
}

static void
rf_theme_dispose (GObject *object)
{
    RfTheme *self = RF_THEME (object);

    g_cancellable_cancel (self->cancellable);
    g_clear_object (&self->cancellable);
    if (self->subscription != 0)
        g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
    self->subscription = 0;
    g_clear_object (&self->bus);
    if (self->settings != NULL)
        g_signal_handlers_disconnect_by_data (self->settings, self);
    g_clear_object (&self->settings);
    if (self->display != NULL) {
        rf_compat_remove_provider (self->display, self->rules);
        rf_compat_remove_provider (self->display, self->palette);
    }
    g_clear_object (&self->display);
    g_clear_object (&self->rules);
    g_clear_object (&self->palette);
    g_clear_pointer (&self->own_theme_name, g_free);
    G_OBJECT_CLASS (rf_theme_parent_class)->dispose (object);
}

static void
rf_theme_class_init (RfThemeClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_theme_dispose;
}

static void
rf_theme_init (RfTheme *self)
{
    self->rules = gtk_css_provider_new ();
    self->palette = gtk_css_provider_new ();
    self->cancellable = g_cancellable_new ();
}

RfTheme *
rf_theme_new (GdkDisplay *display, RfThemeChoice choice)
{
    RfTheme *self = NULL;

    g_return_val_if_fail (GDK_IS_DISPLAY (display), NULL);

    self = g_object_new (RF_TYPE_THEME, NULL);
    self->display = g_object_ref (display);
    self->choice = choice;
    self->settings = g_object_ref (gtk_settings_get_for_display (display));
    g_object_get (self->settings, "gtk-application-prefer-dark-theme", &self->prefer_dark, NULL);
    g_signal_connect (self->settings, "notify::gtk-application-prefer-dark-theme", G_CALLBACK (settings_changed_cb),
                      self);
    g_signal_connect (self->settings, "notify::gtk-theme-name", G_CALLBACK (settings_changed_cb), self);

    update (self);
    gtk_css_provider_load_from_resource (self->rules, RESOURCES "style.css");
    rf_compat_add_provider (display, self->palette);
    rf_compat_add_provider (display, self->rules);
    if (choice == RF_THEME_FOLLOW)
        g_bus_get (G_BUS_TYPE_SESSION, self->cancellable, bus_cb, self);
    return self;
}
