#define G_LOG_DOMAIN "rf-test-scarce"
#include "config.h"

#include "rf-test-scarce.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rf-work-plan.h"

#define MIB (1024 * 1024)
/* others work on this machine, too: below this nothing is begun, and below LEAST it is over */
#define WANTED (8 * 1024)
#define LEAST 150
#define TEXT_MAX 32
#define MEMORY "/proc/meminfo"
#define POOL "/proc/sys/vm/nr_hugepages"

/* What a test changes, with the kernel's own value; NULL: computed from the machine, or the other one of its pair. The
 * pool comes first: with the memory back, the rest is safe. */
typedef struct {
    const char *path;
    const char *plain;
} Setting;

static const Setting settings[] = {
    {POOL, NULL},
    {"/proc/sys/vm/min_free_kbytes", NULL},
    {"/proc/sys/vm/watermark_scale_factor", "10"},
    {"/proc/sys/vm/watermark_boost_factor", "15000"},
    {"/proc/sys/vm/dirty_background_ratio", "10"},
    {"/proc/sys/vm/dirty_background_bytes", NULL},
    {"/proc/sys/vm/dirty_ratio", "20"},
    {"/proc/sys/vm/dirty_bytes", NULL},
    {"/proc/sys/vm/dirty_expire_centisecs", "3000"},
    {"/proc/sys/vm/dirty_writeback_centisecs", "500"},
    {"/proc/sys/vm/swappiness", "60"},
    {"/proc/sys/vm/page-cluster", "3"},
    {"/proc/sys/vm/vfs_cache_pressure", "100"},
};

struct _RfTestScarce {
    char before[G_N_ELEMENTS (settings)][TEXT_MAX];
    pid_t guard;
    int end; /* the guard waits for its being closed */
};

/* The functions up to the guard allocate nothing and take no lock: they run in a child of a process with threads. */

static gboolean
put (const char *path, const char *text)
{
    int fd = open (path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return FALSE;
    gssize n = write (fd, text, strlen (text));
    close (fd);
    return n == (gssize)strlen (text);
}

static gboolean
take (const char *path, char *text, gsize size)
{
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return FALSE;
    gssize n = read (fd, text, size - 1);
    close (fd);
    if (n > 0 && text[n - 1] == '\n')
        n--;
    text[MAX (n, 0)] = '\0';
    return n > 0;
}

/* Only what differs: min_free_kbytes, once written, is not adapted by the kernel any more. Of a pair of limits one is
 * 0, which comes by itself when the other is written, and cannot be written. */
static gboolean
restore (char before[][TEXT_MAX])
{
    gboolean ok = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
        char now[TEXT_MAX];
        gboolean off = strncmp (settings[i].path, "/proc/sys/vm/dirty_", 19) == 0 && atoi (before[i]) == 0;
        if (before[i][0] != '\0' && !off && take (settings[i].path, now, sizeof now) && strcmp (now, before[i]) != 0)
            ok &= put (settings[i].path, before[i]);
    }
    return ok;
}

/* a zram swap that a killed test has left; there was none when it began */
static void
remove_zram (void)
{
    char device[] = "/dev/zram0", reset[] = "/sys/block/zram0/reset", number[] = "0";
    for (char n = '0'; n <= '9'; n++) {
        device[strlen (device) - 1] = reset[strlen ("/sys/block/zram")] = number[0] = n;
        if (swapoff (device) == 0 && put (reset, "1"))
            put ("/sys/class/zram-control/hot_remove", number);
    }
}

gint64
rf_test_scarce_meminfo (const char *field)
{
    char text[1024];
    const char *line = take (MEMORY, text, sizeof text) ? strstr (text, field) : NULL;
    return line != NULL ? strtoll (line + strlen (field), NULL, 10) / 1024 : 0;
}

/* leaves with 0 if the test has come to its end by itself */
static G_GNUC_NORETURN void
guard (int fd, guint seconds, char before[][TEXT_MAX])
{
    struct pollfd end = {.fd = fd, .events = POLLIN};
    char word = 0;
    guint low = 0;
    int ready = 0;
    /* whoever ends the test by its group does not end this */
    setpgid (0, 0);
    put ("/proc/self/oom_score_adj", "-1000");
    mlockall (MCL_CURRENT);
    /* a moment with next to nothing available is what is wanted; ten in a row are not */
    for (guint i = 0; i < seconds * 10 && low < 10 && (ready = poll (&end, 1, 100)) == 0; i++)
        low = rf_test_scarce_meminfo ("MemAvailable:") < LEAST ? low + 1 : 0;
    gboolean in_time = ready > 0 && read (fd, &word, 1) == 1;
    if (!in_time) {
        restore (before);
        if (ready > 0)
            remove_zram ();
    }
    _exit (in_time ? 0 : 1);
}

guint
rf_test_scarce_left (RfSysroot *kernel)
{
    guint base = 0;
    RfMeminfo memory;
    rf_meminfo_read (kernel, &memory);
    g_assert_true (rf_work_plan_base (&memory, &base));
    return base;
}

/* The kernel gives what it can, so it is asked several times. */
static void
reserve (RfSysroot *kernel, gint64 left_mib)
{
    gint64 pages = 0;
    for (guint i = 0; i < 4; i++) {
        char text[TEXT_MAX];
        pages = MAX (pages + ((gint64)rf_test_scarce_left (kernel) - left_mib) / 2, 0);
        g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, pages);
        g_assert_true (put (POOL, text));
        g_assert_true (take (POOL, text, sizeof text));
        pages = g_ascii_strtoll (text, NULL, 10);
    }
}

static const char *
why_not (RfSysroot *kernel, const char *pool)
{
    if (geteuid () != 0)
        return "needs root";
    if (*pool == '\0' || atoi (pool) != 0)
        return "there are no huge pages here, or somebody uses them";
    char swaps[1024] = "";
    take ("/proc/swaps", swaps, sizeof swaps);
    if (strstr (swaps, "/zram") != NULL)
        return "somebody uses zram";
    if (rf_test_scarce_meminfo ("MemAvailable:") < WANTED)
        return "this machine has too little memory to make it scarce";
    return NULL;
}

RfTestScarce *
rf_test_scarce_new (RfSysroot *kernel, guint left_mib, guint seconds)
{
    RfTestScarce *self = g_new0 (RfTestScarce, 1);
    int ends[2];
    for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
        take (settings[i].path, self->before[i], TEXT_MAX);
    const char *reason = why_not (kernel, self->before[0]);
    if (reason != NULL) {
        g_test_skip (reason);
        g_free (self);
        return NULL;
    }
    g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
    self->guard = fork ();
    g_assert_cmpint (self->guard, >=, 0);
    if (self->guard == 0) {
        close (ends[1]);
        guard (ends[0], seconds, self->before);
    }
    close (ends[0]);
    self->end = ends[1];
    for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
        if (settings[i].plain != NULL && self->before[i][0] != '\0')
            g_assert_true (put (settings[i].path, settings[i].plain));
    reserve (kernel, left_mib);
    return self;
}

void
rf_test_scarce_set (RfTestScarce *self, const char *name, const char *value)
{
    g_autofree char *path = g_strconcat ("/proc/sys/vm/", name, NULL);
    gboolean known = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
        known |= g_str_equal (settings[i].path, path);
    g_assert_true (known);
    g_assert_true (put (path, value));
}

void
rf_test_scarce_release (RfTestScarce *self)
{
    g_assert_true (put (POOL, self->before[0]));
}

gboolean
rf_test_scarce_end (RfTestScarce *self)
{
    int status = 0;
    gboolean restored = restore (self->before);
    /* a guard that has left already is no reader any more */
    gboolean told = send (self->end, "", 1, MSG_NOSIGNAL) == 1;
    close (self->end);
    g_assert_cmpint (waitpid (self->guard, &status, 0), ==, self->guard);
    g_free (self);
    g_assert_true (restored);
    return told && WIFEXITED (status) && WEXITSTATUS (status) == 0;
}
