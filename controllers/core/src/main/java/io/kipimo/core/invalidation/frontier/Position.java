package io.kipimo.core.invalidation.frontier;

/**
 * Of a notification in the stream.
 *
 * @param epoch of its writer, rising with each that takes the partition over, from 0
 * @param sequence in its partition, from 0, without gaps
 */
public record Position(int partition, long epoch, long sequence) {
    public Position {
        if (partition < 0 || epoch < 0 || sequence < 0) {
            throw new IllegalArgumentException(
                    "partition "
                            + partition
                            + ", epoch "
                            + epoch
                            + ", sequence "
                            + sequence
                            + "; allowed: from 0");
        }
    }
}
