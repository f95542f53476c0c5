/* A call as it comes over the bus: the first byte says which method, the rest are its arguments as GVariant takes them
 * from a message. What is accepted is within its limits and can be described in a password dialog. */
#include "rf-fuzz.h"

#include <string.h>

#include "rf-error.h"
#include "rf-record.h"
#include "rf-request.h"
#include "rf-trial.h"

static const struct {
    const char *method;
    const char *type;
} methods[] = {
    {"Apply", "(a(ssv)a{sv})"}, {"Extend", "(su)"},    {"Keep", "(s)"}, {"Revert", "(sb)"}, {"RevertEntry", "(sssb)"},
    {"RevertAll", "(b)"},       {"ListRecords", "()"}, {"Check", "()"}, {"Cancel", "()"},   {"Nonsense", "(v)"},
};

RF_FUZZ (data, size)
{
    if (size == 0)
        return;
    guint which = (guchar)data[0] % G_N_ELEMENTS (methods);
    g_autoptr (GBytes) bytes = g_bytes_new (data + 1, size - 1);
    g_autoptr (GVariant) parameters
        = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (methods[which].type), bytes, FALSE));
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRequest) request = rf_request_parse (methods[which].method, parameters, &error);
    g_assert_true ((request != NULL) == (error == NULL));
    if (request == NULL) {
        /* GIO warns of an error that is not UTF-8, and a caller could not read it */
        g_assert_true (error->domain == RF_ERROR && g_utf8_validate (error->message, -1, NULL));
        return;
    }
    g_assert_cmpint (request->gate, ==, rf_request_gate (methods[which].method));
    g_assert_true (request->id == NULL || rf_record_id_valid (request->id));
    g_assert_true (request->instance == NULL || strlen (request->instance) <= 64);
    g_assert_true (request->seconds == 0 || rf_trial_seconds_valid (request->seconds));
    if (request->plan == NULL)
        return;
    g_autofree char *words = rf_request_describe_plan (request->plan);
    g_assert_true (g_utf8_validate (words, -1, NULL) && strlen (words) < 4096);
    for (const char *p = words; *p != '\0'; p++)
        g_assert_false (g_ascii_iscntrl (*p));
}
