/* The table of the cards (rf-monitor-table) for those who make widgets of it (rf-monitor-cards). */
#pragma once

#include "rf-monitor-cards.h"

#define MAX_CARD_LINES 3

typedef char *(*RfValueWords) (RfSampler *sampler, const RfSample *sample);

struct _RfMonitorCard {
    const char *id;
    RfMonitorGroup group;
    const char *title;
    const char *explanation;
    RfMeasure measure;
    char *(*format) (double value); /* where the measure has no unit */
    double floor;                   /* the axis reaches at least so far, so that calm looks calm */
    guint n_lines;
    RfColumn column[MAX_CARD_LINES];
    const char *label[MAX_CARD_LINES]; /* NULL: no legend */
    RfValueWords words;
    gboolean needs_swap;
    RfDiskColumn disk_column; /* only where n_lines is 0: one line a disk */
    void (*thresholds) (RfGraph *graph, const RfSample *sample);
};

/** rf_monitor_table: Returns: (transfer none): all cards in their usual order; @n: (out) */
const RfMonitorCard *rf_monitor_table (guint *n);
