/* The rules of udev as text, and whether one would act on a device: yes, no, or not to be known without running udev.
 * No rule is executed, no property of a device is asked from udev. Pure but for the attributes of the device, which are
 * read below the sysroot.
 * Sources: udev(7), src/udev/udev-rules.c of systemd 252. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef enum {
    RF_UDEV_EQUAL,     /* == */
    RF_UDEV_NOT_EQUAL, /* != */
    RF_UDEV_ASSIGN,    /* = and := */
    RF_UDEV_ADD,       /* += */
    RF_UDEV_REMOVE,    /* -= */
} RfUdevOp;

/**
 * RfUdevToken: one KEY{attribute}op"value" of a rule
 * @attribute: (nullable)
 * @ignore_case: i"value"
 */
typedef struct {
    char *key;
    char *attribute;
    RfUdevOp op;
    char *value;
    gboolean ignore_case;
} RfUdevToken;

/**
 * RfUdevRule:
 * @line: the first of its lines, from 1
 * @text: for a person, see rf_conf_quote()
 * @tokens: (element-type RfUdevToken)
 */
typedef struct {
    guint line;
    char *text;
    GPtrArray *tokens;
} RfUdevRule;

/** rf_udev_rules_parse: Returns: (transfer full) (element-type RfUdevRule): what udev would take; it drops a line that
 * has a single mistake as a whole. Pure. */
GPtrArray *rf_udev_rules_parse (const char *text, gsize length);

/** rf_udev_token_text: Returns: (transfer full): the token as it is written: ENV{ID_BUS}=="usb" */
char *rf_udev_token_text (const RfUdevToken *token);

typedef enum {
    RF_UDEV_NO,
    RF_UDEV_MAYBE,
    RF_UDEV_YES,
} RfUdevMatch;

/**
 * RfUdevDevice:
 * @path: its folder in sysfs, relative to the sysroot
 * @devtype: (nullable)
 */
typedef struct {
    RfSysroot *sysroot;
    const char *path;
    const char *name;
    const char *subsystem;
    const char *devtype;
} RfUdevDevice;

/**
 * RfUdevVisit:
 * @why: (nullable): for MAYBE, the first token that cannot be judged
 *
 * What a walk says about a rule.
 */
typedef void (*RfUdevVisit) (const RfUdevRule *rule, RfUdevMatch match, const RfUdevToken *why, gpointer data);

/**
 * rf_udev_rules_walk:
 *
 * One file for one device at start-up (ACTION "add"), GOTO and LABEL included: what may be jumped over is MAYBE. A rule
 * that only acts when a device changes is MAYBE too.
 */
void rf_udev_rules_walk (const GPtrArray *rules, const RfUdevDevice *device, RfUdevVisit visit, gpointer data);

G_END_DECLS
