#define G_LOG_DOMAIN "rf-provenance-udev"
#include "config.h"

#include "rf-provenance-private.h"

#include <string.h>

#include "rf-udev-rules.h"

typedef struct {
    RfQuestion *question;
    const RfConfFile *file;
    gboolean sysctl; /* looks for SYSCTL{}, for any device, else for ATTR{} of the one */
} Walk;

static gboolean
sets_attribute (const RfQuestion *self, const RfUdevToken *token)
{
    return g_str_equal (token->key, "ATTR") && token->attribute != NULL && token->op != RF_UDEV_EQUAL
           && token->op != RF_UDEV_NOT_EQUAL
           && g_strv_contains ((const char *const *)self->attributes, token->attribute);
}

static gboolean
sets_sysctl (const RfQuestion *self, const RfUdevToken *token)
{
    if (!g_str_equal (token->key, "SYSCTL") || token->attribute == NULL || token->op == RF_UDEV_EQUAL
        || token->op == RF_UDEV_NOT_EQUAL)
        return FALSE;
    g_autofree char *key = rf_sysctl_key_normalize (token->attribute);
    return g_strv_contains ((const char *const *)self->keys, key);
}

/* a program that the rule starts, and that names the setting: what it does cannot be read off */
static gboolean
runs_for (const RfQuestion *self, const RfUdevToken *token)
{
    if (!g_str_equal (token->key, "RUN") || token->op == RF_UDEV_EQUAL || token->op == RF_UDEV_NOT_EQUAL)
        return FALSE;
    for (char **name = self->attributes; *name != NULL; name++)
        if (strstr (token->value, *name) != NULL)
            return TRUE;
    for (char **key = self->keys; *key != NULL; key++) {
        g_autofree char *dotted = g_strdelimit (g_strdup (*key), "/", '.');
        if (strstr (token->value, *key) != NULL || strstr (token->value, dotted) != NULL)
            return TRUE;
    }
    return FALSE;
}

static RfSetterFate
fate_of (const Walk *walk, RfUdevMatch match, const RfUdevToken *why)
{
    if (walk->file->state == RF_CONF_HIDDEN)
        return RF_FATE_HIDDEN;
    if (walk->file->state == RF_CONF_MASKED)
        return RF_FATE_MASKED;
    if (match == RF_UDEV_NO)
        return RF_FATE_OTHER_DEVICE;
    if (g_str_equal (rf_conf_base_name (walk->file), RF_OWN_TRIAL))
        return RF_FATE_GONE;
    if (match == RF_UDEV_YES)
        return RF_FATE_ACTS;
    return why != NULL && g_str_equal (why->key, "ACTION") ? RF_FATE_LATE : RF_FATE_MAYBE;
}

static void
visit_cb (const RfUdevRule *rule, RfUdevMatch match, const RfUdevToken *why, gpointer data)
{
    const Walk *walk = data;
    RfQuestion *self = walk->question;
    for (guint i = 0; i < rule->tokens->len; i++) {
        const RfUdevToken *token = g_ptr_array_index (rule->tokens, i);
        gboolean runs = runs_for (self, token);
        if (!runs && !(walk->sysctl ? sets_sysctl (self, token) : sets_attribute (self, token)))
            continue;
        RfSetterFate fate = fate_of (walk, match, why);
        if (runs && fate == RF_FATE_ACTS)
            fate = RF_FATE_LATE;
        RfSetter *setter = rf_question_add (self, RF_SETTER_UDEV, fate, walk->file, rule->line, rule->text);
        setter->why = why != NULL && match == RF_UDEV_MAYBE ? rf_udev_token_text (why) : NULL;
        if (runs || strpbrk (token->value, "$%") != NULL)
            continue;
        g_autofree char *key = rf_sysctl_key_normalize (token->attribute);
        rf_question_set_value (self, setter, walk->sysctl ? key : token->attribute, token->value);
    }
}

static void
walk_attribute (RfQuestion *self, const RfConfFile *file, const GPtrArray *rules)
{
    gboolean bdi = g_str_equal (self->attributes[0], "read_ahead_kb");
    RfUdevDevice device
        = {self->sources->sysroot, self->device_path, self->instance, bdi ? "bdi" : "block", bdi ? NULL : "disk"};
    Walk walk = {self, file, FALSE};
    rf_udev_rules_walk (rules, &device, visit_cb, &walk);
}

typedef struct {
    Walk *walk;
    GHashTable *best;    /* rule → RfUdevMatch + 1 */
    GHashTable *reasons; /* rule → the token that cannot be judged */
} AnyDevice;

static void
collect_cb (const RfUdevRule *rule, RfUdevMatch match, const RfUdevToken *why, gpointer data)
{
    const AnyDevice *any = data;
    int known = GPOINTER_TO_INT (g_hash_table_lookup (any->best, rule));
    if ((int)match + 1 <= known)
        return;
    g_hash_table_insert (any->best, (gpointer)rule, GINT_TO_POINTER ((int)match + 1));
    g_hash_table_insert (any->reasons, (gpointer)rule, (gpointer)why);
}

static const RfUdevToken *
first_condition (const RfUdevRule *rule)
{
    const RfUdevToken *kernel = NULL;
    for (guint i = 0; i < rule->tokens->len; i++) {
        const RfUdevToken *token = g_ptr_array_index (rule->tokens, i);
        if (token->op != RF_UDEV_EQUAL && token->op != RF_UDEV_NOT_EQUAL)
            continue;
        if (g_str_equal (token->key, "ACTION") && !g_str_equal (token->value, "add") && token->op == RF_UDEV_EQUAL
            && strstr (token->value, "add") == NULL && strchr (token->value, '*') == NULL)
            return token;
        if (kernel == NULL || g_str_equal (token->key, "KERNEL"))
            kernel = token;
    }
    return kernel;
}

/* SYSCTL{} stands in a rule for some device; that device may come at any time, so "no" is only "not now". */
static void
walk_sysctl (RfQuestion *self, const RfConfFile *file, const GPtrArray *rules)
{
    g_auto (GStrv) names = rf_sysroot_list (self->sources->sysroot, "sys/block");
    Walk walk = {self, file, TRUE};
    AnyDevice any = {&walk, g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL)};
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *path = g_strconcat ("sys/block/", *name, NULL);
        RfUdevDevice device = {self->sources->sysroot, path, *name, "block", "disk"};
        rf_udev_rules_walk (rules, &device, collect_cb, &any);
    }
    for (guint i = 0; i < rules->len; i++) {
        const RfUdevRule *rule = g_ptr_array_index (rules, i);
        RfUdevMatch match
            = GPOINTER_TO_INT (g_hash_table_lookup (any.best, rule)) - 1 == RF_UDEV_YES ? RF_UDEV_YES : RF_UDEV_MAYBE;
        const RfUdevToken *why = g_hash_table_lookup (any.reasons, rule);
        visit_cb (rule, match, match == RF_UDEV_MAYBE && why == NULL ? first_condition (rule) : why, &walk);
    }
    g_hash_table_unref (any.best);
    g_hash_table_unref (any.reasons);
}

/* Most files have nothing to do with it; judging every rule for every device would take a second. */
static gboolean
mentions (const RfQuestion *self, const RfConfFile *file)
{
    char **names = self->attributes[0] != NULL ? self->attributes : self->keys;
    for (; *names != NULL; names++) {
        const char *slash = strrchr (*names, '/');
        if (strstr (file->text, slash != NULL ? slash + 1 : *names) != NULL)
            return TRUE;
    }
    return FALSE;
}

static void
add_planned (RfQuestion *self)
{
    RfSetter *setter = rf_question_add (self, RF_SETTER_UDEV, RF_FATE_ACTS, NULL, 0, NULL);
    g_autofree char *value = rf_value_to_text (self->planned);
    g_free (setter->path);
    setter->path = g_strdup ("/etc/udev/rules.d/" RF_OWN_RULES);
    setter->ours = TRUE;
    rf_question_set_value (self, setter, self->attributes[0], value);
}

void
rf_provenance_udev (RfQuestion *self)
{
    gboolean queue = self->attributes[0] != NULL;
    gboolean planned = queue && self->planned != NULL;
    if (!queue && self->keys[0] == NULL)
        return;
    rf_question_add_unreadable (self, RF_SETTER_UDEV, self->sources->rules);
    for (guint i = 0; i < self->sources->rules->len; i++) {
        const RfConfFile *file = g_ptr_array_index (self->sources->rules, i);
        const GPtrArray *rules = g_ptr_array_index (self->sources->parsed_rules, i);
        int order = strcmp (rf_conf_base_name (file), RF_OWN_RULES);
        if (planned && order >= 0) {
            add_planned (self);
            planned = FALSE;
        }
        if (file->text == NULL || !mentions (self, file) || (queue && self->planned != NULL && order == 0))
            continue;
        if (queue)
            walk_attribute (self, file, rules);
        else
            walk_sysctl (self, file, rules);
    }
    if (planned)
        add_planned (self);
}
