#define G_LOG_DOMAIN "rf-phases"
#include "config.h"

#include "rf-phases.h"

#include <string.h>

#include <glib/gi18n.h>

static const struct {
    const char *nick;
    const char *title;
    const char *explanation;
} kinds[] = {
    [RF_PHASE_WARM_UP] = {"warm-up", N_ ("Warm-up"), N_ ("Programs start and load; free memory falls quickly.")},
    [RF_PHASE_BUILD_UP] = {"build-up", N_ ("Build-up"), N_ ("The page cache grows into what is still free.")},
    [RF_PHASE_EQUILIBRIUM]
    = {"equilibrium", N_ ("Equilibrium"), N_ ("Memory is full; what comes in and what is cleared are in balance.")},
    [RF_PHASE_WHOLE] = {"whole", N_ ("Whole recording"), N_ ("From its beginning to its end.")},
};

const char *
rf_phase_nick (RfPhaseKind kind)
{
    g_return_val_if_fail ((guint)kind < G_N_ELEMENTS (kinds), NULL);
    return kinds[kind].nick;
}

gboolean
rf_phase_from_nick (const char *nick, RfPhaseKind *kind)
{
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (g_str_equal (kinds[i].nick, nick)) {
            *kind = i;
            return TRUE;
        }
    return FALSE;
}

const char *
rf_phase_title (RfPhaseKind kind)
{
    g_return_val_if_fail ((guint)kind < G_N_ELEMENTS (kinds), NULL);
    return _ (kinds[kind].title);
}

const char *
rf_phase_explanation (RfPhaseKind kind)
{
    g_return_val_if_fail ((guint)kind < G_N_ELEMENTS (kinds), NULL);
    return _ (kinds[kind].explanation);
}

gboolean
rf_phases_any (const RfPhases *self)
{
    for (guint i = 0; i < RF_N_PHASES; i++)
        if (self->found[i])
            return TRUE;
    return FALSE;
}

RfPhaseKind
rf_phases_at (const RfPhases *self, gint64 time_ns)
{
    for (guint i = 0; i < RF_N_PHASES; i++)
        if (self->found[i] && time_ns >= self->start_ns[i] && time_ns < self->end_ns[i])
            return i;
    return RF_PHASE_WHOLE;
}

gboolean
rf_phases_set (RfPhases *self, RfPhaseKind kind, gint64 start_ns, gint64 end_ns)
{
    g_return_val_if_fail ((guint)kind < RF_N_PHASES, FALSE);
    if (start_ns >= end_ns)
        return FALSE;
    for (guint i = 0; i < RF_N_PHASES; i++)
        if (self->found[i] && ((i < kind && self->start_ns[i] > start_ns) || (i > kind && self->end_ns[i] < end_ns)))
            return FALSE;
    for (guint i = 0; i < RF_N_PHASES; i++) {
        if (i < kind)
            self->end_ns[i] = MIN (self->end_ns[i], start_ns);
        else if (i > kind)
            self->start_ns[i] = MAX (self->start_ns[i], end_ns);
        self->found[i] = self->found[i] && self->start_ns[i] < self->end_ns[i];
    }
    self->found[kind] = TRUE;
    self->start_ns[kind] = start_ns;
    self->end_ns[kind] = end_ns;
    self->adjusted = TRUE;
    return TRUE;
}

gboolean
rf_phases_range (const RfPhases *self, const RfRecording *recording, RfPhaseKind kind, gint64 *start_ns, gint64 *end_ns)
{
    if (kind == RF_PHASE_WHOLE) {
        if (!rf_recording_span (recording, start_ns, end_ns) || *end_ns == G_MAXINT64)
            return FALSE;
        (*end_ns)++; /* the last moment belongs to it */
        return TRUE;
    }
    if (!self->found[kind])
        return FALSE;
    *start_ns = self->start_ns[kind];
    *end_ns = self->end_ns[kind];
    return TRUE;
}

char *
rf_phases_to_text (const RfPhases *self, RfPhaseKind kind)
{
    g_return_val_if_fail ((guint)kind < RF_N_PHASES, NULL);
    if (!self->found[kind])
        return NULL;
    return g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, self->start_ns[kind], self->end_ns[kind]);
}

static gboolean
parse_range (const char *text, gint64 *start_ns, gint64 *end_ns)
{
    g_auto (GStrv) parts = NULL;
    if (strlen (text) > 64) /* two numbers are never that long */
        return FALSE;
    parts = g_strsplit (text, " ", 3);
    return g_strv_length (parts) == 2 && g_ascii_string_to_signed (parts[0], 10, 0, G_MAXINT64, start_ns, NULL)
           && g_ascii_string_to_signed (parts[1], 10, 0, G_MAXINT64, end_ns, NULL) && *start_ns < *end_ns;
}

gboolean
rf_phases_from_text (RfPhases *self, const char *key, const char *text)
{
    RfPhaseKind kind;
    gint64 start_ns, end_ns;
    if (g_str_equal (key, "adjusted")) {
        if (!g_str_equal (text, "true") && !g_str_equal (text, "false"))
            return FALSE;
        self->adjusted = g_str_equal (text, "true");
        return TRUE;
    }
    if (!rf_phase_from_nick (key, &kind) || kind == RF_PHASE_WHOLE || !parse_range (text, &start_ns, &end_ns))
        return FALSE;
    for (guint i = 0; i < RF_N_PHASES; i++)
        if (self->found[i] && i != kind && (i < kind ? self->end_ns[i] > start_ns : self->start_ns[i] < end_ns))
            return FALSE;
    self->found[kind] = TRUE;
    self->start_ns[kind] = start_ns;
    self->end_ns[kind] = end_ns;
    return TRUE;
}
