/* A document (rf-document.h) by cairo: as PDF, and its figures as SVG for the HTML file. */
#pragma once

#include "rf-document.h"

G_BEGIN_DECLS

/** rf_document_to_pdf: A4. Returns: (transfer full) (nullable): the file; NULL with an error if cairo cannot */
GBytes *rf_document_to_pdf (const RfDocument *self, GError **error);
/** rf_document_figure_svg: an RfFigureSvg for rf_document_to_html() */
char *rf_document_figure_svg (const RfDocumentBlock *figure);

G_END_DECLS
