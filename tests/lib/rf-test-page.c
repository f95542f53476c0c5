#define G_LOG_DOMAIN "rf-test-page"
#include "config.h"

#include "rf-test-page.h"

#include <string.h>

#define HEAD 16
#define LOST (G_GUINT64_CONSTANT (1) << 31)
#define LOST_STORED (G_GUINT64_CONSTANT (1) << 30)

const RfTraceLayout rf_test_page_layout
    = {.time_offset = 0, .commit_offset = 8, .commit_size = 8, .data_offset = HEAD, .size = 4096};

#define COMMON                                                                                                         \
    "format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                                    \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                                             \
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"                                     \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define REQUEST                                                                                                        \
    "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"    \
    "\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n"

static const struct {
    const char *event;
    const char *text;
} old_formats[] = {
    {"mm_vmscan_direct_reclaim_begin",
     "name: mm_vmscan_direct_reclaim_begin\nID: 401\n" COMMON "\tfield:int order;\toffset:8;\tsize:4;\tsigned:1;\n"
     "\tfield:unsigned long gfp_flags;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"order=%d\", REC->order\n"},
    {"mm_vmscan_direct_reclaim_end",
     "name: mm_vmscan_direct_reclaim_end\nID: 398\n" COMMON
     "\tfield:unsigned long nr_reclaimed;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"nr_reclaimed=%lu\"\n"},
    {"mark_victim", "name: mark_victim\nID: 377\n" COMMON
                    "\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"pid=%d\", REC->pid\n"},
    {"block_rq_issue",
     "name: block_rq_issue\nID: 1004\n" COMMON REQUEST "\tfield:unsigned int bytes;\toffset:28;\tsize:4;\tsigned:0;\n"
     "\tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:0;\n\tfield:char comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
     "\tfield:__data_loc char[] cmd;\toffset:56;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"},
    {"block_rq_complete",
     "name: block_rq_complete\nID: 1007\n" COMMON REQUEST
     "\tfield:int error;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:0;\n"
     "\tfield:__data_loc char[] cmd;\toffset:40;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"},
    {"block_rq_requeue",
     "name: block_rq_requeue\nID: 1008\n" COMMON REQUEST "\tfield:char rwbs[8];\toffset:28;\tsize:8;\tsigned:0;\n"
     "\tfield:__data_loc char[] cmd;\toffset:36;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"},
};

static void
write_commit (RfTestPage *self, guint64 flags)
{
    guint64 commit = self->used | flags;
    memcpy (self->bytes + 8, &commit, sizeof commit);
}

static void
append (RfTestPage *self, const void *data, gsize length)
{
    g_assert_cmpuint (HEAD + self->used + length, <=, sizeof self->bytes);
    memcpy (self->bytes + HEAD + self->used, data, length);
    self->used += length;
    write_commit (self, 0);
}

void
rf_test_page_begin (RfTestPage *self, guint64 time_ns)
{
    memset (self, 0, sizeof *self);
    memcpy (self->bytes, &time_ns, sizeof time_ns);
}

void
rf_test_page_head (RfTestPage *self, guint type, guint32 delta)
{
    guint32 word = G_BYTE_ORDER == G_LITTLE_ENDIAN ? type | delta << 5 : type << 27 | delta;
    g_assert_cmpuint (delta, <, 1u << 27);
    append (self, &word, sizeof word);
}

void
rf_test_page_word (RfTestPage *self, guint32 word)
{
    append (self, &word, sizeof word);
}

void
rf_test_page_add (RfTestPage *self, guint32 delta, const void *data, gsize length)
{
    g_assert_cmpuint (length % 4, ==, 0);
    rf_test_page_head (self, length > 0 && length <= 112 ? (guint)length / 4 : 0, delta);
    if (length == 0 || length > 112)
        rf_test_page_word (self, (guint32)length + 4);
    append (self, data, length);
}

void
rf_test_page_lost (RfTestPage *self, guint64 count)
{
    write_commit (self, count > 0 ? LOST | LOST_STORED : LOST);
    if (count > 0)
        memcpy (self->bytes + HEAD + self->used, &count, sizeof count);
}

void
rf_test_record_begin (RfTestRecord *self, const RfTraceFormat *format)
{
    *self = (RfTestRecord){.format = format};
    for (guint i = 0; i < format->n_fields; i++)
        self->length = MAX (self->length, (gsize)format->fields[i].offset + format->fields[i].size);
    self->length = (self->length + 3) & ~(gsize)3;
    g_assert_cmpuint (self->length, <=, sizeof self->bytes);
    rf_test_record_number (self, "common_type", format->id);
}

void
rf_test_record_number (RfTestRecord *self, const char *name, guint64 value)
{
    const RfTraceField *field = rf_trace_format_find (self->format, name);
    g_assert_nonnull (field);
    const guint8 *bytes = (const guint8 *)&value;
    memcpy (self->bytes + field->offset, G_BYTE_ORDER == G_LITTLE_ENDIAN ? bytes : bytes + 8 - field->size,
            field->size);
}

void
rf_test_record_text (RfTestRecord *self, const char *name, const char *text)
{
    const RfTraceField *field = rf_trace_format_find (self->format, name);
    gsize length = strlen (text);
    g_assert_nonnull (field);
    if (field->shape == RF_TRACE_ARRAY) {
        g_assert_cmpuint (length, <=, field->size);
        memcpy (self->bytes + field->offset, text, length);
        return;
    }
    gsize offset = self->length;
    self->length = (offset + length + 1 + 3) & ~(gsize)3;
    g_assert_cmpuint (self->length, <=, sizeof self->bytes);
    memcpy (self->bytes + offset, text, length + 1);
    rf_test_record_number (self, name, (guint64)(length + 1) << 16 | offset);
}

char *
rf_test_trace_file (const char *name, gsize *length)
{
    g_autofree char *path = g_build_filename (RF_TEST_FIXTURES, "trace-6.18", name, NULL);
    g_autoptr (GError) error = NULL;
    char *text = NULL;
    g_file_get_contents (path, &text, length, &error);
    g_assert_no_error (error);
    return text;
}

void
rf_test_trace_format (const char *event, RfTraceFormat *out)
{
    g_autofree char *name = g_strconcat (event, ".format", NULL);
    gsize length = 0;
    g_autofree char *text = rf_test_trace_file (name, &length);
    g_assert_true (rf_trace_format_parse (text, length, out));
}

void
rf_test_trace_old_format (const char *event, RfTraceFormat *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (old_formats); i++)
        if (strcmp (old_formats[i].event, event) == 0) {
            g_assert_true (rf_trace_format_parse (old_formats[i].text, strlen (old_formats[i].text), out));
            return;
        }
    g_assert_not_reached ();
}

void
rf_test_recording_open (RfTestRecording *self)
{
    for (guint cpu = 0; cpu < RF_TEST_RECORDING_CPUS; cpu++) {
        g_autofree char *name = g_strdup_printf ("cpu%u.page", cpu);
        self->pages[cpu] = (guint8 *)rf_test_trace_file (name, &self->sizes[cpu]);
    }
}

gsize
rf_test_recording_read (gpointer user_data, guint cpu, guint8 *buffer, gsize size)
{
    RfTestRecording *self = user_data;
    gsize found = self->sizes[cpu];
    g_assert_cmpuint (found, <=, size);
    /* the rest of a page is empty, and is not in the file */
    memset (buffer, 0, size);
    memcpy (buffer, self->pages[cpu], found);
    self->sizes[cpu] = 0;
    return found > 0 ? size : 0;
}

void
rf_test_recording_close (RfTestRecording *self)
{
    for (guint cpu = 0; cpu < RF_TEST_RECORDING_CPUS; cpu++)
        g_clear_pointer (&self->pages[cpu], g_free);
}
