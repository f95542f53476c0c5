/* Can everything be read? Text needs a contrast of 4.5 to what is behind it, lines need 3 (WCAG 2.1, 1.4.3 and 1.4.11), in
 * all four palettes. Three ways, because none sees everything: every colour of the palettes has a role here, with what it
 * stands on; every rule of the stylesheet that names a colour of text and one behind it; and every text that is really
 * drawn on any page of the window. Colours are those that GTK resolved. */
#include "config.h"

#include "rf-compat.h"
#include "rf-graph-face.h"
#include "rf-test-window.h"

#include <math.h>
#include <string.h>

#define TEXT 4.5
#define LINE 3.0
#define MAX_GROUNDS 12

static const char *const palettes[] = {"light", "dark", "hc-light", "hc-dark"};

/* What a colour has to be told from. "a/b" is the half-transparent a over b. */
static const struct {
    const char *name; /* of the palettes, without "rf_" */
    double least;     /* 0: it is a ground or a decoration, and stands among the others' grounds or says why not */
    const char *on[MAX_GROUNDS + 1];
    const char *reason;
} roles[] = {
    {"fg", TEXT, {"window_bg", "header_bg", "sidebar_bg", "card_bg", "button_bg", "button_hover_bg", "good_bg",
                  "warning_bg", "danger_bg", "hover_bg/card_bg", "selected_bg/card_bg", "selected_bg/sidebar_bg"}, NULL},
    {"dim", TEXT, {"window_bg", "header_bg", "sidebar_bg", "card_bg", "hover_bg/card_bg", "hover_bg/sidebar_bg"}, NULL},
    {"accent", TEXT, {"window_bg", "card_bg"}, NULL},
    {"good", TEXT, {"window_bg", "card_bg"}, NULL},
    {"warning", TEXT, {"window_bg", "card_bg"}, NULL},
    {"danger", TEXT, {"window_bg", "card_bg", "button_bg", "button_hover_bg"}, NULL},
    {"accent_fg", TEXT, {"accent_bg", "accent_hover_bg"}, NULL},
    {"danger_solid_fg", TEXT, {"danger_solid"}, NULL},
    /* lines of graphs are named in their own colour, so they are text, too */
    {"line_1", TEXT, {"card_bg"}, NULL},
    {"line_2", TEXT, {"card_bg"}, NULL},
    {"line_3", TEXT, {"card_bg"}, NULL},
    {"line_4", TEXT, {"card_bg"}, NULL},
    {"line_5", TEXT, {"card_bg"}, NULL},
    {"line_6", TEXT, {"card_bg"}, NULL},
    {"line_7", TEXT, {"card_bg"}, NULL},
    {"line_8", TEXT, {"card_bg"}, NULL},
    {"mark", TEXT, {"card_bg"}, NULL},
    {"focus", LINE, {"window_bg", "header_bg", "sidebar_bg", "card_bg", "hover_bg/sidebar_bg"}, NULL},
    {"window_bg", 0, {NULL}, NULL},
    {"header_bg", 0, {NULL}, NULL},
    {"sidebar_bg", 0, {NULL}, NULL},
    {"card_bg", 0, {NULL}, NULL},
    {"button_bg", 0, {NULL}, NULL},
    {"button_hover_bg", 0, {NULL}, NULL},
    {"hover_bg", 0, {NULL}, NULL},
    {"selected_bg", 0, {NULL}, NULL},
    {"accent_bg", 0, {NULL}, NULL},
    {"accent_hover_bg", 0, {NULL}, NULL},
    {"good_bg", 0, {NULL}, NULL},
    {"warning_bg", 0, {NULL}, NULL},
    {"danger_bg", 0, {NULL}, NULL},
    {"danger_solid", 0, {NULL}, NULL},
    {"border", 0, {NULL}, "the edge of a card; what is in it says the same"},
    {"pill_border", 0, {NULL}, "the edge of a verdict, whose words say it"},
    {"grid", 0, {NULL}, "lines that must not be taken for data"},
    {"shadow", 0, {NULL}, "below the unfolded list of pages"},
    {"scrim", 0, {NULL}, "over the page that is put aside"},
};

static RfTestWindow *window;
static GString *defects;

static double
channel (double c)
{
    return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
luminance (const GdkRGBA *c)
{
    return 0.2126 * channel (c->red) + 0.7152 * channel (c->green) + 0.0722 * channel (c->blue);
}

static GdkRGBA
over (GdkRGBA top, GdkRGBA ground)
{
    float a = top.alpha;
    return (GdkRGBA){top.red * a + ground.red * (1 - a), top.green * a + ground.green * (1 - a),
                     top.blue * a + ground.blue * (1 - a), 1};
}

static double
contrast (GdkRGBA top, GdkRGBA ground)
{
    GdkRGBA seen = over (top, ground);
    double a = luminance (&seen), b = luminance (&ground);
    return (MAX (a, b) + 0.05) / (MIN (a, b) + 0.05);
}

static void
need (double least, GdkRGBA top, GdkRGBA ground, const char *what)
{
    double has = contrast (top, ground);
    if (has >= least)
        return;
    g_autofree char *a = gdk_rgba_to_string (&top), *b = gdk_rgba_to_string (&ground);
    g_autofree char *line = g_strdup_printf ("%s: %.2f instead of %.1f (%s on %s)", what, has, least, a, b);
    if (strstr (defects->str, what) == NULL)
        g_string_append_printf (defects, "%s\n", line);
}

static void
assert_none (void)
{
    g_auto (GStrv) lines = g_strsplit (defects->str, "\n", -1);
    for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
        g_test_message ("%s", lines[i]);
    g_assert_cmpstr (defects->str, ==, "");
}

static GdkRGBA
named (const char *name)
{
    g_autofree char *full = g_strconcat ("rf_", name, NULL);
    GdkRGBA color;
    g_assert_true (gtk_style_context_lookup_color (gtk_widget_get_style_context (window->window), full, &color));
    return color;
}

static GdkRGBA
ground_of (const char *path)
{
    g_auto (GStrv) parts = g_strsplit (path, "/", 2);
    GdkRGBA color = named (parts[0]);
    if (parts[1] != NULL)
        color = over (color, named (parts[1]));
    g_assert_cmpfloat (color.alpha, ==, 1);
    return color;
}

/* Names behind @mark in a file of the resources, up to the next character that no name has. */
static GPtrArray *
names_in (const char *file, const char *mark)
{
    GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
    g_autofree char *path = g_strconcat ("/io/github/ruckelfrei/Ruckelfrei/", file, NULL);
    g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
    g_assert_nonnull (bytes);
    for (const char *p = g_bytes_get_data (bytes, NULL); (p = strstr (p, mark)) != NULL;) {
        p += strlen (mark);
        g_ptr_array_add (names, g_strndup (p, strspn (p, "abcdefghijklmnopqrstuvwxyz_0123456789")));
    }
    g_assert_cmpuint (names->len, >, 20);
    return names;
}

static gboolean
is_ground_of_some (const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
        for (guint on = 0; roles[i].on[on] != NULL; on++) {
            g_auto (GStrv) parts = g_strsplit (roles[i].on[on], "/", 2);
            if (g_strv_contains ((const char *const *) parts, name))
                return TRUE;
        }
    return FALSE;
}

static void
test_roles (void)
{
    g_autoptr (GPtrArray) names = names_in ("palette-light.css", "@define-color rf_");
    for (guint n = 0; n < names->len; n++) {
        guint i = 0;
        while (i < G_N_ELEMENTS (roles) && !g_str_equal (roles[i].name, g_ptr_array_index (names, n)))
            i++;
        if (i == G_N_ELEMENTS (roles))
            g_error ("rf_%s has no role here", (char *) g_ptr_array_index (names, n));
        if (roles[i].least == 0 && roles[i].reason == NULL && !is_ground_of_some (roles[i].name))
            g_error ("nothing stands on rf_%s", roles[i].name);
    }
    defects = g_string_new (NULL);
    for (guint p = 0; p < G_N_ELEMENTS (palettes); p++) {
        rf_test_window_set_palette (window, palettes[p]);
        for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
            for (guint on = 0; roles[i].on[on] != NULL; on++) {
                g_autofree char *what = g_strdup_printf ("%s: %s on %s", palettes[p], roles[i].name, roles[i].on[on]);
                need (roles[i].least, named (roles[i].name), ground_of (roles[i].on[on]), what);
            }
        /* below the first line of a graph lies its own colour, thinly */
        for (guint i = 0; i < G_N_ELEMENTS (roles); i++) {
            if (!g_str_has_prefix (roles[i].name, "line_") && !g_str_equal (roles[i].name, "mark"))
                continue;
            GdkRGBA fill = named ("line_1");
            fill.alpha = (float) RF_GRAPH_FILL_ALPHA;
            g_autofree char *what = g_strdup_printf ("%s: %s over the filled graph", palettes[p], roles[i].name);
            need (LINE, named (roles[i].name), over (fill, named ("card_bg")), what);
        }
    }
    assert_none ();
    g_string_free (defects, TRUE);
}

/* The value of a property in one block of the stylesheet, if it is a colour of the palettes: "color: @rf_fg;" */
static char *
color_in (const char *block, const char *property)
{
    g_autofree char *start = g_strdup_printf ("\n    %s: @rf_", property);
    const char *at = strstr (block, start);
    if (at == NULL)
        return NULL;
    at += strlen (start);
    return g_strndup (at, strspn (at, "abcdefghijklmnopqrstuvwxyz_0123456789"));
}

static void
test_rules (void)
{
    g_autoptr (GBytes) bytes = g_resources_lookup_data ("/io/github/ruckelfrei/Ruckelfrei/style.css", 0, NULL);
    g_auto (GStrv) blocks = g_strsplit (g_bytes_get_data (bytes, NULL), "}", -1);
    guint pairs = 0;
    defects = g_string_new (NULL);
    for (guint p = 0; p < G_N_ELEMENTS (palettes); p++) {
        rf_test_window_set_palette (window, palettes[p]);
        for (guint i = 0; blocks[i] != NULL; i++) {
            g_autofree char *text = color_in (blocks[i], "color");
            g_autofree char *ground = color_in (blocks[i], "background");
            if (ground == NULL)
                ground = color_in (blocks[i], "background-color");
            if (text == NULL || ground == NULL)
                continue;
            pairs++;
            GdkRGBA behind = over (named (ground), named ("card_bg"));
            g_autofree char *what = g_strdup_printf ("%s: %s on %s in one rule", palettes[p], text, ground);
            need (TEXT, named (text), behind, what);
        }
    }
    g_assert_cmpuint (pairs, >=, 4 * 8);
    assert_none ();
    g_string_free (defects, TRUE);
}

/* What is drawn: the picture of the window without its text, and for each piece of text where it stands. */

typedef struct {
    GdkRGBA color;
    graphene_rect_t bounds;
} Piece;

static GskRenderNode *take_text (GskRenderNode *node, GskTransform *transform, graphene_rect_t clip, GArray *pieces);

static void
take_piece (GskRenderNode *node, GskTransform *transform, const graphene_rect_t *clip, GArray *pieces)
{
    graphene_rect_t bounds;
    Piece piece = {.color = *gsk_text_node_get_color (node)};
    gsk_render_node_get_bounds (node, &bounds);
    gsk_transform_transform_bounds (transform, &bounds, &piece.bounds);
    if (graphene_rect_contains_rect (clip, &piece.bounds))
        g_array_append_val (pieces, piece);
}

static GskRenderNode *
take_from_container (GskRenderNode *node, GskTransform *transform, graphene_rect_t clip, GArray *pieces)
{
    g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func ((GDestroyNotify) gsk_render_node_unref);
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++) {
        GskRenderNode *child = take_text (gsk_container_node_get_child (node, i), transform, clip, pieces);
        if (child != NULL)
            g_ptr_array_add (left, child);
    }
    return gsk_container_node_new ((GskRenderNode **) left->pdata, left->len);
}

static graphene_rect_t
clipped (GskTransform *transform, const graphene_rect_t *by, const graphene_rect_t *clip)
{
    graphene_rect_t placed, both;
    gsk_transform_transform_bounds (transform, by, &placed);
    return graphene_rect_intersection (&placed, clip, &both) ? both : *graphene_rect_zero ();
}

/* Returns: (transfer full) (nullable): @node without its text, NULL if it is text */
static GskRenderNode *
take_text (GskRenderNode *node, GskTransform *transform, graphene_rect_t clip, GArray *pieces)
{
    g_autoptr (GskRenderNode) child = NULL;
    g_autoptr (GskTransform) inner = NULL;
    switch (gsk_render_node_get_node_type (node)) {
    case GSK_TEXT_NODE:
        take_piece (node, transform, &clip, pieces);
        return NULL;
    case GSK_CONTAINER_NODE:
        return take_from_container (node, transform, clip, pieces);
    case GSK_TRANSFORM_NODE:
        inner = gsk_transform_transform (gsk_transform_ref (transform),
                                         gsk_transform_ref (gsk_transform_node_get_transform (node)));
        child = take_text (gsk_transform_node_get_child (node), inner, clip, pieces);
        return child != NULL ? gsk_transform_node_new (child, gsk_transform_node_get_transform (node)) : NULL;
    case GSK_CLIP_NODE:
        clip = clipped (transform, gsk_clip_node_get_clip (node), &clip);
        child = take_text (gsk_clip_node_get_child (node), transform, clip, pieces);
        return child != NULL ? gsk_clip_node_new (child, gsk_clip_node_get_clip (node)) : NULL;
    case GSK_ROUNDED_CLIP_NODE:
        clip = clipped (transform, &gsk_rounded_clip_node_get_clip (node)->bounds, &clip);
        child = take_text (gsk_rounded_clip_node_get_child (node), transform, clip, pieces);
        return child != NULL ? gsk_rounded_clip_node_new (child, gsk_rounded_clip_node_get_clip (node)) : NULL;
    case GSK_DEBUG_NODE:
        return take_text (gsk_debug_node_get_child (node), transform, clip, pieces);
    default: /* drawings; and what is half transparent because it cannot be used now */
        return gsk_render_node_ref (node);
    }
}

/* The colour that most of the place has: a line of a graph that runs through a word is not its ground. */
static GdkRGBA
ground_at (const guint32 *pixels, int width, int height, const graphene_rect_t *bounds)
{
    g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
    guint32 most = 0;
    guint best = 0;
    for (int y = MAX (0, (int) bounds->origin.y); y < MIN (height, bounds->origin.y + bounds->size.height); y++)
        for (int x = MAX (0, (int) bounds->origin.x); x < MIN (width, bounds->origin.x + bounds->size.width); x++) {
            guint32 pixel = pixels[y * width + x];
            guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (pixel))) + 1;
            g_hash_table_insert (counts, GUINT_TO_POINTER (pixel), GUINT_TO_POINTER (n));
            if (n > best) {
                best = n;
                most = pixel;
            }
        }
    return (GdkRGBA){(float) (most >> 16 & 255) / 255, (float) (most >> 8 & 255) / 255, (float) (most & 255) / 255, 1};
}

static guint n_pieces;

static void
check_picture (RfTestWindow *self, const char *name, const char *palette)
{
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (self->window);
    int width = gtk_widget_get_width (self->window), height = gtk_widget_get_height (self->window);
    g_autoptr (GskRenderNode) node = NULL;
    /* right after a change of colours there may be no frame yet */
    for (guint tries = 0; node == NULL && tries < 20; tries++) {
        GtkSnapshot *snapshot = gtk_snapshot_new ();
        rf_test_window_settle (self);
        gdk_paintable_snapshot (paintable, snapshot, width, height);
        node = gtk_snapshot_free_to_node (snapshot);
    }
    g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
    graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);
    g_autoptr (GskTransform) start = gsk_transform_new ();
    g_assert_nonnull (node);
    g_autoptr (GskRenderNode) bare = take_text (node, start, all, pieces);
    GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (self->window));
    g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (renderer, bare, &all);
    g_autofree guint32 *pixels = g_new (guint32, (gsize) width * (gsize) height);
    gdk_texture_download (texture, (guchar *) pixels, (gsize) width * 4); /* as cairo has it: 0xAARRGGBB */
    g_assert_cmpuint (pieces->len, >, 3);
    for (guint i = 0; i < pieces->len; i++) {
        const Piece *piece = &g_array_index (pieces, Piece, i);
        graphene_point_t middle;
        graphene_rect_get_center (&piece->bounds, &middle);
        GtkWidget *widget =
            gtk_widget_pick (self->window, middle.x, middle.y, GTK_PICK_INSENSITIVE | GTK_PICK_NON_TARGETABLE);
        /* what cannot be used now may be faint */
        if (widget != NULL && !gtk_widget_is_sensitive (widget))
            continue;
        const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "";
        g_autofree char *some = g_utf8_substring (text, 0, MIN (30, g_utf8_strlen (text, -1)));
        g_autofree char *what = g_strdup_printf ("%s, %s, %s “%s”", palette, name,
                                                 widget != NULL ? G_OBJECT_TYPE_NAME (widget) : "-", some);
        need (TEXT, piece->color, ground_at (pixels, width, height, &piece->bounds), what);
        n_pieces++;
    }
}

/* What graphs draw themselves is no text node: drawn again here, with the colours of the window, over a graph that fills
 * its plot. The words of thresholds and marks stand on the fill and beside the bands. */

static RfGraphColor
graph_color (const char *name)
{
    GdkRGBA color = named (name);
    return (RfGraphColor){(double) color.red, (double) color.green, (double) color.blue, (double) color.alpha};
}

static void
check_graph (const char *palette, double level)
{
    enum { WIDTH = 400, HEIGHT = 260 };
    static const char *const names[] = {"danger", "warning", "mark", "dim"};
    RfGraphStyle style = {
        .grid = graph_color ("grid"), .warning = graph_color ("warning"), .danger = graph_color ("danger"),
        .mark = graph_color ("mark"), .text = graph_color ("dim"), .ground = graph_color ("card_bg"),
        .line_width = RF_GRAPH_LINE_WIDTH, .fill_alpha = RF_GRAPH_FILL_ALPHA,
    };
    for (guint i = 0; i < RF_GRAPH_MAX_LINES; i++)
        style.line[i] = graph_color ("line_1");
    g_autoptr (RfSeries) series = rf_series_new (300);
    g_autoptr (RfMarks) marks = rf_marks_new ();
    PangoContext *context = gtk_widget_create_pango_context (window->window);
    RfGraphFace face;
    rf_graph_face_init (&face, RF_MEASURE_PLAIN);
    rf_graph_face_add_line (&face, series, NULL);
    rf_graph_face_set_marks (&face, marks);
    for (guint i = 0; i < 300; i++)
        rf_series_push (series, level);
    rf_marks_add (marks, 150, RF_MARK_APPLIED, "applied");
    face.interval_ms = 1000;
    face.floor = 100;
    face.view.threshold[0] = 20, face.view.danger[0] = TRUE, face.view.band[0] = RF_GRAPH_BAND_BELOW;
    face.view.threshold[1] = 60;
    face.threshold_label[0] = g_strdup ("danger"), face.threshold_label[1] = g_strdup ("warning");
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
    cairo_t *cr = cairo_create (surface);
    cairo_set_source_rgb (cr, style.ground.red, style.ground.green, style.ground.blue);
    cairo_paint (cr);
    rf_graph_face_draw (&face, cr, context, WIDTH, HEIGHT, 1, &style);
    cairo_surface_flush (surface);
    guint count = 0;
    const RfGraphBox *box = rf_graph_face_boxes (&face, &count);
    g_assert_cmpuint (rf_graph_face_dropped (&face), ==, 0);
    g_assert_cmpuint (count, >=, 7); /* top, thresholds, mark, times, grid */
    for (guint i = 0; i < count; i++) {
        graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) box[i].x, (float) box[i].y, (float) box[i].width,
                                                     (float) box[i].height);
        GdkRGBA ground = ground_at ((const guint32 *) cairo_image_surface_get_data (surface), WIDTH, HEIGHT, &bounds);
        for (guint n = 0; n < G_N_ELEMENTS (names); n++) {
            g_autofree char *what = g_strdup_printf ("%s: %s in a graph at %.0f, %.0f over a line at %.0f", palette,
                                                     names[n], box[i].x, box[i].y, level);
            need (TEXT, named (names[n]), ground, what);
        }
    }
    g_object_unref (context);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
    rf_graph_face_clear (&face);
}

static void
test_graphs (void)
{
    static const double levels[] = {5, 40, 98}; /* in the band, between, above all words */
    defects = g_string_new (NULL);
    for (guint p = 0; p < G_N_ELEMENTS (palettes); p++) {
        rf_test_window_set_palette (window, palettes[p]);
        for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
            check_graph (palettes[p], levels[i]);
    }
    assert_none ();
    g_string_free (defects, TRUE);
}

static void
check_page (RfTestWindow *self, const char *name, gpointer data)
{
    for (guint p = 0; p < G_N_ELEMENTS (palettes); p++) {
        rf_test_window_set_palette (self, palettes[p]);
        check_picture (self, name, palettes[p]);
    }
}

static void
test_drawn (void)
{
    defects = g_string_new (NULL);
    rf_test_window_resize (window, 1200, 900);
    rf_test_window_live (window, 60, FALSE);
    rf_test_window_walk_monitor (window, check_page, NULL);
    rf_test_window_walk_beside (window, check_page, NULL);
    rf_test_window_walk (window, check_page, NULL);
    g_assert_cmpuint (n_pieces, >, 1000); /* else this test has forgotten how GTK draws text */
    assert_none ();
    g_string_free (defects, TRUE);
}

int
main (int argc, char **argv)
{
    window = rf_test_window_new (&argc, &argv, "desktop-94g");
    g_test_add_func ("/app/contrast/roles", test_roles);
    g_test_add_func ("/app/contrast/rules", test_rules);
    g_test_add_func ("/app/contrast/graphs", test_graphs);
    g_test_add_func ("/app/contrast/drawn", test_drawn);
    int status = g_test_run ();
    rf_test_window_free (window);
    return status;
}
