/* What must not leave this computer by way of a report: the names of the computer and of people, serial numbers and other
 * identities of hardware, labels of drives, addresses. Collects them, and takes them out of a text wherever they stand.
 * No widgets; not thread-safe. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

/** RF_PRIVACY_LEFT_OUT: what stands in the place of each */
#define RF_PRIVACY_LEFT_OUT "[left out]"
/** RF_PRIVACY_MAX: characters that are left of one text at most */
#define RF_PRIVACY_MAX 400

typedef struct _RfPrivacy RfPrivacy;

RfPrivacy *rf_privacy_new (void);
void rf_privacy_free (RfPrivacy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfPrivacy, rf_privacy_free)

/** rf_privacy_add: @word: any text, in the state in which it was read; what says nothing about anybody ("", "localhost",
 * "To Be Filled By O.E.M.", a number below 1000) is passed over. Found again in upper and lower case, with composed and
 * decomposed letters, with "_" in the place of blanks, and with "ae" for "ä". */
void rf_privacy_add (RfPrivacy *self, const char *word);
/** rf_privacy_collect: adds what the files below @sysroot tell, as far as they can be read */
void rf_privacy_collect (RfPrivacy *self, RfSysroot *sysroot);
/** rf_privacy_collect_person: adds the names of the person who runs the program and of the host, as the system gives them */
void rf_privacy_collect_person (RfPrivacy *self);

/**
 * rf_privacy_clean:
 *
 * Takes out the words that were added, and whatever has the form of a MAC or IP address, a UUID, a world wide name, a long
 * hexadecimal number, an e-mail address or a folder of a person. The result is one line of valid UTF-8, without control
 * characters. Pure.
 *
 * Returns: (transfer full)
 */
char *rf_privacy_clean (const RfPrivacy *self, const char *text);

G_END_DECLS
