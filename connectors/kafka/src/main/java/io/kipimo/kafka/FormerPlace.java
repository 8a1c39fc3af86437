package io.kipimo.kafka;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.nio.ByteBuffer;

/**
 * Header value of an event that the job wrote again into another partition. It holds the state of the first partition
 * when the event arrived there: watermark, append watermark, and whether the watermark was proven
 * ({@link SampledEvent#isProven}).
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

    /**
     * Restores the state of the first partition into the event. With null or malformed bytes, the event is judged by
     * the time of reading.
     */
    static void restore(LoggedEvent event, byte[] bytes) {
        if (bytes == null || bytes.length != BYTES) {
            event.place(SampledEvent.NO_LOG, SampledEvent.NO_LOG, true);
            return;
        }
        ByteBuffer place = ByteBuffer.wrap(bytes);
        event.place(place.getLong(), place.getLong(), place.get() != 0);
    }
}
