#define G_LOG_DOMAIN "rf-recent-messages"

#include "config.h"

#include "rf-recent-messages.h"

#define MAX_BYTES 2000

static GMutex lock;
static GQueue lines = G_QUEUE_INIT; /* of char */

static const char *
level_name (GLogLevelFlags level)
{
    if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
        return "critical";
    return level & G_LOG_LEVEL_WARNING ? "warning" : "message";
}

static char *
field (const GLogField *fields, gsize n_fields, const char *key)
{
    for (gsize i = 0; i < n_fields; i++) {
        const gsize length = fields[i].length < 0 ? MAX_BYTES : MIN ((gsize)fields[i].length, MAX_BYTES);

        if (g_strcmp0 (fields[i].key, key) == 0)
            return g_strndup (fields[i].value, length);
    }
    return g_strdup ("");
}

static GLogWriterOutput
writer (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
    if ((level & G_LOG_LEVEL_MASK) <= G_LOG_LEVEL_MESSAGE) {
        g_autofree char *domain = field (fields, n_fields, "GLIB_DOMAIN");
        g_autofree char *text = field (fields, n_fields, "MESSAGE");

        g_mutex_lock (&lock);
        g_queue_push_tail (&lines, g_strdup_printf ("%s %s: %s", domain, level_name (level), text));
        while (g_queue_get_length (&lines) > RF_RECENT_MESSAGES)
            g_free (g_queue_pop_head (&lines));
        g_mutex_unlock (&lock);
    }
    return g_log_writer_default (level, fields, n_fields, data);
}

void
rf_recent_messages_install (void)
{
    g_log_set_writer_func (writer, NULL, NULL);
}

char **
rf_recent_messages_get (void)
{
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

    g_mutex_lock (&lock);
    for (GList *l = lines.head; l != NULL; l = l->next)
        g_strv_builder_add (builder, l->data);
    g_mutex_unlock (&lock);
    return g_strv_builder_end (builder);
}
