/* A machine for tests: a temporary folder filled from a readable text file, tests/fixtures/NAME.tree. Hand its sysroot
 * to the code under test instead of "/". Every function ends the test program when it cannot do its work.
 *
 * Lines of a .tree file (paths are relative to the root):
 *   == PATH            a file; its content is the lines that follow, up to the next line that starts with "=";
 *                      blank lines at its end are dropped, "!errno EINVAL" as only line makes reading it fail so
 *   = PATH CONTENT     a file with one line (PATH without blanks)
 *   => PATH -> TARGET  a symbolic link, TARGET is stored as written; write it relative, so that it stays in the tree
 *   =/ PATH            an empty folder
 *   =@ PATH            from here on "./NAME" means PATH/NAME
 *   =- PATH            takes away what an included file brought
 *   =< NAME            reads tests/fixtures/NAME.tree at this point; what follows can overwrite it
 *   # text, blank      nothing, except in the content of a "==" file
 */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef struct _RfTestTree RfTestTree;

/**
 * rf_test_tree_new:
 * @machine: (nullable): name of a fixture without ".tree" ("laptop-8g"); NULL for an empty tree
 */
RfTestTree *rf_test_tree_new (const char *machine);

/** rf_test_tree_free: removes the folder with everything in it. */
void rf_test_tree_free (RfTestTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTestTree, rf_test_tree_free)

/** rf_test_tree_root: Returns: (transfer none): the absolute path of the folder. */
const char *rf_test_tree_root (const RfTestTree *self);

/** rf_test_tree_sysroot: Returns: (transfer none): the sysroot of the folder. */
RfSysroot *rf_test_tree_sysroot (const RfTestTree *self);

/** rf_test_tree_path: Returns: (transfer full): the absolute path of @path in the tree. */
char *rf_test_tree_path (const RfTestTree *self, const char *path);

/** rf_test_tree_apply: adds entries written as in a .tree file, for variants of a machine. */
void rf_test_tree_apply (RfTestTree *self, const char *text);

/** rf_test_tree_set: writes a file in place (links are followed, as with the kernel); makes missing folders.
 * @content is stored as it is: mind the newline that the kernel prints. */
void rf_test_tree_set (RfTestTree *self, const char *path, const char *content);

/** rf_test_tree_get: Returns: (transfer full) (nullable): the content of a file, NULL if there is none. */
char *rf_test_tree_get (const RfTestTree *self, const char *path);

/** rf_test_tree_exists: also TRUE for a link that leads nowhere. */
gboolean rf_test_tree_exists (const RfTestTree *self, const char *path);

/** rf_test_tree_remove: a file, a link or a folder with everything in it; what is not there is fine. */
void rf_test_tree_remove (RfTestTree *self, const char *path);

void rf_test_tree_mkdir (RfTestTree *self, const char *path);
void rf_test_tree_symlink (RfTestTree *self, const char *path, const char *target);

/**
 * rf_test_tree_dump:
 * @path: "" for the whole tree, or a folder ("etc")
 *
 * Returns: (transfer full): every file, link and empty folder below @path with its content, sorted, as text. Two dumps
 *   are equal if and only if nothing was changed: the check for "afterwards everything is as before".
 */
char *rf_test_tree_dump (const RfTestTree *self, const char *path);

/** rf_test_strv: Returns: (transfer full): the strings joined with ", ", to compare a list with one assertion. */
char *rf_test_strv (char **strings);

G_END_DECLS
