#define G_LOG_DOMAIN "rf-trace-flight"
#include "config.h"

#include "rf-trace-flight.h"

#define NONE G_MAXUINT32

/* in a chain of those with the same hash, and in a list of all in the order in which they were added */
typedef struct {
    RfTraceFlight flight;
    guint32 chain_next;
    guint32 older, newer;
} Slot;

struct _RfTraceFlights {
    guint size, count;
    guint32 oldest, newest, unused;
    guint32 *chains;
    Slot *slots;
};

RfTraceFlights *
rf_trace_flights_new (guint size)
{
    RfTraceFlights *self = g_new0 (RfTraceFlights, 1);
    g_assert (size > 0 && (size & (size - 1)) == 0);
    self->size = size;
    self->chains = g_new (guint32, size);
    self->slots = g_new0 (Slot, size);
    self->oldest = self->newest = NONE;
    for (guint i = 0; i < size; i++) {
        self->chains[i] = NONE;
        self->slots[i].chain_next = i + 1 < size ? i + 1 : NONE;
    }
    return self;
}

void
rf_trace_flights_free (RfTraceFlights *self)
{
    if (self == NULL)
        return;
    g_free (self->chains);
    g_free (self->slots);
    g_free (self);
}

static guint32 *
chain_of (RfTraceFlights *self, const RfTraceFlight *key)
{
    guint64 hash = (key->number ^ ((guint64)key->device << 32) ^ key->kind) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
    return &self->chains[(hash >> 32) & (self->size - 1)];
}

static gboolean
are_alike (const RfTraceFlight *a, const RfTraceFlight *b)
{
    return a->number == b->number && a->device == b->device && a->kind == b->kind;
}

/* @link: what points to it in its chain */
static void
remove_slot (RfTraceFlights *self, guint32 *link)
{
    guint32 index = *link;
    Slot *slot = &self->slots[index];
    *link = slot->chain_next;
    if (slot->older != NONE)
        self->slots[slot->older].newer = slot->newer;
    else
        self->oldest = slot->newer;
    if (slot->newer != NONE)
        self->slots[slot->newer].older = slot->older;
    else
        self->newest = slot->older;
    slot->chain_next = self->unused;
    self->unused = index;
    self->count--;
}

static void
give_up_oldest (RfTraceFlights *self)
{
    guint32 *link = chain_of (self, &self->slots[self->oldest].flight);
    while (*link != self->oldest)
        link = &self->slots[*link].chain_next;
    remove_slot (self, link);
}

gboolean
rf_trace_flights_add (RfTraceFlights *self, const RfTraceFlight *flight)
{
    gboolean full = self->count == self->size;
    if (full)
        give_up_oldest (self);
    guint32 index = self->unused, *chain = chain_of (self, flight);
    Slot *slot = &self->slots[index];
    self->unused = slot->chain_next;
    /* the newest comes first in its chain */
    *slot = (Slot){.flight = *flight, .chain_next = *chain, .older = self->newest, .newer = NONE};
    *chain = index;
    if (self->newest != NONE)
        self->slots[self->newest].newer = index;
    else
        self->oldest = index;
    self->newest = index;
    self->count++;
    return full;
}

gboolean
rf_trace_flights_take (RfTraceFlights *self, const RfTraceFlight *key, gboolean newest, RfTraceFlight *out)
{
    guint32 *found = NULL;
    for (guint32 *link = chain_of (self, key); *link != NONE; link = &self->slots[*link].chain_next) {
        if (!are_alike (&self->slots[*link].flight, key))
            continue;
        found = link;
        if (newest)
            break;
    }
    if (found == NULL)
        return FALSE;
    *out = self->slots[*found].flight;
    remove_slot (self, found);
    return TRUE;
}

guint
rf_trace_flights_expire (RfTraceFlights *self, gint64 before_ns)
{
    guint count = 0;
    for (; self->oldest != NONE && self->slots[self->oldest].flight.begin_ns < before_ns; count++)
        give_up_oldest (self);
    return count;
}

guint
rf_trace_flights_count (const RfTraceFlights *self)
{
    return self->count;
}
