/* Reports of recordings as files: what --report of "compare" and of "recordings show" writes. */
#define G_LOG_DOMAIN "rf-ctl-document"
#include "config.h"

#include "rf-ctl-document.h"
#include "rf-error.h"

#include <string.h>

#include <glib/gi18n.h>

typedef char *(*Writer) (const RfDocument *document);

static char *
to_html (const RfDocument *document)
{
    return rf_document_to_html (document, NULL);
}

static Writer
writer_for (const char *path)
{
    static const struct {
        const char *suffix;
        Writer writer;
    } writers[] = {
        {".html", to_html}, {".htm", to_html}, {".md", rf_document_to_markdown}, {".csv", rf_document_to_csv},
    };
    g_autofree char *lower = g_ascii_strdown (path, -1);
    for (gsize i = 0; i < G_N_ELEMENTS (writers); i++)
        if (g_str_has_suffix (lower, writers[i].suffix))
            return writers[i].writer;
    return NULL;
}

gboolean
rf_ctl_document_check (RfCtl *ctl)
{
    g_autofree char *lower = g_ascii_strdown (ctl->report, -1);
    if (writer_for (ctl->report) != NULL)
        return TRUE;
    if (g_str_has_suffix (lower, ".pdf"))
        (void)rf_ctl_usage (ctl, _ ("PDF is written by the window only. Here the file can end in .html, .md or .csv."));
    else
        (void)rf_ctl_usage (ctl, _ ("“%s” does not end in .html, .md or .csv."), ctl->report);
    return FALSE;
}

RfPrivacy *
rf_ctl_document_privacy (RfCtl *ctl)
{
    RfPrivacy *privacy = rf_privacy_new ();
    rf_privacy_collect (privacy, ctl->sysroot);
    rf_privacy_collect_person (privacy);
    return privacy;
}

RfExit
rf_ctl_document_write (RfCtl *ctl, const RfDocument *document)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = g_file_new_for_commandline_arg (ctl->report);
    g_autofree char *shown = g_file_get_parse_name (file);
    g_autofree char *text = writer_for (ctl->report) (document);
    if (!g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error))
        return rf_ctl_session_fail (ctl, error);
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "report", shown);
        rf_json_end_object (json);
        rf_ctl_print_json (json);
    } else {
        g_autofree char *words = g_strdup_printf (_ ("Written to %s"), shown);
        rf_ctl_print (0, words);
    }
    return RF_EXIT_OK;
}
