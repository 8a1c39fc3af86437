package io.kipimo.schemas.quality;

/**
 * An answer or a partial result on its way to the join: exactly one of the two is there.
 *
 * @param answer null if this is a partial result
 * @param partial null if this is an answer
 * @param partition of the topic it was read from
 * @param offset within the partition; with the partition it names the record for dead letters
 */
public record QueryEvent(Answer answer, PartialResult partial, int partition, long offset) {
    /**
     * @throws IllegalArgumentException unless exactly one of answer and partial result is there
     */
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

    public boolean isAnswer() {
        return answer != null;
    }

    public String service() {
        return isAnswer() ? answer.service() : partial.service();
    }

    public String queryId() {
        return isAnswer() ? answer.queryId() : partial.queryId();
    }

    /** When this happened, epoch milliseconds. */
    public long eventTimeMillis() {
        return isAnswer() ? answer.answeredAtMillis() : partial.completedAtMillis();
    }

    /** When the query started, as far as this event knows, epoch milliseconds. */
    public long startedAtMillis() {
        if (isAnswer()) {
            return answer.startedAtMillis();
        }
        return partial.startedAtMillis() > 0
                ? partial.startedAtMillis()
                : partial.invokedAtMillis();
    }
}
