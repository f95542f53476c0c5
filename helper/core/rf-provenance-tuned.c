#define G_LOG_DOMAIN "rf-provenance-tuned"
#include "config.h"

#include "rf-provenance-private.h"

#include <string.h>

#include "rf-ini.h"
#include "rf-unit.h"

#define MAX_PROFILES 16

/* tuned/profiles/locator.py: the administrator's folder goes before the package's; a profile may include the one of its
 * own name that it covers, so a file that is in use already is passed over */
static RfConfFile *
find_profile (RfSysroot *sysroot, const char *name, GHashTable *used)
{
    static const char *const folders[] = {"etc/tuned/profiles", "etc/tuned", "usr/lib/tuned/profiles", "usr/lib/tuned"};
    for (gsize i = 0; i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *path = g_build_filename (folders[i], name, "tuned.conf", NULL);
        if (g_hash_table_contains (used, path))
            continue;
        RfConfFile *file = rf_conf_file_read (sysroot, path);
        if (file != NULL)
            return file;
    }
    return NULL;
}

static void
add_profile (RfSysroot *sysroot, const char *name, GHashTable *used, GPtrArray *files)
{
    if (*name == '\0' || *name == '.' || strchr (name, '/') != NULL || g_hash_table_size (used) == MAX_PROFILES)
        return;
    RfConfFile *file = find_profile (sysroot, name, used);
    if (file == NULL)
        return;
    g_hash_table_add (used, g_strdup (file->path));
    g_autoptr (GPtrArray) lines = rf_ini_parse (file->text != NULL ? file->text : "", file->length);
    for (guint i = 0; i < lines->len; i++) {
        const RfIniLine *line = g_ptr_array_index (lines, i);
        if (!g_str_equal (line->section, "main") || !g_str_equal (line->key, "include"))
            continue;
        g_auto (GStrv) names = g_strsplit_set (line->value, ",; \t", -1);
        for (char **include = names; *include != NULL; include++)
            add_profile (sysroot, **include == '-' ? *include + 1 : *include, used, files);
    }
    g_ptr_array_add (files, file);
}

/* anything but 0 and its like; TuneD re-reads the administrator's sysctl files unless told not to */
static gboolean
reapplies_sysctl (RfSysroot *sysroot)
{
    g_autoptr (RfConfFile) file = rf_conf_file_read (sysroot, "etc/tuned/tuned-main.conf");
    gboolean answer = TRUE;
    g_autoptr (GPtrArray) lines
        = rf_ini_parse (file != NULL && file->text != NULL ? file->text : "", file != NULL ? file->length : 0);
    for (guint i = 0; i < lines->len; i++) {
        const RfIniLine *line = g_ptr_array_index (lines, i);
        if (g_str_equal (line->key, "reapply_sysctl"))
            answer = !g_str_equal (line->value, "0") && g_ascii_strcasecmp (line->value, "false") != 0;
    }
    return answer;
}

GPtrArray *
rf_provenance_read_tuned (RfSysroot *sysroot, gboolean *reapplies)
{
    GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_conf_file_free);
    g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    *reapplies = FALSE;
    if (!rf_unit_enabled (sysroot, "tuned.service"))
        return files;
    RfConfFile *active = rf_conf_file_read (sysroot, "etc/tuned/active_profile");
    g_auto (GStrv) names = g_strsplit_set (active != NULL && active->text != NULL ? active->text : "", " \t\n", -1);
    for (char **name = names; *name != NULL; name++)
        add_profile (sysroot, *name, used, files);
    if (active != NULL && active->state == RF_CONF_UNREADABLE)
        g_ptr_array_add (files, g_steal_pointer (&active));
    g_clear_pointer (&active, rf_conf_file_free);
    *reapplies = reapplies_sysctl (sysroot);
    return files;
}

/* What is said of a section as a whole, wherever in the file. */
typedef struct {
    const char *type; /* NULL: its name is its kind */
    gboolean limited; /* to some devices */
} Section;

/* Returns: (transfer full): name → Section; of the names and types @lines own */
static GHashTable *
read_sections (const GPtrArray *lines)
{
    GHashTable *sections = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
    for (guint i = 0; i < lines->len; i++) {
        const RfIniLine *line = g_ptr_array_index (lines, i);
        Section *section = g_hash_table_lookup (sections, line->section);
        if (section == NULL) {
            section = g_new0 (Section, 1);
            g_hash_table_insert (sections, line->section, section);
        }
        if (section->type == NULL && g_str_equal (line->key, "type"))
            section->type = line->value;
        if (g_str_has_prefix (line->key, "devices") && !g_str_equal (line->value, "*"))
            section->limited = TRUE;
    }
    return sections;
}

static const char *
type_of (GHashTable *sections, const char *name)
{
    const Section *section = g_hash_table_lookup (sections, name);
    return section != NULL && section->type != NULL ? section->type : name;
}

static gboolean
limited_to_devices (GHashTable *sections, const char *name)
{
    const Section *section = g_hash_table_lookup (sections, name);
    return section != NULL && section->limited;
}

/* The file of the setting that a line writes to, NULL if it is another one. */
static char *
target_of (const RfQuestion *self, const RfIniLine *line, const char *type)
{
    g_autofree char *key = NULL;
    if (g_str_equal (type, "sysctl"))
        key = rf_sysctl_key_normalize (line->key);
    else if (g_str_equal (type, "vm"))
        key = g_strconcat ("vm/", line->key, NULL);
    if (key != NULL && g_str_equal (type, "vm") && g_str_has_suffix (key, "_bytes")
        && strchr (line->value, '%') != NULL) {
        g_autofree char *bytes = g_steal_pointer (&key);
        key = g_strdup_printf ("%.*sratio", (int)(strlen (bytes) - strlen ("bytes")), bytes);
    }
    if (key != NULL && g_strv_contains ((const char *const *)self->keys, key))
        return g_steal_pointer (&key);
    if (!g_str_equal (type, "disk") || self->attributes[0] == NULL)
        return NULL;
    gboolean wanted
        = (g_str_equal (line->key, "elevator") && g_str_equal (self->tunable->id, "block.scheduler"))
          || (g_str_equal (line->key, "readahead") && g_str_equal (self->tunable->id, "block.read_ahead_kb"));
    return wanted ? g_strdup (self->attributes[0]) : NULL;
}

static void
add_line (RfQuestion *self, const RfConfFile *file, GHashTable *sections, const RfIniLine *line)
{
    g_autofree char *name = target_of (self, line, type_of (sections, line->section));
    if (name == NULL)
        return;
    /* ">4096" is written only if it is more than what is there */
    gboolean depends
        = strchr ("<>", line->value[0]) != NULL || (self->keys[0] == NULL && limited_to_devices (sections, line->section));
    RfSetter *setter
        = rf_question_add (self, RF_SETTER_TUNED, depends ? RF_FATE_MAYBE : RF_FATE_ACTS, file, line->line, line->text);
    g_autofree char *value = g_strdup (line->value);
    gsize length = strlen (value);
    if (length > 1 && value[0] == '"' && value[length - 1] == '"') {
        value[length - 1] = '\0';
        memmove (value, value + 1, length - 1);
    }
    if (g_str_has_suffix (value, "%"))
        value[strlen (value) - 1] = '\0';
    /* a variable, a condition, or sectors: not worked out here */
    if (*value == '\0' || strpbrk (value, "$<>") != NULL || (self->keys[0] == NULL && strchr (value, ' ') != NULL))
        return;
    rf_question_set_value (self, setter, name, value);
}

static gboolean
has_sysctl_section (const GPtrArray *files)
{
    for (guint i = 0; i < files->len; i++) {
        const RfConfFile *file = g_ptr_array_index (files, i);
        if (file->text == NULL)
            continue;
        g_autoptr (GPtrArray) lines = rf_ini_parse (file->text, file->length);
        g_autoptr (GHashTable) sections = read_sections (lines);
        for (guint k = 0; k < lines->len; k++)
            if (g_str_equal (type_of (sections, ((RfIniLine *)lines->pdata[k])->section), "sysctl"))
                return TRUE;
    }
    return FALSE;
}

static gboolean
is_reapplied (const RfSetter *setter, gboolean classic)
{
    if (setter->kind != RF_SETTER_SYSCTL)
        return FALSE;
    if (classic)
        return setter->fate == RF_FATE_UNREAD;
    return setter->fate == RF_FATE_ACTS
           && (g_str_has_prefix (setter->path, "/etc/sysctl.d/") || g_str_has_prefix (setter->path, "/run/sysctl.d/"));
}

/* tuned/plugins/plugin_sysctl.py: after its own values it goes once more through the sysctl.d of /run and /etc, and
 * through /etc/sysctl.conf, whether that is linked or not; so those win against the profile again. */
static void
move_reapplied (RfQuestion *self)
{
    for (guint classic = 0; classic < 2; classic++)
        for (guint i = 0, n = self->setters->len; i < n;) {
            RfSetter *setter = g_ptr_array_index (self->setters, i);
            if (!is_reapplied (setter, classic == 1)) {
                i++;
                continue;
            }
            if (classic == 1 && setter->raw != NULL) {
                g_autofree char *raw = g_strdup (setter->raw);
                g_auto (GStrv) sides = g_strsplit (setter->text, "=", 2);
                g_autofree char *key = rf_sysctl_key_normalize (g_strstrip (sides[0]));
                setter->fate = RF_FATE_ACTS;
                rf_question_set_value (self, setter, *key == '-' ? key + 1 : key, raw);
            }
            g_ptr_array_add (self->setters, g_ptr_array_steal_index (self->setters, i));
            n--;
        }
}

void
rf_provenance_tuned (RfQuestion *self)
{
    const RfProvenanceSources *sources = self->sources;
    if (self->tunable->backend == RF_BACKEND_ZRAM)
        return;
    rf_question_add_unreadable (self, RF_SETTER_TUNED, sources->tuned);
    for (guint i = 0; i < sources->tuned->len; i++) {
        const RfConfFile *file = g_ptr_array_index (sources->tuned, i);
        if (file->text == NULL)
            continue;
        g_autoptr (GPtrArray) lines = rf_ini_parse (file->text, file->length);
        g_autoptr (GHashTable) sections = read_sections (lines);
        for (guint k = 0; k < lines->len; k++)
            add_line (self, file, sections, g_ptr_array_index (lines, k));
    }
    if (self->keys[0] != NULL && sources->tuned_reapplies && has_sysctl_section (sources->tuned))
        move_reapplied (self);
}
