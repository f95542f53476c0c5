#define G_LOG_DOMAIN "rf-ctl-plan"
#include "config.h"

#include "rf-ctl.h"
#include "rf-error.h"
#include "rf-text.h"
#include "rf-tunable-text.h"

#include <string.h>

#include <glib/gi18n.h>

/* two columns, so that the longest verdict still fits into 80 */
#define NAME_COLUMNS 28
#define VALUE_COLUMNS 24

/* "5%", "256MiB", "256M" beside the canonical "ratio:5" and "bytes:268435456". */
static gboolean
parse_dirty (const char *text, RfValue *out)
{
    static const struct {
        const char *suffix;
        RfDirtyMode mode;
        guint shift;
    } forms[] = {
        {"%", RF_DIRTY_RATIO, 0},    {"KiB", RF_DIRTY_BYTES, 10}, {"MiB", RF_DIRTY_BYTES, 20},
        {"GiB", RF_DIRTY_BYTES, 30}, {"K", RF_DIRTY_BYTES, 10},   {"M", RF_DIRTY_BYTES, 20},
        {"G", RF_DIRTY_BYTES, 30},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (forms); i++) {
        if (!g_str_has_suffix (text, forms[i].suffix))
            continue;
        g_autofree char *digits = g_strndup (text, strlen (text) - strlen (forms[i].suffix));
        guint64 number = 0;
        if (!rf_text_to_uint64 (digits, &number) || number > (guint64)(G_MAXINT64 >> forms[i].shift))
            return FALSE;
        *out = rf_value_dirty (forms[i].mode, (gint64)(number << forms[i].shift));
        return TRUE;
    }
    return FALSE;
}

static gboolean
parse_value (const RfTunable *tunable, const char *text, RfValue *out, GError **error)
{
    g_autofree char *spaced = NULL;
    if (tunable->kind == RF_VALUE_DIRTY && parse_dirty (text, out))
        return TRUE;
    if (tunable->kind == RF_VALUE_VECTOR || tunable->kind == RF_VALUE_ZRAM) {
        spaced = g_strdelimit (g_strdup (text), ",", ' ');
        text = spaced;
    }
    if (rf_value_from_text (tunable->kind, text, out, NULL) && out->kind != RF_VALUE_ABSENT)
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_INVALID,
                 _ ("“%s” is not a value for %s. “ruckelfreictl explain %s” tells more."), text, tunable->id,
                 tunable->id);
    return FALSE;
}

/* The one instance if there is only one; otherwise a person has to say which. */
static char *
choose_instance (RfCtl *ctl, const RfTunable *tunable, const char *given, GError **error)
{
    g_auto (GStrv) instances = rf_catalogue_instances (tunable, ctl->facts);
    if (given != NULL)
        return g_strdup (given);
    if (g_strv_length (instances) == 1)
        return g_strdup (instances[0]);
    g_autofree char *list = g_strjoinv (", ", instances);
    if (instances[0] == NULL)
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "'%s' has nothing to act on here", tunable->id);
    else
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, _ ("Which one? Write %s@%s=VALUE. Possible: %s"), tunable->id,
                     instances[0], list);
    return NULL;
}

gboolean
rf_ctl_parse_assignment (RfCtl *ctl, const char *text, RfPlanBuilder *builder, GError **error)
{
    const char *equals = strchr (text, '=');
    g_return_val_if_fail (equals != NULL, FALSE);
    g_autofree char *name = g_strndup (text, (gsize)(equals - text));
    char *at = strchr (name, '@');
    if (at != NULL)
        *at = '\0';
    const RfTunable *tunable = rf_tunable_find (name);
    if (tunable == NULL) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN,
                     _ ("No setting is called “%s”. “ruckelfreictl list” names them."), name);
        return FALSE;
    }
    RfValue value;
    g_autofree char *instance = choose_instance (ctl, tunable, at != NULL ? at + 1 : NULL, error);
    if (instance == NULL || !parse_value (tunable, equals + 1, &value, error))
        return FALSE;
    rf_plan_builder_set (builder, tunable, instance, &value);
    return TRUE;
}

static void
add_recommended (RfCtl *ctl, RfPreset preset, RfPlanBuilder *builder)
{
    g_autoptr (GPtrArray) rows = rf_ctl_recommend (ctl, preset);
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = g_ptr_array_index (rows, i);
        if (row->has_proposed && row->verdict == RF_VERDICT_RECOMMENDED)
            rf_plan_builder_set (builder, row->tunable, row->instance, &row->proposed);
    }
}

RfPlan *
rf_ctl_make_plan (RfCtl *ctl, GError **error)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    gboolean has_preset = FALSE, has_assignment = FALSE;
    rf_ctl_look (ctl);
    for (guint i = 0; i < ctl->n_args; i++) {
        RfPreset preset;
        if (strchr (ctl->args[i], '=') != NULL) {
            has_assignment = TRUE;
            if (!rf_ctl_parse_assignment (ctl, ctl->args[i], builder, error))
                return NULL;
        } else if (i == 0 && rf_preset_from_nick (ctl->args[i], &preset)) {
            has_preset = TRUE;
            add_recommended (ctl, preset, builder);
        } else {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, _ ("“%s” is neither a preset nor of the form ID=VALUE."),
                         ctl->args[i]);
            return NULL;
        }
    }
    if (!has_preset && !has_assignment)
        add_recommended (ctl, RF_PRESET_MACHINE, builder);
    if (rf_plan_builder_length (builder) == 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_STATE, "nothing to change");
        return NULL;
    }
    return rf_plan_builder_finish (builder, error);
}

static void
print_row (RfCtl *ctl, const RfRecommendation *row)
{
    g_autofree char *reason = rf_recommendation_reason (row);
    g_autofree char *cost = rf_recommendation_cost (row);
    g_autofree char *doubt = rf_recommendation_doubt (row);
    g_autofree char *verdict = g_strdup_printf ("[%s] %s", rf_verdict_text (row->verdict), reason);
    rf_ctl_print_change (ctl, row->tunable, row->instance, row->has_current ? &row->current : NULL, &row->proposed);
    rf_ctl_print (4, verdict);
    if (cost != NULL) {
        g_autofree char *text = g_strdup_printf (_ ("Cost: %s"), cost);
        rf_ctl_print (4, text);
    }
    if (doubt != NULL) {
        g_autofree char *text = g_strdup_printf (_ ("Doubt: %s"), doubt);
        rf_ctl_print (4, text);
    }
}

/* Where the system's configuration keeps settings, the lines for it. The arguments of "plan" are such of "apply", too. */
static void
print_configuration (RfCtl *ctl)
{
    RfStateInput input = {0};
    g_autoptr (RfPlan) plan = rf_ctl_make_plan (ctl, NULL);
    rf_state_look (&input, NULL, ctl->sysroot, ctl->facts);
    input.plan = plan;
    g_autoptr (RfStateInfo) info = rf_state_get (RF_STATE_IMMUTABLE, &input);
    if (info != NULL && plan != NULL)
        rf_ctl_print_state (0, info);
}

static void
print_plan (RfCtl *ctl, RfPreset preset, GPtrArray *rows)
{
    guint ticked = 0, offered = 0;
    rf_ctl_print (0, rf_preset_title (preset));
    rf_ctl_print (0, rf_preset_explanation (preset));
    for (guint pass = 0; pass < 2; pass++)
        for (guint i = 0; i < rows->len; i++) {
            const RfRecommendation *row = g_ptr_array_index (rows, i);
            gboolean is_ticked = row->verdict == RF_VERDICT_RECOMMENDED;
            if (!row->has_proposed || is_ticked != (pass == 0))
                continue;
            if (pass == 0 && ticked++ == 0)
                rf_ctl_heading (_ ("Would be applied:"));
            if (pass == 1 && offered++ == 0)
                rf_ctl_heading (_ ("Offered, but applied only if you name it:"));
            if ((pass == 0 ? ticked : offered) > 1)
                g_print ("\n");
            print_row (ctl, row);
        }
    g_print ("\n");
    if (ticked == 0 && offered == 0)
        rf_ctl_print (0, _ ("There is nothing to change here."));
    else if (ticked == 0)
        rf_ctl_print (0, _ ("Nothing is proposed for sure; what is offered is yours to decide."));
    print_configuration (ctl);
    rf_ctl_print (0, _ ("Nothing has been changed."));
}

RfExit
rf_ctl_plan (RfCtl *ctl)
{
    RfPreset preset = RF_PRESET_MACHINE;
    if (ctl->n_args == 1 && !rf_preset_from_nick (ctl->args[0], &preset))
        return rf_ctl_usage (ctl, _ ("“%s” is not a preset: machine, case-study or audio."), ctl->args[0]);
    g_autoptr (GPtrArray) rows = rf_ctl_recommend (ctl, preset);
    if (!ctl->json) {
        print_plan (ctl, preset, rows);
        return RF_EXIT_OK;
    }
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "preset", rf_preset_nick (preset));
    rf_json_begin_array (json, "rows");
    for (guint i = 0; i < rows->len; i++)
        rf_ctl_json_row (json, g_ptr_array_index (rows, i));
    rf_json_end_array (json);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
    return RF_EXIT_OK;
}

static RfExit
list_json (RfCtl *ctl, GPtrArray *rows)
{
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_array (json, NULL);
    for (guint i = 0; i < rows->len; i++)
        rf_ctl_json_row (json, g_ptr_array_index (rows, i));
    rf_json_end_array (json);
    rf_ctl_print_json (json);
    return RF_EXIT_OK;
}

RfExit
rf_ctl_list_settings (RfCtl *ctl)
{
    g_autoptr (GPtrArray) rows = rf_ctl_recommend (ctl, RF_PRESET_MACHINE);
    guint last = RF_N_GROUPS;
    if (ctl->json)
        return list_json (ctl, rows);
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = g_ptr_array_index (rows, i);
        if (row->tunable->group != last)
            rf_ctl_heading (rf_group_title (row->tunable->group));
        last = row->tunable->group;
        g_autofree char *name = *row->instance != '\0' ? g_strdup_printf ("%s@%s", row->tunable->id, row->instance)
                                                       : g_strdup (row->tunable->id);
        g_autofree char *value
            = row->has_current ? rf_value_text (row->tunable, &row->current) : g_strdup (_ ("not available"));
        g_autofree char *padded_name = rf_ctl_pad (name, NAME_COLUMNS, FALSE);
        g_autofree char *padded_value = rf_ctl_pad (value, VALUE_COLUMNS, FALSE);
        g_autofree char *line = g_strdup_printf ("%s %s %s", padded_name, padded_value, rf_verdict_text (row->verdict));
        g_strchomp (line);
        g_print ("  %s\n", line);
    }
    return RF_EXIT_OK;
}

static char *
range_text (RfCtl *ctl, const RfTunable *tunable)
{
    gint64 min = 0, max = 0;
    if (tunable->kind == RF_VALUE_CHOICE)
        return NULL;
    rf_catalogue_range (tunable, ctl->facts, RF_DIRTY_RATIO, &min, &max);
    RfValue low = rf_value_int (min), high = rf_value_int (max);
    if (tunable->kind == RF_VALUE_DIRTY) {
        low = rf_value_dirty (RF_DIRTY_RATIO, min);
        high = rf_value_dirty (RF_DIRTY_RATIO, max);
    }
    g_autofree char *from = rf_value_text (tunable, &low);
    g_autofree char *to = rf_value_text (tunable, &high);
    g_autofree char *words = g_strdup_printf (_ ("%s to %s"), from, to);
    if (tunable->unit == RF_UNIT_NONE)
        return g_steal_pointer (&words);
    return g_strdup_printf ("%s (%" G_GINT64_FORMAT "–%" G_GINT64_FORMAT ")", words, min, max);
}

static void
explain_row (RfCtl *ctl, const RfRecommendation *row)
{
    g_autofree char *kernel
        = rf_tunable_kernel_name (row->tunable, row->instance, row->has_current ? &row->current : NULL);
    g_autofree char *now
        = row->has_current ? rf_value_text (row->tunable, &row->current) : g_strdup (_ ("not available"));
    g_autofree char *reason = rf_recommendation_reason (row);
    g_autofree char *cost = rf_recommendation_cost (row);
    g_autofree char *doubt = rf_recommendation_doubt (row);
    const char *const *choices = rf_current_set_choices (ctl->current, row->tunable, row->instance);
    g_print ("\n");
    rf_ctl_pair (_ ("Kernel name"), kernel);
    rf_ctl_pair (_ ("Now"), now);
    if (row->has_proposed) {
        g_autofree char *proposed = rf_value_text (row->tunable, &row->proposed);
        rf_ctl_pair (_ ("Proposed"), proposed);
    }
    if (choices != NULL) {
        g_autofree char *list = g_strjoinv (", ", (char **)choices);
        rf_ctl_pair (_ ("Possible"), list);
    }
    rf_ctl_pair (_ ("Verdict"), rf_verdict_text (row->verdict));
    rf_ctl_pair (_ ("Reason"), reason);
    if (cost != NULL)
        rf_ctl_pair (C_ ("advice", "Cost"), cost);
    if (doubt != NULL)
        rf_ctl_pair (C_ ("advice", "Doubt"), doubt);
}

static void
explain_json (RfCtl *ctl, const RfTunable *tunable, GPtrArray *rows)
{
    gint64 min = 0, max = 0;
    g_autoptr (RfJson) json = rf_json_new ();
    rf_catalogue_range (tunable, ctl->facts, RF_DIRTY_RATIO, &min, &max);
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "id", tunable->id);
    rf_json_string (json, "group", rf_group_nick (tunable->group));
    if (tunable->kind == RF_VALUE_CHOICE) {
        rf_json_null (json, "min");
        rf_json_null (json, "max");
    } else {
        rf_json_int (json, "min", min);
        rf_json_int (json, "max", max);
    }
    rf_json_begin_array (json, "rows");
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = g_ptr_array_index (rows, i);
        if (row->tunable == tunable)
            rf_ctl_json_row (json, row);
    }
    rf_json_end_array (json);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
}

RfExit
rf_ctl_explain (RfCtl *ctl)
{
    const RfTunable *tunable = rf_tunable_find (ctl->args[0]);
    if (tunable == NULL)
        return rf_ctl_usage (ctl, _ ("No setting is called “%s”. “ruckelfreictl list” names them."), ctl->args[0]);
    g_autoptr (GPtrArray) rows = rf_ctl_recommend (ctl, RF_PRESET_MACHINE);
    if (ctl->json) {
        explain_json (ctl, tunable, rows);
        return RF_EXIT_OK;
    }
    g_autofree char *range = range_text (ctl, tunable);
    rf_ctl_print (0, rf_tunable_title (tunable));
    rf_ctl_print (0, rf_tunable_explanation (tunable));
    if (range != NULL) {
        g_print ("\n");
        rf_ctl_pair (_ ("Sane range here"), range);
    }
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = g_ptr_array_index (rows, i);
        if (row->tunable == tunable)
            explain_row (ctl, row);
    }
    return RF_EXIT_OK;
}
