/* What the two files of the page share. */
#pragma once

#include "rf-monitor-page.h"

#include "rf-message-bar.h"
#include "rf-monitor-board.h"
#include "rf-monitor-compact.h"

struct _RfMonitorPage {
    GtkWidget parent_instance;

    GtkWidget *scroller;
    GtkWidget *content;
    RfMessageBar *message;
    RfMonitorBoard *board;
    RfMonitorCompact *compact;

    RfSampler *sampler;
    RfMonitorChoice *choice;
    RfTimeline *timeline;
    gulong sampled;
    gboolean paused;
    gint64 worded;        /* when what the texts say was read; CLOCK_MONOTONIC, µs */
};

/** rf_monitor_page_shows_compact: whether the lines of the groups are seen, and not the graphs that were chosen */
gboolean rf_monitor_page_shows_compact (RfMonitorPage *self);
/** rf_monitor_page_install_saving: the actions "monitor.save-picture" and "monitor.save-table" */
void rf_monitor_page_install_saving (GtkWidgetClass *widget_class);
