#include "config.h"

#include "rf-error.h"
#include "rf-record.h"

#include <string.h>

#define ID "20261130T140300Z-1a2b3c4d"

static RfRecord *
sample (void)
{
    g_autoptr (GVariant) variant = g_variant_new_parsed (
        "[('vm.dirty','',<('bytes',int64 268435456)>),('vm.swappiness','',<int64 10>),"
        "('block.scheduler','nvme0n1',<'none'>),('swap.zram','',<(int64 1073741824,'lz4',int64 100)>)]");
    g_variant_ref_sink (variant);
    g_autoptr (RfPlan) plan = rf_plan_from_variant (variant, NULL);
    RfRecord *record = rf_record_new_from_plan (plan, ID, 1780000000);
    g_free (record->boot_id);
    record->boot_id = g_strdup ("0fdd3f1a-3a2b-4c5d-8e9f-000000000000");
    g_free (record->kernel_release);
    record->kernel_release = g_strdup ("6.1.0-18-amd64");
    RfRecordEntry *entry = g_ptr_array_index (record->entries, 0);
    entry->before = rf_value_dirty (RF_DIRTY_RATIO, 20);
    entry = g_ptr_array_index (record->entries, 1);
    entry->stable_id = g_strdup ("eui.0025385b21404321");
    entry->before = rf_value_choice ("mq-deadline");
    entry->state = RF_ENTRY_APPLIED;
    return record;
}

static void
assert_same (const RfRecord *a, const RfRecord *b, gboolean disk)
{
    g_assert_cmpstr (a->id, ==, b->id);
    g_assert_cmpint (a->state, ==, b->state);
    g_assert_cmpint (a->reason, ==, b->reason);
    g_assert_cmpint (a->created, ==, b->created);
    g_assert_cmpint (a->changed, ==, b->changed);
    g_assert_cmpstr (a->kernel_release, ==, b->kernel_release);
    if (disk)
        g_assert_cmpstr (a->boot_id, ==, b->boot_id);
    g_assert_cmpuint (a->entries->len, ==, b->entries->len);
    for (guint i = 0; i < a->entries->len; i++) {
        const RfRecordEntry *x = g_ptr_array_index (a->entries, i), *y = g_ptr_array_index (b->entries, i);
        g_assert_true (x->tunable == y->tunable);
        g_assert_cmpstr (x->instance, ==, y->instance);
        g_assert_cmpstr (x->stable_id, ==, y->stable_id);
        g_assert_true (rf_value_equal (&x->before, &y->before));
        g_assert_true (rf_value_equal (&x->ours, &y->ours));
        g_assert_true (rf_value_equal (&x->effective, &y->effective));
        g_assert_cmpint (x->state, ==, y->state);
    }
}

static void
round_trip (void)
{
    g_autoptr (RfRecord) record = sample ();
    for (int state = RF_RECORD_PENDING; state <= RF_RECORD_REVERTED; state++) {
        g_autoptr (GError) error = NULL;
        record->state = (RfRecordState)state;
        record->reason = RF_REASON_GUARD_STALLS;
        g_autofree char *text = rf_record_to_keyfile (record);
        g_autoptr (RfRecord) back = rf_record_from_keyfile (text, strlen (text), &error);
        g_assert_no_error (error);
        assert_same (record, back, TRUE);

        g_autoptr (GVariant) variant = g_variant_ref_sink (rf_record_to_variant (record));
        g_autoptr (RfRecord) again = rf_record_from_variant (variant, &error);
        g_assert_no_error (error);
        assert_same (record, again, FALSE);
    }
}

/* every torn length and every flipped bit is refused, none is half obeyed */
static void
torn_and_flipped (void)
{
    g_autoptr (RfRecord) record = sample ();
    g_autofree char *text = rf_record_to_keyfile (record);
    gsize length = strlen (text);
    for (gsize cut = 0; cut < length; cut++) {
        g_autoptr (GError) error = NULL;
        g_assert_null (rf_record_from_keyfile (text, cut, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    }
    for (gsize at = 0; at < length; at++) {
        g_autoptr (GError) error = NULL;
        g_autofree char *copy = g_strdup (text);
        copy[at] ^= 1 << (at % 7);
        g_assert_null (rf_record_from_keyfile (copy, length, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    }
}

/* what an attacker or a newer version would write, with a checksum that is right */
static void
hostile (void)
{
    static const struct {
        const char *from, *to;
    } table[] = {
        {"format=1", "format=2"},
        {"format=1", "format=0"},
        {"id=" ID, "id=../../etc/passwd"},
        {"state=pending", "state=done"},
        {"entries=4", "entries=5"},
        {"entries=4", "entries=0"},
        {"entries=4", "entries=9999"},
        {"created=1780000000", "created=-1"},
        {"tunable=vm.swappiness", "tunable=kernel.core_pattern"},
        {"instance=nvme0n1", "instance=../sda"},
        {"instance=nvme0n1", "instance="},
        {"instance=nvme0n1", "instance=a\\nb"},
        {"before=ratio:20", "before=ratio:020"},
        {"before=ratio:20", "before=20"},
        {"ours=none", "ours=[none]"},
        {"state=applied", "state=maybe"},
        {"kernel=6.1.0-18-amd64", "kernel=6.1\\nx"},
    };
    g_autoptr (RfRecord) record = sample ();
    g_autofree char *text = rf_record_to_keyfile (record);
    char *body_end = strstr (text, "\n[checksum]");
    g_autofree char *body = g_strndup (text, (gsize)(body_end - text));
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_auto (GStrv) parts = g_strsplit (body, table[i].from, 2);
        g_assert_cmpuint (g_strv_length (parts), ==, 2);
        g_autofree char *changed = g_strconcat (parts[0], table[i].to, parts[1], NULL);
        g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, changed, -1);
        g_autofree char *whole = g_strconcat (changed, "\n[checksum]\nsha256=", sum, "\n", NULL);
        g_autoptr (GError) error = NULL;
        g_assert_null (rf_record_from_keyfile (whole, strlen (whole), &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    }
}

static void
ids (void)
{
    g_assert_true (rf_record_id_valid (ID));
    g_assert_false (rf_record_id_valid (NULL));
    g_assert_false (rf_record_id_valid (""));
    g_assert_false (rf_record_id_valid ("20261130T140300Z-1a2b3c4"));
    g_assert_false (rf_record_id_valid (ID "x"));
    g_assert_false (rf_record_id_valid ("20261130T140300Z/1a2b3c4d"));
    g_assert_false (rf_record_id_valid ("20261130T140300Z-1A2B3C4D"));
}

static void
bad_variant (void)
{
    static const char *const table[] = {
        "@a{sv} {}",
        "{'id': <'x'>}",
        "('a', 'b')",
        "{'id': <'" ID "'>, 'state': <'nonsense'>, 'reason': <'none'>, 'created': <int64 1>, 'changed': <int64 1>, "
        "'kernel': <''>, 'entries': <@a(sssvvvs) []>}",
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_new_parsed (table[i]));
        g_assert_null (rf_record_from_variant (variant, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/record/round-trip", round_trip);
    g_test_add_func ("/core/record/torn-and-flipped", torn_and_flipped);
    g_test_add_func ("/core/record/hostile", hostile);
    g_test_add_func ("/core/record/ids", ids);
    g_test_add_func ("/core/record/bad-variant", bad_variant);
    return g_test_run ();
}
