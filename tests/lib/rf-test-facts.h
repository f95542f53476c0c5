/* The facts as text, one line for each thing, so that a test compares a whole machine with one string. */
#pragma once

#include "rf-facts.h"

G_BEGIN_DECLS

/** rf_test_facts_dump: Returns: (transfer full): every field of @facts but the sizes of memory. */
char *rf_test_facts_dump (const RfFacts *facts);

G_END_DECLS
