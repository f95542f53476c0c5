#define G_LOG_DOMAIN "rf-ctl-print"
#include "config.h"

#include "rf-ctl.h"
#include "rf-text.h"
#include "rf-tunable-text.h"

#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#define LABEL_COLUMNS 24

/* As g_print() would, but no name of a file or a drive gets to talk to the terminal. */
static void
print_printable (const char *text)
{
    const char *charset = NULL;
    gboolean utf8 = g_get_charset (&charset);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_autofree char *shown = rf_text_printable (*line);
        g_autofree char *converted
            = utf8 ? NULL : g_convert_with_fallback (shown, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
        /* main() looks whether it has all been written */
        (void)fputs (converted != NULL ? converted : shown, stdout);
        if (line[1] != NULL)
            (void)fputc ('\n', stdout);
    }
    (void)fflush (stdout);
}

void
rf_ctl_print_install (void)
{
    g_set_print_handler (print_printable);
}

int
rf_ctl_width (const char *text)
{
    int width = 0;
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        if (!g_unichar_iszerowidth (c))
            width += g_unichar_iswide (c) ? 2 : 1;
    }
    return width;
}

char *
rf_ctl_pad (const char *text, int columns, gboolean right)
{
    int missing = MAX (0, columns - rf_ctl_width (text));
    return right ? g_strdup_printf ("%*s%s", missing, "", text) : g_strdup_printf ("%s%*s", text, missing, "");
}

/* Breaks at blanks only; a word that is longer than a line stands alone on one. @column: where the cursor is. */
static void
print_wrapped (int column, int indent, const char *text)
{
    g_auto (GStrv) words = g_strsplit (text, " ", -1);
    gboolean first = TRUE;
    for (char **word = words; *word != NULL; word++) {
        int width = rf_ctl_width (*word);
        if (**word == '\0')
            continue;
        if (!first && column + 1 + width > RF_CTL_COLUMNS) {
            g_print ("\n%*s", indent, "");
            column = indent;
            first = TRUE;
        }
        g_print (first ? "%s" : " %s", *word);
        column += width + (first ? 0 : 1);
        first = FALSE;
    }
    g_print ("\n");
}

void
rf_ctl_print (int indent, const char *text)
{
    g_print ("%*s", indent, "");
    print_wrapped (indent, indent, text);
}

void
rf_ctl_heading (const char *text)
{
    g_print ("\n%s\n", text);
}

void
rf_ctl_print_state (int indent, const RfStateInfo *info)
{
    rf_ctl_print (indent, info->sentence);
    g_auto (GStrv) details = g_strsplit (info->detail != NULL ? info->detail : "", "\n", -1);
    for (char **line = details; *line != NULL; line++)
        rf_ctl_print (indent, *line);
    /* as it is, to be copied */
    g_auto (GStrv) lines = g_strsplit (info->snippet != NULL ? info->snippet : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++)
        if (**line != '\0')
            g_print ("%*s%s\n", indent + 2, "", *line);
}

void
rf_ctl_pair (const char *label, const char *text)
{
    g_autofree char *padded = rf_ctl_pad (label, LABEL_COLUMNS - 1, FALSE);
    g_print ("  %s ", padded);
    print_wrapped (3 + MAX (LABEL_COLUMNS - 1, rf_ctl_width (label)), 2 + LABEL_COLUMNS, text);
}

/* Past g_print(), which would convert to the locale's character set: JSON is UTF-8. */
void
rf_ctl_print_json (RfJson *json)
{
    /* main() looks whether it has all been written */
    (void)fputs (rf_json_text (json), stdout);
    (void)fflush (stdout);
}

void
rf_ctl_json_value (RfJson *json, const char *key, const RfValue *value)
{
    switch (value->kind) {
    case RF_VALUE_INT:
        rf_json_int (json, key, value->n[0]);
        break;
    case RF_VALUE_CHOICE:
        rf_json_string (json, key, value->token);
        break;
    case RF_VALUE_DIRTY:
        rf_json_begin_object (json, key);
        rf_json_string (json, "mode", value->n[1] == RF_DIRTY_BYTES ? "bytes" : "ratio");
        rf_json_int (json, "amount", value->n[0]);
        rf_json_end_object (json);
        break;
    case RF_VALUE_VECTOR:
        rf_json_begin_array (json, key);
        for (guint i = 0; i < 3; i++)
            rf_json_int (json, NULL, value->n[i]);
        rf_json_end_array (json);
        break;
    case RF_VALUE_ZRAM:
        rf_json_begin_object (json, key);
        rf_json_int (json, "size_bytes", value->n[0]);
        rf_json_string (json, "algorithm", value->token);
        rf_json_int (json, "priority", value->n[1]);
        rf_json_end_object (json);
        break;
    case RF_VALUE_ABSENT:
    default:
        rf_json_null (json, key);
    }
}

static void
json_optional_bytes (RfJson *json, const char *key, guint64 bytes)
{
    if (bytes != 0)
        rf_json_uint (json, key, bytes);
    else
        rf_json_null (json, key);
}

void
rf_ctl_json_row (RfJson *json, const RfRecommendation *row)
{
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "id", row->tunable->id);
    rf_json_string (json, "instance", *row->instance != '\0' ? row->instance : NULL);
    rf_json_string (json, "group", rf_group_nick (row->tunable->group));
    if (row->has_current)
        rf_ctl_json_value (json, "current", &row->current);
    else
        rf_json_null (json, "current");
    if (row->has_proposed)
        rf_ctl_json_value (json, "proposed", &row->proposed);
    else
        rf_json_null (json, "proposed");
    rf_json_string (json, "verdict", rf_verdict_nick (row->verdict));
    rf_json_string (json, "why", rf_why_nick (row->why));
    rf_json_string (json, "cost", row->cost != RF_COST_NONE ? rf_cost_nick (row->cost) : NULL);
    rf_json_string (json, "doubt", row->doubt != RF_DOUBT_NONE ? rf_doubt_nick (row->doubt) : NULL);
    json_optional_bytes (json, "cost_bytes", row->cost_bytes);
    json_optional_bytes (json, "evidence_bytes", row->evidence_bytes);
    json_optional_bytes (json, "target_bytes", row->target_bytes);
    rf_json_string (json, "detail", row->detail);
    rf_json_end_object (json);
}

void
rf_ctl_json_record (RfJson *json, const char *key, const RfRecord *record)
{
    rf_json_begin_object (json, key);
    rf_json_string (json, "id", record->id);
    rf_json_string (json, "state", rf_record_state_nick (record->state));
    rf_json_string (json, "reason", record->reason != RF_REASON_NONE ? rf_reason_nick (record->reason) : NULL);
    rf_json_int (json, "created", record->created);
    rf_json_int (json, "changed", record->changed);
    rf_json_string (json, "kernel", record->kernel_release);
    rf_json_begin_array (json, "entries");
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "id", entry->tunable->id);
        rf_json_string (json, "instance", *entry->instance != '\0' ? entry->instance : NULL);
        rf_json_string (json, "stable_id", entry->stable_id);
        rf_ctl_json_value (json, "before", &entry->before);
        rf_ctl_json_value (json, "ours", &entry->ours);
        rf_ctl_json_value (json, "effective", &entry->effective);
        rf_json_string (json, "state", rf_entry_state_nick (entry->state));
        rf_json_end_object (json);
    }
    rf_json_end_array (json);
    rf_json_end_object (json);
}

void
rf_ctl_print_change (RfCtl *ctl, const RfTunable *tunable, const char *instance, const RfValue *before,
                     const RfValue *after)
{
    g_autofree char *label = rf_tunable_instance_label (tunable, instance, ctl->facts);
    g_autofree char *kernel = rf_tunable_kernel_name (tunable, instance, after);
    g_autofree char *raw = rf_value_raw_text (tunable, after);
    g_autofree char *new_text = rf_value_text (tunable, after);
    g_autofree char *old_text = before != NULL ? rf_value_text (tunable, before) : g_strdup ("?");
    g_autofree char *title = label != NULL ? g_strdup_printf ("• %s, %s", rf_tunable_title (tunable), label)
                                           : g_strdup_printf ("• %s", rf_tunable_title (tunable));
    g_autofree char *change = g_strdup_printf ("%s → %s", old_text, new_text);
    g_autofree char *small = g_strdup_printf ("%s = %s", kernel, raw);
    rf_ctl_print (2, title);
    rf_ctl_print (4, change);
    rf_ctl_print (4, small);
}

void
rf_ctl_print_record (const RfRecord *record)
{
    g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (record->created);
    g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;
    g_autofree char *when = local != NULL ? g_date_time_format (local, "%x %H:%M") : g_strdup ("?");
    g_autofree char *head = g_strdup_printf ("%s  %s  %s", record->id, when, rf_record_state_text (record->state));
    rf_ctl_print (0, head);
    if (record->state == RF_RECORD_REVERTED && record->reason != RF_REASON_NONE)
        rf_ctl_print (2, rf_reason_text (record->reason));
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        g_autofree char *kernel = rf_tunable_kernel_name (entry->tunable, entry->instance, &entry->ours);
        g_autofree char *before = rf_value_text (entry->tunable, &entry->before);
        g_autofree char *ours = rf_value_text (entry->tunable, &entry->ours);
        g_autofree char *line
            = g_strdup_printf ("%s: %s → %s (%s)", kernel, before, ours, rf_entry_state_text (entry->state));
        rf_ctl_print (2, line);
    }
}
