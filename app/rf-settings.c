#define G_LOG_DOMAIN "rf-settings"

#include "config.h"

#include "rf-settings.h"

static const char *const keys[] = {
    "monitor-compact",
    "monitor-hidden",
    "monitor-minutes",
    "monitor-order",
    "page",
    "window-height",
    "window-maximized",
    "window-width",
};

/* GSettings would abort for a key that is not there. */
static gboolean
has_all_keys (GSettingsSchema *schema, const char **missing)
{
    for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
        if (g_settings_schema_has_key (schema, keys[i]))
            continue;
        *missing = keys[i];
        return FALSE;
    }
    return TRUE;
}

GSettings *
rf_settings_open (void)
{
    GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
    g_autoptr (GSettingsSchema) schema = NULL;
    const char *missing = NULL;

    if (source != NULL)
        schema = g_settings_schema_source_lookup (source, RF_APP_ID, TRUE);
    if (schema == NULL) {
        g_message ("The settings schema %s is not installed. The window remembers nothing.", RF_APP_ID);
        return NULL;
    }
    if (!has_all_keys (schema, &missing)) {
        g_message ("The settings schema %s is of another version and lacks “%s”. The window remembers nothing.",
                   RF_APP_ID, missing);
        return NULL;
    }
    return g_settings_new_full (schema, NULL, NULL);
}
