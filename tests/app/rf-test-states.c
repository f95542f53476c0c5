/* What the window shows besides its pages at rest: the monitor's views, a machine that lives, and the windows that stand
 * beside it. */
#include "config.h"

#include "rf-test-window.h"

#include "rf-monitor-page.h"
#include "rf-window.h"

#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static gint64 ahead_us; /* of the clocks: what has passed without anybody waiting for it */

/* In the place of libc's, for programs with this file */
int
clock_gettime (clockid_t id, struct timespec *now)
{
    int result = (int) syscall (SYS_clock_gettime, id, now);
    if (id == CLOCK_MONOTONIC || id == CLOCK_BOOTTIME) {
        gint64 us = now->tv_nsec / 1000 + ahead_us;
        now->tv_sec += us / G_USEC_PER_SEC;
        now->tv_nsec = us % G_USEC_PER_SEC * 1000;
    }
    return result;
}

/* @text with @plus added to the number behind @key, which stands at the beginning of a line */
static char *
with_more (const char *text, const char *key, gint64 plus)
{
    g_autofree char *first = g_strdup_printf ("%s ", key), *later = g_strdup_printf ("\n%s ", key);
    const char *at = g_str_has_prefix (text, first) ? text : strstr (text, later) + 1;
    g_assert_true (g_str_has_prefix (at, first));
    at += strlen (first);
    char *rest = NULL;
    gint64 number = g_ascii_strtoll (at, &rest, 10);
    return g_strdup_printf ("%.*s%" G_GINT64_FORMAT "%s", (int) (at - text), text, number + plus, rest);
}

static void
count_on (RfTestTree *tree, const char *path, const char *key, gint64 plus)
{
    g_autofree char *text = rf_test_tree_get (tree, path);
    g_autofree char *more = with_more (text, key, plus);
    rf_test_tree_set (tree, path, more);
}

/* What rises and falls: @now is told from what the fixture has */
static void
move_level (RfTestTree *tree, const char *key, gint64 *before, gint64 now)
{
    count_on (tree, "proc/vmstat", key, now - *before);
    *before = now;
}

static void
set_pressure (RfTestTree *tree, const char *resource, gint64 some_us, gint64 full_us)
{
    g_autofree char *path = g_strconcat ("proc/pressure/", resource, NULL);
    g_autofree char *text = g_strdup_printf ("some avg10=0.00 avg60=0.00 avg300=0.00 total=%" G_GINT64_FORMAT "\n"
                                             "full avg10=0.00 avg60=0.00 avg300=0.00 total=%" G_GINT64_FORMAT "\n",
                                             some_us, full_us);
    rf_test_tree_set (tree, path, text);
}

/* A wave that looks like work: from 0 to 1, the same at every run. */
static double
work (guint second, guint period)
{
    static const double ups_and_downs[] = {0.2, 0.5, 0.35, 0.8, 0.6, 1.0, 0.45, 0.3, 0.1, 0.05, 0.15, 0.4};
    return ups_and_downs[second % G_N_ELEMENTS (ups_and_downs)] * (0.4 + 0.6 * (second / period % 2));
}

/* 24 processors with 100 ticks a second each */
static void
count_ticks (RfTestWindow *self, gint64 load)
{
    g_autofree char *text = rf_test_tree_get (self->tree, "proc/stat");
    self->busy += 200 + load;
    self->idle += 2200 - load;
    g_autofree char *all = g_strdup_printf ("cpu  %" G_GINT64_FORMAT " 2880 482640 %" G_GINT64_FORMAT " 96264 0 14688 0 0 0%s",
                                            1949136 + self->busy, 218881056 + self->idle, strchr (text, '\n'));
    rf_test_tree_set (self->tree, "proc/stat", all);
}

/* One second of the machine: what the kernel's counters do in it. */
static void
live_second (RfTestWindow *self)
{
    RfTestTree *tree = self->tree;
    guint second = self->seconds++;
    gboolean trouble = self->trouble;
    gint64 load = (gint64) (1000 * work (second, 37)), writes = 20 + load / 4;
    self->memory_us += trouble ? load * 120 : 0;
    self->io_us += load * (trouble ? 180 : 12);
    set_pressure (tree, "memory", 812044 + self->memory_us, 611022 + self->memory_us / 3);
    set_pressure (tree, "io", 3198332 + self->io_us, 580326 + self->io_us / 2);
    count_on (tree, "proc/vmstat", "allocstall_movable", trouble && load > 300 ? load / 60 : 0);
    count_on (tree, "proc/vmstat", "pgsteal_kswapd", load * 9);
    count_on (tree, "proc/vmstat", "pgscan_kswapd", load * 11);
    count_on (tree, "proc/vmstat", "pgsteal_direct", trouble ? load * 3 : 0);
    count_on (tree, "proc/vmstat", "pgscan_direct", trouble ? load * 4 : 0);
    count_on (tree, "proc/vmstat", "pswpout", trouble ? load : 0);
    move_level (tree, "nr_dirty", &self->dirty, (15 - ABS (15 - (gint64) second % 30)) * (trouble ? 9000 : 700));
    move_level (tree, "nr_free_pages", &self->free, -(12 - ABS (12 - (gint64) second % 24)) * (trouble ? 38000 : 9000));
    count_ticks (self, load);
    self->written += writes;
    self->sectors += writes * 256;
    self->write_ms += writes * (trouble ? 9 : 1) / 2 + load % 7;
    g_autofree char *drives = g_strdup_printf (
        " 259 0 nvme0n1 48211 17020 3921170 19402 %" G_GINT64_FORMAT " 60013 %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
        " 0 70112 160220 2011 0 8811120 600 900 300\n"
        " 259 3 nvme1n1 48211 17020 3921170 19402 90211 60013 7012554 130221 0 70112 160220 2011 0 8811120 600 900 300\n",
        90211 + self->written, 7012554 + self->sectors, 130221 + self->write_ms);
    rf_test_tree_set (tree, "proc/diskstats", drives);
}

static void
sampled_cb (RfSampler *sampler, gpointer window)
{
    live_second (window);
}

void
rf_test_window_live (RfTestWindow *self, guint seconds, gboolean trouble)
{
    RfSeries *series = rf_sampler_get_series (self->sampler, RF_COLUMN_ALLOCSTALLS);
    if (self->seconds == 0)
        g_signal_connect (self->sampler, "sampled", G_CALLBACK (sampled_cb), self);
    self->trouble = trouble;
    for (guint i = 0; i < seconds; i++) {
        guint64 seen = rf_series_total (series);
        ahead_us += G_USEC_PER_SEC;
        RF_ITERATE_UNTIL (rf_series_total (series) > seen);
    }
    rf_test_window_settle (self);
}

void
rf_test_window_jump (guint ms)
{
    ahead_us += ms * G_GINT64_CONSTANT (1000);
}

/* Shows the window that an action opens, as if it were the one to look at. */
static void
visit_beside (RfTestWindow *self, GtkWidget *from, const char *action, const char *target, const char *name,
              RfTestVisit visit, gpointer data)
{
    GtkWidget *main_window = self->window, *beside = NULL;
    g_assert_true (gtk_widget_activate_action (from, action, target != NULL ? "s" : NULL, target));
    g_autoptr (GList) windows = gtk_window_list_toplevels ();
    for (GList *l = windows; l != NULL; l = l->next)
        if (gtk_window_get_transient_for (l->data) == GTK_WINDOW (main_window) && gtk_widget_get_visible (l->data))
            beside = l->data;
    g_assert_nonnull (beside);
    RF_ITERATE_UNTIL (gtk_widget_get_mapped (beside));
    g_object_add_weak_pointer (G_OBJECT (beside), (gpointer *) &beside);
    self->window = beside;
    rf_test_window_settle (self);
    visit (self, name, data);
    self->window = main_window;
    if (GTK_IS_SHORTCUTS_WINDOW (beside)) { /* stays with the window */
        g_object_remove_weak_pointer (G_OBJECT (beside), (gpointer *) &beside);
        gtk_widget_set_visible (beside, FALSE);
    } else {
        gtk_window_destroy (GTK_WINDOW (beside));
        RF_ITERATE_UNTIL (beside == NULL);
    }
    rf_test_window_settle (self);
}

void
rf_test_window_walk_beside (RfTestWindow *self, RfTestVisit visit, gpointer data)
{
    visit_beside (self, self->window, "win.show-help", "contents", "help", visit, data);
    visit_beside (self, self->window, "win.show-help", "free", "help-topic", visit, data);
    visit_beside (self, self->window, "win.report-problem", NULL, "report", visit, data);
    visit_beside (self, self->window, "win.about", NULL, "about", visit, data);
    /* GTK 4.8 complains of a label of its own in there */
    GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    visit_beside (self, self->window, "win.show-help-overlay", NULL, "shortcuts", visit, data);
    g_log_set_always_fatal (fatal);
}

void
rf_test_window_walk_monitor (RfTestWindow *self, RfTestVisit visit, gpointer data)
{
    rf_window_show_page (RF_WINDOW (self->window), "overview");
    visit (self, "overview-calm", data);
    rf_window_show_page (RF_WINDOW (self->window), "monitor");
    rf_test_window_settle (self);
    GtkWidget *page = rf_test_window_find (self->window, RF_TYPE_MONITOR_PAGE, NULL);
    visit_beside (self, page, "monitor.choose", NULL, "monitor-chooser", visit, data);
    gtk_widget_activate_action (page, "monitor.open", "s", "free");
    rf_test_window_settle (self);
    visit (self, "monitor-full-size", data);
    gtk_widget_activate_action (page, "monitor.close", NULL);
    gtk_widget_activate_action (page, "monitor.pause", NULL);
    rf_test_window_settle (self);
    visit (self, "monitor-paused", data);
    gtk_widget_activate_action (page, "monitor.pause", NULL);
    rf_test_window_live (self, 40, TRUE);
    visit (self, "monitor-trouble", data);
    gtk_widget_activate_action (page, "monitor.compact", NULL);
    rf_test_window_settle (self);
    visit (self, "monitor-compact", data);
    gtk_widget_activate_action (page, "monitor.compact", NULL);
    rf_window_show_page (RF_WINDOW (self->window), "overview");
    rf_test_window_settle (self);
    visit (self, "overview-trouble", data);
}
