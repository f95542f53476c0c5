#define G_LOG_DOMAIN "rf-vmm-state"
#include "config.h"

#include "rf-vmm-state.h"

#include <string.h>

#include "rf-queue.h"
#include "rf-text.h"

char *
rf_vmm_parse_choice (const char *text, gsize length)
{
    const char *cursor = text, *end = text + length, *word;
    gsize word_length;
    g_autofree char *chosen = NULL;
    while (length > 0 && rf_text_next_word (&cursor, end, &word, &word_length)) {
        if (word[0] != '[')
            continue;
        if (chosen != NULL || word_length < 3 || word[word_length - 1] != ']'
            || memchr (word, '\0', word_length) != NULL)
            return NULL;
        chosen = g_strndup (word + 1, word_length - 2);
    }
    return g_steal_pointer (&chosen);
}

RfCounter
rf_vmm_parse_mask (const char *text, gsize length)
{
    if (length > 0 && text[length - 1] == '\n')
        length--;
    if (length < 3 || length > 18 || text[0] != '0' || text[1] != 'x')
        return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    guint64 value = 0;
    for (gsize i = 2; i < length; i++) {
        if (!g_ascii_isxdigit (text[i]))
            return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
        value = value * 16 + (guint64)g_ascii_xdigit_value (text[i]);
    }
    return RF_COUNTER (value);
}

RfCounter
rf_vmm_parse_flag (const char *text, gsize length)
{
    if (length > 0 && text[length - 1] == '\n')
        length--;
    if (length == 1 && (text[0] == 'Y' || text[0] == '1'))
        return RF_COUNTER (1);
    if (length == 1 && (text[0] == 'N' || text[0] == '0'))
        return RF_COUNTER (0);
    return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
}

static RfCounter
read_counter (RfSysroot *sysroot, const char *path, RfCounter (*parse) (const char *, gsize))
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
    return text != NULL ? parse (text, length) : RF_COUNTER_MISSING (avail);
}

static char *
read_choice (RfSysroot *sysroot, const char *path, RfAvail *avail)
{
    gsize length = 0;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, avail);
    char *chosen = text != NULL ? rf_vmm_parse_choice (text, length) : NULL;
    if (text != NULL && chosen == NULL)
        *avail = RF_AVAIL_MALFORMED;
    return chosen;
}

void
rf_vmm_state_read (RfSysroot *sysroot, RfVmmState *out)
{
    RfAvail ignored;
    out->thp_enabled = read_choice (sysroot, "sys/kernel/mm/transparent_hugepage/enabled", &out->thp_avail);
    out->thp_defrag = read_choice (sysroot, "sys/kernel/mm/transparent_hugepage/defrag", &ignored);
    out->lru_gen = read_counter (sysroot, "sys/kernel/mm/lru_gen/enabled", rf_vmm_parse_mask);
    out->lru_gen_min_ttl_ms = read_counter (sysroot, "sys/kernel/mm/lru_gen/min_ttl_ms", rf_queue_parse_number);
    out->zswap_enabled = read_counter (sysroot, "sys/module/zswap/parameters/enabled", rf_vmm_parse_flag);
    out->zswap_max_pool_percent
        = read_counter (sysroot, "sys/module/zswap/parameters/max_pool_percent", rf_queue_parse_number);
    out->zswap_compressor = rf_sysroot_read_line (sysroot, "sys/module/zswap/parameters/compressor");
}

void
rf_vmm_state_clear (RfVmmState *self)
{
    g_clear_pointer (&self->thp_enabled, g_free);
    g_clear_pointer (&self->thp_defrag, g_free);
    g_clear_pointer (&self->zswap_compressor, g_free);
}
