package io.kipimo.kafka;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.nio.ByteBuffer;

/**
 * State of an event's first partition when it arrived there, for the partition to which the job wrote it again:
 * watermark, append watermark, and whether it was proven.
 */
final class FormerPlace {
    private static final int BYTES = 2 * Long.BYTES + 1;

    private FormerPlace() {}

    static byte[] of(LoggedEvent event) {
        return ByteBuffer.allocate(BYTES)
                .putLong(event.watermarkMillis())
                .putLong(event.appendWatermarkMillis())
                .put((byte) (event.isProven() ? 1 : 0))
                .array();
    }

    /** An event with other bytes is judged by the time of reading. */
    static void restore(LoggedEvent event, byte[] bytes) {
        if (bytes == null || bytes.length != BYTES) {
            event.place(SampledEvent.NO_LOG, SampledEvent.NO_LOG, true);
            return;
        }
        ByteBuffer place = ByteBuffer.wrap(bytes);
        event.place(place.getLong(), place.getLong(), place.get() != 0);
    }
}
