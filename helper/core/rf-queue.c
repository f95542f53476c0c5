#define G_LOG_DOMAIN "rf-queue"
#include "config.h"

#include "rf-queue.h"

#include <string.h>

#include "rf-error.h"
#include "rf-text.h"

static gsize
without_newline (const char *text, gsize length)
{
    return length > 0 && text[length - 1] == '\n' ? length - 1 : length;
}

RfCounter
rf_queue_parse_number (const char *text, gsize length)
{
    gsize digits = without_newline (text, length);
    char copy[24] = "";
    guint64 value;
    if (digits >= sizeof copy || memchr (text, '\0', digits) != NULL)
        return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    memcpy (copy, text, digits);
    return rf_text_to_uint64 (copy, &value) ? RF_COUNTER (value) : RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
}

RfCounter
rf_queue_parse_wbt (const char *text, gsize length)
{
    if (rf_text_word_is (text, without_newline (text, length), "-1"))
        return RF_COUNTER_MISSING (RF_AVAIL_OFF);
    return rf_queue_parse_number (text, length);
}

RfCounter
rf_queue_parse_zoned (const char *text, gsize length)
{
    gsize word = without_newline (text, length);
    if (rf_text_word_is (text, word, "none"))
        return RF_COUNTER (0);
    if (rf_text_word_is (text, word, "host-aware") || rf_text_word_is (text, word, "host-managed"))
        return RF_COUNTER (1);
    return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
}

static gboolean
is_name (const char *word)
{
    return word[0] != '\0' && strspn (word, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen (word);
}

RfAvail
rf_queue_parse_scheduler (const char *text, gsize length, char ***names, char **chosen)
{
    g_autofree char *copy = g_strndup (text, length);
    g_autofree char *selected = NULL;
    g_auto (GStrv) words = rf_text_brackets (copy, &selected);
    gboolean good = words[0] != NULL && memchr (text, '\0', length) == NULL;
    for (char **word = words; good && *word != NULL; word++)
        good = is_name (*word);
    const char *first = memchr (text, '[', length);
    gboolean twice = first != NULL && memchr (first + 1, '[', length - (gsize)(first + 1 - text)) != NULL;
    if (good && selected == NULL && words[1] == NULL)
        selected = g_strdup (words[0]);
    if (!good || twice || selected == NULL) {
        *names = g_new0 (char *, 1);
        *chosen = NULL;
        return RF_AVAIL_MALFORMED;
    }
    *names = g_steal_pointer (&words);
    *chosen = g_steal_pointer (&selected);
    return RF_AVAIL_OK;
}

static char *
attribute_path (const char *disk, const char *name)
{
    return g_strconcat ("sys/block/", disk, "/queue/", name, NULL);
}

static RfCounter
read_attribute (RfSysroot *sysroot, const char *disk, const char *name, RfCounter (*parse) (const char *, gsize))
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *path = attribute_path (disk, name);
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
    return text != NULL ? parse (text, length) : RF_COUNTER_MISSING (avail);
}

static RfCounter
read_wbt (RfSysroot *sysroot, const char *disk)
{
    gsize length = 0;
    g_autoptr (GError) error = NULL;
    g_autofree char *path = attribute_path (disk, "wbt_lat_usec");
    g_autofree char *text = rf_sysroot_read (sysroot, path, &length, &error);
    if (text != NULL)
        return rf_queue_parse_wbt (text, length);
    /* EINVAL: the file is there, but this queue has no throttle object (kernel: queue_wb_lat_show) */
    if (g_error_matches (error, RF_ERROR, RF_ERROR_REFUSED))
        return RF_COUNTER_MISSING (RF_AVAIL_OFF);
    return read_attribute (sysroot, disk, "wbt_lat_usec", rf_queue_parse_wbt);
}

void
rf_queue_read (RfSysroot *sysroot, const char *disk, RfQueue *out)
{
    gsize length = 0;
    memset (out, 0, sizeof *out);
    g_autofree char *path = attribute_path (disk, "scheduler");
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &out->scheduler_avail);
    if (text != NULL)
        out->scheduler_avail = rf_queue_parse_scheduler (text, length, &out->schedulers, &out->scheduler);
    else
        out->schedulers = g_new0 (char *, 1);
    out->wbt_lat_us = read_wbt (sysroot, disk);
    out->read_ahead_kib = read_attribute (sysroot, disk, "read_ahead_kb", rf_queue_parse_number);
    out->nr_requests = read_attribute (sysroot, disk, "nr_requests", rf_queue_parse_number);
    out->rotational = read_attribute (sysroot, disk, "rotational", rf_queue_parse_number);
    out->zoned = read_attribute (sysroot, disk, "zoned", rf_queue_parse_zoned);
    out->discard_max_bytes = read_attribute (sysroot, disk, "discard_max_bytes", rf_queue_parse_number);
    out->optimal_io_bytes = read_attribute (sysroot, disk, "optimal_io_size", rf_queue_parse_number);
}

void
rf_queue_clear (RfQueue *self)
{
    g_clear_pointer (&self->schedulers, g_strfreev);
    g_clear_pointer (&self->scheduler, g_free);
}
