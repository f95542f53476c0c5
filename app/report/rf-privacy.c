#define G_LOG_DOMAIN "rf-privacy"

#include "config.h"

#include "rf-privacy.h"

#include <string.h>

/* Words of so many letters are taken out wherever they stand, also inside of another word; shorter ones only as a word. */
#define LONG_WORD 5
#define MIN_NUMBER 4
#define MIN_PART 8

/* A text in which upper and lower case, composed and decomposed letters and all kinds of blanks are the same. A byte of it
 * tells where in the original the character begins that it comes from. */
typedef struct {
    GString *text;
    GArray *from; /* of guint; one more than bytes: the end */
} Folded;

struct _RfPrivacy {
    GHashTable *words; /* folded */
};

RfPrivacy *
rf_privacy_new (void)
{
    RfPrivacy *self = g_new0 (RfPrivacy, 1);

    self->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    return self;
}

void
rf_privacy_free (RfPrivacy *self)
{
    g_hash_table_unref (self->words);
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

static void
folded_clear (Folded *folded)
{
    g_string_free (folded->text, TRUE);
    g_array_unref (folded->from);
}

/* Blanks and "_", which udev and others write in their place, are one character; several are one. */
static Folded
fold (const char *text)
{
    Folded folded = {g_string_new (NULL), g_array_new (FALSE, FALSE, sizeof (guint))};
    guint end = (guint)strlen (text);

    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
        const gunichar c = g_utf8_get_char (p);
        const gboolean blank = c == '_' || g_unichar_isspace (c);
        const guint at = (guint)(p - text);
        g_autofree char *small = blank ? g_strdup (" ") : g_utf8_casefold (p, g_utf8_next_char (p) - p);
        g_autofree char *plain = g_utf8_normalize (small, -1, G_NORMALIZE_NFKD);
        const gsize length = strlen (plain);

        if (blank && folded.text->len > 0 && folded.text->str[folded.text->len - 1] == ' ')
            continue;
        g_string_append (folded.text, plain);
        for (gsize i = 0; i < length; i++)
            g_array_append_val (folded.from, at);
    }
    g_array_append_val (folded.from, end);
    return folded;
}

static void
add_folded (RfPrivacy *self, const char *word)
{
    Folded folded = fold (word);

    g_hash_table_add (self->words, g_strdup (g_strstrip (folded.text->str)));
    folded_clear (&folded);
}

/* how a name with umlauts is written where there are none: "Jürgen" and "juergen" */
static void
add_without_umlauts (RfPrivacy *self, const char *word)
{
    static const struct {
        const char *umlaut, *plain;
    } table[] = {{"ä", "ae"}, {"ö", "oe"}, {"ü", "ue"}, {"Ä", "Ae"}, {"Ö", "Oe"}, {"Ü", "Ue"}};
    g_autofree char *composed = g_utf8_normalize (word, -1, G_NORMALIZE_NFC);
    g_autoptr (GString) plain = g_string_new (composed);

    for (guint i = 0; i < G_N_ELEMENTS (table); i++)
        g_string_replace (plain, table[i].umlaut, table[i].plain, 0);
    if (!g_str_equal (plain->str, composed))
        add_folded (self, plain->str);
}

/* "WD-WCC3F7KLMN" is written without its first part, too. A part has to look like a number of its own. */
static void
add_parts (RfPrivacy *self, const char *word)
{
    g_auto (GStrv) parts = g_strsplit_set (word, "-_:. ", -1);

    for (guint i = 0; parts[i] != NULL && parts[1] != NULL; i++) {
        const gboolean digit = strpbrk (parts[i], "0123456789") != NULL;

        if (strlen (parts[i]) >= MIN_PART && digit && !is_number (parts[i]) && !g_str_has_prefix (parts[i], "nvme"))
            add_folded (self, parts[i]);
    }
}

void
rf_privacy_add (RfPrivacy *self, const char *word)
{
    g_autofree char *plain = NULL;

    g_return_if_fail (self != NULL);

    if (word == NULL)
        return;
    plain = one_line (word);
    if (*plain == '\0' || (is_number (plain) && strlen (plain) < MIN_NUMBER) || is_public (plain))
        return;
    add_parts (self, plain);
    add_without_umlauts (self, plain);
    add_folded (self, plain);
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

    for (guint i = 0; names[i] != NULL; i++) {
        rf_privacy_add (self, names[i]);
        add_label (self, names[i]);
    }
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

/* LVM calls a volume GROUP-VOLUME and doubles each "-" of a name: "my--group-root" */
static void
add_volume_groups (RfPrivacy *self, RfSysroot *sysroot)
{
    g_auto (GStrv) disks = rf_sysroot_list (sysroot, "sys/block");

    for (guint i = 0; disks[i] != NULL; i++) {
        g_autofree char *uuid_path = g_strdup_printf ("sys/block/%s/dm/uuid", disks[i]);
        g_autofree char *name_path = g_strdup_printf ("sys/block/%s/dm/name", disks[i]);
        g_autofree char *uuid = rf_sysroot_read_line (sysroot, uuid_path);
        g_autofree char *name = rf_sysroot_read_line (sysroot, name_path);
        g_autoptr (GString) part = g_string_new (NULL);

        if (uuid == NULL || name == NULL || !g_str_has_prefix (uuid, "LVM-"))
            continue;
        for (const char *p = name;; p++) {
            if (p[0] == '-' && p[1] == '-') {
                g_string_append_c (part, *p++);
            } else if (*p == '-' || *p == '\0') {
                rf_privacy_add (self, part->str);
                g_string_truncate (part, 0);
                if (*p == '\0')
                    break;
            } else {
                g_string_append_c (part, *p);
            }
        }
    }
}

static void
add_person (RfPrivacy *self, const char *real_name)
{
    g_auto (GStrv) names = g_strsplit_set (real_name, " ,", -1);

    rf_privacy_add (self, real_name);
    /* "de" or "von" of a name says nothing */
    for (guint i = 0; names[i] != NULL; i++) {
        if (g_utf8_strlen (names[i], -1) > 3)
            rf_privacy_add (self, names[i]);
    }
}

/* passwd(5): those of people, whose folder need not be below /home; numbers as in login.defs(5) */
static void
add_accounts (RfPrivacy *self, RfSysroot *sysroot)
{
    g_autofree char *text = rf_sysroot_read (sysroot, "etc/passwd", NULL, NULL);
    g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto (GStrv) fields = g_strsplit (lines[i], ":", -1);
        const guint64 uid = g_strv_length (fields) >= 7 ? g_ascii_strtoull (fields[2], NULL, 10) : 0;

        if (uid < 1000 || uid >= 60000)
            continue;
        g_autofree char *real_name = g_utf8_make_valid (fields[4], -1);
        rf_privacy_add (self, fields[0]);
        add_person (self, real_name);
    }
}

/* machine-info(5): PRETTY_HOSTNAME="Erika’s laptop" */
static void
add_pretty_host (RfPrivacy *self, RfSysroot *sysroot)
{
    g_autofree char *text = rf_sysroot_read (sysroot, "etc/machine-info", NULL, NULL);
    g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++) {
        if (!g_str_has_prefix (lines[i], "PRETTY_HOSTNAME="))
            continue;
        g_autofree char *value = g_shell_unquote (strchr (lines[i], '=') + 1, NULL);
        rf_privacy_add (self, value);
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
    add_names (self, sysroot, "dev/md");
    add_names (self, sysroot, "home");
    add_volume_groups (self, sysroot);
    add_accounts (self, sysroot);
    add_pretty_host (self, sysroot);
}

void
rf_privacy_collect_person (RfPrivacy *self)
{
    g_return_if_fail (self != NULL);

    rf_privacy_add (self, g_get_user_name ());
    rf_privacy_add (self, g_getenv ("SUDO_USER"));
    add_person (self, g_get_real_name ());
    add_host (self, g_get_host_name ());
}

static gboolean
is_letter_before (const char *text, const char *p)
{
    const gunichar c = p > text ? g_utf8_get_char (g_utf8_prev_char (p)) : ' ';

    return g_unichar_isalnum (c) || g_unichar_ismark (c);
}

static gboolean
is_long (const char *word)
{
    guint n = 0;

    for (const char *p = word; *p != '\0' && n < LONG_WORD; p = g_utf8_next_char (p)) {
        if (!g_unichar_ismark (g_utf8_get_char (p)))
            n++;
    }
    return n == LONG_WORD;
}

/* Marks the bytes of the original that @word covers in @folded. What is marked already goes, and ends a word that stands
 * beside it. Returns: whether there was anything new. */
static gboolean
mark_word (const Folded *folded, const char *word, char *marks)
{
    const char *text = folded->text->str;
    const gsize length = strlen (word);
    const gboolean anywhere = is_long (word);
    gboolean found = FALSE;

    for (const char *p = text; length > 0 && (p = strstr (p, word)) != NULL; p++) {
        const gsize at = (gsize)(p - text);
        guint start = g_array_index (folded->from, guint, at);
        guint end = g_array_index (folded->from, guint, at + length);

        /* a mark of a letter belongs to it: "e" is not "é" */
        if (!anywhere
            && ((is_letter_before (text, p) && (start == 0 || !marks[start - 1]))
                || ((g_unichar_isalnum (g_utf8_get_char (p + length)) || g_unichar_ismark (g_utf8_get_char (p + length)))
                    && !marks[end])))
            continue;
        /* half of a character that stands for two */
        if (end == start)
            end = start + 1;
        found |= memchr (marks + start, 0, end - start) != NULL;
        memset (marks + start, 1, end - start);
    }
    return found;
}

/* What looks like an identity is one, also of a device that was not looked at. */
static gboolean
mark_forms (const char *text, char *marks)
{
    static const char pattern[]
        = "(?:[0-9a-f]{2}[:-]){5,}[0-9a-f]{2}"                            /* MAC address */
          "|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}" /* UUID */
          "|\\bt10\\.[^\\s\"',;()]+(?:(?: {2,}[^\\s\"',;()]+(?: [^\\s\"',;()]+)*(?= {2}))* {2,}[^\\s\"',;()]+)?" /* padded with blanks */
          "|\\b(?:eui|naa|nvme|t10|uuid|wwn|nqn|0x)[.-]?(?=[^ ]*[0-9])[0-9a-z._:-]{12,}"
          "|[0-9a-f]{16,}"
          "|(?<![\\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\\w:])"                             /* IPv6, whole */
          "|(?<![\\w:])(?=[:]*[0-9a-f])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\\w:])"
          "|(?<![\\w.])(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?!\\w|\\.[0-9]|-[a-z])"                        /* IPv4 */
          "|[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64})+"
          "|/(?:home|media|run/media|run/user|root|mnt)/[^\\s:,;\"'”’)]+";
    static GRegex *regex;
    g_autoptr (GMatchInfo) match = NULL;
    g_autoptr (GError) error = NULL;

    if (regex == NULL)
        regex = g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);
    g_regex_match_full (regex, text, -1, 0, 0, &match, &error);
    while (error == NULL && g_match_info_matches (match)) {
        int start = 0, end = 0;

        if (g_match_info_fetch_pos (match, 0, &start, &end) && end > start)
            memset (marks + start, 1, (gsize)(end - start));
        g_match_info_next (match, &error);
    }
    return error == NULL;
}

/* Puts the sign in the place of what is marked, and ends it where a text is long enough: never before, or half a serial
 * number could be left. */
static char *
without_marked (const char *text, const char *marks)
{
    GString *out = g_string_new (NULL);
    guint n = 0;

    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
        const gsize at = (gsize)(p - text);
        const gboolean marked = memchr (marks + at, 1, (gsize)(g_utf8_next_char (p) - p)) != NULL;

        if (marked && at > 0 && marks[at - 1])
            continue;
        if (n == RF_PRIVACY_MAX - 1 && *g_utf8_next_char (p) != '\0') {
            g_string_append (out, "…");
            break;
        }
        g_string_append_len (out, marked ? RF_PRIVACY_LEFT_OUT : p,
                             marked ? (gssize)strlen (RF_PRIVACY_LEFT_OUT) : g_utf8_next_char (p) - p);
        n++;
    }
    return g_string_free (out, FALSE);
}

char *
rf_privacy_clean (const RfPrivacy *self, const char *text)
{
    g_autofree char *line = NULL;
    g_autofree char *marks = NULL;
    GHashTableIter iter;
    gpointer word = NULL;
    Folded folded;
    gboolean again = TRUE;

    g_return_val_if_fail (self != NULL && text != NULL, NULL);

    /* All is looked for in the text as it is: what one search takes out could hide from the next what lies across it. */
    line = one_line (text);
    marks = g_strnfill (strlen (line), '\0'); /* clang's analyser follows g_malloc0(), but not into what g_autofree does */
    folded = fold (line);
    /* what could not be searched is not told */
    if (!mark_forms (line, marks))
        memset (marks, 1, strlen (line));
    while (again) {
        again = FALSE;
        g_hash_table_iter_init (&iter, self->words);
        while (g_hash_table_iter_next (&iter, &word, NULL))
            again |= mark_word (&folded, word, marks);
    }
    folded_clear (&folded);
    return without_marked (line, marks);
}
