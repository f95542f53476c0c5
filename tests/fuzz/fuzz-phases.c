/* The group [phases] of a session.ini, one KEY=VALUE a line: what is accepted is in order, and its text is accepted again. */
#include "rf-fuzz.h"

#include <string.h>

#include "rf-phases.h"

RF_FUZZ (data, size)
{
    RfPhases phases = {0}, again = {0};
    g_autofree char *text = g_strndup (data, size);
    g_auto (GStrv) lines = g_strsplit (text, "\n", 64);
    for (char **line = lines; *line != NULL; line++) {
        char *equals = strchr (*line, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        rf_phases_from_text (&phases, *line, equals + 1);
    }
    gint64 last = G_MININT64;
    for (guint i = 0; i < RF_N_PHASES; i++) {
        g_autofree char *value = rf_phases_to_text (&phases, i);
        g_assert_true ((value != NULL) == phases.found[i]);
        if (value == NULL)
            continue;
        g_assert_cmpint (phases.start_ns[i], >=, last);
        g_assert_cmpint (phases.start_ns[i], <, phases.end_ns[i]);
        last = phases.end_ns[i];
        g_assert_true (rf_phases_from_text (&again, rf_phase_nick (i), value));
        g_assert_cmpint (again.start_ns[i], ==, phases.start_ns[i]);
        g_assert_cmpint (again.end_ns[i], ==, phases.end_ns[i]);
    }
}
