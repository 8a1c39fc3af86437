package io.kipimo.core.invalidation.frontier;

/**
 * Position of a notification in the stream.
 *
 * @param epoch epoch of its writer, at least 0; each new writer of the partition has a higher one
 * @param sequence number in its partition, from 0, without gaps
 */
public record Position(int partition, long epoch, long sequence) {
    public Position {
        if (partition < 0 || epoch < 0 || sequence < 0) {
            throw new IllegalArgumentException(
                    "partition " + partition + ", epoch " + epoch + ", sequence " + sequence + "; allowed: from 0");
        }
    }
}
