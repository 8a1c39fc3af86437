package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
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
@WithBuilder
public record Answer(
        String service,
        String queryId,
        String queryClass,
        AnswerKind kind,
        long startedAtMillis,
        long answeredAtMillis,
        int deadlineMillis,
        int topK,
        @Initializer(source = List.class, value = "of") List<Invocation> invocations,
        Items items,
        boolean truncated,
        Optional<Unmeasurable> unmeasurable,
        @Initializer(source = Features.class, value = "NONE") Features features)
        implements OfServiceClass {

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
