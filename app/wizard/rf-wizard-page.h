/* Base of every page of the wizard: a heading, a paragraph, room beside them and content below, in one scrolling column.
 * A page never leads anywhere by itself; the wizard computes the buttons from "complete" and "applying". */
#pragma once

#include "rf-label.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_PAGE (rf_wizard_page_get_type ())
G_DECLARE_DERIVABLE_TYPE (RfWizardPage, rf_wizard_page, RF, WIZARD_PAGE, GtkWidget)

/**
 * RfWizardPageClass:
 * @enter: the page is about to be shown: refresh what may have changed
 * @leave: another page is shown instead
 *
 * Properties: "title", "lead" (strings, translated), "complete" (gboolean: the person may go on), "applying" (gboolean:
 * something is under way, no other button makes sense).
 */
struct _RfWizardPageClass {
    GtkWidgetClass parent_class;
    void (*enter) (RfWizardPage *self);
    void (*leave) (RfWizardPage *self);
};

void rf_wizard_page_set_title (RfWizardPage *self, const char *title);
void rf_wizard_page_set_lead (RfWizardPage *self, const char *lead);
/** rf_wizard_page_set_centered: heading and paragraph in the middle, for pages with one message */
void rf_wizard_page_set_centered (RfWizardPage *self);
void rf_wizard_page_set_complete (RfWizardPage *self, gboolean complete);
gboolean rf_wizard_page_get_complete (RfWizardPage *self);
void rf_wizard_page_set_applying (RfWizardPage *self, gboolean applying);
gboolean rf_wizard_page_get_applying (RfWizardPage *self);

/** rf_wizard_page_set_above / aside: @widget: above the heading; beside it where there is room, below it otherwise */
void rf_wizard_page_set_above (RfWizardPage *self, GtkWidget *widget);
void rf_wizard_page_set_aside (RfWizardPage *self, GtkWidget *widget);
void rf_wizard_page_append (RfWizardPage *self, GtkWidget *child);

void rf_wizard_page_enter (RfWizardPage *self);
void rf_wizard_page_leave (RfWizardPage *self);
/** rf_wizard_page_focus: to the heading, so that a screen reader says where one is */
void rf_wizard_page_focus (RfWizardPage *self);

G_END_DECLS
