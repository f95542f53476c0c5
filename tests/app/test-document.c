/* Documents: what means something in HTML, Markdown or a spreadsheet is text all the same; tables keep their form. */
#include "config.h"

#include <string.h>

#include "rf-document.h"

static RfDocument *
make (void)
{
    RfDocument *self = rf_document_new ("Before & after", "de");
    const char *titles[] = {"Number", "before", "after", NULL};
    const char *plain[] = {"Stalls", "1,284", "3", NULL};
    const char *nasty[] = {"<script>a|b`c`</script>", "=1+1", "two\nlines \"quoted\"", NULL};

    rf_document_add_paragraph (self, "5 < 6 & [a](b)");
    rf_document_add_heading (self, "All *numbers*");
    rf_document_add_table (self, NULL, titles, 1);
    rf_document_add_row (self, plain);
    rf_document_add_row (self, nasty);
    rf_document_add_figure (self, "A \"figure\" of <it>", NULL, NULL, NULL);
    return self;
}

static char *
svg (const RfDocumentBlock *figure)
{
    return g_strdup ("<svg id=\"a\"/>");
}

static void
test_html (void)
{
    g_autoptr (RfDocument) document = make ();
    g_autofree char *html = rf_document_to_html (document, svg);
    g_autofree char *without = rf_document_to_html (document, NULL);

    g_assert_nonnull (strstr (html, "<html lang=\"de\">"));
    g_assert_nonnull (strstr (html, "<title>Before &amp; after</title>"));
    g_assert_nonnull (strstr (html, "<p>5 &lt; 6 &amp; [a](b)</p>"));
    g_assert_nonnull (strstr (html, "<td>&lt;script&gt;a|b`c`&lt;/script&gt;</td>"));
    g_assert_null (strstr (html, "<script"));
    g_assert_nonnull (strstr (html, "<th class=\"n\" scope=\"col\">before</th>"));
    /* the figure is a picture of its own with words for those who cannot see it, and nothing comes from elsewhere */
    g_assert_nonnull (strstr (html, "<img src=\"data:image/svg+xml;base64,PHN2ZyBpZD0iYSIvPg==\""));
    g_assert_nonnull (strstr (html, "alt=\"A &quot;figure&quot; of &lt;it&gt;\""));
    g_assert_null (strstr (html, "http"));
    g_assert_null (strstr (without, "<img"));
    g_assert_nonnull (strstr (without, "<figcaption>A &quot;figure&quot; of &lt;it&gt;</figcaption>"));
}

static void
test_markdown (void)
{
    g_autoptr (RfDocument) document = make ();
    g_autofree char *text = rf_document_to_markdown (document);

    g_assert_cmpstr (text, ==,
                     "# Before \\& after\n"
                     "\n"
                     "5 \\< 6 \\& \\[a\\](b)\n"
                     "\n"
                     "## All \\*numbers\\*\n"
                     "\n"
                     "| Number | before | after |\n"
                     "|---|---:|---:|\n"
                     "| Stalls | 1,284 | 3 |\n"
                     "| \\<script\\>a\\|b\\`c\\`\\</script\\> | =1+1 | two lines \"quoted\" |\n"
                     "\n"
                     "A \"figure\" of \\<it\\>\n");
}

static void
test_csv (void)
{
    g_autoptr (RfDocument) document = make ();
    const char *titles[] = {"Change", NULL};
    const char *lower[] = {"-43", NULL};
    const char *sum[] = {"-SUM(A1)", NULL};
    g_autofree char *text = NULL;

    rf_document_add_table (document, NULL, titles, 0);
    rf_document_add_row (document, lower);
    rf_document_add_row (document, sum);
    text = rf_document_to_csv (document);
    g_assert_cmpstr (text, ==,
                     "Number,before,after\r\n"
                     "Stalls,\"1,284\",3\r\n"
                     "<script>a|b`c`</script>,\"'=1+1\",\"two\nlines \"\"quoted\"\"\"\r\n"
                     "\r\n"
                     "Change\r\n"
                     "-43\r\n"
                     "\"'-SUM(A1)\"\r\n");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/document/html", test_html);
    g_test_add_func ("/document/markdown", test_markdown);
    g_test_add_func ("/document/csv", test_csv);
    return g_test_run ();
}
