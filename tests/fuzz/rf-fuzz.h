/* One fuzz target is one file fuzz-NAME.c with RF_FUZZ (data, size) { ... }, its name in meson.build and a folder
 * corpus/NAME with at least one example. clang makes a libFuzzer program of it; every compiler makes a program that
 * replays the corpus in the suite core. The input is not NUL-terminated, may be anything, and must not be kept. */
#pragma once

#include "rf-avail.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

/* The body ends the program (g_assert...) when what it finds cannot be. */
#define RF_FUZZ(data, size)                                                                                            \
    static void rf_fuzz_body (const char *data, gsize size);                                                           \
    int LLVMFuzzerTestOneInput (const uint8_t *rf_bytes, size_t rf_size)                                               \
    {                                                                                                                  \
        rf_fuzz_body ((const char *)rf_bytes, rf_size);                                                                \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static void rf_fuzz_body (const char *data, gsize size)

/** rf_fuzz_check: each of the RfCounters in @size bytes is a number or missing for a reason that a parser can have. */
static inline void
rf_fuzz_check (const void *counters, gsize size)
{
    const RfCounter *list = counters;
    for (gsize i = 0; i < size / sizeof *list; i++) {
        g_assert_true (list[i].avail == RF_AVAIL_OK || list[i].avail == RF_AVAIL_NO_FIELD
                       || list[i].avail == RF_AVAIL_MALFORMED || list[i].avail == RF_AVAIL_OFF);
        g_assert_true (list[i].avail == RF_AVAIL_OK || list[i].value == 0);
    }
}
