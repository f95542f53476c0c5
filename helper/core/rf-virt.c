#define G_LOG_DOMAIN "rf-virt"
#include "config.h"

#include "rf-facts-private.h"

#include <string.h>

#include "rf-mounts.h"

/* The names are those of systemd-detect-virt(1). */
static char *
virtualisation_from_dmi (RfSysroot *sysroot)
{
    static const char *const files[] = {"product_name", "sys_vendor", "board_vendor", "bios_vendor"};
    static const struct {
        const char *prefix;
        const char *name;
    } table[] = {
        {"KVM", "kvm"},
        {"OpenStack", "kvm"},
        {"KubeVirt", "kvm"},
        {"Google Compute Engine", "google"},
        {"Amazon EC2", "amazon"},
        {"QEMU", "qemu"},
        {"VMware", "vmware"},
        {"VMW", "vmware"},
        {"innotek GmbH", "oracle"},
        {"VirtualBox", "oracle"},
        {"Xen", "xen"},
        {"Bochs", "bochs"},
        {"Parallels", "parallels"},
        {"BHYVE", "bhyve"},
        {"Hyper-V", "microsoft"},
        {"Virtual Machine", "microsoft"},
        {"Apple Virtualization", "apple"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autofree char *path = g_strdup_printf ("sys/class/dmi/id/%s", files[i]);
        g_autofree char *text = rf_sysroot_read_line (sysroot, path);
        /* rented bare metal carries the vendor's name too */
        if (text != NULL && i == 0 && strstr (text, ".metal") != NULL)
            return NULL;
        for (gsize k = 0; text != NULL && k < G_N_ELEMENTS (table); k++)
            if (g_str_has_prefix (text, table[k].prefix))
                return g_strdup (table[k].name);
    }
    return NULL;
}

static gboolean
file_contains (RfSysroot *sysroot, const char *path, const char *text)
{
    g_autofree char *content = rf_sysroot_read (sysroot, path, NULL, NULL);
    return content != NULL && strstr (content, text) != NULL;
}

static char *
find_virtualisation (RfSysroot *sysroot)
{
    /* the host side of Xen is a machine, though it shows a hypervisor */
    if (file_contains (sysroot, "proc/xen/capabilities", "control_d"))
        return NULL;
    gboolean kvm_clock
        = file_contains (sysroot, "sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock");
    g_autofree char *dmi = virtualisation_from_dmi (sysroot);
    if (dmi != NULL)
        return g_str_equal (dmi, "qemu") && kvm_clock ? g_strdup ("kvm") : g_steal_pointer (&dmi);
    char *type = rf_sysroot_read_line (sysroot, "sys/hypervisor/type");
    if (type != NULL)
        return type;
    if (file_contains (sysroot, "proc/device-tree/hypervisor/compatible", "linux,kvm"))
        return g_strdup ("kvm");
    if (!file_contains (sysroot, "proc/cpuinfo", " hypervisor"))
        return NULL;
    return g_strdup (kvm_clock ? "kvm" : "vm-other");
}

/* container=… in the environment of PID 1: root only; what an unprivileged process sees is written to /run by systemd
 */
static char *
container_from_environment (RfSysroot *sysroot)
{
    gsize length = 0;
    g_autofree char *text = rf_sysroot_read (sysroot, "proc/1/environ", &length, NULL);
    for (gsize at = 0; text != NULL && at < length; at += strlen (text + at) + 1)
        if (g_str_has_prefix (text + at, "container=") && text[at + strlen ("container=")] != '\0')
            return g_strdup (text + at + strlen ("container="));
    return NULL;
}

/* Files that an image brings along stay behind when the image is booted as a machine of its own. Then we are in the
 * kernel's first PID namespace, whose number is fixed (PROC_PID_INIT_INO), and the root is a plain file system. */
static gboolean
is_first_namespace (RfSysroot *sysroot, GPtrArray *mounts)
{
    g_autofree char *link = rf_sysroot_readlink (sysroot, "proc/self/ns/pid");
    const RfMount *root = rf_mounts_find (mounts, "/");
    return g_strcmp0 (link, "pid:[4026531836]") == 0 && root != NULL && strstr (root->type, "overlay") == NULL;
}

static char *
find_container (RfSysroot *sysroot, const char *release, GPtrArray *mounts)
{
    static const char *const texts[] = {"run/host/container-manager", "run/systemd/container"};
    static const struct {
        const char *path;
        const char *name;
    } files[] = {{".dockerenv", "docker"}, {"run/.containerenv", "podman"}, {".flatpak-info", "flatpak"}};
    static const struct {
        const char *text;
        const char *name;
    } groups[] = {{":/docker/", "docker"}, {":/lxc/", "lxc"}, {":/lxc.payload", "lxc"}};
    if (release != NULL
        && (strstr (release, "Microsoft") != NULL || strstr (release, "microsoft") != NULL
            || g_str_has_suffix (release, "WSL") || g_str_has_suffix (release, "WSL2")))
        return g_strdup ("wsl");
    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
        char *text = rf_sysroot_read_line (sysroot, texts[i]);
        if (text != NULL && text[0] != '\0')
            return text;
        g_free (text);
    }
    if (rf_sysroot_exists (sysroot, "proc/vz") && !rf_sysroot_exists (sysroot, "proc/bc"))
        return g_strdup ("openvz");
    char *environment = container_from_environment (sysroot);
    if (environment != NULL)
        return environment;
    gboolean leftover = is_first_namespace (sysroot, mounts);
    for (gsize i = 0; !leftover && i < G_N_ELEMENTS (files); i++)
        if (rf_sysroot_exists (sysroot, files[i].path))
            return g_strdup (files[i].name);
    for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
        if (file_contains (sysroot, "proc/1/cgroup", groups[i].text))
            return g_strdup (groups[i].name);
    return NULL;
}

static RfImmutable
find_immutable (RfSysroot *sysroot, const char *id)
{
    if (rf_sysroot_exists (sysroot, "etc/NIXOS") || g_strcmp0 (id, "nixos") == 0)
        return RF_IMMUTABLE_NIXOS;
    if (rf_sysroot_exists (sysroot, "run/ostree-booted"))
        return RF_IMMUTABLE_OSTREE;
    g_autofree char *system = rf_sysroot_readlink (sysroot, "run/current-system");
    if (g_strcmp0 (id, "guix") == 0 || (system != NULL && rf_sysroot_exists (sysroot, "gnu/store")))
        return RF_IMMUTABLE_GUIX;
    return RF_IMMUTABLE_NO;
}

void
rf_virt_read (RfSysroot *sysroot, RfFacts *facts)
{
    g_autoptr (GPtrArray) mounts = rf_mounts_read (sysroot);
    const RfMount *mount = rf_mounts_find (mounts, "/proc/sys/vm");
    facts->sysctl_read_only = mount != NULL && mount->read_only;
    facts->virtualisation = find_virtualisation (sysroot);
    facts->container = find_container (sysroot, facts->kernel_release, mounts);
    facts->immutable = find_immutable (sysroot, facts->distribution_id);
}
