package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Optional;

/**
 * The fields that only answers have, as the join uses them. Open queries keep the arrays and share them, so nobody may
 * change them. The majority of events are partial results, which share {@link #NONE}.
 *
 * @param queryClass priority class
 * @param deadlineMillis the deadline in force, milliseconds after the start
 * @param topK requested number of items; 0: the service's default
 * @param invoked the invoked components; null in {@link #NONE}
 * @param unmeasurable why the answer is not measurable, according to its emitter; null: no reason given
 * @param features features of the query; {@link Features#NONE}: not stated
 * @param notAskedLoss expected loss by components that were not asked, 0..1; empty: not stated
 * @param explored whether the exploration rule made the query ask all components
 * @param variant variant of the answer; {@link Variants#NONE}: none
 */
public record AnswerFields(
        String queryClass,
        AnswerKind kind,
        int deadlineMillis,
        int topK,
        InvokedComponents invoked,
        Unmeasurable unmeasurable,
        Features features,
        Optional<Double> notAskedLoss,
        boolean explored,
        String variant) {
    /** Stands for a partial result, which has none of these fields. */
    public static final AnswerFields NONE =
            new AnswerFields(null, null, 0, 0, null, null, Features.NONE, Optional.empty(), false, Variants.NONE);

    /**
     * The components that the query invoked, each once, with the outcome and the latency of each at the same place.
     *
     * @param latenciesMicros latencies, microseconds
     */
    public record InvokedComponents(String[] names, Outcome[] outcomes, long[] latenciesMicros) {
        private static InvokedComponents of(List<Invocation> invocations) {
            return new InvokedComponents(
                    invocations.stream().map(Invocation::component).toArray(String[]::new),
                    invocations.stream().map(Invocation::outcome).toArray(Outcome[]::new),
                    invocations.stream().mapToLong(Invocation::latencyMicros).toArray());
        }
    }

    static AnswerFields of(Answer answer) {
        return new AnswerFields(
                answer.queryClass(),
                answer.kind(),
                answer.deadlineMillis(),
                answer.topK(),
                InvokedComponents.of(answer.invocations()),
                answer.unmeasurable().orElse(null),
                answer.features(),
                answer.notAskedLoss(),
                answer.explored(),
                answer.variant());
    }
}
