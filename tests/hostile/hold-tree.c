/* A fixture machine for tests that are no C programs: prints its folder and removes it when the input ends. */
#include "config.h"

#include "rf-test-tree.h"

#include <stdio.h>

int
main (int argc, char **argv)
{
    if (argc != 2)
        return 2;
    g_autoptr (RfTestTree) tree = rf_test_tree_new (argv[1]);
    rf_test_tree_mkdir (tree, "run/udev");
    printf ("%s\n", rf_test_tree_root (tree));
    fflush (stdout);
    while (getchar () != EOF)
        continue;
    return 0;
}
