/* The card of the quick test: what it does, the button, how long it still takes, and what came of it. The test itself
 * is somebody else's, and may be shown by several cards. */
#pragma once

#include "rf-quick-test.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_QUICK_TEST_CARD (rf_quick_test_card_get_type ())
G_DECLARE_FINAL_TYPE (RfQuickTestCard, rf_quick_test_card, RF, QUICK_TEST_CARD, GtkWidget)

/** rf_quick_test_card_new: @side: which of the two it starts; keeps a reference on @test */
GtkWidget *rf_quick_test_card_new (RfQuickTest *test, RfQuickTestSide side);

G_END_DECLS
