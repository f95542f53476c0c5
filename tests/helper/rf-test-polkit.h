/* A polkit of our own on the test bus, in a thread of its own: says what a test tells it to. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
    RF_TEST_POLKIT_ALLOW,
    RF_TEST_POLKIT_DENY,
    RF_TEST_POLKIT_DISMISS,
    RF_TEST_POLKIT_CHALLENGE,
    RF_TEST_POLKIT_ERROR,
    RF_TEST_POLKIT_SILENT, /* never answers, until it is told something else */
} RfTestPolkitMode;

typedef struct _RfTestPolkit RfTestPolkit;

RfTestPolkit *rf_test_polkit_new (const char *bus_address);
void rf_test_polkit_free (RfTestPolkit *self);
void rf_test_polkit_set (RfTestPolkit *self, RfTestPolkitMode mode);
/** rf_test_polkit_present: leaves or takes its name on the bus, and waits for it. */
void rf_test_polkit_present (RfTestPolkit *self, gboolean present);
/** rf_test_polkit_asked: how often it was asked so far. */
guint rf_test_polkit_asked (RfTestPolkit *self);
/** rf_test_polkit_last: Returns: (transfer full): "action count settings interactive" of the last question */
char *rf_test_polkit_last (RfTestPolkit *self);

G_END_DECLS
