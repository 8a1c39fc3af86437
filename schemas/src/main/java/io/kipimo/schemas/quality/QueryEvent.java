package io.kipimo.schemas.quality;

import java.util.Optional;

/**
 * An answer or a partial result on its way to the join: exactly one of the two is set.
 *
 * @param answer null if this is a partial result
 * @param partial null if this is an answer
 * @param partition of the topic it was read from
 * @param offset within the partition; both identify the record in dead letters
 */
public record QueryEvent(Answer answer, PartialResult partial, int partition, long offset) implements SampledEvent {
    /**
     * Emitters refuse events further ahead of their clock, and readers those further ahead of theirs, unless configured
     * otherwise.
     */
    public static final long MOST_AHEAD_MILLIS = 60_000;

    /** @throws IllegalArgumentException unless exactly one of answer and partial result is set */
    public QueryEvent {
        if ((answer == null) == (partial == null)) {
            throw new IllegalArgumentException("a query event is an answer or a partial result");
        }
    }

    public static QueryEvent of(Answer answer) {
        return new QueryEvent(answer, null, 0, 0);
    }

    public static QueryEvent of(PartialResult partial) {
        return new QueryEvent(null, partial, 0, 0);
    }

    @Override
    public boolean isAnswer() {
        return answer != null;
    }

    public String service() {
        return isAnswer() ? answer.service() : partial.service();
    }

    public String queryId() {
        return isAnswer() ? answer.queryId() : partial.queryId();
    }

    @Override
    public QueryKey key() {
        return new QueryKey(service(), queryId());
    }

    @Override
    public long eventTimeMillis() {
        return isAnswer() ? answer.answeredAtMillis() : partial.completedAtMillis();
    }

    @Override
    public long startedAtMillis() {
        if (isAnswer()) {
            return answer.startedAtMillis();
        }
        return knowsStart() ? partial.startedAtMillis() : partial.invokedAtMillis();
    }

    @Override
    public boolean knowsStart() {
        return isAnswer() || partial.startedAtMillis() > 0;
    }

    @Override
    public boolean isTruncated() {
        return isAnswer() ? answer.truncated() : partial.truncated();
    }

    @Override
    public Items items() {
        return isAnswer() ? answer.items() : partial.items();
    }

    @Override
    public String queryClass() {
        return isAnswer() ? answer.queryClass() : null;
    }

    @Override
    public AnswerKind kind() {
        return isAnswer() ? answer.kind() : null;
    }

    @Override
    public int deadlineMillis() {
        return isAnswer() ? answer.deadlineMillis() : 0;
    }

    @Override
    public int topK() {
        return isAnswer() ? answer.topK() : 0;
    }

    @Override
    public String[] invokedComponents() {
        return answer.invocations().stream().map(Invocation::component).toArray(String[]::new);
    }

    @Override
    public Outcome[] outcomes() {
        return answer.invocations().stream().map(Invocation::outcome).toArray(Outcome[]::new);
    }

    @Override
    public long[] invocationLatenciesMicros() {
        return answer.invocations().stream()
                .mapToLong(Invocation::latencyMicros)
                .toArray();
    }

    @Override
    public Unmeasurable unmeasurable() {
        return isAnswer() ? answer.unmeasurable().orElse(null) : null;
    }

    @Override
    public String component() {
        return isAnswer() ? null : partial.component();
    }

    @Override
    public Phase phase() {
        return isAnswer() ? null : partial.phase();
    }

    @Override
    public long latencyMicros() {
        return isAnswer() ? 0 : partial.latencyMicros();
    }

    @Override
    public Features features() {
        return isAnswer() ? answer.features() : Features.NONE;
    }

    @Override
    public Optional<Double> notAskedLoss() {
        return isAnswer() ? answer.notAskedLoss() : Optional.empty();
    }

    @Override
    public boolean explored() {
        return isAnswer() && answer.explored();
    }

    @Override
    public String variant() {
        return isAnswer() ? answer.variant() : Variants.NONE;
    }
}
