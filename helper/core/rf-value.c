#define G_LOG_DOMAIN "rf-value"
#include "config.h"

#include "rf-value.h"
#include "rf-error.h"
#include "rf-text.h"

#include <string.h>

static const char *const dirty_modes[] = {"ratio", "bytes"};

static gboolean
set_token (RfValue *value, const char *token)
{
    gsize length = token != NULL ? strlen (token) : 0;
    if (length == 0 || length >= RF_TOKEN_MAX)
        return FALSE;
    for (gsize i = 0; i < length; i++)
        if (!g_ascii_islower (token[i]) && !g_ascii_isdigit (token[i]) && token[i] != '-' && token[i] != '_')
            return FALSE;
    memcpy (value->token, token, length + 1);
    return TRUE;
}

static gboolean
parse_mode (const char *text, gint64 *mode)
{
    for (gsize i = 0; i < G_N_ELEMENTS (dirty_modes); i++)
        if (g_str_equal (text, dirty_modes[i])) {
            *mode = (gint64)i;
            return TRUE;
        }
    return FALSE;
}

RfValue
rf_value_absent (void)
{
    return (RfValue){.kind = RF_VALUE_ABSENT};
}

RfValue
rf_value_int (gint64 number)
{
    return (RfValue){.kind = RF_VALUE_INT, .n = {number}};
}

RfValue
rf_value_choice (const char *token)
{
    RfValue value = {.kind = RF_VALUE_CHOICE};
    return set_token (&value, token) ? value : rf_value_absent ();
}

RfValue
rf_value_dirty (RfDirtyMode mode, gint64 amount)
{
    return (RfValue){.kind = RF_VALUE_DIRTY, .n = {amount, mode}};
}

RfValue
rf_value_vector (gint64 a, gint64 b, gint64 c)
{
    return (RfValue){.kind = RF_VALUE_VECTOR, .n = {a, b, c}};
}

RfValue
rf_value_zram (gint64 size_bytes, const char *algorithm, gint64 priority)
{
    RfValue value = {.kind = RF_VALUE_ZRAM, .n = {size_bytes, priority}};
    return set_token (&value, algorithm) ? value : rf_value_absent ();
}

gboolean
rf_value_equal (const RfValue *a, const RfValue *b)
{
    return a->kind == b->kind && memcmp (a->n, b->n, sizeof a->n) == 0 && g_str_equal (a->token, b->token);
}

char *
rf_value_to_text (const RfValue *value)
{
    switch (value->kind) {
    case RF_VALUE_INT:
        return g_strdup_printf ("%" G_GINT64_FORMAT, value->n[0]);
    case RF_VALUE_CHOICE:
        return g_strdup (value->token);
    case RF_VALUE_DIRTY:
        return g_strdup_printf ("%s:%" G_GINT64_FORMAT, dirty_modes[value->n[1] != 0], value->n[0]);
    case RF_VALUE_VECTOR:
        return g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, value->n[0], value->n[1],
                                value->n[2]);
    case RF_VALUE_ZRAM:
        return g_strdup_printf ("%" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT, value->n[0], value->token, value->n[1]);
    case RF_VALUE_ABSENT:
    default:
        return g_strdup ("absent");
    }
}

static gboolean
parse_text (RfValueKind kind, const char *text, RfValue *value)
{
    g_auto (GStrv) words = NULL;
    value->kind = kind;
    switch (kind) {
    case RF_VALUE_ABSENT:
        return g_str_equal (text, "absent");
    case RF_VALUE_INT:
        return rf_text_to_int64 (text, &value->n[0]);
    case RF_VALUE_CHOICE:
        return set_token (value, text);
    case RF_VALUE_DIRTY:
        words = g_strsplit (text, ":", 3);
        return g_strv_length (words) == 2 && parse_mode (words[0], &value->n[1])
               && rf_text_to_int64 (words[1], &value->n[0]);
    case RF_VALUE_VECTOR:
        words = g_strsplit (text, " ", 4);
        return g_strv_length (words) == 3 && rf_text_to_int64 (words[0], &value->n[0])
               && rf_text_to_int64 (words[1], &value->n[1]) && rf_text_to_int64 (words[2], &value->n[2]);
    case RF_VALUE_ZRAM:
        words = g_strsplit (text, " ", 4);
        return g_strv_length (words) == 3 && rf_text_to_int64 (words[0], &value->n[0]) && set_token (value, words[1])
               && rf_text_to_int64 (words[2], &value->n[1]);
    default:
        return FALSE;
    }
}

gboolean
rf_value_from_text (RfValueKind kind, const char *text, RfValue *out, GError **error)
{
    g_return_val_if_fail (text != NULL && out != NULL, FALSE);
    RfValue value = {0};
    if (kind == RF_VALUE_ZRAM && g_str_equal (text, "absent"))
        kind = RF_VALUE_ABSENT;
    /* long input is cut in the message: it may be hostile */
    if (!parse_text (kind, text, &value)) {
        g_autofree char *safe = g_strescape (text, NULL);
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%.60s' is not a value of this kind", safe);
        return FALSE;
    }
    *out = value;
    return TRUE;
}

GVariant *
rf_value_to_variant (const RfValue *value)
{
    switch (value->kind) {
    case RF_VALUE_INT:
        return g_variant_new_int64 (value->n[0]);
    case RF_VALUE_CHOICE:
        return g_variant_new_string (value->token);
    case RF_VALUE_DIRTY:
        return g_variant_new ("(sx)", dirty_modes[value->n[1] != 0], value->n[0]);
    case RF_VALUE_VECTOR:
        return g_variant_new ("(xxx)", value->n[0], value->n[1], value->n[2]);
    case RF_VALUE_ZRAM:
        return g_variant_new ("(xsx)", value->n[0], value->token, value->n[1]);
    case RF_VALUE_ABSENT:
    default:
        return g_variant_new_string ("absent");
    }
}

static gboolean
parse_variant (RfValueKind kind, GVariant *variant, RfValue *value)
{
    static const char *const types[] = {"s", "x", "s", "(sx)", "(xxx)", "(xsx)"};
    const char *word = NULL;
    value->kind = kind;
    if ((guint)kind >= G_N_ELEMENTS (types) || !g_variant_is_of_type (variant, G_VARIANT_TYPE (types[kind])))
        return FALSE;
    switch (kind) {
    case RF_VALUE_ABSENT:
        return g_str_equal (g_variant_get_string (variant, NULL), "absent");
    case RF_VALUE_INT:
        value->n[0] = g_variant_get_int64 (variant);
        return TRUE;
    case RF_VALUE_CHOICE:
        return set_token (value, g_variant_get_string (variant, NULL));
    case RF_VALUE_DIRTY:
        g_variant_get (variant, "(&sx)", &word, &value->n[0]);
        return parse_mode (word, &value->n[1]);
    case RF_VALUE_VECTOR:
        g_variant_get (variant, "(xxx)", &value->n[0], &value->n[1], &value->n[2]);
        return TRUE;
    case RF_VALUE_ZRAM:
        g_variant_get (variant, "(x&sx)", &value->n[0], &word, &value->n[1]);
        return set_token (value, word);
    default:
        return FALSE;
    }
}

gboolean
rf_value_from_variant (RfValueKind kind, GVariant *variant, RfValue *out, GError **error)
{
    g_return_val_if_fail (variant != NULL && out != NULL, FALSE);
    RfValue value = {0};
    if (!parse_variant (kind, variant, &value)) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "a value has the wrong type or form ('%s')",
                     g_variant_get_type_string (variant));
        return FALSE;
    }
    *out = value;
    return TRUE;
}
