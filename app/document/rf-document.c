#define G_LOG_DOMAIN "rf-document"

#include "config.h"

#include "rf-document.h"

#include <string.h>

struct _RfDocument {
    char *title;
    char *language;
    GPtrArray *blocks;
};

static void
block_free (gpointer data)
{
    RfDocumentBlock *self = data;

    g_free (self->text);
    g_clear_pointer (&self->rows, g_ptr_array_unref);
    if (self->free_figure != NULL)
        self->free_figure (self->figure);
    g_free (self);
}

RfDocument *
rf_document_new (const char *title, const char *language)
{
    RfDocument *self = g_new0 (RfDocument, 1);

    self->title = g_strdup (title);
    self->language = g_strdup (language);
    self->blocks = g_ptr_array_new_with_free_func (block_free);
    return self;
}

void
rf_document_free (RfDocument *self)
{
    g_free (self->title);
    g_free (self->language);
    g_ptr_array_unref (self->blocks);
    g_free (self);
}

static RfDocumentBlock *
add (RfDocument *self, RfDocumentBlockKind kind, const char *text)
{
    RfDocumentBlock *block = g_new0 (RfDocumentBlock, 1);

    block->kind = kind;
    block->text = g_strdup (text);
    g_ptr_array_add (self->blocks, block);
    return block;
}

void
rf_document_add_heading (RfDocument *self, const char *text)
{
    add (self, RF_DOCUMENT_HEADING, text);
}

void
rf_document_add_paragraph (RfDocument *self, const char *text)
{
    add (self, RF_DOCUMENT_PARAGRAPH, text);
}

void
rf_document_add_table (RfDocument *self, const char *caption, const char *const *titles, guint numeric)
{
    RfDocumentBlock *block = add (self, RF_DOCUMENT_TABLE, caption);

    block->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
    block->numeric = numeric;
    g_ptr_array_add (block->rows, g_strdupv ((char **)titles));
}

void
rf_document_add_row (RfDocument *self, const char *const *cells)
{
    RfDocumentBlock *block = self->blocks->len > 0 ? self->blocks->pdata[self->blocks->len - 1] : NULL;

    g_return_if_fail (block != NULL && block->kind == RF_DOCUMENT_TABLE);
    g_return_if_fail (g_strv_length ((char **)cells) == g_strv_length (block->rows->pdata[0]));

    g_ptr_array_add (block->rows, g_strdupv ((char **)cells));
}

void
rf_document_add_figure (RfDocument *self, const char *caption, RfFigureDraw draw, gpointer figure,
                        GDestroyNotify free_figure)
{
    RfDocumentBlock *block = add (self, RF_DOCUMENT_FIGURE, caption);

    block->draw = draw;
    block->figure = figure;
    block->free_figure = free_figure;
}

const char *
rf_document_title (const RfDocument *self)
{
    return self->title;
}

const GPtrArray *
rf_document_blocks (const RfDocument *self)
{
    return self->blocks;
}

/* ---- HTML ---- */

static const char style[]
    = ":root{color-scheme:light dark}"
      "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
      "h1{font-size:1.7em;line-height:1.2}h2{font-size:1.2em;margin-top:2em}"
      "table{border-collapse:collapse;width:100%}"
      "caption{text-align:left;padding-bottom:.5em}"
      "th,td{text-align:left;padding:.4em .8em .4em 0;border-bottom:1px solid #8886;vertical-align:top}"
      ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
      "figure{margin:1.5em 0}figcaption{opacity:.8;font-size:.9em}"
      "img{width:100%;height:auto;background:#fff;border-radius:8px}"
      ".t{overflow-x:auto}";

static void
append_html (GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text (text, -1);

    g_string_append (out, escaped);
}

static void
append_element (GString *out, const char *element, const char *text)
{
    g_string_append_printf (out, "<%s>", element);
    append_html (out, text);
    g_string_append_printf (out, "</%s>\n", element);
}

static void
append_html_table (GString *out, const RfDocumentBlock *block)
{
    g_string_append (out, "<div class=\"t\"><table>\n");
    if (block->text != NULL)
        append_element (out, "caption", block->text);
    for (guint i = 0; i < block->rows->len; i++) {
        char **cells = block->rows->pdata[i];

        g_string_append (out, "<tr>");
        for (guint j = 0; cells[j] != NULL; j++) {
            const char *element = i == 0 ? "th" : "td";

            g_string_append_printf (out, "<%s%s%s>", element, j >= block->numeric ? " class=\"n\"" : "",
                                    i == 0 ? " scope=\"col\"" : "");
            append_html (out, cells[j]);
            g_string_append_printf (out, "</%s>", element);
        }
        g_string_append (out, "</tr>\n");
    }
    g_string_append (out, "</table></div>\n");
}

/* As a picture of its own: what names something within one would otherwise be mixed up with the same name in the next.
 */
static void
append_picture (GString *out, const char *svg, const char *alt)
{
    g_autofree char *data = g_base64_encode ((const guchar *)svg, strlen (svg));

    g_string_append_printf (out, "<img src=\"data:image/svg+xml;base64,%s\" alt=\"", data);
    append_html (out, alt);
    g_string_append (out, "\">\n");
}

char *
rf_document_to_html (const RfDocument *self, RfFigureSvg svg)
{
    g_autoptr (GString) out = g_string_new ("<!DOCTYPE html>\n<html lang=\"");

    append_html (out, self->language);
    g_string_append (out, "\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    append_element (out, "title", self->title);
    g_string_append_printf (out, "<style>%s</style>\n</head>\n<body>\n", style);
    append_element (out, "h1", self->title);
    for (guint i = 0; i < self->blocks->len; i++) {
        const RfDocumentBlock *block = self->blocks->pdata[i];
        g_autofree char *picture = NULL;

        switch (block->kind) {
        case RF_DOCUMENT_HEADING:
            append_element (out, "h2", block->text);
            break;
        case RF_DOCUMENT_PARAGRAPH:
            append_element (out, "p", block->text);
            break;
        case RF_DOCUMENT_TABLE:
            append_html_table (out, block);
            break;
        case RF_DOCUMENT_FIGURE:
            picture = svg != NULL ? svg (block) : NULL;
            g_string_append (out, "<figure>\n");
            if (picture != NULL)
                append_picture (out, picture, block->text);
            append_element (out, "figcaption", block->text);
            g_string_append (out, "</figure>\n");
            break;
        }
    }
    g_string_append (out, "</body>\n</html>\n");
    return g_string_free (g_steal_pointer (&out), FALSE);
}

/* ---- Markdown ---- */

/* Whatever means something in Markdown or in the HTML that it lets through, and line breaks, which would end a table.
 */
static void
append_markdown (GString *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\n' || *p == '\r')
            g_string_append_c (out, ' ');
        else if (strchr ("\\`*_{}[]<>#|~&!", *p) != NULL)
            g_string_append_printf (out, "\\%c", *p);
        else
            g_string_append_c (out, *p);
    }
}

static void
append_markdown_table (GString *out, const RfDocumentBlock *block)
{
    for (guint i = 0; i < block->rows->len; i++) {
        char **cells = block->rows->pdata[i];

        g_string_append (out, "|");
        for (guint j = 0; cells[j] != NULL; j++) {
            g_string_append_c (out, ' ');
            append_markdown (out, cells[j]);
            g_string_append (out, " |");
        }
        g_string_append_c (out, '\n');
        if (i > 0)
            continue;
        g_string_append (out, "|");
        for (guint j = 0; cells[j] != NULL; j++)
            g_string_append (out, j >= block->numeric ? "---:|" : "---|");
        g_string_append_c (out, '\n');
    }
}

char *
rf_document_to_markdown (const RfDocument *self)
{
    g_autoptr (GString) out = g_string_new ("# ");

    append_markdown (out, self->title);
    g_string_append_c (out, '\n');
    for (guint i = 0; i < self->blocks->len; i++) {
        const RfDocumentBlock *block = self->blocks->pdata[i];

        g_string_append_c (out, '\n');
        if (block->kind == RF_DOCUMENT_HEADING)
            g_string_append (out, "## ");
        if (block->text != NULL) {
            append_markdown (out, block->text);
            g_string_append_c (out, '\n');
        }
        if (block->kind != RF_DOCUMENT_TABLE)
            continue;
        if (block->text != NULL)
            g_string_append_c (out, '\n');
        append_markdown_table (out, block);
    }
    return g_string_free (g_steal_pointer (&out), FALSE);
}

/* ---- CSV ---- */

/* RFC 4180; and a spreadsheet must not take a text for a formula. */
static void
append_csv (GString *out, const char *text)
{
    /* "-43" is a number, "-SUM(A1)" and "=1+1" are not */
    const gboolean formula
        = strchr ("=+-@\t\r", text[0]) != NULL && text[0] != '\0' && (text[0] == '=' || !g_ascii_isdigit (text[1]));
    const gboolean quoted = formula || strpbrk (text, ",\"\r\n;") != NULL;

    if (quoted)
        g_string_append_c (out, '"');
    if (formula)
        g_string_append_c (out, '\'');
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"')
            g_string_append_c (out, '"');
        g_string_append_c (out, *p);
    }
    if (quoted)
        g_string_append_c (out, '"');
}

char *
rf_document_to_csv (const RfDocument *self)
{
    g_autoptr (GString) out = g_string_new (NULL);

    for (guint i = 0; i < self->blocks->len; i++) {
        const RfDocumentBlock *block = self->blocks->pdata[i];

        if (block->kind != RF_DOCUMENT_TABLE)
            continue;
        if (out->len > 0)
            g_string_append (out, "\r\n");
        for (guint r = 0; r < block->rows->len; r++) {
            char **cells = block->rows->pdata[r];

            for (guint j = 0; cells[j] != NULL; j++) {
                if (j > 0)
                    g_string_append_c (out, ',');
                append_csv (out, cells[j]);
            }
            g_string_append (out, "\r\n");
        }
    }
    return g_string_free (g_steal_pointer (&out), FALSE);
}
