#define G_LOG_DOMAIN "rf-helper"
#include "config.h"

#include "rf-file.h"
#include "rf-measure-memory.h"
#include "rf-recovery.h"
#include "rf-reverter.h"
#include "rf-service.h"

#include <glib-unix.h>
#include <locale.h>
#include <signal.h>
#include <sys/stat.h>

/* as ruckelfreictl's */
#define EXIT_LEFT_ALONE 5
#define IDLE_MS (30 * 1000)
#define LOCK_WAIT_MS (30 * 1000)
#define UDEV_WAIT_MS (60 * 1000)

static struct {
    gboolean recover, revert_all, force, version;
    char *sysroot, *state, *bus; /* always NULL in the installed program */
} options;

static const GOptionEntry entries[] = {
    {"recover", 0, 0, G_OPTION_ARG_NONE, &options.recover, "Finish what was interrupted, set up kept swap", NULL},
    {"revert-all", 0, 0, G_OPTION_ARG_NONE, &options.revert_all, "Take everything back, without any bus", NULL},
    {"force", 0, 0, G_OPTION_ARG_NONE, &options.force, "Also what somebody else has changed since", NULL},
    {"version", 0, 0, G_OPTION_ARG_NONE, &options.version, "Print the version", NULL},
#ifdef RF_TEST_BUILD
    {"sysroot", 0, 0, G_OPTION_ARG_FILENAME, &options.sysroot, "Folder that stands for the kernel's files", "DIR"},
    {"state", 0, 0, G_OPTION_ARG_FILENAME, &options.state, "Folder below which the helper writes its files", "DIR"},
    {"bus", 0, 0, G_OPTION_ARG_STRING, &options.bus, "Address of a message bus", "ADDRESS"},
#endif
    {NULL},
};

typedef struct {
    GMainLoop *loop;
    RfService *service;
    int code;
} Run;

static gboolean
quit_cb (gpointer data)
{
    g_main_loop_quit (((Run *)data)->loop);
    return G_SOURCE_REMOVE;
}

static gboolean
signal_cb (gpointer data)
{
    rf_service_stop (((Run *)data)->service, quit_cb, data);
    return G_SOURCE_CONTINUE;
}

static void
name_lost_cb (GDBusConnection *bus, const char *name, gpointer data)
{
    ((Run *)data)->code = 1;
    signal_cb (data);
}

static RfMachine *
make_machine (void)
{
    g_autoptr (RfSysroot) kernel = rf_sysroot_new (options.sysroot);
    g_autoptr (RfSysroot) files = rf_sysroot_new (options.state != NULL ? options.state : options.sysroot);
    const RfOps *ops = rf_ops_machine ();
#ifdef RF_TEST_BUILD
    if (!rf_sysroot_is_machine (kernel))
        ops = rf_ops_fixture ();
#endif
    return rf_machine_new (kernel, files, ops);
}

static int
serve (RfMachine *machine, RfJournal *journal, GError **error)
{
    g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
    Run run = {.loop = loop};
    g_autoptr (RfJournal) owned = journal;
    const GDBusConnectionFlags flags
        = G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION;
    g_autoptr (GDBusConnection) bus
        = options.bus == NULL ? g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, error)
                              : g_dbus_connection_new_for_address_sync (options.bus, flags, NULL, NULL, error);
    if (bus == NULL)
        return 1;
    g_autoptr (RfIdle) idle = rf_idle_new (IDLE_MS, quit_cb, &run);
    RfAuthority *polkit = rf_authority_new (RF_AUTHORITY_SILENT_MS, RF_AUTHORITY_DIALOG_MS);
    g_autoptr (RfService) service = rf_service_new (machine, g_steal_pointer (&owned), polkit, idle);
    run.service = service;
    if (!rf_service_export (service, bus, error))
        return 1;
    guint owner = g_bus_own_name_on_connection (bus, RF_SERVICE_NAME, G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, NULL,
                                                name_lost_cb, &run, NULL);
    g_unix_signal_add (SIGTERM, signal_cb, &run);
    g_unix_signal_add (SIGINT, signal_cb, &run);
    g_main_loop_run (loop);
    g_bus_unown_name (owner);
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (service));
    g_dbus_connection_flush_sync (bus, NULL, NULL);
    return run.code;
}

/* For whoever has no window: what is not as before. Returns: the exit code */
static int
report (const GPtrArray *touched)
{
    static const char *const words[RF_ENTRY_SUPERSEDED + 1] = {
        [RF_ENTRY_LEFT_ALONE] = "was changed by somebody else since, and is left alone",
        [RF_ENTRY_UNREACHABLE] = "belongs to a device that is not here, and is left alone",
        [RF_ENTRY_NEXT_BOOT] = "needs more memory than there is to go away now; it goes with the next boot",
    };
    int code = 0;
    for (guint i = 0; i < touched->len; i++) {
        const RfRecord *record = g_ptr_array_index (touched, i);
        for (guint j = 0; j < record->entries->len; j++) {
            const RfRecordEntry *entry = g_ptr_array_index (record->entries, j);
            if (words[entry->state] == NULL)
                continue;
            g_printerr ("ruckelfrei-helper: '%s'%s%s %s\n", entry->tunable->id,
                        entry->instance[0] != '\0' ? " of " : "", entry->instance, words[entry->state]);
            if (entry->state == RF_ENTRY_LEFT_ALONE)
                code = EXIT_LEFT_ALONE;
        }
    }
    return code;
}

/* At boot udev still looks at the drives, with the rules as they were at its start, and may set a value right behind
 * our back; on a slow machine some drives have not even come yet. So as long as it is at work, what was interrupted is
 * not judged. It has a file for programs that want to know. */
static void
wait_for_udev (RfMachine *machine, const RfJournal *journal)
{
    gboolean needed = rf_recovery_needed (machine, journal);
    for (guint waited = 0; needed && waited < UDEV_WAIT_MS && rf_sysroot_exists (machine->kernel, "run/udev/queue");
         waited += 50)
        g_usleep (50 * 1000);
}

static int
work (GError **error)
{
    g_autoptr (RfMachine) machine = make_machine ();
    g_auto (RfAutoFd) lock = -1;
    if (!rf_journal_lock (machine, LOCK_WAIT_MS, &lock, error))
        return 1;
    g_autoptr (RfJournal) journal = rf_journal_open (machine, error);
    if (journal == NULL)
        return 1;
    if (options.recover)
        wait_for_udev (machine, journal);
    g_autoptr (RfFacts) facts = rf_facts_read (machine->kernel);
    g_autoptr (GError) problem = NULL;
    gboolean clean = rf_recovery_run (machine, facts, journal, options.recover, &problem);
    if (options.revert_all) {
        g_autoptr (GPtrArray) touched = NULL;
        gboolean ok
            = rf_reverter_run_all (machine, facts, journal, options.force, RF_REASON_USER, NULL, &touched, error);
        int code = report (touched);
        return ok ? code : 1;
    }
    if (!clean)
        g_printerr ("ruckelfrei-helper: recovery: %s\n", problem->message);
    if (options.recover)
        return clean ? 0 : 1;
    return serve (machine, g_steal_pointer (&journal), error);
}

int
main (int argc, char **argv)
{
    /* whatever the environment says: nobody else writes to what is ours, and texts to the kernel have no language */
    umask (RF_FILE_UMASK);
    /* no thread runs yet; NOLINTNEXTLINE(concurrency-mt-unsafe) */
    (void)setlocale (LC_ALL, "C.UTF-8");
    rf_measure_memory_prepare ();
    g_autoptr (GError) error = NULL;
    g_autoptr (GOptionContext) context = g_option_context_new (NULL);
    g_option_context_add_main_entries (context, entries, NULL);
    if (!g_option_context_parse (context, &argc, &argv, &error)) {
        g_printerr ("ruckelfrei-helper: %s\n", error->message);
        return 2;
    }
    if (options.version) {
        g_print ("ruckelfrei-helper %s\n", PACKAGE_VERSION);
        return 0;
    }
    int code = work (&error);
    if (error != NULL)
        g_printerr ("ruckelfrei-helper: %s\n", error->message);
    return code;
}
