/* The compressed swap of ours. There is at most one; the marker below /run names it before it exists, so that
 * whatever happens in between can be taken back. A device that the marker does not name is never touched. */
#define G_LOG_DOMAIN "rf-backend-zram"
#include "config.h"

#include "rf-backend.h"
#include "rf-error.h"
#include "rf-file.h"
#include "rf-meminfo.h"
#include "rf-swapoff.h"
#include "rf-text.h"
#include "rf-zram.h"

#include <errno.h>
#include <string.h>

#define LARGEST_PAGE 65536
#define MIB (G_GUINT64_CONSTANT (1024) * 1024)
/* udev looks at a new or a changed device for a moment and keeps it busy meanwhile */
#define BUSY_TRIES 40
#define BUSY_PAUSE_US (50 * 1000)

static gboolean
zram_read (const RfTarget *target, RfValue *out, GError **error)
{
    return rf_current_read (target->machine->kernel, target->facts, target->tunable, target->instance, out, error);
}

static gboolean
zram_check (const RfTarget *target, const RfValue *value, const RfValue *before, GError **error)
{
    if (before->kind != RF_VALUE_ABSENT) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_STATE, "Ruckelfrei's zram swap is there already");
        return FALSE;
    }
    char **offered = target->facts->zram_algorithms;
    /* unknown until the module is loaded: then the device itself is asked in set_up() */
    if (offered == NULL || offered[0] == NULL || g_strv_contains ((const char *const *)offered, value->token))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "this kernel's zram does not offer '%s'", value->token);
    return FALSE;
}

/* like rf_machine_write(), but gives udev time to let go */
static gboolean
write_patiently (RfMachine *machine, const char *relative, const char *text, GError **error)
{
    int errnum = EBUSY;
    for (guint i = 0; i < BUSY_TRIES && errnum == EBUSY; i++) {
        if (i > 0)
            g_usleep (BUSY_PAUSE_US);
        errnum = machine->ops->write_value (machine->ops, machine->kernel, relative, text);
    }
    if (errnum == 0)
        return TRUE;
    g_set_error (error, RF_ERROR, rf_error_from_errno (errnum), "writing '%s' to '/%s' failed: %s", text, relative,
                 g_strerror (errnum));
    return FALSE;
}

static gboolean
write_device (RfMachine *machine, const char *device, const char *attribute, const char *text, GError **error)
{
    g_autofree char *relative = g_strdup_printf ("sys/block/%s/%s", device, attribute);
    return write_patiently (machine, relative, text, error);
}

static gboolean
read_disksize (RfMachine *machine, const char *device, guint64 *out)
{
    g_autofree char *relative = g_strdup_printf ("sys/block/%s/disksize", device);
    g_autofree char *text = rf_sysroot_read_line (machine->kernel, relative);
    return text != NULL && rf_text_to_uint64 (text, out);
}

static char *
read_marker (RfMachine *machine, RfValue *value, guint64 *diskseq)
{
    char *device = NULL;
    g_autofree char *text = rf_sysroot_read_own (machine->kernel, RF_ZRAM_MARKER);
    return text != NULL && rf_zram_marker_parse (text, &device, value, diskseq) ? device : NULL;
}

gboolean
rf_backend_zram_mark (RfMachine *machine, const char *device, const RfValue *value, GError **error)
{
    g_autofree char *path = rf_sysroot_path (machine->kernel, RF_ZRAM_MARKER);
    g_autofree char *folder = g_path_get_dirname (path);
    g_autofree char *line = rf_zram_marker_format (device, value, rf_zram_diskseq (machine->kernel, device));
    /* world-readable: it tells the unprivileged app whose device this is */
    return rf_file_make_folder (folder, 0755, error) && rf_file_replace (path, line, 0644, error);
}

static gboolean
remove_marker (RfMachine *machine, GError **error)
{
    g_autofree char *path = rf_sysroot_path (machine->kernel, RF_ZRAM_MARKER);
    return rf_file_remove (path, error);
}

static gboolean
check_memory (const RfTarget *target, const char *device, GError **error)
{
    RfZramStat stat;
    RfMeminfo meminfo;
    rf_zram_stat_read (target->machine->kernel, device, &stat);
    rf_meminfo_read (target->machine->kernel, &meminfo);
    if (!rf_counter_ok (stat.stored) || !rf_counter_ok (meminfo.available)) {
        g_set_error (error, RF_ERROR, RF_ERROR_NO_MEMORY, "cannot tell how much memory '%s' would need", device);
        return FALSE;
    }
    if (rf_zram_can_empty (stat.stored.value, meminfo.available.value, target->facts->ram_bytes))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_NO_MEMORY,
                 "the swap holds %" G_GUINT64_FORMAT " MiB and %" G_GUINT64_FORMAT " MiB of memory are available",
                 stat.stored.value / MIB, meminfo.available.value / MIB);
    return FALSE;
}

/* systemd-zram-generator's unit for a device resets it when the device goes, fails if it is gone by then, and the
 * machine would count as degraded. An empty device takes no memory, so that one stays until the next boot. */
static gboolean
made_by_generator (RfMachine *machine, const char *device)
{
    g_autofree char *unit = g_strdup_printf ("run/systemd/generator/dev-%s.swap", device);
    /* a link into nowhere, for as long as the unit is active, also when its file is gone */
    g_autofree char *active = g_strdup_printf ("run/systemd/units/invocation:systemd-zram-setup@%s.service", device);
    g_autofree char *invocation = rf_sysroot_readlink (machine->kernel, active);
    return invocation != NULL || rf_sysroot_exists (machine->kernel, unit);
}

static gboolean
take_out_of_use (const RfTarget *target, const char *device, const char *node, gboolean generated,
                 const RfControl *control, GError **error)
{
    RfMachine *machine = target->machine;
    g_autoptr (GError) problem = NULL;
    if (!rf_swapoff_find (machine, node, NULL))
        return TRUE;
    if (!check_memory (target, device, error))
        return FALSE;
    /* As long as systemd knows the unit, the next service that starts, whichever, makes it try to bring the swap back.
     * Our file is gone by now, so after a look at the files it forgets the unit. */
    if (generated && !machine->ops->reload_systemd (machine->ops, machine->kernel, &problem))
        g_debug ("the unit of '%s' stays until the next boot: %s", device, problem->message);
    return rf_swapoff_run (machine, node, target->tunable->id, control, error);
}

static gboolean
tear_down (const RfTarget *target, const RfControl *control, GError **error)
{
    RfMachine *machine = target->machine;
    RfValue noted;
    guint64 diskseq = 0;
    g_autofree char *device = read_marker (machine, &noted, &diskseq);
    if (device == NULL)
        return remove_marker (machine, error);
    g_autofree char *folder = g_strconcat ("sys/block/", device, NULL);
    if (!rf_sysroot_exists (machine->kernel, folder))
        return remove_marker (machine, error);
    /* removed and made anew by somebody else under the same name: not ours any more */
    if (diskseq != 0 && rf_zram_diskseq (machine->kernel, device) != diskseq)
        return remove_marker (machine, error);
    guint64 size = 0;
    /* the kernel rounds up to whole pages; 0: not set up yet, a crash came before */
    guint64 wanted = (guint64)noted.n[0];
    if (read_disksize (machine, device, &size) && size != 0 && (size < wanted || size - wanted >= LARGEST_PAGE)) {
        /* the same, or set up anew with another size */
        return remove_marker (machine, error);
    }
    g_autofree char *node = g_strconcat ("/dev/", device, NULL);
    gboolean generated = made_by_generator (machine, device);
    return take_out_of_use (target, device, node, generated, control, error)
           && write_device (machine, device, "reset", "1", error)
           && (generated
               || write_patiently (machine, "sys/class/zram-control/hot_remove", device + strlen ("zram"), error))
           && remove_marker (machine, error);
}

static gboolean
offers_algorithm (RfMachine *machine, const char *device, const char *algorithm, GError **error)
{
    g_autofree char *relative = g_strdup_printf ("sys/block/%s/comp_algorithm", device);
    g_autofree char *text = rf_sysroot_read (machine->kernel, relative, NULL, error);
    if (text == NULL)
        return FALSE;
    g_auto (GStrv) words = rf_text_brackets (text, NULL);
    if (g_strv_contains ((const char *const *)words, algorithm))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "this kernel's zram does not offer '%s'", algorithm);
    return FALSE;
}

static gboolean
swap_on (RfMachine *machine, const char *node, gint64 priority, GError **error)
{
    int errnum = EBUSY;
    for (guint i = 0; i < BUSY_TRIES && errnum == EBUSY; i++) {
        if (i > 0)
            g_usleep (BUSY_PAUSE_US);
        errnum = machine->ops->swap_on (machine->ops, machine->kernel, node, (int)priority);
    }
    if (errnum == 0)
        return TRUE;
    g_set_error (error, RF_ERROR, rf_error_from_errno (errnum), "swapon of '%s' failed: %s", node, g_strerror (errnum));
    return FALSE;
}

/* the node comes from devtmpfs or udev, a moment after the device */
static void
wait_for_node (RfMachine *machine, const char *node)
{
    for (guint i = 0; i < BUSY_TRIES && rf_sysroot_is_machine (machine->kernel); i++) {
        if (g_file_test (node, G_FILE_TEST_EXISTS))
            return;
        g_usleep (BUSY_PAUSE_US);
    }
}

static gboolean
fill_device (const RfTarget *target, const char *device, const RfValue *value, const RfControl *control, GError **error)
{
    RfMachine *machine = target->machine;
    g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT, value->n[0]);
    g_autofree char *node = g_strconcat ("/dev/", device, NULL);
    const char *const make_swap[] = {"mkswap", "-L", "ruckelfrei", node, NULL};
    /* the algorithm before the size: once it has a size the device refuses another one */
    if (!offers_algorithm (machine, device, value->token, error)
        || !write_device (machine, device, "comp_algorithm", value->token, error)
        || !write_device (machine, device, "disksize", size, error) || rf_control_cancelled (control, error))
        return FALSE;
    wait_for_node (machine, node);
    return machine->ops->run (machine->ops, machine->kernel, make_swap, error) && !rf_control_cancelled (control, error)
           && swap_on (machine, node, value->n[1], error);
}

static guint
free_number (RfMachine *machine)
{
    for (guint i = 0;; i++) {
        g_autofree char *folder = g_strdup_printf ("sys/block/zram%u", i);
        if (!rf_sysroot_exists (machine->kernel, folder))
            return i;
    }
}

static gboolean
set_up (const RfTarget *target, const RfValue *value, const RfControl *control, GError **error)
{
    RfMachine *machine = target->machine;
    /* what a crash has left half made */
    if (!tear_down (target, control, error))
        return FALSE;
    if (!rf_sysroot_exists (machine->kernel, "sys/class/zram-control/hot_add")
        && !machine->ops->load_zram (machine->ops, machine->kernel, error))
        return FALSE;
    /* The marker comes first: a crash right after the device was made must leave nothing that nobody knows of. The
     * kernel gives the lowest free number; should somebody else be quicker, the marker is put right. It also gets the
     * device's number in the kernel's sequence, which nobody knows before. */
    guint number = 0, expected = free_number (machine);
    g_autofree char *foreseen = g_strdup_printf ("zram%u", expected);
    if (!rf_backend_zram_mark (machine, foreseen, value, error))
        return FALSE;
    int errnum = machine->ops->hot_add (machine->ops, machine->kernel, &number);
    if (errnum != 0) {
        g_set_error (error, RF_ERROR, rf_error_from_errno (errnum), "the kernel made no zram device: %s",
                     g_strerror (errnum));
        remove_marker (machine, NULL);
        return FALSE;
    }
    g_autofree char *device = g_strdup_printf ("zram%u", number);
    if ((number != expected || rf_zram_diskseq (machine->kernel, device) != 0)
        && !rf_backend_zram_mark (machine, device, value, error)) {
        write_patiently (machine, "sys/class/zram-control/hot_remove", device + strlen ("zram"), NULL);
        remove_marker (machine, NULL);
        return FALSE;
    }
    return fill_device (target, device, value, control, error);
}

static gboolean
zram_write (const RfTarget *target, const RfValue *value, const RfControl *control, GError **error)
{
    if (value->kind == RF_VALUE_ABSENT)
        return tear_down (target, control, error);
    if (value->kind != RF_VALUE_ZRAM) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' takes another kind of value", target->tunable->id);
        return FALSE;
    }
    return set_up (target, value, control, error);
}

const RfBackend rf_backend_zram = {
    .read = zram_read,
    .check = zram_check,
    .write = zram_write,
};
