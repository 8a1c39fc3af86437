package io.kipimo.schemas.quality;

/**
 * An answer or a partial result on its way to the join: exactly one of the two is set.
 *
 * @param answer null if this is a partial result
 * @param partial null if this is an answer
 * @param partition partition of the topic from which the event was read
 * @param offset offset within the partition; partition and offset identify the record in dead letters
 */
public record QueryEvent(Answer answer, PartialResult partial, int partition, long offset) implements SampledEvent {
    /**
     * Greatest time by which an event may be ahead of the clock, milliseconds, unless configured otherwise. Emitters
     * and readers refuse events that are further ahead of their own clock.
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
    public AnswerFields answerFields() {
        return isAnswer() ? AnswerFields.of(answer) : AnswerFields.NONE;
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
}
