/* A short document made of headings, paragraphs, tables and figures, to be written as HTML (one file), Markdown (for
 * forums) or PDF (rf-document-pdf). Texts are given in the reader's language and as they are; the writers escape them.
 * Pure; this part knows neither GTK nor cairo, so the terminal client has it, too. One thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    RF_DOCUMENT_HEADING,
    RF_DOCUMENT_PARAGRAPH,
    RF_DOCUMENT_TABLE,
    RF_DOCUMENT_FIGURE,
} RfDocumentBlockKind;

/** RfFigureDraw: paints a figure on a cairo context, in points */
typedef void (*RfFigureDraw) (gpointer figure, gpointer cairo, double width, double height);

/**
 * RfDocumentBlock:
 * @text: heading, paragraph, caption of a table (nullable) or of a figure
 * @rows: (nullable) (element-type GStrv): of a table; the first one are the titles of the columns
 * @numeric: from which column on a table has numbers
 * @draw, @figure: of a figure
 */
typedef struct {
    RfDocumentBlockKind kind;
    char *text;
    GPtrArray *rows;
    guint numeric;
    RfFigureDraw draw;
    gpointer figure;
    GDestroyNotify free_figure;
} RfDocumentBlock;

typedef struct _RfDocument RfDocument;

/** rf_document_new: @title: of the whole; @language: "de", for hyphens and screen readers */
RfDocument *rf_document_new (const char *title, const char *language);
void rf_document_free (RfDocument *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfDocument, rf_document_free)

void rf_document_add_heading (RfDocument *self, const char *text);
void rf_document_add_paragraph (RfDocument *self, const char *text);
/** rf_document_add_table: @titles: NULL-terminated; rows follow. @numeric: columns from there on have numbers */
void rf_document_add_table (RfDocument *self, const char *caption, const char *const *titles, guint numeric);
/** rf_document_add_row: @cells: as many as the table has titles */
void rf_document_add_row (RfDocument *self, const char *const *cells);
/** rf_document_add_figure: @caption: says what is to be seen, also to those who cannot; @figure: (transfer full) */
void rf_document_add_figure (RfDocument *self, const char *caption, RfFigureDraw draw, gpointer figure,
                             GDestroyNotify free_figure);

const char *rf_document_title (const RfDocument *self);
/** rf_document_blocks: Returns: (transfer none) (element-type RfDocumentBlock) */
const GPtrArray *rf_document_blocks (const RfDocument *self);

/** RfFigureSvg: Returns: (transfer full) (nullable): a figure as the text of an SVG file */
typedef char *(*RfFigureSvg) (const RfDocumentBlock *figure);

/** rf_document_to_html: Returns: (transfer full): one file without anything from elsewhere; @svg: (nullable): figures
 * are left out without it, their captions stay */
char *rf_document_to_html (const RfDocument *self, RfFigureSvg svg);
/** rf_document_to_markdown: Returns: (transfer full): with tables as GitHub and Discourse have them; figures are their
 * captions */
char *rf_document_to_markdown (const RfDocument *self);
/** rf_document_to_csv: Returns: (transfer full): all tables, an empty line between them */
char *rf_document_to_csv (const RfDocument *self);

G_END_DECLS
