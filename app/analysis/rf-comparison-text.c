/* A comparison in words. */
#define G_LOG_DOMAIN "rf-comparison-text"
#include "config.h"

#include "rf-comparison.h"

#include <math.h>

#include <glib/gi18n.h>

const char *
rf_outcome_nick (RfOutcome outcome)
{
    static const char *const nicks[] = {"better", "worse", "changed", "same", "not-comparable"};
    G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_N_OUTCOMES);
    g_return_val_if_fail ((guint)outcome < RF_N_OUTCOMES, NULL);
    return nicks[outcome];
}

const char *
rf_outcome_text (RfOutcome outcome)
{
    static const char *const texts[] = {
        NC_ ("comparison", "better"),  NC_ ("comparison", "worse"),
        NC_ ("comparison", "changed"), NC_ ("comparison", "no measurable difference"),
        NC_ ("comparison", "not comparable"),
    };
    G_STATIC_ASSERT (G_N_ELEMENTS (texts) == RF_N_OUTCOMES);
    g_return_val_if_fail ((guint)outcome < RF_N_OUTCOMES, NULL);
    return g_dpgettext2 (NULL, "comparison", texts[outcome]);
}

const char *
rf_unlike_nick (RfUnlike unlike)
{
    static const char *const nicks[] = {
        "",       "same-recording", "empty",   "not-trusted", "phase", "workload", "machine",
        "kernel", "settings",       "missing", "tiles",       "short", "single",
    };
    G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_N_UNLIKE);
    g_return_val_if_fail ((guint)unlike < RF_N_UNLIKE, NULL);
    return nicks[unlike];
}

/* quoted, or that nobody has said what it is */
static char *
named (const char *text)
{
    return *text != '\0' ? g_strdup_printf (_ ("“%s”"), text) : g_strdup (_ ("not stated"));
}

char *
rf_unlike_text (const RfUnlikeDetail *detail)
{
    g_autofree char *before = named (detail->before);
    g_autofree char *after = named (detail->after);
    switch (detail->unlike) {
    case RF_UNLIKE_SAME_RECORDING:
        return g_strdup_printf (_ ("The recording %s stands there twice."), before);
    case RF_UNLIKE_EMPTY:
        if (*detail->before == '\0')
            return g_strdup (_ ("One side has no recording."));
        return g_strdup_printf (_ ("The recording %s is empty."), before);
    case RF_UNLIKE_UNTRUSTED:
        return g_strdup_printf (_ ("The recording %s did not pass its own check."), before);
    case RF_UNLIKE_PHASE:
        return g_strdup_printf (_ ("The recording %s does not have this phase."), before);
    case RF_UNLIKE_WORKLOAD:
        return g_strdup_printf (_ ("Something else ran: %s and %s."), before, after);
    case RF_UNLIKE_MACHINE:
        return g_strdup_printf (_ ("They are of different machines: %s and %s."), before, after);
    case RF_UNLIKE_KERNEL:
        return g_strdup_printf (_ ("The kernels differ: %s and %s."), before, after);
    case RF_UNLIKE_SETTINGS:
        if (*detail->after == '\0')
            return g_strdup_printf (_ ("Settings were changed during the recording %s."), before);
        return g_strdup_printf (_ ("The recordings %s and %s stand on one side and have different settings."), before,
                                after);
    case RF_UNLIKE_MISSING:
        return g_strdup (_ ("It is not available on both sides."));
    case RF_UNLIKE_TILES:
        return g_strdup (_ ("Too few tiles were loaded in both."));
    case RF_UNLIKE_SHORT:
        return g_strdup (_ ("The recordings are too short for how slowly this changes."));
    case RF_UNLIKE_SINGLE:
        return g_strdup (_ ("One number from each side proves nothing; several recordings would."));
    case RF_UNLIKE_NOT:
    case RF_N_UNLIKE:
    default:
        return g_strdup ("");
    }
}

char *
rf_comparison_row_title (const RfComparisonRow *row)
{
    if (*row->subject == '\0')
        return g_strdup (rf_metric_title (row->metric));
    /* TRANSLATORS: a measured quantity and what it is of: "Write latency, mean (nvme0n1)" */
    return g_strdup_printf (_ ("%s (%s)"), rf_metric_title (row->metric), row->subject);
}

/* "−43", "+8", "0"; @factor is after by before */
static char *
percent_number (double factor)
{
    double percent = (factor - 1) * 100;
    int digits = fabs (percent) < 9.95 ? 1 : 0;
    if (fabs (percent) < 0.05)
        return g_strdup ("0");
    return g_strdup_printf ("%s%'.*f", percent < 0 ? "−" : "+", digits, fabs (percent));
}

/* more than threefold is easier to read as a factor than as per cent */
static gboolean
is_large (double factor)
{
    return factor >= 3;
}

static char *
factor_number (double factor)
{
    return g_strdup_printf ("%'.*f", factor < 10 ? 1 : 0, factor);
}

static char *
signed_value (const RfComparisonRow *row, double value)
{
    g_autofree char *text = rf_metric_value_text (row->metric, fabs (value), row->per_hour);
    return value == 0 ? g_steal_pointer (&text) : g_strdup_printf ("%s%s", value < 0 ? "−" : "+", text);
}

char *
rf_comparison_row_change (const RfComparisonRow *row)
{
    switch (row->effect_kind) {
    case RF_EFFECT_RATIO: {
        g_autofree char *number = is_large (row->effect) ? factor_number (row->effect) : percent_number (row->effect);
        if (is_large (row->effect))
            /* TRANSLATORS: so many times as much as before */
            return g_strdup_printf (_ ("× %s"), number);
        return g_strdup_printf (_ ("%s %%"), number);
    }
    case RF_EFFECT_DIFFERENCE:
        return signed_value (row, row->effect);
    case RF_EFFECT_NONE:
    default:
        return g_strdup ("");
    }
}

char *
rf_comparison_row_certainty (const RfComparisonRow *row)
{
    g_autofree char *low = NULL, *high = NULL;
    switch (row->effect_kind) {
    case RF_EFFECT_RATIO:
        if (is_large (row->high)) {
            low = factor_number (row->low);
            high = factor_number (row->high);
            /* TRANSLATORS: an interval: from so many times to so many times as much as before */
            return g_strdup_printf (_ ("× %s to × %s"), low, high);
        }
        low = percent_number (row->low);
        high = percent_number (row->high);
        /* TRANSLATORS: an interval: "−60 to −21 %" */
        return g_strdup_printf (_ ("%s to %s %%"), low, high);
    case RF_EFFECT_DIFFERENCE:
        low = signed_value (row, row->low);
        high = signed_value (row, row->high);
        return g_strdup_printf (_ ("%s to %s"), low, high);
    case RF_EFFECT_NONE:
    default:
        return g_strdup ("");
    }
}

char *
rf_comparison_row_verdict (const RfComparisonRow *row)
{
    if (row->outcome != RF_OUTCOME_NOT_COMPARABLE)
        return g_strdup (rf_outcome_text (row->outcome));
    if (row->unlike == RF_UNLIKE_MISSING) {
        RfMissing missing = row->missing_before != RF_MISSING_NOT ? row->missing_before : row->missing_after;
        /* TRANSLATORS: a value that is missing, and why */
        return g_strdup_printf (_ ("not available: %s"), rf_missing_text (missing));
    }
    if (row->unlike == RF_UNLIKE_NOT)
        return g_strdup (rf_outcome_text (row->outcome));
    RfUnlikeDetail detail = {row->unlike, (char *)"", (char *)""};
    g_autofree char *reason = rf_unlike_text (&detail);
    /* TRANSLATORS: "not comparable" and a sentence that says why */
    return g_strdup_printf (_ ("%s. %s"), rf_outcome_text (row->outcome), reason);
}

/* Which of what people feel differs most clearly. */
static const RfComparisonRow *
clearest (const RfComparison *self, RfOutcome outcome)
{
    const RfComparisonRow *best = NULL;
    for (guint i = 0; i < self->rows->len; i++) {
        const RfComparisonRow *row = self->rows->pdata[i];
        if (row->outcome == outcome && rf_metric_info (row->metric)->felt && (best == NULL || row->p < best->p))
            best = row;
    }
    return best;
}

static char *
row_in_short (const RfComparisonRow *row)
{
    g_autofree char *title = rf_comparison_row_title (row);
    g_autofree char *change = rf_comparison_row_change (row);
    g_autofree char *certainty = rf_comparison_row_certainty (row);
    /* TRANSLATORS: a quantity, its change, and the interval in which the true change lies with 95 % certainty */
    return g_strdup_printf (_ ("%s: %s (%s)."), title, change, certainty);
}

char *
rf_comparison_sentence (const RfComparison *self)
{
    const RfComparisonRow *better = clearest (self, RF_OUTCOME_BETTER);
    const RfComparisonRow *worse = clearest (self, RF_OUTCOME_WORSE);
    g_autofree char *good = better != NULL ? row_in_short (better) : NULL;
    g_autofree char *bad = worse != NULL ? row_in_short (worse) : NULL;
    switch (self->outcome) {
    case RF_OUTCOME_BETTER:
        return g_strdup_printf (_ ("It has become better. %s"), good);
    case RF_OUTCOME_WORSE:
        return g_strdup_printf (_ ("It has become worse. %s"), bad);
    case RF_OUTCOME_CHANGED:
        return g_strdup_printf (_ ("Some of it has become better, some worse. %s %s"), good, bad);
    case RF_OUTCOME_SAME:
        return g_strdup (_ ("There is no measurable difference in what people notice."));
    case RF_OUTCOME_NOT_COMPARABLE:
    case RF_N_OUTCOMES:
    default:
        break;
    }
    g_autoptr (GString) text = g_string_new (_ ("The two sides cannot be compared."));
    for (guint i = 0; i < self->unlike->len; i++) {
        g_autofree char *reason = rf_unlike_text (self->unlike->pdata[i]);
        g_string_append_printf (text, " %s", reason);
    }
    if (self->unlike->len == 0)
        g_string_append_printf (text, " %s", _ ("They have no values in common, or are too short."));
    return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
rf_comparison_warning (const RfComparison *self)
{
    g_autoptr (GString) text = g_string_new (NULL);
    if (self->unlike->len > 0 || self->outcome == RF_OUTCOME_NOT_COMPARABLE)
        return NULL;
    if (self->within)
        g_string_append (text, _ ("With one recording on each side the certainty comes from stretches within them; two "
                                  "recordings under the same settings differ more than that. Repeat both, taking turns."));
    if (self->workload_unknown) {
        g_string_append (text, text->len > 0 ? " " : "");
        g_string_append (text, _ ("Nobody has said what ran during the recordings; only you know whether it was the same."));
    }
    if (self->needed > 0) {
        g_string_append (text, text->len > 0 ? " " : "");
        if (self->needed == G_MAXUINT)
            g_string_append_printf (text,
                                    _ ("To find a change of 20 %% in everything, more than %u recordings like these would "
                                       "be needed on each side."),
                                    99);
        else
            g_string_append_printf (text, ngettext ("To find a change of 20 %% in everything, at least %u recording like "
                                                    "these would be needed on each side.",
                                                    "To find a change of 20 %% in everything, at least %u recordings like "
                                                    "these would be needed on each side.",
                                                    self->needed),
                                    self->needed);
    }
    return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
