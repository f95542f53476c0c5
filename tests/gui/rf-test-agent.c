/* A person at the password dialog: answers polkit for one process, with a right or a wrong password, or by closing the
 * dialog. Prints what a person would have read. Test only. */
#define POLKIT_AGENT_I_KNOW_API_IS_SUBJECT_TO_CHANGE
#define G_LOG_DOMAIN "rf-test-agent"

#include "config.h"

#include <locale.h>
#include <stdio.h>

#include <polkitagent/polkitagent.h>

#define RF_TYPE_TEST_AGENT (rf_test_agent_get_type ())
G_DECLARE_FINAL_TYPE (RfTestAgent, rf_test_agent, RF, TEST_AGENT, PolkitAgentListener)

struct _RfTestAgent {
    PolkitAgentListener parent_instance;
    const char *password; /* NULL: close the dialog */
};

G_DEFINE_FINAL_TYPE (RfTestAgent, rf_test_agent, POLKIT_AGENT_TYPE_LISTENER)

static void
request_cb (PolkitAgentSession *session, const char *prompt, gboolean echo_on, gpointer password)
{
    polkit_agent_session_response (session, password);
}

static void
completed_cb (PolkitAgentSession *session, gboolean gained, GTask *task)
{
    g_print ("%s\n", gained ? "accepted" : "refused");
    g_task_return_boolean (task, TRUE);
    g_object_unref (task);
    g_object_unref (session);
}

static void
initiate (PolkitAgentListener *listener, const char *action, const char *message, const char *icon,
          PolkitDetails *details, const char *cookie, GList *identities, GCancellable *cancellable,
          GAsyncReadyCallback callback, gpointer data)
{
    RfTestAgent *self = RF_TEST_AGENT (listener);
    GTask *task = g_task_new (self, cancellable, callback, data);
    PolkitAgentSession *session = NULL;

    g_print ("asked %s: %s\n", action, message);
    if (self->password == NULL) {
        g_print ("closed\n");
        g_task_return_new_error (task, POLKIT_ERROR, POLKIT_ERROR_CANCELLED, "closed");
        g_object_unref (task);
        return;
    }
    session = polkit_agent_session_new (identities->data, cookie);
    g_signal_connect (session, "request", G_CALLBACK (request_cb), (gpointer) self->password);
    g_signal_connect (session, "completed", G_CALLBACK (completed_cb), task);
    polkit_agent_session_initiate (session);
}

static gboolean
initiate_finish (PolkitAgentListener *listener, GAsyncResult *result, GError **error)
{
    return g_task_propagate_boolean (G_TASK (result), error);
}

static void
rf_test_agent_class_init (RfTestAgentClass *klass)
{
    POLKIT_AGENT_LISTENER_CLASS (klass)->initiate_authentication = initiate;
    POLKIT_AGENT_LISTENER_CLASS (klass)->initiate_authentication_finish = initiate_finish;
}

static void
rf_test_agent_init (RfTestAgent *self)
{
}

int
main (int argc, char **argv)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (PolkitSubject) subject = NULL;
    g_autoptr (RfTestAgent) agent = NULL;
    g_autoptr (GMainLoop) loop = NULL;
    gpointer handle = NULL;

    setlocale (LC_ALL, "");
    if (argc < 2) {
        g_printerr ("usage: %s PID [PASSWORD]\nwithout a password the dialog is closed\n", argv[0]);
        return 2;
    }
    setvbuf (stdout, NULL, _IOLBF, 0);
    subject = polkit_unix_process_new_for_owner ((int) g_ascii_strtoll (argv[1], NULL, 10), 0, -1);
    agent = g_object_new (RF_TYPE_TEST_AGENT, NULL);
    agent->password = argv[2];
    handle = polkit_agent_listener_register (POLKIT_AGENT_LISTENER (agent), POLKIT_AGENT_REGISTER_FLAGS_NONE, subject,
                                             NULL, NULL, &error);
    if (handle == NULL) {
        g_printerr ("cannot register: %s\n", error->message);
        return 1;
    }
    g_print ("ready\n");
    loop = g_main_loop_new (NULL, FALSE);
    g_main_loop_run (loop);
    polkit_agent_listener_unregister (handle);
    return 0;
}
