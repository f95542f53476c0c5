#define G_LOG_DOMAIN "rf-provenance-zram"
#include "config.h"

#include "rf-provenance-private.h"

#include <string.h>

#include "rf-ini.h"
#include "rf-text.h"

#define MIB (G_GINT64_CONSTANT (1024) * 1024)

/* zram-generator.conf(5): of the main files only the first of these folders' counts; then the drop-ins by name. */
static const char *const bases[] = {"run", "etc", "usr/local/lib", "usr/lib", NULL};

GPtrArray *
rf_provenance_read_zram (RfSysroot *sysroot)
{
    GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_conf_file_free);
    const RfConfFile *first = NULL;
    for (gsize i = 0; bases[i] != NULL; i++) {
        g_autofree char *path = g_build_filename (bases[i], "systemd/zram-generator.conf", NULL);
        RfConfFile *file = rf_conf_file_read (sysroot, path);
        if (file == NULL)
            continue;
        if (first != NULL) {
            file->state = first->state == RF_CONF_MASK ? RF_CONF_MASKED : RF_CONF_HIDDEN;
            file->hidden_by = g_strdup (first->path);
        }
        first = first != NULL ? first : file;
        g_ptr_array_insert (files, 0, file);
    }
    g_autoptr (GPtrArray) drop_ins = rf_conf_files_read_in (sysroot, bases, "systemd/zram-generator.conf.d", ".conf");
    g_ptr_array_extend_and_steal (files, g_steal_pointer (&drop_ins));
    return files;
}

static gboolean
is_zram_section (const char *section)
{
    return g_str_has_prefix (section, "zram") && g_ascii_isdigit (section[4]);
}

static RfSetterFate
fate_of (const RfQuestion *self, const RfConfFile *file, gboolean off)
{
    if (file->state == RF_CONF_HIDDEN)
        return RF_FATE_HIDDEN;
    if (file->state == RF_CONF_MASKED)
        return RF_FATE_MASKED;
    if (!self->sources->facts->zram_generator)
        return RF_FATE_UNREAD;
    return off ? RF_FATE_DEAD : RF_FATE_ACTS;
}

static const char *
last_value (const GPtrArray *lines, const char *key)
{
    const char *value = NULL;
    for (guint i = 0; i < lines->len; i++) {
        const RfIniLine *line = g_ptr_array_index (lines, i);
        if (is_zram_section (line->section) && g_str_equal (line->key, key))
            value = line->value;
    }
    return value;
}

/* Sizes are expressions for an interpreter of its own, and "set!" runs a shell: only what is plainly a number of MiB,
 * as our own file has it, becomes a value. */
static void
set_size (RfSetter *setter, const GPtrArray *lines, const char *raw)
{
    const char *algorithm = last_value (lines, "compression-algorithm"),
               *priority = last_value (lines, "swap-priority");
    guint64 mib;
    gint64 number = 100;
    setter->key = g_strdup ("zram-size");
    setter->raw = g_strdup (raw);
    if (!rf_text_to_uint64 (raw, &mib) || mib > (guint64)(G_MAXINT64 / MIB))
        return;
    if (mib == 0) {
        setter->has_value = TRUE; /* absent */
    } else if (algorithm != NULL && (priority == NULL || rf_text_to_int64 (priority, &number))) {
        setter->value = rf_value_zram ((gint64)mib * MIB, algorithm, number);
        setter->has_value = setter->value.kind == RF_VALUE_ZRAM;
    }
}

static void
add_generator_file (RfQuestion *self, const RfConfFile *file, gboolean off)
{
    g_autoptr (GPtrArray) lines = rf_ini_parse (file->text, file->length);
    gboolean sized = FALSE;
    for (guint i = 0; i < lines->len; i++) {
        const RfIniLine *line = g_ptr_array_index (lines, i);
        if (!is_zram_section (line->section) || !g_str_equal (line->key, "zram-size"))
            continue;
        RfSetter *setter
            = rf_question_add (self, RF_SETTER_GENERATOR, fate_of (self, file, off), file, line->line, line->text);
        set_size (setter, lines, line->value);
        sized = TRUE;
    }
    if (!sized && strstr (file->text, "[zram") != NULL)
        rf_question_add (self, RF_SETTER_GENERATOR, fate_of (self, file, off), file, 0, NULL);
}

static void
add_program (RfQuestion *self)
{
    static const char *const paths[] = {
        [RF_ZRAM_OWNER_ZRAM_TOOLS] = "etc/default/zramswap",
        [RF_ZRAM_OWNER_UBUNTU] = "usr/bin/init-zram-swapping",
        [RF_ZRAM_OWNER_POP] = "usr/bin/pop-zram-config",
        [RF_ZRAM_OWNER_SYSTEMD_SWAP] = "etc/systemd/swap.conf",
        [RF_ZRAM_OWNER_UNKNOWN] = "",
    };
    RfZramOwner owner = self->sources->facts->zram_owner;
    if ((guint)owner >= G_N_ELEMENTS (paths) || paths[owner] == NULL)
        return;
    RfSetter *setter = rf_question_add (self, RF_SETTER_PROGRAM, RF_FATE_ACTS, NULL, 0, NULL);
    g_free (setter->path);
    setter->path = *paths[owner] != '\0' ? g_strconcat ("/", paths[owner], NULL) : g_strdup ("");
    setter->why = g_strdup (rf_zram_owner_nick (owner));
    g_autoptr (RfConfFile) file = rf_conf_file_read (self->sources->sysroot, paths[owner]);
    if (owner != RF_ZRAM_OWNER_ZRAM_TOOLS || file == NULL || file->text == NULL)
        return;
    g_autoptr (GPtrArray) lines = rf_ini_parse (file->text, file->length);
    for (guint i = 0; i < lines->len; i++) {
        const RfIniLine *line = g_ptr_array_index (lines, i);
        if (!g_str_equal (line->key, "PERCENT") && !g_str_equal (line->key, "SIZE"))
            continue;
        setter->line = line->line;
        g_free (setter->text);
        setter->text = g_strdup (line->text);
    }
}

void
rf_provenance_zram (RfQuestion *self)
{
    if (self->tunable->backend != RF_BACKEND_ZRAM)
        return;
    g_auto (GStrv) words = g_strsplit_set (self->sources->cmdline, " \t\n", -1);
    gboolean off = g_strv_contains ((const char *const *)words, "systemd.zram=0");
    rf_question_add_unreadable (self, RF_SETTER_GENERATOR, self->sources->zram);
    for (guint i = 0; i < self->sources->zram->len; i++) {
        const RfConfFile *file = g_ptr_array_index (self->sources->zram, i);
        if (file->text != NULL && file->state != RF_CONF_UNREADABLE)
            add_generator_file (self, file, off);
    }
    add_program (self);
}
