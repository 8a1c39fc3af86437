package io.kipimo.core.invalidation.frontier;

/**
 * Of a notification in the stream.
 *
 * @param sequence in its partition, from 0, without gaps
 */
public record Position(int partition, long sequence) {
    public Position {
        if (partition < 0 || sequence < 0) {
            throw new IllegalArgumentException(
                    "partition " + partition + ", sequence " + sequence + "; allowed: from 0");
        }
    }
}
