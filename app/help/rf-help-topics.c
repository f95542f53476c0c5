#define G_LOG_DOMAIN "rf-help-topics"

#include "config.h"

#include "rf-help-topics.h"

#include <glib/gi18n.h>

#define MAX_PARTS 4

struct _RfHelpTopic {
    const char *id;
    RfHelpGroup group;
    const char *title;
    const char *parts[MAX_PARTS]; /* of a graph: what it shows, what is good, what to do */
};

static const char *const graph_headings[] = {N_ ("What it shows"), N_ ("What is good"), N_ ("What you can do")};

static const RfHelpTopic topics[] = {
    {
        .id = "how",
        .title = N_ ("How Ruckelfrei works"),
        .parts = {
            N_ ("Sometimes a computer stops for a moment although nothing is broken. A program has to wait until the "
                "kernel has cleared memory for it, or until a drive has done its work. Such short waits are felt as "
                "stutter."),
            N_ ("Ruckelfrei shows when that happens and why. It proposes a few settings that are computed for this "
                "computer, and the guided tuning tries them out together with you. You then decide whether they stay."),
            N_ ("Looking changes nothing. Only “Apply” does, and before that an administrator's password is asked for."),
        },
    },
    {
        .id = "trial",
        .title = N_ ("What a trial is"),
        .parts = {
            N_ ("After “Apply” the new settings are active at once, but only on trial: a countdown shows how long. Use "
                "your computer meanwhile as you always do, best with the programs in which it stuttered."),
            N_ ("If you do nothing, everything goes back by itself when the time is over. The same happens when "
                "Ruckelfrei is closed or ends unexpectedly, and when memory gets into trouble after the change."),
            N_ ("“Keep these settings” ends the trial. Only then are files written that bring the settings back at "
                "the next start of the computer."),
        },
    },
    {
        .id = "taking-back",
        .title = N_ ("Taking back"),
        .parts = {
            N_ ("Before anything is changed, Ruckelfrei notes what was there. The page “Changes” lists it and takes back "
                "everything with one click, or a single setting. For that no password is asked of the person who sits "
                "at the computer."),
            N_ ("If somebody else has changed a value since, it is left alone, and you are told so. You can then decide "
                "to take it back all the same."),
            N_ ("Removing Ruckelfrei from the computer takes everything back, too."),
        },
    },
    {
        .id = "check",
        .title = N_ ("Reading the Check page"),
        .parts = {
            N_ ("Not every stutter can be tuned away. The Check page looks for causes that come first: a drive that is "
                "nearly full, swap on the wrong drive, another tuning program, an old tip from the internet."),
            N_ ("Each row has one of three verdicts. “Fine” needs nothing. “Look here” says what was found and what the "
                "next step is. “Cannot be known here” says what is missing to tell: it is neither good nor bad."),
            N_ ("The page only reads. What it advises is done by you."),
        },
    },
    {
        .id = "monitor",
        .title = N_ ("Reading the graphs"),
        .parts = {
            N_ ("The newest moment is at the end of each line. The number beside the title is the value now, and the "
                "small print says in one sentence what the graph shows."),
            N_ ("The graphs say most together. When you feel a stutter, look which of them jumps at that moment. If "
                "none does, memory and drives are hardly the cause, and tuning them will not help."),
            N_ ("“Not available” means that this computer does not tell the value. It is not zero, and the reason stands "
                "beside it."),
        },
    },
    {
        .id = "recordings",
        .title = N_ ("Recordings"),
        .parts = {
            N_ ("A recording keeps what this system did while you flew, played or worked, many times a second. Start it, "
                "use your program as always, and mark the moments in which it stuttered. An hour says more than ten "
                "minutes."),
            N_ ("An open recording shows everything over its whole time. Ctrl and + or - come closer and go wider, Ctrl "
                "and Page Up or Page Down move through time, and one of the longest waits leads to its moment."),
            N_ ("Many recordings have phases: programs start, the page cache fills, then everything is in balance. They "
                "are found from the data. That none is found is a result, too."),
            N_ ("“Save as…” writes a report for others, without the names of the computer and of people and without serial "
                "numbers. Recordings themselves stay on this computer unless you export them."),
        },
    },
    {
        .id = "comparing",
        .title = N_ ("Comparing before and after"),
        .parts = {
            N_ ("Record with the old settings, change them, and record the same again: the same flight or game, as long "
                "as before, best from a fresh start of the computer. Then open one of the two and choose “Compare with…”."),
            N_ ("Only like is compared with like: the same phase, program, computer and kernel. What is not alike is not "
                "compared, and the reason is given."),
            N_ ("Two recordings differ by chance even if nothing was changed. Several on each side, taking turns, say more "
                "than a single one. In the terminal “ruckelfreictl compare” takes several on each side."),
        },
    },
    {
        .id = "certainty",
        .title = N_ ("What the certainty means"),
        .parts = {
            N_ ("Behind each change stands an interval, such as “−43 % (−60 to −21 %)”. In 95 of 100 cases the true change "
                "lies in it. The longer and the steadier the recordings are, the narrower it is."),
            N_ ("“No measurable difference” does not mean that nothing changed. It means that chance alone could have made "
                "what is seen. Then more recordings help, or the setting brings nothing here."),
            N_ ("The more numbers are looked at, the more of them differ by chance. This has been allowed for: each number "
                "has to be clearer than it would have to be alone."),
        },
    },
    {
        .id = "safety",
        .title = N_ ("What can go wrong"),
        .parts = {
            N_ ("Ruckelfrei writes only values that it knows, within limits of its own that are narrower than those of "
                "the kernel. After each write it reads back what is really there."),
            N_ ("What was there before is on the drive before the first write. After a crash or a power cut, the next "
                "start puts everything in order: either all of it is kept, or all of it is as before."),
            N_ ("A setting can cost something, for example memory that stays free, or more work after a power cut. Each "
                "step of the guided tuning says what it costs and how sure the advice is."),
            N_ ("Files of other programs are never changed. If one of them overrules a setting, Ruckelfrei says so."),
        },
    },
    {
        .id = "terminal",
        .title = N_ ("In the terminal"),
        .parts = {
            N_ ("Everything can be done in a terminal, too, also on a computer without a desktop. “ruckelfreictl check” "
                "says how things are, “ruckelfreictl plan” what would be changed."),
            N_ ("“sudo ruckelfreictl apply” tries it out, and “sudo ruckelfreictl revert --all” takes everything back. The "
                "latter works from a rescue system, too."),
            N_ ("“ruckelfreictl --help” and “man ruckelfreictl” say more."),
        },
    },
    {
        .id = "stalls",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Programs waiting for memory"),
        .parts = {
            N_ ("How often in a second a program wanted memory and had to clear some itself before it could go on. It "
                "stands still meanwhile, for a fraction of a millisecond up to some seconds."),
            N_ ("None. A few while you copy large files or start a large program are normal. Many of them, again and "
                "again, are stutter."),
            N_ ("Go through the guided tuning: a larger head start lets the kernel clear memory before programs have to "
                "wait. If free memory and swap are both nearly used up, only fewer programs or more memory help."),
        },
    },
    {
        .id = "free",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Free memory"),
        .parts = {
            N_ ("Memory that holds nothing at all, not even files that could be dropped. At the line “low” the kernel "
                "starts to clear memory in the background; at the line “min” programs wait."),
            N_ ("Little free memory is normal, because Linux keeps files in memory as long as there is room. It is good "
                "when the line turns round well above “min”."),
            N_ ("If the line falls to “min” again and again, the distance between “low” and “min” is too small. The "
                "guided tuning makes it larger."),
        },
    },
    {
        .id = "reclaim",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Clearing memory"),
        .parts = {
            N_ ("How much memory is searched to make room, by the kernel in the background and by programs that cannot "
                "wait any longer."),
            N_ ("The line “in the background” may rise as it likes; nobody waits for it. The line “by programs” should "
                "stay at zero."),
            N_ ("If programs clear memory themselves, give the kernel a larger head start with the guided tuning."),
        },
    },
    {
        .id = "pressure",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Pressure"),
        .parts = {
            N_ ("The share of time in which at least one program could not go on, because it waited for memory, for a "
                "drive or for a processor. The kernel measures this itself (PSI)."),
            N_ ("A few per cent are normal while much is going on. More than a tenth of the time for memory can be felt."),
            N_ ("Look which of the three lines rises. For memory and drives there is the guided tuning. For the "
                "processor it is not the right tool: too much wants to run at once."),
        },
    },
    {
        .id = "dirty",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Waiting to be written"),
        .parts = {
            N_ ("What programs have saved and no drive has yet. The kernel collects it and writes later. At the upper "
                "line it slows every program that writes."),
            N_ ("Small waves that are written away soon. A mountain that stands for a long time near the upper line means "
                "that the drive cannot keep up."),
            N_ ("The guided tuning lets writing begin earlier and limits how much may collect. With a slow drive, for "
                "example a USB stick, copying simply takes as long as it takes."),
        },
    },
    {
        .id = "latency",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Drive latency"),
        .parts = {
            N_ ("How long a drive takes for one request, on average. Where the line has a gap, nothing was asked of the "
                "drive."),
            N_ ("An NVMe drive answers in less than a millisecond, a hard disk in about ten. Short peaks while much is "
                "written are normal."),
            N_ ("If an NVMe drive takes many milliseconds, try the step “NVMe” of the guided tuning. Also look whether the "
                "drive is nearly full, and whether it may use TRIM."),
        },
    },
    {
        .id = "throughput",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Drive throughput"),
        .parts = {
            N_ ("How much all programs together read from a drive and write to it."),
            N_ ("There is no good or bad value. High throughput is stutter only together with high latency."),
            N_ ("If you do not know who writes so much: an update, an index of files, a backup or a download is often the "
                "reason. Let it finish first."),
        },
    },
    {
        .id = "swap",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Swap traffic"),
        .parts = {
            N_ ("Memory that moves out to swap space, and back in again when a program needs it."),
            N_ ("“Out” alone is harmless: what nobody uses makes room. “In” and “out” at the same time mean that memory is "
                "fetched that was needed after all, and somebody waits for it."),
            N_ ("The guided tuning can set up compressed swap in memory, which is much faster than a drive. If both lines "
                "stay high, the programs need more memory than there is."),
        },
    },
    {
        .id = "cpu",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("Processor"),
        .parts = {
            N_ ("How busy all processors are together. “Waiting for drives” is idle time while a request is under way; "
                "“taken” is time that other virtual machines had."),
            N_ ("Anything below the top. If it stays at the top, the computer has more to do than it can."),
            N_ ("Ruckelfrei does not tune the processor. In a virtual machine, much “taken” is a matter for whoever runs "
                "the host."),
        },
    },
    {
        .id = "tlb",
        .group = RF_HELP_GRAPHS,
        .title = N_ ("TLB shootdowns"),
        .parts = {
            N_ ("How often one processor had to interrupt another, because memory was moved or given back. Each "
                "interruption is very short."),
            N_ ("Thousands a second are normal on a computer with many processors. It is worth a look when the line jumps "
                "together with stutter."),
            N_ ("Clearing memory raises it. So what helps there helps here: a larger head start, and compressed swap in "
                "the place of swap on a drive."),
        },
    },
};

guint
rf_help_topics_count (void)
{
    return G_N_ELEMENTS (topics);
}

const RfHelpTopic *
rf_help_topics_get (guint index)
{
    g_return_val_if_fail (index < G_N_ELEMENTS (topics), NULL);

    return &topics[index];
}

const RfHelpTopic *
rf_help_topics_find (const char *id)
{
    for (guint i = 0; i < G_N_ELEMENTS (topics); i++) {
        if (g_strcmp0 (topics[i].id, id) == 0)
            return &topics[i];
    }
    return NULL;
}

const RfHelpTopic *
rf_help_topics_for_page (const char *page)
{
    static const struct {
        const char *page;
        const char *topic;
    } table[] = {{"monitor", "monitor"}, {"check", "check"}, {"recordings", "recordings"},
               {"changes", "taking-back"}, {"wizard", "trial"}};

    for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
        if (g_strcmp0 (table[i].page, page) == 0)
            return rf_help_topics_find (table[i].topic);
    }
    return &topics[0];
}

const char *
rf_help_group_title (RfHelpGroup group)
{
    switch (group) {
    case RF_HELP_GENERAL:
        return _ ("Ruckelfrei");
    case RF_HELP_GRAPHS:
        return _ ("The graphs of the monitor");
    case RF_N_HELP_GROUPS:
        break;
    }
    g_return_val_if_reached ("");
}

const char *
rf_help_topic_id (const RfHelpTopic *topic)
{
    return topic->id;
}

RfHelpGroup
rf_help_topic_group (const RfHelpTopic *topic)
{
    return topic->group;
}

const char *
rf_help_topic_title (const RfHelpTopic *topic)
{
    return _ (topic->title);
}

guint
rf_help_topic_count_parts (const RfHelpTopic *topic)
{
    guint n = 0;

    while (n < MAX_PARTS && topic->parts[n] != NULL)
        n++;
    return n;
}

const char *
rf_help_topic_part (const RfHelpTopic *topic, guint index, const char **heading)
{
    g_return_val_if_fail (index < rf_help_topic_count_parts (topic), NULL);

    *heading = topic->group == RF_HELP_GRAPHS ? _ (graph_headings[index]) : NULL;
    return _ (topic->parts[index]);
}
