#define G_LOG_DOMAIN "rf-zram-owner"
#include "config.h"

#include "rf-facts-private.h"

#include <string.h>
#include <sys/stat.h>

#include "rf-current.h"
#include "rf-text.h"
#include "rf-unit.h"

/* our own drop-in for the generator, which makes nobody else the owner */
#define OWN_DROP_IN "90-ruckelfrei.conf"
#define OWN_PREFIX "99-zz-ruckelfrei"

static guint64
read_number (RfSysroot *sysroot, const char *device, const char *name)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/%s", device, name);
    g_autofree char *text = rf_sysroot_read_line (sysroot, path);
    guint64 number = 0;
    return rf_text_to_uint64 (text, &number) ? number : 0;
}

/* A device that is set up has a size; until then it belongs to nobody: loading the module makes an empty zram0. */
static gboolean
is_set_up (RfSysroot *sysroot, const char *device)
{
    return read_number (sysroot, device, "disksize") > 0 || read_number (sysroot, device, "initstate") == 1;
}

static gboolean
is_zram_name (const char *name)
{
    return g_str_has_prefix (name, "zram") && g_ascii_isdigit (name[4]);
}

static gboolean
any_in_use (RfSysroot *sysroot, const RfFacts *facts)
{
    for (guint i = 0; i < facts->swaps->len; i++)
        if (((const RfSwapDevice *)facts->swaps->pdata[i])->kind == RF_SWAP_ZRAM)
            return TRUE;
    g_auto (GStrv) names = rf_sysroot_list (sysroot, "sys/block");
    for (char **name = names; *name != NULL; name++)
        if (is_zram_name (*name) && is_set_up (sysroot, *name))
            return TRUE;
    return FALSE;
}

/* ---- systemd-zram-generator: zram-generator.conf(5). Read as text: "set!name = command" lines run a shell there. */

/* Adds the [zramN] sections of @text to @sections: name → "1" wanted, "0" switched off (zram-size 0 or more RAM than
 * the limit). A later file changes only what it names. */
static void
read_generator_text (const char *text, guint64 ram_mib, GHashTable *sections)
{
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_autofree char *section = NULL;
    for (char **line = lines; *line != NULL; line++) {
        char *stripped = g_strstrip (*line);
        gsize length = strlen (stripped);
        if (length > 2 && stripped[0] == '[' && stripped[length - 1] == ']') {
            g_free (section);
            section = g_strndup (stripped + 1, length - 2);
            if (is_zram_name (section) && !g_hash_table_contains (sections, section))
                g_hash_table_insert (sections, g_strdup (section), GINT_TO_POINTER (TRUE));
            continue;
        }
        g_auto (GStrv) pair = g_strsplit (stripped, "=", 2);
        if (section == NULL || !is_zram_name (section) || g_strv_length (pair) != 2)
            continue;
        const char *key = g_strstrip (pair[0]), *value = g_strstrip (pair[1]);
        guint64 limit;
        if (g_str_equal (key, "zram-size"))
            g_hash_table_insert (sections, g_strdup (section), GINT_TO_POINTER (!g_str_equal (value, "0")));
        else if (g_str_equal (key, "host-memory-limit") && rf_text_to_uint64 (value, &limit) && ram_mib > limit)
            g_hash_table_insert (sections, g_strdup (section), GINT_TO_POINTER (FALSE));
    }
}

static const char *const generator_bases[] = {"usr/lib", "usr/local/lib", "etc", "run"};

static void
add_generator_file (RfSysroot *sysroot, const char *path, guint64 ram_mib, GHashTable *sections)
{
    g_autofree char *text = rf_sysroot_read (sysroot, path, NULL, NULL);
    if (text != NULL)
        read_generator_text (text, ram_mib, sections);
}

/* Of the main files only the last one that exists counts, even if it is empty: that is how one is switched off. */
static void
read_generator_main (RfSysroot *sysroot, guint64 ram_mib, GHashTable *sections)
{
    for (gsize i = G_N_ELEMENTS (generator_bases); i > 0; i--) {
        g_autofree char *path = g_strdup_printf ("%s/systemd/zram-generator.conf", generator_bases[i - 1]);
        g_autofree char *link = rf_sysroot_readlink (sysroot, path);
        if (g_strcmp0 (link, "/dev/null") == 0)
            return;
        if (rf_sysroot_exists (sysroot, path)) {
            add_generator_file (sysroot, path, ram_mib, sections);
            return;
        }
    }
}

/* Drop-ins apply in the order of their names; for one name the last folder wins, and a link to /dev/null masks it. */
static void
read_generator_drop_ins (RfSysroot *sysroot, guint64 ram_mib, gboolean own, GHashTable *sections)
{
    g_autoptr (GHashTable) paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    for (gsize i = 0; i < G_N_ELEMENTS (generator_bases); i++) {
        g_autofree char *folder = g_strdup_printf ("%s/systemd/zram-generator.conf.d", generator_bases[i]);
        g_auto (GStrv) names = rf_sysroot_list (sysroot, folder);
        for (char **name = names; *name != NULL; name++)
            if (g_str_has_suffix (*name, ".conf"))
                g_hash_table_insert (paths, g_strdup (*name), g_build_filename (folder, *name, NULL));
    }
    g_autoptr (GList) sorted = g_list_sort (g_hash_table_get_keys (paths), (GCompareFunc)strcmp);
    for (GList *at = sorted; at != NULL; at = at->next) {
        const char *path = g_hash_table_lookup (paths, at->data);
        g_autofree char *link = rf_sysroot_readlink (sysroot, path);
        if (g_str_equal (at->data, OWN_DROP_IN) == own && g_strcmp0 (link, "/dev/null") != 0)
            add_generator_file (sysroot, path, ram_mib, sections);
    }
}

static gboolean
any_wanted (GHashTable *sections)
{
    GHashTableIter iter;
    gpointer wanted;
    g_hash_table_iter_init (&iter, sections);
    while (g_hash_table_iter_next (&iter, NULL, &wanted))
        if (GPOINTER_TO_INT (wanted))
            return TRUE;
    return FALSE;
}

static gboolean
command_line_has (RfSysroot *sysroot, const char *wanted)
{
    g_autofree char *line = rf_sysroot_read_line (sysroot, "proc/cmdline");
    g_auto (GStrv) words = g_strsplit_set (line != NULL ? line : "", " \t", -1);
    return g_strv_contains ((const char *const *)words, wanted);
}

/* As for units: the first of the folders that has the name decides, and a link to /dev/null switches the generator off.
 */
static gboolean
generator_installed (RfSysroot *sysroot)
{
    static const char *const folders[] = {"run", "etc", "usr/local/lib", "usr/lib", "lib", "run/current-system/sw/lib"};
    for (gsize i = 0; i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *path = g_strdup_printf ("%s/systemd/system-generators/zram-generator", folders[i]);
        g_autofree char *link = rf_sysroot_readlink (sysroot, path);
        if (link != NULL || rf_sysroot_exists (sysroot, path))
            return g_strcmp0 (link, "/dev/null") != 0;
    }
    return FALSE;
}

static gboolean
generator_active (const RfFacts *facts)
{
    return facts->zram_generator && !facts->zram_switched_off;
}

static gboolean
generator_taken (RfSysroot *sysroot, const RfFacts *facts)
{
    g_autoptr (GHashTable) others = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    if (!generator_active (facts))
        return FALSE;
    read_generator_main (sysroot, facts->ram_bytes >> 20, others);
    read_generator_drop_ins (sysroot, facts->ram_bytes >> 20, FALSE, others);
    return any_wanted (others);
}

/* OWNER_NONE, _GENERATOR, or _OURS if nothing but our drop-in asks for a device */
static RfZramOwner
generator_owner (RfSysroot *sysroot, const RfFacts *facts, gboolean in_use)
{
    g_autoptr (GHashTable) own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    if (!generator_active (facts))
        return RF_ZRAM_OWNER_NONE;
    read_generator_drop_ins (sysroot, facts->ram_bytes >> 20, TRUE, own);
    if (facts->generator_taken)
        return RF_ZRAM_OWNER_GENERATOR;
    if (any_wanted (own))
        return in_use ? RF_ZRAM_OWNER_OURS : RF_ZRAM_OWNER_NONE;
    /* its configuration was changed, but what it made at boot is still there */
    g_auto (GStrv) made = rf_sysroot_list (sysroot, "run/systemd/generator");
    for (char **name = made; in_use && *name != NULL; name++)
        if (g_str_has_prefix (*name, "dev-zram") && g_str_has_suffix (*name, ".swap"))
            return RF_ZRAM_OWNER_GENERATOR;
    return RF_ZRAM_OWNER_NONE;
}

/* ---- the others */

/* systemd-swap makes zram only if told so; the last file that says anything wins */
static gboolean
systemd_swap_wants_zram (RfSysroot *sysroot)
{
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    g_auto (GStrv) names = rf_sysroot_list (sysroot, "etc/systemd/swap.conf.d");
    g_ptr_array_add (paths, g_strdup ("usr/share/systemd-swap/swap-default.conf"));
    g_ptr_array_add (paths, g_strdup ("etc/systemd/swap.conf"));
    for (char **name = names; *name != NULL; name++)
        g_ptr_array_add (paths, g_build_filename ("etc/systemd/swap.conf.d", *name, NULL));
    gboolean wanted = FALSE;
    for (guint i = 0; i < paths->len; i++) {
        g_autofree char *text = rf_sysroot_read (sysroot, paths->pdata[i], NULL, NULL);
        g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
        for (char **line = lines; *line != NULL; line++)
            if (g_str_has_prefix (g_strstrip (*line), "zram_enabled="))
                wanted = g_str_has_prefix (*line, "zram_enabled=1");
    }
    return wanted;
}

/* a udev rule that gives a zram device its size (DietPi and hand-made set-ups) */
static gboolean
rule_makes_zram (RfSysroot *sysroot)
{
    g_auto (GStrv) names = rf_sysroot_list (sysroot, "etc/udev/rules.d");
    for (char **name = names; *name != NULL; name++) {
        if (!g_str_has_suffix (*name, ".rules") || g_str_has_prefix (*name, OWN_PREFIX))
            continue;
        g_autofree char *path = g_build_filename ("etc/udev/rules.d", *name, NULL);
        g_autofree char *text = rf_sysroot_read (sysroot, path, NULL, NULL);
        g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
        for (char **line = lines; *line != NULL; line++)
            if (g_strstrip (*line)[0] != '#' && strstr (*line, "zram") != NULL
                && strstr (*line, "ATTR{disksize}=") != NULL)
                return TRUE;
    }
    return FALSE;
}

static RfZramOwner
service_owner (RfSysroot *sysroot)
{
    static const struct {
        const char *unit;
        RfZramOwner owner;
    } table[] = {
        {"zramswap.service", RF_ZRAM_OWNER_ZRAM_TOOLS},
        {"zram-config.service", RF_ZRAM_OWNER_UBUNTU},
        {"pop-default-settings-zram.service", RF_ZRAM_OWNER_POP},
        {"pop-zram-config.service", RF_ZRAM_OWNER_POP},
        {"systemd-swap.service", RF_ZRAM_OWNER_SYSTEMD_SWAP},
        {"zramd.service", RF_ZRAM_OWNER_UNKNOWN},
        {"zram-init.service", RF_ZRAM_OWNER_UNKNOWN},
        {"zram-swap.service", RF_ZRAM_OWNER_UNKNOWN},
        {"zram-swap-config.service", RF_ZRAM_OWNER_UNKNOWN},
        {"armbian-zram-config.service", RF_ZRAM_OWNER_UNKNOWN},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        if (rf_unit_enabled (sysroot, table[i].unit)
            && (table[i].owner != RF_ZRAM_OWNER_SYSTEMD_SWAP || systemd_swap_wants_zram (sysroot)))
            return table[i].owner;
    return rule_makes_zram (sysroot) ? RF_ZRAM_OWNER_UNKNOWN : RF_ZRAM_OWNER_NONE;
}

static RfZramOwner
find_owner (RfSysroot *sysroot, const RfFacts *facts)
{
    if (rf_zram_marker_read (sysroot, NULL, NULL))
        return RF_ZRAM_OWNER_OURS;
    gboolean in_use = any_in_use (sysroot, facts);
    RfZramOwner owner = generator_owner (sysroot, facts, in_use);
    if (owner == RF_ZRAM_OWNER_NONE)
        owner = service_owner (sysroot);
    return owner == RF_ZRAM_OWNER_NONE && in_use ? RF_ZRAM_OWNER_UNKNOWN : owner;
}

static gboolean
module_listed (RfSysroot *sysroot, const char *release)
{
    static const char *const roots[]
        = {"usr/lib/modules", "lib/modules", "run/booted-system/kernel-modules/lib/modules"};
    static const char *const modules[] = {"zram.ko", "zram.ko.xz", "zram.ko.zst", "zram.ko.gz"};
    static const char *const files[] = {"modules.builtin", "modules.dep"};
    for (gsize i = 0; release != NULL && i < G_N_ELEMENTS (roots); i++) {
        for (gsize k = 0; k < G_N_ELEMENTS (modules); k++) {
            g_autofree char *path
                = g_strdup_printf ("%s/%s/kernel/drivers/block/zram/%s", roots[i], release, modules[k]);
            if (rf_sysroot_exists (sysroot, path))
                return TRUE;
        }
        for (gsize k = 0; k < G_N_ELEMENTS (files); k++) {
            g_autofree char *path = g_strdup_printf ("%s/%s/%s", roots[i], release, files[k]);
            g_autofree char *text = rf_sysroot_read (sysroot, path, NULL, NULL);
            if (text != NULL && strstr (text, "/zram.ko") != NULL)
                return TRUE;
        }
    }
    return FALSE;
}

/* What ProtectKernelModules= of systemd puts over the folder has no permission at all. Looked at by its mode, not by
 * opening it, so that what a process may do besides does not matter. */
static gboolean
modules_hidden (RfSysroot *sysroot)
{
    g_autofree char *path = rf_sysroot_path (sysroot, "usr/lib/modules");
    struct stat info;
    return stat (path, &info) == 0 && S_ISDIR (info.st_mode) && (info.st_mode & 0777) == 0;
}

static char **
read_algorithms (RfSysroot *sysroot)
{
    g_auto (GStrv) names = rf_sysroot_list (sysroot, "sys/block");
    for (char **name = names; *name != NULL; name++) {
        if (!is_zram_name (*name))
            continue;
        g_autofree char *path = g_strdup_printf ("sys/block/%s/comp_algorithm", *name);
        g_autofree char *text = rf_sysroot_read_line (sysroot, path);
        if (text != NULL)
            return rf_text_brackets (text, NULL);
    }
    return g_new0 (char *, 1);
}

/* The folder zram-control may be looked at, its files never: reading hot_add makes a device. */
void
rf_zram_owner_read (RfSysroot *sysroot, RfFacts *facts)
{
    facts->zram_algorithms = read_algorithms (sysroot);
    facts->zram_generator = generator_installed (sysroot);
    facts->zram_switched_off = facts->zram_generator && command_line_has (sysroot, "systemd.zram=0");
    facts->generator_taken = generator_taken (sysroot, facts);
    facts->zram_owner = find_owner (sysroot, facts);
    facts->zram_available = facts->zram_algorithms[0] != NULL || rf_sysroot_exists (sysroot, "sys/module/zram")
                            || rf_sysroot_exists (sysroot, "sys/class/zram-control")
                            || module_listed (sysroot, facts->kernel_release) || modules_hidden (sysroot);
}

const char *
rf_zram_owner_nick (RfZramOwner owner)
{
    static const char *const nicks[]
        = {"none", "ours", "generator", "zram-tools", "ubuntu", "pop", "systemd-swap", "unknown"};
    G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_ZRAM_OWNER_UNKNOWN + 1);
    g_return_val_if_fail ((guint)owner < G_N_ELEMENTS (nicks), "unknown");
    return nicks[owner];
}
