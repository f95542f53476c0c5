#define G_LOG_DOMAIN "rf-provenance-files"
#include "config.h"

#include "rf-provenance-private.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>

#include "rf-ini.h"
#include "rf-unit.h"

/* ---- tmpfiles.d */

static gboolean
is_hidden (const RfConfFile *file)
{
    return file->state == RF_CONF_HIDDEN || file->state == RF_CONF_MASKED;
}

static gboolean
writes_to (const RfQuestion *self, const RfTmpfilesLine *line)
{
    for (char **path = self->paths; *path != NULL; path++)
        if (line->glob ? fnmatch (line->path, *path, FNM_PATHNAME | FNM_PERIOD) == 0 : g_str_equal (line->path, *path))
            return TRUE;
    return FALSE;
}

static void
add_tmpfiles_file (RfQuestion *self, const RfConfFile *file, GHashTable *seen)
{
    g_autoptr (GPtrArray) lines = rf_tmpfiles_parse (file->text, file->length);
    for (guint i = 0; i < lines->len; i++) {
        const RfTmpfilesLine *line = g_ptr_array_index (lines, i);
        RfSetterFate fate = file->state == RF_CONF_HIDDEN   ? RF_FATE_HIDDEN
                            : file->state == RF_CONF_MASKED ? RF_FATE_MASKED
                                                            : RF_FATE_ACTS;
        if (!writes_to (self, line))
            continue;
        /* of several plain lines for one path the first is done, the others are passed over with a warning */
        if (fate == RF_FATE_ACTS && !line->append && !g_hash_table_add (seen, g_strdup (line->path)))
            fate = RF_FATE_LOSES;
        RfSetter *setter = rf_question_add (self, RF_SETTER_TMPFILES, fate, file, line->line, line->text);
        if (line->argument == NULL)
            continue;
        const char *name = self->keys[0] != NULL ? self->keys[0] : self->attributes[0];
        if (!line->glob && self->keys[0] != NULL)
            name = strstr (line->path, "/sys/") + strlen ("/sys/");
        rf_question_set_value (self, setter, name, line->argument);
    }
}

void
rf_provenance_tmpfiles (RfQuestion *self)
{
    if (self->paths[0] == NULL)
        return;
    g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    rf_question_add_unreadable (self, RF_SETTER_TMPFILES, self->sources->tmpfiles);
    for (guint i = 0; i < self->sources->tmpfiles->len; i++) {
        const RfConfFile *file = g_ptr_array_index (self->sources->tmpfiles, i);
        if (file->text != NULL && (file->state == RF_CONF_READ || is_hidden (file)))
            add_tmpfiles_file (self, file, seen);
    }
}

/* ---- the kernel's command line: Documentation/admin-guide/kernel-parameters.txt */

static void
add_word (RfQuestion *self, const char *word)
{
    RfSetterFate fate = RF_FATE_N_FATES;
    g_autofree char *key = NULL;
    const char *value = strchr (word, '=');
    if (value == NULL)
        return;
    if (g_str_has_prefix (word, "sysctl.")) { /* since 5.8 */
        g_autofree char *raw = g_strndup (word + 7, (gsize)(value - word - 7));
        key = rf_sysctl_key_normalize (raw);
        if (g_strv_contains ((const char *const *)self->keys, key))
            fate = self->sources->facts->kernel >= RF_KERNEL (5, 8) ? RF_FATE_ACTS : RF_FATE_DEAD;
    } else if (g_str_has_prefix (word, "elevator=") && g_str_equal (self->tunable->id, "block.scheduler")) {
        fate = RF_FATE_DEAD;
    } else if (self->tunable->backend == RF_BACKEND_ZRAM && g_str_has_prefix (word, "systemd.zram=")) {
        fate = g_str_equal (value, "=0") ? RF_FATE_ACTS : RF_FATE_BESIDE;
    } else if (self->tunable->backend == RF_BACKEND_ZRAM && g_str_has_prefix (word, "zswap.enabled=")) {
        fate = RF_FATE_BESIDE;
    }
    if (fate == RF_FATE_N_FATES)
        return;
    RfSetter *setter = rf_question_add (self, RF_SETTER_CMDLINE, fate, NULL, 0, word);
    if (key != NULL)
        rf_question_set_value (self, setter, key, value + 1);
    else if (fate == RF_FATE_ACTS)
        setter->has_value = TRUE; /* absent */
}

void
rf_provenance_cmdline (RfQuestion *self)
{
    g_auto (GStrv) words = g_strsplit_set (self->sources->cmdline, " \t\n", -1);
    for (char **word = words; *word != NULL; word++)
        add_word (self, *word);
}

/* ---- what acts late, and whose value is in a script or a program */

static gboolean
is_any (const RfQuestion *self, const char *const *ids)
{
    return g_strv_contains (ids, self->tunable->id);
}

static void
add_services (RfQuestion *self)
{
    static const char *const pop[] = {"vm.swappiness", "vm.page-cluster", "vm.min_free_kbytes", NULL};
    static const char *const power[] = {"vm.dirty_writeback_centisecs", "vm.dirty_expire_centisecs", NULL};
    static const char *const power_disk[]
        = {"vm.dirty_writeback_centisecs", "vm.dirty_expire_centisecs", "block.scheduler", NULL};
    static const char *const laptop[] = {"vm.dirty_writeback_centisecs", "vm.dirty_expire_centisecs", "vm.dirty",
                                         "vm.dirty_background",          "block.read_ahead_kb",       NULL};
    static const struct {
        const char *unit;
        const char *const *ids;
        const char *path;
    } table[] = {
        {"pop-zram-config.service", pop, "/usr/bin/pop-zram-config"},
        {"pop-default-settings-zram.service", pop, "/usr/bin/pop-zram-config"},
        {"tlp.service", power_disk, "/etc/tlp.conf"},
        {"laptop-mode.service", laptop, "/etc/laptop-mode/laptop-mode.conf"},
        {"powertop.service", power, "powertop.service"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        if (!is_any (self, table[i].ids) || !rf_unit_enabled (self->sources->sysroot, table[i].unit))
            continue;
        RfSetter *setter = rf_question_add (self, RF_SETTER_PROGRAM, RF_FATE_LATE, NULL, 0, NULL);
        g_free (setter->path);
        setter->path = g_strdup (table[i].path);
        setter->why = g_strdup (table[i].unit);
    }
}

static gboolean
names_setting (const RfQuestion *self, const char *line)
{
    for (char **key = self->keys; *key != NULL; key++) {
        g_autofree char *dotted = g_strdelimit (g_strdup (*key), "/", '.');
        if (strstr (line, *key) != NULL || strstr (line, dotted) != NULL)
            return TRUE;
    }
    for (char **name = self->attributes; *name != NULL; name++)
        if (strstr (line, *name) != NULL)
            return TRUE;
    return FALSE;
}

static void
add_script (RfQuestion *self)
{
    g_autoptr (RfConfFile) file = rf_conf_file_read (self->sources->sysroot, "etc/rc.local");
    g_autofree char *absolute = rf_sysroot_path (self->sources->sysroot, "etc/rc.local");
    struct stat info;
    if (file == NULL || stat (absolute, &info) != 0)
        return;
    /* rc-local.service only starts what may be executed */
    gboolean executable = (info.st_mode & 0111) != 0;
    if (file->state == RF_CONF_UNREADABLE && executable)
        rf_question_add (self, RF_SETTER_PROGRAM, RF_FATE_UNREADABLE, file, 0, NULL);
    if (file->text == NULL)
        return;
    const char *cursor = file->text, *start, *stop;
    for (guint number = 1; rf_conf_next_line (&cursor, file->text + file->length, &start, &stop); number++) {
        rf_conf_strip (&start, &stop);
        g_autofree char *line = g_strndup (start, (gsize)(stop - start));
        if (line[0] != '#' && names_setting (self, line))
            rf_question_add (self, RF_SETTER_PROGRAM, executable ? RF_FATE_LATE : RF_FATE_UNREAD, file, number, line);
    }
}

/* What no rule can name is set by our own service at start; what it knows is the administrator's to read. */
static void
add_own_service (RfQuestion *self)
{
    const char *name = self->instance;
    gboolean by_service
        = self->tunable->backend == RF_BACKEND_ZRAM
              ? !self->sources->facts->zram_generator
              : g_str_has_prefix (name, "btrfs") || (g_str_has_prefix (name, "nvme") && strchr (name, 'c'));
    if (!by_service)
        return;
    RfConfFile journal = {.path = (char *)"var/lib/ruckelfrei"};
    if (self->planned == NULL && rf_sysroot_exists (self->sources->sysroot, journal.path))
        rf_question_add (self, RF_SETTER_PROGRAM, RF_FATE_MAYBE, &journal, 0, NULL)->ours = TRUE;
}

void
rf_provenance_late (RfQuestion *self)
{
    add_services (self);
    add_script (self);
    add_own_service (self);
}
