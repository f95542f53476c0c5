/* What a record, whatever is in it, becomes in the files that root's programs read at boot: line by line only what we
 * mean to write there. The input is the text of a record, as for the target "record". */
#include "rf-fuzz.h"

#include <string.h>

#include "rf-persist.h"

static guint
count (const char *line, char wanted)
{
    guint n = 0;
    for (const char *p = line; *p != '\0'; p++)
        n += *p == wanted;
    return n;
}

/* A match on one device and one assignment to an attribute of its queue, whatever stands between the quotes. */
static gboolean
is_rule (const char *line)
{
    g_autoptr (GString) form = g_string_new (NULL);
    gboolean quoted = FALSE;
    for (const char *p = line; *p != '\0'; p++) {
        quoted ^= *p == '"';
        if (*p == '"' || !quoted)
            g_string_append_c (form, *p);
    }
    return !quoted
           && g_regex_match_simple ("^ACTION!=\"\", SUBSYSTEM==\"\", ENV\\{DEVTYPE\\}==\"\",( KERNEL==\"\",)? "
                                    "ATTRS?\\{[a-z/]+\\}==\"\", TEST==\"\", ATTR\\{queue/[a-z_]+\\}=\"\"$",
                                    form->str, 0, 0);
}

static void
check_line (RfPersistFile file, const char *line)
{
    static const char *const words[] = {"[zram0]", "zram-size = ", "compression-algorithm = ", "swap-priority = "};
    gboolean ok = line[0] == '\0' || line[0] == '#';
    for (const char *p = line; *p != '\0'; p++)
        g_assert_false (g_ascii_iscntrl (*p));
    switch (file) {
    case RF_PERSIST_SYSCTL:
        ok |= (g_str_has_prefix (line, "vm.") || g_str_has_prefix (line, "net.") || g_str_has_prefix (line, "kernel."))
              && count (line, '=') == 1;
        break;
    case RF_PERSIST_UDEV:
    case RF_PERSIST_UDEV_TRIAL:
        ok |= is_rule (line);
        break;
    case RF_PERSIST_ZRAM_GENERATOR:
        for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
            ok |= g_str_has_prefix (line, words[i]);
        break;
    case RF_N_PERSIST:
    default:
        g_assert_not_reached ();
    }
    if (!ok)
        g_error ("file %d has the line: %s", (int)file, line);
}

RF_FUZZ (data, size)
{
    g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)data, size);
    g_autoptr (GString) text = g_string_new_len (data, (gssize)size);
    g_string_append_printf (text, "\n[checksum]\nsha256=%s\n", sum);
    g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
    RfRecord *record = rf_record_from_keyfile (text->str, text->len, NULL);
    if (record == NULL)
        return;
    g_ptr_array_add (records, record);
    static const RfRecordState states[] = {RF_RECORD_KEPT, RF_RECORD_TRIAL};
    for (guint s = 0; s < G_N_ELEMENTS (states); s++) {
        g_auto (RfPersistTexts) texts = {0};
        record->state = states[s];
        for (guint i = 0; i < record->entries->len; i++) {
            RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
            /* nothing else is ever kept: what a plan can hold, on a device with a name */
            if (entry->ours.kind == RF_VALUE_ABSENT)
                return;
            entry->state = RF_ENTRY_APPLIED;
        }
        rf_persist_render (records, TRUE, &texts);
        for (guint f = 0; f < RF_N_PERSIST; f++) {
            g_auto (GStrv) lines = g_strsplit (texts.text[f] != NULL ? texts.text[f] : "", "\n", -1);
            for (guint i = 0; lines[i] != NULL; i++)
                check_line (f, lines[i]);
        }
    }
}
