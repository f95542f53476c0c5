#include "config.h"

#include "rf-test-counter.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <gio/gio.h>

static char digits[64 * 1024];
static char endless_line[64 * 1024];

const char *
rf_test_foreign (guint index, gsize *length)
{
    static const struct {
        const char *text;
        gsize length; /* 0: strlen */
    } table[] = {
        {"", 0},
        {"\n", 0},
        {"\n\n\n \t\n", 0},
        {"no such thing", 0},
        {"<!DOCTYPE html>\n<html><body>404</body></html>\n", 0},
        {"{\"some\": 1.5, \"MemTotal\": \"16 GB\"}\n", 0},
        {"\0\0\0\0\n\0\0", 7},
        {"\xff\xfe\x00\x31\x80\n", 6},
        {"- - - - - - - - - - - - - - - - -\n", 0},
        {digits, sizeof digits},
        {endless_line, sizeof endless_line},
    };
    if (index >= G_N_ELEMENTS (table))
        return NULL;
    memset (digits, '9', sizeof digits - 1);
    digits[sizeof digits - 1] = '\n';
    memset (endless_line, 'x', sizeof endless_line);
    *length = table[index].length > 0 ? table[index].length : strlen (table[index].text);
    return table[index].text;
}

gboolean
rf_test_all_missing (const void *counters, gsize size)
{
    const RfCounter *list = counters;
    for (gsize i = 0; i < size / sizeof (RfCounter); i++)
        if (rf_counter_ok (list[i]))
            return FALSE;
    return TRUE;
}

gboolean
rf_test_same_or_missing (const void *cut, const void *whole, gsize size)
{
    const RfCounter *a = cut, *b = whole;
    for (gsize i = 0; i < size / sizeof (RfCounter); i++)
        if (rf_counter_ok (a[i]) && (!rf_counter_ok (b[i]) || a[i].value != b[i].value))
            return FALSE;
    return TRUE;
}

static gboolean
has_comma (void)
{
    char text[16];
    snprintf (text, sizeof text, "%.2f", 1.5);
    return g_str_equal (text, "1,50");
}

gboolean
rf_test_use_comma_locale (void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        if (setlocale (LC_ALL, names[i]) != NULL && has_comma ())
            return TRUE;
    g_autofree char *folder = g_dir_make_tmp ("rf-locale-XXXXXX", NULL);
    g_autofree char *target = g_build_filename (folder, "de_DE.UTF-8", NULL);
    const char *make[] = {"localedef", "-i", "de_DE", "-f", "UTF-8", target, NULL};
    const char *clean[] = {"rm", "-r", folder, NULL};
    g_spawn_sync (NULL, (char **)make, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                  NULL, NULL);
    g_setenv ("LOCPATH", folder, TRUE);
    setlocale (LC_ALL, "de_DE.UTF-8");
    g_spawn_sync (NULL, (char **)clean, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
    return has_comma ();
}
