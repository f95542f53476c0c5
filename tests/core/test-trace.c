/* The kernel's description of its events, its pages, and the order of what several processors have recorded. */
#include "config.h"

#include <string.h>

#include "rf-test-counter.h"
#include "rf-test-page.h"
#include "rf-trace-merge.h"

#define FIELD(declaration, rest) "name: x\nID: 7\nformat:\n\tfield:" declaration ";\t" rest "\n"

static void
format_of_kernels (void)
{
    static const struct {
        const char *event, *field;
        gboolean old; /* 6.1, otherwise 6.18 */
        guint offset, size;
        gboolean is_signed;
        RfTraceShape shape;
    } table[] = {
        {"block_rq_issue", "dev", FALSE, 8, 4, FALSE, RF_TRACE_PLAIN},
        {"block_rq_issue", "rwbs", FALSE, 34, 10, FALSE, RF_TRACE_ARRAY},
        {"block_rq_issue", "rwbs", TRUE, 32, 8, FALSE, RF_TRACE_ARRAY},
        {"block_rq_issue", "comm", FALSE, 44, 16, FALSE, RF_TRACE_ARRAY},
        {"block_rq_complete", "error", FALSE, 28, 4, TRUE, RF_TRACE_PLAIN},
        {"block_rq_complete", "rwbs", FALSE, 34, 10, FALSE, RF_TRACE_ARRAY},
        {"block_rq_complete", "rwbs", TRUE, 32, 8, FALSE, RF_TRACE_ARRAY},
        {"block_rq_complete", "cmd", FALSE, 44, 4, FALSE, RF_TRACE_DATA_LOC},
        {"mark_victim", "comm", FALSE, 12, 4, FALSE, RF_TRACE_DATA_LOC},
        {"mark_victim", "pid", TRUE, 8, 4, TRUE, RF_TRACE_PLAIN},
        {"mm_vmscan_direct_reclaim_begin", "common_pid", FALSE, 4, 4, TRUE, RF_TRACE_PLAIN},
        {"mm_vmscan_direct_reclaim_end", "nr_reclaimed", TRUE, 8, 8, FALSE, RF_TRACE_PLAIN},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfTraceFormat format;
        g_test_message ("row %" G_GSIZE_FORMAT, i);
        (table[i].old ? rf_test_trace_old_format : rf_test_trace_format) (table[i].event, &format);
        const RfTraceField *field = rf_trace_format_find (&format, table[i].field);
        g_assert_cmpstr (format.name, ==, table[i].event);
        g_assert_nonnull (field);
        g_assert_cmpuint (field->offset, ==, table[i].offset);
        g_assert_cmpuint (field->size, ==, table[i].size);
        g_assert_cmpint (field->is_signed, ==, table[i].is_signed);
        g_assert_cmpint (field->shape, ==, table[i].shape);
    }
    RfTraceFormat old;
    rf_test_trace_old_format ("mark_victim", &old);
    g_assert_null (rf_trace_format_find (&old, "comm"));
}

static void
format_is_strict (void)
{
    static const struct {
        const char *text;
        gboolean good;
    } table[] = {
        {FIELD ("int a", "offset:8;\tsize:4;\tsigned:1;"), TRUE},
        {FIELD ("__rel_loc char[] a", "offset:8;\tsize:4;\tsigned:0;"), TRUE},
        {FIELD ("int a", "offset:8;\tsize:4;\tsigned:1;") "print fmt: anything", TRUE},
        {FIELD ("int a", "offset:8;\tsize:4;\tsigned:1;") "garbage\n", FALSE},
        {FIELD ("a", "offset:8;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int ", "offset:8;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a-b", "offset:8;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a_name_of_more_than_thirty_one_bytes", "offset:8;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a", "offset:-8;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a", "offset: 8;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a", "offset:8\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a", "offset:8;\tsize:4;\tsigned:2;"), FALSE},
        {FIELD ("int a", "offset:8;\tsize:4;"), FALSE},
        {FIELD ("int a", "offset:8;\tsize:4;\tsigned:1;\tmore"), FALSE},
        {FIELD ("int a", "offset:4294967296;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a", "offset:131072;\tsize:4;\tsigned:1;"), FALSE},
        {FIELD ("int a", "size:4;\toffset:8;\tsigned:1;"), FALSE},
        {"name: x\nID: 65536\nformat:\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n", FALSE},
        {"name: x\nID: 7 8\nformat:\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n", FALSE},
        {"name: x\nformat:\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n", FALSE},
        {"ID: 7\nname: x\nformat:\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n", FALSE},
        {"name:\nID: 7\nformat:\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n", FALSE},
        {"name: x\nID: 7\nformat:\n", FALSE},
        {"name: x\nID: 7\nformat:\r\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\r\n", FALSE},
    };
    RfTraceFormat out;
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_test_message ("row %" G_GSIZE_FORMAT, i);
        g_assert_cmpint (rf_trace_format_parse (table[i].text, strlen (table[i].text), &out), ==, table[i].good);
    }
    gsize length;
    for (guint i = 0; rf_test_foreign (i, &length) != NULL; i++) {
        const char *text = rf_test_foreign (i, &length);
        RfTraceLayout layout;
        g_assert_false (rf_trace_format_parse (text, length, &out));
        g_assert_false (rf_trace_layout_parse (text, length, &layout));
    }
    /* one more than there is room for */
    g_autoptr (GString) many = g_string_new ("name: x\nID: 7\nformat:\n");
    for (guint i = 0; i < RF_TRACE_FIELDS_MAX; i++)
        g_string_append_printf (many, "\tfield:int f%u;\toffset:%u;\tsize:4;\tsigned:1;\n", i, 8 + 4 * i);
    g_assert_true (rf_trace_format_parse (many->str, many->len, &out));
    g_string_append (many, "\tfield:int last;\toffset:8;\tsize:4;\tsigned:1;\n");
    g_assert_false (rf_trace_format_parse (many->str, many->len, &out));
}

static void
fields (void)
{
    static const guint8 record[16]
        = {0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 'a', 'b', 0, 'c', 'd', 'e', 'f', 'g'};
    const char *text;
    guint64 value = 0;
    g_assert_true (rf_trace_field_number (&(RfTraceField){.offset = 0, .size = 1}, record, 16, &value));
    g_assert_cmpuint (value, ==, 255);
    g_assert_true (
        rf_trace_field_number (&(RfTraceField){.offset = 0, .size = 1, .is_signed = TRUE}, record, 16, &value));
    g_assert_cmpint ((gint64)value, ==, -1);
    g_assert_true (
        rf_trace_field_number (&(RfTraceField){.offset = 2, .size = 2, .is_signed = TRUE}, record, 16, &value));
    g_assert_cmpint ((gint64)value, ==, -1);
    g_assert_true (rf_trace_field_number (&(RfTraceField){.offset = 4, .size = 4}, record, 16, &value));
    g_assert_cmpuint (value, ==, G_MAXUINT32);
    g_assert_true (
        rf_trace_field_number (&(RfTraceField){.offset = 4, .size = 4, .is_signed = TRUE}, record, 16, &value));
    g_assert_cmpint ((gint64)value, ==, -1);
    g_assert_false (rf_trace_field_number (&(RfTraceField){.offset = 9, .size = 8}, record, 16, &value));
    g_assert_false (rf_trace_field_number (&(RfTraceField){.offset = 0, .size = 3}, record, 16, &value));
    g_assert_false (rf_trace_field_number (&(RfTraceField){.offset = G_MAXUINT32, .size = 8}, record, 16, &value));

    RfTraceField array = {.offset = 8, .size = 8, .shape = RF_TRACE_ARRAY};
    g_assert_cmpuint (rf_trace_field_bytes (&array, record, 16, &text), ==, 2);
    g_assert_cmpint (text[1], ==, 'b');
    g_assert_cmpuint (rf_trace_field_bytes (&array, record, 15, &text), ==, 0);
    array.offset = 11;
    array.size = 5;
    g_assert_cmpuint (rf_trace_field_bytes (&array, record, 16, &text), ==, 5);

    guint8 place[16] = "\0\0\0\0\0\0\0\0abc";
    guint32 word = 3u << 16 | 8;
    memcpy (place, &word, sizeof word);
    RfTraceField loc = {.offset = 0, .size = 4, .shape = RF_TRACE_DATA_LOC};
    g_assert_cmpuint (rf_trace_field_bytes (&loc, place, 16, &text), ==, 3);
    loc.shape = RF_TRACE_REL_LOC; /* four bytes further */
    g_assert_cmpuint (rf_trace_field_bytes (&loc, place, 16, &text), ==, 0);
    word = 3u << 16 | 4;
    memcpy (place, &word, sizeof word);
    g_assert_cmpuint (rf_trace_field_bytes (&loc, place, 16, &text), ==, 3);
    g_assert_cmpint (text[0], ==, 'a');
    word = 9u << 16 | 8; /* beyond the end */
    memcpy (place, &word, sizeof word);
    loc.shape = RF_TRACE_DATA_LOC;
    g_assert_cmpuint (rf_trace_field_bytes (&loc, place, 16, &text), ==, 0);
}

static void
layouts (void)
{
    gsize length = 0;
    g_autofree char *text = rf_test_trace_file ("header_page", &length);
    RfTraceLayout layout;
    g_assert_true (rf_trace_layout_parse (text, length, &layout));
    g_assert_cmpmem (&layout, sizeof layout, &rf_test_page_layout, sizeof layout);

#define HEADER(commit, data)                                                                                           \
    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\t" commit             \
    ";\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\t" data                 \
    ";\tsigned:1;\n"
    /* 32 bits; 64 KiB pages; a head that overlaps; pages that nobody has */
    static const struct {
        const char *text;
        guint size;
    } table[] = {
        {HEADER ("size:4", "offset:12;\tsize:4084"), 4096}, {HEADER ("size:8", "offset:16;\tsize:65520"), 65536},
        {HEADER ("size:8", "offset:12;\tsize:4084"), 0},    {HEADER ("size:2", "offset:16;\tsize:4080"), 0},
        {HEADER ("size:8", "offset:16;\tsize:131072"), 0},  {HEADER ("size:8", "offset:16;\tsize:0"), 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        gboolean good = rf_trace_layout_parse (table[i].text, strlen (table[i].text), &layout);
        g_assert_cmpint (good, ==, table[i].size > 0);
        if (good)
            g_assert_cmpuint (layout.size, ==, table[i].size);
    }
}

/* What is on the page, as "time:first byte" */
static char *
walk (const guint8 *bytes, gsize size, RfTracePage *page)
{
    GString *out = g_string_new (NULL);
    RfTraceRecord record;
    rf_trace_page_open (page, &rf_test_page_layout, bytes, size);
    while (rf_trace_page_next (page, &record))
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT ":%u", out->len > 0 ? " " : "", record.time_ns,
                                record.length > 0 ? record.data[0] : 999);
    return g_string_free (out, FALSE);
}

static void
page_records (void)
{
    static const guint8 data[256] = {5, 6, 7, 8};
    RfTestPage made;
    RfTracePage page;
    rf_test_page_begin (&made, 1000);
    rf_test_page_add (&made, 0, data, 8);
    rf_test_page_add (&made, 10, data, 112);
    rf_test_page_add (&made, 1, data, 200); /* the length in a word of its own */
    rf_test_page_head (&made, 30, 3);       /* time goes on by 2 * 2^27 + 3 */
    rf_test_page_word (&made, 2);
    rf_test_page_add (&made, 4, data, 4);
    rf_test_page_head (&made, 29, 100); /* discarded, with its time */
    rf_test_page_word (&made, 12);
    rf_test_page_word (&made, 0);
    rf_test_page_word (&made, 0);
    rf_test_page_add (&made, 0, data, 4);
    rf_test_page_head (&made, 31, 77); /* a time of its own: 9 * 2^27 + 77 */
    rf_test_page_word (&made, 9);
    rf_test_page_add (&made, 1, data, 4);
    rf_test_page_head (&made, 29, 0); /* nothing follows */
    rf_test_page_add (&made, 1, data, 4);
    g_autofree char *found = walk (made.bytes, sizeof made.bytes, &page);
    g_autofree char *expected = g_strdup_printf ("1000:5 1010:5 1011:5 %u:5 %u:5 %u:5", 1011 + (2u << 27) + 3 + 4,
                                                 1011 + (2u << 27) + 3 + 4 + 100, (9u << 27) + 77 + 1);
    g_assert_cmpstr (found, ==, expected);
    g_assert_false (page.broken);
    g_assert_false (page.lost);

    /* 59 bits are in a time stamp, the highest are those of the page; they may have turned over since */
    guint64 high = G_GUINT64_CONSTANT (3) << 59;
    rf_test_page_begin (&made, high + 500);
    rf_test_page_head (&made, 31, 600);
    rf_test_page_word (&made, 0);
    rf_test_page_add (&made, 0, data, 4);
    rf_test_page_head (&made, 31, 5);
    rf_test_page_word (&made, 0);
    rf_test_page_add (&made, 0, data, 4);
    g_autofree char *turned = walk (made.bytes, sizeof made.bytes, &page);
    g_autofree char *wanted = g_strdup_printf ("%" G_GUINT64_FORMAT ":5 %" G_GUINT64_FORMAT ":5", high + 600,
                                               high + (G_GUINT64_CONSTANT (1) << 59) + 5);
    g_assert_cmpstr (turned, ==, wanted);
}

static void
page_lost (void)
{
    RfTestPage made;
    RfTracePage page;
    rf_test_page_begin (&made, 1);
    rf_test_page_add (&made, 0, "abcd", 4);
    rf_test_page_lost (&made, 42);
    g_autofree char *found = walk (made.bytes, sizeof made.bytes, &page);
    g_assert_cmpstr (found, ==, "1:97");
    g_assert_true (page.lost);
    rf_test_page_lost (&made, 0);
    g_autofree char *uncounted = walk (made.bytes, sizeof made.bytes, &page);
    g_assert_true (page.lost);
    g_assert_cmpstr (uncounted, ==, "1:97");
}

static void
page_cut (void)
{
    static const guint8 data[256] = {9};
    RfTestPage made;
    RfTracePage page;
    rf_test_page_begin (&made, 1);
    rf_test_page_add (&made, 1, data, 8);
    rf_test_page_add (&made, 1, data, 200);
    gsize whole = 16 + made.used;
    for (gsize size = 0; size <= whole; size++) {
        /* an own allocation, so that a sanitizer sees a read beyond it */
        g_autofree guint8 *copy = g_memdup2 (made.bytes, MAX (size, 1));
        g_autofree char *found = walk (copy, size, &page);
        g_assert_cmpstr (found, ==, size == whole ? "2:9 3:9" : size >= 16 + 12 ? "2:9" : "");
        g_assert_cmpint (page.broken, ==, size < whole);
    }
    /* lengths that cannot be */
    static const guint32 lengths[] = {0, 3, 5000, G_MAXUINT32};
    for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++) {
        rf_test_page_begin (&made, 1);
        rf_test_page_add (&made, 1, data, 8);
        rf_test_page_head (&made, 0, 1);
        rf_test_page_word (&made, lengths[i]);
        rf_test_page_add (&made, 1, data, 8);
        g_autofree char *found = walk (made.bytes, sizeof made.bytes, &page);
        g_assert_cmpstr (found, ==, "2:9");
        g_assert_true (page.broken);
    }
    rf_test_page_begin (&made, 1);
    memset (made.bytes + 8, 0x3f, 4); /* more than a page */
    g_autofree char *nothing = walk (made.bytes, sizeof made.bytes, &page);
    g_assert_true (page.broken);
}

/* Processors for the merger: what each still has. */
typedef struct {
    GQueue pages[3];
    guint reads;
} Source;

static gsize
read_page (gpointer user_data, guint cpu, guint8 *buffer, gsize size)
{
    Source *source = user_data;
    g_autofree RfTestPage *page = g_queue_pop_head (&source->pages[cpu]);
    source->reads++;
    if (page == NULL)
        return 0;
    g_assert_cmpuint (size, ==, sizeof page->bytes);
    memcpy (buffer, page->bytes, sizeof page->bytes);
    return sizeof page->bytes;
}

/* @times: of its records, -1 ends them; each has the number of its processor */
static void
give (Source *source, guint cpu, const gint64 *times)
{
    RfTestPage *page = g_new (RfTestPage, 1);
    guint32 word = cpu;
    rf_test_page_begin (page, (guint64)times[0]);
    for (guint i = 0; times[i] >= 0; i++)
        rf_test_page_add (page, i == 0 ? 0 : (guint32)(times[i] - times[i - 1]), &word, 4);
    g_queue_push_tail (&source->pages[cpu], page);
}

#define GIVE(source, cpu, ...) give ((source), (cpu), (const gint64[]){__VA_ARGS__, -1})

static char *
merged (RfTraceMerge *merge, gint64 limit, guint max_pages)
{
    GString *out = g_string_new (NULL);
    RfTraceRecord record;
    rf_trace_merge_begin (merge, limit, max_pages);
    while (rf_trace_merge_next (merge, &record))
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT "@%u", out->len > 0 ? " " : "", record.time_ns,
                                record.data[0]);
    return g_string_free (out, FALSE);
}

#define ASSERT_MERGED(merge, limit, max_pages, expected)                                                               \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        g_autofree char *rf_m_ = merged ((merge), (limit), (max_pages));                                               \
        g_assert_cmpstr (rf_m_, ==, (expected));                                                                       \
    }                                                                                                                  \
    G_STMT_END

static void
merge_order (void)
{
    Source source = {0};
    g_autoptr (RfTraceMerge) merge = rf_trace_merge_new (&rf_test_page_layout, 3, read_page, &source);
    ASSERT_MERGED (merge, G_MAXINT64, 99, "");
    GIVE (&source, 1, 10, 11, 40);
    GIVE (&source, 0, 20, 30);
    GIVE (&source, 0, 35);
    GIVE (&source, 2, 5, 50);
    ASSERT_MERGED (merge, G_MAXINT64, 99, "5@2 10@1 11@1 20@0 30@0 35@0 40@1 50@2");
    ASSERT_MERGED (merge, G_MAXINT64, 99, "");
    /* at the same time: always in the same order */
    GIVE (&source, 2, 60);
    GIVE (&source, 0, 60);
    ASSERT_MERGED (merge, G_MAXINT64, 99, "60@0 60@2");
}

static void
merge_holds_back (void)
{
    Source source = {0};
    g_autoptr (RfTraceMerge) merge = rf_trace_merge_new (&rf_test_page_layout, 2, read_page, &source);
    GIVE (&source, 1, 100, 200);
    ASSERT_MERGED (merge, 150, 99, "100@1");
    ASSERT_MERGED (merge, 150, 99, "");
    /* what began on the other processor before it is seen only now */
    GIVE (&source, 0, 190);
    GIVE (&source, 1, 250, 300);
    ASSERT_MERGED (merge, 299, 99, "190@0 200@1 250@1");
    ASSERT_MERGED (merge, 300, 99, "300@1");
}

static void
merge_is_bounded (void)
{
    Source source = {0};
    g_autoptr (RfTraceMerge) merge = rf_trace_merge_new (&rf_test_page_layout, 2, read_page, &source);
    for (gint64 i = 0; i < 10; i++)
        GIVE (&source, 0, 10 * i);
    GIVE (&source, 1, 55);
    /* a page of processor 0 has not been read, and may be before the 55 */
    ASSERT_MERGED (merge, G_MAXINT64, 4, "0@0 10@0 20@0");
    ASSERT_MERGED (merge, G_MAXINT64, 4, "30@0 40@0 50@0 55@1");
    ASSERT_MERGED (merge, G_MAXINT64, 99, "60@0 70@0 80@0 90@0");
    g_assert_cmpuint (rf_trace_merge_pages (merge), ==, 11);
}

static void
merge_counts (void)
{
    Source source = {0};
    g_autoptr (RfTraceMerge) merge = rf_trace_merge_new (&rf_test_page_layout, 2, read_page, &source);
    GIVE (&source, 0, 10);
    GIVE (&source, 0, 20);
    GIVE (&source, 1, 15);
    rf_test_page_lost (g_queue_peek_tail (&source.pages[0]), 3);
    RfTestPage *broken = g_queue_peek_tail (&source.pages[1]);
    rf_test_page_head (broken, 0, 1);
    rf_test_page_word (broken, 9999);
    ASSERT_MERGED (merge, G_MAXINT64, 99, "10@0 15@1 20@0");
    g_assert_cmpuint (rf_trace_merge_lost_pages (merge), ==, 1);
    g_assert_cmpuint (rf_trace_merge_broken_pages (merge), ==, 1);
}

/* As the kernel prints it: "python3-23963   [001] ..... 15509.028175: block_rq_issue: 254,0 RS 28672 () 180676536 + 56
 * …" */
static void
recorded (void)
{
    RfTestRecording recording;
    gsize length = 0;
    RfTraceRecord record;
    RfTraceFormat issue, complete;
    guint count = 0;
    g_autofree char *text = rf_test_trace_file ("trace", &length);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    rf_test_recording_open (&recording);
    rf_test_trace_format ("block_rq_issue", &issue);
    rf_test_trace_format ("block_rq_complete", &complete);
    g_autoptr (RfTraceMerge) merge
        = rf_trace_merge_new (&rf_test_page_layout, RF_TEST_RECORDING_CPUS, rf_test_recording_read, &recording);
    rf_trace_merge_begin (merge, G_MAXINT64, 99);
    while (rf_trace_merge_next (merge, &record)) {
        guint64 type = 0, tid = 0, device = 0, sector = 0, sectors = 0;
        const char *operation = NULL, *line = lines[count++];
        g_assert_true (
            rf_trace_field_number (rf_trace_format_find (&issue, "common_type"), record.data, record.length, &type));
        const RfTraceFormat *format = type == issue.id ? &issue : &complete;
        g_assert_cmpuint (type, ==, format->id);
        g_assert_true (
            rf_trace_field_number (rf_trace_format_find (format, "common_pid"), record.data, record.length, &tid));
        g_assert_true (
            rf_trace_field_number (rf_trace_format_find (format, "dev"), record.data, record.length, &device));
        g_assert_true (
            rf_trace_field_number (rf_trace_format_find (format, "sector"), record.data, record.length, &sector));
        g_assert_true (
            rf_trace_field_number (rf_trace_format_find (format, "nr_sector"), record.data, record.length, &sectors));
        gsize n = rf_trace_field_bytes (rf_trace_format_find (format, "rwbs"), record.data, record.length, &operation);
        gint64 us = (record.time_ns + 500) / 1000;
        g_autofree char *begin
            = g_strdup_printf (" %" G_GINT64_FORMAT ".%06u: %s: %u,%u %.*s ", us / 1000000, (guint)(us % 1000000),
                               format->name, (guint)(device >> 20), (guint)(device & 0xfffff), (int)n, operation);
        g_autofree char *end = g_strdup_printf (" () %" G_GUINT64_FORMAT " + %u ", sector, (guint)sectors);
        g_autofree char *who = g_strdup_printf ("-%u ", (guint)tid);
        g_assert_nonnull (strstr (line, begin));
        g_assert_nonnull (strstr (line, end));
        g_assert_nonnull (strstr (line, who));
    }
    g_assert_cmpstr (lines[count], ==, "");
    g_assert_cmpuint (count, ==, 35);
    g_assert_cmpuint (rf_trace_merge_broken_pages (merge), ==, 0);
    rf_test_recording_close (&recording);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/trace/format/kernels", format_of_kernels);
    g_test_add_func ("/core/trace/format/strict", format_is_strict);
    g_test_add_func ("/core/trace/format/fields", fields);
    g_test_add_func ("/core/trace/page/layout", layouts);
    g_test_add_func ("/core/trace/page/records", page_records);
    g_test_add_func ("/core/trace/page/lost", page_lost);
    g_test_add_func ("/core/trace/page/cut", page_cut);
    g_test_add_func ("/core/trace/merge/order", merge_order);
    g_test_add_func ("/core/trace/merge/holds-back", merge_holds_back);
    g_test_add_func ("/core/trace/merge/bounded", merge_is_bounded);
    g_test_add_func ("/core/trace/merge/counts", merge_counts);
    g_test_add_func ("/core/trace/recorded", recorded);
    return g_test_run ();
}
