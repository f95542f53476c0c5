/* Random numbers that are the same on each run and each machine: splitmix64 (Steele, Lea, Flood, 2014). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    guint64 state;
} RfRandom;

static inline guint64
rf_random_next (RfRandom *self)
{
    guint64 z = self->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/** rf_random_below: Returns: 0..@n - 1 */
static inline guint
rf_random_below (RfRandom *self, guint n)
{
    return (guint)(((rf_random_next (self) >> 32) * n) >> 32);
}

/** rf_random_unit: Returns: more than 0, less than 1 */
static inline double
rf_random_unit (RfRandom *self)
{
    return ((double)(rf_random_next (self) >> 11) + 0.5) / 9007199254740992.0;
}

G_END_DECLS
