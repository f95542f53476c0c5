#define G_LOG_DOMAIN "rf-provenance"
#include "config.h"

#include "rf-provenance-private.h"

#include <string.h>

#include "rf-current.h"
#include "rf-text.h"
#include "rf-udev-rules.h"

static void
setter_free (gpointer data)
{
    RfSetter *self = data;
    g_free (self->path);
    g_free (self->target);
    g_free (self->text);
    g_free (self->key);
    g_free (self->raw);
    g_free (self->by);
    g_free (self->why);
    g_free (self);
}

void
rf_provenance_free (RfProvenance *self)
{
    g_free (self->instance);
    g_free (self->live_reason);
    g_ptr_array_unref (self->setters);
    g_free (self);
}

/* ---- the sources */

RfProvenanceSources *
rf_provenance_sources_read (RfSysroot *sysroot, RfFacts *facts)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && facts != NULL, NULL);
    RfProvenanceSources *self = g_new0 (RfProvenanceSources, 1);
    self->sysroot = g_object_ref (sysroot);
    self->facts = rf_facts_ref (facts);
    self->sysctl = rf_sysctl_files_read (sysroot);
    self->rules = rf_conf_files_read (sysroot, "udev/rules.d", ".rules");
    self->parsed_rules = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < self->rules->len; i++) {
        const RfConfFile *file = g_ptr_array_index (self->rules, i);
        g_ptr_array_add (self->parsed_rules, rf_udev_rules_parse (file->text != NULL ? file->text : "", file->length));
    }
    self->tmpfiles = rf_conf_files_read (sysroot, "tmpfiles.d", ".conf");
    self->tuned = rf_provenance_read_tuned (sysroot, &self->tuned_reapplies);
    self->zram = rf_provenance_read_zram (sysroot);
    self->cmdline = rf_sysroot_read_line (sysroot, "proc/cmdline");
    if (self->cmdline == NULL)
        self->cmdline = g_strdup ("");
    return self;
}

void
rf_provenance_sources_free (RfProvenanceSources *self)
{
    rf_sysctl_files_free (self->sysctl);
    g_ptr_array_unref (self->rules);
    g_ptr_array_unref (self->parsed_rules);
    g_ptr_array_unref (self->tmpfiles);
    g_ptr_array_unref (self->tuned);
    g_ptr_array_unref (self->zram);
    g_free (self->cmdline);
    rf_facts_unref (self->facts);
    g_object_unref (self->sysroot);
    g_free (self);
}

const char *
rf_conf_base_name (const RfConfFile *file)
{
    const char *slash = strrchr (file->path, '/');
    return slash != NULL ? slash + 1 : file->path;
}

/* ---- the entries */

static gboolean
is_ours (const RfConfFile *file)
{
    static const char *const names[] = {RF_OWN_SYSCTL, RF_OWN_RULES, RF_OWN_TRIAL, RF_OWN_ZRAM, NULL};
    return g_strv_contains (names, rf_conf_base_name (file));
}

RfSetter *
rf_question_add (RfQuestion *self, RfSetterKind kind, RfSetterFate fate, const RfConfFile *file, guint line,
                 const char *text)
{
    RfSetter *setter = g_new0 (RfSetter, 1);
    setter->kind = kind;
    setter->fate = fate;
    setter->line = line;
    setter->text = text != NULL ? rf_conf_quote (text, text + strlen (text)) : NULL;
    setter->value = rf_value_absent ();
    if (file != NULL) {
        g_autofree char *path = g_strconcat ("/", file->path, NULL);
        setter->path = rf_text_printable (path);
        g_autofree char *target = g_strconcat ("/", file->target, NULL);
        setter->target = file->target != NULL ? rf_text_printable (target) : NULL;
        g_autofree char *by = g_strconcat ("/", file->hidden_by, NULL);
        setter->by = file->hidden_by != NULL ? rf_text_printable (by) : NULL;
        setter->ours = is_ours (file);
    } else {
        setter->path = g_strdup (kind == RF_SETTER_CMDLINE ? "/proc/cmdline" : "");
    }
    g_ptr_array_add (self->setters, setter);
    return setter;
}

void
rf_question_add_unreadable (RfQuestion *self, RfSetterKind kind, const GPtrArray *files)
{
    for (guint i = 0; i < files->len; i++) {
        const RfConfFile *file = g_ptr_array_index (files, i);
        if (file->state == RF_CONF_UNREADABLE)
            rf_question_add (self, kind, RF_FATE_UNREADABLE, file, 0, NULL);
    }
}

/* What the kernel refuses beyond "no number": mm/, kernel/sysctl.c; tried on 6.18. */
static gboolean
sysctl_takes (const RfQuestion *self, const char *name, gint64 number)
{
    const char *id = self->tunable->id;
    if (g_str_equal (id, "vm.swappiness"))
        return number >= 0 && number <= (self->sources->facts->kernel < RF_KERNEL (5, 8) ? 100 : 200);
    if (g_str_equal (id, "vm.watermark_scale_factor"))
        return number >= 1 && number <= 3000;
    if (g_str_equal (id, "vm.page-cluster"))
        return number >= 0 && number <= 31;
    if (g_str_has_suffix (name, "_ratio"))
        return number >= 0 && number <= 100;
    if (g_str_has_suffix (name, "_bytes"))
        return number >= 1;
    return number >= 0 || !g_str_has_prefix (id, "vm.") || g_str_equal (id, "vm.dirty_writeback_centisecs");
}

static gboolean
parse_vector (const char *raw, RfSetter *setter)
{
    g_auto (GStrv) words = g_strsplit_set (raw, " \t", -1);
    gint64 fields[3] = {0};
    guint n = 0;
    for (char **word = words; *word != NULL && n < G_N_ELEMENTS (fields); word++) {
        if (**word == '\0')
            continue;
        if (!rf_sysctl_number (*word, &fields[n++]))
            return FALSE;
    }
    /* of fewer than three the others stay as they are */
    setter->has_value = n == G_N_ELEMENTS (fields);
    if (setter->has_value)
        setter->value = rf_value_vector (fields[0], fields[1], fields[2]);
    return n > 0;
}

/* elevator names are matched whole, but "deadline" is an alias: block/mq-deadline.c */
static gboolean
parse_choice (const RfQuestion *self, const char *raw, RfSetter *setter)
{
    g_autofree char *word = g_strstrip (g_strdup (raw));
    const char *name = g_str_equal (word, "deadline") ? "mq-deadline" : word;
    if (self->choices != NULL && !g_strv_contains ((const char *const *)self->choices, name))
        return FALSE;
    setter->value = rf_value_choice (name);
    setter->has_value = setter->value.kind == RF_VALUE_CHOICE;
    return setter->has_value;
}

static gboolean
parse_value (const RfQuestion *self, const char *name, const char *raw, RfSetter *setter)
{
    gint64 number;
    switch (self->tunable->kind) {
    case RF_VALUE_VECTOR:
        return parse_vector (raw, setter);
    case RF_VALUE_CHOICE:
        return parse_choice (self, raw, setter);
    case RF_VALUE_DIRTY:
        if (!rf_sysctl_number (raw, &number) || !sysctl_takes (self, name, number))
            return FALSE;
        setter->value = rf_value_dirty (g_str_has_suffix (name, "_bytes") ? RF_DIRTY_BYTES : RF_DIRTY_RATIO, number);
        setter->has_value = TRUE;
        return TRUE;
    case RF_VALUE_INT:
        if (self->tunable->backend == RF_BACKEND_SYSCTL
                ? !rf_sysctl_number (raw, &number) || !sysctl_takes (self, name, number)
                : !rf_text_to_int64 (raw, &number))
            return FALSE;
        setter->value = rf_value_int (number);
        /* -1 means "the kernel's own" to WBT */
        setter->has_value = self->tunable->backend == RF_BACKEND_SYSCTL || number >= 0;
        return TRUE;
    case RF_VALUE_ABSENT:
    case RF_VALUE_ZRAM:
    default:
        return TRUE;
    }
}

void
rf_question_set_value (RfQuestion *self, RfSetter *setter, const char *name, const char *raw)
{
    g_free (setter->raw);
    g_free (setter->key);
    setter->raw = rf_conf_quote (raw, raw + strlen (raw));
    setter->key = rf_conf_quote (name, name + strlen (name));
    if (self->tunable->backend == RF_BACKEND_SYSCTL)
        g_strdelimit (setter->key, "/", '.');
    if (!parse_value (self, name, raw, setter) && (setter->fate == RF_FATE_ACTS || setter->fate == RF_FATE_LATE))
        setter->fate = RF_FATE_REFUSED;
}

/* ---- the answer */

static void
name_sysctl (RfQuestion *self)
{
    g_autoptr (GStrvBuilder) keys = g_strv_builder_new (), paths = g_strv_builder_new ();
    static const char *const plain[] = {"", NULL}, *const pair[] = {"_bytes", "_ratio", NULL};
    const char *const *suffixes = self->tunable->kind == RF_VALUE_DIRTY ? pair : plain;
    for (; *suffixes != NULL; suffixes++) {
        g_autofree char *key = g_strconcat (self->tunable->path + strlen ("proc/sys/"), *suffixes, NULL);
        g_autofree char *path = g_strconcat ("/proc/sys/", key, NULL);
        g_strv_builder_add (keys, key);
        g_strv_builder_add (paths, path);
    }
    self->keys = g_strv_builder_end (keys);
    self->paths = g_strv_builder_end (paths);
}

static void
name_queue (RfQuestion *self)
{
    g_autoptr (GStrvBuilder) names = g_strv_builder_new (), paths = g_strv_builder_new ();
    g_autofree char *queue = g_strconcat ("queue/", self->tunable->path, NULL);
    gboolean disk = rf_facts_find_disk (self->sources->facts, self->instance) != NULL;
    g_strv_builder_add (names, disk ? queue : self->tunable->path);
    if (disk && g_str_equal (self->tunable->path, "read_ahead_kb"))
        g_strv_builder_add (names, "bdi/read_ahead_kb");
    self->attributes = g_strv_builder_end (names);
    self->device_path = g_strconcat (disk ? "sys/block/" : "sys/class/bdi/", self->instance, NULL);
    static const char *const folders[]
        = {"/sys/block/", "/sys/class/block/", "/sys/class/bdi/", "/sys/devices/virtual/bdi/"};
    for (char **name = self->attributes; *name != NULL; name++)
        for (guint i = disk ? 0 : 2; i < (disk ? 2 : G_N_ELEMENTS (folders)); i++) {
            g_autofree char *path = g_strconcat (folders[i], self->instance, "/", *name, NULL);
            g_strv_builder_add (paths, path);
        }
    self->paths = g_strv_builder_end (paths);
    self->choices = rf_current_choices (self->sources->sysroot, self->tunable, self->instance);
}

/* whether a file that cannot be read comes behind the entry that would win */
static gboolean
comes_behind (const RfSetter *unread, const RfSetter *winner)
{
    const char *name = strrchr (unread->path, '/'), *other = winner != NULL ? strrchr (winner->path, '/') : NULL;
    if (winner == NULL || name == NULL || other == NULL || unread->kind != winner->kind)
        return winner == NULL || unread->kind > winner->kind;
    return strchr (name, '.') == NULL || g_str_has_suffix (name, ".d") || strcmp (name, other) > 0;
}

/* What may still overrule the one that acts at @index; -1: there is none. */
static gboolean
may_overrule (const RfProvenance *self, guint i, const RfSetter *acting, gint index)
{
    const RfSetter *setter = g_ptr_array_index (self->setters, i);
    return setter->fate == RF_FATE_LATE || (setter->fate == RF_FATE_MAYBE && (gint)i > index)
           || (setter->fate == RF_FATE_UNREADABLE && comes_behind (setter, acting));
}

static void
settle (RfProvenance *self)
{
    RfSetter *winner = NULL;
    gint index = -1;
    for (guint i = 0; i < self->setters->len; i++) {
        RfSetter *setter = g_ptr_array_index (self->setters, i);
        if (setter->fate != RF_FATE_ACTS)
            continue;
        if (winner != NULL)
            winner->fate = RF_FATE_LOSES;
        winner = setter;
        index = (gint)i;
    }
    self->winner = winner;
    self->certain = TRUE;
    for (guint i = 0; i < self->setters->len; i++)
        self->certain = self->certain && !may_overrule (self, i, winner, index);
    self->next_boot = winner == NULL ? RF_NEXT_DEFAULT : winner->has_value ? RF_NEXT_VALUE : RF_NEXT_UNKNOWN;
    self->has_next = winner != NULL ? winner->has_value
                                    : self->default_kind == RF_DEFAULT_KNOWN || self->default_kind == RF_DEFAULT_NONE;
    self->next = winner != NULL ? winner->value : self->default_value;
}

RfProvenance *
rf_provenance_find (const RfProvenanceSources *self, const RfTunable *tunable, const char *instance,
                    const RfValue *planned)
{
    g_return_val_if_fail (self != NULL && tunable != NULL && instance != NULL, NULL);
    RfProvenance *answer = g_new0 (RfProvenance, 1);
    g_autoptr (GError) error = NULL;
    answer->tunable = tunable;
    answer->instance = g_strdup (instance);
    answer->setters = g_ptr_array_new_with_free_func (setter_free);
    answer->has_live = rf_current_read (self->sysroot, self->facts, tunable, instance, &answer->live, &error);
    answer->live_reason = error != NULL ? g_strdup (error->message) : NULL;
    rf_provenance_default (self->facts, tunable, instance, &answer->default_kind, &answer->default_value);
    RfQuestion question
        = {self, tunable, instance, tunable->backend != RF_BACKEND_ZRAM ? planned : NULL, .setters = answer->setters};
    if (tunable->backend == RF_BACKEND_SYSCTL)
        name_sysctl (&question);
    else if (tunable->backend == RF_BACKEND_QUEUE)
        name_queue (&question);
    question.keys = question.keys != NULL ? question.keys : g_new0 (char *, 1);
    question.attributes = question.attributes != NULL ? question.attributes : g_new0 (char *, 1);
    question.paths = question.paths != NULL ? question.paths : g_new0 (char *, 1);
    rf_provenance_cmdline (&question);
    rf_provenance_sysctl (&question);
    rf_provenance_udev (&question);
    rf_provenance_tmpfiles (&question);
    rf_provenance_tuned (&question);
    rf_provenance_zram (&question);
    rf_provenance_late (&question);
    settle (answer);
    g_strfreev (question.keys);
    g_strfreev (question.attributes);
    g_strfreev (question.paths);
    g_strfreev (question.choices);
    g_free (question.device_path);
    return answer;
}

GPtrArray *
rf_provenance_overruling (const RfProvenance *self)
{
    g_return_val_if_fail (self != NULL, NULL);
    GPtrArray *found = g_ptr_array_new ();
    const RfSetter *own = NULL;
    gint index = -1;
    for (guint i = 0; i < self->setters->len; i++) {
        const RfSetter *setter = g_ptr_array_index (self->setters, i);
        if (setter->ours
            && (setter->fate == RF_FATE_WINS || setter->fate == RF_FATE_LOSES || setter->fate == RF_FATE_SAME)) {
            own = setter;
            index = (gint)i;
        }
    }
    if (own == NULL)
        return found;
    gboolean same = own->has_value && self->has_next && rf_value_equal (&own->value, &self->next);
    if (self->winner != own && self->winner != NULL && !same)
        g_ptr_array_add (found, (gpointer)self->winner);
    for (guint i = 0; i < self->setters->len; i++)
        if (may_overrule (self, i, own, index))
            g_ptr_array_add (found, g_ptr_array_index (self->setters, i));
    return found;
}

const char *
rf_setter_kind_nick (RfSetterKind kind)
{
    static const char *const nicks[]
        = {"command-line", "sysctl", "udev", "tmpfiles", "tuned", "zram-generator", "program"};
    G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_SETTER_N_KINDS);
    g_return_val_if_fail ((guint)kind < RF_SETTER_N_KINDS, "program");
    return nicks[kind];
}

const char *
rf_setter_fate_nick (RfSetterFate fate)
{
    static const char *const nicks[]
        = {"wins",      "loses",        "same",  "hidden", "masked",     "unread", "refused", "excluded",
           "exclusion", "other-device", "maybe", "late",   "unreadable", "dead",   "beside",  "gone"};
    G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_FATE_N_FATES);
    g_return_val_if_fail ((guint)fate < RF_FATE_N_FATES, "maybe");
    return nicks[fate];
}

const char *
rf_default_kind_nick (RfDefaultKind kind)
{
    static const char *const nicks[] = {"known", "depends-on-memory", "depends-on-device", "not-known", "none"};
    g_return_val_if_fail ((guint)kind < G_N_ELEMENTS (nicks), "not-known");
    return nicks[kind];
}
