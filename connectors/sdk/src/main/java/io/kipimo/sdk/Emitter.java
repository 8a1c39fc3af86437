package io.kipimo.sdk;

import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.Outbox.QueuedEvent;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.InstantSource;
import java.util.function.LongToDoubleFunction;

/**
 * Publishes answers and partial results of sampled queries. Methods never block and never throw; events that do not fit
 * into the buffer are dropped and counted.
 */
public final class Emitter {
    private final Outbox outbox;
    private final SamplingRates rates;
    private final LongToDoubleFunction exploration;
    private final double profilingShare;
    private final InstantSource clock;
    private final String answers;
    private final String partials;
    private final String variant;
    private final EmissionCounts tally = new EmissionCounts();

    /**
     * @param exploration maps a query's start, epoch milliseconds, to the share of queries that are explored, 0..1
     * @param profilingShare share of the sampled complete queries whose partial results are emitted, 0..1
     * @param variant variant for answers that name none; may be empty
     */
    Emitter(
            Outbox outbox,
            SamplingRates rates,
            LongToDoubleFunction exploration,
            double profilingShare,
            KafkaSettings kafka,
            String variant,
            InstantSource clock) {
        this.outbox = outbox;
        this.rates = rates;
        this.exploration = exploration;
        this.profilingShare = profilingShare;
        this.clock = clock;
        this.answers = kafka.name(Topic.ANSWERS);
        this.partials = kafka.name(Topic.PARTIALS);
        this.variant = variant;
    }

    /** Whether a query that starts now is sampled. */
    public boolean isSampled(String queryId) {
        return isSampled(queryId, clock.millis());
    }

    /**
     * Whether a query is sampled. All components of a service get the same result if they pass the same values. Where a
     * model {@linkplain FanOutClient chooses components}, the queries that are always asked in full are always sampled.
     *
     * @param startedAtMillis start of the query, epoch milliseconds; the sampling rate of that time applies
     */
    public boolean isSampled(String queryId, long startedAtMillis) {
        return ConsistentSampling.isSampled(queryId, rates.rateAt(startedAtMillis))
                || isExplored(queryId, startedAtMillis);
    }

    private boolean isExplored(String queryId, long startedAtMillis) {
        double share = exploration.applyAsDouble(startedAtMillis);
        return share > 0 && Exploration.isExplored(queryId, share);
    }

    /**
     * Whether to emit the ONLINE partial results of a sampled query. True if a component is missing from the answer.
     * Also true for a share of the complete answers, unless measuring has used up its budget. Deadline curves are
     * computed from these answers. True for a query that is always asked in full, since it teaches the choice of
     * components. Always false for an answer that is not measurable.
     */
    public boolean wantsPartials(Answer answer) {
        if (answer.whyUnmeasurable().isPresent()) {
            return false;
        }
        return answer.isDegraded()
                || isExplored(answer.queryId(), answer.startedAtMillis())
                || (!rates.isScarceAt(answer.startedAtMillis())
                        && ConsistentSampling.isSampled(
                                answer.queryId(), rates.rateAt(answer.startedAtMillis()) * profilingShare));
    }

    /** The sampling rate of queries that start now, 0..1. */
    public double samplingRate() {
        return rates.rateAt(clock.millis());
    }

    /**
     * Emits the answer to a sampled query. An answer without a variant gets the instance's variant. Names that readers
     * refuse are {@linkplain io.kipimo.schemas.field.Names#cleaned cleaned}; ids that readers refuse are replaced by a
     * {@linkplain io.kipimo.schemas.field.Names#identifier digest}. An answer that cannot be mended is dropped and
     * counted.
     */
    public void emit(Answer answer) {
        offer(new QueuedEvent<>(
                answers,
                Answer::queryId,
                answer == null ? 0 : answer.answeredAtMillis(),
                Codecs.ANSWER,
                answer,
                a -> MendedEvents.of(a, variant),
                tally));
    }

    /** Emits a component's result for a sampled query, mended as an answer is. */
    public void emit(PartialResult partial) {
        offer(new QueuedEvent<>(
                partials,
                PartialResult::queryId,
                partial == null ? 0 : partial.completedAtMillis(),
                Codecs.PARTIAL_RESULT,
                partial,
                MendedEvents::of,
                tally));
    }

    /**
     * Queues an event, but drops it if its time is too far in the future: readers refuse such an event, and brokers may
     * refuse all events that are sent together with it.
     */
    private void offer(QueuedEvent<?> event) {
        if (event.timestampMillis() - clock.millis() > QueryEvent.MOST_AHEAD_MILLIS) {
            outbox.refuse(event);
        } else {
            outbox.offer(event);
        }
    }

    /** Delivery counts of answers and partial results. */
    public EmitterStats stats() {
        return tally.stats();
    }
}
