#define G_LOG_DOMAIN "rf-setting-line"
#include "config.h"

#include "rf-setting-line.h"

#include <string.h>

char *
rf_setting_line_key (const RfTunable *tunable, const RfValue *value)
{
    g_return_val_if_fail (tunable != NULL && tunable->path != NULL && value != NULL, NULL);
    const char *path = tunable->path + strlen ("proc/sys/");
    const char *member = value->kind != RF_VALUE_DIRTY ? "" : value->n[1] == RF_DIRTY_BYTES ? "_bytes" : "_ratio";
    return g_strdelimit (g_strconcat (path, member, NULL), "/", '.');
}

char *
rf_setting_line_value (const RfValue *value)
{
    g_return_val_if_fail (value != NULL, NULL);
    return value->kind == RF_VALUE_DIRTY ? g_strdup_printf ("%" G_GINT64_FORMAT, value->n[0])
                                         : rf_value_to_text (value);
}

/* A udev pattern that matches exactly one name: quotes and pattern characters become "any character". */
static char *
udev_pattern (const char *text)
{
    char *pattern = g_strdup (text);
    for (char *p = pattern; *p != '\0'; p++)
        if (!g_ascii_isalnum (*p) && strchr ("._:+-", *p) == NULL)
            *p = '?';
    return pattern;
}

static gboolean
has_any_prefix (const char *text, const char *const *prefixes)
{
    for (guint i = 0; prefixes[i] != NULL; i++)
        if (g_str_has_prefix (text, prefixes[i]))
            return TRUE;
    return FALSE;
}

/* In which attribute udev finds the identity; the reverse of what the facts read it from. */
static const char *
identity_attribute (const char *instance, const char *stable_id)
{
    static const char *const wwids[] = {"eui.", "nvme.", "uuid.", "naa.", "t10.", NULL};
    if (g_str_has_prefix (instance, "dm-"))
        return "ATTR{dm/uuid}";
    if (g_str_has_prefix (instance, "md"))
        return "ATTR{md/uuid}";
    if (g_str_has_prefix (instance, "sd") && has_any_prefix (stable_id, wwids))
        return "ATTR{device/wwid}";
    if (has_any_prefix (stable_id, wwids))
        return "ATTR{wwid}";
    return g_uuid_string_is_valid (stable_id) ? "ATTR{uuid}" : "ATTRS{serial}";
}

char *
rf_setting_line_udev (const RfTunable *tunable, const char *instance, const char *stable_id, const RfValue *value)
{
    g_return_val_if_fail (tunable != NULL && instance != NULL && stable_id != NULL && value != NULL, NULL);
    g_autofree char *pattern = udev_pattern (stable_id);
    g_autofree char *text = rf_value_to_text (value);
    const char *names = tunable->instances == RF_INSTANCE_NVME ? " KERNEL==\"nvme*n*\"," : "";
    return g_strdup_printf ("ACTION!=\"remove\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\",%s %s==\"%s\", "
                            "TEST==\"queue/%s\", ATTR{queue/%s}=\"%s\"\n",
                            names, identity_attribute (instance, stable_id), pattern, tunable->path, tunable->path,
                            text);
}
