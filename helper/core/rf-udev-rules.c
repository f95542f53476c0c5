#define G_LOG_DOMAIN "rf-udev-rules"
#include "config.h"

#include "rf-udev-rules.h"

#include <fnmatch.h>
#include <string.h>

#include "rf-conf-files.h"

#define MAX_TOKENS 64

static void
token_free (gpointer data)
{
    RfUdevToken *token = data;
    g_free (token->key);
    g_free (token->attribute);
    g_free (token->value);
    g_free (token);
}

static void
rule_free (gpointer data)
{
    RfUdevRule *rule = data;
    g_free (rule->text);
    g_ptr_array_unref (rule->tokens);
    g_free (rule);
}

/* ---- reading */

static gboolean
parse_op (const char **cursor, RfUdevOp *op)
{
    static const struct {
        const char *text;
        RfUdevOp op;
    } ops[] = {{"==", RF_UDEV_EQUAL},  {"!=", RF_UDEV_NOT_EQUAL}, {"+=", RF_UDEV_ADD},
               {"-=", RF_UDEV_REMOVE}, {":=", RF_UDEV_ASSIGN},    {"=", RF_UDEV_ASSIGN}};
    for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
        if (g_str_has_prefix (*cursor, ops[i].text)) {
            *cursor += strlen (ops[i].text);
            *op = ops[i].op;
            return TRUE;
        }
    return FALSE;
}

/* "…", e"…" with the escapes of C, i"…" that ignores case */
static char *
parse_value (const char **cursor, gboolean *ignore_case)
{
    const char *p = *cursor;
    gboolean escaped = FALSE;
    for (; *p == 'e' || *p == 'i'; p++)
        *(*p == 'e' ? &escaped : ignore_case) = TRUE;
    if (*p != '"')
        return NULL;
    g_autoptr (GString) value = g_string_new (NULL);
    for (p++; *p != '"'; p++) {
        if (*p == '\0')
            return NULL;
        if (*p == '\\' && p[1] == '"' && !escaped) {
            p++;
        } else if (*p == '\\' && p[1] != '\0' && escaped) {
            g_string_append_c (value, *p++);
        }
        g_string_append_c (value, *p);
    }
    *cursor = p + 1;
    return escaped ? g_strcompress (value->str) : g_string_free (g_steal_pointer (&value), FALSE);
}

static const char *
skip (const char *text, const char *characters)
{
    return text + strspn (text, characters);
}

static gboolean
is_key (const char *key)
{
    static const char *const keys[] = {
        "ACTION", "ATTR",     "ATTRS",     "CONST",      "DEVPATH", "DRIVER", "DRIVERS", "ENV",   "GOTO",    "GROUP",
        "IMPORT", "KERNEL",   "KERNELS",   "LABEL",      "MODE",    "NAME",   "OPTIONS", "OWNER", "PROGRAM", "RESULT",
        "RUN",    "SECLABEL", "SUBSYSTEM", "SUBSYSTEMS", "SYMLINK", "SYSCTL", "TAG",     "TAGS",  "TEST",    NULL};
    return g_strv_contains (keys, key);
}

static RfUdevToken *
parse_token (const char **cursor)
{
    const char *p = *cursor;
    gsize length = strcspn (p, " \t={+-!:");
    g_autofree char *key = g_strndup (p, length), *attribute = NULL;
    p += length;
    if (*p == '{') {
        const char *close = strchr (p, '}');
        if (close == NULL)
            return NULL;
        attribute = g_strndup (p + 1, (gsize)(close - p - 1));
        p = close + 1;
    }
    RfUdevOp op = RF_UDEV_EQUAL;
    gboolean ignore_case = FALSE;
    p = skip (p, " \t");
    if (!is_key (key) || !parse_op (&p, &op))
        return NULL;
    p = skip (p, " \t");
    g_autofree char *value = parse_value (&p, &ignore_case);
    if (value == NULL)
        return NULL;
    RfUdevToken *token = g_new0 (RfUdevToken, 1);
    token->key = g_steal_pointer (&key);
    token->attribute = g_steal_pointer (&attribute);
    token->op = op;
    token->value = g_steal_pointer (&value);
    token->ignore_case = ignore_case;
    *cursor = p;
    return token;
}

static RfUdevRule *
parse_rule (const char *text, guint line)
{
    g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func (token_free);
    for (const char *p = skip (text, " \t,"); *p != '\0'; p = skip (p, " \t,")) {
        RfUdevToken *token = parse_token (&p);
        if (token == NULL || tokens->len == MAX_TOKENS) {
            g_clear_pointer (&token, token_free);
            return NULL;
        }
        g_ptr_array_add (tokens, token);
    }
    if (tokens->len == 0)
        return NULL;
    RfUdevRule *rule = g_new0 (RfUdevRule, 1);
    rule->line = line;
    rule->text = rf_conf_quote (text, text + strlen (text));
    rule->tokens = g_steal_pointer (&tokens);
    return rule;
}

GPtrArray *
rf_udev_rules_parse (const char *text, gsize length)
{
    GPtrArray *rules = g_ptr_array_new_with_free_func (rule_free);
    g_autoptr (GString) joined = g_string_new (NULL);
    guint first = 0;
    const char *cursor = text, *start, *stop;
    for (guint number = 1; rf_conf_next_line (&cursor, text + length, &start, &stop); number++) {
        while (start < stop && (*start == ' ' || *start == '\t'))
            start++;
        if (start < stop && *start == '#')
            continue;
        first = joined->len > 0 ? first : number;
        gboolean goes_on = stop > start && stop[-1] == '\\';
        g_string_append_len (joined, start, stop - start - (goes_on ? 1 : 0));
        if (goes_on && cursor < text + length)
            continue;
        RfUdevRule *rule = parse_rule (joined->str, first);
        if (rule != NULL)
            g_ptr_array_add (rules, rule);
        g_string_truncate (joined, 0);
    }
    return rules;
}

char *
rf_udev_token_text (const RfUdevToken *token)
{
    static const char *const ops[] = {"==", "!=", "=", "+=", "-="};
    g_autofree char *text
        = token->attribute != NULL
              ? g_strdup_printf ("%s{%s}%s\"%s\"", token->key, token->attribute, ops[token->op], token->value)
              : g_strdup_printf ("%s%s\"%s\"", token->key, ops[token->op], token->value);
    return rf_conf_quote (text, text + strlen (text));
}

/* ---- judging */

/* alternatives are separated by "|" */
static gboolean
pattern_matches (const RfUdevToken *token, const char *text)
{
    g_auto (GStrv) patterns = g_strsplit (token->value, "|", -1);
    if (patterns[0] == NULL)
        return *text == '\0';
    for (char **pattern = patterns; *pattern != NULL; pattern++)
        if (fnmatch (*pattern, text, token->ignore_case ? FNM_CASEFOLD : 0) == 0)
            return TRUE;
    return FALSE;
}

static RfUdevMatch
judge (const RfUdevToken *token, const char *text)
{
    return pattern_matches (token, text) == (token->op == RF_UDEV_EQUAL) ? RF_UDEV_YES : RF_UDEV_NO;
}

/* At start-up the action is "add"; later events of the same device are "change". */
static RfUdevMatch
judge_action (const RfUdevToken *token)
{
    if (judge (token, "add") == RF_UDEV_YES)
        return RF_UDEV_YES;
    return judge (token, "change") == RF_UDEV_YES ? RF_UDEV_MAYBE : RF_UDEV_NO;
}

static gboolean
has_substitution (const char *text)
{
    return strpbrk (text, "$%[") != NULL;
}

/* what rules set themselves may be another value when the rule is asked */
static gboolean
is_setting (const char *attribute)
{
    return g_str_equal (attribute, "queue/scheduler") || g_str_equal (attribute, "queue/wbt_lat_usec")
           || g_str_has_suffix (attribute, "read_ahead_kb");
}

static gboolean
stays_inside (const char *attribute)
{
    return *attribute != '/' && *attribute != '\0' && strstr (attribute, "..") == NULL;
}

/* The attribute of the device, or of its parents as well. Sets @missing if nobody has it. */
static RfUdevMatch
judge_attribute (const RfUdevDevice *device, const RfUdevToken *token, gboolean parents)
{
    static const char *const levels[] = {"", "device/", "device/device/", "device/device/device/"};
    if (token->attribute == NULL || has_substitution (token->attribute) || !stays_inside (token->attribute)
        || is_setting (token->attribute))
        return RF_UDEV_MAYBE;
    for (gsize i = 0; i < (parents ? G_N_ELEMENTS (levels) : 1); i++) {
        g_autofree char *path = g_strconcat (device->path, "/", levels[i], token->attribute, NULL);
        g_autofree char *text = rf_sysroot_read_line (device->sysroot, path);
        if (text != NULL && judge (token, text) == RF_UDEV_YES)
            return RF_UDEV_YES;
        /* udev leaves blanks at the end alone if the rule has some */
        if (text != NULL && !parents)
            return RF_UDEV_NO;
    }
    return parents ? RF_UDEV_MAYBE : RF_UDEV_NO;
}

static RfUdevMatch
judge_test (const RfUdevDevice *device, const RfUdevToken *token)
{
    if (token->attribute != NULL || has_substitution (token->value) || strstr (token->value, "..") != NULL
        || strpbrk (token->value, "*?") != NULL)
        return RF_UDEV_MAYBE;
    g_autofree char *path
        = token->value[0] == '/' ? g_strdup (token->value + 1) : g_strconcat (device->path, "/", token->value, NULL);
    gboolean there = rf_sysroot_exists (device->sysroot, path);
    return there == (token->op == RF_UDEV_EQUAL) ? RF_UDEV_YES : RF_UDEV_NO;
}

static RfUdevMatch
judge_token (const RfUdevDevice *device, const RfUdevToken *token)
{
    if (token->op != RF_UDEV_EQUAL && token->op != RF_UDEV_NOT_EQUAL) {
        /* these look like assignments, but the rest of the rule depends on them */
        gboolean asks = g_str_equal (token->key, "IMPORT") || g_str_equal (token->key, "PROGRAM");
        return asks ? RF_UDEV_MAYBE : RF_UDEV_YES;
    }
    if (g_str_equal (token->key, "ACTION"))
        return judge_action (token);
    if (g_str_equal (token->key, "KERNEL"))
        return judge (token, device->name);
    if (g_str_equal (token->key, "SUBSYSTEM"))
        return judge (token, device->subsystem);
    if (g_str_equal (token->key, "ENV") && g_strcmp0 (token->attribute, "DEVTYPE") == 0)
        return judge (token, device->devtype != NULL ? device->devtype : "");
    if (g_str_equal (token->key, "TEST"))
        return judge_test (device, token);
    if (g_str_equal (token->key, "ATTR"))
        return judge_attribute (device, token, FALSE);
    if (g_str_equal (token->key, "ATTRS"))
        return judge_attribute (device, token, TRUE);
    /* of the parents the device itself is one */
    if ((g_str_equal (token->key, "KERNELS") && judge (token, device->name) == RF_UDEV_YES)
        || (g_str_equal (token->key, "SUBSYSTEMS") && judge (token, device->subsystem) == RF_UDEV_YES))
        return token->op == RF_UDEV_EQUAL ? RF_UDEV_YES : RF_UDEV_MAYBE;
    return RF_UDEV_MAYBE;
}

static RfUdevMatch
judge_rule (const RfUdevRule *rule, const RfUdevDevice *device, const RfUdevToken **why)
{
    RfUdevMatch result = RF_UDEV_YES;
    for (guint i = 0; i < rule->tokens->len; i++) {
        const RfUdevToken *token = g_ptr_array_index (rule->tokens, i);
        RfUdevMatch one = judge_token (device, token);
        if (one == RF_UDEV_NO)
            return RF_UDEV_NO;
        if (one == RF_UDEV_MAYBE && result == RF_UDEV_YES)
            *why = token;
        result = MIN (result, one);
    }
    return result;
}

static const char *
value_of (const RfUdevRule *rule, const char *key)
{
    for (guint i = 0; i < rule->tokens->len; i++) {
        const RfUdevToken *token = g_ptr_array_index (rule->tokens, i);
        if (g_str_equal (token->key, key) && token->op == RF_UDEV_ASSIGN)
            return token->value;
    }
    return NULL;
}

/* Where the jump of each rule goes on: udev only jumps forward; to a label that is not there it does not jump. From the
 * last rule to the first, so that the nearest label is the one that is known.
 * Returns: (transfer full) (element-type guint) */
static GArray *
find_targets (const GPtrArray *rules)
{
    GArray *targets = g_array_sized_new (FALSE, FALSE, sizeof (guint), rules->len);
    g_autoptr (GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);
    g_array_set_size (targets, rules->len);
    for (guint i = rules->len; i-- > 0;) {
        const RfUdevRule *rule = g_ptr_array_index (rules, i);
        const char *jump = value_of (rule, "GOTO"), *label = value_of (rule, "LABEL");
        guint target = jump != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (labels, jump)) : 0;
        g_array_index (targets, guint, i) = target != 0 ? target : i + 1;
        if (label != NULL)
            g_hash_table_insert (labels, (gpointer)label, GUINT_TO_POINTER (i));
    }
    return targets;
}

void
rf_udev_rules_walk (const GPtrArray *rules, const RfUdevDevice *device, RfUdevVisit visit, gpointer data)
{
    g_return_if_fail (rules != NULL && device != NULL && visit != NULL);
    guint doubtful_until = 0;
    const RfUdevToken *doubt = NULL;
    g_autoptr (GArray) targets = find_targets (rules);
    for (guint i = 0; i < rules->len;) {
        const RfUdevRule *rule = g_ptr_array_index (rules, i);
        const RfUdevToken *why = NULL;
        RfUdevMatch match = judge_rule (rule, device, &why);
        gboolean doubtful = i < doubtful_until;
        if (match == RF_UDEV_YES && doubtful) {
            match = RF_UDEV_MAYBE;
            why = doubt;
        }
        visit (rule, match, why, data);
        guint target = g_array_index (targets, guint, i);
        if (match == RF_UDEV_MAYBE && target > MAX (doubtful_until, i + 1)) {
            doubtful_until = target;
            doubt = why;
        }
        i = match == RF_UDEV_YES ? target : i + 1;
    }
}
