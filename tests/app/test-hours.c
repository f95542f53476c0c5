/* The window for hours, drawn for real, in a time that jumps to whatever is due next: once a second a sample and new
 * graphs, a page turned now and then, drives that come and go. It must not grow. */
#include "config.h"

#include <gtk/gtk.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rf-test-growth.h"
#include "rf-test-tree.h"
#include "rf-theme.h"
#include "rf-window.h"

#define HOUR G_GINT64_CONSTANT (3600)
#define SAMPLES_KEPT HOUR /* as the program does */

static GtkApplication *app;
static gint64 ahead_us; /* of the clocks, and of what is due */

/* In the place of libc's, for this program */
int
clock_gettime (clockid_t id, struct timespec *now)
{
    const int result = (int)syscall (SYS_clock_gettime, id, now);

    if (id == CLOCK_MONOTONIC || id == CLOCK_BOOTTIME) {
        const gint64 us = now->tv_nsec / 1000 + ahead_us;

        now->tv_sec += us / G_USEC_PER_SEC;
        now->tv_nsec = us % G_USEC_PER_SEC * 1000;
    }
    return result;
}

/* Where the main loop would wait, the time jumps. */
static int
jump_poll (GPollFD *fds, guint n_fds, int timeout)
{
    const int ready = g_poll (fds, n_fds, timeout < 0 ? 10 : 0);

    if (ready == 0 && timeout > 0)
        ahead_us += (gint64)timeout * 1000;
    return ready;
}

/* Always something is due soon, so that the loop never waits without an end. */
static gboolean
clock_cb (gpointer data)
{
    return G_SOURCE_CONTINUE;
}

static void
sampled_cb (RfSampler *sampler, guint *count)
{
    ++*count;
}

static void
plug (RfTestTree *tree, const char *diskstats, guint n)
{
    const guint drive = n / 2;
    g_autofree char *name = g_strdup_printf ("sd%c%c", 'a' + drive / 26 % 26, 'a' + drive % 26);
    g_autofree char *folder = g_strdup_printf ("sys/block/%s", name);
    g_autofree char *text = g_strdup_printf ("%s   8 16 %s %u 0 80 5 10 0 80 5 0 10 10\n", diskstats, name, n + 10);

    rf_test_tree_mkdir (tree, folder);
    rf_test_tree_set (tree, "proc/diskstats", n % 2 == 0 ? text : diskstats);
    if (n % 2 == 1)
        rf_test_tree_remove (tree, folder);
}

static void
test_hours (void)
{
    static const char *const pages[] = {"monitor", "overview", "monitor", "check", "changes", "wizard"};
    const guint hours = rf_test_rounds (3, 7 * 24);
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autofree char *diskstats = rf_test_tree_get (tree, "proc/diskstats");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), 1000, SAMPLES_KEPT);
    RfFacts *facts = rf_facts_read (rf_test_tree_sysroot (tree));
    GtkWidget *window = rf_window_new (app, sampler, facts, NULL, NULL);
    RfTestFootprint first = {0}, now = {0};
    guint seconds = 0, turned = 0, plugged = 0;
    const gint64 start = g_get_real_time ();
    const guint clock = g_timeout_add_seconds (1, clock_cb, NULL);

    g_signal_connect (sampler, "sampled", G_CALLBACK (sampled_cb), &seconds);
    gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
    gtk_window_present (GTK_WINDOW (window));
    /* the graphs are on the monitor page; elsewhere nobody samples, and the time goes on all the same */
    for (guint hour = 0; hour <= hours; hour++) {
        const gint64 end = g_get_monotonic_time () + HOUR * G_USEC_PER_SEC;
        g_autofree char *when = g_strdup_printf ("after %u hours", hour + 1);

        while (g_get_monotonic_time () < end) {
            const gint64 minute = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

            while (g_get_monotonic_time () < minute)
                g_main_context_iteration (NULL, TRUE);
            plug (tree, diskstats, plugged++);
            if (plugged % 7 == 0)
                rf_window_show_page (RF_WINDOW (window), pages[turned++ % G_N_ELEMENTS (pages)]);
        }
        rf_test_footprint_read ("self", &now);
        rf_test_footprint_print (when, &now);
        if (hour == 0)
            first = now;
    }
    g_test_message ("%u samples, %u pages turned, %u drives plugged and pulled, in %.1f s", seconds, turned, plugged,
                    (double)(g_get_real_time () - start) / G_USEC_PER_SEC);
    g_assert_cmpuint (seconds, >, hours * HOUR / 4);
    rf_test_footprint_assert_steady (&first, &now, 2048);
    gtk_window_destroy (GTK_WINDOW (window));
    while (g_main_context_iteration (NULL, FALSE))
        ;
    rf_facts_unref (facts);
    g_source_remove (clock);
    g_object_unref (sampler);
}

int
main (int argc, char **argv)
{
    g_autoptr (RfTheme) theme = NULL;
    g_autoptr (GError) error = NULL;
    int status;

    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    app = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
    g_application_register (G_APPLICATION (app), NULL, &error);
    g_assert_no_error (error);
    g_main_context_set_poll_func (NULL, jump_poll);
    g_test_add_func ("/bench/hours", test_hours);
    status = g_test_run ();
    g_object_unref (app);
    return status;
}
