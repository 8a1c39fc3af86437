package io.kipimo.core.invalidation.frontier;

import io.kipimo.core.invalidation.frontier.ResumeToken.Reading;
import io.kipimo.schemas.caching.Invalidation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the newest notifications for readers that come back with a {@link ResumeToken}. Such a reader misses no
 * notification, and may see some again. For one thread.
 */
public final class ChangeHistory {
    private record KeptChange(Position position, Invalidation change) {}

    private final int most;
    private final Deque<KeptChange> kept = new ArrayDeque<>();

    /** By partition, the position of the oldest notification that is still kept; null: unknown. */
    private final Position[] floor;

    private ResumeToken end;

    /**
     * @param most greatest number of notifications that are kept, at least 1
     * @param start position before the first notification that will be added
     */
    public ChangeHistory(int most, ResumeToken start) {
        this.most = most;
        this.end = start;
        this.floor = new Position[start.next().size()];
    }

    /**
     * Adds notifications that a reader received.
     *
     * @param changes notifications; those of one partition are in order
     * @param after the reader's token after these notifications
     */
    public void add(List<Invalidation> changes, ResumeToken after) {
        for (Invalidation change : changes) {
            int partition = change.partition();
            Position position = new Position(partition, after.epochs().get(partition), change.sequence());
            kept.addLast(new KeptChange(position, change));
            floor[partition] = floor[partition] == null ? position : floor[partition];
        }
        for (int partition = 0; partition < floor.length; partition++) {
            // Marks alone show where the partition is, too.
            if (floor[partition] == null && after.next().get(partition) > 0) {
                floor[partition] = position(after, partition);
            }
        }
        while (kept.size() > most) {
            Position gone = kept.removeFirst().position();
            floor[gone.partition()] = new Position(gone.partition(), gone.epoch(), gone.sequence() + 1);
        }
        end = after;
    }

    private static Position position(ResumeToken token, int partition) {
        return new Position(
                partition, token.epochs().get(partition), token.next().get(partition));
    }

    /** Position after everything that was added. */
    public ResumeToken end() {
        return end;
    }

    /**
     * The notifications after a reader's token, which the reader has not seen.
     *
     * @return empty if some of them may no longer be kept, or if the token is of another topic
     */
    public Optional<List<Invalidation>> after(ResumeToken token) {
        if (token.next().size() != floor.length) {
            return Optional.empty();
        }
        for (int partition = 0; partition < floor.length; partition++) {
            Position seen = position(token, partition);
            Position first = floor[partition];
            boolean isBefore = first == null
                    ? seen.sequence() > 0
                    : seen.epoch() < first.epoch()
                            || (seen.epoch() == first.epoch() && seen.sequence() < first.sequence());
            if (isBefore) {
                return Optional.empty();
            }
        }
        return Optional.of(kept.stream()
                .filter(one -> token.read(one.position()) != Reading.REPEATED)
                .map(KeptChange::change)
                .toList());
    }
}
