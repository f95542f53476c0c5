#include "config.h"

#include "rf-test-facts.h"
#include "rf-test-tree.h"

static const char *
or_none (const char *text)
{
    return text != NULL ? text : "-";
}

static void
dump_disk (const RfDisk *disk, GString *out)
{
    g_autofree char *holders = g_strjoinv (" ", disk->holders);
    g_autofree char *mount_points = g_strjoinv (", ", disk->mount_points);
    g_autofree char *layers = g_strjoinv (" > ", disk->layers);
    g_string_append_printf (out, "disk %s %s '%s' id=%s seq=%" G_GUINT64_FORMAT " mb=%" G_GUINT64_FORMAT, disk->name,
                            rf_disk_kind_nick (disk->kind), or_none (disk->model), or_none (disk->stable_id),
                            disk->diskseq, disk->size_bytes / 1000000);
    g_string_append_printf (out, "%s%s%s%s%s%s%s queues=%u\n", disk->rotational ? " rotational" : "",
                            disk->zoned ? " zoned" : "", disk->removable ? " removable" : "",
                            disk->hidden ? " hidden" : "", disk->has_scheduler ? " scheduler" : "",
                            disk->has_wbt ? " wbt" : "", rf_disk_is_tunable (disk) ? " TUNABLE" : "", disk->hw_queues);
    if (holders[0] != '\0')
        g_string_append_printf (out, "  holders %s\n", holders);
    if (mount_points[0] != '\0')
        g_string_append_printf (out, "  mounts %s\n", mount_points);
    if (layers[0] != '\0')
        g_string_append_printf (out, "  layers %s\n", layers);
}

static void
dump_swap (const RfSwapDevice *swap, GString *out)
{
    static const char *const kinds[] = {"partition", "file", "zram", "deleted"};
    g_string_append_printf (out, "swap %s %s mib=%" G_GUINT64_FORMAT " prio=%d on=%s%s%s\n", swap->path,
                            kinds[swap->kind], swap->size_bytes >> 20, swap->priority, or_none (swap->disk),
                            swap->on_data_disk ? " data-disk" : "", swap->encrypted ? " encrypted" : "");
}

static void
dump_system (const RfFacts *facts, GString *out)
{
    static const char *const immutable[] = {"no", "nixos", "ostree", "guix"};
    g_autofree char *algorithms = g_strjoinv (" ", facts->zram_algorithms);
    g_string_append_printf (out, "cpus=%u page=%u %s%s kernel=%s (%u)\n", facts->n_cpus, facts->page_size,
                            facts->is_64bit ? "64bit" : "32bit", facts->has_highmem ? " highmem" : "",
                            or_none (facts->kernel_release), facts->kernel);
    g_string_append_printf (out, "%s (%s) on %s\n", or_none (facts->distribution), or_none (facts->distribution_id),
                            or_none (facts->machine_model));
    g_string_append_printf (out, "zram owner=%s%s%s [%s]\n", rf_zram_owner_nick (facts->zram_owner),
                            facts->zram_available ? " available" : "", facts->zram_generator ? " generator" : "",
                            algorithms);
    g_string_append_printf (out, "zswap=%s%s%s%s\n",
                            facts->zswap != RF_AVAIL_OK ? "none"
                            : facts->zswap_enabled      ? "on"
                                                        : "off",
                            facts->hibernation ? " hibernation" : "", facts->psi ? " psi" : "",
                            facts->sysctl_read_only ? " read-only" : "");
    g_string_append_printf (out, "virtualisation=%s container=%s immutable=%s\n", or_none (facts->virtualisation),
                            or_none (facts->container), immutable[facts->immutable]);
}

char *
rf_test_facts_dump (const RfFacts *facts)
{
    GString *out = g_string_new (NULL);
    dump_system (facts, out);
    for (guint i = 0; i < facts->disks->len; i++)
        dump_disk (facts->disks->pdata[i], out);
    for (guint i = 0; i < facts->swaps->len; i++)
        dump_swap (facts->swaps->pdata[i], out);
    for (guint i = 0; i < facts->readahead->len; i++) {
        const RfReadahead *readahead = facts->readahead->pdata[i];
        g_string_append_printf (out, "readahead %s%s %s id=%s '%s'\n", readahead->instance,
                                readahead->rules ? " RULES" : "", readahead->path, or_none (readahead->stable_id),
                                or_none (readahead->label));
    }
    return g_string_free (out, FALSE);
}
