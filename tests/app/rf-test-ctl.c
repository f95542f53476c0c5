#include "config.h"

#include "rf-test-ctl.h"
#include "rf-test-tree.h"

#define NO_BUS "unix:path=/nonexistent/ruckelfrei-test-bus"

void
rf_test_run_free (RfTestRun *self)
{
    g_free (self->command);
    g_free (self->out);
    g_free (self->err);
    g_free (self);
}

static GSubprocess *
start (const char *bus, const char *root, const char *const *args, GSubprocessFlags flags, const char *out)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) argv = g_ptr_array_new ();
    g_autofree char *sysroot = g_strconcat ("--sysroot=", root, NULL);
    g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (flags);
    if (out != NULL)
        g_subprocess_launcher_set_stdout_file_path (launcher, out);
    g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
    g_subprocess_launcher_setenv (launcher, "DBUS_SYSTEM_BUS_ADDRESS", bus != NULL ? bus : NO_BUS, TRUE);
    g_subprocess_launcher_unsetenv (launcher, "LANGUAGE");
    g_ptr_array_add (argv, (gpointer)RF_TEST_CTL);
    if (root != NULL)
        g_ptr_array_add (argv, sysroot);
    for (gsize i = 0; args[i] != NULL; i++)
        g_ptr_array_add (argv, (gpointer)args[i]);
    g_ptr_array_add (argv, NULL);
    GSubprocess *process = g_subprocess_launcher_spawnv (launcher, (const char *const *)argv->pdata, &error);
    g_assert_no_error (error);
    return process;
}

GSubprocess *
rf_test_ctl_start (const char *bus, const char *root, const char *const *args, GSubprocessFlags flags)
{
    return start (bus, root, args, flags, NULL);
}

GSubprocess *
rf_test_ctl_start_on_full_disk (const char *root, const char *const *args)
{
    return start (NULL, root, args, G_SUBPROCESS_FLAGS_STDERR_PIPE, "/dev/full");
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    GAsyncResult **slot = data;
    *slot = g_object_ref (result);
}

RfTestRun *
rf_test_ctl_finish (GSubprocess *process, const char *const *args)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GAsyncResult) result = NULL;
    RfTestRun *run = g_new0 (RfTestRun, 1);
    run->command = g_strjoinv (" ", (char **)args);
    g_subprocess_communicate_utf8_async (process, NULL, NULL, done_cb, &result);
    while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
    g_subprocess_communicate_utf8_finish (process, result, &run->out, &run->err, &error);
    g_assert_no_error (error);
    g_assert_true (g_subprocess_get_if_exited (process));
    run->code = g_subprocess_get_exit_status (process);
    return run;
}

RfTestRun *
rf_test_ctl_run (const char *bus, const char *machine, const char *const *args)
{
    g_autoptr (RfTestTree) tree = machine != NULL ? rf_test_tree_new (machine) : NULL;
    g_autoptr (GSubprocess) process
        = rf_test_ctl_start (bus, tree != NULL ? rf_test_tree_root (tree) : NULL, args,
                             G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
    return rf_test_ctl_finish (process, args);
}
