#define G_LOG_DOMAIN "rf-ctl-watch"
#include "config.h"

#include "rf-ctl.h"
#include "rf-tunable-text.h"

#include <math.h>
#include <stdio.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

#define INTERVAL_S 1
#define HEADING_EVERY 20

typedef struct {
    const char *heading; /* at most as wide as the column */
    int columns;
    RfColumn column;
} WatchColumn;

/* Six numbers that tell most about waiting; 80 columns are not more. */
static const WatchColumn shown[] = {
    /* TRANSLATORS: headings of narrow columns, at most 9 characters: waits for memory per second */
    {NC_ ("watch", "waits"), 9, RF_COLUMN_ALLOCSTALLS},
    /* TRANSLATORS: at most 11 characters: memory cleared by programs themselves (direct reclaim) */
    {NC_ ("watch", "direct"), 16, RF_COLUMN_DIRECT_RECLAIM},
    /* TRANSLATORS: at most 9 characters: free memory */
    {NC_ ("watch", "free"), 10, RF_COLUMN_FREE},
    /* TRANSLATORS: at most 12 characters: data waiting to be written */
    {NC_ ("watch", "to write"), 13, RF_COLUMN_DIRTY},
    /* TRANSLATORS: at most 9 characters: share of time in which something waited for memory */
    {NC_ ("watch", "memory"), 10, RF_COLUMN_PSI_MEMORY_SOME},
    /* TRANSLATORS: at most 9 characters: share of time in which something waited for drives */
    {NC_ ("watch", "drives"), 10, RF_COLUMN_PSI_IO_SOME},
    /* TRANSLATORS: at most 9 characters: swapped out per second */
    {NC_ ("watch", "swap out"), 11, RF_COLUMN_SWAP_OUT},
};

typedef struct {
    RfCtl *ctl;
    RfSnapshot *before;
    guint lines;
    gboolean stop;
    gboolean due;
} Watch;

static gboolean
stop_cb (gpointer data)
{
    Watch *watch = data;
    watch->stop = TRUE;
    return G_SOURCE_CONTINUE;
}

static gboolean
due_cb (gpointer data)
{
    Watch *watch = data;
    watch->due = TRUE;
    return G_SOURCE_CONTINUE;
}

static void
print_heading (void)
{
    for (gsize i = 0; i < G_N_ELEMENTS (shown); i++) {
        g_autofree char *cell = rf_ctl_pad (g_dpgettext2 (NULL, "watch", shown[i].heading), shown[i].columns, TRUE);
        g_print ("%s", cell);
    }
    g_print ("\n");
}

static void
print_text (Watch *watch, const RfSample *sample)
{
    if (watch->lines % HEADING_EVERY == 0)
        print_heading ();
    for (gsize i = 0; i < G_N_ELEMENTS (shown); i++) {
        double value = sample->value[shown[i].column];
        g_autofree char *text
            = isnan (value) ? g_strdup ("–") : rf_measure_format (rf_column_info (shown[i].column)->measure, value);
        g_autofree char *cell = rf_ctl_pad (text, shown[i].columns, TRUE);
        g_print ("%s", cell);
    }
    g_print ("\n");
}

static void
print_json (const RfSample *sample)
{
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_set_compact (json, TRUE);
    rf_json_begin_object (json, NULL);
    rf_json_int (json, "monotonic_us", sample->monotonic_us);
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        rf_json_double (json, rf_column_info ((RfColumn)i)->name, sample->value[i]);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
}

static void
look (Watch *watch)
{
    g_autoptr (RfSnapshot) now = rf_snapshot_read (watch->ctl->sysroot);
    if (watch->before != NULL) {
        g_autoptr (RfSample) sample = rf_sample_derive (watch->before, now);
        if (watch->ctl->json)
            print_json (sample);
        else
            print_text (watch, sample);
        if (fflush (stdout) != 0 || ferror (stdout) != 0)
            watch->stop = TRUE; /* nobody will read more; main() says so */
        watch->lines++;
    }
    g_clear_pointer (&watch->before, rf_snapshot_free);
    watch->before = g_steal_pointer (&now);
}

RfExit
rf_ctl_watch (RfCtl *ctl)
{
    if (ctl->gpu)
        return rf_ctl_watch_live (ctl);
    if (ctl->program != NULL)
        return rf_ctl_usage (ctl, _ ("A program is watched beside the graphics cards: --gpu is missing."));
    Watch watch = {.ctl = ctl};
    guint sources[] = {
        g_unix_signal_add (SIGINT, stop_cb, &watch),
        g_unix_signal_add (SIGTERM, stop_cb, &watch),
        g_timeout_add_seconds (INTERVAL_S, due_cb, &watch),
    };
    look (&watch);
    while (!watch.stop && (ctl->count == 0 || watch.lines < (guint)ctl->count)) {
        g_main_context_iteration (NULL, TRUE);
        if (watch.due)
            look (&watch);
        watch.due = FALSE;
    }
    for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
        g_source_remove (sources[i]);
    g_clear_pointer (&watch.before, rf_snapshot_free);
    return RF_EXIT_OK;
}
