/* The keyboard: on every page and in every state of the window each control is reached with Tab and the arrows, no letter
 * after Alt means two things, and the list of shortcuts is complete. In the language that LANGUAGE says. */
#include "config.h"

#include "rf-application.h"
#include "rf-help-window.h"
#include "rf-test-window.h"
#include "rf-window.h"

#include <string.h>

static RfTestWindow *window;

/* What can be worked with by itself: not the parts that GTK makes of it, such as the text inside of an entry. */
static gboolean
is_control (GtkWidget *widget)
{
    return gtk_widget_get_mapped (widget) && gtk_widget_is_sensitive (widget) && gtk_widget_get_can_focus (widget)
           && gtk_widget_get_focusable (widget);
}

static void
collect_controls (GtkWidget *widget, GPtrArray *controls)
{
    if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_can_focus (widget))
        return;
    if (is_control (widget) && !GTK_IS_WINDOW (widget))
        g_ptr_array_add (controls, widget);
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w)) {
        /* a popover is a place of its own, entered by what opens it */
        if (!GTK_IS_POPOVER (w))
            collect_controls (w, controls);
    }
}

static const char *
describe (GtkWidget *widget)
{
    const char *text = NULL;
    if (GTK_IS_BUTTON (widget))
        text = gtk_button_get_label (GTK_BUTTON (widget));
    else if (GTK_IS_LABEL (widget))
        text = gtk_label_get_text (GTK_LABEL (widget));
    if (text == NULL)
        text = gtk_widget_get_tooltip_text (widget);
    return text != NULL ? text : gtk_widget_get_name (widget);
}

/* GTK 4.8 gives all of them the role of a check box. */
static gboolean
is_radio (GtkWidget *widget)
{
    GtkWidget *child = GTK_IS_CHECK_BUTTON (widget) ? gtk_widget_get_first_child (widget) : NULL;
    return child != NULL && g_str_equal (gtk_widget_get_css_name (child), "radio");
}

static void
note_radios (GtkWidget *widget, GHashTable *reached)
{
    if (!gtk_widget_get_mapped (widget))
        return;
    if (is_radio (widget))
        g_hash_table_add (reached, widget);
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        note_radios (w, reached);
}

/* The focus where it is, and where only the arrows lead from there: to the other rows of a list, in which the list of pages
 * shows each page at once, and to the others of a group of which one is chosen. */
static void
note_focus (GtkWidget *root, GHashTable *reached)
{
    GtkWidget *start = gtk_window_get_focus (GTK_WINDOW (root));
    GtkWidget *group = NULL;
    if (start == NULL)
        return;
    g_hash_table_add (reached, start);
    group = gtk_widget_get_parent (start);
    if (group == NULL)
        return;
    for (GtkWidget *w = gtk_widget_get_first_child (group); GTK_IS_LIST_BOX (group) && w != NULL;
         w = gtk_widget_get_next_sibling (w))
        g_hash_table_add (reached, w);
    if (is_radio (start))
        note_radios (root, reached);
}

/* A list hands the focus on to its rows, and what scrolls to what is in it: they have it only if that is empty. */
static gboolean
hands_on (GtkWidget *widget, GHashTable *reached)
{
    GHashTableIter iter;
    gpointer focus = NULL;
    if (!GTK_IS_LIST_BOX (widget) && !GTK_IS_SCROLLED_WINDOW (widget))
        return FALSE;
    g_hash_table_iter_init (&iter, reached);
    while (g_hash_table_iter_next (&iter, &focus, NULL))
        if (gtk_widget_is_ancestor (focus, widget))
            return TRUE;
    return FALSE;
}

static void
assert_reached (GtkWidget *root, const char *name)
{
    g_autoptr (GHashTable) reached = g_hash_table_new (NULL, NULL);
    g_autoptr (GPtrArray) controls = g_ptr_array_new ();
    g_autoptr (GHashTable) stops = g_hash_table_new (NULL, NULL);
    guint missing = 0;
    gtk_window_set_focus (GTK_WINDOW (root), NULL);
    for (guint n = 0; n < 400; n++) {
        /* at the end of the chain the window begins again */
        if (!gtk_widget_child_focus (root, GTK_DIR_TAB_FORWARD) && n > 0)
            break;
        GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (root));
        if (focus == NULL && n == 0)
            continue;
        if (focus == NULL || !g_hash_table_add (stops, focus))
            break; /* once round */
        note_focus (root, reached);
    }
    collect_controls (root, controls);
    for (guint i = 0; i < controls->len; i++) {
        if (g_hash_table_contains (reached, controls->pdata[i]) || hands_on (controls->pdata[i], reached))
            continue;
        g_test_message ("%s: the keyboard does not reach %s “%s”", name, G_OBJECT_TYPE_NAME (controls->pdata[i]),
                        describe (controls->pdata[i]));
        missing++;
    }
    g_test_message ("%s: %u controls", name, controls->len);
    g_assert_cmpuint (controls->len, >, 1);
    g_assert_cmpuint (missing, ==, 0);
}

static void
collect_mnemonics (GtkWidget *widget, GPtrArray *labels)
{
    if (!gtk_widget_get_mapped (widget))
        return;
    if (GTK_IS_LABEL (widget) && gtk_label_get_mnemonic_keyval (GTK_LABEL (widget)) != GDK_KEY_VoidSymbol)
        g_ptr_array_add (labels, widget);
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        collect_mnemonics (w, labels);
}

static void
assert_no_clash (GtkWidget *root, const char *name)
{
    g_autoptr (GPtrArray) labels = g_ptr_array_new ();
    g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
    guint clashes = 0;
    collect_mnemonics (root, labels);
    for (guint i = 0; i < labels->len; i++) {
        GtkLabel *label = labels->pdata[i];
        gpointer key = GUINT_TO_POINTER (gdk_keyval_to_lower (gtk_label_get_mnemonic_keyval (label)));
        GtkLabel *other = g_hash_table_lookup (taken, key);
        if (other != NULL) {
            g_test_message ("%s: “%s” and “%s” have the same letter", name, gtk_label_get_label (other),
                            gtk_label_get_label (label));
            clashes++;
        }
        g_hash_table_insert (taken, key, label);
    }
    g_assert_cmpuint (clashes, ==, 0);
}

static void
visit (RfTestWindow *w, const char *name, gpointer data)
{
    guint *visits = data;
    ++*visits;
    rf_test_window_settle (w);
    assert_no_clash (w->window, name);
    assert_reached (w->window, name);
}

/* The labels of a menu: those of one menu are seen together. */
static void
menu_letters (GMenuModel *menu, GString *letters)
{
    for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
        g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
        g_autofree char *label = NULL;
        g_autofree char *target = NULL;
        const char *mark = NULL;
        if (section != NULL)
            menu_letters (section, letters);
        if (!g_menu_model_get_item_attribute (menu, i, "label", "s", &label))
            continue;
        /* no topic: the help of the page that is shown */
        if (g_menu_model_get_item_attribute (menu, i, "target", "s", &target))
            g_assert_cmpstr (target, ==, "");
        mark = strchr (label, '_');
        g_test_message ("menu: “%s”", label);
        g_assert_nonnull (mark);
        g_assert_null (strchr (letters->str, g_ascii_tolower (mark[1])));
        g_string_append_c (letters, g_ascii_tolower (mark[1]));
    }
}

static void
test_menu (void)
{
    GtkWidget *button = rf_test_window_find (window->window, GTK_TYPE_MENU_BUTTON, NULL);
    g_autoptr (GString) letters = g_string_new (NULL);
    menu_letters (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button)), letters);
    g_assert_cmpuint (letters->len, >=, 5);
}

static void
test_dialogs (void)
{
    static const struct {
        const char *action;
        const char *target; /* NULL: none */
    } dialogs[] = {{"win.show-help", "how"}, {"win.show-help", ""}, {"win.report-problem", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++) {
        GtkWidget *dialog = NULL;
        if (dialogs[i].target != NULL)
            gtk_widget_activate_action (window->window, dialogs[i].action, "s", dialogs[i].target);
        else
            gtk_widget_activate_action (window->window, dialogs[i].action, NULL);
        for (GList *l = gtk_application_get_windows (window->app); l != NULL; l = l->next)
            if (!RF_IS_WINDOW (l->data))
                dialog = l->data;
        g_assert_nonnull (dialog);
        RF_ITERATE_UNTIL (gtk_widget_get_mapped (dialog));
        if (i == 1) /* the list of topics */
            gtk_widget_activate_action (dialog, "help.back", NULL);
        for (guint n = 0; n < 50; n++)
            while (g_main_context_iteration (NULL, FALSE))
                ;
        assert_no_clash (dialog, dialogs[i].action);
        assert_reached (dialog, dialogs[i].action);
        gtk_window_destroy (GTK_WINDOW (dialog));
    }
}

/* As GTK writes it, so that two ways of writing one are the same. */
static void
add_key (GHashTable *keys, const char *text)
{
    GdkModifierType modifiers = 0;
    guint key = 0;
    g_assert_true (gtk_accelerator_parse (text, &key, &modifiers));
    g_hash_table_add (keys, gtk_accelerator_name (key, modifiers));
}

static GHashTable *
keys_in_overlay (void)
{
    g_autoptr (GtkBuilder) builder
        = gtk_builder_new_from_resource ("/io/github/ruckelfrei/Ruckelfrei/help-overlay.ui");
    g_autoptr (GSList) objects = gtk_builder_get_objects (builder);
    GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (GSList *l = objects; l != NULL; l = l->next) {
        g_autofree char *text = NULL;
        g_auto (GStrv) parts = NULL;
        if (!GTK_IS_SHORTCUTS_SHORTCUT (l->data))
            continue;
        g_object_get (l->data, "accelerator", &text, NULL);
        parts = g_strsplit (text, " ", -1);
        for (guint i = 0; parts[i] != NULL; i++)
            add_key (keys, parts[i]);
    }
    gtk_window_destroy (GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
    return keys;
}

/* Those of the program, and those of the window's class that lead to an action of its own. */
static GHashTable *
keys_in_program (void)
{
    static RfApplication *app; /* stays: one that never ran does not like to be freed */
    g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (window->window);
    GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    app = rf_application_new ();
    g_application_set_flags (G_APPLICATION (app), G_APPLICATION_NON_UNIQUE);
    g_clear_object (&window->theme); /* the program brings its own, and two would not agree */
    g_assert_true (g_application_register (G_APPLICATION (app), NULL, NULL));
    g_auto (GStrv) actions = gtk_application_list_action_descriptions (GTK_APPLICATION (app));
    for (guint i = 0; actions[i] != NULL; i++) {
        g_auto (GStrv) accels = gtk_application_get_accels_for_action (GTK_APPLICATION (app), actions[i]);
        for (guint k = 0; accels[k] != NULL; k++)
            add_key (keys, accels[k]);
    }
    for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
        g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
        for (guint k = 0; GTK_IS_SHORTCUT_CONTROLLER (controller) && k < g_list_model_get_n_items (G_LIST_MODEL (controller));
             k++) {
            g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
            GtkShortcutAction *action = gtk_shortcut_get_action (shortcut);
            g_autofree char *trigger = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));
            if (GTK_IS_NAMED_ACTION (action)
                && g_str_has_prefix (gtk_named_action_get_action_name (GTK_NAMED_ACTION (action)), "win."))
                add_key (keys, trigger);
        }
    }
    G_APPLICATION_GET_CLASS (app)->shutdown (G_APPLICATION (app));
    rf_test_window_set_palette (window, "light");
    return keys;
}

static void
test_shortcuts (void)
{
    g_autoptr (GHashTable) shown = keys_in_overlay ();
    g_autoptr (GHashTable) set = keys_in_program ();
    GHashTableIter iter;
    gpointer key = NULL;
    guint wrong = 0;
    g_assert_cmpuint (g_hash_table_size (set), >=, 9);
    g_hash_table_iter_init (&iter, set);
    while (g_hash_table_iter_next (&iter, &key, NULL))
        if (!g_hash_table_contains (shown, key)) {
            g_test_message ("%s is not in the list of shortcuts", (char *) key);
            wrong++;
        }
    g_assert_cmpuint (wrong, ==, 0);
}

static void
test_window (void)
{
    guint visits = 0;
    rf_test_window_walk (window, visit, &visits);
    g_assert_cmpuint (visits, >, 15);
}

int
main (int argc, char **argv)
{
    window = rf_test_window_new (&argc, &argv, "laptop-8g");
    g_test_add_func ("/app/keyboard/menu", test_menu);
    g_test_add_func ("/app/keyboard/shortcuts", test_shortcuts);
    g_test_add_func ("/app/keyboard/dialogs", test_dialogs);
    g_test_add_func ("/app/keyboard/window", test_window);
    int status = g_test_run ();
    rf_test_window_free (window);
    return status;
}
