#define G_LOG_DOMAIN "rf-who-set"
#include "config.h"

#include "rf-who-set.h"

#include "rf-label.h"
#include "rf-provenance-text.h"

#include <glib/gi18n.h>

struct _RfWhoSet {
    GtkBox parent_instance;
    RfProvenance *provenance;
    GtkWidget *button;
    GtkWidget *revealer; /* its child is made when it is opened first */
};

G_DEFINE_FINAL_TYPE (RfWhoSet, rf_who_set, GTK_TYPE_BOX)

static void
append_pair (GtkWidget *box, const char *label, char *value)
{
    g_autofree char *owned = value;
    /* TRANSLATORS: %1$s is what it is about, %2$s what it is */
    g_autofree char *text = g_strdup_printf (_ ("%1$s: %2$s"), label, owned);
    GtkWidget *line = rf_label_new (text, "rf-caption");
    gtk_label_set_selectable (GTK_LABEL (line), TRUE);
    gtk_box_append (GTK_BOX (box), line);
}

static void
append_setter (GtkWidget *box, const RfSetter *setter)
{
    g_autofree char *heading = rf_setter_heading (setter);
    g_autofree char *line = rf_setter_line_text (setter);
    g_autofree char *fate = rf_setter_fate_text (setter);
    GtkWidget *item = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
    gtk_box_append (GTK_BOX (item), rf_label_new (heading, "rf-kernel"));
    if (setter->target != NULL) {
        g_autofree char *target = g_strdup_printf ("→ %s", setter->target);
        gtk_box_append (GTK_BOX (item), rf_label_new (target, "rf-kernel"));
    }
    if (line != NULL)
        gtk_box_append (GTK_BOX (item), rf_label_new (line, "rf-kernel"));
    GtkWidget *words = rf_label_new (fate, "rf-caption");
    gtk_label_set_selectable (GTK_LABEL (words), setter->by != NULL || setter->why != NULL); /* names of files, rules */
    gtk_box_append (GTK_BOX (item), words);
    gtk_box_append (GTK_BOX (box), item);
}

static GtkWidget *
new_content (const RfProvenance *provenance)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    append_pair (box, _ ("Now"), rf_provenance_live_text (provenance));
    append_pair (box, _ ("The kernel’s own"), rf_provenance_default_text (provenance));
    append_pair (box, _ ("At the next start"), rf_provenance_next_text (provenance));
    guint n = 0;
    for (guint i = 0; i < provenance->setters->len; i++) {
        const RfSetter *setter = g_ptr_array_index (provenance->setters, i);
        if (setter->fate == RF_FATE_OTHER_DEVICE)
            continue;
        if (n++ == 0)
            gtk_box_append (GTK_BOX (box), rf_label_new (_ ("In the order in which they act:"), "rf-caption"));
        append_setter (box, setter);
    }
    gtk_widget_add_css_class (box, "rf-who-set");
    return box;
}

static void
toggled_cb (RfWhoSet *self)
{
    gboolean open = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->button));
    if (open && gtk_revealer_get_child (GTK_REVEALER (self->revealer)) == NULL)
        gtk_revealer_set_child (GTK_REVEALER (self->revealer), new_content (self->provenance));
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), open);
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

static void
rf_who_set_finalize (GObject *object)
{
    g_clear_pointer (&RF_WHO_SET (object)->provenance, rf_provenance_free);
    G_OBJECT_CLASS (rf_who_set_parent_class)->finalize (object);
}

static void
rf_who_set_class_init (RfWhoSetClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_who_set_finalize;
}

static void
rf_who_set_init (RfWhoSet *self)
{
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
    self->button = gtk_toggle_button_new_with_label (_ ("Who set this?"));
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (self->button)));
    gtk_widget_add_css_class (self->button, "flat");
    gtk_widget_add_css_class (self->button, "rf-caption");
    gtk_widget_add_css_class (self->button, "rf-who-set-button");
    gtk_widget_set_halign (self->button, GTK_ALIGN_START);
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
    g_signal_connect_swapped (self->button, "toggled", G_CALLBACK (toggled_cb), self);
    self->revealer = gtk_revealer_new ();
    gtk_box_append (GTK_BOX (self), self->button);
    gtk_box_append (GTK_BOX (self), self->revealer);
}

GtkWidget *
rf_who_set_new (RfProvenance *provenance, const char *title)
{
    g_return_val_if_fail (provenance != NULL && title != NULL, NULL);
    RfWhoSet *self = g_object_new (RF_TYPE_WHO_SET, NULL);
    self->provenance = provenance;
    /* TRANSLATORS: %s is a setting; spoken name of a button */
    g_autofree char *name = g_strdup_printf (_ ("Who set this? %s"), title);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    return GTK_WIDGET (self);
}
