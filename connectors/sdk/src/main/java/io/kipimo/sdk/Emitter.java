package io.kipimo.sdk;

import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.Outbox.Letter;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.InstantSource;

/**
 * Hands answers and partial results of sampled queries to the log. Never blocks and never throws:
 * what cannot be handed over is dropped and counted.
 */
public final class Emitter {
    private final Outbox outbox;
    private final SamplingRates rates;
    private final double profilingShare;
    private final InstantSource clock;
    private final String answers;
    private final String partials;
    private final EmissionCounts tally = new EmissionCounts();

    /**
     * @param profilingShare of the sampled clean queries, 0..1
     */
    Emitter(
            Outbox outbox,
            SamplingRates rates,
            double profilingShare,
            KafkaSettings kafka,
            InstantSource clock) {
        this.outbox = outbox;
        this.rates = rates;
        this.profilingShare = profilingShare;
        this.clock = clock;
        this.answers = kafka.name(Topic.ANSWERS);
        this.partials = kafka.name(Topic.PARTIALS);
    }

    /** Whether a query that starts now is sampled. */
    public boolean isSampled(String queryId) {
        return isSampled(queryId, clock.millis());
    }

    /**
     * Whether a query is sampled. All components of a service decide alike if they pass the same.
     *
     * @param startedAtMillis when the query started, epoch milliseconds: the rate of that time
     *     counts
     */
    public boolean isSampled(String queryId, long startedAtMillis) {
        return ConsistentSampling.isSampled(queryId, rates.rateAt(startedAtMillis));
    }

    /**
     * Whether the ONLINE partial results of a sampled query are to be emitted: always when some
     * component is missing from its answer, and of some of the others, so that it is known what
     * shorter deadlines would cost; of none of them while measuring is at its budget, and never of
     * an answer whose quality nobody can tell.
     */
    public boolean wantsPartials(Answer answer) {
        if (answer.whyUnmeasurable().isPresent()) {
            return false;
        }
        return answer.isDegraded()
                || (!rates.isScarceAt(answer.startedAtMillis())
                        && ConsistentSampling.isSampled(
                                answer.queryId(),
                                rates.rateAt(answer.startedAtMillis()) * profilingShare));
    }

    /** The rate for queries that start now, 0..1. */
    public double samplingRate() {
        return rates.rateAt(clock.millis());
    }

    /** Emits the answer to a sampled query. */
    public void emit(Answer answer) {
        outbox.offer(
                new Letter<>(
                        answers,
                        answer.queryId(),
                        answer.answeredAtMillis(),
                        Codecs.ANSWER,
                        answer,
                        tally));
    }

    /** Emits a component's result for a sampled query. */
    public void emit(PartialResult partial) {
        outbox.offer(
                new Letter<>(
                        partials,
                        partial.queryId(),
                        partial.completedAtMillis(),
                        Codecs.PARTIAL_RESULT,
                        partial,
                        tally));
    }

    public EmitterStats stats() {
        return tally.stats();
    }
}
