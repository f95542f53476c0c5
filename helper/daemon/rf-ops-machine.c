#define G_LOG_DOMAIN "rf-ops"
#include "config.h"

#include "rf-ops.h"
#include "rf-error.h"
#include "rf-text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <unistd.h>

/* swap.h of older C libraries lacks these */
#ifndef SWAP_FLAG_PREFER
#define SWAP_FLAG_PREFER 0x8000
#define SWAP_FLAG_PRIO_MASK 0x7fff
#endif

#define SYSTEMD_TIMEOUT_MS 20000

static int
machine_write_value (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    g_autofree char *path = rf_sysroot_path (kernel, relative);
    g_autofree char *line = g_strconcat (text, "\n", NULL);
    /* sysfs has links in the middle of its paths, but the attribute itself is never one */
    int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
    if (fd < 0)
        return errno;
    struct stat info;
    int result = 0;
    if (fstat (fd, &info) != 0)
        result = errno;
    else if (!S_ISREG (info.st_mode))
        result = EINVAL;
    else {
        gsize length = strlen (line);
        ssize_t done = write (fd, line, length);
        if (done < 0)
            result = errno;
        else if ((gsize)done != length)
            result = EIO;
    }
    close (fd);
    return result;
}

static int
machine_hot_add (const RfOps *self, RfSysroot *kernel, guint *number)
{
    g_autofree char *text = rf_sysroot_read_line (kernel, "sys/class/zram-control/hot_add");
    guint64 value = 0;
    if (text == NULL)
        return errno != 0 ? errno : EIO;
    if (!rf_text_to_uint64 (text, &value) || value > 9999)
        return EPROTO;
    *number = (guint)value;
    return 0;
}

static int
machine_swap_on (const RfOps *self, RfSysroot *kernel, const char *device, int priority)
{
    int flags = priority < 0 ? 0 : SWAP_FLAG_PREFER | (priority & SWAP_FLAG_PRIO_MASK);
    return swapon (device, flags) == 0 ? 0 : errno;
}

static int
machine_swap_off (const RfOps *self, RfSysroot *kernel, const char *device)
{
    return swapoff (device) == 0 ? 0 : errno;
}

static gboolean
machine_run (const RfOps *self, RfSysroot *kernel, const char *const *argv, GError **error)
{
    static const char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL};
    /* searched here and not by the library, which would use our own PATH */
    static const char *const folders[] = {"/usr/sbin", "/usr/bin", "/sbin", "/bin"};
    g_autofree char *program = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS (folders) && program == NULL; i++) {
        g_autofree char *candidate = g_build_filename (folders[i], argv[0], NULL);
        if (g_file_test (candidate, G_FILE_TEST_IS_EXECUTABLE))
            program = g_steal_pointer (&candidate);
    }
    if (program == NULL) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "the program '%s' is not installed", argv[0]);
        return FALSE;
    }
    g_auto (GStrv) real_argv = g_strdupv ((char **)argv);
    g_free (real_argv[0]);
    real_argv[0] = g_strdup (program);
    g_auto (GStrv) real_environment = g_strdupv ((char **)environment);
    g_autofree char *complaint = NULL;
    int status = 0;
    g_autoptr (GError) local = NULL;
    if (!g_spawn_sync ("/", real_argv, real_environment, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &complaint,
                       &status, &local)) {
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "cannot start '%s': %s", argv[0], local->message);
        return FALSE;
    }
    if (g_spawn_check_wait_status (status, &local))
        return TRUE;
    g_autofree char *escaped = g_strescape (g_strchomp (complaint), NULL);
    g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "'%s' failed: %s (%.200s)", argv[0], local->message, escaped);
    return FALSE;
}

/* NULL if it cannot be reached or refuses */
static GVariant *
call_systemd (const char *method, GVariant *arguments)
{
    g_autoptr (GVariant) owned = g_variant_ref_sink (arguments);
    g_autoptr (GError) problem = NULL;
    g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, &problem);
    GVariant *answer = NULL;
    if (bus != NULL)
        answer = g_dbus_connection_call_sync (bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                                              "org.freedesktop.systemd1.Manager", method, owned, NULL,
                                              G_DBUS_CALL_FLAGS_NO_AUTO_START, SYSTEMD_TIMEOUT_MS, NULL, &problem);
    if (answer == NULL)
        g_debug ("systemd's %s: %s", method, problem->message);
    return answer;
}

/* The unit forbids the helper to load modules; systemd does it for us where it runs. */
static gboolean
machine_load_zram (const RfOps *self, RfSysroot *kernel, GError **error)
{
    static const char *const argv[] = {"modprobe", "zram", NULL};
    if (!g_file_test ("/run/systemd/system", G_FILE_TEST_IS_DIR))
        return machine_run (self, kernel, argv, error);
    g_autoptr (GVariant) job = call_systemd ("StartUnit", g_variant_new ("(ss)", "modprobe@zram.service", "fail"));
    if (job == NULL)
        return machine_run (self, kernel, argv, error);
    /* StartUnit returns when the job is queued; the control file says when the module is there. Its folder comes a moment
     * before it. */
    for (guint i = 0; i < 100; i++) {
        if (rf_sysroot_exists (kernel, "sys/class/zram-control/hot_add"))
            return TRUE;
        g_usleep (50 * 1000);
    }
    g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "the module 'zram' was not loaded in time");
    return FALSE;
}

static gboolean
machine_reload_systemd (const RfOps *self, RfSysroot *kernel, GError **error)
{
    static const char *const argv[] = {"systemctl", "daemon-reload", NULL};
    if (!g_file_test ("/run/systemd/system", G_FILE_TEST_IS_DIR))
        return TRUE;
    g_autoptr (GVariant) done = call_systemd ("Reload", g_variant_new ("()"));
    /* without a bus, as in a rescue shell, systemctl has a way of its own */
    return done != NULL || machine_run (self, kernel, argv, error);
}

const RfOps *
rf_ops_machine (void)
{
    static const RfOps ops = {
        .write_value = machine_write_value,
        .hot_add = machine_hot_add,
        .swap_on = machine_swap_on,
        .swap_off = machine_swap_off,
        .run = machine_run,
        .load_zram = machine_load_zram,
        .reload_systemd = machine_reload_systemd,
    };
    return &ops;
}
