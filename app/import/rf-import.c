#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-array.h"
#include "rf-import-flight.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

/* what detection looks at of a file */
#define HEAD_BYTES 16384u

static const struct {
    const char *nick;
    const char *name;
    gboolean (*run) (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error);
} formats[RF_N_IMPORTS] = {
    [RF_IMPORT_NONE] = {"", N_ ("unknown"), NULL},
    [RF_IMPORT_FLIGHT] = {"flight", N_ ("Folder of a recorded flight"), NULL},
    [RF_IMPORT_MANGOHUD] = {"mangohud", N_ ("MangoHud log"), rf_import_mangohud},
    [RF_IMPORT_XPLANE] = {"xplane", N_ ("X-Plane log"), rf_import_xplane},
    [RF_IMPORT_VMSTAT] = {"vmstat", N_ ("Output of vmstat"), rf_import_vmstat},
    [RF_IMPORT_SAR] = {"sar", N_ ("Output of sar"), rf_import_sar},
    [RF_IMPORT_SADF] = {"sadf", N_ ("Output of sadf"), rf_import_sadf},
    [RF_IMPORT_CSV] = {"csv", N_ ("Table"), rf_import_csv},
};

const char *
rf_import_nick (RfImportFormat format)
{
    g_return_val_if_fail (format < RF_N_IMPORTS, "");
    return formats[format].nick;
}

RfImportFormat
rf_import_from_nick (const char *nick)
{
    for (guint i = RF_IMPORT_NONE + 1; i < RF_N_IMPORTS; i++)
        if (g_str_equal (formats[i].nick, nick))
            return (RfImportFormat)i;
    return RF_IMPORT_NONE;
}

const char *
rf_import_name (RfImportFormat format)
{
    g_return_val_if_fail (format < RF_N_IMPORTS, "");
    return _ (formats[format].name);
}

static RfImport *
import_new (RfImportFormat format)
{
    RfImport *self = g_new0 (RfImport, 1);
    g_autofree char *source = g_strconcat ("import:", rf_import_nick (format), NULL);
    self->format = format;
    self->recording = rf_recording_new ();
    self->warnings = g_ptr_array_new_with_free_func (g_free);
    rf_recording_set (&self->recording->source, source);
    return self;
}

void
rf_import_free (RfImport *self)
{
    rf_recording_free (self->recording);
    g_ptr_array_unref (self->warnings);
    g_free (self);
}

char *
rf_import_read (const char *path, gsize *length, GError **error)
{
    /* a pipe or a device would wait for ever or never end; whoever puts one here gets an answer at once */
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (fd < 0 || fstat (fd, &st) != 0) {
        int saved = errno;
        if (fd >= 0)
            close (fd);
        g_set_error (error, RF_ERROR, (int)rf_error_from_errno (saved), _ ("It cannot be read: %s"),
                     g_strerror (saved));
        return NULL;
    }
    if (!S_ISREG (st.st_mode) || st.st_size > (off_t)RF_IMPORT_BYTES_MAX) {
        close (fd);
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                             S_ISREG (st.st_mode) ? _ ("It is too large.") : _ ("It is not a plain file."));
        return NULL;
    }
    gsize size = (gsize)st.st_size, done = 0;
    g_autofree char *data = rf_new0 (char, size + 1);
    ssize_t n = 0;
    while (done < size && ((n = read (fd, data + done, size - done)) > 0 || (n < 0 && errno == EINTR)))
        done += n > 0 ? (gsize)n : 0;
    int saved = errno;
    close (fd);
    if (n < 0) {
        g_set_error (error, RF_ERROR, (int)rf_error_from_errno (saved), _ ("It cannot be read: %s"),
                     g_strerror (saved));
        return NULL;
    }
    data[done] = '\0';
    *length = done;
    return g_steal_pointer (&data);
}

static gboolean
has_word (const char *line, const char *word)
{
    const char *at = line;
    while ((at = strstr (at, word)) != NULL) {
        char before = at > line ? at[-1] : ' ', after = at[strlen (word)];
        if ((before == ' ' || before == ',' || before == '\t')
            && (after == ' ' || after == ',' || after == '\t' || after == '\0'))
            return TRUE;
        at++;
    }
    return FALSE;
}

/* "Linux 6.1.0-30-amd64 (host) 12/01/26 _x86_64_ (4 CPU)" */
static gboolean
is_sar_banner (const char *line)
{
    return g_str_has_prefix (line, "Linux ") && strstr (line, " CPU)") != NULL && strchr (line, '_') != NULL;
}

static RfImportFormat
detect_line (const char *line)
{
    if (has_word (line, "fps") && (has_word (line, "cpu_load") || has_word (line, "frametime")))
        return RF_IMPORT_MANGOHUD;
    /* the summary belongs to it as well: the importer says what is wrong with it */
    if (strstr (line, "Min FPS") != NULL && strstr (line, "Average FPS") != NULL)
        return RF_IMPORT_MANGOHUD;
    if (g_ascii_strncasecmp (line, "log.txt for X-Plane", 19) == 0 || strstr (line, "DSF load time: ") != NULL)
        return RF_IMPORT_XPLANE;
    if (g_str_has_prefix (line, "# hostname;interval;timestamp"))
        return RF_IMPORT_SADF;
    if (is_sar_banner (line))
        return RF_IMPORT_SAR;
    if (has_word (line, "swpd") && has_word (line, "si") && has_word (line, "so"))
        return RF_IMPORT_VMSTAT;
    return RF_IMPORT_NONE;
}

RfImportFormat
rf_import_detect_text (const char *data, gsize length)
{
    g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (RfImportText) text = rf_import_text_new (NULL, data, MIN (length, (gsize)HEAD_BYTES), warnings, NULL);
    char *fields[RF_IMPORT_FIELDS_MAX];
    char *line = text != NULL ? rf_import_text_next (text) : NULL;
    if (line == NULL)
        return RF_IMPORT_NONE;
    g_autofree char *first = g_strdup (line);
    for (; line != NULL; line = rf_import_text_next (text)) {
        RfImportFormat format = detect_line (line);
        if (format != RF_IMPORT_NONE)
            return format;
    }
    char separator = rf_import_separator (first);
    guint n = rf_import_split (first, separator, fields);
    double number;
    gboolean comma;
    /* a header has names, not numbers */
    for (guint i = 0; i < n; i++)
        if (*fields[i] == '\0' || rf_import_number (fields[i], &comma, &number))
            return RF_IMPORT_NONE;
    return n >= 2 ? RF_IMPORT_CSV : RF_IMPORT_NONE;
}

static gboolean
is_flight_folder (const char *path)
{
    guint found = 0;
    for (const char *const *file = rf_flight_files; *file != NULL; file++) {
        g_autofree char *name = g_build_filename (path, *file, NULL);
        found += g_file_test (name, G_FILE_TEST_IS_REGULAR) ? 1 : 0;
    }
    return found >= 2;
}

RfImportFormat
rf_import_detect (const char *path)
{
    gsize length;
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
        return is_flight_folder (path) ? RF_IMPORT_FLIGHT : RF_IMPORT_NONE;
    g_autofree char *text = rf_import_read (path, &length, NULL);
    return text != NULL ? rf_import_detect_text (text, length) : RF_IMPORT_NONE;
}

RfImport *
rf_import_text (const char *data, gsize length, const RfImportOptions *options, GError **error)
{
    g_return_val_if_fail (options->format < RF_N_IMPORTS, NULL);
    if (formats[options->format].run == NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("It is nothing that can be imported."));
        return NULL;
    }
    g_autoptr (GTimeZone) zone = options->zone != NULL ? g_time_zone_ref (options->zone) : g_time_zone_new_local ();
    g_autoptr (RfImport) self = import_new (options->format);
    g_autoptr (RfImportText) text = rf_import_text_new (NULL, data, length, self->warnings, error);
    RfImportOptions with_zone = *options;
    with_zone.zone = zone;
    if (text == NULL || !formats[options->format].run (text, &with_zone, self->recording, error))
        return NULL;
    rf_import_sort_events (self->recording);
    return g_steal_pointer (&self);
}

static RfImport *
import_folder (const char *path, GError **error)
{
    g_autoptr (RfImport) self = import_new (RF_IMPORT_FLIGHT);
    g_autoptr (RfFlight) flight = rf_flight_new (self->recording, self->warnings);
    for (const char *const *file = rf_flight_files; *file != NULL; file++) {
        g_autofree char *name = g_build_filename (path, *file, NULL);
        g_autoptr (GError) local = NULL;
        gsize length;
        if (!g_file_test (name, G_FILE_TEST_EXISTS)) {
            rf_import_warn (self->warnings, _ ("%s is not there."), *file);
            continue;
        }
        g_autofree char *text = rf_import_read (name, &length, &local);
        if (text == NULL || !rf_flight_add (flight, *file, text, length, &local))
            rf_import_warn (self->warnings, _ ("%s was left out: %s"), *file, local->message);
    }
    if (!rf_flight_finish (flight, error))
        return NULL;
    return g_steal_pointer (&self);
}

RfImport *
rf_import_path (const char *path, const RfImportOptions *given, GError **error)
{
    RfImportOptions options = {0};
    gsize length;
    if (given != NULL)
        options = *given;
    if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
        if ((options.format != RF_IMPORT_NONE && options.format != RF_IMPORT_FLIGHT) || !is_flight_folder (path)) {
            g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                                 _ ("It is a folder, and not one of a recorded flight."));
            return NULL;
        }
        return import_folder (path, error);
    }
    g_autofree char *text = rf_import_read (path, &length, error);
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *shown = g_filename_to_utf8 (name, -1, NULL, NULL, NULL);
    if (text == NULL)
        return NULL;
    if (options.file_name == NULL)
        options.file_name = shown;
    if (options.format == RF_IMPORT_NONE)
        options.format = rf_import_detect_text (text, length);
    if (options.format == RF_IMPORT_NONE) {
        /* why not, if a reason can be given */
        g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
        g_autoptr (RfImportText) probe = rf_import_text_new (NULL, text, length, warnings, error);
        if (probe != NULL)
            g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("It is nothing that can be imported."));
        return NULL;
    }
    return rf_import_text (text, length, &options, error);
}
