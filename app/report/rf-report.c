#define G_LOG_DOMAIN "rf-report"

#include "config.h"

#include "rf-report.h"

#include <string.h>

#include "rf-catalogue.h"

/* Old records say little, and a report that is too long is not read. */
#define MAX_RECORDS 10

typedef struct {
    GString *text;
    const RfPrivacy *privacy;
} Writer;

static void
heading (Writer *w, const char *title)
{
    g_string_append_printf (w->text, "%s%s\n", w->text->len > 0 ? "\n" : "", title);
}

/* @value: what the program itself has made: numbers and its own words */
static void
own (Writer *w, const char *label, const char *value)
{
    g_string_append_printf (w->text, "  %s: %s\n", label, value);
}

/* @value: (nullable): from outside */
static void
foreign (Writer *w, const char *label, const char *value)
{
    g_autofree char *clean = value != NULL ? rf_privacy_clean (w->privacy, value) : NULL;

    own (w, label, clean != NULL && *clean != '\0' ? clean : "not known");
}

static void
mib (Writer *w, const char *label, guint64 bytes)
{
    g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT " MiB", bytes >> 20);

    own (w, label, bytes > 0 ? text : "not known");
}

static const char *
yes_no (gboolean value)
{
    return value ? "yes" : "no";
}

static void
add_versions (Writer *w, const RfReport *report)
{
    heading (w, "Versions");
    own (w, report->program, PACKAGE_VERSION);
    if (report->helper_version != NULL)
        foreign (w, "helper", report->helper_version);
    else
        foreign (w, "helper does not answer", report->helper_error);
    foreign (w, "kernel", report->facts->kernel_release);
    foreign (w, "distribution", report->facts->distribution);
    if (report->toolkit != NULL)
        foreign (w, "toolkit", report->toolkit);
    if (report->desktop != NULL)
        foreign (w, "desktop", report->desktop);
}

static const char *
immutable_nick (RfImmutable immutable)
{
    static const char *const nicks[] = {"no", "NixOS", "ostree", "Guix"};

    return (guint)immutable < G_N_ELEMENTS (nicks) ? nicks[immutable] : "not known";
}

static void
add_machine (Writer *w, const RfFacts *facts)
{
    g_autofree char *cpus = g_strdup_printf ("%u", facts->n_cpus);
    g_autofree char *page = g_strdup_printf ("%u bytes", facts->page_size);

    heading (w, "Computer");
    foreign (w, "model", facts->machine_model);
    mib (w, "memory", facts->ram_bytes);
    own (w, "processors", cpus);
    own (w, "page", page);
    foreign (w, "virtual machine", facts->virtualisation != NULL ? facts->virtualisation : "no");
    foreign (w, "container", facts->container != NULL ? facts->container : "no");
    own (w, "immutable system", immutable_nick (facts->immutable));
    own (w, "sysctl read-only", yes_no (facts->sysctl_read_only));
    own (w, "PSI", yes_no (facts->psi));
    own (w, "zswap", facts->zswap != RF_AVAIL_OK ? "not in this kernel" : facts->zswap_enabled ? "on" : "off");
    own (w, "zram", facts->zram_available ? rf_zram_owner_nick (facts->zram_owner) : "not available");
    own (w, "zram-generator", !facts->zram_generator ? "no" : facts->generator_taken ? "in use" : "installed");
    own (w, "hibernation", yes_no (facts->hibernation));
}

/* The kinds of the layers without their names, which people choose: "partition > LUKS > LVM > btrfs". Each is searched as a
 * whole: half of a name would not be found. */
static char *
layer_kinds (Writer *w, char **layers)
{
    GString *kinds = g_string_new (NULL);

    for (guint i = 0; layers != NULL && layers[i] != NULL; i++) {
        g_autofree char *clean = rf_privacy_clean (w->privacy, layers[i]);
        const gsize length = strcspn (layers[i], " ");
        const gboolean same = strncmp (clean, layers[i], length) == 0;

        g_string_append (kinds, i > 0 ? " > " : "");
        g_string_append_len (kinds, same ? layers[i] : RF_PRIVACY_LEFT_OUT, same ? (gssize)length : -1);
    }
    return g_string_free (kinds, FALSE);
}

/* What is mounted where people put their own things has a name that says something about them. */
static char *
known_mounts (char **points)
{
    static const char *const known[] = {"/",    "/boot", "/boot/efi", "/efi", "/home", "/nix", "/opt", "/srv",
                                        "/tmp", "/usr",  "/var",      "/var/log"};
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    gboolean others = FALSE;

    for (guint i = 0; points != NULL && points[i] != NULL; i++) {
        gboolean found = FALSE;

        for (guint k = 0; !found && k < G_N_ELEMENTS (known); k++)
            found = g_str_equal (known[k], points[i]);
        if (found)
            g_ptr_array_add (names, points[i]);
        others |= !found;
    }
    if (others)
        g_ptr_array_add (names, (gpointer) "elsewhere");
    g_ptr_array_add (names, NULL);
    return g_strjoinv (", ", (char **)names->pdata);
}

static void
add_disk (Writer *w, const RfDisk *disk)
{
    g_autoptr (GString) line = g_string_new (rf_disk_kind_nick (disk->kind));
    g_autofree char *layers = layer_kinds (w, disk->layers);
    g_autofree char *mounts = known_mounts (disk->mount_points);
    g_autofree char *name = rf_privacy_clean (w->privacy, disk->name);

    if (disk->model != NULL) {
        g_autofree char *model = rf_privacy_clean (w->privacy, disk->model);

        g_string_append_printf (line, ", %s", model);
    }
    g_string_append_printf (line, ", %" G_GUINT64_FORMAT " MB", disk->size_bytes / 1000000);
    g_string_append (line, disk->rotational ? ", rotates" : "");
    g_string_append (line, disk->zoned ? ", zoned" : "");
    g_string_append (line, disk->removable ? ", removable" : "");
    g_string_append (line, disk->hidden ? ", hidden" : "");
    g_string_append (line, disk->has_scheduler ? "" : ", no scheduler");
    g_string_append (line, disk->has_wbt ? "" : ", no WBT");
    if (*layers != '\0')
        g_string_append_printf (line, ", %s", layers);
    if (*mounts != '\0')
        g_string_append_printf (line, ", on %s", mounts);
    own (w, name, line->str);
}

static const char *
swap_kind (RfSwapKind kind)
{
    static const char *const nicks[] = {"partition", "file", "zram", "deleted file"};

    return (guint)kind < G_N_ELEMENTS (nicks) ? nicks[kind] : "not known";
}

static void
add_drives (Writer *w, const RfFacts *facts)
{
    heading (w, "Drives");
    for (guint i = 0; i < facts->disks->len; i++)
        add_disk (w, facts->disks->pdata[i]);
    heading (w, "Swap");
    for (guint i = 0; i < facts->swaps->len; i++) {
        const RfSwapDevice *swap = facts->swaps->pdata[i];
        g_autofree char *line = g_strdup_printf ("%" G_GUINT64_FORMAT " MiB, priority %d%s%s", swap->size_bytes >> 20,
                                                 swap->priority, swap->on_data_disk ? ", on the drive with the data" : "",
                                                 swap->encrypted ? ", encrypted" : "");

        own (w, swap_kind (swap->kind), line);
    }
    if (facts->swaps->len == 0)
        g_string_append (w->text, "  none\n");
}

static char *
setting_name (Writer *w, const RfTunable *tunable, const char *instance)
{
    g_autofree char *clean = NULL;

    if (instance == NULL || *instance == '\0')
        return g_strdup (tunable->id);
    clean = rf_privacy_clean (w->privacy, instance);
    return g_strdup_printf ("%s@%s", tunable->id, clean);
}

static void
add_settings (Writer *w, const RfReport *report)
{
    gsize n = 0;
    const RfTunable *table = rf_tunable_list (&n);

    heading (w, "Settings in force");
    for (gsize i = 0; report->current != NULL && i < n; i++) {
        g_auto (GStrv) instances = rf_catalogue_instances (&table[i], report->facts);

        for (char **instance = instances; *instance != NULL; instance++) {
            g_autofree char *name = setting_name (w, &table[i], *instance);
            const char *reason = NULL;
            RfValue value;

            if (rf_current_set_get (report->current, &table[i], *instance, &value, &reason)) {
                g_autofree char *text = rf_value_to_text (&value);

                foreign (w, name, text);
            } else {
                foreign (w, name, reason);
            }
        }
    }
    if (report->current == NULL)
        g_string_append (w->text, "  not read\n");
}

static char *
utc_text (gint64 seconds)
{
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (seconds);

    return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M UTC") : g_strdup ("not known");
}

static void
add_record (Writer *w, const RfRecord *record)
{
    g_autofree char *created = utc_text (record->created);
    g_autofree char *kernel = record->kernel_release != NULL ? rf_privacy_clean (w->privacy, record->kernel_release) : NULL;

    g_string_append_printf (w->text, "  %s: %s, %s, Linux %s\n", created, rf_record_state_nick (record->state),
                            rf_reason_nick (record->reason), kernel != NULL ? kernel : "not known");
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = record->entries->pdata[i];
        g_autofree char *name = setting_name (w, entry->tunable, entry->instance);
        g_autofree char *before = rf_value_to_text (&entry->before);
        g_autofree char *ours = rf_value_to_text (&entry->ours);
        g_autofree char *effective = rf_value_to_text (&entry->effective);
        g_autofree char *line = g_strdup_printf ("%s -> %s, read back %s, %s", before, ours, effective,
                                                 rf_entry_state_nick (entry->state));
        g_autofree char *clean = rf_privacy_clean (w->privacy, line);

        g_string_append_printf (w->text, "    %s: %s\n", name, clean);
    }
}

static void
add_records (Writer *w, const GPtrArray *records)
{
    const guint first = records != NULL && records->len > MAX_RECORDS ? records->len - MAX_RECORDS : 0;

    heading (w, "Records");
    if (records == NULL)
        g_string_append (w->text, "  not read, the helper does not answer\n");
    else if (records->len == 0)
        g_string_append (w->text, "  none\n");
    if (first > 0)
        g_string_append_printf (w->text, "  %u older ones\n", first);
    for (guint i = first; records != NULL && i < records->len; i++)
        add_record (w, records->pdata[i]);
}

static void
add_messages (Writer *w, const char *const *messages)
{
    heading (w, "Last messages");
    for (guint i = 0; messages != NULL && messages[i] != NULL; i++) {
        g_autofree char *clean = rf_privacy_clean (w->privacy, messages[i]);

        g_string_append_printf (w->text, "  %s\n", clean);
    }
    if (messages == NULL || messages[0] == NULL)
        g_string_append (w->text, "  none\n");
}

char *
rf_report_text (const RfReport *report)
{
    Writer w = {.text = g_string_new (NULL), .privacy = report->privacy};

    add_versions (&w, report);
    add_machine (&w, report->facts);
    add_drives (&w, report->facts);
    add_settings (&w, report);
    add_records (&w, report->records);
    add_messages (&w, report->messages);
    return g_string_free (w.text, FALSE);
}
