#include "config.h"

#include "rf-fake-xplane.h"
#include "rf-test-ctl.h"
#include "rf-test-tree.h"

#include <locale.h>
#include <string.h>

#define CARD                                                                                                           \
    "=@ sys/devices/pci0000:00/0000:03:00.0\n"                                                                         \
    "=> ./driver -> ../../../bus/pci/drivers/amdgpu\n"                                                                 \
    "= ./product_name Radeon \x1b[31mRX\n"                                                                             \
    "= ./gpu_busy_percent 98\n"                                                                                        \
    "= ./mem_info_vram_total 25753026560\n"                                                                            \
    "= ./mem_info_vram_used 9753026560\n"                                                                              \
    "= ./hwmon/hwmon4/temp1_input 61000\n"                                                                             \
    "=> sys/class/drm/card1/device -> ../../../devices/pci0000:00/0000:03:00.0\n"                                      \
    "=> sys/class/drm/card2/device -> ../../../devices/virtio1\n"                                                      \
    "=> sys/devices/virtio1/driver -> ../../bus/virtio/drivers/virtio_gpu\n"                                           \
    "=> sys/bus/pci/drivers/nvidia/0000:01:00.0 -> ../../../../devices/x\n"

static RfTestRun *
run (RfTestTree *tree, const char *const *args)
{
    GSubprocess *process = rf_test_ctl_start (NULL, rf_test_tree_root (tree), args,
                                              G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
    RfTestRun *result = rf_test_ctl_finish (process, args);
    g_object_unref (process);
    return result;
}

static void
assert_width (const char *text)
{
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (char **line = lines; *line != NULL; line++)
        g_assert_cmpint (g_utf8_strlen (*line, -1), <=, 80);
}

/* One card that is read, one whose driver is silent, one without its library; no X-Plane. */
static void
cards (void)
{
    const char *args[] = {"watch", "--gpu", "-n", "2", "--xplane-port", "9", "--nvml", "/nonexistent/library", NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, CARD);
    g_autoptr (RfTestRun) words = run (tree, args);
    g_assert_cmpint (words->code, ==, 0);
    g_test_message ("%s", words->out);
    assert_width (words->out);
    g_assert_nonnull (strstr (words->out, "gpu0: NVIDIA (nvidia)\n  Not available: NVIDIA’s library"));
    g_assert_nonnull (strstr (words->out, "gpu1: Radeon \\x1b[31mRX (amdgpu)\n"));
    g_assert_nonnull (strstr (words->out, "Power "));
    g_assert_nonnull (strstr (words->out, "not available: this driver does not offer it"));
    g_assert_nonnull (strstr (words->out, "gpu2: virtio_gpu (virtio_gpu)\n  Its driver tells nothing"));
    const char *line = strstr (words->out, "\ngpu1 ");
    g_assert_nonnull (line);
    g_assert_nonnull (strstr (line, " 98 %   9.1 GiB        –    61 °C          –         –  –\n"));
    g_assert_nonnull (strstr (line + 1, "\ngpu1 ")); /* twice */
}

static void
nothing (void)
{
    const char *args[] = {"watch", "--gpu", "-n", "1", "--xplane-port", "9", NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfTestRun) words = run (tree, args);
    g_assert_cmpint (words->code, ==, 0);
    g_assert_nonnull (strstr (words->out, "No graphics card was found.\n"));
    g_assert_nonnull (strstr (words->out, "\n–  "));
}

static void
json (void)
{
    const char *args[] = {"watch", "--gpu", "--json", "-n", "1", "--xplane-port", "9", NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, CARD);
    g_autoptr (RfTestRun) data = run (tree, args);
    g_assert_cmpint (data->code, ==, 0);
    g_test_message ("%s", data->out);
    g_assert_nonnull (strstr (data->out, "\"state\": \"no-library\", \"utilisation\": null"));
    g_assert_nonnull (strstr (data->out, "\"state\": \"ready\", \"utilisation\": 0.98"));
    g_assert_nonnull (strstr (data->out, "\"vram_used_bytes\": 9753026560"));
    g_assert_nonnull (strstr (data->out, "\"frame_times\": 0, \"frame_ms\": null"));
    g_assert_true (strchr (data->out, '\n') == data->out + strlen (data->out) - 1); /* one line a document */
}

static void
frames (void)
{
    g_autoptr (RfFakeXplane) xplane = rf_fake_xplane_new (0);
    g_autofree char *port = g_strdup_printf ("%u", rf_fake_xplane_port (xplane));
    const char *args[] = {"watch", "--gpu", "-n", "3", "--xplane-port", port, NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfTestRun) words = run (tree, args);
    g_assert_cmpint (words->code, ==, 0);
    g_test_message ("%s", words->out);
    g_assert_nonnull (strstr (words->out, " 20 ms  –\n"));
    while (rf_fake_xplane_subscribed (xplane) != 0) /* it is told to stop; the time limit of the test is that of this */
        g_usleep (1000);
}

static void
usage (void)
{
    static const char *const table[][6] = {
        {"watch", "--program", "game", "-n", "1", NULL},
        {"watch", "--gpu", "extra", NULL},
        {"check", "--gpu", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfTestRun) result = rf_test_ctl_run (NULL, "laptop-8g", table[i]);
        g_assert_cmpint (result->code, ==, 2);
        g_assert_cmpstr (result->out, ==, "");
        g_assert_cmpstr (result->err, !=, "");
    }
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/ctl/sources/cards", cards);
    g_test_add_func ("/ctl/sources/nothing", nothing);
    g_test_add_func ("/ctl/sources/json", json);
    g_test_add_func ("/ctl/sources/frames", frames);
    g_test_add_func ("/ctl/sources/usage", usage);
    return g_test_run ();
}
