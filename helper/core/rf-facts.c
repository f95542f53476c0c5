#define G_LOG_DOMAIN "rf-facts"
#include "config.h"

#include "rf-facts-private.h"

#include <string.h>
#include <unistd.h>

#include "rf-cpu-stat.h"
#include "rf-meminfo.h"
#include "rf-text.h"
#include "rf-zoneinfo.h"

/* A 32-bit kernel has at most some hundred MiB of room for vmalloc; a 64-bit one starts at gigabytes. */
#define VMALLOC_64BIT_KIB (G_GUINT64_CONSTANT (4) * 1024 * 1024)

static guint64
kib_line (const char *text, const char *name)
{
    const char *at = text != NULL ? strstr (text, name) : NULL;
    guint64 kib = 0;
    if (at == NULL)
        return 0;
    at += strlen (name);
    return rf_text_scan_uint64 (&at, at + strlen (at), &kib) ? kib : 0;
}

/* The page size is the running kernel's. A fixture of a machine with other pages has a smaps file that states it. */
static guint
read_page_size (RfSysroot *sysroot)
{
    guint size = (guint)sysconf (_SC_PAGESIZE);
    if (rf_sysroot_is_machine (sysroot))
        return size;
    g_autofree char *text = rf_sysroot_read (sysroot, "proc/self/smaps", NULL, NULL);
    guint64 kib = kib_line (text, "KernelPageSize:");
    return kib > 0 && kib <= 1024 ? (guint)kib * 1024 : size;
}

static void
read_memory (RfSysroot *sysroot, RfFacts *facts)
{
    RfMeminfo meminfo;
    g_auto (RfZoneinfo) zoneinfo = {0};
    g_autofree char *text = rf_sysroot_read (sysroot, "proc/meminfo", NULL, NULL);
    rf_meminfo_read (sysroot, &meminfo);
    rf_zoneinfo_read (sysroot, &zoneinfo);
    facts->page_size = read_page_size (sysroot);
    facts->ram_bytes = rf_counter_ok (meminfo.total) ? meminfo.total.value : 0;
    facts->managed_bytes = rf_counter_ok (zoneinfo.managed) ? zoneinfo.managed.value * facts->page_size : 0;
    for (guint i = 0; i < zoneinfo.zones->len; i++) {
        const RfZone *zone = &g_array_index (zoneinfo.zones, RfZone, i);
        if (g_str_equal (zone->name, "HighMem") && rf_counter_ok (zone->managed) && zone->managed.value > 0)
            facts->has_highmem = TRUE;
    }
    guint64 vmalloc = kib_line (text, "VmallocTotal:");
    facts->is_64bit = !facts->has_highmem && (vmalloc > 0 ? vmalloc > VMALLOC_64BIT_KIB : sizeof (void *) == 8);
}

static void
read_kernel (RfSysroot *sysroot, RfFacts *facts)
{
    facts->kernel_release = rf_sysroot_read_line (sysroot, "proc/sys/kernel/osrelease");
    const char *cursor = facts->kernel_release != NULL ? facts->kernel_release : "";
    const char *end = cursor + strlen (cursor);
    guint64 major, minor;
    if (rf_text_scan_uint64 (&cursor, end, &major) && *cursor == '.' && major < 1000) {
        cursor++;
        if (rf_text_scan_uint64 (&cursor, end, &minor) && minor < 1000)
            facts->kernel = RF_KERNEL (major, minor);
    }
    RfCpuStat cpu;
    rf_cpu_stat_read (sysroot, &cpu);
    facts->n_cpus = cpu.n_cpus;
}

/* os-release(5): shell-like assignments; the value may be quoted, and a quoted one may have escapes */
static char *
os_release_value (const char *text, const char *key)
{
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    gsize length = strlen (key);
    for (char **line = lines; *line != NULL; line++) {
        char *stripped = g_strstrip (*line);
        if (strncmp (stripped, key, length) != 0 || stripped[length] != '=')
            continue;
        char *value = g_shell_unquote (stripped + length + 1, NULL);
        if (value != NULL && value[0] != '\0' && g_utf8_validate (value, -1, NULL))
            return value;
        g_free (value);
    }
    return NULL;
}

static void
read_distribution (RfSysroot *sysroot, RfFacts *facts)
{
    /* in a Flatpak /etc belongs to the runtime, the system's file is below /run/host */
    static const char *const files[] = {"run/host/os-release", "etc/os-release", "usr/lib/os-release"};
    for (gsize i = 0; i < G_N_ELEMENTS (files) && facts->distribution_id == NULL; i++) {
        g_autofree char *text = rf_sysroot_read (sysroot, files[i], NULL, NULL);
        if (text == NULL)
            continue;
        facts->distribution = os_release_value (text, "PRETTY_NAME");
        facts->distribution_id = os_release_value (text, "ID");
    }
}

/* what firmware says that nobody filled in */
static gboolean
is_placeholder (const char *text)
{
    static const char *const words[] = {"",
                                        "System Product Name",
                                        "To Be Filled By O.E.M.",
                                        "Default string",
                                        "To be filled by O.E.M.",
                                        "Not Applicable",
                                        "System Version",
                                        "INVALID"};
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        if (g_str_equal (text, words[i]))
            return TRUE;
    return FALSE;
}

static char *
read_words (RfSysroot *sysroot, const char *path)
{
    g_autofree char *text = rf_sysroot_read_line (sysroot, path);
    if (text == NULL || is_placeholder (g_strstrip (text)) || !g_utf8_validate (text, -1, NULL))
        return NULL;
    return g_steal_pointer (&text);
}

static char *
read_model (RfSysroot *sysroot)
{
    static const char *const files[] = {"sys/class/dmi/id/product_name", "sys/class/dmi/id/board_name",
                                        "proc/device-tree/model"};
    g_autofree char *vendor = read_words (sysroot, "sys/class/dmi/id/sys_vendor");
    char *model = NULL;
    /* Lenovo's product name is an order number; "ThinkPad T480" stands in the version */
    if (g_strcmp0 (vendor, "LENOVO") == 0)
        model = read_words (sysroot, "sys/class/dmi/id/product_version");
    for (gsize i = 0; model == NULL && i < G_N_ELEMENTS (files); i++)
        model = read_words (sysroot, files[i]);
    return model;
}

static gboolean
has_disk_swap (const RfFacts *facts)
{
    for (guint i = 0; i < facts->swaps->len; i++) {
        RfSwapKind kind = ((const RfSwapDevice *)facts->swaps->pdata[i])->kind;
        if (kind == RF_SWAP_PARTITION || kind == RF_SWAP_FILE)
            return TRUE;
    }
    return FALSE;
}

/* Documentation/admin-guide/kernel-parameters.txt: resume=, noresume, hibernate=no, nohibernate */
static gboolean
read_hibernation (RfSysroot *sysroot, const RfFacts *facts)
{
    g_autofree char *device = rf_sysroot_read_line (sysroot, "sys/power/resume");
    g_autofree char *line = rf_sysroot_read_line (sysroot, "proc/cmdline");
    g_auto (GStrv) words = g_strsplit_set (line != NULL ? line : "", " \t", -1);
    gboolean resume = device != NULL && !g_str_equal (device, "0:0") && device[0] != '\0';
    for (char **word = words; *word != NULL; word++) {
        if (g_str_has_prefix (*word, "resume=") && (*word)[strlen ("resume=")] != '\0')
            resume = TRUE;
        else if (g_str_equal (*word, "noresume") || g_str_equal (*word, "nohibernate")
                 || g_str_equal (*word, "hibernate=no"))
            return FALSE;
    }
    return resume && has_disk_swap (facts);
}

static void
read_zswap (RfSysroot *sysroot, RfFacts *facts)
{
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "sys/module/zswap/parameters/enabled", NULL, &facts->zswap);
    facts->zswap_enabled = text != NULL && (text[0] == 'Y' || text[0] == '1');
}

RfFacts *
rf_facts_read (RfSysroot *sysroot)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), NULL);
    RfFacts *self = g_atomic_rc_box_new0 (RfFacts);
    g_autoptr (RfBlocks) blocks = rf_blocks_new (sysroot);
    g_autofree char *pressure = rf_sysroot_read (sysroot, "proc/pressure/memory", NULL, NULL);
    self->psi = pressure != NULL;
    read_memory (sysroot, self);
    read_kernel (sysroot, self);
    read_distribution (sysroot, self);
    self->machine_model = read_model (sysroot);
    self->disks = rf_disks_read (sysroot, blocks);
    rf_layers_read (sysroot, blocks, self);
    rf_zram_owner_read (sysroot, self);
    read_zswap (sysroot, self);
    self->hibernation = read_hibernation (sysroot, self);
    rf_virt_read (sysroot, self);
    return self;
}

RfFacts *
rf_facts_ref (RfFacts *self)
{
    return g_atomic_rc_box_acquire (self);
}

static void
facts_clear (gpointer data)
{
    RfFacts *self = data;
    g_free (self->kernel_release);
    g_free (self->distribution);
    g_free (self->distribution_id);
    g_free (self->machine_model);
    g_ptr_array_unref (self->readahead);
    g_ptr_array_unref (self->swaps);
    g_ptr_array_unref (self->disks);
    g_strfreev (self->zram_algorithms);
    g_free (self->virtualisation);
    g_free (self->container);
}

void
rf_facts_unref (RfFacts *self)
{
    g_atomic_rc_box_release_full (self, facts_clear);
}

const RfDisk *
rf_facts_find_disk (const RfFacts *self, const char *name)
{
    for (guint i = 0; i < self->disks->len; i++) {
        const RfDisk *disk = self->disks->pdata[i];
        if (g_str_equal (disk->name, name))
            return disk;
    }
    return NULL;
}

const RfReadahead *
rf_facts_find_readahead (const RfFacts *self, const char *instance)
{
    for (guint i = 0; i < self->readahead->len; i++) {
        const RfReadahead *readahead = self->readahead->pdata[i];
        if (g_str_equal (readahead->instance, instance))
            return readahead;
    }
    return NULL;
}
