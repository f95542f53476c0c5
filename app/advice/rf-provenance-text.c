#define G_LOG_DOMAIN "rf-provenance-text"
#include "config.h"

#include "rf-provenance-text.h"

#include "rf-tunable-text.h"

#include <string.h>

#include <glib/gi18n.h>

/* For a sentence: "line 3 of /etc/sysctl.d/10-a.conf". */
static char *
place_text (const RfSetter *setter)
{
    if (setter->kind == RF_SETTER_CMDLINE)
        return g_strdup (_ ("the kernel command line"));
    if (setter->path[0] == '\0')
        return g_strdup (_ ("another program"));
    if (setter->line == 0)
        return g_strdup (setter->path);
    /* TRANSLATORS: part of a sentence; %2$s is a file */
    return g_strdup_printf (_ ("line %1$u of %2$s"), setter->line, setter->path);
}

char *
rf_setter_heading (const RfSetter *setter)
{
    if (setter->kind == RF_SETTER_CMDLINE)
        return g_strdup (_ ("Kernel command line"));
    if (setter->path[0] == '\0')
        return g_strdup (_ ("Another program"));
    if (setter->line == 0)
        return g_strdup (setter->path);
    /* TRANSLATORS: stands alone, above the line itself; %1$s is a file */
    return g_strdup_printf (_ ("%1$s, line %2$u"), setter->path, setter->line);
}

char *
rf_setter_line_text (const RfSetter *setter)
{
    if (setter->text != NULL)
        return g_strdup (setter->text);
    if (setter->key != NULL && setter->raw != NULL)
        return g_strdup_printf ("%s = %s", setter->key, setter->raw);
    return NULL;
}

static gboolean
has_quotes (const RfSetter *setter)
{
    return setter->raw != NULL && strpbrk (setter->raw, "\"'") != NULL;
}

static char *
late_text (const RfSetter *setter)
{
    if (setter->kind == RF_SETTER_PROGRAM && setter->why != NULL)
        /* TRANSLATORS: %s is the name of a service */
        return g_strdup_printf (
            _ ("“%s” runs after start-up and may overrule everything. What it sets cannot be read."), setter->why);
    if (setter->kind == RF_SETTER_UDEV && setter->why != NULL)
        /* TRANSLATORS: %s is a condition of a udev rule */
        return g_strdup_printf (_ ("Acts whenever the device changes, so it may overrule everything: %s"), setter->why);
    return g_strdup (_ ("A program runs after start-up and may overrule everything. What it sets cannot be read."));
}

static char *
plain_fate_text (const RfSetter *setter)
{
    switch (setter->fate) {
    case RF_FATE_WINS:
        return g_strdup (_ ("This is what counts."));
    case RF_FATE_LOSES:
        return g_strdup (_ ("Overruled by something else in this list."));
    case RF_FATE_SAME:
        return g_strdup (_ ("Says the same as a file before it, which keeps its place."));
    case RF_FATE_HIDDEN:
        return g_strdup_printf (_ ("Not read: %s has the same name and goes before it."), setter->by);
    case RF_FATE_MASKED:
        return g_strdup_printf (_ ("Switched off by %s."), setter->by);
    case RF_FATE_UNREAD:
        return g_strdup (_ ("Nothing reads this at start-up here."));
    case RF_FATE_REFUSED:
        return g_strdup (has_quotes (setter) ? _ ("The kernel refuses this because of the quotation marks.")
                                             : _ ("The kernel refuses this value."));
    case RF_FATE_EXCLUDED:
        return g_strdup (_ ("Without effect: this setting has a line of its own, and patterns leave it alone."));
    case RF_FATE_EXCLUSION:
        return g_strdup (_ ("Keeps patterns away from this setting and sets nothing itself."));
    case RF_FATE_OTHER_DEVICE:
        return g_strdup (_ ("For other devices."));
    case RF_FATE_MAYBE:
        if (setter->why != NULL)
            /* TRANSLATORS: %s is a condition of a udev rule */
            return g_strdup_printf (_ ("Whether it applies cannot be known from here: %s"), setter->why);
        return g_strdup (_ ("Whether it applies cannot be known from here."));
    case RF_FATE_LATE:
        return late_text (setter);
    case RF_FATE_UNREADABLE:
        return g_strdup (_ ("Cannot be read by this user, so what it sets is not known."));
    case RF_FATE_DEAD:
        return g_strdup (setter->kind == RF_SETTER_CMDLINE ? _ ("Without effect: this kernel does not look at it.")
                                                           : _ ("Switched off by the kernel command line."));
    case RF_FATE_BESIDE:
        return g_strdup (_ ("Does not set this, but has to do with it."));
    case RF_FATE_GONE:
        return g_strdup (_ ("Belongs to the trial and is gone after a restart."));
    case RF_FATE_N_FATES:
    default:
        g_return_val_if_reached (g_strdup (""));
    }
}

char *
rf_setter_fate_text (const RfSetter *setter)
{
    char *text = plain_fate_text (setter);
    if (!setter->ours)
        return text;
    g_autofree char *fate = text;
    /* TRANSLATORS: %s is another sentence */
    return g_strdup_printf (_ ("Written by Ruckelfrei. %s"), fate);
}

/* with its raw form where the words alone do not tell what to search for */
static char *
value_text (const RfProvenance *self, const RfValue *value)
{
    if (value->kind == RF_VALUE_ABSENT)
        return g_strdup (C_ ("provenance", "none"));
    return rf_value_text (self->tunable, value);
}

char *
rf_provenance_live_text (const RfProvenance *self)
{
    return self->has_live ? value_text (self, &self->live) : g_strdup (_ ("not available"));
}

char *
rf_provenance_default_text (const RfProvenance *self)
{
    switch (self->default_kind) {
    case RF_DEFAULT_KNOWN:
        return value_text (self, &self->default_value);
    case RF_DEFAULT_MEMORY:
        return g_strdup (_ ("depends on how much memory there is"));
    case RF_DEFAULT_DEVICE:
        return g_strdup (_ ("not known: the drive or its driver decides"));
    case RF_DEFAULT_NONE:
        return g_strdup (C_ ("provenance", "none"));
    case RF_DEFAULT_BUILD:
    default:
        return g_strdup (_ ("not known for this kernel"));
    }
}

static char *
certain_next_text (const RfProvenance *self)
{
    g_autofree char *value = self->has_next ? value_text (self, &self->next) : NULL;
    if (self->winner == NULL)
        return value != NULL ? g_strdup_printf (_ ("%s, because nothing sets it"), value)
                             : g_strdup (_ ("what the kernel chooses by itself, because nothing sets it"));
    g_autofree char *place = place_text (self->winner);
    if (value == NULL)
        /* TRANSLATORS: %s is a place: a file and a line */
        return g_strdup_printf (_ ("decided by %s; the value cannot be read off there"), place);
    /* TRANSLATORS: %1$s is a value, %2$s a place: a file and a line */
    return g_strdup_printf (_ ("%1$s, from %2$s"), value, place);
}

char *
rf_provenance_next_text (const RfProvenance *self)
{
    char *text = certain_next_text (self);
    if (self->certain)
        return text;
    g_autofree char *sure = text;
    /* TRANSLATORS: %s says which value it will be, if nothing else happens */
    return g_strdup_printf (_ ("%s. Something that cannot be read or judged may overrule that."), sure);
}

/* whether it sets the other member of a pair: other names, but only one of them can be in force */
static gboolean
is_partner (const RfProvenance *self, const RfSetter *setter)
{
    for (guint i = 0; i < self->setters->len; i++) {
        const RfSetter *own = g_ptr_array_index (self->setters, i);
        if (own->ours && self->tunable->kind == RF_VALUE_DIRTY && own->key != NULL && setter->key != NULL)
            return !g_str_equal (own->key, setter->key);
    }
    return FALSE;
}

static char *
overruled_by_winner (const RfProvenance *self, const RfSetter *setter, const char *place)
{
    if (!setter->has_value)
        return g_strdup_printf (_ ("At the next start %s would set this to another value."), place);
    g_autofree char *value = value_text (self, &setter->value);
    if (is_partner (self, setter))
        /* TRANSLATORS: %1$s is a place: a file and a line, %2$s the kernel's name "vm.dirty_bytes", %3$s a value */
        return g_strdup_printf (
            _ ("At the next start %1$s would set %2$s to %3$s. Only one of the two limits can be in "
               "force, so that would switch this one off."),
            place, setter->key, value);
    /* TRANSLATORS: %1$s is a place: a file and a line, %2$s a value */
    return g_strdup_printf (_ ("At the next start %1$s would set this to %2$s."), place, value);
}

static char *
overruled_text (const RfProvenance *self, const RfSetter *setter)
{
    g_autofree char *place = place_text (setter);
    if (setter->fate == RF_FATE_WINS)
        return overruled_by_winner (self, setter, place);
    if (setter->fate == RF_FATE_UNREADABLE)
        return g_strdup_printf (_ ("%s may set this at the next start; this user cannot read it."), place);
    if (!setter->has_value)
        return g_strdup_printf (_ ("%s may set this to another value at the next start or later."), place);
    g_autofree char *value = value_text (self, &setter->value);
    /* TRANSLATORS: %1$s is a place: a file and a line, %2$s a value */
    return g_strdup_printf (_ ("%1$s may set this to %2$s at the next start or later."), place, value);
}

char *
rf_provenance_overrule_text (const RfProvenance *self)
{
    g_autoptr (GPtrArray) list = rf_provenance_overruling (self);
    g_autoptr (GString) out = g_string_new (NULL);
    for (guint i = 0; i < list->len; i++) {
        g_autofree char *sentence = overruled_text (self, g_ptr_array_index (list, i));
        g_string_append_printf (out, "%s%s", i > 0 ? "\n" : "", sentence);
    }
    return out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}
