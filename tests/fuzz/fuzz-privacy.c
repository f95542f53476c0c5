#include "rf-fuzz.h"

#include "rf-privacy.h"

#include <string.h>

/* so that nothing is cut */
#define MAX_TEXT 380

static const char *const forms[] = {
    "52:54:00:ab:cd:ef",         "DEADBEEF-0000-4000-8000-00C0FFEE0001", "eui.002538b971047a11", "naa.5000c500a1b2c3d4",
    "t10.ATA     SSD  S3Z9NB0K", "nvme.1987-3132333435363738-50484953",  "aabbccddeeff00112233", "fe80::1c2d:3eff:fe4f:5061",
    "me.and+x@example.org",      "/run/media/somebody/Stick",
};

static gboolean
goes_on (char c)
{
    return g_ascii_isalnum (c) || (guchar)c >= 0x80;
}

/* What privacy takes out, found in another way: plain letters only, upper and lower case alike. */
static gboolean
comes_out (const char *clean, const char *word)
{
    gsize length = strlen (word);
    for (const char *p = clean; *p != '\0'; p++)
        if (g_ascii_strncasecmp (p, word, length) == 0
            && (length >= 5 || ((p == clean || !goes_on (p[-1])) && !goes_on (p[length]))))
            return TRUE;
    return FALSE;
}

static gboolean
is_plain (const char *word)
{
    gboolean letters = FALSE;
    for (const char *p = word; *p != '\0'; p++) {
        letters = letters || g_ascii_isalnum (*p);
        if (!g_ascii_isalnum (*p) && strchr ("-.:/", *p) == NULL)
            return FALSE;
    }
    return letters;
}

/* The signs for what was left out stand for nothing that was in the text. */
static char *
clean_of (const RfPrivacy *privacy, const char *text)
{
    g_autofree char *clean = rf_privacy_clean (privacy, text);
    g_auto (GStrv) parts = g_strsplit (clean, RF_PRIVACY_LEFT_OUT, -1);
    g_assert_true (g_utf8_validate (clean, -1, NULL));
    for (const char *p = clean; *p != '\0'; p++)
        g_assert_false (g_ascii_iscntrl (*p));
    return g_strjoinv ("\1", parts);
}

/* The first line: words that are known, with blanks between; the second: a text, in which each of them is planted, too. */
RF_FUZZ (data, size)
{
    const char *newline = memchr (data, '\n', size);
    if (size > MAX_TEXT || newline == NULL)
        return;
    g_autofree char *first = g_strndup (data, (gsize)(newline - data));
    g_autofree char *rest = g_strndup (newline + 1, size - (gsize)(newline + 1 - data));
    g_auto (GStrv) words = g_strsplit (first, " ", -1);
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    for (char **word = words; *word != NULL; word++)
        rf_privacy_add (privacy, *word);
    g_autofree char *clean = clean_of (privacy, rest);
    for (char **word = words; *word != NULL; word++) {
        g_autoptr (RfPrivacy) alone = rf_privacy_new ();
        rf_privacy_add (alone, *word);
        g_autofree char *known = clean_of (alone, *word);
        /* what says nothing about anybody stays: "localhost", 12 */
        if (**word == '\0' || !is_plain (*word) || g_ascii_strcasecmp (known, *word) == 0)
            continue;
        g_assert_cmpstr (known, ==, "\1");
        g_assert_false (comes_out (clean, *word));
        g_autofree char *planted = g_strdup_printf ("%s (%s)", *word, *word);
        g_autofree char *none = clean_of (privacy, planted);
        g_assert_false (comes_out (none, *word));
    }
    const char *form = forms[(guchar)data[0] % G_N_ELEMENTS (forms)];
    g_autofree char *planted = g_strconcat (rest, " ", form, " ", NULL);
    if (strlen (planted) < MAX_TEXT) {
        g_autofree char *none = clean_of (privacy, planted);
        g_assert_null (strstr (none, form));
    }
}
