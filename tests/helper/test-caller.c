#define G_LOG_DOMAIN "test-caller"
#include "config.h"

#include "rf-caller.h"
#include "rf-error.h"

/* Takes as many slots as @uid gets, from as many bus names as it likes. */
static guint
take_all (RfCallers *callers, guint32 uid, GPtrArray *slots)
{
    guint n = 0;
    for (guint i = 0; i < 100; i++) {
        g_autofree char *name = g_strdup_printf (":1.%u%02u", uid, i);
        g_autoptr (GError) error = NULL;
        RfCallSlot *slot = rf_callers_enter (callers, name, uid, &error);
        if (slot == NULL) {
            g_assert_error (error, RF_ERROR, RF_ERROR_LIMIT);
            continue;
        }
        g_ptr_array_add (slots, slot);
        n++;
    }
    return n;
}

/* Many users who take all they can: nobody gets everything, those who come later get something, root gets its share. */
static void
test_fair (void)
{
    g_autoptr (RfCallers) callers = rf_callers_new ();
    g_autoptr (GPtrArray) slots = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_call_slot_free);
    static const guint expected[] = {8, 8, 4, 2, 1, 1, 0};
    guint total = 0;
    for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
        guint got = take_all (callers, 1000 + i, slots);
        g_test_message ("user %u of those who take all they can gets %u", i + 1, got);
        g_assert_cmpuint (got, ==, expected[i]);
        total += got;
    }
    g_assert_cmpuint (total, ==, RF_CALLER_MAX_TOTAL);
    g_assert_cmpuint (take_all (callers, 0, slots), ==, RF_CALLER_MAX_PER_USER);
    g_ptr_array_set_size (slots, 0);
    g_assert_cmpuint (take_all (callers, 1006, slots), ==, RF_CALLER_MAX_PER_USER);
}

static void
test_one_name (void)
{
    g_autoptr (RfCallers) callers = rf_callers_new ();
    g_autoptr (GPtrArray) slots = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_call_slot_free);
    for (guint i = 0; i < RF_CALLER_MAX_PER_NAME; i++) {
        RfCallSlot *slot = rf_callers_enter (callers, ":1.1", 0, NULL);
        g_assert_nonnull (slot);
        g_ptr_array_add (slots, slot);
    }
    g_assert_null (rf_callers_enter (callers, ":1.1", 0, NULL));
    g_ptr_array_set_size (slots, 0);
    g_ptr_array_add (slots, rf_callers_enter (callers, ":1.1", 0, NULL));
    g_assert_nonnull (slots->pdata[0]);
}

/* What waits is counted by name and in all, calls apart from the rest, and given back exactly. */
static void
test_waiting (void)
{
    g_autoptr (RfCallers) callers = rf_callers_new ();
    guint calls = 0, others = 0;
    for (guint i = 0; i < 1000; i++) {
        g_autofree char *name = g_strdup_printf (":1.%u", i % 40);
        calls += rf_callers_wait (callers, name, TRUE);
        others += rf_callers_wait (callers, name, FALSE);
    }
    g_assert_cmpuint (calls, ==, RF_CALLER_MAX_WAITING_CALLS);
    g_assert_cmpuint (others, ==, RF_CALLER_MAX_WAITING_OTHERS);
    for (guint i = 0; i < 1000; i++) {
        g_autofree char *name = g_strdup_printf (":1.%u", i % 40);
        rf_callers_waited (callers, name, TRUE);
        rf_callers_waited (callers, name, FALSE);
    }
    guint one = 0;
    for (guint i = 0; i < 100; i++)
        one += rf_callers_wait (callers, ":1.1", TRUE);
    g_assert_cmpuint (one, ==, RF_CALLER_MAX_WAITING);
}

/* Takes what @name gets of answers that are never delivered; the first serial is 1. */
static guint
owe_all (RfCallers *callers, const char *name, gboolean call, guint *refused)
{
    guint n = 0;
    RfCallerRoom room;
    while ((room = rf_callers_owe (callers, name, n + 1, call)) != RF_CALLER_DROP) {
        *refused += room == RF_CALLER_REFUSE;
        n++;
    }
    return n;
}

/* A thousand names that never read an answer: what they are owed is bounded, and a newcomer still gets an answer. */
static void
test_owed (void)
{
    g_autoptr (RfCallers) callers = rf_callers_new ();
    guint total = 0, refused = 0, counts[1000];
    for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
        g_autofree char *name = g_strdup_printf (":1.%u", i);
        counts[i] = owe_all (callers, name, i % 2 == 0, &refused);
        g_assert_cmpuint (counts[i], >, 0);
        total += counts[i];
    }
    g_test_message ("%zu names are owed %u answers, %u of them refusals", G_N_ELEMENTS (counts), total, refused);
    g_assert_cmpuint (counts[0], >=, RF_CALLER_MAX_OWED_NAME - 1);
    g_assert_cmpuint (total, <=, RF_CALLER_MAX_OWED);
    g_assert_cmpuint (refused, >, 0);
    for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
        g_autofree char *name = g_strdup_printf (":1.%u", i);
        for (guint n = 1; n <= counts[i]; n++) {
            rf_callers_paid (callers, name, n);
            rf_callers_paid (callers, name, n); /* an answer to nothing */
        }
    }
    refused = 0;
    g_assert_cmpuint (owe_all (callers, ":1.1", TRUE, &refused), ==, counts[0]);
    g_assert_cmpuint (refused, ==, counts[0] - RF_CALLER_MAX_OWED_CALLS_NAME);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/caller/fair", test_fair);
    g_test_add_func ("/helper/caller/one-name", test_one_name);
    g_test_add_func ("/helper/caller/waiting", test_waiting);
    g_test_add_func ("/helper/caller/owed", test_owed);
    return g_test_run ();
}
