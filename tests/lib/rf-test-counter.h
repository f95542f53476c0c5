/* Assertions on numbers from the kernel, and the texts that no reader may be confused by. */
#pragma once

#include "rf-avail.h"

G_BEGIN_DECLS

#define rf_assert_counter(counter, expected)                                                                           \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        RfCounter rf_c_ = (counter);                                                                                   \
        g_assert_cmpint (rf_c_.avail, ==, RF_AVAIL_OK);                                                                \
        g_assert_cmpuint (rf_c_.value, ==, (guint64)(expected));                                                       \
    }                                                                                                                  \
    G_STMT_END

#define rf_assert_missing(counter, why) g_assert_cmpint ((counter).avail, ==, (why))

/** rf_test_foreign: Returns: (transfer none) (nullable): text number @index that no reader understands, NULL behind
 * the last; @length may differ from strlen(). */
const char *rf_test_foreign (guint index, gsize *length);

/** rf_test_all_missing: whether the @size bytes at @counters are RfCounters that are all missing. */
gboolean rf_test_all_missing (const void *counters, gsize size);

/** rf_test_same_or_missing: whether each of the RfCounters at @cut is missing or equal to that at @whole. */
gboolean rf_test_same_or_missing (const void *cut, const void *whole, gsize size);

/** rf_test_use_comma_locale: switches the program to a locale that writes 1,50 (building one in a temporary folder if
 * the system has none). Returns: whether numbers are printed with a comma now. */
gboolean rf_test_use_comma_locale (void);

G_END_DECLS
