/* Navigation beside the content; on a narrow window the navigation folds away and, when asked for, lies over the
 * content. Knows nothing of pages. Children in a .ui: <child type="sidebar"> and <child type="content">. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** RF_SPLIT_FOLD_WIDTH: below this width in pixels the sidebar is folded */
#define RF_SPLIT_FOLD_WIDTH 620

#define RF_TYPE_SPLIT (rf_split_get_type ())
G_DECLARE_FINAL_TYPE (RfSplit, rf_split, RF, SPLIT, GtkWidget)

/** Properties: "folded" (gboolean, read-only), "revealed" (gboolean: the folded sidebar is shown over the content) */
gboolean rf_split_get_folded (RfSplit *self);
gboolean rf_split_get_revealed (RfSplit *self);
void rf_split_set_revealed (RfSplit *self, gboolean revealed);

G_END_DECLS
