#define G_LOG_DOMAIN "rf-old-advice"
#include "config.h"

#include "rf-old-advice.h"

#include <string.h>

#include "rf-sysctl-files.h"
#include "rf-text.h"

#define MAX_TEXT 160
#define MAX_FILES 100
#define SMALL_BUFFER (G_GUINT64_CONSTANT (8) * 1024 * 1024)
/* hundredths of a second; the shortest that is still advice and not an accident */
#define SHORT_WRITE_BACK 50

typedef struct {
    const char *file;
    guint line;
    guint kernel;
    guint64 ram_bytes;
    GPtrArray *found;
} Scan;

static const char *const nicks[RF_N_OLD] = {
    [RF_OLD_QUOTES] = "quotes",           [RF_OLD_NO_PREFIX] = "no-prefix",
    [RF_OLD_REMOVED_KEY] = "removed-key", [RF_OLD_TCP_RECYCLE] = "tcp-recycle",
    [RF_OLD_TCP_BUFFERS] = "tcp-buffers", [RF_OLD_TCP_TIMES] = "tcp-times",
    [RF_OLD_SWAPPINESS] = "swappiness",   [RF_OLD_CACHE_PRESSURE] = "cache-pressure",
    [RF_OLD_WRITE_BACK] = "write-back",   [RF_OLD_MIN_FREE] = "min-free",
    [RF_OLD_DROP_CACHES] = "drop-caches", [RF_OLD_SCHEDULER] = "scheduler",
    [RF_OLD_ELEVATOR] = "elevator",       [RF_OLD_MIN_TTL] = "min-ttl",
};

void
rf_old_advice_free (RfOldAdvice *self)
{
    g_free (self->file);
    g_free (self->text);
    g_free (self);
}

const char *
rf_old_advice_nick (RfOldAdviceId id)
{
    g_return_val_if_fail ((guint)id < RF_N_OLD, NULL);
    return nicks[id];
}

static void
add (const Scan *scan, RfOldAdviceId id, const char *text)
{
    if (scan->found->len >= RF_OLD_ADVICE_MAX)
        return;
    g_autofree char *valid = rf_text_printable (text);
    RfOldAdvice *advice = g_new0 (RfOldAdvice, 1);
    const char *end = valid;
    while (*end != '\0' && g_utf8_next_char (end) - valid <= MAX_TEXT)
        end = g_utf8_next_char (end);
    advice->id = id;
    advice->file = rf_text_printable (scan->file);
    advice->line = scan->line;
    advice->text = g_strndup (valid, (gsize)(end - valid));
    g_ptr_array_add (scan->found, advice);
}

/* Several numbers with blanks between. Returns how many were understood. */
static guint
numbers (const char *text, guint64 *out, guint n)
{
    const char *cursor = text, *end = text + strlen (text);
    guint got = 0;
    while (got < n && rf_text_scan_uint64 (&cursor, end, &out[got]))
        got++;
    return got;
}

static gboolean
is_one_of (const char *key, const char *const *keys)
{
    return g_strv_contains (keys, key);
}

static gboolean
is_small_buffer (const char *key, const char *value)
{
    static const char *const caps[] = {"net/core/rmem_max", "net/core/wmem_max", NULL};
    static const char *const triples[] = {"net/ipv4/tcp_rmem", "net/ipv4/tcp_wmem", NULL};
    guint64 number[3];
    guint n = numbers (value, number, 3);
    return (n >= 1 && is_one_of (key, caps) && number[0] <= SMALL_BUFFER)
           || (n == 3 && is_one_of (key, triples) && number[2] <= SMALL_BUFFER);
}

static gboolean
is_too_willing (const Scan *scan, gint64 value)
{
    return value > 200 || (scan->kernel != 0 && scan->kernel < RF_KERNEL (5, 8) && value > 100);
}

/* One rule a row: which key, and what about its value. NULL: whatever the value is. */
static void
judge_setting (const Scan *scan, const char *key, const char *value, const char *line)
{
    static const char *const vm_names[] = {"swappiness",
                                           "dirty_ratio",
                                           "dirty_background_ratio",
                                           "dirty_bytes",
                                           "dirty_background_bytes",
                                           "vfs_cache_pressure",
                                           "min_free_kbytes",
                                           "page-cluster",
                                           "watermark_scale_factor",
                                           "watermark_boost_factor",
                                           NULL};
    static const char *const removed[] = {"vm/nr_pdflush_threads",
                                          "kernel/sched_min_granularity_ns",
                                          "kernel/sched_wakeup_granularity_ns",
                                          "kernel/sched_latency_ns",
                                          "kernel/sched_migration_cost_ns",
                                          "kernel/sched_nr_migrate",
                                          NULL};
    static const char *const times[]
        = {"net/ipv4/tcp_tw_reuse",        "net/ipv4/tcp_fin_timeout",      "net/ipv4/tcp_keepalive_time",
           "net/ipv4/tcp_keepalive_intvl", "net/ipv4/tcp_keepalive_probes", NULL};
    gint64 number = 0;
    gboolean is_number = rf_sysctl_number (value, &number);
    if (value[0] == '"' || value[0] == '\'')
        add (scan, RF_OLD_QUOTES, line);
    if (is_one_of (key, vm_names))
        add (scan, RF_OLD_NO_PREFIX, line);
    /* the scheduler's keys went to debugfs in 5.13, pdflush's in 3.x */
    if (is_one_of (key, removed) && (scan->kernel == 0 || scan->kernel >= RF_KERNEL (5, 13)))
        add (scan, RF_OLD_REMOVED_KEY, line);
    if (g_str_equal (key, "net/ipv4/tcp_tw_recycle"))
        add (scan, RF_OLD_TCP_RECYCLE, line);
    if (is_small_buffer (key, value[0] == '"' || value[0] == '\'' ? value + 1 : value))
        add (scan, RF_OLD_TCP_BUFFERS, line);
    if (is_one_of (key, times))
        add (scan, RF_OLD_TCP_TIMES, line);
    if (g_str_equal (key, "vm/swappiness") && is_number && is_too_willing (scan, number))
        add (scan, RF_OLD_SWAPPINESS, line);
    if (g_str_equal (key, "vm/vfs_cache_pressure") && is_number && number == 0)
        add (scan, RF_OLD_CACHE_PRESSURE, line);
    if ((g_str_equal (key, "vm/dirty_writeback_centisecs") || g_str_equal (key, "vm/dirty_expire_centisecs"))
        && is_number && number <= SHORT_WRITE_BACK)
        add (scan, RF_OLD_WRITE_BACK, line);
    if (g_str_equal (key, "vm/min_free_kbytes") && is_number && scan->ram_bytes > 0
        && number > (gint64)(scan->ram_bytes / 1024 / 20))
        add (scan, RF_OLD_MIN_FREE, line);
    if (g_str_equal (key, "vm/drop_caches"))
        add (scan, RF_OLD_DROP_CACHES, line);
}

static void
scan_settings (Scan *scan, const char *text, gsize length)
{
    g_autoptr (GPtrArray) lines = rf_sysctl_lines_parse (text, length);
    for (guint i = 0; i < lines->len; i++) {
        const RfSysctlLine *line = lines->pdata[i];
        if (line->key == NULL || line->value == NULL)
            continue;
        scan->line = line->line;
        judge_setting (scan, line->key, line->value, line->text);
    }
}

/* whether @word stands in @text with no letter or digit beside it */
static gboolean
has_word (const char *text, const char *word)
{
    gsize length = strlen (word);
    for (const char *at = text; (at = strstr (at, word)) != NULL; at += length)
        if ((at == text || !g_ascii_isalnum (at[-1])) && !g_ascii_isalnum (at[length]))
            return TRUE;
    return FALSE;
}

static void
scan_words (const Scan *scan, const char *line)
{
    if (line[0] == '#')
        return;
    if (strstr (line, "scheduler") != NULL && (has_word (line, "noop") || has_word (line, "cfq")))
        add (scan, RF_OLD_SCHEDULER, line);
    if (has_word (line, "drop_caches"))
        add (scan, RF_OLD_DROP_CACHES, line);
    if (has_word (line, "min_ttl_ms"))
        add (scan, RF_OLD_MIN_TTL, line);
}

static void
scan_command_line (const Scan *scan, const char *line)
{
    if (line[0] != '#' && has_word (line, "elevator") && strstr (line, "elevator=") != NULL)
        add (scan, RF_OLD_ELEVATOR, line);
}

void
rf_old_advice_scan (RfOldAdviceFile kind, const char *file, const char *text, gsize length, guint kernel,
                    guint64 ram_bytes, GPtrArray *found)
{
    Scan scan = {file, 0, kernel, ram_bytes, found};
    if (kind == RF_OLD_FILE_SYSCTL) {
        scan_settings (&scan, text, length);
        return;
    }
    const char *cursor = text, *end = text + length, *start, *stop;
    while (rf_text_next_line (&cursor, end, &start, &stop)) {
        scan.line++;
        g_autofree char *copy = g_strndup (start, (gsize)(stop - start));
        char *line = g_strstrip (copy);
        if (kind == RF_OLD_FILE_RULES)
            scan_words (&scan, line);
        else
            scan_command_line (&scan, line);
    }
}

/* A pipe would never end, and a device is no file of settings. */
static gboolean
is_plain_file (RfSysroot *sysroot, const char *path)
{
    g_autofree char *absolute = rf_sysroot_path (sysroot, path);
    return g_file_test (absolute, G_FILE_TEST_IS_REGULAR);
}

static void
read_file (RfSysroot *sysroot, RfOldAdviceFile kind, const char *path, const RfFacts *facts, GPtrArray *found,
           guint *unread)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *name = g_strconcat ("/", path, NULL);
    if (!is_plain_file (sysroot, path))
        return;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
    if (text != NULL)
        rf_old_advice_scan (kind, name, text, length, facts->kernel, facts->ram_bytes, found);
    else if (avail != RF_AVAIL_NO_FILE)
        *unread += 1;
}

/* Debian 12 links 99-sysctl.conf to ../sysctl.conf: the same lines a second time. */
static gboolean
is_second_name (RfSysroot *sysroot, const char *path)
{
    g_autofree char *target = rf_sysroot_readlink (sysroot, path);
    return target != NULL && g_str_has_suffix (target, "/sysctl.conf");
}

GPtrArray *
rf_old_advice_read (RfSysroot *sysroot, const RfFacts *facts, guint *unread)
{
    static const struct {
        const char *path;
        const char *suffix; /* NULL: the file itself; "": every file of the folder */
        RfOldAdviceFile kind;
    } places[] = {
        {"etc/sysctl.conf", NULL, RF_OLD_FILE_SYSCTL},
        {"etc/sysctl.d", ".conf", RF_OLD_FILE_SYSCTL},
        {"etc/udev/rules.d", ".rules", RF_OLD_FILE_RULES},
        {"etc/tmpfiles.d", ".conf", RF_OLD_FILE_RULES},
        {"etc/rc.local", NULL, RF_OLD_FILE_RULES},
        {"etc/crontab", NULL, RF_OLD_FILE_RULES},
        {"etc/cron.d", "", RF_OLD_FILE_RULES},
        {"etc/cron.hourly", "", RF_OLD_FILE_RULES},
        {"etc/cron.daily", "", RF_OLD_FILE_RULES},
        {"etc/default/grub", NULL, RF_OLD_FILE_COMMAND_LINE},
        {"proc/cmdline", NULL, RF_OLD_FILE_COMMAND_LINE},
    };
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && facts != NULL && unread != NULL, NULL);
    GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_old_advice_free);
    *unread = 0;
    for (gsize i = 0; i < G_N_ELEMENTS (places); i++) {
        if (places[i].suffix == NULL) {
            read_file (sysroot, places[i].kind, places[i].path, facts, found, unread);
            continue;
        }
        g_auto (GStrv) names = rf_sysroot_list (sysroot, places[i].path);
        guint n = 0;
        for (gsize k = 0; names[k] != NULL; k++) {
            g_autofree char *path = g_strdup_printf ("%s/%s", places[i].path, names[k]);
            if (!g_str_has_suffix (names[k], places[i].suffix) || is_second_name (sysroot, path))
                continue;
            if (n++ < MAX_FILES)
                read_file (sysroot, places[i].kind, path, facts, found, unread);
            else
                *unread += 1;
        }
    }
    return found;
}
