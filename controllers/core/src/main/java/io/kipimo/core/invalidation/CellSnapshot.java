package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.Document;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a {@link MatchingCell} as an immutable value. Snapshots can be divided by query and by record, and
 * merged for a grid of another size.
 *
 * @param horizonMillis time from which writes can be replayed
 * @param queries queries by their keys in the cell
 * @param records records in the order in which their last writes arrived
 */
public record CellSnapshot(long horizonMillis, Map<String, RegisteredQuery> queries, List<RecordSnapshot> records) {
    /**
     * @param isRecent whether the record's last write can still be replayed; the image is kept only then
     * @param matches keys of the queries whose results hold the record. The value is the record's version that the
     *     result reflects, if it is newer than {@code version}, else {@link Long#MIN_VALUE}
     */
    public record RecordSnapshot(
            String collection,
            String recordId,
            long version,
            long writtenAtMillis,
            boolean isRecent,
            Optional<Document> image,
            Map<String, Long> matches) {
        public RecordSnapshot {
            matches = Map.copyOf(matches);
        }
    }

    public CellSnapshot {
        queries = Map.copyOf(queries);
        records = List.copyOf(records);
    }
}
