#define G_LOG_DOMAIN "rf-work-files"
#include "config.h"

#include "rf-work-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "rf-array.h"
#include "rf-error.h"
#include "rf-vmstat.h"
#include "rf-work-data.h"
#include "rf-work-stop.h"

/* pages: fewer are cleared in the background for other reasons */
#define KSWAPD_WORKS 2000
#define WRITE_BACK_EVERY ((gsize)64 * RF_WORK_MIB)

/* Without a name from the start where the file system can do it; elsewhere the name lives for an instant. */
static int
open_nameless (const char *folder)
{
    int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    g_autofree char *name = g_build_filename (folder, "workload-XXXXXX", NULL);
    fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)unlink (name);
    return fd;
}

/* Reserves the room, so that a full drive shows now and not in the middle; not every file system can. */
static gboolean
reserve (int fd, guint mib)
{
    return fallocate (fd, 0, 0, (gint64)((gsize)mib * RF_WORK_MIB)) == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

RfWorkFiles *
rf_work_files_new (const char *folder, const RfWorkPlan *plan, GError **error)
{
    g_autoptr (RfWorkFiles) self = rf_new0 (RfWorkFiles, 1);
    int *const all[] = {&self->pool, &self->holes, &self->image, &self->hot, &self->log};
    for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
        *all[i] = -1;
    for (gsize i = 0; i < G_N_ELEMENTS (all); i++) {
        *all[i] = open_nameless (folder);
        if (*all[i] < 0) {
            g_set_error (error, RF_ERROR, RF_ERROR_IO, "%s: %s", folder, g_strerror (errno));
            return NULL;
        }
    }
    if (!reserve (self->pool, plan->pool) || !reserve (self->image, plan->image)
        || ftruncate (self->holes, RF_WORK_HOLES) != 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "%s: %s", folder, g_strerror (errno));
        return NULL;
    }
    (void)posix_fadvise (self->holes, 0, 0, POSIX_FADV_SEQUENTIAL);
    return g_steal_pointer (&self);
}

void
rf_work_files_free (RfWorkFiles *self)
{
    const int all[] = {self->pool, self->holes, self->image, self->hot, self->log};
    for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
        if (all[i] >= 0)
            close (all[i]);
    g_free (self);
}

gboolean
rf_work_files_fill (RfWorkFiles *self, const RfWorkPlan *plan, RfWorkProgress progress)
{
    guint64 state = plan->seed;
    g_autofree char *buffer = rf_new0 (char, RF_WORK_MIB);
    const gsize hot = RF_WORK_HOT / RF_WORK_MIB, all = plan->pool + hot;
    for (gsize i = 0; i < all && !rf_work_stopped (); i++) {
        const gboolean is_hot = i < hot;
        const int fd = is_hot ? self->hot : self->pool;
        const gsize at = (is_hot ? i : i - hot) * RF_WORK_MIB;
        rf_work_fill (&state, buffer, RF_WORK_MIB);
        if (!rf_work_write_all (fd, buffer, RF_WORK_MIB, (gint64)at)) {
            rf_work_fail ("write", errno);
            return FALSE;
        }
        /* keeps little waiting to be written, so that a stop has little to wait for */
        if ((at + RF_WORK_MIB) % WRITE_BACK_EVERY == 0 && fdatasync (fd) != 0)
            rf_work_fail ("fdatasync", errno);
        progress ((double)(i + 1) / (double)all);
    }
    if (rf_work_stopped ())
        return FALSE;
    if (fdatasync (self->pool) != 0 || fdatasync (self->hot) != 0) {
        rf_work_fail ("fdatasync", errno);
        return FALSE;
    }
    rf_work_files_drop (self, 0, 0);
    return TRUE;
}

static guint64
cleared_in_background (RfSysroot *sysroot)
{
    RfVmstat vmstat;
    rf_vmstat_read (sysroot, &vmstat);
    return rf_counter_ok (vmstat.pgsteal_kswapd) ? vmstat.pgsteal_kswapd.value : 0;
}

guint64
rf_work_files_fill_cache (RfWorkFiles *self, RfSysroot *sysroot, guint64 most_mib, gint64 *cursor)
{
    g_autofree char *buffer = rf_new0 (char, RF_WORK_MIB);
    const guint64 before = cleared_in_background (sysroot);
    guint64 read = 0;
    while (read < most_mib && !rf_work_stopped ()) {
        if (pread (self->holes, buffer, RF_WORK_MIB, *cursor) < 0) {
            rf_work_fail ("read", errno);
            break;
        }
        *cursor = (*cursor + (gint64)RF_WORK_MIB) % RF_WORK_HOLES;
        if (++read % 16 == 0 && cleared_in_background (sysroot) > before + KSWAPD_WORKS)
            break;
    }
    return read;
}

void
rf_work_files_drop (RfWorkFiles *self, gint64 offset, gint64 length)
{
    (void)posix_fadvise (self->pool, offset, length, POSIX_FADV_DONTNEED);
}
