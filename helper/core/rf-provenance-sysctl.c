#define G_LOG_DOMAIN "rf-provenance-sysctl"
#include "config.h"

#include "rf-provenance-private.h"

#include <fnmatch.h>
#include <string.h>

/* One name or pattern as systemd-sysctl keeps it: a name that is set anew moves to the end, unless it says the same. */
typedef struct {
    const char *key;
    const char *value; /* NULL: an exclusion */
    gboolean glob;
    RfSetter *setter;
} Option;

static gboolean
concerns (const RfQuestion *self, const char *key, gboolean glob)
{
    for (char **wanted = self->keys; *wanted != NULL; wanted++)
        if (glob ? fnmatch (key, *wanted, FNM_PATHNAME | FNM_PERIOD) == 0 : g_str_equal (key, *wanted))
            return TRUE;
    return FALSE;
}

/* The new entries stand at the end of self->setters until they are applied; then they get the order of that. */
static void
put (GArray *options, const Option *new)
{
    for (guint i = 0; i < options->len; i++) {
        Option *old = &g_array_index (options, Option, i);
        if (!g_str_equal (old->key, new->key))
            continue;
        if (g_strcmp0 (old->value, new->value) == 0) {
            new->setter->fate = RF_FATE_SAME;
            return;
        }
        old->setter->fate = RF_FATE_LOSES;
        g_array_remove_index (options, i);
        break;
    }
    g_array_append_val (options, *new);
}

static void
add_line (RfQuestion *self, const RfSysctlLine *line, GArray *options)
{
    static const RfSetterFate fates[] = {
        [RF_SYSCTL_COUNTS] = RF_FATE_ACTS,   [RF_SYSCTL_BROKEN] = RF_FATE_REFUSED, [RF_SYSCTL_HIDDEN] = RF_FATE_HIDDEN,
        [RF_SYSCTL_MASKED] = RF_FATE_MASKED, [RF_SYSCTL_UNREAD] = RF_FATE_UNREAD,
    };
    RfSetter *setter = rf_question_add (self, RF_SETTER_SYSCTL, fates[line->state], line->file, line->line, line->text);
    setter->raw = line->value != NULL ? rf_conf_quote (line->value, line->value + strlen (line->value)) : NULL;
    if (!line->glob)
        setter->key = g_strdelimit (g_strdup (line->key), "/", '.');
    if (line->state == RF_SYSCTL_COUNTS) {
        Option new = {line->key, line->value, line->glob, setter};
        put (options, &new);
    }
}

/* as the helper would write it: only the active member of a pair */
static void
add_planned (RfQuestion *self, GArray *options, char **key, char **value)
{
    if (self->planned == NULL)
        return;
    const char *suffix = "";
    if (self->planned->kind == RF_VALUE_DIRTY)
        suffix = self->planned->n[1] == RF_DIRTY_BYTES ? "_bytes" : "_ratio";
    *key = g_strconcat (self->tunable->path + strlen ("proc/sys/"), suffix, NULL);
    *value = self->planned->kind == RF_VALUE_DIRTY ? g_strdup_printf ("%" G_GINT64_FORMAT, self->planned->n[0])
                                                   : rf_value_to_text (self->planned);
    RfSetter *setter = rf_question_add (self, RF_SETTER_SYSCTL, RF_FATE_ACTS, NULL, 0, NULL);
    g_free (setter->path);
    setter->path = g_strdup ("/etc/sysctl.d/" RF_OWN_SYSCTL);
    setter->ours = TRUE;
    setter->raw = g_strdup (*value);
    setter->key = g_strdelimit (g_strdup (*key), "/", '.');
    Option new = {*key, *value, FALSE, setter};
    put (options, &new);
}

static gboolean
has_own_line (const GArray *options, const char *key)
{
    for (guint i = 0; i < options->len; i++) {
        const Option *option = &g_array_index (options, Option, i);
        if (!option->glob && g_str_equal (option->key, key))
            return TRUE;
    }
    return FALSE;
}

static void
apply (RfQuestion *self, const Option *option, const GArray *options)
{
    gboolean acted = FALSE;
    if (option->value == NULL) {
        option->setter->fate = RF_FATE_EXCLUSION;
        return;
    }
    for (char **key = self->keys; *key != NULL; key++) {
        if (option->glob ? fnmatch (option->key, *key, FNM_PATHNAME | FNM_PERIOD) != 0 || has_own_line (options, *key)
                         : !g_str_equal (option->key, *key))
            continue;
        rf_question_set_value (self, option->setter, *key, option->value);
        acted = TRUE;
    }
    if (!acted)
        option->setter->fate = RF_FATE_EXCLUDED;
}

/* What acts goes behind what does not, in the order in which it is applied, so that the last one wins. */
static void
apply_all (RfQuestion *self, GArray *options)
{
    for (guint i = 0; i < options->len; i++) {
        const Option *option = &g_array_index (options, Option, i);
        apply (self, option, options);
        guint at = 0;
        if (g_ptr_array_find (self->setters, option->setter, &at))
            g_ptr_array_add (self->setters, g_ptr_array_steal_index (self->setters, at));
    }
}

void
rf_provenance_sysctl (RfQuestion *self)
{
    if (self->keys[0] == NULL)
        return;
    const GPtrArray *lines = self->sources->sysctl->lines;
    g_autoptr (GArray) options = g_array_new (FALSE, FALSE, sizeof (Option));
    g_autofree char *key = NULL, *value = NULL;
    rf_question_add_unreadable (self, RF_SETTER_SYSCTL, self->sources->sysctl->files);
    for (guint i = 0; i < lines->len; i++) {
        const RfSysctlLine *line = g_ptr_array_index (lines, i);
        const char *name = rf_conf_base_name (line->file);
        if (key == NULL && (strcmp (name, RF_OWN_SYSCTL) >= 0 || line->state == RF_SYSCTL_UNREAD))
            add_planned (self, options, &key, &value);
        if (self->planned != NULL && g_str_equal (name, RF_OWN_SYSCTL))
            continue;
        if (line->key != NULL && concerns (self, line->key, line->glob))
            add_line (self, line, options);
    }
    if (key == NULL)
        add_planned (self, options, &key, &value);
    apply_all (self, options);
}
