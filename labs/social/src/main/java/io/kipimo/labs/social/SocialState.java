package io.kipimo.labs.social;

import io.kipimo.labs.social.graph.SocialAction;
import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.state.WriteLog;
import io.kipimo.labs.social.validation.InitialSets;
import io.kipimo.labs.social.validation.ReadCounts;
import io.kipimo.labs.social.validation.SetId;
import io.kipimo.labs.social.validation.ValidationLog;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * State of one generator, beginning with the store's initial state. It lives as long as the store is kept between
 * experiments.
 */
final class SocialState implements AutoCloseable {
    static final int FRIENDS = 0;
    static final int REQUESTS = 1;
    static final int COMMENTS = 2;

    final SocialModel model;
    final ValidationLog validation;
    final String epoch;
    final int of;
    private final AtomicLongArray actions = new AtomicLongArray(SocialAction.values().length);
    private final LongAdder substituted = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder refused = new LongAdder();

    SocialState(SocialGraph graph, WriteLog log, String epoch, int index, int of) {
        this.model = new SocialModel(graph, log, index, of);
        this.validation = new ValidationLog(initial(graph));
        this.epoch = epoch;
        this.of = of;
    }

    private static InitialSets initial(SocialGraph graph) {
        return set -> switch (set.kind()) {
            case FRIENDS -> graph.friendsOf((int) set.owner());
            case REQUESTS -> graph.requestsOf((int) set.owner());
            case COMMENTS -> graph.commentsOn(set.owner());
            default -> throw new IllegalArgumentException(set.toString());
        };
    }

    static SetId friends(int member) {
        return new SetId(FRIENDS, member);
    }

    static SetId requests(int member) {
        return new SetId(REQUESTS, member);
    }

    static SetId comments(long resource) {
        return new SetId(COMMENTS, resource);
    }

    void count(SocialAction wanted, SocialAction done) {
        actions.incrementAndGet(done.ordinal());
        if (wanted != done) {
            substituted.increment();
        }
    }

    /** Counts a write with an unknown outcome, or a read without an answer. */
    void countFailed() {
        failed.increment();
    }

    /** Counts a write that the store refused although it should have been possible. */
    void countRefused() {
        refused.increment();
    }

    SocialCounts counts() {
        ReadCounts reads = validation.settle();
        return new SocialCounts(
                IntStream.range(0, actions.length()).mapToObj(actions::get).toList(),
                substituted.sum(),
                failed.sum(),
                refused.sum(),
                reads);
    }

    @Override
    public void close() {
        validation.close();
    }
}
