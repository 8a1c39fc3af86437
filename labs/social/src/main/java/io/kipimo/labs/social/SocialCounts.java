package io.kipimo.labs.social;

import io.kipimo.labs.social.graph.SocialAction;
import io.kipimo.labs.social.validation.ReadCounts;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts of one generator's actions on the store.
 *
 * @param actions number of sent actions of each kind, in {@link SocialAction}'s order
 * @param substituted sent actions that replaced an action without an object, such as an acceptance without a request
 * @param failed actions without an answer, or with an error
 * @param refused writes that the store's state did not allow, although it should have
 * @param reads verdicts on reads
 */
public record SocialCounts(List<Long> actions, long substituted, long failed, long refused, ReadCounts reads) {
    /** Greatest share of substituted actions at which the mix counts as unchanged. */
    private static final double TOLERABLE = 0.01;

    static final SocialCounts NONE =
            new SocialCounts(Collections.nCopies(SocialAction.values().length, 0L), 0, 0, 0, ReadCounts.NONE);

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
     * Returns whether the store must be restored before the next experiment (sec. 5.3). It must if the mix was not as
     * configured, actions failed or were refused, or reads were unpredictable.
     */
    public boolean isViolation() {
        return failed > 0 || refused > 0 || reads.unpredictable() > 0 || substituted > TOLERABLE * total();
    }

    /** The counts since an earlier state of them. */
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
