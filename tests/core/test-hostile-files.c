/* Files of others that are no files, or far too much of one: no reader waits, none falls over, and each comes back with an
 * answer. Whatever would wait for ever here is ended by the alarm. */
#include "config.h"

#include "rf-provenance.h"
#include "rf-surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "rf-test-tree.h"

#define TOO_LONG_S 300 /* a case took more than 100, with sanitizers on a machine that is busy ten times over */

static const char *const places[] = {
    "etc/sysctl.conf",
    "etc/sysctl.d/50-a.conf",
    "usr/lib/sysctl.d/50-b.conf",
    "etc/udev/rules.d/50-a.rules",
    "etc/tmpfiles.d/a.conf",
    "etc/tuned/active_profile",
    "etc/tuned/hostile/tuned.conf",
    "etc/tuned/tuned-main.conf",
    "etc/systemd/zram-generator.conf",
    "etc/systemd/zram-generator.conf.d/a.conf",
    "etc/default/zramswap",
    "etc/default/grub",
    "etc/fstab",
    "etc/rc.local",
    "etc/crontab",
    "etc/cron.d/a",
    "etc/os-release",
    "proc/cmdline",
    "proc/self/mountinfo",
    "proc/swaps",
    "proc/meminfo",
    "sys/class/dmi/id/product_name",
};

#define SETTINGS                                                                                                       \
    "vm.swappiness=10\nw /proc/sys/vm/swappiness - - - - 10\nSUBSYSTEM==\"block\", SYSCTL{vm.swappiness}=\"10\"\n"     \
    "[sysctl]\nvm.swappiness=10\n[zram0]\nzram-size=1024\n/dev/sda1 / ext4 defaults 0 1\n"

static void
make_pipe (const char *path)
{
    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
}

static void
make_socket (const char *path)
{
    /* the name of a socket is short, that of a folder of tests is not: it is made from within */
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
    g_autofree char *before = g_get_current_dir ();
    g_strlcpy (address.sun_path, name, sizeof address.sun_path);
    g_assert_cmpint (chdir (folder), ==, 0);
    g_assert_cmpint (bind (fd, (struct sockaddr *)&address, sizeof address), ==, 0);
    g_assert_cmpint (chdir (before), ==, 0);
    close (fd);
}

static void
make_endless (const char *path)
{
    g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
}

static void
make_terminal (const char *path)
{
    g_assert_cmpint (symlink ("/dev/tty", path), ==, 0);
}

static void
make_folder (const char *path)
{
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
}

static void
make_dangling (const char *path)
{
    g_assert_cmpint (symlink ("not/there", path), ==, 0);
}

static void
make_circle (const char *path)
{
    g_autofree char *name = g_path_get_basename (path);
    g_assert_cmpint (symlink (name, path), ==, 0);
}

static void
make_huge (const char *path)
{
    int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    g_assert_cmpint (ftruncate (fd, G_GINT64_CONSTANT (1) << 30), ==, 0);
    close (fd);
}

static void
make_closed (const char *path)
{
    g_assert_true (g_file_set_contents (path, SETTINGS, -1, NULL));
    g_assert_cmpint (g_chmod (path, 0), ==, 0);
}

static void
make_text (const char *path, const char *unit, gsize unit_length, gsize length)
{
    g_autoptr (GString) text = g_string_new (NULL);
    while (unit_length > 0 && text->len + unit_length <= length)
        g_string_append_len (text, unit, (gssize)unit_length);
    g_assert_true (g_file_set_contents (path, text->str, (gssize)text->len, NULL));
}

#define LARGE (250 * 1024)
#define TEXT(name, unit, length)                                                                                       \
    static void name (const char *path)                                                                                \
    {                                                                                                                  \
        make_text (path, unit, sizeof (unit) - 1, length);                                                             \
    }
TEXT (make_long_line, "vm.swappiness=", 10 * 1024 * 1024)
TEXT (make_long_line_inside, "vm.swappiness=", LARGE)
TEXT (make_zeros, "vm.swappiness=10\0", LARGE)
TEXT (make_windows, "vm.swappiness=10\r\n", 4096)
TEXT (make_marked, "\xef\xbb\xbf" SETTINGS, sizeof SETTINGS + 2)
TEXT (make_torn, "vm.swappiness=1", 15)
TEXT (make_binary, "\xff\xfe\x80=\xc0\xaf\n[\x01]\n\x1b[31m=\x1b]0;x\x07\n", 4096)
TEXT (make_empty, "", 0)
/* each of these took minutes once, or would with a search from the start for each line */
TEXT (make_sections, "[a]\nx=1\n[sysctl]\nvm.swappiness=1\n", LARGE)
TEXT (make_short_lines, "a=b\n", LARGE)
TEXT (make_jumps, "GOTO=\"swappiness\"\n", LARGE)
TEXT (make_patterns, "vm.*s*w*a*p*p*i*n*e*s*s*x=1\n-vm.s[[[[[[*\n", LARGE)
TEXT (make_globs, "w /*/*/*/*/*/*/*/*/*/*/*[ - - - - 1\nw /proc/s?s/vm/swappiness - - - - 1\n", LARGE)
TEXT (make_includes, "[main]\ninclude=hostile,a,b,c,d,hostile\n", LARGE)
TEXT (make_many, SETTINGS, LARGE)

static const struct {
    const char *name;
    void (*make) (const char *path);
} kinds[] = {
    {"pipe", make_pipe},           {"socket", make_socket},
    {"endless", make_endless},     {"terminal", make_terminal},
    {"folder", make_folder},       {"dangling", make_dangling},
    {"circle", make_circle},       {"huge", make_huge},
    {"closed", make_closed},       {"long-line", make_long_line},
    {"zeros", make_zeros},         {"long-line-inside", make_long_line_inside},
    {"windows", make_windows},     {"marked", make_marked},
    {"torn", make_torn},           {"binary", make_binary},
    {"empty", make_empty},         {"sections", make_sections},
    {"jumps", make_jumps},         {"short-lines", make_short_lines},
    {"patterns", make_patterns},   {"globs", make_globs},
    {"includes", make_includes},   {"many", make_many},
};

static gboolean
is_shown_safely (const char *text)
{
    for (const char *p = text; p != NULL && *p != '\0'; p++)
        if (g_ascii_iscntrl (*p))
            return FALSE;
    return text == NULL || g_utf8_validate (text, -1, NULL);
}

static void
check_answer (const RfProvenance *answer)
{
    for (guint i = 0; i < answer->setters->len; i++) {
        const RfSetter *setter = g_ptr_array_index (answer->setters, i);
        g_assert_true (is_shown_safely (setter->path));
        g_assert_true (is_shown_safely (setter->target));
        g_assert_true (is_shown_safely (setter->text));
        g_assert_true (is_shown_safely (setter->key));
        g_assert_true (is_shown_safely (setter->raw));
        g_assert_true (is_shown_safely (setter->by));
        g_assert_true (is_shown_safely (setter->why));
    }
}

/* Returns: whether all is certain that is said of the swappiness */
static gboolean
look (RfTestTree *tree)
{
    alarm (TOO_LONG_S);
    RfSysroot *sysroot = rf_test_tree_sysroot (tree);
    g_autoptr (RfFacts) facts = rf_facts_read (sysroot);
    g_autoptr (RfProvenanceSources) sources = rf_provenance_sources_read (sysroot, facts);
    gsize n;
    const RfTunable *list = rf_tunable_list (&n);
    gboolean certain = TRUE;
    for (gsize i = 0; i < n; i++) {
        const char *instance = list[i].instances == RF_INSTANCE_NONE ? "" : "nvme0n1";
        g_autoptr (RfProvenance) answer = rf_provenance_find (sources, &list[i], instance, NULL);
        check_answer (answer);
        if (g_str_equal (list[i].id, "vm.swappiness"))
            certain = answer->certain;
    }
    g_autoptr (RfSurroundings) around = rf_surroundings_read (sysroot, facts);
    for (guint i = 0; i < around->advice->len; i++) {
        const RfOldAdvice *advice = g_ptr_array_index (around->advice, i);
        g_assert_true (is_shown_safely (advice->file) && is_shown_safely (advice->text));
    }
    g_assert_cmpuint (around->advice->len, <=, RF_OLD_ADVICE_MAX);
    return certain;
}

static RfTestTree *
make_tree (void)
{
    RfTestTree *tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, "=> etc/systemd/system/multi-user.target.wants/tuned.service -> /usr/lib/x\n"
                              "= etc/tuned/active_profile hostile\n= usr/lib/systemd/system-generators/zram-generator x\n");
    return tree;
}

/* all places at once: none waits for the other to be looked at */
static void
every_kind (gconstpointer data)
{
    const gsize at = GPOINTER_TO_SIZE (data);
    g_autoptr (RfTestTree) tree = make_tree ();
    for (gsize i = 0; i < G_N_ELEMENTS (places); i++) {
        g_autofree char *path = rf_test_tree_path (tree, places[i]);
        g_autofree char *folder = g_path_get_dirname (path);
        rf_test_tree_remove (tree, places[i]);
        g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
        kinds[at].make (path);
    }
    /* the profile is named for the kinds that would otherwise end the search at its name */
    if (g_str_equal (kinds[at].name, "sections") || g_str_equal (kinds[at].name, "includes")
        || g_str_equal (kinds[at].name, "short-lines"))
        rf_test_tree_set (tree, "etc/tuned/active_profile", "hostile\n");
    look (tree);
}

static void
crowded_folder (void)
{
    g_autoptr (RfTestTree) tree = make_tree ();
    static const char *const folders[] = {"etc/sysctl.d", "etc/udev/rules.d", "etc/tmpfiles.d", "etc/cron.d"};
    for (gsize k = 0; k < G_N_ELEMENTS (folders); k++) {
        rf_test_tree_mkdir (tree, folders[k]);
        for (guint i = 0; i < 5000; i++) {
            g_autofree char *name = g_strdup_printf ("%s/%05u%s", folders[k], i, k == 1 ? ".rules" : ".conf");
            g_autofree char *path = rf_test_tree_path (tree, name);
            int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            g_assert_cmpint ((int)write (fd, "x", 1), ==, 1);
            close (fd);
        }
    }
    /* what was not read could say anything */
    g_assert_false (look (tree));
}

static void
crowded_bytes (void)
{
    g_autoptr (RfTestTree) tree = make_tree ();
    g_assert_true (look (tree));
    for (guint i = 0; i < 24; i++) {
        g_autofree char *name = g_strdup_printf ("etc/sysctl.d/%02u.conf", i);
        g_autofree char *path = rf_test_tree_path (tree, name);
        rf_test_tree_set (tree, name, "");
        make_text (path, "a=b\n", 4, LARGE);
    }
    g_assert_false (look (tree));
}

/* a name of a file may hold anything but a slash */
static void
names (void)
{
    static const char *const hostile[] = {"1\n2.conf", "\x1b[31mred.conf", "\xff\xfe.conf", "\xe2\x80\xaetxt.conf", "-rf.conf",
                                          "\302\23331m.conf", "a b.conf", "%s%n.conf"};
    g_autoptr (RfTestTree) tree = make_tree ();
    for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++) {
        g_autofree char *name = g_strconcat ("etc/sysctl.d/", hostile[i], NULL);
        rf_test_tree_set (tree, name, "vm.swappiness=\x1b[31m\"10\"\n");
    }
    look (tree);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
        g_autofree char *path = g_strconcat ("/core/hostile-files/", kinds[i].name, NULL);
        g_test_add_data_func (path, GSIZE_TO_POINTER (i), every_kind);
    }
    g_test_add_func ("/core/hostile-files/crowded-folder", crowded_folder);
    g_test_add_func ("/core/hostile-files/crowded-bytes", crowded_bytes);
    g_test_add_func ("/core/hostile-files/names", names);
    return g_test_run ();
}
