#define G_LOG_DOMAIN "rf-ctl-provenance"
#include "config.h"

#include "rf-ctl.h"
#include "rf-provenance-text.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

static void
print_setter (const RfSetter *setter)
{
    g_autofree char *place = rf_setter_heading (setter);
    g_autofree char *line = rf_setter_line_text (setter);
    g_autofree char *fate = rf_setter_fate_text (setter);
    g_autofree char *item = g_strdup_printf ("• %s", place);
    rf_ctl_print (4, item);
    if (setter->target != NULL) {
        g_autofree char *target = g_strdup_printf ("→ %s", setter->target);
        rf_ctl_print (6, target);
    }
    if (line != NULL)
        rf_ctl_print (6, line);
    rf_ctl_print (6, fate);
}

/* @all: also what is for other devices, which in a list of everything is only noise */
static void
print_answer (RfCtl *ctl, const RfProvenance *answer, gboolean all)
{
    g_autofree char *title = rf_setting_title (answer->tunable, answer->instance, ctl->facts);
    g_autofree char *kernel
        = rf_setting_kernel_text (answer->tunable, answer->instance, answer->has_live ? &answer->live : NULL, NULL);
    g_autofree char *now = rf_provenance_live_text (answer);
    g_autofree char *own = rf_provenance_default_text (answer);
    g_autofree char *next = rf_provenance_next_text (answer);
    guint n = 0;
    rf_ctl_print (0, title);
    rf_ctl_pair (_ ("Kernel name"), kernel);
    rf_ctl_pair (_ ("Now"), now);
    rf_ctl_pair (_ ("The kernel’s own"), own);
    rf_ctl_pair (_ ("At the next start"), next);
    for (guint i = 0; i < answer->setters->len; i++) {
        const RfSetter *setter = g_ptr_array_index (answer->setters, i);
        if (!all && setter->fate == RF_FATE_OTHER_DEVICE)
            continue;
        if (n++ == 0)
            rf_ctl_print (2, _ ("In the order in which they act:"));
        print_setter (setter);
    }
}

static void
json_setter (RfJson *json, const RfSetter *setter)
{
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "kind", rf_setter_kind_nick (setter->kind));
    rf_json_string (json, "fate", rf_setter_fate_nick (setter->fate));
    rf_json_string (json, "path", setter->path[0] != '\0' ? setter->path : NULL);
    rf_json_string (json, "target", setter->target);
    if (setter->line != 0)
        rf_json_uint (json, "line", setter->line);
    else
        rf_json_null (json, "line");
    rf_json_string (json, "text", setter->text);
    rf_json_string (json, "key", setter->key);
    rf_json_string (json, "raw", setter->raw);
    if (setter->has_value)
        rf_ctl_json_value (json, "value", &setter->value);
    else
        rf_json_null (json, "value");
    rf_json_bool (json, "ours", setter->ours);
    rf_json_string (json, "hidden_by", setter->by);
    rf_json_string (json, "condition", setter->why);
    rf_json_end_object (json);
}

static void
json_value (RfJson *json, const char *key, gboolean known, const RfValue *value)
{
    if (known)
        rf_ctl_json_value (json, key, value);
    else
        rf_json_null (json, key);
}

static void
json_answer (RfJson *json, const RfProvenance *answer)
{
    static const char *const next_boot[] = {"set", "kernel", "unknown"};
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "id", answer->tunable->id);
    rf_json_string (json, "instance", *answer->instance != '\0' ? answer->instance : NULL);
    json_value (json, "now", answer->has_live, &answer->live);
    rf_json_string (json, "now_reason", answer->live_reason);
    rf_json_string (json, "default_kind", rf_default_kind_nick (answer->default_kind));
    json_value (json, "default", answer->default_kind == RF_DEFAULT_KNOWN, &answer->default_value);
    rf_json_string (json, "next_boot", next_boot[answer->next_boot]);
    json_value (json, "next", answer->has_next, &answer->next);
    rf_json_bool (json, "certain", answer->certain);
    rf_json_begin_array (json, "setters");
    for (guint i = 0; i < answer->setters->len; i++)
        json_setter (json, g_ptr_array_index (answer->setters, i));
    rf_json_end_array (json);
    rf_json_end_object (json);
}

/* What is asked for; NULL with a message where that does not exist. */
static GPtrArray *
ask (RfCtl *ctl, const RfProvenanceSources *sources, const RfTunable *only, const char *only_instance)
{
    gsize n;
    const RfTunable *list = rf_tunable_list (&n);
    GPtrArray *answers = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_provenance_free);
    for (gsize i = 0; i < n; i++) {
        if (only != NULL && only != &list[i])
            continue;
        g_auto (GStrv) instances = rf_catalogue_instances (&list[i], ctl->facts);
        for (char **instance = instances; *instance != NULL; instance++)
            if (only_instance == NULL || g_str_equal (only_instance, *instance))
                g_ptr_array_add (answers, rf_provenance_find (sources, &list[i], *instance, NULL));
    }
    return answers;
}

static void
print_all (RfCtl *ctl, const GPtrArray *answers, gboolean all)
{
    for (guint i = 0; i < answers->len; i++) {
        if (i > 0)
            g_print ("\n");
        print_answer (ctl, g_ptr_array_index (answers, i), all);
    }
    if (answers->len == 0)
        rf_ctl_print (0, _ ("This machine has nothing that this setting could act on."));
}

RfExit
rf_ctl_provenance (RfCtl *ctl)
{
    const RfTunable *only = ctl->n_args > 0 ? rf_tunable_find (ctl->args[0]) : NULL;
    const char *instance = ctl->n_args > 1 ? ctl->args[1] : NULL;
    if (ctl->n_args > 0 && only == NULL)
        return rf_ctl_usage (ctl, _ ("No setting is called “%s”. “ruckelfreictl list” names them."), ctl->args[0]);
    rf_ctl_look (ctl);
    g_autoptr (RfProvenanceSources) sources = rf_provenance_sources_read (ctl->sysroot, ctl->facts);
    g_autoptr (GPtrArray) answers = ask (ctl, sources, only, instance);
    if (instance != NULL && answers->len == 0)
        return rf_ctl_usage (ctl, _ ("%s has no “%s” here."), only->id, instance);
    if (!ctl->json) {
        print_all (ctl, answers, only != NULL);
        return RF_EXIT_OK;
    }
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_array (json, NULL);
    for (guint i = 0; i < answers->len; i++)
        json_answer (json, g_ptr_array_index (answers, i));
    rf_json_end_array (json);
    rf_ctl_print_json (json);
    return RF_EXIT_OK;
}
