/* What people give away: nobody's name is in it, in no form and no language; it says the same each time; a page of paper
 * holds what is said to be on it. Needs no display. */
#include "config.h"

#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "rf-comparison-document.h"
#include "rf-document-pdf.h"
#include "rf-recording-document.h"
#include "rf-recording-figures.h"

#define S G_GINT64_CONSTANT (1000000000)
#define HOST "kanzlei-pc"
#define USER "mustermann"
#define SERIAL "S4EVNX0R912345"

static const char *const planted[] = {HOST, USER, SERIAL};

static void
add_event (RfRecording *recording, RfEventKind kind, guint second, gint64 duration_ns, const char *process,
           const char *subject)
{
    RfEvent event = {.time_ns = second * S, .duration_ns = duration_ns, .kind = kind, .amount = NAN};

    g_strlcpy (event.process, process, sizeof event.process);
    g_strlcpy (event.subject, subject, sizeof event.subject);
    g_array_append_val (recording->events, event);
}

/* An hour with a stall or none in each second; names stand wherever somebody could have written them. */
static RfRecording *
make_recording (const char *name, const char *dirty, float stalls)
{
    RfRecording *self = rf_recording_new ();
    RfTable *samples = rf_recording_add_table (self, rf_table_new ("samples"));

    rf_recording_set (&self->name, name);
    rf_recording_set (&self->source, "helper");
    rf_recording_set (&self->workload, "flight of " USER);
    rf_recording_set (&self->kernel, "6.18.2-" HOST);
    rf_recording_set (&self->machine, "Tower " SERIAL);
    g_hash_table_insert (self->settings_start, g_strdup ("vm.dirty"), g_strdup (dirty));
    g_hash_table_insert (self->settings_start, g_strdup ("queue.scheduler:" SERIAL), g_strdup (HOST));
    g_ptr_array_add (self->untrusted, g_strdup ("the disk of " USER " disagrees"));
    rf_table_add_column (samples, "interval_s");
    rf_table_add_column (samples, "allocstalls_per_s");
    rf_table_add_column (samples, "free_bytes");
    for (guint i = 0; i < 3600; i++) {
        const float row[] = {1, i * 7919 % 10 < 3 ? stalls : 0, 2e9f + (float)(i * 7919 % 1000) * 1e5f};

        rf_table_append (samples, (gint64)(i + 1) * S, row);
    }
    add_event (self, RF_EVENT_MARK, 60, 0, "", "ask " USER " about it");
    add_event (self, RF_EVENT_RECLAIM, 120, 9470000, USER "-game", "order 0");
    add_event (self, RF_EVENT_IO, 130, 12000000, "", HOST " write");
    add_event (self, RF_EVENT_TILE, 140, 2250000000, "", "+54+009 " SERIAL);
    return self;
}

static RfSessionInfo *
make_info (void)
{
    RfSessionInfo *info = rf_session_info_new ();

    g_hash_table_insert (info->machine, g_strdup ("cpus"), g_strdup ("16"));
    g_hash_table_insert (info->machine, g_strdup ("ram-bytes"), g_strdup ("68719476736"));
    g_hash_table_insert (info->machine, g_strdup ("distribution"), g_strdup ("Debian of " USER));
    return info;
}

static RfPrivacy *
make_privacy (void)
{
    RfPrivacy *privacy = rf_privacy_new ();

    for (gsize i = 0; i < G_N_ELEMENTS (planted); i++)
        rf_privacy_add (privacy, planted[i]);
    return privacy;
}

static RfDocument *
recording_document (void)
{
    g_autoptr (RfRecording) recording = make_recording (HOST ": evening", "20/10", 100);
    g_autoptr (RfSessionInfo) info = make_info ();
    g_autoptr (RfPrivacy) privacy = make_privacy ();
    RfPhases phases = {.found = {[RF_PHASE_EQUILIBRIUM] = TRUE}};

    phases.start_ns[RF_PHASE_EQUILIBRIUM] = 600 * S;
    phases.end_ns[RF_PHASE_EQUILIBRIUM] = 3600 * S;
    return rf_recording_document_new (recording, info, &phases, privacy);
}

static RfDocument *
comparison_document (gboolean trusted)
{
    g_autoptr (RfRecording) before = make_recording (HOST ": before", "20/10", 100);
    g_autoptr (RfRecording) after = make_recording (USER ": after", "10/5", 10);
    g_autoptr (RfPrivacy) privacy = make_privacy ();
    g_autoptr (RfComparison) comparison = NULL;
    const RfPhases none = {0};
    const RfRun runs[] = {{before, &none}, {after, &none}};

    if (trusted) {
        g_ptr_array_set_size (before->untrusted, 0);
        g_ptr_array_set_size (after->untrusted, 0);
    }
    comparison = rf_comparison_new (&runs[0], 1, &runs[1], 1, NULL);
    return rf_comparison_document_new (comparison, &runs[0], 1, &runs[1], 1, privacy);
}

static void
assert_private (const char *text)
{
    g_autofree char *lower = g_ascii_strdown (text, -1);

    for (gsize i = 0; i < G_N_ELEMENTS (planted); i++) {
        g_autofree char *word = g_ascii_strdown (planted[i], -1);

        if (strstr (lower, word) != NULL)
            g_error ("“%s” is in: %s", planted[i], text);
    }
}

static void
test_private (void)
{
    for (guint i = 0; i < 3; i++) {
        g_autoptr (RfDocument) document = i == 0 ? recording_document () : comparison_document (i == 1);
        g_autofree char *html = rf_document_to_html (document, NULL);
        g_autofree char *markdown = rf_document_to_markdown (document);
        g_autofree char *csv = rf_document_to_csv (document);

        assert_private (html);
        assert_private (markdown);
        assert_private (csv);
        /* what was taken out has left its place */
        g_assert_nonnull (strstr (html, RF_PRIVACY_LEFT_OUT ": "));
        g_assert_nonnull (strstr (csv, "flight of " RF_PRIVACY_LEFT_OUT));
    }
}

static void
assert_has (const char *text, const char *part)
{
    if (strstr (text, part) == NULL)
        g_error ("no “%s” in: %s", part, text);
}

static void
test_recording (void)
{
    g_autoptr (RfDocument) document = recording_document ();
    g_autofree char *text = rf_document_to_markdown (document);

    assert_has (text, "| Length | 59 min 59 s |");
    assert_has (text, "| Memory | 64 GiB |");
    assert_has (text, "| Programs cleared memory themselves | 1 | 9.5 ms | 9.5 ms |");
    assert_has (text, "| after 2 min 9 s | Slow requests to drives |");
    assert_has (text, "| after 59 s | ask \\[left out\\] about it |");
    assert_has (text, "| Equilibrium | Memory is full");
    assert_has (text, "| Number | Whole recording | Equilibrium |");
    /* 1080 seconds of 3600 with 100 stalls, in each hour the same */
    assert_has (text, "| Programs waited for memory | 108000 /h | 108000 /h |");
    /* what is not known has its reason and is no 0 */
    assert_has (text, "| Written to drives | not offered by this kernel or source |");
    g_assert_null (strstr (text, "| Written to drives | 0"));
    assert_has (text, "| vm.dirty | 20/10 | – |");
}

static void
test_comparison (void)
{
    g_autoptr (RfDocument) document = comparison_document (TRUE);
    g_autofree char *text = rf_document_to_markdown (document);
    g_autofree char *expected = NULL;
    g_autoptr (GError) error = NULL;

    if (g_getenv ("RF_WRITE_SNAPSHOT") != NULL)
        g_assert_true (g_file_set_contents (RF_TEST_SNAPSHOT, text, -1, &error));
    g_assert_true (g_file_get_contents (RF_TEST_SNAPSHOT, &expected, NULL, &error));
    g_assert_no_error (error);
    g_assert_cmpstr (text, ==, expected);
}

/* LANGUAGE is German in this test; each cell is in the same place in both languages. */
static void
test_german (void)
{
    g_autofree char *english = NULL;
    g_autofree char *german = NULL;

    for (guint i = 0; i < 2; i++) {
        g_autoptr (RfDocument) document = NULL;

        bindtextdomain (GETTEXT_PACKAGE, i == 0 ? "/nonexistent" : RF_TEST_LOCALEDIR);
        document = recording_document ();
        *(i == 0 ? &english : &german) = rf_document_to_html (document, NULL);
    }
    bindtextdomain (GETTEXT_PACKAGE, "/nonexistent");
    assert_has (english, "<html lang=\"en\">");
    assert_has (german, "<html lang=\"de\">");
    assert_has (german, "Aufzeichnung");
    assert_has (german, "Was nicht verfügbar ist");
    assert_private (german);
    g_assert_null (strstr (german, "Whole recording"));
}

/* ---- paper ------------------------------------------------------------------------------------------------------ */

static guint
count (GBytes *bytes, const char *what)
{
    gsize length;
    const char *data = g_bytes_get_data (bytes, &length);
    const char *p = data;
    guint n = 0;

    while ((p = memmem (p, (gsize)(data + length - p), what, strlen (what))) != NULL) {
        p += strlen (what);
        n++;
    }
    return n;
}

static guint
pages_of (RfDocument *document)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = rf_document_to_pdf (document, &error);

    g_assert_no_error (error);
    g_assert_cmpint (memcmp (g_bytes_get_data (bytes, NULL), "%PDF-", 5), ==, 0);
    g_assert_cmpuint (count (bytes, "%%EOF"), ==, 1);
    return count (bytes, "/Type /Page") - count (bytes, "/Type /Pages");
}

static void
test_pdf (void)
{
    g_autoptr (RfDocument) document = rf_document_new ("A title", "en");
    g_autoptr (GString) text = g_string_new (NULL);
    const char *titles[] = {"Number", "before", NULL};
    g_autoptr (GBytes) bytes = NULL;
    guint pages;

    rf_document_add_paragraph (document, "One line.");
    g_assert_cmpuint (pages_of (document), ==, 1);
    bytes = rf_document_to_pdf (document, NULL);
    g_assert_cmpuint (count (bytes, "/Title (A title)"), ==, 1);

    /* 200 rows of at least 9 + 8 points need at least 5 pages of 742 points */
    rf_document_add_table (document, "A long one", titles, 1);
    for (guint i = 0; i < 200; i++)
        rf_document_add_row (document, titles);
    pages = pages_of (document);
    g_assert_cmpuint (pages, >=, 5);
    g_assert_cmpuint (pages, <=, 10);

    /* a paragraph longer than a page goes on on the next one: 90 000 characters, some 100 in a line of 10 to 20 points */
    for (guint i = 0; i < 10000; i++)
        g_string_append (text, "Stutters ");
    rf_document_add_paragraph (document, text->str);
    g_assert_cmpuint (pages_of (document) - pages, >=, 10);
}

/* A cell that is higher than a page is cut at its end; it neither hangs nor leaves a page empty for ever. */
static void
test_high_cell (void)
{
    g_autoptr (RfDocument) document = rf_document_new ("A title", "en");
    g_autoptr (GString) text = g_string_new (NULL);
    const char *titles[] = {"Number", "What", NULL};

    for (guint i = 0; i < 10000; i++)
        g_string_append (text, "words ");
    rf_document_add_table (document, NULL, titles, 2);
    rf_document_add_row (document, (const char *const[]){"1", text->str, NULL});
    rf_document_add_row (document, (const char *const[]){"2", "short", NULL});
    g_assert_cmpuint (pages_of (document), <=, 4);
}

static void
test_figures (void)
{
    g_autoptr (RfRecording) before = make_recording ("before", "20/10", 100);
    g_autoptr (RfRecording) after = make_recording ("after", "10/5", 10);
    g_autoptr (RfDocument) document = rf_document_new ("Figures", "en");
    const RfRecordingTrack tracks[] = {{before, 0, "before"}, {after, 0, "after"}};
    g_autofree char *html = NULL;
    guint figures = 0;

    rf_recording_figures_add (document, tracks, 2, S, 3600 * S, NULL, 0);
    for (guint i = 0; i < rf_document_blocks (document)->len; i++) {
        const RfDocumentBlock *block = rf_document_blocks (document)->pdata[i];
        g_autofree char *svg = rf_document_figure_svg (block);

        g_assert_cmpint (block->kind, ==, RF_DOCUMENT_FIGURE);
        assert_has (svg, "<svg");
        /* both lines are told to those who cannot see them */
        assert_has (block->text, "before");
        assert_has (block->text, "after");
        figures++;
    }
    g_assert_cmpuint (figures, >=, 2);
    html = rf_document_to_html (document, rf_document_figure_svg);
    assert_has (html, "<img src=\"data:image/svg+xml;base64,");
    g_assert_cmpuint (pages_of (document), ==, 1);
}

/* Returns: red, green and blue of a pixel */
static guint32
pixel (cairo_surface_t *surface, int x, int y)
{
    const guchar *data = cairo_image_surface_get_data (surface);

    return *(const guint32 *)(gconstpointer)(data + y * cairo_image_surface_get_stride (surface) + x * 4) & 0xffffff;
}

/* A band from a quarter to a half, its ends where they are in time, and white beside it. */
static void
test_bands (void)
{
    g_autoptr (RfRecording) recording = make_recording ("before", "20/10", 100);
    g_autoptr (RfDocument) document = rf_document_new ("Figures", "en");
    const RfRecordingTrack track = {recording, 0, NULL};
    RfPhases phases = {.found = {[RF_PHASE_BUILD_UP] = TRUE}};
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 150);
    cairo_t *cr = cairo_create (surface);
    const RfDocumentBlock *block = NULL;

    phases.start_ns[RF_PHASE_BUILD_UP] = 900 * S;
    phases.end_ns[RF_PHASE_BUILD_UP] = 1800 * S;
    rf_recording_figures_add (document, &track, 1, 0, 3600 * S, &phases, 0);
    block = rf_document_blocks (document)->pdata[0];
    block->draw (block->figure, cr, 400, 150);
    cairo_destroy (cr);
    cairo_surface_flush (surface);
    g_assert_cmphex (pixel (surface, 50, 1), ==, 0xffffff);
    g_assert_cmphex (pixel (surface, 101, 1), !=, 0xffffff);
    g_assert_cmphex (pixel (surface, 197, 1), ==, pixel (surface, 101, 1));
    g_assert_cmphex (pixel (surface, 210, 1), ==, 0xffffff);
    cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    setlocale (LC_MESSAGES, "C.UTF-8"); /* "C" has no translations */
    bindtextdomain (GETTEXT_PACKAGE, "/nonexistent");
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    g_test_add_func ("/documents/private", test_private);
    g_test_add_func ("/documents/recording", test_recording);
    g_test_add_func ("/documents/comparison", test_comparison);
    g_test_add_func ("/documents/german", test_german);
    g_test_add_func ("/documents/pdf", test_pdf);
    g_test_add_func ("/documents/high-cell", test_high_cell);
    g_test_add_func ("/documents/figures", test_figures);
    g_test_add_func ("/documents/bands", test_bands);
    return g_test_run ();
}
