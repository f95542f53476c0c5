#define G_LOG_DOMAIN "rf-snippet"
#include "config.h"

#include "rf-snippet.h"

#include "rf-setting-line.h"

#include <string.h>

#include <glib/gi18n.h>

/* ---- strings of other languages */

/* Nix manual, "String literals": in double quotes \ escapes ", \ and ${; in two single quotes it is '' that does. */
char *
rf_snippet_nix_string (const char *text)
{
    g_return_val_if_fail (text != NULL, NULL);
    GString *out = g_string_new ("\"");
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\n')
            g_string_append (out, "\\n");
        else if (*p == '\r')
            g_string_append (out, "\\r");
        else if (*p == '\t')
            g_string_append (out, "\\t");
        else if (*p == '"' || *p == '\\' || (*p == '$' && p[1] == '{'))
            g_string_append_printf (out, "\\%c", *p);
        else
            g_string_append_c (out, *p);
    }
    return g_string_free (g_string_append_c (out, '"'), FALSE);
}

char *
rf_snippet_nix_indented (const char *text)
{
    g_return_val_if_fail (text != NULL, NULL);
    GString *out = g_string_new (NULL);
    for (const char *p = text; *p != '\0'; p++) {
        if (p[0] == '\'' && p[1] == '\'') {
            g_string_append (out, "'''");
            p++;
        } else if (p[0] == '$' && p[1] == '{') {
            g_string_append (out, "''${");
            p++;
        } else if (p[0] == '\r') {
            g_string_append (out, "''\\r"); /* the manual: a line end in the source is never one with a return */
        } else if (p[0] == '\'' && (p[1] == '\0' || p[1] == '\r' || p[1] == '$')) {
            g_string_append (out, "''\\'"); /* together with the quotes that follow it would be something else */
        } else {
            g_string_append_c (out, *p);
        }
    }
    return g_string_free (out, FALSE);
}

/* R7RS 6.7, Guile manual "String Syntax" */
char *
rf_snippet_scheme_string (const char *text)
{
    g_return_val_if_fail (text != NULL, NULL);
    GString *out = g_string_new ("\"");
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\n')
            g_string_append (out, "\\n");
        else if (*p == '\r')
            g_string_append (out, "\\r");
        else if (*p == '\t')
            g_string_append (out, "\\t");
        else if (*p == '"' || *p == '\\')
            g_string_append_printf (out, "\\%c", *p);
        else
            g_string_append_c (out, *p);
    }
    return g_string_free (g_string_append_c (out, '"'), FALSE);
}

/* ---- configuration of NixOS and Guix */

static const char *
stable_id (const RfFacts *facts, const char *instance)
{
    const RfDisk *disk = rf_facts_find_disk (facts, instance);
    const RfReadahead *readahead = rf_facts_find_readahead (facts, instance);
    if (disk != NULL && disk->stable_id != NULL)
        return disk->stable_id;
    return readahead != NULL ? readahead->stable_id : NULL;
}

/* Returns: NULL if udev could not find the device again: no identity, a btrfs file system, the path of a multipath disk */
static char *
udev_line (const RfChange *change, const RfFacts *facts)
{
    const char *id = stable_id (facts, change->instance);
    if (id == NULL || g_str_has_prefix (id, "btrfs:") || g_str_has_prefix (id, "diskseq:")
        || (g_str_has_prefix (change->instance, "nvme") && strchr (change->instance, 'c') != NULL))
        return NULL;
    return rf_setting_line_udev (change->tunable, change->instance, id, &change->value);
}

typedef struct {
    GString *sysctl;
    GString *rules;
    GString *notes; /* one line for each setting that cannot be written down */
    const RfValue *zram;
} Parts;

static void
parts_clear (Parts *parts)
{
    g_string_free (parts->sysctl, TRUE);
    g_string_free (parts->rules, TRUE);
    g_string_free (parts->notes, TRUE);
}

static void
collect (const RfPlan *plan, const RfFacts *facts, Parts *parts)
{
    gboolean nix = facts->immutable == RF_IMMUTABLE_NIXOS;
    *parts = (Parts){g_string_new (NULL), g_string_new (NULL), g_string_new (NULL), NULL};
    for (guint i = 0; i < rf_plan_length (plan); i++) {
        const RfChange *change = rf_plan_get (plan, i);
        if (change->tunable->backend == RF_BACKEND_ZRAM) {
            parts->zram = &change->value;
            continue;
        }
        if (change->tunable->backend == RF_BACKEND_QUEUE) {
            g_autofree char *line = udev_line (change, facts);
            if (line != NULL)
                g_string_append (parts->rules, line);
            else
                g_string_append_printf (parts->notes, nix ? "  # %s: %s\n" : ";; %s: %s\n", change->instance,
                                        _ ("cannot be told from other drives after a restart"));
            continue;
        }
        g_autofree char *key = rf_setting_line_key (change->tunable, &change->value);
        g_autofree char *value = rf_setting_line_value (&change->value);
        g_autofree char *quoted_key = nix ? rf_snippet_nix_string (key) : rf_snippet_scheme_string (key);
        g_autofree char *quoted = nix ? rf_snippet_nix_string (value) : rf_snippet_scheme_string (value);
        gboolean number = change->value.kind != RF_VALUE_VECTOR && change->value.kind != RF_VALUE_CHOICE;
        if (nix)
            g_string_append_printf (parts->sysctl, "    %s = %s;\n", quoted_key, number ? value : quoted);
        else
            g_string_append_printf (parts->sysctl, "%s(%s . %s)", parts->sysctl->len > 0 ? "\n          " : "",
                                    quoted_key, quoted);
    }
}

/* options of NixOS: boot.kernel.sysctl, services.udev.extraRules, zramSwap.{enable,algorithm,memoryMax,memoryPercent,priority} */
static char *
nix_configuration (const Parts *parts)
{
    GString *out = g_string_new ("{\n");
    g_string_append (out, parts->notes->str);
    if (parts->sysctl->len > 0)
        g_string_append_printf (out, "  boot.kernel.sysctl = {\n%s  };\n", parts->sysctl->str);
    if (parts->rules->len > 0) {
        g_auto (GStrv) lines = g_strsplit (parts->rules->str, "\n", -1);
        g_string_append (out, "  services.udev.extraRules = ''\n");
        for (char **line = lines; *line != NULL && **line != '\0'; line++) {
            g_autofree char *inner = rf_snippet_nix_indented (*line);
            g_string_append_printf (out, "    %s\n", inner);
        }
        g_string_append (out, "  '';\n");
    }
    if (parts->zram != NULL) {
        g_autofree char *algorithm = rf_snippet_nix_string (parts->zram->token);
        /* the size is the smaller of a share of memory and the maximum: with all of it the maximum decides */
        g_string_append_printf (out,
                                "  zramSwap = {\n    enable = true;\n    algorithm = %s;\n    memoryPercent = 100;\n"
                                "    memoryMax = %" G_GINT64_FORMAT ";\n    priority = %" G_GINT64_FORMAT ";\n  };\n",
                                algorithm, parts->zram->n[0], parts->zram->n[1]);
    }
    return g_string_free (g_string_append (out, "}\n"), FALSE);
}

/* Guix manual, "Miscellaneous Services", "Base Services" and "Linux Services" */
static char *
guix_configuration (const Parts *parts)
{
    GString *out = g_string_new (";; (services …)\n");
    g_string_append (out, parts->notes->str);
    if (parts->sysctl->len > 0)
        g_string_append_printf (out,
                                "(modify-services %%desktop-services\n  (sysctl-service-type config =>\n"
                                "    (sysctl-configuration\n      (inherit config)\n      (settings (append\n        '(%s)\n"
                                "        (sysctl-configuration-settings config))))))\n",
                                parts->sysctl->str);
    if (parts->rules->len > 0) {
        g_autofree char *rules = rf_snippet_scheme_string (parts->rules->str);
        g_string_append_printf (
            out, "(udev-rules-service 'ruckelfrei\n  (udev-rule \"99-zz-ruckelfrei.rules\"\n    %s))\n", rules);
    }
    if (parts->zram != NULL)
        g_string_append_printf (out,
                                "(service zram-device-service-type\n  (zram-device-configuration\n"
                                "    (size %" G_GINT64_FORMAT ")\n    (compression-algorithm '%s)\n"
                                "    (priority %" G_GINT64_FORMAT ")))\n",
                                parts->zram->n[0], parts->zram->token, parts->zram->n[1]);
    return g_string_free (out, FALSE);
}

char *
rf_snippet_configuration (const RfPlan *plan, const RfFacts *facts)
{
    g_return_val_if_fail (plan != NULL && facts != NULL, NULL);
    if (facts->immutable != RF_IMMUTABLE_NIXOS && facts->immutable != RF_IMMUTABLE_GUIX)
        return NULL;
    Parts parts;
    collect (plan, facts, &parts);
    char *text = facts->immutable == RF_IMMUTABLE_NIXOS ? nix_configuration (&parts) : guix_configuration (&parts);
    parts_clear (&parts);
    return text;
}

RfPlan *
rf_snippet_plan_of_record (const RfRecord *record)
{
    g_return_val_if_fail (record != NULL, NULL);
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->state == RF_ENTRY_APPLIED)
            rf_plan_builder_set (builder, entry->tunable, entry->instance, &entry->ours);
    }
    return rf_plan_builder_finish (builder, NULL);
}

/* ---- commands */

static gboolean
is_plain_word (const char *text)
{
    for (const char *p = text; *p != '\0'; p++)
        if (!g_ascii_isalnum (*p) && strchr ("._:=,@%+-/", *p) == NULL)
            return FALSE;
    return *text != '\0';
}

char *
rf_snippet_command (const RfPlan *plan)
{
    g_return_val_if_fail (plan != NULL, NULL);
    GString *out = g_string_new ("sudo ruckelfreictl apply");
    for (guint i = 0; i < rf_plan_length (plan); i++) {
        const RfChange *change = rf_plan_get (plan, i);
        g_autofree char *value = g_strdelimit (rf_value_to_text (&change->value), " ", ',');
        const char *at = change->instance[0] != '\0' ? "@" : "";
        g_autofree char *word = g_strdup_printf ("%s%s%s=%s", change->tunable->id, at, change->instance, value);
        g_autofree char *quoted = is_plain_word (word) ? g_strdup (word) : g_shell_quote (word);
        g_string_append_printf (out, " %s", quoted);
    }
    return g_string_free (out, FALSE);
}

static gboolean
has (RfSysroot *sysroot, const char *a, const char *b)
{
    return rf_sysroot_exists (sysroot, a) || (b != NULL && rf_sysroot_exists (sysroot, b));
}

static char *
grub_command (RfSysroot *sysroot, const char *argument)
{
    const char *make = NULL;
    if (has (sysroot, "usr/sbin/update-grub", "sbin/update-grub"))
        /* a file of our own: what the distribution wrote stays as it is */
        return g_strdup_printf ("echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX %s\"' |\n"
                                "    sudo tee /etc/default/grub.d/ruckelfrei.cfg && sudo update-grub",
                                argument);
    if (has (sysroot, "usr/bin/grub-mkconfig", "usr/sbin/grub-mkconfig"))
        make = "grub-mkconfig -o /boot/grub/grub.cfg";
    else if (has (sysroot, "usr/sbin/grub2-mkconfig", "usr/bin/grub2-mkconfig"))
        make = "grub2-mkconfig -o /boot/grub2/grub.cfg";
    if (make == NULL)
        return NULL;
    return g_strdup_printf ("sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&%s /' /etc/default/grub &&\n    sudo %s", argument,
                            make);
}

char *
rf_snippet_kernel_argument (RfSysroot *sysroot, const RfFacts *facts, const char *argument)
{
    static const char *const pi[] = {"boot/firmware/cmdline.txt", "boot/cmdline.txt"};
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && facts != NULL && is_plain_word (argument), NULL);
    if (facts->immutable == RF_IMMUTABLE_NIXOS)
        return g_strdup_printf ("boot.kernelParams = [ \"%s\" ];", argument);
    if (facts->immutable == RF_IMMUTABLE_GUIX)
        return g_strdup_printf ("(kernel-arguments (cons \"%s\" %%default-kernel-arguments))", argument);
    if (facts->immutable == RF_IMMUTABLE_OSTREE)
        return g_strdup_printf ("sudo rpm-ostree kargs --append-if-missing=%s", argument);
    if (has (sysroot, "usr/sbin/grubby", "usr/bin/grubby"))
        return g_strdup_printf ("sudo grubby --update-kernel=ALL --args=%s", argument);
    if (has (sysroot, "usr/bin/kernelstub", NULL))
        return g_strdup_printf ("sudo kernelstub --add-options %s", argument);
    for (guint i = 0; i < G_N_ELEMENTS (pi); i++)
        if (has (sysroot, pi[i], NULL))
            return g_strdup_printf ("sudo sed -i '1s/$/ %s/' /%s", argument, pi[i]);
    if (has (sysroot, "etc/default/grub", NULL))
        return grub_command (sysroot, argument);
    if (has (sysroot, "etc/kernel/cmdline", NULL) && has (sysroot, "usr/bin/kernel-install", NULL))
        return g_strdup_printf ("echo \"$(cat /etc/kernel/cmdline) %s\" | sudo tee /etc/kernel/cmdline &&\n"
                                "    sudo kernel-install add \"$(uname -r)\" \"/lib/modules/$(uname -r)/vmlinuz\"",
                                argument);
    return NULL;
}
