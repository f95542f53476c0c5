#define G_LOG_DOMAIN "rf-document-pdf"

#include "config.h"

#include "rf-document-pdf.h"

#include "rf-array.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <gio/gio.h>
#include <pango/pangocairo.h>

/* points */
#define PAGE_WIDTH 595.0
#define PAGE_HEIGHT 842.0
#define MARGIN 50.0
#define WIDTH (PAGE_WIDTH - 2 * MARGIN)
#define FIGURE_HEIGHT 150.0
#define CELL_PADDING 4.0

typedef struct {
    cairo_t *cr;
    double y;
    guint page;
} Sheet;

static cairo_status_t
write_cb (gpointer closure, const unsigned char *data, unsigned int length)
{
    g_byte_array_append (closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

static PangoLayout *
layout_new (cairo_t *cr, const char *font, const char *text, double width)
{
    PangoLayout *layout = pango_cairo_create_layout (cr);
    PangoFontDescription *description = pango_font_description_from_string (font);

    pango_layout_set_font_description (layout, description);
    pango_font_description_free (description);
    pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_width (layout, (int)(width * PANGO_SCALE));
    pango_layout_set_text (layout, text, -1);
    return layout;
}

static double
layout_height (PangoLayout *layout)
{
    int height;

    pango_layout_get_size (layout, NULL, &height);
    return (double)height / PANGO_SCALE;
}

static void
draw_layout (Sheet *sheet, PangoLayout *layout, double x)
{
    cairo_set_source_rgb (sheet->cr, 0.1, 0.1, 0.12);
    cairo_move_to (sheet->cr, x, sheet->y);
    pango_cairo_show_layout (sheet->cr, layout);
}

static void
draw_footer (Sheet *sheet)
{
    g_autofree char *number = g_strdup_printf ("%u", sheet->page);
    PangoLayout *layout = layout_new (sheet->cr, "sans 8", number, WIDTH);

    pango_layout_set_alignment (layout, PANGO_ALIGN_RIGHT);
    cairo_set_source_rgb (sheet->cr, 0.4, 0.4, 0.42);
    cairo_move_to (sheet->cr, MARGIN, PAGE_HEIGHT - MARGIN + 14);
    pango_cairo_show_layout (sheet->cr, layout);
    g_object_unref (layout);
}

static void
next_page (Sheet *sheet)
{
    draw_footer (sheet);
    cairo_show_page (sheet->cr);
    sheet->page++;
    sheet->y = MARGIN;
}

/* What is higher than a page begins on one of its own, and is cut at its end: no text of ours is. */
static void
need (Sheet *sheet, double height)
{
    if (sheet->y + height > PAGE_HEIGHT - MARGIN && sheet->y > MARGIN)
        next_page (sheet);
}

/* Line by line, so that a long paragraph goes on on the next page. */
static void
draw_text (Sheet *sheet, const char *font, const char *text, double before, double together)
{
    PangoLayout *layout = layout_new (sheet->cr, font, text, WIDTH);
    const int lines = pango_layout_get_line_count (layout);

    if (sheet->y > MARGIN)
        sheet->y += before;
    need (sheet, MIN (layout_height (layout), 60) + together);
    for (int i = 0; i < lines; i++) {
        PangoLayoutLine *line = pango_layout_get_line_readonly (layout, i);
        PangoRectangle extents;
        double height;

        pango_layout_line_get_extents (line, NULL, &extents);
        height = (double)extents.height / PANGO_SCALE;
        need (sheet, height);
        cairo_set_source_rgb (sheet->cr, 0.1, 0.1, 0.12);
        cairo_move_to (sheet->cr, MARGIN, sheet->y + (double)-extents.y / PANGO_SCALE);
        pango_cairo_show_layout_line (sheet->cr, line);
        sheet->y += height;
    }
    g_object_unref (layout);
}

/* Columns share the width by what their longest cell wants, so that numbers stay on one line while words wrap. */
static void
column_widths (Sheet *sheet, const RfDocumentBlock *block, double *widths, guint n)
{
    double sum = 0;

    for (guint j = 0; j < n; j++) {
        widths[j] = 30;
        for (guint i = 0; i < block->rows->len; i++) {
            PangoLayout *layout
                = layout_new (sheet->cr, i == 0 ? "sans bold 9" : "sans 9", ((char **)block->rows->pdata[i])[j], 1e5);
            int width;

            pango_layout_get_size (layout, &width, NULL);
            widths[j] = MAX (widths[j], MIN ((double)width / PANGO_SCALE + 2 * CELL_PADDING, WIDTH / 2));
            g_object_unref (layout);
        }
        sum += widths[j];
    }
    for (guint j = 0; j < n; j++)
        widths[j] *= WIDTH / sum;
}

static void
draw_row (Sheet *sheet, const RfDocumentBlock *block, guint row, const double *widths, guint n)
{
    char **cells = block->rows->pdata[row];
    g_autoptr (GPtrArray) layouts = g_ptr_array_new_with_free_func (g_object_unref);
    double height = 0, x = MARGIN;

    for (guint j = 0; j < n; j++) {
        PangoLayout *layout
            = layout_new (sheet->cr, row == 0 ? "sans bold 9" : "sans 9", cells[j], widths[j] - 2 * CELL_PADDING);

        if (j >= block->numeric)
            pango_layout_set_alignment (layout, PANGO_ALIGN_RIGHT);
        height = MAX (height, layout_height (layout));
        g_ptr_array_add (layouts, layout);
    }
    if (sheet->y + height + 2 * CELL_PADDING > PAGE_HEIGHT - MARGIN) {
        next_page (sheet);
        if (row > 0)
            draw_row (sheet, block, 0, widths, n);
    }
    sheet->y += CELL_PADDING;
    for (guint j = 0; j < n; j++) {
        draw_layout (sheet, layouts->pdata[j], x + CELL_PADDING);
        x += widths[j];
    }
    sheet->y += height + CELL_PADDING;
    cairo_set_source_rgb (sheet->cr, 0.75, 0.75, 0.78);
    cairo_set_line_width (sheet->cr, 0.5);
    cairo_move_to (sheet->cr, MARGIN, sheet->y);
    cairo_line_to (sheet->cr, PAGE_WIDTH - MARGIN, sheet->y);
    cairo_stroke (sheet->cr);
}

static void
draw_table (Sheet *sheet, const RfDocumentBlock *block)
{
    const guint n = g_strv_length (block->rows->pdata[0]);
    g_autofree double *widths = rf_new0 (double, n);

    if (block->text != NULL)
        draw_text (sheet, "sans 10", block->text, 8, 40);
    column_widths (sheet, block, widths, n);
    for (guint i = 0; i < block->rows->len; i++)
        draw_row (sheet, block, i, widths, n);
    sheet->y += 8;
}

static void
draw_figure (Sheet *sheet, const RfDocumentBlock *block)
{
    need (sheet, FIGURE_HEIGHT + 40);
    sheet->y += 8;
    cairo_save (sheet->cr);
    cairo_translate (sheet->cr, MARGIN, sheet->y);
    cairo_rectangle (sheet->cr, 0, 0, WIDTH, FIGURE_HEIGHT);
    cairo_clip (sheet->cr);
    block->draw (block->figure, sheet->cr, WIDTH, FIGURE_HEIGHT);
    cairo_restore (sheet->cr);
    sheet->y += FIGURE_HEIGHT;
    draw_text (sheet, "sans 8", block->text, 4, 0);
}

GBytes *
rf_document_to_pdf (const RfDocument *self, GError **error)
{
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (write_cb, bytes, PAGE_WIDTH, PAGE_HEIGHT);
    const GPtrArray *blocks = rf_document_blocks (self);
    Sheet sheet = {.cr = cairo_create (surface), .y = MARGIN, .page = 1};
    cairo_status_t status;

    /* nothing of what came later is needed, and everything that reads PDF reads this */
    cairo_pdf_surface_restrict_to_version (surface, CAIRO_PDF_VERSION_1_4);
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, rf_document_title (self));
    draw_text (&sheet, "sans bold 18", rf_document_title (self), 0, 0);
    for (guint i = 0; i < blocks->len; i++) {
        const RfDocumentBlock *block = blocks->pdata[i];

        switch (block->kind) {
        case RF_DOCUMENT_HEADING:
            draw_text (&sheet, "sans bold 13", block->text, 16, 60);
            break;
        case RF_DOCUMENT_PARAGRAPH:
            draw_text (&sheet, "sans 10", block->text, 8, 0);
            break;
        case RF_DOCUMENT_TABLE:
            draw_table (&sheet, block);
            break;
        case RF_DOCUMENT_FIGURE:
            draw_figure (&sheet, block);
            break;
        }
    }
    draw_footer (&sheet);
    cairo_destroy (sheet.cr);
    cairo_surface_finish (surface);
    status = cairo_surface_status (surface);
    cairo_surface_destroy (surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", cairo_status_to_string (status));
        return NULL;
    }
    return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

char *
rf_document_figure_svg (const RfDocumentBlock *figure)
{
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream (write_cb, bytes, 900, 270);
    cairo_t *cr = cairo_create (surface);

    figure->draw (figure->figure, cr, 900, 270);
    cairo_destroy (cr);
    cairo_surface_finish (surface);
    cairo_surface_destroy (surface);
    return g_strndup ((const char *)bytes->data, bytes->len);
}
