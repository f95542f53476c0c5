#define G_LOG_DOMAIN "rf-trace-merge"
#include "config.h"

#include "rf-trace-merge.h"

/* @record: the next one of this processor, if it has one */
typedef struct {
    guint8 *bytes;
    RfTracePage page;
    RfTraceRecord record;
    gboolean has_record;
} Cpu;

struct _RfTraceMerge {
    RfTraceLayout layout;
    RfTraceReadPage read;
    gpointer user_data;
    guint n_cpus;
    Cpu *cpus;
    guint *heap; /* processors that have a record, the earliest first */
    guint n_heap;
    gint64 limit_ns;
    guint pages_left;
    gboolean stopped; /* a processor may have earlier records than all others, but its page may not be read this time */
    gboolean top_is_used;
    guint64 pages, lost_pages, broken_pages;
};

RfTraceMerge *
rf_trace_merge_new (const RfTraceLayout *layout, guint n_cpus, RfTraceReadPage read, gpointer user_data)
{
    RfTraceMerge *self = g_new0 (RfTraceMerge, 1);
    self->layout = *layout;
    self->read = read;
    self->user_data = user_data;
    self->n_cpus = n_cpus;
    self->cpus = g_new0 (Cpu, n_cpus);
    self->heap = g_new0 (guint, n_cpus);
    for (guint i = 0; i < n_cpus; i++)
        self->cpus[i].bytes = g_malloc0 (layout->size);
    return self;
}

void
rf_trace_merge_free (RfTraceMerge *self)
{
    if (self == NULL)
        return;
    for (guint i = 0; i < self->n_cpus; i++)
        g_free (self->cpus[i].bytes);
    g_free (self->cpus);
    g_free (self->heap);
    g_free (self);
}

/* Reads on until there is a record or nothing more. Returns: FALSE if pages may not be read any more. */
static gboolean
fetch (RfTraceMerge *self, guint index)
{
    Cpu *cpu = &self->cpus[index];
    while (!(cpu->has_record = rf_trace_page_next (&cpu->page, &cpu->record))) {
        self->broken_pages += cpu->page.broken;
        cpu->page = (RfTracePage){0};
        if (self->pages_left == 0)
            return FALSE;
        gsize size = self->read (self->user_data, index, cpu->bytes, self->layout.size);
        if (size == 0)
            return TRUE;
        self->pages_left--;
        self->pages++;
        rf_trace_page_open (&cpu->page, &self->layout, cpu->bytes, MIN (size, self->layout.size));
        self->lost_pages += cpu->page.lost;
    }
    return TRUE;
}

static gboolean
is_before (const RfTraceMerge *self, guint a, guint b)
{
    gint64 time_a = self->cpus[a].record.time_ns, time_b = self->cpus[b].record.time_ns;
    return time_a < time_b || (time_a == time_b && a < b);
}

/* A heap: each is before the two at twice its place. */
static void
sift_down (RfTraceMerge *self, guint place)
{
    for (guint least = place;; place = least) {
        for (guint child = 2 * place + 1; child <= 2 * place + 2 && child < self->n_heap; child++)
            if (is_before (self, self->heap[child], self->heap[least]))
                least = child;
        if (least == place)
            return;
        guint other = self->heap[place];
        self->heap[place] = self->heap[least];
        self->heap[least] = other;
    }
}

void
rf_trace_merge_begin (RfTraceMerge *self, gint64 limit_ns, guint max_pages)
{
    if (self->top_is_used)
        self->cpus[self->heap[0]].has_record = FALSE;
    self->limit_ns = limit_ns;
    self->pages_left = MAX (max_pages, self->n_cpus);
    self->stopped = self->top_is_used = FALSE;
    self->n_heap = 0;
    for (guint i = 0; i < self->n_cpus; i++) {
        if (!self->cpus[i].has_record && !fetch (self, i))
            self->stopped = TRUE;
        if (self->cpus[i].has_record)
            self->heap[self->n_heap++] = i;
    }
    for (guint i = self->n_heap / 2; i-- > 0;)
        sift_down (self, i);
}

gboolean
rf_trace_merge_next (RfTraceMerge *self, RfTraceRecord *out)
{
    if (self->stopped)
        return FALSE;
    if (self->top_is_used) {
        guint top = self->heap[0];
        self->top_is_used = FALSE;
        self->stopped = !fetch (self, top);
        if (!self->cpus[top].has_record)
            self->heap[0] = self->heap[--self->n_heap];
        sift_down (self, 0);
        if (self->stopped)
            return FALSE;
    }
    if (self->n_heap == 0 || self->cpus[self->heap[0]].record.time_ns > self->limit_ns)
        return FALSE;
    *out = self->cpus[self->heap[0]].record;
    self->top_is_used = TRUE;
    return TRUE;
}

guint64
rf_trace_merge_lost_pages (const RfTraceMerge *self)
{
    return self->lost_pages;
}

guint64
rf_trace_merge_broken_pages (const RfTraceMerge *self)
{
    return self->broken_pages;
}

guint64
rf_trace_merge_pages (const RfTraceMerge *self)
{
    return self->pages;
}
