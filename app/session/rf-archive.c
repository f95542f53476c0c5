#define G_LOG_DOMAIN "rf-archive"
#include "config.h"

#include "rf-archive.h"
#include "rf-array.h"
#include "rf-error.h"
#include "rf-recording-file.h"
#include "rf-table-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 512
#define CHUNK (256 * 1024)
#define EXTENDED_MAX (64 * 1024) /* of a pax header, which is passed over */

/* tar(5): numbers are octal text */
typedef struct {
    char name[100];
    char mode[8];
    char uid[8];
    char gid[8];
    char size[12];
    char mtime[12];
    char checksum[8];
    char type;
    char link[100];
    char magic[6];
    char version[2];
    char user[32];
    char group[32];
    char major[8];
    char minor[8];
    char prefix[155];
    char padding[12];
} Header;
G_STATIC_ASSERT (sizeof (Header) == BLOCK);

gboolean
rf_archive_is_member (const char *name)
{
    if (g_str_equal (name, RF_SESSION_INI))
        return TRUE;
    gsize stem = strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
    return stem > 0 && stem <= 60 && g_str_equal (name + stem, ".csv");
}

static guint
header_sum (const Header *header)
{
    const guchar *bytes = (const guchar *)header;
    guint sum = 0;
    for (gsize i = 0; i < sizeof *header; i++) {
        gboolean own = i >= G_STRUCT_OFFSET (Header, checksum)
                       && i < G_STRUCT_OFFSET (Header, checksum) + sizeof header->checksum;
        sum += own ? ' ' : bytes[i];
    }
    return sum;
}

static gboolean
fail_errno (const char *name, GError **error)
{
    int code = errno;
    g_set_error (error, G_IO_ERROR, (gint)g_io_error_from_errno (code), "'%s': %s", name, g_strerror (code));
    return FALSE;
}

static gboolean
fail (GError **error, const char *why)
{
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, why);
    return FALSE;
}

static gboolean
put (GOutputStream *out, const void *bytes, gsize length, GCancellable *cancellable, GError **error)
{
    return g_output_stream_write_all (out, bytes, length, NULL, cancellable, error);
}

static gboolean
write_header (GOutputStream *out, const char *folder, const char *file, const struct stat *info,
              GCancellable *cancellable, GError **error)
{
    Header header = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
    g_snprintf (header.name, sizeof header.name, "%s/%s", folder, file);
    g_snprintf (header.mode, sizeof header.mode, "%07o", 0600u);
    /* nobody's number and name: who has recorded is nobody's business */
    g_snprintf (header.uid, sizeof header.uid, "%07o", 0u);
    g_snprintf (header.gid, sizeof header.gid, "%07o", 0u);
    g_snprintf (header.size, sizeof header.size, "%011" G_GINT64_MODIFIER "o", (guint64)info->st_size);
    g_snprintf (header.mtime, sizeof header.mtime, "%011" G_GINT64_MODIFIER "o", (guint64)MAX (0, info->st_mtime));
    g_snprintf (header.checksum, sizeof header.checksum, "%06o", header_sum (&header));
    header.checksum[7] = ' ';
    return put (out, &header, sizeof header, cancellable, error);
}

static gboolean
write_file (int folder, const char *name, const char *file, GOutputStream *out, GCancellable *cancellable,
            GError **error)
{
    static const char zeros[BLOCK];
    struct stat info;
    int fd = rf_folder_open_file (folder, file);
    if (fd < 0 || fstat (fd, &info) != 0) {
        fail_errno (file, error);
        if (fd >= 0)
            close (fd);
        return FALSE;
    }
    g_autofree char *chunk = rf_new0 (char, CHUNK);
    gboolean ok = write_header (out, name, file, &info, cancellable, error);
    gint64 left = info.st_size;
    while (ok && left > 0) {
        gssize got = read (fd, chunk, (gsize)MIN (left, CHUNK));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            ok = fail_errno (file, error);
        else if (got == 0)
            ok = fail (error, "a file became shorter while it was read");
        else
            ok = put (out, chunk, (gsize)got, cancellable, error);
        left -= MAX (got, 0);
    }
    close (fd);
    gsize rest = (gsize)(info.st_size % BLOCK);
    return ok && (rest == 0 || put (out, zeros, BLOCK - rest, cancellable, error));
}

static gint
compare_name (gconstpointer a, gconstpointer b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
list_members (int folder)
{
    GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
    int copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
    const struct dirent *entry;
    /* one stream, one thread */
    while (dir != NULL && (entry = readdir (dir)) != NULL) /* NOLINT(concurrency-mt-unsafe) */
        if (rf_archive_is_member (entry->d_name))
            g_ptr_array_add (names, g_strdup (entry->d_name));
    if (dir != NULL)
        closedir (dir);
    g_ptr_array_sort (names, compare_name);
    return names;
}

gboolean
rf_archive_write (int folder, const char *name, GOutputStream *out, GCancellable *cancellable, GError **error)
{
    static const char zeros[2 * BLOCK];
    g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
    g_autoptr (GOutputStream) packed = g_converter_output_stream_new (out, G_CONVERTER (gzip));
    g_autoptr (GPtrArray) names = list_members (folder);
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < names->len; i++)
        ok = write_file (folder, name, names->pdata[i], packed, cancellable, error);
    ok = ok && put (packed, zeros, sizeof zeros, cancellable, error);
    /* closing finishes the compression and what is below */
    return g_output_stream_close (packed, cancellable, ok ? error : NULL) && ok;
}

/* Returns: FALSE at an error; *got is less than @length only at the end */
static gboolean
get (GInputStream *in, void *bytes, gsize length, gsize *got, GCancellable *cancellable, GError **error)
{
    g_autoptr (GError) why = NULL;
    if (g_input_stream_read_all (in, bytes, length, got, cancellable, &why))
        return TRUE;
    /* no gzip, or a cut or damaged one */
    if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_INVALID_DATA) || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
        return fail (error, "no archive of a recording, or a damaged one");
    g_propagate_error (error, g_steal_pointer (&why));
    return FALSE;
}

static gboolean
parse_octal (const char *field, gsize size, guint64 *out)
{
    guint64 number = 0;
    gsize i = 0;
    while (i < size && field[i] == ' ')
        i++;
    gsize start = i;
    for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
        number = number * 8 + (guint64)(field[i] - '0');
    *out = number;
    return i > start && (i == size || field[i] == '\0' || field[i] == ' ');
}

/* Takes "./NAME/samples.csv" apart. Returns: (transfer full) (nullable): the file; NULL if that is no member */
static char *
take_path (const Header *header, char **folder)
{
    g_autofree char *path = g_strndup (header->name, sizeof header->name);
    const char *start = g_str_has_prefix (path, "./") ? path + 2 : path;
    const char *slash = strrchr (start, '/');
    const char *file = slash != NULL ? slash + 1 : start;
    if (header->prefix[0] != '\0' || !rf_archive_is_member (file))
        return NULL;
    g_autofree char *name = slash != NULL ? g_strndup (start, (gsize)(slash - start)) : g_strdup ("");
    if (strchr (name, '/') != NULL || (*folder != NULL && !g_str_equal (*folder, name)))
        return NULL;
    if (*folder == NULL)
        *folder = g_strdup (name);
    return g_strdup (file);
}

static gboolean
copy_out (GInputStream *in, int fd, guint64 size, GCancellable *cancellable, GError **error)
{
    g_autofree char *chunk = rf_new0 (char, CHUNK);
    guint64 left = (size + BLOCK - 1) / BLOCK * BLOCK, useful = size;
    while (left > 0) {
        gsize got = 0, wanted = (gsize)MIN (left, CHUNK);
        if (!get (in, chunk, wanted, &got, cancellable, error))
            return FALSE;
        if (got < wanted)
            return fail (error, "the archive ends in the middle of a file");
        gsize part = (gsize)MIN (useful, got);
        if (fd >= 0 && !rf_fd_write_all (fd, chunk, part, error))
            return FALSE;
        left -= got;
        useful -= part;
    }
    return TRUE;
}

static gboolean
read_member (GInputStream *in, const Header *header, guint64 size, int folder, char **name, GCancellable *cancellable,
             GError **error)
{
    if ((header->type == 'x' || header->type == 'g') && size <= EXTENDED_MAX)
        return copy_out (in, -1, size, cancellable, error);
    if (header->type == '5' && size == 0)
        return TRUE;
    g_autofree char *file = header->type == '0' || header->type == '\0' ? take_path (header, name) : NULL;
    if (file == NULL)
        return fail (error, "the archive has something in it that does not belong to a recording");
    int fd = openat (folder, file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_errno (file, error);
    gboolean ok = copy_out (in, fd, size, cancellable, error);
    if (close (fd) != 0 && ok)
        ok = fail_errno (file, error);
    return ok;
}

gboolean
rf_archive_read (GInputStream *in, int folder, char **name, GCancellable *cancellable, GError **error)
{
    g_autoptr (GZlibDecompressor) gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
    g_autoptr (GInputStream) plain = g_converter_input_stream_new (in, G_CONVERTER (gzip));
    g_autofree char *found = NULL;
    guint64 total = 0;
    g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (plain), FALSE);
    for (guint members = 0;; members++) {
        Header header;
        gsize got = 0;
        guint64 size = 0, sum = 0;
        if (!get (plain, &header, sizeof header, &got, cancellable, error))
            return FALSE;
        if (got == 0 || (got == sizeof header && header.name[0] == '\0'))
            break;
        if (got < sizeof header || memcmp (header.magic, "ustar", 5) != 0
            || !parse_octal (header.checksum, sizeof header.checksum, &sum) || sum != header_sum (&header)
            || !parse_octal (header.size, sizeof header.size, &size))
            return fail (error, "no archive of a recording, or a damaged one");
        total += size;
        if (members >= 2 * RF_ARCHIVE_FILES_MAX || total > RF_ARCHIVE_BYTES_MAX)
            return fail (error, "the archive is larger than any recording");
        if (!read_member (plain, &header, size, folder, &found, cancellable, error))
            return FALSE;
    }
    *name = found != NULL ? g_steal_pointer (&found) : g_strdup ("");
    return TRUE;
}
