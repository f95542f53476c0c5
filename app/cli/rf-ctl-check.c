#define G_LOG_DOMAIN "rf-ctl-check"
#include "config.h"

#include "rf-ctl.h"
#include "rf-health.h"
#include "rf-tunable-text.h"
#include "rf-vmm-state.h"

#include <unistd.h>

#include <glib/gi18n.h>

/* a sampler that brings nothing is not waited for much longer than asked */
#define PATIENCE_S 3

typedef struct {
    RfHealthInput input;
    RfHealth health;
} Look;

static gboolean
over_cb (gpointer data)
{
    gboolean *over = data;
    *over = TRUE;
    return G_SOURCE_CONTINUE;
}

/* How things are needs some seconds: a counter since the start of the system says nothing about now. */
static void
look_on (RfCtl *ctl, Look *look)
{
    g_autoptr (RfSampler) sampler = rf_sampler_new (ctl->sysroot, 1000, (guint)ctl->seconds + PATIENCE_S);
    gboolean over = ctl->seconds == 0;
    guint timeout = g_timeout_add_seconds ((guint)ctl->seconds + PATIENCE_S, over_cb, &over);
    gboolean tells = ctl->seconds > 0 && !ctl->json && isatty (STDERR_FILENO);
    if (tells)
        g_printerr (ngettext ("Looking for %d second…", "Looking for %d seconds…", (gulong)ctl->seconds), ctl->seconds);
    rf_sampler_hold (sampler);
    rf_health_read (sampler, ctl->facts, &look->input);
    while (!over && !(look->input.seconds >= ctl->seconds)) {
        g_main_context_iteration (NULL, TRUE);
        rf_health_read (sampler, ctl->facts, &look->input);
    }
    if (tells)
        g_printerr ("\r\033[K");
    rf_sampler_release (sampler);
    g_source_remove (timeout);
    rf_health_judge (&look->input, &look->health);
}

static const char *
owner_text (RfZramOwner owner)
{
    switch (owner) {
    case RF_ZRAM_OWNER_NONE:
        return _ ("none");
    case RF_ZRAM_OWNER_OURS:
        return _ ("set up by Ruckelfrei");
    case RF_ZRAM_OWNER_GENERATOR:
        return _ ("managed by systemd-zram-generator; Ruckelfrei does not touch it");
    case RF_ZRAM_OWNER_ZRAM_TOOLS:
        return _ ("managed by zram-tools; Ruckelfrei does not touch it");
    case RF_ZRAM_OWNER_UBUNTU:
        return _ ("managed by zram-config; Ruckelfrei does not touch it");
    case RF_ZRAM_OWNER_POP:
        return _ ("managed by Pop!_OS; Ruckelfrei does not touch it");
    case RF_ZRAM_OWNER_SYSTEMD_SWAP:
        return _ ("managed by systemd-swap; Ruckelfrei does not touch it");
    case RF_ZRAM_OWNER_UNKNOWN:
    default:
        return _ ("managed by another program; Ruckelfrei does not touch it");
    }
}

static char *
counter_bytes (RfCounter counter)
{
    return rf_counter_ok (counter) ? rf_format_bytes (counter.value) : g_strdup (rf_avail_text (counter.avail));
}

static char *
counter_pages (RfCounter counter, guint page_size)
{
    if (rf_counter_ok (counter))
        counter.value *= page_size;
    return counter_bytes (counter);
}

static char *
pressure_text (const RfPressure *pressure)
{
    if (!rf_counter_ok (pressure->some.avg10_x100))
        return g_strdup (rf_avail_text (pressure->some.avg10_x100.avail));
    g_autofree char *now = rf_format_percent ((double)pressure->some.avg10_x100.value / 10000);
    if (!rf_counter_ok (pressure->some.avg300_x100))
        return g_steal_pointer (&now);
    g_autofree char *before = rf_format_percent ((double)pressure->some.avg300_x100.value / 10000);
    return g_strdup_printf (_ ("%s of the last 10 seconds, %s of the last 5 minutes"), now, before);
}

static void
print_health (const Look *look)
{
    g_autofree char *detail = rf_health_detail (&look->health, &look->input);
    g_print ("\n");
    rf_ctl_print (0, rf_health_headline (&look->health));
    rf_ctl_print (0, detail);
}

static void
print_disk (const RfDisk *disk)
{
    g_autofree char *size = rf_format_disk_bytes (disk->size_bytes);
    g_autoptr (GString) line = g_string_new (disk->name);
    if (disk->model != NULL)
        g_string_append_printf (line, ": %s", disk->model);
    g_string_append_printf (line, ", %s", size);
    if (disk->mount_points != NULL && disk->mount_points[0] != NULL) {
        g_autofree char *mounts = g_strjoinv (" ", disk->mount_points);
        g_string_append_printf (line, ", %s", mounts);
    }
    rf_ctl_pair (_ ("Drive"), line->str);
}

static gboolean
is_drive (const RfDisk *disk)
{
    switch (disk->kind) {
    case RF_DISK_ZRAM:
    case RF_DISK_DM:
    case RF_DISK_MD:
    case RF_DISK_LOOP:
        return FALSE;
    default:
        return !disk->hidden && disk->size_bytes > 0;
    }
}

static void
print_swap (const RfSwapDevice *swap)
{
    g_autofree char *size = rf_format_bytes (swap->size_bytes);
    g_autofree char *line = NULL;
    if (swap->kind == RF_SWAP_ZRAM)
        line = g_strdup_printf (_ ("%s, %s, compressed in memory"), swap->path, size);
    else if (swap->disk != NULL && swap->on_data_disk)
        line = g_strdup_printf (_ ("%s, %s, on %s, which also holds your files"), swap->path, size, swap->disk);
    else if (swap->disk != NULL)
        line = g_strdup_printf (_ ("%s, %s, on %s"), swap->path, size, swap->disk);
    else
        line = g_strdup_printf ("%s, %s", swap->path, size);
    rf_ctl_pair (_ ("Swap"), line);
}

/* Shown because they change what the other numbers mean; Ruckelfrei never sets them. */
static void
print_memory_management (RfSysroot *sysroot)
{
    g_auto (RfVmmState) state;
    rf_vmm_state_read (sysroot, &state);
    if (state.thp_enabled != NULL)
        rf_ctl_pair (_ ("Huge pages (THP)"), state.thp_enabled);
    if (rf_counter_ok (state.lru_gen))
        rf_ctl_pair (_ ("Page ageing (MGLRU)"),
                     (state.lru_gen.value & 1) != 0 ? C_ ("kernel feature", "on") : C_ ("kernel feature", "off"));
    if (rf_counter_ok (state.lru_gen_min_ttl_ms) && state.lru_gen_min_ttl_ms.value > 0)
        rf_ctl_print (2, _ ("MGLRU protects recently used memory here: the kernel may end programs early."));
}

static void
print_machine (RfCtl *ctl)
{
    const RfFacts *facts = ctl->facts;
    g_autofree char *ram = rf_format_bytes (facts->ram_bytes);
    g_autofree char *cpus = g_strdup_printf ("%u", facts->n_cpus);
    rf_ctl_heading (_ ("This machine"));
    if (facts->machine_model != NULL)
        rf_ctl_pair (_ ("Model"), facts->machine_model);
    rf_ctl_pair (_ ("System"), facts->distribution != NULL ? facts->distribution : _ ("unknown"));
    rf_ctl_pair (_ ("Kernel"), facts->kernel_release != NULL ? facts->kernel_release : _ ("unknown"));
    rf_ctl_pair (_ ("Memory"), ram);
    rf_ctl_pair (_ ("Processor cores"), cpus);
    for (guint i = 0; i < facts->disks->len; i++)
        if (is_drive (g_ptr_array_index (facts->disks, i)))
            print_disk (g_ptr_array_index (facts->disks, i));
    for (guint i = 0; i < facts->swaps->len; i++)
        print_swap (g_ptr_array_index (facts->swaps, i));
    if (facts->swaps->len == 0)
        rf_ctl_pair (_ ("Swap"), _ ("none"));
    rf_ctl_pair (_ ("Compressed swap (zram)"), owner_text (facts->zram_owner));
    if (facts->zswap == RF_AVAIL_OK && facts->zswap_enabled)
        rf_ctl_pair (_ ("Compression before swap"), _ ("zswap is on"));
    print_memory_management (ctl->sysroot);
    if (facts->hibernation)
        rf_ctl_pair (_ ("Hibernation"), _ ("set up; it needs the swap on the drive"));
    if (facts->virtualisation != NULL)
        rf_ctl_pair (_ ("Virtual machine"), facts->virtualisation);
    if (facts->container != NULL)
        rf_ctl_pair (_ ("Container"), facts->container);
    RfStateInput input = {0};
    rf_state_look (&input, NULL, ctl->sysroot, facts);
    g_autoptr (GPtrArray) states = rf_state_list (&input);
    for (guint i = 0; i < states->len; i++)
        rf_ctl_print_state (2, g_ptr_array_index (states, i));
}

static void
print_now (RfCtl *ctl)
{
    const RfSnapshot *now = ctl->snapshot;
    guint64 head_start = rf_recommend_head_start (ctl->facts, ctl->current, now);
    g_autofree char *have = rf_format_bytes (head_start);
    g_autofree char *want = rf_format_bytes (rf_recommend_head_start_target (ctl->facts));
    g_autofree char *distance = g_strdup_printf (_ ("%s; about %s bridge a burst"), have, want);
    g_autofree char *available = counter_bytes (now->meminfo.available);
    g_autofree char *dirty = counter_pages (now->vmstat.nr_dirty, now->page_size);
    g_autofree char *limit = counter_pages (now->vmstat.nr_dirty_threshold, now->page_size);
    g_autofree char *waiting = rf_counter_ok (now->vmstat.nr_dirty_threshold)
                                   ? g_strdup_printf (_ ("%s of at most %s"), dirty, limit)
                                   : g_strdup (dirty);
    g_autofree char *memory = pressure_text (&now->pressure_memory);
    g_autofree char *io = pressure_text (&now->pressure_io);
    RfCounter stalls = now->vmstat.allocstall, kills = now->vmstat.oom_kill;
    g_autofree char *stall_text = rf_counter_ok (stalls) ? g_strdup_printf ("%'" G_GUINT64_FORMAT, stalls.value)
                                                         : g_strdup (rf_avail_text (stalls.avail));

    rf_ctl_heading (_ ("Now"));
    rf_ctl_pair (_ ("Available memory"), available);
    rf_ctl_pair (_ ("Head start"), head_start != 0 ? distance : _ ("not available"));
    rf_ctl_pair (_ ("Waits since start"), stall_text);
    rf_ctl_pair (_ ("Waiting for memory"), memory);
    rf_ctl_pair (_ ("Waiting for drives"), io);
    rf_ctl_pair (_ ("Waiting to be written"), waiting);
    if (rf_counter_ok (kills) && kills.value > 0) {
        g_autofree char *text = g_strdup_printf (
            ngettext ("The kernel has ended %u program for lack of memory since the start.",
                      "The kernel has ended %u programs for lack of memory since the start.", (gulong)kills.value),
            (guint)kills.value);
        rf_ctl_print (2, text);
    }
}

static void
print_proposed (RfCtl *ctl, GPtrArray *rows)
{
    guint ticked = 0, offered = 0;
    rf_ctl_heading (_ ("Proposed"));
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = g_ptr_array_index (rows, i);
        if (!row->has_proposed)
            continue;
        if (row->verdict != RF_VERDICT_RECOMMENDED) {
            offered++;
            continue;
        }
        g_autofree char *reason = rf_recommendation_reason (row);
        rf_ctl_print_change (ctl, row->tunable, row->instance, row->has_current ? &row->current : NULL, &row->proposed);
        rf_ctl_print (4, reason);
        ticked++;
    }
    if (ticked == 0)
        rf_ctl_print (2, _ ("Nothing. The settings that matter are as they should be, or may not be changed here."));
    if (offered > 0) {
        g_autofree char *text
            = g_strdup_printf (ngettext ("%u more setting can be tried: ruckelfreictl plan",
                                         "%u more settings can be tried: ruckelfreictl plan", offered),
                               offered);
        rf_ctl_print (2, text);
    }
    g_print ("\n");
    rf_ctl_print (0, _ ("Nothing has been changed."));
}

static void
json_counter (RfJson *json, const char *key, RfCounter counter, guint64 factor)
{
    if (rf_counter_ok (counter))
        rf_json_uint (json, key, counter.value * factor);
    else
        rf_json_null (json, key);
}

static void
json_percent (RfJson *json, const char *key, RfCounter x100)
{
    if (rf_counter_ok (x100))
        rf_json_double (json, key, (double)x100.value / 100);
    else
        rf_json_null (json, key);
}

static void
json_strings (RfJson *json, const char *key, char **strings)
{
    rf_json_begin_array (json, key);
    for (char **s = strings; s != NULL && *s != NULL; s++)
        rf_json_string (json, NULL, *s);
    rf_json_end_array (json);
}

static void
json_disks (RfJson *json, const RfFacts *facts)
{
    rf_json_begin_array (json, "disks");
    for (guint i = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = g_ptr_array_index (facts->disks, i);
        if (!is_drive (disk))
            continue;
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "name", disk->name);
        rf_json_string (json, "model", disk->model);
        rf_json_string (json, "kind", rf_disk_kind_nick (disk->kind));
        rf_json_uint (json, "size_bytes", disk->size_bytes);
        rf_json_bool (json, "rotational", disk->rotational);
        rf_json_bool (json, "tunable", rf_disk_is_tunable (disk));
        json_strings (json, "mount_points", disk->mount_points);
        json_strings (json, "layers", disk->layers);
        rf_json_end_object (json);
    }
    rf_json_end_array (json);
}

static void
json_swaps (RfJson *json, const RfFacts *facts)
{
    static const char *const kinds[] = {"partition", "file", "zram", "deleted"};
    rf_json_begin_array (json, "swaps");
    for (guint i = 0; i < facts->swaps->len; i++) {
        const RfSwapDevice *swap = g_ptr_array_index (facts->swaps, i);
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "path", swap->path);
        rf_json_string (json, "kind", (guint)swap->kind < G_N_ELEMENTS (kinds) ? kinds[swap->kind] : NULL);
        rf_json_uint (json, "size_bytes", swap->size_bytes);
        rf_json_int (json, "priority", swap->priority);
        rf_json_string (json, "disk", swap->disk);
        rf_json_bool (json, "on_data_disk", swap->on_data_disk);
        rf_json_end_object (json);
    }
    rf_json_end_array (json);
}

static void
json_machine (RfJson *json, const RfFacts *facts)
{
    static const char *const immutable[] = {NULL, "nixos", "ostree", "guix"};
    rf_json_begin_object (json, "machine");
    rf_json_string (json, "model", facts->machine_model);
    rf_json_string (json, "distribution", facts->distribution);
    rf_json_string (json, "kernel", facts->kernel_release);
    rf_json_uint (json, "ram_bytes", facts->ram_bytes);
    rf_json_uint (json, "page_size", facts->page_size);
    rf_json_uint (json, "cpus", facts->n_cpus);
    rf_json_bool (json, "64bit", facts->is_64bit);
    json_disks (json, facts);
    json_swaps (json, facts);
    rf_json_string (json, "zram_owner", rf_zram_owner_nick (facts->zram_owner));
    if (facts->zswap == RF_AVAIL_OK)
        rf_json_bool (json, "zswap", facts->zswap_enabled);
    else
        rf_json_null (json, "zswap");
    rf_json_bool (json, "hibernation", facts->hibernation);
    rf_json_string (json, "virtualisation", facts->virtualisation);
    rf_json_string (json, "container", facts->container);
    rf_json_string (json, "immutable",
                    (guint)facts->immutable < G_N_ELEMENTS (immutable) ? immutable[facts->immutable] : NULL);
    rf_json_bool (json, "read_only", facts->container != NULL || facts->sysctl_read_only);
    rf_json_end_object (json);
}

static void
json_health (RfJson *json, const Look *look)
{
    const RfHealth *health = &look->health;
    rf_json_begin_object (json, "health");
    rf_json_string (json, "finding", rf_finding_nick (health->finding));
    rf_json_string (json, "memory", rf_health_level_nick (health->memory));
    rf_json_string (json, "disks", rf_health_level_nick (health->disks));
    rf_json_string (json, "swap", rf_health_level_nick (health->swap));
    rf_json_double (json, "seconds", look->input.seconds);
    rf_json_double (json, "allocstalls", look->input.stalls);
    rf_json_double (json, "memory_some_s", look->input.memory_some_s);
    rf_json_double (json, "memory_full_s", look->input.memory_full_s);
    rf_json_double (json, "io_full_s", look->input.io_full_s);
    rf_json_end_object (json);
}

static void
json_now (RfCtl *ctl, RfJson *json)
{
    const RfSnapshot *now = ctl->snapshot;
    guint64 head_start = rf_recommend_head_start (ctl->facts, ctl->current, now);
    rf_json_begin_object (json, "now");
    json_counter (json, "available_bytes", now->meminfo.available, 1);
    json_counter (json, "swap_used_bytes", now->meminfo.swap_used, 1);
    json_counter (json, "allocstalls_since_boot", now->vmstat.allocstall, 1);
    json_counter (json, "oom_kills_since_boot", now->vmstat.oom_kill, 1);
    json_counter (json, "dirty_bytes", now->vmstat.nr_dirty, now->page_size);
    json_counter (json, "dirty_limit_bytes", now->vmstat.nr_dirty_threshold, now->page_size);
    json_counter (json, "dirty_background_limit_bytes", now->vmstat.nr_dirty_background_threshold, now->page_size);
    rf_json_bool (json, "psi", ctl->facts->psi);
    json_percent (json, "psi_memory_some_avg10_percent", now->pressure_memory.some.avg10_x100);
    json_percent (json, "psi_memory_full_avg10_percent", now->pressure_memory.full.avg10_x100);
    json_percent (json, "psi_io_some_avg10_percent", now->pressure_io.some.avg10_x100);
    json_percent (json, "psi_io_full_avg10_percent", now->pressure_io.full.avg10_x100);
    json_counter (json, "head_start_bytes",
                  head_start != 0 ? RF_COUNTER (head_start) : RF_COUNTER_MISSING (RF_AVAIL_NO_FIELD), 1);
    rf_json_uint (json, "head_start_target_bytes", rf_recommend_head_start_target (ctl->facts));
    rf_json_end_object (json);
}

RfExit
rf_ctl_check (RfCtl *ctl)
{
    Look look;
    rf_ctl_look (ctl);
    look_on (ctl, &look);
    g_autoptr (GPtrArray) rows = rf_ctl_recommend (ctl, RF_PRESET_MACHINE);
    if (!ctl->json) {
        g_print ("Ruckelfrei %s\n", PACKAGE_VERSION);
        print_health (&look);
        print_machine (ctl);
        print_now (ctl);
        rf_ctl_print_checks (ctl);
        print_proposed (ctl, rows);
        return RF_EXIT_OK;
    }
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "version", PACKAGE_VERSION);
    json_health (json, &look);
    json_machine (json, ctl->facts);
    json_now (ctl, json);
    rf_ctl_json_checks (ctl, json);
    rf_json_begin_array (json, "rows");
    for (guint i = 0; i < rows->len; i++)
        rf_ctl_json_row (json, g_ptr_array_index (rows, i));
    rf_json_end_array (json);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
    return RF_EXIT_OK;
}
