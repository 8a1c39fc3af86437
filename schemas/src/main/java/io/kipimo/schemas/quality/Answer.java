package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
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
 * @param items items that the user got; may be {@link Items#NONE}, except with
 *     {@link io.kipimo.schemas.policy.MergeKind#REPLAYED_ANSWERS}. The items of a degraded answer are compared with the
 *     merge of its in-time results
 * @param truncated whether items were cut at the cap
 * @param unmeasurable set if the emitter knows that the answer is not measurable
 * @param features features of the query; may be empty
 * @param notAskedLoss share of the full answer that the emitter expects to lose by not asking {@link Outcome#NOT_ASKED}
 *     components, 0..1; empty: unknown, or all were asked
 * @param explored whether the exploration rule made the query ask all components
 * @param variant release or experiment arm that made the answer, such as {@code canary}; empty: none
 */
@WithBuilder
public record Answer(
        @Name String service,
        @Text String queryId,
        @Name String queryClass,
        AnswerKind kind,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startedAtMillis,
        @Range(least = 1, most = Range.LATEST_MILLIS) long answeredAtMillis,
        @Range(most = 10 * Range.DAY_MILLIS) int deadlineMillis,
        @Range(most = Range.MOST_ITEMS) int topK,

        @Initializer(source = List.class, value = "of") @Distinct
        List<Invocation> invocations,

        @Initializer(source = Items.class, value = "NONE") Items items,
        boolean truncated,
        Optional<Unmeasurable> unmeasurable,

        @Initializer(source = Features.class, value = "NONE")
        Features features,

        @Range(most = 1) Optional<Double> notAskedLoss,
        boolean explored,

        @Initializer(source = Variants.class, value = "NONE") @Name(mayBeEmpty = true)
        String variant)
        implements OfServiceClass {

    /**
     * The reason why this answer is not measurable: the emitter's reason, or NO_COMPONENTS if the answer asked no
     * component. Empty if the answer is measurable.
     */
    public Optional<Unmeasurable> whyUnmeasurable() {
        return unmeasurable.isEmpty() && !asksAny() ? Optional.of(Unmeasurable.NO_COMPONENTS) : unmeasurable;
    }

    /**
     * Whether the answer lacks a component that it asked. An answer that lacks none, is {@linkplain #whyUnmeasurable
     * measurable} and is not {@linkplain #isTrimmed trimmed} has quality 1 by construction.
     */
    public boolean isDegraded() {
        for (Invocation invocation : invocations) {
            if (invocation.outcome().isLate()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the front end chose not to ask some component. */
    public boolean isTrimmed() {
        for (Invocation invocation : invocations) {
            if (invocation.outcome() == Outcome.NOT_ASKED) {
                return true;
            }
        }
        return false;
    }

    private boolean asksAny() {
        for (Invocation invocation : invocations) {
            if (invocation.outcome() != Outcome.NOT_ASKED) {
                return true;
            }
        }
        return false;
    }
}
