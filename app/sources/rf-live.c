#define G_LOG_DOMAIN "rf-live"
#include "config.h"

#include "rf-live-private.h"

#include "rf-gpu-fall.h"
#include "rf-gpu-private.h"
#include "rf-program-watch.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define MAX_VALUES (RF_GPUS_MAX * RF_GPU_N_COLUMNS)
#define FRAME_VALUES 3

typedef enum {
    ITEM_CARDS,
    ITEM_TABLE,
    ITEM_ROW,
    ITEM_GAP,
    ITEM_EVENT,
} ItemKind;

/* One call of the sink, on its way from the thread that reads to the one that listens. */
typedef struct {
    ItemKind kind;
    const char *table;
    gint64 time_ns, to_ns;
    guint n;
    double *values;
    char **columns;
    RfGpu *cards;
    RfGpuSample *first;
    RfEvent event;
} Item;

struct _RfLive {
    RfLiveSink sink;
    gpointer user_data;
    GMainContext *listener;
    GMutex mutex; /* of what both threads use: @items, @wake */
    GQueue items;
    GSource *wake;
    GThread *thread;
    GMainContext *context;
    GMainLoop *loop;

    /* of the thread that reads alone */
    RfLiveOptions options;
    char *program;
    char *library;
    RfGpus *gpus;
    RfProgramWatch *watch;
    RfGpuFallWatch *falls[RF_GPUS_MAX];
    gboolean has_frames;
    gint64 last_frame_ns;
};

static void
item_free (Item *item)
{
    g_free (item->values);
    g_strfreev (item->columns);
    g_free (item->cards);
    g_free (item->first);
    g_free (item);
}

static void
deliver (RfLive *self, const Item *item)
{
    const RfLiveSink *sink = &self->sink;
    gpointer data = self->user_data;
    switch (item->kind) {
    case ITEM_CARDS:
        if (sink->cards != NULL)
            sink->cards (item->cards, item->first, item->n, data);
        break;
    case ITEM_TABLE:
        if (sink->table != NULL)
            sink->table (item->table, (const char *const *)item->columns, data);
        break;
    case ITEM_ROW:
        if (sink->row != NULL)
            sink->row (item->table, item->time_ns, item->values, item->n, data);
        break;
    case ITEM_GAP:
        if (sink->gap != NULL)
            sink->gap (item->table, item->time_ns, item->to_ns, "away", data);
        break;
    case ITEM_EVENT:
    default:
        if (sink->event != NULL)
            sink->event (&item->event, data);
        break;
    }
}

static Item *
next_item (RfLive *self)
{
    g_mutex_lock (&self->mutex);
    Item *item = g_queue_pop_head (&self->items);
    if (item == NULL && self->wake != NULL) {
        g_source_destroy (self->wake);
        g_clear_pointer (&self->wake, g_source_unref);
    }
    g_mutex_unlock (&self->mutex);
    return item;
}

/* One at a time, so that a function of the sink may stop everything. */
static gboolean
wake_cb (gpointer data)
{
    RfLive *self = data;
    Item *item = next_item (self);
    if (item == NULL)
        return G_SOURCE_REMOVE;
    deliver (self, item);
    item_free (item);
    return G_SOURCE_CONTINUE;
}

static void
push (RfLive *self, Item *item)
{
    g_mutex_lock (&self->mutex);
    g_queue_push_tail (&self->items, item);
    if (self->wake == NULL) {
        self->wake = g_idle_source_new ();
        g_source_set_priority (self->wake, G_PRIORITY_DEFAULT);
        g_source_set_callback (self->wake, wake_cb, self, NULL);
        g_source_attach (self->wake, self->listener);
    }
    g_mutex_unlock (&self->mutex);
}

static Item *
new_item (ItemKind kind, const char *table, gint64 time_ns)
{
    Item *item = g_new0 (Item, 1);
    item->kind = kind;
    item->table = table;
    item->time_ns = time_ns;
    return item;
}

static void
push_row (RfLive *self, const char *table, gint64 time_ns, const double *values, guint n)
{
    Item *item = new_item (ITEM_ROW, table, time_ns);
    item->values = g_memdup2 (values, n * sizeof *values);
    item->n = n;
    push (self, item);
}

static gint64
now_ns (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return now.tv_sec * RF_NS_PER_S + now.tv_nsec;
}

static void
push_event (RfLive *self, RfEventKind kind, gint64 time_ns, gint64 duration_ns, const char *subject, double amount)
{
    Item *item = new_item (ITEM_EVENT, NULL, time_ns);
    item->event = (RfEvent){.time_ns = time_ns, .duration_ns = duration_ns, .kind = kind, .amount = amount};
    rf_event_set_text (item->event.subject, sizeof item->event.subject, subject, strlen (subject));
    if (kind == RF_EVENT_GPU_FALL) {
        item->event.pid = rf_program_watch_pid (self->watch);
        rf_event_set_text (item->event.process, sizeof item->event.process, self->program, strlen (self->program));
    }
    push (self, item);
}

static void
frame_cb (const RfXplaneFrame *frame, gpointer data)
{
    RfLive *self = data;
    const double values[FRAME_VALUES] = {frame->frame_ms, frame->gpu_ms, frame->pause_ms};
    if (!self->has_frames) {
        static const char *const columns[] = {"frame_ms", "gpu_ms", "pause_ms", NULL};
        Item *item = new_item (ITEM_TABLE, "frames", 0);
        item->columns = g_strdupv ((char **)columns);
        push (self, item);
        self->has_frames = TRUE;
    } else if (isnan (frame->pause_ms)) {
        Item *item = new_item (ITEM_GAP, "frames", self->last_frame_ns);
        item->to_ns = frame->time_ns;
        push (self, item);
    }
    if (frame->freeze)
        push_event (self, RF_EVENT_FREEZE, self->last_frame_ns, frame->time_ns - self->last_frame_ns, "X-Plane", NAN);
    push_row (self, "frames", frame->time_ns, values, FRAME_VALUES);
    self->last_frame_ns = frame->time_ns;
}

static gboolean
gpu_cb (gpointer data)
{
    RfLive *self = data;
    double values[MAX_VALUES];
    guint n = 0;
    gint64 time_ns = now_ns ();
    gboolean running = rf_program_watch_running (self->watch, time_ns);
    for (guint i = 0; i < rf_gpus_count (self->gpus); i++) {
        const RfGpu *gpu = rf_gpus_get (self->gpus, i);
        RfGpuSample sample;
        RfGpuFall fall;
        if (gpu->state != RF_GPU_READY)
            continue;
        rf_gpus_read (self->gpus, i, now_ns (), &sample);
        memcpy (values + n, sample.value, sizeof sample.value);
        n += RF_GPU_N_COLUMNS;
        double load = sample.value[RF_GPU_UTILISATION];
        if (isnan (load)) /* where only the upper bound is told, it falls, too */
            load = sample.value[RF_GPU_AWAKE];
        if (rf_gpu_fall_watch_push (self->falls[i], sample.time_ns, load, running, &fall))
            push_event (self, RF_EVENT_GPU_FALL, fall.begin_ns, fall.duration_ns, gpu->name, fall.during);
    }
    push_row (self, "gpu", time_ns, values, n);
    return G_SOURCE_CONTINUE;
}

/* Returns: whether there is a card that can be read. */
static gboolean
open_cards (RfLive *self)
{
    g_autoptr (GStrvBuilder) columns = g_strv_builder_new ();
    gboolean any = FALSE;
    self->gpus = self->library != NULL ? rf_gpus_new_for_test (self->options.sysroot, self->library)
                                       : rf_gpus_new (self->options.sysroot);
    Item *cards = new_item (ITEM_CARDS, NULL, 0);
    cards->n = rf_gpus_count (self->gpus);
    cards->cards = g_new0 (RfGpu, MAX (cards->n, 1));
    cards->first = g_new0 (RfGpuSample, MAX (cards->n, 1));
    for (guint i = 0; i < cards->n; i++) {
        cards->cards[i] = *rf_gpus_get (self->gpus, i);
        rf_gpus_read (self->gpus, i, now_ns (), &cards->first[i]);
        if (cards->cards[i].state != RF_GPU_READY)
            continue;
        any = TRUE;
        self->falls[i] = rf_gpu_fall_watch_new (&RF_GPU_FALL_RULE);
        for (guint column = 0; column < RF_GPU_N_COLUMNS; column++) {
            g_autofree char *name = g_strdup_printf ("gpu%u.%s", i, rf_gpu_column_name ((RfGpuColumn)column));
            g_strv_builder_add (columns, name);
        }
    }
    push (self, cards);
    if (!any)
        return FALSE;
    Item *table = new_item (ITEM_TABLE, "gpu", 0);
    table->columns = g_strv_builder_end (columns);
    push (self, table);
    return TRUE;
}

static gpointer
run (gpointer data)
{
    RfLive *self = data;
    RfXplaneUdp *xplane = NULL;
    GSource *tick = NULL;
    g_main_context_push_thread_default (self->context);
    self->watch = self->options.pid > 0 ? rf_program_watch_new_pid (self->options.sysroot, self->options.pid)
                                        : rf_program_watch_new_name (self->options.sysroot, self->program);
    if (self->options.xplane_port != 0)
        xplane = rf_xplane_udp_new (self->options.xplane_port, self->options.xplane_hz, frame_cb, self, NULL);
    if (self->options.gpu_interval_ms != 0 && open_cards (self)) {
        tick = g_timeout_source_new (self->options.gpu_interval_ms);
        g_source_set_callback (tick, gpu_cb, self, NULL);
        g_source_attach (tick, self->context);
    }
    g_main_loop_run (self->loop);
    if (tick != NULL) {
        g_source_destroy (tick);
        g_source_unref (tick);
    }
    g_clear_pointer (&xplane, rf_xplane_udp_free);
    for (guint i = 0; i < RF_GPUS_MAX; i++)
        g_clear_pointer (&self->falls[i], rf_gpu_fall_watch_free);
    g_clear_pointer (&self->watch, rf_program_watch_free);
    g_clear_pointer (&self->gpus, rf_gpus_free);
    g_main_context_pop_thread_default (self->context);
    return NULL;
}

RfLive *
rf_live_start_for_test (const RfLiveOptions *options, const char *library, const RfLiveSink *sink, gpointer user_data)
{
    RfLive *self = g_new0 (RfLive, 1);
    self->sink = *sink;
    self->user_data = user_data;
    self->listener = g_main_context_ref_thread_default ();
    self->options = *options;
    self->options.sysroot = g_object_ref (options->sysroot);
    self->program = g_strdup (options->program != NULL ? options->program : RF_LIVE_PROGRAM);
    self->library = g_strdup (library);
    g_mutex_init (&self->mutex);
    g_queue_init (&self->items);
    self->context = g_main_context_new ();
    self->loop = g_main_loop_new (self->context, FALSE);
    self->thread = g_thread_new ("rf-live", run, self);
    return self;
}

RfLive *
rf_live_start (const RfLiveOptions *options, const RfLiveSink *sink, gpointer user_data)
{
    return rf_live_start_for_test (options, NULL, sink, user_data);
}

/* In the thread that reads: before its loop runs, quitting it would be forgotten. */
static gboolean
quit_cb (gpointer data)
{
    RfLive *self = data;
    g_main_loop_quit (self->loop);
    return G_SOURCE_REMOVE;
}

void
rf_live_stop (RfLive *self)
{
    if (self == NULL)
        return;
    GSource *quit = g_idle_source_new ();
    g_source_set_callback (quit, quit_cb, self, NULL);
    g_source_attach (quit, self->context);
    g_source_unref (quit);
    g_thread_join (self->thread);
    for (Item *item; (item = next_item (self)) != NULL; item_free (item))
        deliver (self, item);
    g_mutex_clear (&self->mutex);
    g_main_loop_unref (self->loop);
    g_main_context_unref (self->context);
    g_main_context_unref (self->listener);
    g_object_unref (self->options.sysroot);
    g_free (self->program);
    g_free (self->library);
    g_free (self);
}
