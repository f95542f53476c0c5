#define G_LOG_DOMAIN "rf-tunable-text"
#include "config.h"

#include "rf-tunable-text.h"

#include <string.h>

#include <glib/gi18n.h>

typedef struct {
    const char *id;
    const char *title;
    const char *explanation;
} Words;

static const Words words[] = {
    {"vm.min_free_kbytes", N_ ("Locked reserve"),
     N_ ("Memory that the kernel never hands out to normal programs. When free memory falls to this level, programs "
         "must "
         "clear memory themselves before they get any. A larger reserve starts clearing earlier, but only a quarter of "
         "it is head start; the rest is simply taken away. If it is far too large, programs are ended for lack of "
         "memory.")},
    {"vm.watermark_scale_factor", N_ ("Distance at which clearing starts"),
     N_ ("How far above the reserve the kernel begins to clear memory in the background. The greater this distance, "
         "the "
         "more time it has before a program must wait for memory. The distance is kept free all the time and costs "
         "that much page cache.")},
    {"vm.dirty", N_ ("Largest amount waiting to be written"),
     N_ ("How much changed data may wait in memory until it is written to the drive. When it is reached, every program "
         "that writes is slowed down until the drive has caught up. A smaller amount means shorter write storms and "
         "less to lose at a power cut; copying large files may then show a lower speed.")},
    {"vm.dirty_background", N_ ("Start writing back earlier"),
     N_ ("The amount of changed data in memory at which the kernel begins to write it to the drive in the background. "
         "Starting earlier spreads the work, so that less is written in one go. Data that would soon have been "
         "deleted again is then written as well.")},
    {"vm.dirty_expire_centisecs", N_ ("Age at which changed data is written"),
     N_ ("Changed data that is older than this is written to the drive even if there is little of it. A shorter time "
         "means less to lose at a power cut and more frequent writing. It is not a promise: programs that need "
         "certainty write through by themselves.")},
    {"vm.dirty_writeback_centisecs", N_ ("How often the kernel looks for old data"),
     N_ ("The interval at which the kernel wakes up and writes changed data that has grown old. A longer interval lets "
         "the drive rest more often; a shorter one spreads the writing. It decides nothing about how much is "
         "written in all.")},
    {"block.scheduler", N_ ("Order of requests to the drive"),
     N_ ("The IO scheduler decides in which order requests go to the drive. A fast NVMe drive sorts them by itself, so "
         "“none” saves some processor time; a scheduler can keep reading responsive while much is "
         "being written. Changing it halts the drive's queue for a moment.")},
    {"block.wbt_lat_usec", N_ ("Write throttling"),
     N_ ("Write throttling (WBT) holds background writing back when reading gets slow: it protects programs from write "
         "storms. Without it writing is faster and reading can wait longer. Switching it off can make stutter worse; "
         "it is for people who measure before and after.")},
    {"swap.zram", N_ ("Compressed swap in memory"),
     N_ ("zram keeps memory that is not in use compressed in memory instead of swapping it out to a drive. It saves "
         "writing to the drive and pays for it with processor time and memory. How much it gains depends on how "
         "well the data compresses.")},
    {"vm.page-cluster", N_ ("Pages fetched back at once"),
     N_ ("When one page is fetched back from swap, the kernel fetches its neighbours along with it. On a drive this "
         "saves waiting. From compressed swap in memory every page costs processor time, and the neighbours are "
         "often not needed.")},
    {"vm.swappiness", N_ ("Swap willingness"),
     N_ ("How the kernel weighs swapping out programs' memory against dropping files from the page cache, when it must "
         "clear one of them. 100 treats both as equally costly, less spares programs, more spares the page cache. "
         "It does not say when swapping starts.")},
    {"vm.watermark_boost_factor", N_ ("Extra clearing against fragmentation"),
     N_ ("When free memory is scattered in small pieces, the kernel clears more than usual for a while, so that large "
         "pieces become free again. It has nothing to do with rotating disks, as old guides say. Without it large "
         "memory pages can become rarer.")},
    {"block.read_ahead_kb", N_ ("Read-ahead"),
     N_ ("How much the kernel reads in advance when a program reads a file from beginning to end. More helps with "
         "large "
         "files, too much fills the page cache with data that nobody asked for. It only takes effect on the topmost "
         "layer below the file system.")},
    {"vm.vfs_cache_pressure", N_ ("Memory for names and folders"),
     N_ ("How readily the kernel forgets file names and folders it has read, compared with the content of files. Lower "
         "values keep them longer. An effect on stutter has not been shown; at 0 they would never be cleared and "
         "the memory could run out.")},
    {"net.core.rmem_max", N_ ("Largest receive buffer"),
     N_ ("The largest buffer that a program may ask for to receive data from the network. It matters for fast "
         "transfers "
         "over long distances. It does nothing against stutter.")},
    {"net.core.wmem_max", N_ ("Largest send buffer"),
     N_ ("The largest buffer that a program may ask for to send data to the network. It matters for fast transfers "
         "over "
         "long distances. It does nothing against stutter.")},
    {"net.ipv4.tcp_rmem", N_ ("TCP receive buffers"),
     N_ ("Smallest, initial and largest buffer with which a TCP connection receives data. Old guides set values that "
         "are "
         "lower than what today's kernels choose. It does nothing against stutter.")},
    {"net.ipv4.tcp_wmem", N_ ("TCP send buffers"),
     N_ ("Smallest, initial and largest buffer with which a TCP connection sends data. Old guides set values that are "
         "lower than what today's kernels choose. It does nothing against stutter.")},
    {"net.ipv4.tcp_keepalive_time", N_ ("Idle time before a connection is checked"),
     N_ ("After this time without traffic the kernel asks whether the other side of a TCP connection is still there. "
         "It matters for servers with many idle connections. It does nothing against stutter.")},
    {"net.ipv4.tcp_fin_timeout", N_ ("Time until a closed connection is forgotten"),
     N_ ("How long the kernel waits for the other side to finish closing a TCP connection. It matters for servers that "
         "open and close very many. It does nothing against stutter.")},
};

static const Words *
find_words (const RfTunable *tunable)
{
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        if (g_str_equal (words[i].id, tunable->id))
            return &words[i];
    return NULL;
}

/* A tunable without words would be a mistake of ours, which a test finds; a person then reads the kernel's name. */
const char *
rf_tunable_title (const RfTunable *tunable)
{
    const Words *found = find_words (tunable);
    return found != NULL ? _ (found->title) : tunable->id;
}

const char *
rf_tunable_explanation (const RfTunable *tunable)
{
    const Words *found = find_words (tunable);
    return found != NULL ? _ (found->explanation) : "";
}

char *
rf_tunable_kernel_name (const RfTunable *tunable, const char *instance, const RfValue *value)
{
    if (tunable->kind == RF_VALUE_DIRTY && value != NULL && value->kind == RF_VALUE_DIRTY)
        return g_strconcat (tunable->id, value->n[1] == RF_DIRTY_BYTES ? "_bytes" : "_ratio", NULL);
    if (tunable->kind == RF_VALUE_DIRTY)
        return g_strconcat (tunable->id, "_ratio, ", tunable->id, "_bytes", NULL);
    if (tunable->backend == RF_BACKEND_ZRAM)
        return g_strdup ("zram");
    if (tunable->backend != RF_BACKEND_QUEUE)
        return g_strdup (tunable->id);

    /* a btrfs file system has no queue, only a "backing device info" of its own */
    gboolean bdi = instance != NULL && g_str_has_prefix (instance, "btrfs");
    const char *attribute = strrchr (tunable->path, '/');
    attribute = attribute != NULL ? attribute + 1 : tunable->path;
    if (instance == NULL || *instance == '\0')
        return g_strconcat ("queue/", attribute, NULL);
    return g_strdup_printf ("%s/%s (%s)", bdi ? "bdi" : "queue", attribute, instance);
}

char *
rf_tunable_instance_label (const RfTunable *tunable, const char *instance, const RfFacts *facts)
{
    if (tunable->instances == RF_INSTANCE_NONE || instance == NULL || *instance == '\0')
        return NULL;
    const char *label = NULL;
    if (tunable->instances == RF_INSTANCE_READAHEAD && facts != NULL) {
        const RfReadahead *readahead = rf_facts_find_readahead (facts, instance);
        label = readahead != NULL ? readahead->label : NULL;
    }
    if (label == NULL && facts != NULL) {
        const RfDisk *disk = rf_facts_find_disk (facts, instance);
        label = disk != NULL ? disk->model : NULL;
    }
    if (label == NULL || *label == '\0' || g_str_equal (label, instance))
        return g_strdup (instance);
    return g_strdup_printf ("%s (%s)", label, instance);
}

/* The factor counts ten-thousandths: 10 is 0.1 %, 62 is 0.62 %. */
static char *
per_10000_text (const RfTunable *tunable, gint64 number)
{
    int decimals = number % 100 == 0 ? 0 : number % 10 == 0 ? 1 : 2;
    g_autofree char *percent = g_strdup_printf ("%'.*f", decimals, (double)number / 100);
    if (!g_str_equal (tunable->id, "vm.watermark_boost_factor"))
        return g_strdup_printf (_ ("%s %% of memory"), percent);
    if (number == 0)
        return g_strdup (C_ ("setting", "off"));
    /* TRANSLATORS: share of the upper threshold (watermark "high") of free memory */
    return g_strdup_printf (_ ("%s %% of the upper threshold"), percent);
}

static char *
int_text (const RfTunable *tunable, gint64 number)
{
    g_autofree char *a = NULL;
    switch (tunable->unit) {
    case RF_UNIT_KIB:
        return rf_format_bytes (number > 0 ? (guint64)number * 1024 : 0);
    case RF_UNIT_PER_10000:
        return per_10000_text (tunable, number);
    case RF_UNIT_CENTISECONDS:
        return number > 0 ? rf_format_duration ((double)number / 100) : g_strdup (C_ ("setting", "off"));
    case RF_UNIT_MICROSECONDS:
        return number > 0 ? rf_format_ms ((double)number / 1000) : g_strdup (C_ ("setting", "off"));
    case RF_UNIT_PAGES_LOG2: {
        guint pages = 1u << CLAMP (number, 0, 31);
        return g_strdup_printf (ngettext ("%u page", "%u pages", pages), pages);
    }
    case RF_UNIT_BYTES:
        return rf_format_bytes (number > 0 ? (guint64)number : 0);
    case RF_UNIT_SECONDS:
        return rf_format_duration ((double)number);
    case RF_UNIT_PERCENT:
        a = g_strdup_printf ("%'" G_GINT64_FORMAT, number);
        return g_strdup_printf (_ ("%s %%"), a);
    case RF_UNIT_DIRTY:
    case RF_UNIT_NONE:
    default:
        return g_strdup_printf ("%" G_GINT64_FORMAT, number);
    }
}

char *
rf_value_text (const RfTunable *tunable, const RfValue *value)
{
    g_autofree char *a = NULL, *b = NULL, *c = NULL;
    switch (value->kind) {
    case RF_VALUE_INT:
        return int_text (tunable, value->n[0]);
    case RF_VALUE_CHOICE:
        return g_strdup (value->token);
    case RF_VALUE_DIRTY:
        if (value->n[1] == RF_DIRTY_BYTES)
            return rf_format_bytes (value->n[0] > 0 ? (guint64)value->n[0] : 0);
        a = g_strdup_printf ("%" G_GINT64_FORMAT, value->n[0]);
        return g_strdup_printf (_ ("%s %% of memory"), a);
    case RF_VALUE_VECTOR:
        a = int_text (tunable, value->n[0]);
        b = int_text (tunable, value->n[1]);
        c = int_text (tunable, value->n[2]);
        /* TRANSLATORS: smallest, initial and largest size of a buffer */
        return g_strdup_printf (_ ("%s, %s, %s"), a, b, c);
    case RF_VALUE_ZRAM:
        a = rf_format_bytes (value->n[0] > 0 ? (guint64)value->n[0] : 0);
        b = g_strdup_printf ("%" G_GINT64_FORMAT, value->n[1]);
        /* TRANSLATORS: compressed swap: size, compression algorithm, swap priority */
        return g_strdup_printf (_ ("%s, %s, priority %s"), a, value->token, b);
    case RF_VALUE_ABSENT:
    default:
        return tunable->kind == RF_VALUE_ZRAM ? g_strdup (_ ("not set up")) : g_strdup (_ ("not available"));
    }
}

char *
rf_value_raw_text (const RfTunable *tunable, const RfValue *value)
{
    if (value->kind == RF_VALUE_DIRTY)
        return g_strdup_printf ("%" G_GINT64_FORMAT, value->n[0]);
    return rf_value_to_text (value);
}

static const struct {
    const char *title;
    const char *headline;
    const char *problem;
} groups[] = {
    [RF_GROUP_MEMORY] = {N_ ("Memory pressure"), N_ ("Give the kernel a head start"),
                         N_ ("When a program needs a lot of memory at once, the kernel must first clear some. If it "
                             "starts too late, the program has to wait or clear memory itself, and for that moment "
                             "it stands still. Starting earlier costs a little memory and takes most of this waiting "
                             "away.")},
    [RF_GROUP_NVME] = {N_ ("NVMe"), N_ ("Let the drive do its work"),
                       N_ ("Between programs and a fast drive lies a queue that can reorder and slow down requests. On "
                           "most systems it is already set well for NVMe drives, and then there is nothing to do. "
                           "Where it is not, a change is worth trying, with a measurement before and after.")},
    [RF_GROUP_SWAP] = {N_ ("Swap"), N_ ("Keep swapping away from your data"),
                       N_ ("When memory gets tight, the kernel moves what is not in use to swap space. If that lies on "
                           "the same drive as your files, swapping and reading get in each other's way. Compressed "
                           "swap in memory avoids the drive, but costs processor time and is not always better.")},
    [RF_GROUP_SWAP_TUNING] = {N_ ("Swap tuning"), N_ ("Match swapping to the swap you have"),
                              N_ ("Some settings suit swap on a drive, others suit compressed swap in memory. Many "
                                  "guides mix the two up. Here you see which swap this system has, what follows from "
                                  "that, and what is only a matter of opinion.")},
    [RF_GROUP_EXPERT] = {N_ ("Expert settings"), N_ ("What old guides list"),
                         N_ ("These settings turn up in guides against stutter, but no effect on stutter has been "
                             "shown. They are here so that you can see what they are and what they are set to. "
                             "Leaving them alone is the best advice.")},
};
G_STATIC_ASSERT (G_N_ELEMENTS (groups) == RF_N_GROUPS);

const char *
rf_group_title (RfGroup group)
{
    g_return_val_if_fail ((guint)group < RF_N_GROUPS, "");
    return _ (groups[group].title);
}

const char *
rf_group_headline (RfGroup group)
{
    g_return_val_if_fail ((guint)group < RF_N_GROUPS, "");
    return _ (groups[group].headline);
}

const char *
rf_group_problem (RfGroup group)
{
    g_return_val_if_fail ((guint)group < RF_N_GROUPS, "");
    return _ (groups[group].problem);
}
