#define G_LOG_DOMAIN "rf-privacy"

#include "config.h"

#include "rf-privacy.h"

#include <string.h>

/* Longer ones are taken out wherever they stand, also inside of another word; shorter ones only as a word. */
#define LONG_WORD 5
#define MIN_NUMBER 4
#define MIN_PART 8
/* Stands for what was taken out until the end, so that no later step finds a word or a form in it; a text has no other
 * control characters then. */
#define MARK "\001"

struct _RfPrivacy {
    GPtrArray *words;
};

RfPrivacy *
rf_privacy_new (void)
{
    RfPrivacy *self = g_new0 (RfPrivacy, 1);

    self->words = g_ptr_array_new_with_free_func (g_free);
    return self;
}

void
rf_privacy_free (RfPrivacy *self)
{
    g_ptr_array_unref (self->words);
    g_free (self);
}

/* Names that thousands of computers have, and what stands where nobody has filled something in. */
static gboolean
is_public (const char *word)
{
    static const char *const words[] = {
        "(none)", "arch", "boot", "data", "debian", "default string", "efi", "fedora", "home", "linux", "localhost",
        "localdomain", "localhost.localdomain", "mint", "nixos", "none", "not applicable", "not specified", "nvme",
        "opensuse", "root", "suse", "swap", "system serial number", "to be filled by o.e.m.", "ubuntu", "unknown", "user",
        "efi system partition", "asset-1234567890", "chassis serial number", "base board serial number", "00:00:00:00:00:00",
    };

    for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
        if (g_ascii_strcasecmp (words[i], word) == 0)
            return TRUE;
    }
    return FALSE;
}

static gboolean
is_number (const char *word)
{
    return word[strspn (word, "0123456789")] == '\0';
}

/* Longest first: a word can be part of another, and what is left of that must not stay. */
static int
compare_length (gconstpointer a, gconstpointer b)
{
    const gsize length_a = strlen (*(char *const *)a);
    const gsize length_b = strlen (*(char *const *)b);

    return length_a < length_b ? 1 : length_a > length_b ? -1 : 0;
}

/* "WD-WCC3F7KLMN" is written without its first part, too. A part has to look like a number of its own. */
static void
add_parts (RfPrivacy *self, const char *word)
{
    g_auto (GStrv) parts = g_strsplit_set (word, "-_:. ", -1);

    for (guint i = 0; parts[i] != NULL && parts[1] != NULL; i++) {
        const gboolean digit = strpbrk (parts[i], "0123456789") != NULL;

        if (strlen (parts[i]) >= MIN_PART && digit && !is_number (parts[i]) && !g_str_has_prefix (parts[i], "nvme"))
            g_ptr_array_add (self->words, g_strdup (parts[i]));
    }
}

void
rf_privacy_add (RfPrivacy *self, const char *word)
{
    g_autofree char *plain = NULL;

    g_return_if_fail (self != NULL);

    if (word == NULL)
        return;
    plain = g_utf8_make_valid (word, -1);
    for (char *p = plain; *p != '\0'; p++) {
        if (g_ascii_iscntrl (*p))
            *p = ' ';
    }
    g_strstrip (plain);
    if (strlen (plain) < 2 || (is_number (plain) && strlen (plain) < MIN_NUMBER) || is_public (plain))
        return;
    add_parts (self, plain);
    g_ptr_array_add (self->words, g_steal_pointer (&plain));
    g_ptr_array_sort (self->words, compare_length);
}

static void
add_file (RfPrivacy *self, RfSysroot *sysroot, const char *path)
{
    gsize length = 0;
    g_autofree char *text = rf_sysroot_read (sysroot, path, &length, NULL);
    const char *start = text;

    if (text == NULL)
        return;
    /* a page of SCSI's vital product data has a head of four bytes */
    if (g_str_has_suffix (path, "/vpd_pg80"))
        start = length > 4 ? text + 4 : text + length;
    rf_privacy_add (self, start);
}

static void
add_files (RfPrivacy *self, RfSysroot *sysroot, const char *folder, const char *const *files)
{
    g_auto (GStrv) names = rf_sysroot_list (sysroot, folder);

    for (guint i = 0; names[i] != NULL; i++) {
        for (guint k = 0; files[k] != NULL; k++) {
            g_autofree char *path = g_strdup_printf ("%s/%s/%s", folder, names[i], files[k]);

            add_file (self, sysroot, path);
        }
    }
}

/* udev writes blanks and other characters of a label as \x20. */
static void
add_label (RfPrivacy *self, const char *name)
{
    g_autoptr (GString) label = g_string_new (NULL);

    for (const char *p = name; *p != '\0'; p++) {
        if (p[0] == '\\' && p[1] == 'x' && g_ascii_isxdigit (p[2]) && g_ascii_isxdigit (p[3])) {
            g_string_append_c (label, (char)(g_ascii_xdigit_value (p[2]) * 16 + g_ascii_xdigit_value (p[3])));
            p += 3;
        } else {
            g_string_append_c (label, *p);
        }
    }
    rf_privacy_add (self, label->str);
}

static void
add_names (RfPrivacy *self, RfSysroot *sysroot, const char *folder)
{
    g_auto (GStrv) names = rf_sysroot_list (sysroot, folder);

    for (guint i = 0; names[i] != NULL; i++)
        add_label (self, names[i]);
}

/* "pc.example.org": also "pc" alone */
static void
add_host (RfPrivacy *self, const char *name)
{
    const char *dot = NULL;

    rf_privacy_add (self, name);
    if (name != NULL && (dot = strchr (name, '.')) != NULL) {
        g_autofree char *host = g_strndup (name, (gsize)(dot - name));

        rf_privacy_add (self, host);
    }
}

void
rf_privacy_collect (RfPrivacy *self, RfSysroot *sysroot)
{
    static const char *const files[] = {
        "etc/machine-id",
        "var/lib/dbus/machine-id",
        "proc/sys/kernel/random/boot_id",
        "proc/sys/kernel/domainname",
        "sys/class/dmi/id/product_serial",
        "sys/class/dmi/id/product_uuid",
        "sys/class/dmi/id/board_serial",
        "sys/class/dmi/id/board_asset_tag",
        "sys/class/dmi/id/chassis_serial",
        "sys/class/dmi/id/chassis_asset_tag",
    };
    static const char *const of_disks[]
        = {"serial",        "wwid",    "uuid",    "nguid",   "eui",           "device/serial",
           "device/wwid",   "dm/name", "dm/uuid", "md/uuid", "device/vpd_pg80", "device/cid",
           "device/ieee1284_id", NULL};
    static const char *const of_nvme[] = {"serial", "subsysnqn", "hostnqn", "hostid", NULL};
    static const char *const of_usb[] = {"serial", NULL};
    static const char *const of_net[] = {"address", NULL};
    static const char *const of_btrfs[] = {"label", NULL};
    static const char *const hosts[] = {"proc/sys/kernel/hostname", "etc/hostname"};

    g_return_if_fail (self != NULL && RF_IS_SYSROOT (sysroot));

    for (guint i = 0; i < G_N_ELEMENTS (files); i++)
        add_file (self, sysroot, files[i]);
    for (guint i = 0; i < G_N_ELEMENTS (hosts); i++) {
        g_autofree char *name = rf_sysroot_read_line (sysroot, hosts[i]);

        add_host (self, name);
    }
    add_files (self, sysroot, "sys/block", of_disks);
    add_files (self, sysroot, "sys/class/nvme", of_nvme);
    add_files (self, sysroot, "sys/bus/usb/devices", of_usb);
    add_files (self, sysroot, "sys/class/net", of_net);
    add_files (self, sysroot, "sys/fs/btrfs", of_btrfs);
    add_names (self, sysroot, "dev/disk/by-label");
    add_names (self, sysroot, "dev/disk/by-partlabel");
    add_names (self, sysroot, "home");
}

void
rf_privacy_collect_person (RfPrivacy *self)
{
    g_auto (GStrv) names = g_strsplit_set (g_get_real_name (), " ,", -1);

    g_return_if_fail (self != NULL);

    rf_privacy_add (self, g_get_user_name ());
    rf_privacy_add (self, g_getenv ("SUDO_USER"));
    rf_privacy_add (self, g_get_real_name ());
    /* "de" or "von" of a name says nothing */
    for (guint i = 0; names[i] != NULL; i++) {
        if (g_utf8_strlen (names[i], -1) > 3)
            rf_privacy_add (self, names[i]);
    }
    add_host (self, g_get_host_name ());
}

/* The next place in @text where @word stands, or NULL. */
static const char *
find_word (const char *text, const char *start, const char *word)
{
    const gsize length = strlen (word);

    for (const char *p = start; *p != '\0'; p++) {
        if (g_ascii_strncasecmp (p, word, length) != 0)
            continue;
        if (length >= LONG_WORD)
            return p;
        if ((p == text || !g_ascii_isalnum (p[-1])) && !g_ascii_isalnum (p[length]))
            return p;
    }
    return NULL;
}

static char *
replace_word (const char *text, const char *word)
{
    GString *out = g_string_new (NULL);
    const char *start = text;
    const char *found = NULL;

    while ((found = find_word (text, start, word)) != NULL) {
        g_string_append_len (out, start, found - start);
        g_string_append (out, MARK);
        start = found + strlen (word);
    }
    g_string_append (out, start);
    return g_string_free (out, FALSE);
}

/* What looks like an identity is one, also of a device that was not looked at. */
static char *
replace_forms (const char *text)
{
    static const char pattern[]
        = "(?:[0-9a-f]{2}[:-]){5,}[0-9a-f]{2}"                            /* MAC address */
          "|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}" /* UUID */
          "|\\b(?:eui|naa|nvme|t10|uuid|wwn|nqn|0x)[.-]?(?=[^ ]*[0-9])[0-9a-z._:-]{12,}"
          "|[0-9a-f]{16,}"
          "|[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64})+"
          "|/(?:home|media|run/media|run/user|root)/[^\\s:,;\"'”’)]+";
    static GRegex *regex;

    if (regex == NULL)
        regex = g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);
    return g_regex_replace_literal (regex, text, -1, 0, MARK, 0, NULL);
}

static char *
one_line (const char *text)
{
    g_autofree char *valid = g_utf8_make_valid (text, -1);
    GString *out = g_string_new (NULL);

    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
        const gunichar c = g_utf8_get_char (p);

        g_string_append_unichar (out, g_unichar_isprint (c) ? c : ' ');
    }
    return g_strstrip (g_string_free (out, FALSE));
}

/* Comes last: of a text that was cut before, half a serial number could be left. */
static char *
shorten (const char *text)
{
    g_autofree char *start = NULL;

    if (g_utf8_strlen (text, -1) <= RF_PRIVACY_MAX)
        return g_strdup (text);
    start = g_utf8_substring (text, 0, RF_PRIVACY_MAX - 1);
    return g_strconcat (start, "…", NULL);
}

char *
rf_privacy_clean (const RfPrivacy *self, const char *text)
{
    g_autofree char *clean = NULL;
    g_autofree char *formless = NULL;
    g_autofree char *short_text = NULL;
    g_auto (GStrv) parts = NULL;

    g_return_val_if_fail (self != NULL && text != NULL, NULL);

    clean = one_line (text);
    for (guint i = 0; i < self->words->len; i++) {
        char *next = replace_word (clean, self->words->pdata[i]);

        g_free (clean);
        clean = next;
    }
    formless = replace_forms (clean);
    /* what could not be searched is not told */
    if (formless == NULL)
        return g_strdup (RF_PRIVACY_LEFT_OUT);
    short_text = shorten (formless);
    parts = g_strsplit (short_text, MARK, -1);
    return g_strjoinv (RF_PRIVACY_LEFT_OUT, parts);
}
