package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Optional;

/**
 * What only answers contain, as the join uses it. Open queries keep the arrays, so they are shared; nobody may change
 * them. Most events are partial results, which share {@link #NONE}.
 *
 * @param queryClass priority class
 * @param deadlineMillis the deadline in force, milliseconds after the start
 * @param topK requested number of items; 0: the service's default
 * @param invoked null in {@link #NONE}
 * @param unmeasurable why the answer is not measurable, according to its emitter; null: no reason given
 * @param features of the query; {@link Features#NONE}: not stated
 * @param notAskedLoss expected loss by components that were not asked, 0..1; empty: not stated
 * @param explored whether the query was asked in full by the exploration rule
 * @param variant {@link Variants#NONE}: none
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
    /** Of a partial result. */
    public static final AnswerFields NONE =
            new AnswerFields(null, null, 0, 0, null, null, Features.NONE, Optional.empty(), false, Variants.NONE);

    /**
     * The components that the query invoked, each once, and at each place what became of that one.
     *
     * @param latenciesMicros microseconds
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
