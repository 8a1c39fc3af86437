package io.kipimo.core.quality.join;

/**
 * Decides whether one partition of the log may be left out of event time because nothing comes through it. A reader
 * that gets too little time, or cannot reach a broker, cannot tell an empty partition from one whose records wait. So
 * silence alone tells nothing: the reader must also have read everything that was in the log a moment ago. It asks for
 * the end of the log, and notes when it asked. Once it has read that far, it knows that it was at the end at that time.
 * Records at the end of the log that cannot be read, such as an open transaction, count as unread.
 *
 * <p>A partition whose records are all unusable is idle, too, if its reader keeps up.
 *
 * <p>Mutable, for one thread. Its times are those of one clock that never goes back, milliseconds.
 */
public final class PartitionIdleness {
    /** Greatest age of the question for the end of the log whose answer proves that a partition is idle. */
    public static final long KNOWLEDGE_LASTS_MILLIS = 3_000;

    private static final long NEVER = Long.MIN_VALUE / 2;
    private static final long UNANSWERED = Long.MAX_VALUE;

    private final long idleMillis;
    private long usedMillis;
    private long askedMillis = NEVER;
    private long endOffset = UNANSWERED;
    private long wasAtEndMillis = NEVER;

    /**
     * Begins with a partition that is read from now on.
     *
     * @param idleMillis silence that makes a partition idle
     */
    public PartitionIdleness(long idleMillis, long nowMillis) {
        this.idleMillis = idleMillis;
        usedMillis = nowMillis;
    }

    /** Notes that a record was read that moves event time. */
    public void use(long nowMillis) {
        usedMillis = nowMillis;
    }

    /**
     * Whether to ask for the end of the log now. After {@link #ask}, this is false until the reader has read as far as
     * the answer, or {@link #failToAnswer} is called.
     */
    public boolean wantsEnd(long nowMillis) {
        return askedMillis == NEVER && nowMillis - usedMillis >= idleMillis / 2;
    }

    /** Notes that the end of the log is asked for. */
    public void ask(long nowMillis) {
        askedMillis = nowMillis;
    }

    /**
     * Notes the end of the log, which was found out some time between the question and now.
     *
     * @param endOffset offset after the last record, open transactions included
     */
    public void answer(long endOffset) {
        this.endOffset = endOffset;
    }

    /** Notes that the end of the log could not be found out. */
    public void failToAnswer() {
        askedMillis = NEVER;
    }

    /** Whether the partition was silent for long enough to be idle, if nothing in it is unread. */
    public boolean isSilent(long nowMillis) {
        return nowMillis - usedMillis >= idleMillis;
    }

    /**
     * Whether the partition is idle.
     *
     * @param position offset after everything that was read and passed on
     */
    public boolean isIdle(long position, long nowMillis) {
        if (position >= endOffset) {
            wasAtEndMillis = askedMillis;
            askedMillis = NEVER;
            endOffset = UNANSWERED;
        }
        return isSilent(nowMillis) && nowMillis - wasAtEndMillis <= KNOWLEDGE_LASTS_MILLIS;
    }
}
