#define G_LOG_DOMAIN "rf-test-process"
#include "config.h"

#include "rf-test-process.h"

#include "rf-random.h"

#include <math.h>

enum {
    FRAMES_PER_S = 10,
};

typedef struct {
    RfRandom random;
    double slow[4];   /* autoregressive, variance 1 */
    gboolean episode;
    double left_s;    /* of a burst */
    double size;
} State;

static double
normal (RfRandom *random)
{
    return sqrt (-2 * log (rf_random_unit (random))) * cos (2 * G_PI * rf_random_unit (random));
}

/* remembers for @time seconds */
static double
step (State *state, guint which, double time)
{
    double keep = exp (-1 / time);
    return state->slow[which] = keep * state->slow[which] + sqrt (1 - keep * keep) * normal (&state->random);
}

/* stalls of this second: a burst begins with @chance, lasts one to three seconds and has any size */
static double
burst (State *state, double chance)
{
    if (state->left_s <= 0 && rf_random_unit (&state->random) < chance) {
        state->left_s = 1 + rf_random_below (&state->random, 2);
        state->size = exp (3 + 0.7 * normal (&state->random));
    }
    return state->left_s-- > 0 ? round (state->size) : 0;
}

static double
stalls (State *state, RfProcess process)
{
    if (process != RF_PROCESS_EPISODES)
        return burst (state, 1 / 5.0);
    if (rf_random_unit (&state->random) < (state->episode ? 1 / 20.0 : 1 / 60.0))
        state->episode = !state->episode;
    return burst (state, state->episode ? 1 / 2.0 : 0);
}

const char *
rf_process_name (RfProcess process)
{
    static const char *const names[]
        = {"stalls in bursts", "stalls in spells", "time waited (PSI)", "write latency", "frame times", "all of them"};
    return names[process];
}

static void
add_frames (RfTable *frames, State *state, guint second, double factor)
{
    double spell = step (state, 3, 20) > 1.5 ? 0.15 : 0.01;
    for (guint i = 0; i < FRAMES_PER_S; i++) {
        double ms = 15 + fabs (normal (&state->random));
        if (rf_random_unit (&state->random) < spell)
            ms += factor * 20 * exp (0.6 * normal (&state->random));
        float value = (float)ms;
        rf_table_append (frames, (gint64)second * G_GINT64_CONSTANT (1000000000) + i * (G_GINT64_CONSTANT (1000000000) / FRAMES_PER_S),
                         &value);
    }
}

RfRecording *
rf_process_record (RfProcess process, guint minutes, double factor, guint64 seed)
{
    RfRecording *recording = rf_recording_new ();
    RfTable *samples = rf_recording_add_table (recording, rf_table_new ("samples"));
    gboolean all = process == RF_PROCESS_ALL, has_frames = all || process == RF_PROCESS_FRAMES;
    gboolean has_stalls = all || process == RF_PROCESS_STALLS || process == RF_PROCESS_EPISODES;
    RfTable *frames = has_frames ? rf_recording_add_table (recording, rf_table_new ("frames")) : NULL;
    State state = {.random = {seed}};
    if (frames != NULL)
        rf_table_add_column (frames, "frame_ms");
    rf_table_add_column (samples, "allocstalls_per_s");
    rf_table_add_column (samples, "psi_memory_full_ratio");
    rf_table_add_column (samples, "sda.write_latency_ms");
    rf_table_add_column (samples, "sda.write_iops");
    for (guint i = 0; i < 4; i++)
        state.slow[i] = normal (&state.random);
    for (guint i = 0; i < minutes * 60; i++) {
        float row[4] = {NAN, NAN, NAN, NAN};
        if (has_stalls)
            row[0] = (float)(factor * stalls (&state, process));
        if (all || process == RF_PROCESS_PRESSURE)
            row[1] = (float)fmin (1, factor * 0.05 * fmax (0, step (&state, 0, 10) + 0.5 * normal (&state.random) - 0.5));
        if (all || process == RF_PROCESS_LATENCY) {
            row[2] = (float)(factor * exp (1 + 0.4 * step (&state, 1, 20) + 0.4 * normal (&state.random)));
            row[3] = (float)exp (3 + 0.7 * step (&state, 2, 20));
        }
        rf_table_append (samples, (gint64)i * G_GINT64_CONSTANT (1000000000), row);
        if (has_frames)
            add_frames (frames, &state, i, factor);
    }
    return recording;
}
