#define G_LOG_DOMAIN "rf-test-growth"
#include "config.h"

#include "rf-test-growth.h"

#include <string.h>

static guint64
number_after (const char *pid, const char *file, const char *field)
{
    g_autofree char *path = g_strdup_printf ("/proc/%s/%s", pid, file);
    g_autofree char *text = NULL;
    g_autoptr (GError) error = NULL;
    g_file_get_contents (path, &text, NULL, &error);
    g_assert_no_error (error);
    const char *line = strstr (text, field);
    g_assert_nonnull (line);
    return g_ascii_strtoull (line + strlen (field), NULL, 10);
}

void
rf_test_footprint_read (const char *pid, RfTestFootprint *out)
{
    g_autofree char *path = g_strdup_printf ("/proc/%s/fd", pid);
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    g_assert_nonnull (dir);
    /* smaps counts pages, the numbers in "status" may lag behind */
    *out = (RfTestFootprint){
        .memory_kib = number_after (pid, "smaps_rollup", "Anonymous:"),
        .threads = (guint)number_after (pid, "status", "Threads:"),
    };
    while (g_dir_read_name (dir) != NULL)
        out->descriptors++;
    /* our own, for looking */
    out->descriptors -= g_str_equal (pid, "self");
}

void
rf_test_footprint_print (const char *when, const RfTestFootprint *self)
{
    g_test_message ("%s: %" G_GUINT64_FORMAT " KiB anonymous memory, %u threads, %u descriptors", when,
                    self->memory_kib, self->threads, self->descriptors);
}

void
rf_test_footprint_assert_steady (const RfTestFootprint *first, const RfTestFootprint *last, guint64 slack_kib)
{
    g_assert_cmpuint (last->memory_kib, <=, first->memory_kib + slack_kib);
    g_assert_cmpuint (last->descriptors, <=, first->descriptors);
    /* GLib keeps a few threads that have nothing to do, not always as many */
    g_assert_cmpuint (last->threads, <=, first->threads + 4);
}

guint
rf_test_rounds (guint in_ci, guint weekly)
{
    return g_strcmp0 (g_getenv ("RF_WEEKLY"), "yes") == 0 ? weekly : in_ci;
}
