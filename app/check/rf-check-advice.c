#define G_LOG_DOMAIN "rf-check-advice"
#include "config.h"

#include "rf-check-private.h"

#include <glib/gi18n.h>

/* lines of one kind that are shown; who has more sees the pattern */
#define LINES_MAX 8

static const struct {
    const char *title;
    const char *why;
    const char *next;
    gboolean danger;
} words[RF_N_OLD] = {
    [RF_OLD_QUOTES]
    = {N_ ("Quotation marks around a value"),
       N_ ("The kernel gets the marks as part of the value and refuses it, so this setting is not in force."),
       N_ ("Remove the quotation marks, or the line.")},
    [RF_OLD_NO_PREFIX]
    = {N_ ("A name without “vm.”"),
       N_ ("There is no setting of that name, so the line does nothing, and hardly anybody tells you."),
       N_ ("Write “vm.” before the name, or remove the line.")},
    [RF_OLD_REMOVED_KEY]
    = {N_ ("Settings that the kernel no longer has"),
       N_ ("They come from advice for old kernels. Here the line does nothing."), N_ ("Remove the line.")},
    [RF_OLD_TCP_RECYCLE]
    = {N_ ("tcp_tw_recycle"),
       N_ ("It broke connections of several computers behind one router, and was removed in Linux 4.12. "
           "The line does nothing."),
       N_ ("Remove the line.")},
    [RF_OLD_TCP_BUFFERS]
    = {N_ ("Network buffers of 8 MiB or less"),
       N_ ("That was much once. New kernels allow up to 32 MiB by themselves, so the line makes the "
           "buffers smaller. Stutter does not come from there."),
       N_ ("Remove the line.")},
    [RF_OLD_TCP_TIMES] = {N_ ("Times of network connections"),
                          N_ ("They are advice for busy servers and have no way to cause or cure stutter."),
                          N_ ("Remove the line unless you need it for something else.")},
    [RF_OLD_SWAPPINESS]
    = {N_ ("More swappiness than there is"),
       N_ ("The kernel accepts up to 200, and up to 100 before Linux 5.8. It refuses this value, so "
           "another one is in force."),
       N_ ("Correct the value, or remove the line.")},
    [RF_OLD_CACHE_PRESSURE]
    = {N_ ("vfs_cache_pressure of 0"),
       N_ ("The kernel then never lets go of names and attributes of files and can run out of memory, "
           "as its own documentation says."),
       N_ ("Remove the line; 100 is usual, 50 is tolerable."), TRUE},
    [RF_OLD_WRITE_BACK]
    = {N_ ("Writing back all the time, or never"),
       N_ ("Times this short keep the drive busy without end, and 0 for the period switches regular "
           "write-back off. Both come from advice for kernels of 2003."),
       N_ ("Remove the line.")},
    [RF_OLD_MIN_FREE]
    = {N_ ("A very large reserve"),
       N_ ("More than a twentieth of the memory is taken from all programs for good, and only a quarter of "
           "that becomes a head start."),
       N_ ("Remove the line. The guided tuning gives a head start that costs less."), TRUE},
    [RF_OLD_DROP_CACHES]
    = {N_ ("Emptying the caches"),
       N_ ("It throws away what programs need in the next minutes, and they wait for the drive again. It "
           "is meant for measurements only."),
       N_ ("Remove the line.")},
    [RF_OLD_SCHEDULER] = {N_ ("The schedulers noop and cfq"),
                          N_ ("They are gone since Linux 5.0; the kernel refuses the name. “none” is what noop was."),
                          N_ ("Remove the line; on NVMe drives “none” is usual already.")},
    [RF_OLD_ELEVATOR] = {N_ ("elevator= on the command line of the kernel"),
                         N_ ("It has had no effect since Linux 5.0."), N_ ("Remove the word.")},
    [RF_OLD_MIN_TTL] = {N_ ("Protection of recently used memory (min_ttl_ms)"),
                        N_ ("The kernel then ends programs early rather than take memory that was used a moment ago."),
                        N_ ("Remove the line unless you want just that."), TRUE},
};

static RfCheckResult *
result_for (const RfCheckInput *in, RfOldAdviceId id)
{
    guint n = 0;
    g_autofree char *nick = g_strconcat ("old-", rf_old_advice_nick (id), NULL);
    g_autoptr (GString) lines = g_string_new (NULL);
    for (guint i = 0; i < in->around->advice->len; i++) {
        const RfOldAdvice *advice = in->around->advice->pdata[i];
        if (advice->id != id)
            continue;
        if (n < LINES_MAX)
            g_string_append_printf (lines, "%s%s:%u: %s", n > 0 ? "\n" : "", advice->file, advice->line, advice->text);
        n++;
    }
    if (n == 0)
        return NULL;
    if (n > LINES_MAX)
        g_string_append (lines, "\n…");
    RfCheckResult *result = rf_check_result_new (nick, _ (words[id].title));
    rf_check_say_look (result, NULL, g_strdup (_ (words[id].why)), _ (words[id].next));
    result->danger = words[id].danger;
    result->detail = g_string_free (g_steal_pointer (&lines), FALSE);
    return result;
}

void
rf_check_old_advice (const RfCheckInput *in, GPtrArray *results)
{
    guint before = results->len, unread = in->around->unread;
    for (gsize id = 0; id < RF_N_OLD; id++) {
        RfCheckResult *result = result_for (in, (RfOldAdviceId)id);
        if (result != NULL)
            g_ptr_array_add (results, result);
    }
    if (results->len > before && unread == 0)
        return;
    RfCheckResult *rest = rf_check_result_new ("old-advice", _ ("Old advice in your own files"));
    if (unread > 0)
        rf_check_say_unknown (
            rest, g_strdup_printf (ngettext ("%u file of settings below /etc cannot be read by you.",
                                             "%u files of settings below /etc cannot be read by you.", unread),
                                   unread));
    else
        rf_check_say_fine (
            rest, g_strdup (_ ("None of the known outdated or harmful lines is in the files below /etc or on the "
                               "command line of the kernel.")));
    g_ptr_array_add (results, rest);
}
