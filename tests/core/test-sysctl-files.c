#include "config.h"

#include "rf-sysctl-files.h"

#include <glib/gstdio.h>
#include <string.h>

#include "rf-test-tree.h"

/* one line of what was read, as text: "10-a.conf:2 vm/swappiness=60", with what becomes of it */
static void
describe (GString *out, const RfSysctlLine *line)
{
    static const char *const states[] = {"", " broken", " hidden", " masked", " unread"};
    if (line->file != NULL)
        g_string_append_printf (out, "%s:", line->file->path);
    g_string_append_printf (out, "%u ", line->line);
    if (line->key == NULL)
        g_string_append_printf (out, "(%s)", line->text);
    else if (line->value == NULL)
        g_string_append_printf (out, "-%s", line->key);
    else
        g_string_append_printf (out, "%s=%s", line->key, line->value);
    g_string_append_printf (out, "%s%s%s\n", line->ignore_failure ? " quiet" : "", line->glob ? " glob" : "",
                            states[line->state]);
}

static char *
describe_all (const GPtrArray *lines)
{
    g_autoptr (GString) out = g_string_new (NULL);
    for (guint i = 0; i < lines->len; i++)
        describe (out, g_ptr_array_index (lines, i));
    return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
parsing (void)
{
    static const struct {
        const char *text, *lines;
    } table[] = {
        {"", ""},
        {"\n\n  \t\n# vm.swappiness=1\n ; vm.swappiness=2\n", ""},
        {"vm.swappiness=60", "1 vm/swappiness=60\n"},
        {" vm.swappiness \t=  60 \n", "1 vm/swappiness=60\n"},
        {"vm/swappiness=60\n/vm//swappiness/=61\n", "1 vm/swappiness=60\n2 vm/swappiness=61\n"},
        {"/proc/sys/vm/swappiness=1\n", "1 proc/sys/vm/swappiness=1\n"},
        {"net.ipv4.conf.eth0/200.forwarding=1\nnet/ipv4/conf/eth0.200/forwarding=1\n",
         "1 net/ipv4/conf/eth0.200/forwarding=1\n2 net/ipv4/conf/eth0.200/forwarding=1\n"},
        {"-vm.swappiness=10\n-vm.swappiness\n- vm.dirty_ratio = 5\n",
         "1 vm/swappiness=10 quiet\n2 -vm/swappiness\n3 vm/dirty_ratio=5 quiet\n"},
        {"vm.*=1\nvm.dirty_?atio=2\nvm.[sd]*=3\nv=*\n",
         "1 vm/*=1 glob\n2 vm/dirty_?atio=2 glob\n3 vm/[sd]*=3 glob\n4 v=*\n"},
        {"vm.swappiness 60\nvm.swappiness=\n=60\n", "1 (vm.swappiness 60) broken\n2 vm/swappiness=\n3 =60\n"},
        /* the quotes belong to the value, and the kernel refuses it (minio#10446) */
        {"net.ipv4.tcp_rmem=\"4096 87380 8388608\"\n\"vm.swappiness\"=1\n",
         "1 net/ipv4/tcp_rmem=\"4096 87380 8388608\"\n2 \"vm/swappiness\"=1\n"},
        {"swappiness=50\nvm.swappiness=1=2\nvm.swappiness=60 # why\n",
         "1 swappiness=50\n2 vm/swappiness=1=2\n3 vm/swappiness=60 # why\n"},
        {"a.b=1\r\na.c=2\r\ra.d=3\n\ra.e=4\n\r\n\ra.f=5", "1 a/b=1\n2 a/c=2\n4 a/d=3\n5 a/e=4\n7 a/f=5\n"},
        {"a=\xff\xfe\n\x01\x02\n", "1 a=\xff\xfe\n2 (  ) broken\n"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (GPtrArray) lines = rf_sysctl_lines_parse (table[i].text, strlen (table[i].text));
        g_autofree char *got = describe_all (lines);
        g_assert_cmpstr (got, ==, table[i].lines);
        for (guint k = 0; k < lines->len; k++)
            g_assert_true (g_utf8_validate (((RfSysctlLine *)lines->pdata[k])->text, -1, NULL));
    }
    /* NUL ends a line as well */
    g_autoptr (GPtrArray) lines = rf_sysctl_lines_parse ("a=1\0b=2\n\0\nc=3", 14);
    g_autofree char *got = describe_all (lines);
    g_assert_cmpstr (got, ==, "1 a=1\n2 b=2\n4 c=3\n");
}

static void
numbers (void)
{
    static const struct {
        const char *text;
        gboolean good;
        gint64 number;
    } table[] = {
        {"60", TRUE, 60},
        {" 60\t", TRUE, 60},
        {"010", TRUE, 8},
        {"0x3c", TRUE, 60},
        {"60 70", TRUE, 60},
        {"60 # c", TRUE, 60},
        {"-1", TRUE, -1},
        {"0", TRUE, 0},
        {"60abc", FALSE, 0},
        {"", FALSE, 0},
        {"\"60\"", FALSE, 0},
        {"'60'", FALSE, 0},
        {"abc", FALSE, 0},
        {"60%", FALSE, 0},
        {"08", FALSE, 0},
        {"0x", FALSE, 0},
        {"1.5", FALSE, 0},
        {"-", FALSE, 0},
        {"99999999999999999999", FALSE, 0},
        {"9223372036854775807", TRUE, G_MAXINT64},
        {"9223372036854775808", FALSE, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        gint64 number = 0;
        g_test_message ("'%s'", table[i].text);
        g_assert_cmpint (rf_sysctl_number (table[i].text, &number), ==, table[i].good);
        g_assert_cmpint (number, ==, table[i].number);
    }
}

static const struct {
    const char *name, *tree, *lines;
} trees[] = {
    {"none", "", ""},
    {"order-of-names",
     "= usr/lib/sysctl.d/50-b.conf a=1\n= etc/sysctl.d/10-c.conf a=2\n= run/sysctl.d/90-a.conf a=3\n"
     "= usr/local/lib/sysctl.d/20-x.conf a=4\n= lib/sysctl.d/30-l.conf a=5\n",
     "etc/sysctl.d/10-c.conf:1 a=2\nusr/local/lib/sysctl.d/20-x.conf:1 a=4\nlib/sysctl.d/30-l.conf:1 a=5\n"
     "usr/lib/sysctl.d/50-b.conf:1 a=1\nrun/sysctl.d/90-a.conf:1 a=3\n"},
    {"equal-names",
     "= usr/lib/sysctl.d/a.conf a=1\n= usr/local/lib/sysctl.d/a.conf a=2\n= run/sysctl.d/a.conf a=3\n"
     "= etc/sysctl.d/a.conf a=4\n= usr/lib/sysctl.d/b.conf b=1\n= run/sysctl.d/b.conf b=2\n",
     "run/sysctl.d/a.conf:1 a=3 hidden\nusr/local/lib/sysctl.d/a.conf:1 a=2 hidden\n"
     "usr/lib/sysctl.d/a.conf:1 a=1 hidden\netc/sysctl.d/a.conf:1 a=4\n"
     "usr/lib/sysctl.d/b.conf:1 b=1 hidden\nrun/sysctl.d/b.conf:1 b=2\n"},
    {"masks",
     "= usr/lib/sysctl.d/a.conf a=1\n=> etc/sysctl.d/a.conf -> /dev/null\n= usr/lib/sysctl.d/b.conf b=1\n"
     "== etc/sysctl.d/b.conf\n= usr/lib/sysctl.d/c.conf c=1\n=> run/sysctl.d/c.conf -> ../nowhere\n",
     "usr/lib/sysctl.d/a.conf:1 a=1 masked\nusr/lib/sysctl.d/b.conf:1 b=1 masked\n"
     "usr/lib/sysctl.d/c.conf:1 c=1 masked\n"},
    {"not-read",
     "= etc/sysctl.d/a a=1\n= etc/sysctl.d/a.conf~ a=1\n= etc/sysctl.d/.a.conf a=1\n=/ etc/sysctl.d/b.conf\n"
     "= etc/sysctl.d/README.sysctl a=1\n",
     ""},
    {"merged-usr", "= usr/lib/sysctl.d/a.conf a=1\n=> lib -> usr/lib\n", "usr/lib/sysctl.d/a.conf:1 a=1\n"},
    {"absolute-link", "= nix/store/a.conf a=1\n=> etc/sysctl.d/60.conf -> /nix/store/a.conf\n",
     "etc/sysctl.d/60.conf:1 a=1\n"},
    {"circle", "=> etc/sysctl.d/a.conf -> b.conf\n=> etc/sysctl.d/b.conf -> a.conf\n", ""},
    /* Debian up to 12, Ubuntu */
    {"debian-12",
     "= etc/sysctl.conf vm.swappiness=1\n=> etc/sysctl.d/99-sysctl.conf -> ../sysctl.conf\n"
     "= etc/sysctl.d/99-a.conf a=1\n",
     "etc/sysctl.d/99-a.conf:1 a=1\netc/sysctl.d/99-sysctl.conf:1 vm/swappiness=1\n"},
    /* Debian 13: written by hand or left over, and no link */
    {"debian-13", "= etc/sysctl.conf vm.swappiness=1\n= usr/lib/sysctl.d/50-default.conf a=1\n",
     "usr/lib/sysctl.d/50-default.conf:1 a=1\netc/sysctl.conf:1 vm/swappiness=1 unread\n"},
    {"link-masked",
     "= etc/sysctl.conf a=1\n=> usr/lib/sysctl.d/99-sysctl.conf -> ../../../etc/sysctl.conf\n"
     "=> etc/sysctl.d/99-sysctl.conf -> /dev/null\n",
     "usr/lib/sysctl.d/99-sysctl.conf:1 a=1 masked\netc/sysctl.conf:1 a=1 unread\n"},
    {"without-systemd", "= etc/sysctl.conf a=1\n= etc/init.d/procps #!\n= etc/sysctl.d/zz.conf a=2\n",
     "etc/sysctl.d/zz.conf:1 a=2\netc/sysctl.conf:1 a=1\n"},
    {"both-inits", "= etc/sysctl.conf a=1\n= etc/init.d/procps #!\n=/ run/systemd/system\n",
     "etc/sysctl.conf:1 a=1 unread\n"},
};

static void
reading (gconstpointer data)
{
    gsize i = GPOINTER_TO_SIZE (data);
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, trees[i].tree);
    g_autoptr (RfSysctlFiles) files = rf_sysctl_files_read (rf_test_tree_sysroot (tree));
    g_autofree char *got = describe_all (files->lines);
    g_assert_cmpstr (got, ==, trees[i].lines);
}

/* What cannot be read is there, with its state: a missing line must not look like a machine without it. */
static void
unreadable (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autofree char *huge = g_strnfill (RF_CONF_MAX_BYTES + 1, '#');
    rf_test_tree_apply (tree, "== etc/sysctl.d/a.conf\n!errno EACCES\n= usr/lib/sysctl.d/a.conf a=1\n");
    rf_test_tree_set (tree, "etc/sysctl.d/b.conf", huge);
    rf_test_tree_mkdir (tree, "etc/target");
    rf_test_tree_symlink (tree, "etc/sysctl.d/c.conf", "../target");
    g_autofree char *pipe = rf_test_tree_path (tree, "etc/pipe");
    g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
    rf_test_tree_symlink (tree, "etc/sysctl.d/d.conf", "../pipe");
    g_autoptr (RfSysctlFiles) files = rf_sysctl_files_read (rf_test_tree_sysroot (tree));
    static const struct {
        const char *path;
        RfConfState state;
    } expected[] = {
        {"usr/lib/sysctl.d/a.conf", RF_CONF_HIDDEN}, {"etc/sysctl.d/a.conf", RF_CONF_UNREADABLE},
        {"etc/sysctl.d/b.conf", RF_CONF_UNREADABLE}, {"etc/sysctl.d/c.conf", RF_CONF_UNREADABLE},
        {"etc/sysctl.d/d.conf", RF_CONF_UNREADABLE},
    };
    g_assert_cmpuint (files->files->len, ==, G_N_ELEMENTS (expected));
    for (guint i = 0; i < files->files->len; i++) {
        const RfConfFile *file = files->files->pdata[i];
        g_assert_cmpstr (file->path, ==, expected[i].path);
        g_assert_cmpint (file->state, ==, expected[i].state);
    }
    g_assert_cmpstr (((RfConfFile *)files->files->pdata[0])->hidden_by, ==, "etc/sysctl.d/a.conf");
    g_assert_cmpuint (files->lines->len, ==, 1);
    rf_test_tree_remove (tree, "etc/pipe");
}

/* The files and their order as systemd itself prints them. Only prints; changes nothing. */
static void
like_systemd (void)
{
    g_autofree char *analyze = g_find_program_in_path ("systemd-analyze");
    if (analyze == NULL) {
        g_test_skip ("systemd-analyze is not installed");
        return;
    }
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, "= usr/lib/sysctl.d/50-b.conf a=1\n= etc/sysctl.d/50-b.conf a=2\n"
                              "= run/sysctl.d/5-c.conf a=3\n= usr/local/lib/sysctl.d/Z.conf a=4\n"
                              "= usr/local/lib/sysctl.d/5-c.conf a=5\n= etc/sysctl.conf a=6\n"
                              "=> etc/sysctl.d/99-sysctl.conf -> ../sysctl.conf\n= etc/sysctl.d/.d.conf a=7\n"
                              "= etc/sysctl.d/e.conf.bak a=8\n=> run/sysctl.d/x.conf -> /dev/null\n"
                              "= usr/lib/sysctl.d/x.conf a=9\n");
    g_autofree char *root = g_strconcat ("--root=", rf_test_tree_root (tree), NULL);
    const char *argv[] = {analyze, root, "cat-config", "sysctl.d", NULL};
    g_autofree char *printed = NULL;
    g_autoptr (GError) error = NULL;
    int status = 0;
    g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &printed, NULL, &status, &error);
    g_assert_no_error (error);
    if (status != 0) {
        g_test_skip ("systemd-analyze has no --root here");
        return;
    }
    g_autoptr (GString) theirs = g_string_new (NULL), ours = g_string_new (NULL);
    g_auto (GStrv) lines = g_strsplit (printed, "\n", -1);
    for (char **line = lines; *line != NULL; line++)
        if (g_str_has_prefix (*line, "# ")) {
            const char *path = strstr (*line, rf_test_tree_root (tree));
            g_assert_nonnull (path);
            g_string_append_printf (theirs, "%s\n", path + strlen (rf_test_tree_root (tree)) + 1);
        }
    g_autoptr (RfSysctlFiles) files = rf_sysctl_files_read (rf_test_tree_sysroot (tree));
    for (guint i = 0; i < files->files->len; i++) {
        const RfConfFile *file = files->files->pdata[i];
        if (file->state == RF_CONF_READ || file->state == RF_CONF_MASK)
            g_string_append_printf (ours, "%s\n", file->path);
    }
    g_assert_cmpstr (ours->str, ==, theirs->str);
    g_assert_nonnull (strstr (ours->str, "99-sysctl.conf"));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/sysctl-files/parsing", parsing);
    g_test_add_func ("/core/sysctl-files/numbers", numbers);
    for (gsize i = 0; i < G_N_ELEMENTS (trees); i++) {
        g_autofree char *path = g_strconcat ("/core/sysctl-files/reading/", trees[i].name, NULL);
        g_test_add_data_func (path, GSIZE_TO_POINTER (i), reading);
    }
    g_test_add_func ("/core/sysctl-files/unreadable", unreadable);
    g_test_add_func ("/core/sysctl-files/like-systemd", like_systemd);
    return g_test_run ();
}
