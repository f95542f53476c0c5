#include "config.h"

#include "rf-fake-helper.h"

#include "rf-current.h"
#include "rf-error.h"
#include "rf-record.h"
#include "rf-sample-line.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NAME "io.github.ruckelfrei.Helper1"
#define PATH "/io/github/ruckelfrei/Helper1"

gboolean
rf_fake_helper_too_long (gpointer what)
{
    g_error ("waited too long for: %s", (const char *) what);
    return G_SOURCE_REMOVE;
}

static gboolean
refuse (RfFakeHelper *self, GDBusMethodInvocation *invocation)
{
    if (self->answer < 0)
        return FALSE;
    g_autofree char *detail = g_strdup_printf ("detail of code %d", self->answer);
    g_dbus_method_invocation_return_error_literal (invocation, RF_ERROR, self->answer,
                                                   self->detail != NULL ? self->detail : detail);
    return TRUE;
}

static RfRecord *
find_record (RfFakeHelper *self, const char *id)
{
    for (guint i = 0; i < self->records->len; i++) {
        RfRecord *record = g_ptr_array_index (self->records, i);
        if (g_str_equal (record->id, id))
            return record;
    }
    g_error ("no record %s", id);
    return NULL;
}

static void
set_trial (RfFakeHelper *self, const char *id, guint seconds)
{
    struct timespec now;
    clock_gettime (CLOCK_BOOTTIME, &now);
    gint64 ends = seconds > 0 ? ((gint64) now.tv_sec + seconds) * G_USEC_PER_SEC : 0;
    rf_helper1_set_trial_id (self->skeleton, id);
    rf_helper1_set_trial_ends (self->skeleton, ends);
    g_dbus_interface_skeleton_flush (G_DBUS_INTERFACE_SKELETON (self->skeleton));
}

static void
set_entries (RfRecord *record, RfEntryState state)
{
    for (guint i = 0; i < record->entries->len; i++)
        ((RfRecordEntry *) g_ptr_array_index (record->entries, i))->state = state;
}

static gboolean
apply_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, GVariant *variant, GVariant *options,
          RfFakeHelper *self)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_plan_from_variant (variant, &error);
    g_assert_no_error (error);
    g_assert_true (rf_plan_validate (plan, self->facts, &error));
    self->applies++;
    if (self->hold_apply) {
        self->pending = g_object_ref (invocation);
        return TRUE;
    }
    if (refuse (self, invocation))
        return TRUE;
    g_autofree char *id = g_strdup_printf ("20261130T1403%02uZ-1a2b3c4d", self->records->len);
    RfRecord *record = rf_record_new_from_plan (plan, id, self->created);
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        rf_current_read (self->sysroot, self->facts, entry->tunable, entry->instance, &entry->before, NULL);
        entry->effective = entry->ours;
        entry->state = RF_ENTRY_APPLIED;
    }
    record->state = RF_RECORD_TRIAL;
    g_ptr_array_add (self->records, record);
    set_trial (self, id, 120);
    rf_helper1_complete_apply (object, invocation, rf_record_to_variant (record));
    rf_helper1_emit_records_changed (object);
    return TRUE;
}

static gboolean
cancel_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, RfFakeHelper *self)
{
    rf_helper1_complete_cancel (object, invocation);
    if (self->pending != NULL)
        g_dbus_method_invocation_return_error_literal (g_steal_pointer (&self->pending), RF_ERROR, RF_ERROR_CANCELLED,
                                                       "by the caller");
    return TRUE;
}

static gboolean
keep_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, RfFakeHelper *self)
{
    if (refuse (self, invocation))
        return TRUE;
    RfRecord *record = find_record (self, id);
    record->state = RF_RECORD_KEPT;
    set_trial (self, "", 0);
    rf_helper1_complete_keep (object, invocation, rf_record_to_variant (record));
    return TRUE;
}

static gboolean
revert_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, gboolean force, RfFakeHelper *self)
{
    if (refuse (self, invocation))
        return TRUE;
    RfRecord *record = find_record (self, id);
    record->state = RF_RECORD_REVERTED;
    record->reason = RF_REASON_USER;
    set_entries (record, RF_ENTRY_REVERTED);
    set_trial (self, "", 0);
    rf_helper1_complete_revert (object, invocation, rf_record_to_variant (record));
    return TRUE;
}

static gboolean
revert_entry_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, const char *tunable,
                 const char *instance, gboolean force, RfFakeHelper *self)
{
    gboolean left = FALSE;
    if (refuse (self, invocation))
        return TRUE;
    RfRecord *record = find_record (self, id);
    self->forced += force ? 1 : 0;
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (g_str_equal (entry->tunable->id, tunable) && g_str_equal (entry->instance, instance))
            entry->state = self->drift && i == 0 && !force ? RF_ENTRY_LEFT_ALONE : RF_ENTRY_REVERTED;
        left = left || entry->state == RF_ENTRY_APPLIED;
    }
    record->state = left ? record->state : RF_RECORD_REVERTED;
    record->reason = left ? record->reason : RF_REASON_USER;
    rf_helper1_complete_revert_entry (object, invocation, rf_record_to_variant (record));
    return TRUE;
}

static gboolean
revert_all_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, gboolean force, RfFakeHelper *self)
{
    if (refuse (self, invocation))
        return TRUE;
    if (self->hold_revert) {
        self->pending = g_object_ref (invocation);
        return TRUE;
    }
    GVariantBuilder records;
    g_variant_builder_init (&records, G_VARIANT_TYPE ("aa{sv}"));
    for (guint i = 0; i < self->records->len; i++) {
        RfRecord *record = g_ptr_array_index (self->records, i);
        if (record->state == RF_RECORD_REVERTED)
            continue;
        set_entries (record, RF_ENTRY_REVERTED);
        if (self->drift && !force)
            ((RfRecordEntry *) g_ptr_array_index (record->entries, 0))->state = RF_ENTRY_LEFT_ALONE;
        record->state = RF_RECORD_REVERTED;
        record->reason = RF_REASON_USER;
        g_variant_builder_add_value (&records, rf_record_to_variant (record));
    }
    rf_helper1_complete_revert_all (object, invocation, g_variant_builder_end (&records));
    return TRUE;
}

static gboolean
extend_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, guint seconds, RfFakeHelper *self)
{
    if (refuse (self, invocation))
        return TRUE;
    self->extends++;
    set_trial (self, id, seconds);
    rf_helper1_complete_extend (object, invocation);
    return TRUE;
}

static gboolean
list_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, RfFakeHelper *self)
{
    GVariantBuilder records;
    g_variant_builder_init (&records, G_VARIANT_TYPE ("aa{sv}"));
    for (guint i = 0; i < self->records->len; i++)
        g_variant_builder_add_value (&records, rf_record_to_variant (g_ptr_array_index (self->records, i)));
    rf_helper1_complete_list_records (object, invocation, g_variant_builder_end (&records));
    return TRUE;
}

static gboolean
check_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, RfFakeHelper *self)
{
    GVariantBuilder drift;
    g_variant_builder_init (&drift, G_VARIANT_TYPE ("a(sssvs)"));
    for (guint i = 0; i < self->records->len; i++) {
        const RfRecord *record = g_ptr_array_index (self->records, i);
        for (guint e = 0; e < record->entries->len; e++) {
            const RfRecordEntry *entry = g_ptr_array_index (record->entries, e);
            gboolean drifted = self->drift && e == 0;
            if (entry->state == RF_ENTRY_APPLIED)
                g_variant_builder_add (&drift, "(sssvs)", record->id, entry->tunable->id, entry->instance,
                                       rf_value_to_variant (drifted ? &entry->before : &entry->ours),
                                       drifted ? "drifted" : "as-kept");
        }
    }
    rf_helper1_complete_check (object, invocation, g_variant_builder_end (&drift));
    return TRUE;
}

#define MEASURED_FROM G_GINT64_CONSTANT (1000000000000)

static const char *const measured_disks[] = {"nvme0n1", "sda", NULL};

void
rf_fake_helper_write (RfFakeHelper *self, gboolean events, const char *text)
{
    gsize length = strlen (text);
    g_assert_cmpint (write (self->measurement_fds[events ? 1 : 0], text, length), ==, (gssize) length);
}

static void
write_comment (RfFakeHelper *self, const RfSampleComment *comment)
{
    char line[256];
    g_assert_cmpuint (rf_sample_comment_format (comment, line, sizeof line), >, 0);
    rf_fake_helper_write (self, FALSE, line);
}

static gboolean
start_measurement_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, GUnixFDList *fds, GVariant *options,
                      RfFakeHelper *self)
{
    int readers[2];
    if (refuse (self, invocation))
        return TRUE;
    self->measured_trace = FALSE;
    self->measured_hz = self->measured_limit = 0;
    g_variant_lookup (options, "trace", "b", &self->measured_trace);
    g_variant_lookup (options, "hz", "u", &self->measured_hz);
    g_variant_lookup (options, "limit-seconds", "u", &self->measured_limit);
    if (self->measurement_id != NULL || (self->measured_trace && self->no_tracefs)) {
        g_dbus_method_invocation_return_error_literal (
            invocation, RF_ERROR, self->measurement_id != NULL ? RF_ERROR_LIMIT : RF_ERROR_UNAVAILABLE,
            self->measurement_id != NULL ? "a measurement of this caller is still running" : "no tracefs is mounted");
        return TRUE;
    }
    for (guint i = 0; i < 2; i++) {
        int ends[2];
        g_assert_true (g_unix_open_pipe (ends, FD_CLOEXEC, NULL));
        fcntl (ends[1], F_SETPIPE_SZ, 1024 * 1024);
        readers[i] = ends[0];
        self->measurement_fds[i] = ends[1];
    }
    g_autoptr (GUnixFDList) list = g_unix_fd_list_new_from_array (readers, 2);
    self->measurement_id = g_strdup_printf ("%08x", ++self->measurements);
    self->measured_ns = MEASURED_FROM;
    g_autofree char *header = rf_sample_line_header (measured_disks);
    rf_fake_helper_write (self, FALSE, header);
    rf_fake_helper_write (self, TRUE, RF_EVENT_HEADER "\n");
    write_comment (self, &(RfSampleComment){.kind = RF_SAMPLE_ANCHOR,
                                            .from_ns = MEASURED_FROM,
                                            .wall_us = self->created * G_USEC_PER_SEC});
    rf_helper1_complete_start_measurement (object, invocation, list, self->measurement_id, g_variant_new_handle (0),
                                           g_variant_new_handle (1));
    return TRUE;
}

void
rf_fake_helper_add_samples (RfFakeHelper *self, guint n)
{
    g_autoptr (RfSample) sample = g_new0 (RfSample, 1);
    gsize size = rf_sample_line_max (2);
    g_autofree char *line = g_malloc (size);
    sample->disks = g_array_new (FALSE, FALSE, sizeof (RfDiskSample));
    for (guint i = 0; measured_disks[i] != NULL; i++) {
        RfDiskSample disk = {.read_iops = 10, .write_iops = 20, .read_bytes_per_s = 40960, .write_bytes_per_s = 81920};
        disk.read_latency_ms = 0.5 + i;
        disk.write_latency_ms = 1.5 + i;
        disk.utilisation = 0.25;
        g_strlcpy (disk.name, measured_disks[i], sizeof disk.name);
        g_array_append_val (sample->disks, disk);
    }
    for (guint i = 0; i < n; i++, self->measured_ns += 100000000) {
        guint k = (guint) ((self->measured_ns - MEASURED_FROM) / 100000000);
        const RfSampleCost cost = {.cpu_us = 200, .reclaims = self->measured_trace ? 0 : -1, .late_us = 40};
        sample->interval_s = k > 0 ? 0.1 : 0;
        for (guint c = 0; c < RF_N_COLUMNS; c++)
            sample->value[c] = rf_column_info (c)->measure == RF_MEASURE_RATIO ? 0.25 : 1000.0 + k;
        sample->value[RF_COLUMN_ZRAM_RATIO] = NAN;
        g_assert_cmpuint (rf_sample_line_format (sample, self->measured_ns, measured_disks, &cost, line, size), >, 0);
        rf_fake_helper_write (self, FALSE, line);
    }
}

void
rf_fake_helper_add_event (RfFakeHelper *self, const RfEvent *event)
{
    char line[RF_EVENT_LINE_MAX];
    g_assert_cmpuint (rf_event_format (event, line, sizeof line), >, 0);
    rf_fake_helper_write (self, TRUE, line);
}

void
rf_fake_helper_end_measurement (RfFakeHelper *self, const char *reason, gboolean trusted)
{
    g_autofree char *id = g_steal_pointer (&self->measurement_id);
    g_assert_nonnull (id);
    if (reason != NULL) {
        RfSampleComment end = {.kind = RF_SAMPLE_END};
        RfSampleComment check = {.kind = RF_SAMPLE_CHECK, .word = "samples", .found = trusted ? 100 : 50, .expected = 100};
        check.result = trusted ? RF_SAMPLE_AGREES : RF_SAMPLE_DIFFERS;
        g_strlcpy (end.word, reason, sizeof end.word);
        write_comment (self, &end);
        write_comment (self, &check);
        write_comment (self, &(RfSampleComment){.kind = RF_SAMPLE_VERDICT, .trusted = trusted});
    }
    for (guint i = 0; i < 2; i++)
        close (self->measurement_fds[i]);
    if (reason != NULL && self->skeleton != NULL)
        rf_helper1_emit_measurement_ended (self->skeleton, id, reason);
}

static gboolean
stop_measurement_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, RfFakeHelper *self)
{
    if (g_strcmp0 (id, self->measurement_id) != 0) {
        g_dbus_method_invocation_return_error_literal (invocation, RF_ERROR, RF_ERROR_UNKNOWN,
                                                       "this caller has no such measurement");
        return TRUE;
    }
    rf_helper1_complete_stop_measurement (object, invocation);
    rf_fake_helper_end_measurement (self, "stopped", TRUE);
    return TRUE;
}

static GDBusConnection *
connect_private (GTestDBus *bus)
{
    g_autoptr (GError) error = NULL;
    GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
        g_test_dbus_get_bus_address (bus),
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
        &error);
    g_assert_no_error (error);
    g_dbus_connection_set_exit_on_close (connection, FALSE);
    return connection;
}

static void
owned_cb (GDBusConnection *connection, const char *name, gpointer data)
{
    ((RfFakeHelper *) data)->owned = TRUE;
}

void
rf_fake_helper_start (RfFakeHelper *self)
{
    g_autoptr (GError) error = NULL;
    self->owned = FALSE;
    self->connection = connect_private (self->bus);
    self->skeleton = rf_helper1_skeleton_new ();
    rf_helper1_set_version (self->skeleton, self->version != NULL ? self->version : PACKAGE_VERSION);
    const struct {
        const char *signal;
        GCallback callback;
    } methods[] = {
        {"handle-apply", G_CALLBACK (apply_cb)},
        {"handle-cancel", G_CALLBACK (cancel_cb)},
        {"handle-keep", G_CALLBACK (keep_cb)},
        {"handle-revert", G_CALLBACK (revert_cb)},
        {"handle-revert-entry", G_CALLBACK (revert_entry_cb)},
        {"handle-revert-all", G_CALLBACK (revert_all_cb)},
        {"handle-extend", G_CALLBACK (extend_cb)},
        {"handle-list-records", G_CALLBACK (list_cb)},
        {"handle-check", G_CALLBACK (check_cb)},
        {"handle-start-measurement", G_CALLBACK (start_measurement_cb)},
        {"handle-stop-measurement", G_CALLBACK (stop_measurement_cb)},
    };
    for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
        g_signal_connect (self->skeleton, methods[i].signal, methods[i].callback, self);
    g_assert_true (g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), self->connection, PATH,
                                                     &error));
    self->owner_id = g_bus_own_name_on_connection (self->connection, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, owned_cb, NULL,
                                                   self, NULL);
    RF_ITERATE_UNTIL (self->owned);
}

RfFakeHelper *
rf_fake_helper_new (RfSysroot *sysroot, RfFacts *facts)
{
    RfFakeHelper *self = g_new0 (RfFakeHelper, 1);
    self->sysroot = g_object_ref (sysroot);
    self->facts = rf_facts_ref (facts);
    self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) rf_record_free);
    self->answer = -1;
    self->created = 1796047380;
    self->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (self->bus);
    self->client = connect_private (self->bus);
    rf_fake_helper_start (self);
    return self;
}

void
rf_fake_helper_die (RfFakeHelper *self)
{
    if (self->connection == NULL)
        return;
    if (self->measurement_id != NULL)
        rf_fake_helper_end_measurement (self, NULL, FALSE);
    g_bus_unown_name (self->owner_id);
    g_dbus_connection_close_sync (self->connection, NULL, NULL);
    g_clear_object (&self->pending);
    g_clear_object (&self->skeleton);
    g_clear_object (&self->connection);
}

void
rf_fake_helper_end_trial (RfFakeHelper *self, const char *reason)
{
    RfRecord *record = g_ptr_array_index (self->records, self->records->len - 1);
    g_assert_cmpint (record->state, ==, RF_RECORD_TRIAL);
    record->state = RF_RECORD_REVERTED;
    g_assert_true (rf_reason_from_nick (reason, &record->reason));
    set_entries (record, RF_ENTRY_REVERTED);
    set_trial (self, "", 0);
    rf_helper1_emit_trial_ended (self->skeleton, record->id, reason);
}

void
rf_fake_helper_free (RfFakeHelper *self)
{
    rf_fake_helper_die (self);
    g_dbus_connection_close_sync (self->client, NULL, NULL);
    g_object_unref (self->client);
    g_test_dbus_stop (self->bus);
    g_object_unref (self->bus);
    g_ptr_array_unref (self->records);
    g_object_unref (self->sysroot);
    rf_facts_unref (self->facts);
    g_free (self);
}
