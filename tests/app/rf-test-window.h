/* The window with every page that it has, against a made-up helper and a fixture's machine: what walks through all of it
 * to look at the style. One for a program, because the system bus is one for a program. Needs a display. */
#pragma once

#include "rf-error.h"
#include "rf-fake-helper.h"
#include "rf-recording-desk.h"
#include "rf-sampler.h"
#include "rf-test-tree.h"
#include "rf-theme.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
    RfTestTree *tree;
    RfFacts *facts;
    RfFakeHelper *helper;
    RfSampler *sampler;
    RfRecordingDesk *desk; /* what it needs to find other recorders is in @tree */
    RfTheme *theme;
    GtkApplication *app;
    GtkWidget *window;
    guint seconds; /* that have passed, see rf_test_window_live() */
    gboolean trouble;
    gint64 memory_us, io_us, written, sectors, write_ms, busy, idle, dirty, free; /* counted in them */
} RfTestWindow;

/** rf_test_window_new: initialises GTK and the language that LANGUAGE says, shows the window of @machine (a fixture).
 * Movements are switched off, so that every frame is a final one. */
RfTestWindow *rf_test_window_new (int *argc, char ***argv, const char *machine);
void rf_test_window_free (RfTestWindow *self);

/** rf_test_window_resize: the window has the size, and has been drawn with it, when this returns. What the pages need as
 * a minimum wins, as with every window. */
void rf_test_window_resize (RfTestWindow *self, int width, int height);
/** rf_test_window_settle: a few frames, so that what follows from a change has been given its place and been drawn */
void rf_test_window_settle (RfTestWindow *self);
/** rf_test_window_set_palette: @name: "light", "dark", "hc-light" or "hc-dark" */
void rf_test_window_set_palette (RfTestWindow *self, const char *name);

/** RfTestVisit: called at every page and state of the window; @name is what a file can be called */
typedef void (*RfTestVisit) (RfTestWindow *self, const char *name, gpointer data);
/** rf_test_window_walk: every destination of the window as somebody sees it at first, the guided tuning from the welcome
 * to the result, the pages again with what was kept and changed by somebody else, and without the helper. Once. */
void rf_test_window_walk (RfTestWindow *self, RfTestVisit visit, gpointer data);

/** rf_test_window_live: so many seconds of a machine that works, or on which programs have to wait; takes much less time.
 * From then on every second that really passes is such a second, too. These are in rf-test-states.c, which changes the clock of the program. */
void rf_test_window_live (RfTestWindow *self, guint seconds, gboolean trouble);
/** rf_test_window_jump: the clocks of the program are so much later */
void rf_test_window_jump (guint ms);
/** rf_test_window_walk_monitor: the overview while all is calm and in trouble, and every view of the monitor */
void rf_test_window_walk_monitor (RfTestWindow *self, RfTestVisit visit, gpointer data);
/** rf_test_window_walk_beside: help, report, About and shortcuts; @visit finds each of them in the place of the window */
void rf_test_window_walk_beside (RfTestWindow *self, RfTestVisit visit, gpointer data);

/** rf_test_window_find: Returns: (transfer none) (nullable): the first widget of @type with @css_class (or NULL) that
 * can be seen */
GtkWidget *rf_test_window_find (GtkWidget *root, GType type, const char *css_class);

G_END_DECLS
