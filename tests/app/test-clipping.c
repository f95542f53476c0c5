/* Is any word cut? Every page of the window in the language that LANGUAGE says, left to right and mirrored, with usual
 * and with doubled text, 360 and 1200 pixels wide. With RF_PICTURES set to a folder it leaves a picture of every page
 * there instead, light and dark. */
#include "config.h"

#include "rf-test-window.h"

#include "rf-graph.h"
#include "rf-screenshot.h"

#include <pango/pango.h>

#define USUAL_DPI (96 * 1024)

static GHashTable *defects; /* of char: what is wrong, and where it was seen first */
static const char *situation;
static guint n_graphs; /* looked at */
static gboolean tight; /* 360 pixels and large text: no room for a word such as “Auslagerungsverkehr” */

/* Where words may be shortened, and why that loses nothing. */
static const struct {
    const char *css_class; /* of the label or of a widget around it */
    const char *reason;
} may_be_shortened[] = {
    {"title", "of the window; every page begins with the same or better words"},
    {"rf-step-name", "the page has its title below, and the whole of it is read out"},
};

static gboolean
is_excused (GtkWidget *label)
{
    for (GtkWidget *w = label; w != NULL; w = gtk_widget_get_parent (w)) {
        const char *tooltip = gtk_widget_get_tooltip_text (w);
        if (tooltip != NULL && g_strstr_len (tooltip, -1, gtk_label_get_text (GTK_LABEL (label))) != NULL)
            return TRUE;
        for (guint i = 0; i < G_N_ELEMENTS (may_be_shortened); i++)
            if (gtk_widget_has_css_class (w, may_be_shortened[i].css_class))
                return TRUE;
    }
    return FALSE;
}

G_GNUC_PRINTF (2, 3)
static void
complain (GtkWidget *widget, const char *format, ...)
{
    va_list args;
    va_start (args, format);
    g_autofree char *what = g_strdup_vprintf (format, args);
    va_end (args);
    g_autofree char *key = g_strdup_printf ("%s: %s", G_OBJECT_TYPE_NAME (widget), what);
    if (!g_hash_table_contains (defects, key))
        g_hash_table_insert (defects, g_steal_pointer (&key), g_strdup (situation));
}

/* A name of the kernel or a path has no better place to break. */
static gboolean
is_raw (const char *text, int start, int end)
{
    for (int i = start; i < end; i++)
        if (strchr ("_/.=0123456789", text[i]) != NULL)
            return TRUE;
    return FALSE;
}

/* A line that begins in the middle of a word is what WORD_CHAR does when even one word is too wide. */
static void
check_broken_words (GtkWidget *label, PangoLayout *layout)
{
    if (tight)
        return;
    const char *text = pango_layout_get_text (layout);
    int n_attrs = 0;
    const PangoLogAttr *attrs = pango_layout_get_log_attrs_readonly (layout, &n_attrs);
    for (int i = 1; i < pango_layout_get_line_count (layout); i++) {
        int start = pango_layout_get_line_readonly (layout, i)->start_index;
        long at = g_utf8_pointer_to_offset (text, text + start);
        if (at >= n_attrs || attrs[at].is_line_break || attrs[at].is_mandatory_break)
            continue;
        int from = start, to = start;
        while (from > 0 && text[from - 1] != ' ' && text[from - 1] != '\n')
            from--;
        while (text[to] != '\0' && text[to] != ' ' && text[to] != '\n')
            to++;
        if (!is_raw (text, from, to))
            complain (label, "breaks “%.*s” before “%.*s”", to - from, text + from, to - start, text + start);
    }
}

static void
check_label (GtkWidget *label)
{
    PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
    const char *text = gtk_label_get_text (GTK_LABEL (label));
    if (*text == '\0' || is_excused (label))
        return;
    if (pango_layout_is_ellipsized (layout)) {
        complain (label, "shortens “%s”", text);
        return;
    }
    int w = 0, h = 0;
    pango_layout_get_pixel_size (layout, &w, &h);
    if (w > gtk_widget_get_width (label) + 1 || h > gtk_widget_get_height (label) + 1)
        complain (label, "has %dx%d for “%s”", gtk_widget_get_width (label), gtk_widget_get_height (label), text);
    check_broken_words (label, layout);
}

/* Whoever searches for a name of the kernel or a file has to be able to copy it. */
static void
check_raw_name (GtkWidget *label)
{
    gboolean raw = gtk_widget_has_css_class (label, "rf-kernel")
                   || g_regex_match_simple ("\\b(vm|net|kernel|fs|queue)[./][a-z]+_[a-z]|/(etc|sys|proc|run|dev)/",
                                            gtk_label_get_text (GTK_LABEL (label)), 0, 0);
    if (raw && !gtk_label_get_selectable (GTK_LABEL (label)))
        complain (label, "cannot be selected: “%s”", gtk_label_get_text (GTK_LABEL (label)));
}

/* Number fields and the like scroll their text inside; what is in them has to be seen as a whole. */
static void
check_text (GtkWidget *text)
{
    const char *content = gtk_editable_get_text (GTK_EDITABLE (text));
    g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (text, content);
    int w = 0;
    pango_layout_get_pixel_size (layout, &w, NULL);
    if (w > gtk_widget_get_width (text))
        complain (text, "has %d pixels for “%s”", gtk_widget_get_width (text), content);
}

/* Only what scrolls up and down may be larger than the place it has. */
static void
check_place (GtkWidget *widget)
{
    GtkWidget *parent = gtk_widget_get_parent (widget);
    graphene_rect_t bounds;
    if (parent == NULL || GTK_IS_NATIVE (widget) || !gtk_widget_compute_bounds (widget, parent, &bounds))
        return;
    gboolean scrolls = GTK_IS_VIEWPORT (parent) || GTK_IS_TEXT (parent) || GTK_IS_SCROLLED_WINDOW (parent);
    float width = (float) gtk_widget_get_width (parent), height = (float) gtk_widget_get_height (parent);
    if (bounds.origin.x < -1 || bounds.origin.x + bounds.size.width > width + 1)
        complain (widget, "in %s sticks out sideways: %.0f at %.0f in %.0f", G_OBJECT_TYPE_NAME (parent),
                  bounds.size.width, bounds.origin.x, width);
    if (!scrolls && (bounds.origin.y < -1 || bounds.origin.y + bounds.size.height > height + 1))
        complain (widget, "in %s sticks out at the top or bottom", G_OBJECT_TYPE_NAME (parent));
}

static void
collect_words (GtkWidget *widget, GString *words)
{
    if (GTK_IS_LABEL (widget))
        g_string_append_printf (words, "%s%s", words->len > 0 ? " | " : "", gtk_label_get_text (GTK_LABEL (widget)));
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        if (gtk_widget_should_layout (w))
            collect_words (w, words);
}

static int
minimum_width (GtkWidget *widget)
{
    int minimum = 0;
    if (gtk_widget_should_layout (widget) && !GTK_IS_NATIVE (widget))
        gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    return minimum;
}

/* What keeps the window from being narrow: down from widest child to widest child, to the words. */
static void
check_minimum (GtkWidget *widget)
{
    GtkWidget *widest = NULL;
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        if (minimum_width (w) > 0 && (widest == NULL || minimum_width (w) > minimum_width (widest)))
            widest = w;
    if (widest != NULL && !GTK_IS_BUTTON (widget)) {
        check_minimum (widest);
        return;
    }
    g_autoptr (GString) words = g_string_new (NULL);
    collect_words (widget, words);
    complain (widget, "makes the window wider with %d pixels for “%s”", minimum_width (widget), words->str);
}

/* What a graph draws itself is no label: it says what it left out. */
static void
check_graph (GtkWidget *graph)
{
    guint dropped = rf_graph_face_dropped (rf_graph_get_face (RF_GRAPH (graph)));
    g_autofree char *words = rf_graph_summary (RF_GRAPH (graph));
    if (dropped > 0 && !tight)
        complain (graph, "leaves out %u of its words: “%.60s”", dropped, words);
    n_graphs++;
}

static void
check (GtkWidget *widget)
{
    if (!gtk_widget_get_mapped (widget))
        return;
    const char *icon = GTK_IS_IMAGE (widget) ? gtk_image_get_icon_name (GTK_IMAGE (widget)) : NULL;
    if (icon != NULL && !gtk_icon_theme_has_icon (gtk_icon_theme_get_for_display (gdk_display_get_default ()), icon))
        complain (widget, "there is no icon “%s”", icon);
    if (GTK_IS_LABEL (widget)) {
        check_label (widget);
        check_raw_name (widget);
    } else if (GTK_IS_TEXT (widget))
        check_text (widget);
    else if (RF_IS_GRAPH (widget))
        check_graph (widget);
    else if (GTK_IS_SCROLLED_WINDOW (widget)) {
        GtkAdjustment *h = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (widget));
        if (gtk_adjustment_get_upper (h) > gtk_adjustment_get_page_size (h) + 1)
            complain (widget, "scrolls sideways: %.0f in %.0f", gtk_adjustment_get_upper (h),
                      gtk_adjustment_get_page_size (h));
    }
    /* a slider's knob stands over its edges on purpose */
    if (gtk_widget_get_ancestor (widget, GTK_TYPE_RANGE) == NULL)
        check_place (widget);
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        check (w);
}

static void
check_page (RfTestWindow *self, const char *name, gpointer data)
{
    static const struct {
        int width;
        gboolean large;
        gboolean mirrored;
    } situations[] = {
        {1200, FALSE, FALSE}, {1200, TRUE, FALSE}, {1200, TRUE, TRUE},
        {360, TRUE, FALSE},   {360, FALSE, FALSE}, {360, FALSE, TRUE},
    };
    if (GTK_IS_ABOUT_DIALOG (self->window) || GTK_IS_SHORTCUTS_WINDOW (self->window))
        return; /* laid out by GTK */
    for (guint i = 0; i < G_N_ELEMENTS (situations); i++) {
        gboolean mirrored = situations[i].mirrored, large = situations[i].large;
        int width = situations[i].width;
        gtk_widget_set_default_direction (mirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
        g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", large ? 2 * USUAL_DPI : USUAL_DPI, NULL);
        rf_test_window_resize (self, width, 900);
        g_autofree char *here = g_strdup_printf ("%s, %d pixels wide%s%s", name, width, large ? ", large text" : "",
                                                 mirrored ? ", mirrored" : "");
        situation = here;
        tight = large && width == 360;
        if (gtk_widget_get_width (self->window) > width)
            check_minimum (self->window);
        check (self->window);
    }
    gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
    g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", USUAL_DPI, NULL);
    situation = NULL;
}

static void
take_pictures (RfTestWindow *self, const char *name, gpointer folder)
{
    static const int widths[] = {360, 1200};
    const char *language = g_getenv ("LANGUAGE");
    const char *other = g_getenv ("RF_PICTURES_OTHER"); /* not as usual: "rtl", "large" or "hc" */
    const char *palettes[] = {"light", "dark"};
    if (g_strcmp0 (other, "rtl") == 0)
        gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
    else if (g_strcmp0 (other, "large") == 0)
        g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 2 * USUAL_DPI, NULL);
    else if (g_strcmp0 (other, "hc") == 0)
        palettes[0] = "hc-light", palettes[1] = "hc-dark";
    for (guint p = 0; p < G_N_ELEMENTS (palettes); p++) {
        rf_test_window_set_palette (self, palettes[p]);
        for (guint i = 0; i < G_N_ELEMENTS (widths); i++) {
            g_autoptr (GError) error = NULL;
            g_autofree char *file =
                g_strdup_printf ("%s/%s%s%s-%s-%s-%d.png", (const char *) folder, language != NULL ? language : "en",
                                 other != NULL ? "-" : "", other != NULL ? other : "", name, palettes[p], widths[i]);
            rf_test_window_resize (self, widths[i], 900);
            /* right after a change of colours there may be no frame yet */
            for (guint tries = 0; tries < 20 && !rf_screenshot_save (GTK_WINDOW (self->window), file, NULL); tries++)
                rf_test_window_settle (self);
            rf_screenshot_save (GTK_WINDOW (self->window), file, &error);
            g_assert_no_error (error);
        }
    }
}

static RfTestWindow *window;

static void
walk (RfTestVisit visit, gpointer data)
{
    rf_test_window_live (window, 60, FALSE);
    rf_test_window_walk_monitor (window, visit, data);
    rf_test_window_walk_beside (window, visit, data);
    rf_test_window_walk (window, visit, data);
}

static void
test_clipping (void)
{
    const char *folder = g_getenv ("RF_PICTURES");
    if (folder != NULL) {
        walk (take_pictures, (gpointer) folder);
        return;
    }
    defects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    walk (check_page, NULL);
    GHashTableIter iter;
    gpointer what = NULL, where = NULL;
    g_hash_table_iter_init (&iter, defects);
    while (g_hash_table_iter_next (&iter, &what, &where))
        g_test_message ("%s  (%s)", (char *) what, (char *) where);
    g_assert_cmpuint (g_hash_table_size (defects), ==, 0);
    g_assert_cmpuint (n_graphs, >, 100);
    g_hash_table_unref (defects);
}

int
main (int argc, char **argv)
{
    window = rf_test_window_new (&argc, &argv, "desktop-94g");
    g_test_add_func ("/app/clipping", test_clipping);
    int status = g_test_run ();
    rf_test_window_free (window);
    return status;
}
