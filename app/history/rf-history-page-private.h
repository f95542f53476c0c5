/* What the two files of the page share: rf-history-page.c shows, rf-history-page-revert.c takes back. */
#pragma once

#include "rf-history-page.h"

#include "rf-history-row.h"
#include "rf-message-bar.h"
#include "rf-state-bar.h"

#define RF_HISTORY_N_STATES 5 /* that concern changes */

struct _RfHistoryPage {
    GtkWidget parent_instance;
    GtkWidget *scroller;
    RfMessageBar *bar;
    GtkLabel *title;
    GtkLabel *lead;
    GtkWidget *revert_all;
    GtkWidget *active;
    GtkWidget *empty;
    GtkWidget *past_box;
    GtkWidget *past;
    GtkWidget *work; /* how far a long taking back is, with a button that stops it */
    GtkWidget *work_bar;
    GtkWidget *work_text;
    GtkWidget *work_cancel;
    GtkWidget *state_bar[RF_HISTORY_N_STATES];
    GtkWidget *notes_bar; /* that not all notes could be read when everything was taken back */

    RfClient *client;
    RfSysroot *sysroot;
    RfFacts *facts;
    GPtrArray *records; /* of RfRecord, oldest first; NULL before the first answer */
    GPtrArray *drift;   /* of RfDrift, NULL if unknown */
    GPtrArray *left;    /* of RfHistoryLeft: what the last taking back left alone */
    gboolean listing;
    gboolean list_again;
    guint working;       /* reverts under way */
    gboolean unreadable; /* notes, when everything was taken back the last time */
    gboolean disposed;
};

/* Something that a taking back left alone, to be forced if the person says so. */
typedef struct {
    char *record_id;
    const RfTunable *tunable;
    char *instance;
} RfHistoryLeft;

/** rf_history_left_new_list: Returns: (transfer full): empty, for RfHistoryLeft */
GPtrArray *rf_history_left_new_list (void);

/** rf_history_page_reload: asks the helper for the list, and shows it; once more if it is being asked */
void rf_history_page_reload (RfHistoryPage *self);

/* Taking back. Each says on the page what came of it, and ends with the list asked for anew. */
void rf_history_page_revert_all (RfHistoryPage *self);
void rf_history_page_revert_row (RfHistoryRow *row, RfHistoryPage *self);
/** rf_history_page_force_next: "Take back anyway": exactly what was left alone, nothing else */
void rf_history_page_force_next (RfHistoryPage *self);
/** rf_history_page_take_back_unfinished: the newest record that has stopped half-way */
void rf_history_page_take_back_unfinished (RfHistoryPage *self);
/** rf_history_page_ask_past: for the rows of the past that have "record" and "entry": whether to force it */
void rf_history_page_ask_past (GtkListBox *list, GtkListBoxRow *row, RfHistoryPage *self);
/** rf_history_page_show_progress: as RfClient::progress; @done and @total: MiB */
void rf_history_page_show_progress (RfHistoryPage *self, const char *id, const char *step, guint done, guint total);
void rf_history_page_cancel_work (RfHistoryPage *self);
