#define G_LOG_DOMAIN "rf-session-info"
#include "config.h"

#include "rf-array.h"
#include "rf-csv.h"
#include "rf-error.h"
#include "rf-session-info.h"
#include "rf-text.h"

#include <string.h>

#define SESSION "session"
#define MACHINE "machine"
#define START "settings-start"
#define END "settings-end"
#define MARKS "marks"
#define CHECK "self-check"
#define KEYS_MAX 4000 /* of one group; drives times settings of the largest machines are hundreds */

static void
mark_free (gpointer data)
{
    RfSessionMark *self = data;
    g_free (self->text);
    g_free (self);
}

static GHashTable *
new_table (void)
{
    return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

RfSessionInfo *
rf_session_info_new (void)
{
    RfSessionInfo *self = rf_new0 (RfSessionInfo, 1);
    self->name = g_strdup ("");
    self->source = g_strdup ("");
    self->workload = g_strdup ("");
    self->program = g_strdup ("");
    self->machine = new_table ();
    self->settings_start = new_table ();
    self->marks = g_ptr_array_new_with_free_func (mark_free);
    self->untrusted = g_ptr_array_new_with_free_func (g_free);
    return self;
}

void
rf_session_info_free (RfSessionInfo *self)
{
    g_free (self->name);
    g_free (self->source);
    g_free (self->workload);
    g_free (self->program);
    g_free (self->end_reason);
    g_hash_table_unref (self->machine);
    g_hash_table_unref (self->settings_start);
    g_clear_pointer (&self->settings_end, g_hash_table_unref);
    g_ptr_array_unref (self->marks);
    g_ptr_array_unref (self->untrusted);
    g_free (self);
}

char *
rf_session_clean (const char *text)
{
    g_autofree char *valid = g_utf8_make_valid (text, -1);
    GString *out = g_string_new (NULL);
    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        if (out->len + 6 > RF_SESSION_NAME_MAX)
            break;
        g_string_append_unichar (out, g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029 ? ' ' : c);
    }
    return g_strstrip (g_string_free (out, FALSE));
}

static gint
compare_mark (gconstpointer a, gconstpointer b)
{
    const RfSessionMark *one = *(const RfSessionMark *const *)a, *other = *(const RfSessionMark *const *)b;
    return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

void
rf_session_info_add_mark (RfSessionInfo *self, gint64 time_ns, const char *text)
{
    RfSessionMark *mark = g_new (RfSessionMark, 1);
    mark->time_ns = time_ns;
    mark->text = rf_session_clean (text);
    g_ptr_array_add (self->marks, mark);
}

/* Not g_key_file_get_string(): a value with two wrong escapes makes it complain on the terminal.
 * Returns: (transfer full) (nullable): NULL if it is not there, or with *failed if it is not well-formed */
static char *
get (GKeyFile *file, const char *group, const char *key, gboolean *failed)
{
    g_autofree char *raw = g_key_file_get_value (file, group, key, NULL);
    if (raw == NULL)
        return NULL;
    char *to = raw;
    for (const char *from = raw; *from != '\0'; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        static const char escapes[] = "sntr\\", meanings[] = " \n\t\r\\";
        const char *found = from[1] != '\0' ? strchr (escapes, from[1]) : NULL;
        if (found == NULL) {
            if (failed != NULL)
                *failed = TRUE;
            return NULL;
        }
        *to++ = meanings[found - escapes];
        from++;
    }
    *to = '\0';
    return g_steal_pointer (&raw);
}

static gboolean
get_text (GKeyFile *file, const char *key, char **out)
{
    gboolean failed = FALSE;
    g_autofree char *text = get (file, SESSION, key, &failed);
    if (text == NULL)
        return !failed;
    g_free (*out);
    *out = rf_session_clean (text);
    return TRUE;
}

static gboolean
get_integer (GKeyFile *file, const char *key, gint64 max, gint64 *out)
{
    gboolean failed = FALSE;
    g_autofree char *text = get (file, SESSION, key, &failed);
    if (text == NULL)
        return !failed;
    gint64 number;
    if (!rf_text_to_int64 (text, &number) || number < 0 || number > max)
        return FALSE;
    *out = number;
    return TRUE;
}

static gboolean
get_time (GKeyFile *file, const char *key, gint64 *out)
{
    gboolean failed = FALSE;
    g_autofree char *text = get (file, SESSION, key, &failed);
    if (text == NULL)
        return !failed;
    g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
    g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (text, utc);
    if (time == NULL || g_date_time_to_unix (time) < 0)
        return FALSE;
    *out = g_date_time_to_unix (time) * G_USEC_PER_SEC;
    return TRUE;
}

static gboolean
get_flag (GKeyFile *file, const char *key, gboolean *out)
{
    gboolean failed = FALSE;
    g_autofree char *text = get (file, SESSION, key, &failed);
    if (text == NULL)
        return !failed;
    *out = g_str_equal (text, "true");
    return *out || g_str_equal (text, "false");
}

static void
take_table (GKeyFile *file, const char *group, GHashTable *out)
{
    gsize n = 0;
    g_auto (GStrv) keys = g_key_file_get_keys (file, group, &n, NULL);
    for (gsize i = 0; i < MIN (n, KEYS_MAX); i++) {
        g_autofree char *value = get (file, group, keys[i], NULL);
        if (value != NULL)
            g_hash_table_insert (out, g_steal_pointer (&keys[i]), rf_session_clean (value));
        else
            g_clear_pointer (&keys[i], g_free);
    }
    /* what was taken or freed leaves holes that g_strfreev() would stop at */
    for (gsize i = MIN (n, KEYS_MAX); i < n; i++)
        g_clear_pointer (&keys[i], g_free);
}

static void
take_marks (GKeyFile *file, RfSessionInfo *self)
{
    gsize n = 0;
    g_auto (GStrv) keys = g_key_file_get_keys (file, MARKS, &n, NULL);
    for (gsize i = 0; i < MIN (n, KEYS_MAX); i++) {
        g_autofree char *text = get (file, MARKS, keys[i], NULL);
        gint64 time_ns;
        if (text != NULL && rf_csv_to_integer (keys[i], strlen (keys[i]), &time_ns) && time_ns >= 0
            && time_ns < G_MAXINT64 / 2)
            rf_session_info_add_mark (self, time_ns, text);
    }
    g_ptr_array_sort (self->marks, compare_mark);
}

static void
take_check (GKeyFile *file, RfSessionInfo *self)
{
    g_autofree char *trusted = get (file, CHECK, "trusted", NULL);
    for (guint i = 1; i < 100; i++) {
        g_autofree char *key = g_strdup_printf ("reason-%u", i);
        g_autofree char *reason = get (file, CHECK, key, NULL);
        if (reason != NULL)
            g_ptr_array_add (self->untrusted, rf_session_clean (reason));
    }
    if (self->untrusted->len > 0 || g_strcmp0 (trusted, "false") == 0) {
        self->trust = RF_TRUST_NO;
        if (self->untrusted->len == 0)
            g_ptr_array_add (self->untrusted, g_strdup ("not-stated"));
    } else if (g_strcmp0 (trusted, "true") == 0)
        self->trust = RF_TRUST_YES;
}

static const char *
take_session (GKeyFile *file, RfSessionInfo *self)
{
    gint64 hz = 0;
    if (!get_text (file, "name", &self->name))
        return "name";
    if (!get_text (file, "source", &self->source) || *self->source == '\0')
        return "source";
    if (!get_text (file, "workload", &self->workload))
        return "workload";
    if (!get_text (file, "program", &self->program))
        return "program";
    if (!get_text (file, "end-reason", &self->end_reason))
        return "end-reason";
    if (!get_time (file, "created", &self->created_us))
        return "created";
    if (!get_time (file, "ended", &self->ended_us))
        return "ended";
    if (!get_integer (file, "hz", 1000, &hz))
        return "hz";
    if (!get_flag (file, "traced", &self->traced))
        return "traced";
    if (!get_integer (file, "anchor-monotonic-ns", G_MAXINT64 / 4, &self->anchor_monotonic_ns))
        return "anchor-monotonic-ns";
    /* G_MAXINT64 / 4 microseconds end in the year 75,000 */
    if (!get_integer (file, "anchor-wall-us", G_MAXINT64 / 4, &self->anchor_wall_us))
        return "anchor-wall-us";
    self->hz = (guint)hz;
    return NULL;
}

RfSessionInfo *
rf_session_info_parse (const char *text, gsize length, GError **error)
{
    g_autoptr (GKeyFile) file = g_key_file_new ();
    g_autoptr (GError) why = NULL;
    if (length == 0 || length > RF_SESSION_INFO_MAX || memchr (text, '\0', length) != NULL
        || !g_utf8_validate_len (text, length, NULL)) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'session.ini' is no text that could be one");
        return NULL;
    }
    g_autoptr (GBytes) bytes = g_bytes_new_static (text, length);
    if (!g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, &why)
        || !g_key_file_has_group (file, SESSION)) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'session.ini': %s",
                     why != NULL ? why->message : "no group [session]");
        return NULL;
    }
    g_autoptr (RfSessionInfo) self = rf_session_info_new ();
    const char *wrong = take_session (file, self);
    if (wrong != NULL) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'session.ini': '%s' is missing or wrong", wrong);
        return NULL;
    }
    take_table (file, MACHINE, self->machine);
    take_table (file, START, self->settings_start);
    if (g_key_file_has_group (file, END)) {
        self->settings_end = new_table ();
        take_table (file, END, self->settings_end);
    }
    take_marks (file, self);
    take_check (file, self);
    return g_steal_pointer (&self);
}

static void
put_text (GKeyFile *file, const char *key, const char *text)
{
    if (text != NULL && *text != '\0')
        g_key_file_set_string (file, SESSION, key, text);
}

static void
put_time (GKeyFile *file, const char *key, gint64 time_us)
{
    g_autoptr (GDateTime) time = time_us != 0 ? g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC) : NULL;
    g_autofree char *text = time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
    put_text (file, key, text);
}

/* Names of devices come from the kernel, but from anywhere in an import: what a key cannot be is left out. */
static gboolean
may_be_key (const char *key)
{
    return *key != '\0' && key[strcspn (key, "=[]\n\r#")] == '\0' && !g_ascii_isspace (*key)
           && !g_ascii_isspace (key[strlen (key) - 1]) && g_utf8_validate (key, -1, NULL);
}

static void
put_table (GKeyFile *file, const char *group, GHashTable *table)
{
    g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (table), (GCompareFunc)strcmp);
    for (GList *at = keys; at != NULL; at = at->next)
        if (may_be_key (at->data)) {
            g_autofree char *value = rf_session_clean (g_hash_table_lookup (table, at->data));
            g_key_file_set_string (file, group, at->data, value);
        }
}

static void
put_check (GKeyFile *file, const RfSessionInfo *self)
{
    if (self->trust == RF_TRUST_UNCHECKED)
        return;
    g_key_file_set_boolean (file, CHECK, "trusted", self->trust == RF_TRUST_YES);
    for (guint i = 0; i < MIN (self->untrusted->len, 99); i++) {
        g_autofree char *key = g_strdup_printf ("reason-%u", i + 1);
        g_autofree char *reason = rf_session_clean (self->untrusted->pdata[i]);
        g_key_file_set_string (file, CHECK, key, reason);
    }
}

char *
rf_session_info_format (const RfSessionInfo *self)
{
    g_autoptr (GKeyFile) file = g_key_file_new ();
    g_autofree char *name = rf_session_clean (self->name);
    g_autofree char *workload = rf_session_clean (self->workload);
    put_text (file, "name", name);
    put_time (file, "created", self->created_us);
    put_time (file, "ended", self->ended_us);
    put_text (file, "end-reason", self->end_reason);
    put_text (file, "source", self->source);
    put_text (file, "workload", workload);
    if (self->hz != 0)
        g_key_file_set_uint64 (file, SESSION, "hz", self->hz);
    g_key_file_set_boolean (file, SESSION, "traced", self->traced);
    if (self->anchor_wall_us != 0) {
        g_key_file_set_int64 (file, SESSION, "anchor-monotonic-ns", self->anchor_monotonic_ns);
        g_key_file_set_int64 (file, SESSION, "anchor-wall-us", self->anchor_wall_us);
    }
    put_text (file, "program", self->program);
    put_table (file, MACHINE, self->machine);
    put_table (file, START, self->settings_start);
    if (self->settings_end != NULL)
        put_table (file, END, self->settings_end);
    for (guint i = 0; i < self->marks->len; i++) {
        const RfSessionMark *mark = self->marks->pdata[i];
        g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT, mark->time_ns);
        g_key_file_set_string (file, MARKS, key, mark->text);
    }
    put_check (file, self);
    return g_key_file_to_data (file, NULL, NULL);
}
