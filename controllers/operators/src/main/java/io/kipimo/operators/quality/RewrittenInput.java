package io.kipimo.operators.quality;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.JoinInput;

/**
 * A stray event that a {@link QueryJoinOperator} wrote again, into the partition of its query. It does not advance
 * event time, because its former partition may be far ahead of the present one. For the same reason, its position in
 * the former partition, which the event states, decides whether it is late.
 */
public record RewrittenInput(LoggedEvent event) implements JoinInput {
    @Override
    public long eventTimeMillis() {
        return event.eventTimeMillis();
    }
}
