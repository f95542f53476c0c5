#define G_LOG_DOMAIN "rf-ctl-apply"
#include "config.h"

#include "rf-ctl.h"
#include "rf-error.h"
#include "rf-tunable-text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

/* --keep decides this long before the helper would take everything back */
#define KEEP_BEFORE_END_S 3
/* a trial that is still not over this long after its end is asked for */
#define OVERDUE_S 5

typedef enum {
    CHOICE_NONE,
    CHOICE_KEEP,
    CHOICE_REVERT,
} Choice;

/* One trial in the foreground. The helper takes it back when this process leaves the bus, whatever happens here. */
typedef struct {
    RfCtl *ctl;
    GCancellable *cancellable;
    char *id;       /* of the record, NULL until applied */
    gint64 ends_us; /* CLOCK_BOOTTIME */
    gboolean asks;  /* a person sits at the terminal */
    gboolean seen;  /* the helper has named it as the running trial */
    gboolean ended; /* the helper says that it is over */
    guint interrupts;
    Choice choice;
    GString *line;
    guint sources[3];
    guint input_source;
} Trial;

static gint64
boottime_us (void)
{
    struct timespec now;
    clock_gettime (CLOCK_BOOTTIME, &now);
    return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint64
seconds_left (const Trial *trial)
{
    return (trial->ends_us - boottime_us () + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
}

static gboolean
interrupt_cb (gpointer data)
{
    Trial *trial = data;
    trial->choice = CHOICE_REVERT;
    if (++trial->interrupts == 1)
        g_cancellable_cancel (trial->cancellable);
    else
        _exit (RF_EXIT_TAKEN_BACK); /* leaving the bus takes everything back */
    return G_SOURCE_CONTINUE;
}

static void
show_countdown (const Trial *trial)
{
    if (!trial->asks || trial->id == NULL)
        return;
    g_autofree char *left = rf_format_duration ((double)MAX (seconds_left (trial), 0));
    /* TRANSLATORS: %s is the time left; [y/N] are the keys, keep them as you translate yes and no below */
    g_autofree char *text = g_strdup_printf (_ ("On trial, %s left. Keep? [y/N]"), left);
    g_autofree char *padded = rf_ctl_pad (text, RF_CTL_COLUMNS - 3, FALSE);
    g_printerr ("\r%s\r%s ", padded, text);
}

static gboolean
tick_cb (gpointer data)
{
    Trial *trial = data;
    show_countdown (trial);
    return G_SOURCE_CONTINUE;
}

/* The first letter of the translated word and "y" both mean yes. */
static gboolean
means_yes (const char *answer)
{
    g_autofree char *folded = g_utf8_casefold (answer, -1);
    /* TRANSLATORS: first letter of "yes" in your language, lower case */
    const char *yes = C_ ("answer", "y");
    return g_str_has_prefix (folded, "y") || g_str_has_prefix (folded, yes);
}

static gboolean
input_cb (gint fd, GIOCondition condition, gpointer data)
{
    Trial *trial = data;
    char buffer[128];
    gssize n = read (fd, buffer, sizeof buffer);
    if (n <= 0) { /* end of input: nobody is there to say yes */
        trial->choice = CHOICE_REVERT;
        trial->input_source = 0;
        return G_SOURCE_REMOVE;
    }
    g_string_append_len (trial->line, buffer, n);
    char *end = strchr (trial->line->str, '\n');
    if (end == NULL)
        return G_SOURCE_CONTINUE;
    *end = '\0';
    g_autofree char *answer = g_utf8_make_valid (g_strstrip (trial->line->str), -1);
    trial->choice = means_yes (answer) ? CHOICE_KEEP : CHOICE_REVERT;
    g_string_truncate (trial->line, 0);
    return G_SOURCE_CONTINUE;
}

static void
trial_ended_cb (RfClient *client, const char *id, const char *reason, gpointer data)
{
    Trial *trial = data;
    if (g_strcmp0 (id, trial->id) == 0)
        trial->ended = TRUE;
}

static void
progress_cb (RfClient *client, const char *id, const char *step, guint done, guint total, gpointer data)
{
    Trial *trial = data;
    if (!trial->asks || trial->id != NULL)
        return;
    g_printerr ("\r%s %u/%u\033[K", step, done, total);
}

/* The trial may end without us: somebody keeps or takes it back in the window. */
static void
trial_changed_cb (Trial *trial)
{
    const char *now = rf_client_get_trial_id (trial->ctl->client);
    gint64 ends = rf_client_get_trial_ends (trial->ctl->client);
    if (trial->id == NULL)
        return;
    if (g_strcmp0 (now, trial->id) == 0) {
        trial->seen = TRUE;
        trial->ends_us = ends > 0 ? ends : trial->ends_us;
    } else if (trial->seen) {
        trial->ended = TRUE;
    }
}

static void
trial_clear (Trial *trial)
{
    for (gsize i = 0; i < G_N_ELEMENTS (trial->sources); i++)
        g_source_remove (trial->sources[i]);
    if (trial->input_source != 0)
        g_source_remove (trial->input_source);
    g_signal_handlers_disconnect_by_data (trial->ctl->client, trial);
    g_string_free (trial->line, TRUE);
    g_free (trial->id);
    g_object_unref (trial->cancellable);
}

static void
trial_init (Trial *trial, RfCtl *ctl)
{
    RfClient *client = rf_ctl_connect (ctl);
    *trial = (Trial){
        .ctl = ctl,
        .cancellable = g_cancellable_new (),
        .asks = isatty (STDIN_FILENO) && isatty (STDERR_FILENO) && !ctl->keep,
        .line = g_string_new (NULL),
    };
    trial->sources[0] = g_unix_signal_add (SIGINT, interrupt_cb, trial);
    trial->sources[1] = g_unix_signal_add (SIGTERM, interrupt_cb, trial);
    trial->sources[2] = g_timeout_add_seconds (1, tick_cb, trial);
    g_signal_connect (client, "trial-ended", G_CALLBACK (trial_ended_cb), trial);
    g_signal_connect (client, "progress", G_CALLBACK (progress_cb), trial);
    g_signal_connect_swapped (client, "notify::trial-ends", G_CALLBACK (trial_changed_cb), trial);
    g_signal_connect_swapped (client, "notify::trial-id", G_CALLBACK (trial_changed_cb), trial);
}

/* What became of a trial is read from its record, never from the signal. */
static RfRecord *
read_record (Trial *trial, GError **error)
{
    g_autoptr (GPtrArray) records = rf_ctl_list (trial->ctl, error);
    if (records == NULL)
        return NULL;
    for (guint i = 0; i < records->len; i++) {
        RfRecord *record = g_ptr_array_index (records, i);
        if (g_str_equal (record->id, trial->id))
            return g_ptr_array_steal_index (records, i);
    }
    g_set_error_literal (error, RF_ERROR, RF_ERROR_UNKNOWN, "the record is gone");
    return NULL;
}

static RfExit
report (RfCtl *ctl, const RfRecord *record)
{
    gboolean kept = record->state == RF_RECORD_KEPT || record->state == RF_RECORD_KEEPING;
    gboolean left_alone = FALSE;
    for (guint i = 0; i < record->entries->len; i++)
        if (((RfRecordEntry *)g_ptr_array_index (record->entries, i))->state == RF_ENTRY_LEFT_ALONE)
            left_alone = TRUE;
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_object (json, NULL);
        rf_json_bool (json, "kept", kept);
        rf_ctl_json_record (json, "record", record);
        rf_json_end_object (json);
        rf_ctl_print_json (json);
    } else if (kept) {
        rf_ctl_print (0, _ ("Kept. The settings come back at each start."));
    } else {
        rf_ctl_print (0, left_alone ? _ ("Taken back, except what somebody else has changed since.")
                                    : _ ("Taken back. Everything is as it was before."));
        if (record->reason != RF_REASON_NONE && record->reason != RF_REASON_USER)
            rf_ctl_print (0, rf_reason_text (record->reason));
    }
    if (kept)
        return RF_EXIT_OK;
    return left_alone ? RF_EXIT_CONFLICT : RF_EXIT_TAKEN_BACK;
}

static RfRecord *
take_back (Trial *trial, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    rf_client_revert_async (trial->ctl->client, trial->id, FALSE, rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    RfRecord *record = rf_client_revert_finish (trial->ctl->client, result, error);
    /* it may have gone back by itself in this very moment */
    if (record == NULL && g_error_matches (*error, RF_ERROR, RF_ERROR_STATE)) {
        g_clear_error (error);
        return read_record (trial, error);
    }
    return record;
}

static RfRecord *
keep (Trial *trial, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    rf_client_keep_async (trial->ctl->client, trial->id, rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    return rf_client_keep_finish (trial->ctl->client, result, error);
}

static void
wait_for_choice (Trial *trial)
{
    while (trial->choice == CHOICE_NONE && !trial->ended) {
        g_main_context_iteration (NULL, TRUE);
        if (trial->ctl->keep && seconds_left (trial) <= KEEP_BEFORE_END_S)
            trial->choice = CHOICE_KEEP;
        if (seconds_left (trial) < -OVERDUE_S)
            trial->ended = TRUE;
    }
    if (trial->asks)
        g_printerr ("\n");
}

static RfExit
run_trial (Trial *trial)
{
    while (TRUE) {
        g_autoptr (GError) error = NULL;
        g_autoptr (RfRecord) record = NULL;
        wait_for_choice (trial);
        if (trial->ended)
            record = read_record (trial, &error);
        else if (trial->choice == CHOICE_KEEP)
            record = keep (trial, &error);
        else
            record = take_back (trial, &error);
        if (record != NULL && record->state == RF_RECORD_TRIAL && seconds_left (trial) > -OVERDUE_S) {
            trial->ended = trial->seen = FALSE; /* a signal came too early */
            continue;
        }
        if (record != NULL)
            return report (trial->ctl, record);
        /* a keep that failed leaves the trial running: there is still time to try again */
        if (trial->ended || trial->choice != CHOICE_KEEP || !trial->asks)
            return rf_ctl_fail (trial->ctl, error);
        rf_ctl_fail (trial->ctl, error);
        trial->choice = CHOICE_NONE;
    }
}

static RfExit
apply (RfCtl *ctl, RfPlan *plan)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GAsyncResult) result = NULL;
    Trial trial;
    trial_init (&trial, ctl);
    rf_client_apply_async (ctl->client, plan, (guint)ctl->trial_seconds, trial.cancellable, rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    g_autoptr (RfRecord) record = rf_client_apply_finish (ctl->client, result, &error);
    if (record == NULL) {
        trial_clear (&trial);
        return rf_ctl_fail (ctl, error);
    }
    trial.id = g_strdup (record->id);
    trial.ends_us = boottime_us () + (gint64)ctl->trial_seconds * G_USEC_PER_SEC;
    trial_changed_cb (&trial);
    if (!ctl->json && trial.asks)
        g_printerr ("\r\033[K");
    if (!ctl->json && !trial.asks)
        rf_ctl_print (0, ctl->keep ? _ ("Applied on trial; it is kept when the time is over. Ctrl+C takes it back.")
                                   : _ ("Applied on trial; it is taken back when the time is over."));
    if (trial.asks)
        trial.input_source = g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, input_cb, &trial);
    show_countdown (&trial);
    RfExit code = run_trial (&trial);
    trial_clear (&trial);
    return code;
}

static gboolean
confirmed (guint n)
{
    g_autofree char *question = g_strdup_printf (
        ngettext ("Apply this setting on trial? [y/N]", "Apply these %u settings on trial? [y/N]", n), n);
    char answer[64];
    g_printerr ("%s ", question);
    if (fgets (answer, sizeof answer, stdin) == NULL)
        return FALSE;
    g_autofree char *valid = g_utf8_make_valid (g_strstrip (answer), -1);
    return means_yes (valid);
}

static void
print_plan (RfCtl *ctl, const RfPlan *plan)
{
    for (guint i = 0; i < rf_plan_length (plan); i++) {
        const RfChange *change = rf_plan_get (plan, i);
        RfValue now;
        gboolean known = rf_current_set_get (ctl->current, change->tunable, change->instance, &now, NULL);
        rf_ctl_print_change (ctl, change->tunable, change->instance, known ? &now : NULL, &change->value);
    }
    g_print ("\n");
}

RfExit
rf_ctl_apply (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_ctl_make_plan (ctl, &error);
    if (plan == NULL && g_error_matches (error, RF_ERROR, RF_ERROR_STATE)) {
        if (ctl->json)
            return rf_ctl_fail (ctl, error);
        rf_ctl_print (0, _ ("There is nothing to change here."));
        return RF_EXIT_OK;
    }
    /* a slip of the keyboard; the words for what a helper refuses would speak of versions that do not fit */
    if (plan == NULL && !ctl->json
        && (g_error_matches (error, RF_ERROR, RF_ERROR_INVALID) || g_error_matches (error, RF_ERROR, RF_ERROR_UNKNOWN)))
        return rf_ctl_usage (ctl, "%s", error->message);
    if (plan == NULL || !rf_plan_validate (plan, ctl->facts, &error))
        return rf_ctl_fail (ctl, error);
    if (!ctl->json)
        print_plan (ctl, plan);
    if (!ctl->yes && (ctl->json || !isatty (STDIN_FILENO)))
        return rf_ctl_usage (ctl, _ ("Nobody can be asked here: add --yes to apply."));
    if (!ctl->yes && !confirmed (rf_plan_length (plan))) {
        rf_ctl_print (0, _ ("Nothing has been changed."));
        return RF_EXIT_TAKEN_BACK;
    }
    return apply (ctl, plan);
}
