package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Optional;

/**
 * The answer of a front end to one sampled query; topic {@code answers}.
 *
 * @param queryId W3C trace id if there is one, otherwise any text
 * @param queryClass priority class
 * @param startedAtMillis when the query reached the front end, epoch milliseconds
 * @param answeredAtMillis when the answer left, epoch milliseconds; the event time
 * @param deadlineMillis the deadline in force, milliseconds after the start
 * @param topK number of items that the user requested; 0: the service's default
 * @param invocations each component that the query invoked, once
 * @param items set only if no merge function can reproduce the front end's merge; otherwise {@link
 *     Items#NONE}
 * @param truncated whether items were cut at the cap
 * @param unmeasurable set if the emitter knows that the answer is not measurable
 * @param features of the query; may be empty
 */
public record Answer(
        String service,
        String queryId,
        String queryClass,
        AnswerKind kind,
        long startedAtMillis,
        long answeredAtMillis,
        int deadlineMillis,
        int topK,
        List<Invocation> invocations,
        Items items,
        boolean truncated,
        Optional<Unmeasurable> unmeasurable,
        Features features) {

    /** An answer to a query of which the front end states no features. */
    public Answer(
            String service,
            String queryId,
            String queryClass,
            AnswerKind kind,
            long startedAtMillis,
            long answeredAtMillis,
            int deadlineMillis,
            int topK,
            List<Invocation> invocations,
            Items items,
            boolean truncated,
            Optional<Unmeasurable> unmeasurable) {
        this(
                service,
                queryId,
                queryClass,
                kind,
                startedAtMillis,
                answeredAtMillis,
                deadlineMillis,
                topK,
                invocations,
                items,
                truncated,
                unmeasurable,
                Features.NONE);
    }

    /** A copy with these features of the query. */
    public Answer withFeatures(Features stated) {
        return new Answer(
                service,
                queryId,
                queryClass,
                kind,
                startedAtMillis,
                answeredAtMillis,
                deadlineMillis,
                topK,
                invocations,
                items,
                truncated,
                unmeasurable,
                stated);
    }

    /** A measurable answer, provided that it lists its invocations. */
    public Answer(
            String service,
            String queryId,
            String queryClass,
            AnswerKind kind,
            long startedAtMillis,
            long answeredAtMillis,
            int deadlineMillis,
            int topK,
            List<Invocation> invocations,
            Items items,
            boolean truncated) {
        this(
                service,
                queryId,
                queryClass,
                kind,
                startedAtMillis,
                answeredAtMillis,
                deadlineMillis,
                topK,
                invocations,
                items,
                truncated,
                Optional.empty());
    }

    /**
     * The reason why this answer is not measurable: the emitter's, or that it lists no component.
     * Empty: it is measurable.
     */
    public Optional<Unmeasurable> whyUnmeasurable() {
        return unmeasurable.isEmpty() && invocations.isEmpty()
                ? Optional.of(Unmeasurable.NO_COMPONENTS)
                : unmeasurable;
    }

    /**
     * Whether the answer lacks a component that it lists. If not, and if it is {@linkplain
     * #whyUnmeasurable measurable}, its quality is 1 by construction.
     */
    public boolean isDegraded() {
        for (Invocation invocation : invocations) {
            if (invocation.outcome() != Outcome.IN_TIME) {
                return true;
            }
        }
        return false;
    }
}
