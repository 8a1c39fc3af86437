package io.kipimo.labs.social;

import io.kipimo.labs.social.graph.SocialAction;
import io.kipimo.labs.social.validation.ReadCounts;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one generator has asked of the store.
 *
 * @param actions that were sent, by {@link SocialAction}'s order
 * @param substituted of these, sent in place of one for which there was nothing, such as an
 *     acceptance when nobody had asked
 * @param failed without an answer, or with an error
 * @param refused writes that the store's state did not allow, though it should have
 * @param reads what became of the reads
 */
public record SocialCounts(
        List<Long> actions, long substituted, long failed, long refused, ReadCounts reads) {
    /** Substituted actions that leave a mix what it is, share of all. */
    private static final double TOLERABLE = 0.01;

    static final SocialCounts NONE =
            new SocialCounts(
                    Collections.nCopies(SocialAction.values().length, 0L),
                    0,
                    0,
                    0,
                    ReadCounts.NONE);

    public SocialCounts {
        actions = List.copyOf(actions);
    }

    public long of(SocialAction action) {
        return actions.get(action.ordinal());
    }

    public long total() {
        return actions.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Whether the store must not be kept for the next experiment (sec. 5.3): the mix was not what
     * it should have been, actions failed, or reads were unpredictable.
     */
    public boolean isViolation() {
        return failed > 0
                || refused > 0
                || reads.unpredictable() > 0
                || substituted > TOLERABLE * total();
    }

    /** What came since an earlier count. */
    public SocialCounts since(SocialCounts earlier) {
        return new SocialCounts(
                IntStream.range(0, actions.size())
                        .mapToObj(i -> actions.get(i) - earlier.actions.get(i))
                        .toList(),
                substituted - earlier.substituted,
                failed - earlier.failed,
                refused - earlier.refused,
                reads.since(earlier.reads));
    }
}
