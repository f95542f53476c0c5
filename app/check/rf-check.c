#define G_LOG_DOMAIN "rf-check"
#include "config.h"

#include "rf-check-private.h"

#include "rf-snippet.h"

#include <string.h>

#include <glib/gi18n.h>

#define SUMMARY_MAX 2

static const struct {
    const char *id;
    const char *subject;
    RfCheckFunc check;
} table[] = {
    {"container", N_ ("A system of its own"), rf_check_container},
    {"mount-options", N_ ("Mount options"), rf_check_mount_options},
    {"space", N_ ("Free space on the file systems"), rf_check_space},
    {"btrfs-metadata", N_ ("Room for btrfs metadata"), rf_check_btrfs},
    {"swap-drive", N_ ("Swap and data on different drives"), rf_check_swap_drive},
    {"swap-left", N_ ("Swap left over from an earlier load"), rf_check_swap_left},
    {"zswap", N_ ("zswap in front of zram"), rf_check_zswap},
    {"plan-memory", N_ ("Enough memory for the proposal"), rf_check_plan_memory},
    {"trim", N_ ("TRIM reaches the drives"), rf_check_trim},
    {"discard-twice", N_ ("TRIM once, not twice"), rf_check_discard_twice},
    {"nvme-sleep", N_ ("Sleep of the NVMe drives"), rf_check_nvme_sleep},
    {"huge-pages", N_ ("Waiting for huge pages"), rf_check_huge_pages},
    {"programs", N_ ("Other tuning programs"), rf_check_programs},
    {"killers", N_ ("Memory watchdogs and zram"), rf_check_killers},
    {"clock", N_ ("Clock of the kernel"), rf_check_clock},
    {"psi", N_ ("Counting of waits (PSI)"), rf_check_psi},
};

RfCheckInput *
rf_check_input_read (RfSysroot *sysroot)
{
    RfCheckInput *self = g_new0 (RfCheckInput, 1);
    self->facts = rf_facts_read (sysroot);
    self->around = rf_surroundings_read (sysroot, self->facts);
    g_autoptr (RfCurrentSet) current = rf_current_set_read (sysroot, self->facts);
    g_autoptr (RfSnapshot) snapshot = rf_snapshot_read (sysroot);
    g_autoptr (GPtrArray) rows = rf_recommend (self->facts, current, snapshot, RF_PRESET_MACHINE);
    self->kernel_argument = rf_snippet_kernel_argument (sysroot, self->facts, "psi=1");
    self->available = snapshot->meminfo.available;
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = rows->pdata[i];
        if (row->verdict == RF_VERDICT_RECOMMENDED && row->cost == RF_COST_MEMORY)
            self->plan_bytes += row->cost_bytes;
    }
    return self;
}

void
rf_check_input_free (RfCheckInput *self)
{
    rf_surroundings_free (self->around);
    rf_facts_unref (self->facts);
    g_free (self->kernel_argument);
    g_free (self);
}

static void
result_free (gpointer data)
{
    RfCheckResult *result = data;
    g_free (result->id);
    g_free (result->title);
    g_free (result->evidence);
    g_free (result->next);
    g_free (result->command);
    g_free (result->detail);
    g_free (result);
}

RfCheckResult *
rf_check_result_new (const char *id, const char *title)
{
    RfCheckResult *result = g_new0 (RfCheckResult, 1);
    result->id = g_strdup (id);
    result->title = g_strdup (title);
    return result;
}

void
rf_check_say_fine (RfCheckResult *out, char *evidence)
{
    out->verdict = RF_CHECK_FINE;
    out->evidence = evidence;
}

void
rf_check_say_unknown (RfCheckResult *out, char *evidence)
{
    out->verdict = RF_CHECK_UNKNOWN;
    out->evidence = evidence;
}

void
rf_check_say_look (RfCheckResult *out, const char *title, char *evidence, const char *next)
{
    out->verdict = RF_CHECK_LOOK;
    out->evidence = evidence;
    out->next = g_strdup (next);
    if (title == NULL)
        return;
    g_free (out->title);
    out->title = g_strdup (title);
}

void
rf_check_add_line (char **text, char *line)
{
    g_autofree char *before = *text;
    g_autofree char *added = line;
    *text = before != NULL ? g_strjoin ("\n", before, added, NULL) : g_steal_pointer (&added);
}

char *
rf_check_quote (const char *word)
{
    gsize plain = strspn (word, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._@:+-");
    return word[plain] == '\0' && plain > 0 ? g_strdup (word) : g_shell_quote (word);
}

gboolean
rf_check_knows_swaps (const RfCheckInput *in)
{
    return in->around->swaps.avail == RF_AVAIL_OK || in->around->swaps.avail == RF_AVAIL_NO_FILE;
}

gboolean
rf_check_has_zram (const RfCheckInput *in)
{
    for (guint i = 0; i < in->facts->swaps->len; i++)
        if (((const RfSwapDevice *)in->facts->swaps->pdata[i])->kind == RF_SWAP_ZRAM)
            return TRUE;
    return FALSE;
}

static guint
rank (const RfCheckResult *result)
{
    switch (result->verdict) {
    case RF_CHECK_LOOK:
        return result->danger ? 0 : 1;
    case RF_CHECK_FINE:
        return 2;
    case RF_CHECK_UNKNOWN:
    case RF_N_CHECK_VERDICTS:
        break;
    }
    return 3;
}

GPtrArray *
rf_check_run (const RfCheckInput *input)
{
    g_return_val_if_fail (input != NULL, NULL);
    g_autoptr (GPtrArray) all = g_ptr_array_new ();
    GPtrArray *sorted = g_ptr_array_new_with_free_func (result_free);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfCheckResult *result = rf_check_result_new (table[i].id, _ (table[i].subject));
        table[i].check (input, result);
        g_ptr_array_add (all, result);
    }
    rf_check_old_advice (input, all);
    for (guint wanted = 0; wanted <= 3; wanted++)
        for (guint i = 0; i < all->len; i++)
            if (rank (all->pdata[i]) == wanted)
                g_ptr_array_add (sorted, all->pdata[i]);
    return sorted;
}

guint
rf_check_count (GPtrArray *results, RfCheckVerdict verdict)
{
    guint n = 0;
    for (guint i = 0; i < results->len; i++)
        n += ((const RfCheckResult *)results->pdata[i])->verdict == verdict ? 1 : 0;
    return n;
}

char *
rf_check_summary (GPtrArray *results)
{
    guint n = rf_check_count (results, RF_CHECK_LOOK);
    g_autoptr (GString) first = g_string_new (NULL);
    if (n == 0)
        return g_strdup (_ ("Nothing has to be looked at first."));
    /* they come first */
    for (guint i = 0; i < MIN (n, SUMMARY_MAX); i++) {
        /* TRANSLATORS: between two findings in one line */
        g_string_append_printf (first, "%s%s", i > 0 ? C_ ("findings", " · ") : "",
                                ((const RfCheckResult *)results->pdata[i])->title);
    }
    /* TRANSLATORS: %2$s are one or two findings, each of a few words */
    return g_strdup_printf (ngettext ("%1$u thing to look at first: %2$s", "%1$u things to look at first: %2$s", n), n,
                            first->str);
}

const char *
rf_check_verdict_text (RfCheckVerdict verdict)
{
    switch (verdict) {
    case RF_CHECK_FINE:
        return C_ ("check", "fine");
    case RF_CHECK_LOOK:
        return C_ ("check", "look here");
    case RF_CHECK_UNKNOWN:
    case RF_N_CHECK_VERDICTS:
        break;
    }
    return C_ ("check", "cannot be known here");
}

const char *
rf_check_verdict_nick (RfCheckVerdict verdict)
{
    static const char *const nicks[] = {"fine", "look", "unknown"};
    g_return_val_if_fail ((guint)verdict < G_N_ELEMENTS (nicks), NULL);
    return nicks[verdict];
}
