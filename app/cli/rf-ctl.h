/* What the commands of ruckelfreictl share: the options, one look at the machine, the connection to the helper, printing.
 * No GTK. One thread; commands run a main loop of their own while they wait for the helper. */
#pragma once

#include "rf-client.h"
#include "rf-json.h"
#include "rf-recommendation.h"
#include "rf-state.h"

G_BEGIN_DECLS

/** RfExit: what the program says to scripts; documented in ruckelfreictl(1) and in --help. */
typedef enum {
    RF_EXIT_OK = 0,
    RF_EXIT_FAILED = 1,
    RF_EXIT_USAGE = 2,
    RF_EXIT_NOT_AUTHORIZED = 3, /* refused, dismissed, nobody could be asked */
    RF_EXIT_BUSY = 4,           /* another change or trial is running */
    RF_EXIT_CONFLICT = 5,       /* somebody else changed a value; it was left alone */
    RF_EXIT_NO_HELPER = 6,      /* the helper is not installed or cannot be reached */
    RF_EXIT_TAKEN_BACK = 7,     /* the trial was not kept; everything is as before */
} RfExit;

/**
 * RfCtl:
 * @args: what stands behind the command, NULL-terminated
 * @facts: and the following two: NULL until rf_ctl_look()
 * @client: NULL until rf_ctl_connect()
 */
typedef struct {
    RfSysroot *sysroot;
    gboolean json;
    gboolean yes;
    gboolean keep;
    gboolean force;
    gboolean all;
    gint trial_seconds;
    gint count;
    gint seconds;
    gboolean gpu;
    char *program; /* (nullable): to watch beside the graphics cards */
    char *nvml;    /* (nullable): for tests: in place of NVIDIA's library */
    gint xplane_port;
    char *phase;
    char *report; /* compare, recordings show: file to write */
    char *record_for; /* record: as typed */
    gint64 record_s;  /* 0: not said */
    char *name;
    char *compare_with;
    gint hz;
    gboolean trace;
    gboolean pre_roll;
    char **args;
    guint n_args;
    struct { /* import: as typed */
        char *as;
        char **map;
        char *name;
        char *join;
        gdouble offset;
    } import;

    RfFacts *facts;
    RfCurrentSet *current;
    RfSnapshot *snapshot;
    RfClient *client;
} RfCtl;

/* the machine */
void rf_ctl_look (RfCtl *ctl);
/** rf_ctl_recommend: looks if needed. Returns: (transfer full) (element-type RfRecommendation) */
GPtrArray *rf_ctl_recommend (RfCtl *ctl, RfPreset preset);

/* the helper */
/** rf_ctl_connect: Returns: (transfer none): never fails; calls do */
RfClient *rf_ctl_connect (RfCtl *ctl);
/** rf_ctl_wait_cb: for calls: remembers the result in a GAsyncResult ** */
void rf_ctl_wait_cb (GObject *source, GAsyncResult *result, gpointer data);
/** rf_ctl_wait: iterates the main context until *@result is set */
void rf_ctl_wait (GAsyncResult **result);
/** rf_ctl_list: Returns: (transfer full) (nullable) (element-type RfRecord) */
GPtrArray *rf_ctl_list (RfCtl *ctl, GError **error);
/** rf_ctl_helper_missing: whether @error means that there is no helper to talk to, not that it refused */
gboolean rf_ctl_helper_missing (const GError *error);
/** rf_ctl_fail: prints what @error means to a person (or as JSON); Returns: the exit code for it */
RfExit rf_ctl_fail (RfCtl *ctl, const GError *error);
/** rf_ctl_session_fail: as rf_ctl_fail(), for what has to do with recordings and not with the helper */
RfExit rf_ctl_session_fail (RfCtl *ctl, const GError *error);
/** rf_ctl_usage: prints one line and where to find help; Returns: RF_EXIT_USAGE */
RfExit rf_ctl_usage (RfCtl *ctl, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* printing; text is wrapped at 80 columns, by the width of the characters */
#define RF_CTL_COLUMNS 80
void rf_ctl_print (int indent, const char *text);
void rf_ctl_heading (const char *text);
/** rf_ctl_pair: "  label    text", the text wrapped beside the label */
void rf_ctl_pair (const char *label, const char *text);
/** rf_ctl_print_install: makes what g_print() gets printable before it reaches the terminal; see rf_text_printable() */
void rf_ctl_print_install (void);
/** rf_ctl_pad: Returns: (transfer full): @text filled with blanks up to @columns, on the left if @right */
char *rf_ctl_pad (const char *text, int columns, gboolean right);
int rf_ctl_width (const char *text);
void rf_ctl_print_json (RfJson *json);
/** rf_ctl_print_state: sentence, detail and text to copy, as the window has them */
void rf_ctl_print_state (int indent, const RfStateInfo *info);

/* pieces that several commands print */
void rf_ctl_json_value (RfJson *json, const char *key, const RfValue *value);
void rf_ctl_json_row (RfJson *json, const RfRecommendation *row);
void rf_ctl_json_record (RfJson *json, const char *key, const RfRecord *record);
void rf_ctl_print_record (const RfRecord *record);
/** rf_ctl_print_change: "  Title (instance)  old → new" and the kernel's name below */
void rf_ctl_print_change (RfCtl *ctl, const RfTunable *tunable, const char *instance, const RfValue *before,
                          const RfValue *after);

/* what to rule out before tuning: rf-ctl-checks.c; both look anew */
void rf_ctl_print_checks (RfCtl *ctl);
void rf_ctl_json_checks (RfCtl *ctl, RfJson *json);

/* assignments and presets: rf-ctl-plan.c */
/**
 * rf_ctl_parse_assignment:
 * @text: "ID=VALUE" or "ID@INSTANCE=VALUE". VALUE is what rf_value_from_text() takes; for a dirty pair also "5%" and
 *   "256MiB", for a vector also commas
 */
gboolean rf_ctl_parse_assignment (RfCtl *ctl, const char *text, RfPlanBuilder *builder, GError **error);
/** rf_ctl_make_plan: from the arguments: nothing or a preset, and assignments. NULL with RF_ERROR_INVALID if nothing
 * would be changed */
RfPlan *rf_ctl_make_plan (RfCtl *ctl, GError **error);

/* the commands */
RfExit rf_ctl_check (RfCtl *ctl);
RfExit rf_ctl_status (RfCtl *ctl);
RfExit rf_ctl_watch (RfCtl *ctl);
RfExit rf_ctl_watch_live (RfCtl *ctl);
RfExit rf_ctl_import (RfCtl *ctl);
RfExit rf_ctl_list_settings (RfCtl *ctl);
RfExit rf_ctl_explain (RfCtl *ctl);
RfExit rf_ctl_plan (RfCtl *ctl);
RfExit rf_ctl_provenance (RfCtl *ctl);
RfExit rf_ctl_apply (RfCtl *ctl);
RfExit rf_ctl_keep (RfCtl *ctl);
RfExit rf_ctl_revert (RfCtl *ctl);
RfExit rf_ctl_records (RfCtl *ctl);
RfExit rf_ctl_report (RfCtl *ctl);
RfExit rf_ctl_compare (RfCtl *ctl);
RfExit rf_ctl_record (RfCtl *ctl);
RfExit rf_ctl_mark (RfCtl *ctl);
RfExit rf_ctl_recordings (RfCtl *ctl);

/** rf_ctl_parse_duration: @text: "90", "90s", "60m" or "2h"; FALSE for anything else, for nothing and for over 24 hours */
gboolean rf_ctl_parse_duration (const char *text, gint64 *seconds);

G_END_DECLS
