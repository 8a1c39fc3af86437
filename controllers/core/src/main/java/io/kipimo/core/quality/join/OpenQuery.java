package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything known of one query, until its tombstone goes. Mutable, owned by one join; a Flink
 * POJO, which is why the fields are public.
 */
public final class OpenQuery {
    /** What the user got; null until it comes. */
    public Answer online;

    /** The replayed answer, for services that merge nothing; null until it comes. */
    public Answer replayed;

    /** Partial results in order of arrival; without items once the query is measured. */
    public List<PartialResult> partials = new ArrayList<>();

    /**
     * Least start that a partial result knows of, epoch milliseconds; meaningless without partial
     * results.
     */
    public long earliestInvocationMillis = Long.MAX_VALUE;

    /**
     * Results with items of a query that was clean and so is measured, until all that it invoked
     * are there and it can be profiled.
     */
    public List<PartialResult> unprofiled = new ArrayList<>();

    /** The measurement has been emitted; what is left is a tombstone. */
    public boolean measured;

    /**
     * When the query started, as far as is known: by the answer, else by the earliest partial
     * result.
     */
    public long startedAtMillis() {
        if (online != null) {
            return online.startedAtMillis();
        }
        return partials.isEmpty() && replayed != null
                ? replayed.startedAtMillis()
                : earliestInvocationMillis;
    }

    boolean has(String component, Phase phase) {
        for (PartialResult partial : partials) {
            if (partial.phase() == phase && partial.component().equals(component)) {
                return true;
            }
        }
        return false;
    }

    Invocation invocation(String component) {
        if (online != null) {
            for (Invocation invocation : online.invocations()) {
                if (invocation.component().equals(component)) {
                    return invocation;
                }
            }
        }
        return null;
    }

    /** Keeps what later events are compared with, and lets go of the items. */
    void bury() {
        measured = true;
        partials.replaceAll(OpenQuery::withoutItems);
        online = online == null ? null : withoutItems(online);
        replayed = replayed == null ? null : withoutItems(replayed);
    }

    private static PartialResult withoutItems(PartialResult p) {
        return new PartialResult(
                p.service(),
                p.queryId(),
                p.component(),
                p.server(),
                p.phase(),
                p.completedAtMillis(),
                p.latencyMicros(),
                Items.NONE,
                p.truncated());
    }

    private static Answer withoutItems(Answer a) {
        return new Answer(
                a.service(),
                a.queryId(),
                a.queryClass(),
                a.kind(),
                a.startedAtMillis(),
                a.answeredAtMillis(),
                a.deadlineMillis(),
                a.topK(),
                a.invocations(),
                Items.NONE,
                a.truncated());
    }
}
