/* Reports of recordings as files, by the suffix of --report: HTML, Markdown or CSV. */
#pragma once

#include "rf-ctl.h"
#include "rf-document.h"
#include "rf-privacy.h"

G_BEGIN_DECLS

/** rf_ctl_document_check: Returns: FALSE if the suffix is none of ours, which it has said then: a case for RF_EXIT_USAGE */
gboolean rf_ctl_document_check (RfCtl *ctl);
/** rf_ctl_document_privacy: Returns: (transfer full): with what this machine and its user are called */
RfPrivacy *rf_ctl_document_privacy (RfCtl *ctl);
/** rf_ctl_document_write: whole or not at all, and says where; after rf_ctl_document_check() */
RfExit rf_ctl_document_write (RfCtl *ctl, const RfDocument *document);

G_END_DECLS
