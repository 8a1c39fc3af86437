package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Optional;

/**
 * The answer of a front end to one sampled query; topic {@code answers}.
 *
 * @param queryId a W3C trace id where tracing exists, else any text
 * @param queryClass priority class
 * @param startedAtMillis when the query reached the front end, epoch milliseconds
 * @param answeredAtMillis when the answer left, epoch milliseconds; the event time
 * @param deadlineMillis deadline in force, milliseconds after the start
 * @param topK how many items the user asked for; 0: the service's default
 * @param invocations every component that the query invoked, once each
 * @param items only where no merge function expresses the front end, else {@link Items#NONE}
 * @param truncated items were cut at the cap
 * @param unmeasurable set where the emitter knows that nobody can tell the quality
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
        Optional<Unmeasurable> unmeasurable) {

    /** An answer that is measurable if it names the components that it invoked. */
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
     * Why nobody can tell the quality from this answer and its partial results: by the emitter's
     * word, or because it names no component. Empty: it can be told.
     */
    public Optional<Unmeasurable> whyUnmeasurable() {
        return unmeasurable.isEmpty() && invocations.isEmpty()
                ? Optional.of(Unmeasurable.NO_COMPONENTS)
                : unmeasurable;
    }

    /**
     * Whether a component that it names is missing from the answer; if not, and the answer is
     * {@linkplain #whyUnmeasurable measurable}, its quality is 1 by construction.
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
