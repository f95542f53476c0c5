/* The load on the real kernel, with memory made scarce by huge pages that nobody uses: with the kernel's own reserve
 * programs have to clear memory themselves then, and that is what the load is for. Afterwards everything is as before,
 * whatever happens: a second process sees to it. */
#define G_LOG_DOMAIN "test-live-workload"
#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rf-test-live.h"
#include "rf-work-plan.h"
#include "rf-work-result.h"

#define MIB (1024 * 1024)
/* free memory and file cache that stay, MiB: above what the load wants at least */
#define LEFT 3000
#define LEAST 300
#define GUARD_S 90

/* what is changed, and the value of before */
typedef struct {
    const char *path;
    const char *wanted; /* NULL: computed */
    char *before;
} Setting;

static Setting settings[] = {
    {"/proc/sys/vm/nr_hugepages", NULL, NULL},
    {"/proc/sys/vm/watermark_scale_factor", "10", NULL},
};

static void
put (const char *path, const char *text)
{
    int fd = open (path, O_WRONLY | O_CLOEXEC);
    g_assert_cmpint (fd, >=, 0);
    gssize n = write (fd, text, strlen (text));
    close (fd);
    g_assert_cmpint (n, ==, (gssize)strlen (text));
}

static void
restore (void)
{
    for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
        put (settings[i].path, settings[i].before);
}

/* Lives until the other end of @fd is closed, and puts everything back then, also when too little is left for others. */
static G_GNUC_NORETURN void
guard (int fd, RfSysroot *kernel)
{
    struct pollfd end = {.fd = fd, .events = POLLIN};
    RfMeminfo memory;
    /* whoever ends the test by its group does not end this */
    setpgid (0, 0);
    for (guint i = 0; i < GUARD_S * 10 && poll (&end, 1, 100) == 0; i++) {
        rf_meminfo_read (kernel, &memory);
        if (memory.available.value < (guint64)LEAST * MIB)
            break;
    }
    restore ();
    _exit (0);
}

static guint
left_now (RfSysroot *kernel)
{
    guint base = 0;
    RfMeminfo memory;
    rf_meminfo_read (kernel, &memory);
    g_assert_true (rf_work_plan_base (&memory, &base));
    return base;
}

/* Takes memory away until LEFT is left; the kernel gives what it can, so it is asked several times. */
static void
make_scarce (RfSysroot *kernel)
{
    gint64 pages = g_ascii_strtoll (settings[0].before, NULL, 10);
    for (guint i = 0; i < 4; i++) {
        g_autofree char *text = NULL;
        pages += ((gint64)left_now (kernel) - LEFT) / 2;
        g_autofree char *wanted = g_strdup_printf ("%" G_GINT64_FORMAT "\n", MAX (pages, 0));
        put (settings[0].path, wanted);
        g_assert_true (g_file_get_contents (settings[0].path, &text, NULL, NULL));
        pages = g_ascii_strtoll (text, NULL, 10);
    }
}

static RfWorkResult *
run_load (void)
{
    g_autofree char *out = NULL;
    g_autofree char *err = NULL;
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = g_get_current_dir ();
    g_autoptr (GSubprocess) process
        = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error, RF_TEST_WORKLOAD,
                            "--on-battery", "--seconds=8", "--folder", folder, NULL);
    g_assert_no_error (error);
    g_subprocess_communicate_utf8 (process, NULL, NULL, &out, &err, &error);
    g_assert_no_error (error);
    g_test_message ("%s%s", out, err);
    RfWorkResult *result = rf_work_result_parse (out, strlen (out), &error);
    g_assert_no_error (error);
    return result;
}

static void
test_stalls (void)
{
    int ends[2];
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    RfSysroot *kernel = live->machine->kernel;
    if (left_now (kernel) < LEFT + 500 || !g_file_test (settings[0].path, G_FILE_TEST_EXISTS)) {
        g_test_skip ("this machine has too little memory to make it scarce");
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
        g_assert_true (g_file_get_contents (settings[i].path, &settings[i].before, NULL, NULL));
    g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
    pid_t guarding = fork ();
    if (guarding == 0) {
        close (ends[1]);
        guard (ends[0], kernel);
    }
    close (ends[0]);
    put (settings[1].path, settings[1].wanted);
    make_scarce (kernel);
    g_test_message ("%u MiB are left", left_now (kernel));
    g_autoptr (RfWorkResult) result = run_load ();
    restore ();
    close (ends[1]);
    waitpid (guarding, NULL, 0);
    rf_test_live_assert_as_before (live);
    g_assert_cmpstr (rf_work_result_get (result, "ended"), ==, "time");
    g_assert_cmpfloat (rf_work_result_number (result, "kernel_allocstall"), >, 0);
    g_assert_cmpfloat (rf_work_result_number (result, "kernel_oom_kill"), ==, 0);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live-workload/stalls", test_stalls);
    return g_test_run ();
}
