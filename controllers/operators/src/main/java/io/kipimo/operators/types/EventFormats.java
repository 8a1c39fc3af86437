package io.kipimo.operators.types;

import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Formats of events and their keys, which the sources and the join share. */
public final class EventFormats implements FormatCatalogue {
    /** A query's key, written as two texts: service and query id. */
    public static final Format<QueryKey> KEY = Format.of(
            "query-key",
            1,
            QueryKey.class,
            (key, out) -> {
                out.writeUTF(key.service());
                out.writeUTF(key.queryId());
            },
            (in, version) -> new QueryKey(in.readUTF(), in.readUTF()));

    /** An event of a query on its way from the source to the join, written as its place in the log and its message. */
    public static final Format<LoggedEvent> EVENT = Format.of("sampled-event", 1, LoggedEvent.class, EventCoder::new);

    @Override
    public List<Format<?>> formats() {
        return List.of(KEY, EVENT);
    }

    private static final class EventCoder implements Coder<LoggedEvent> {
        private final EventScanner scanner = new EventScanner();

        @Override
        public void write(LoggedEvent event, DataOutputView out) throws IOException {
            // The sign distinguishes answers from partial results; messages are never empty.
            int length = event.wire().length;
            out.writeInt(event.isAnswer() ? length : -length);
            out.writeInt(event.partition());
            out.writeLong(event.offset());
            out.writeLong(event.watermarkMillis());
            out.writeLong(event.appendWatermarkMillis());
            out.writeBoolean(event.isProven());
            out.write(event.wire(), 0, length);
        }

        @Override
        public LoggedEvent read(DataInputView in, int version) throws IOException {
            int signedLength = in.readInt();
            int partition = in.readInt();
            long offset = in.readLong();
            long watermarkMillis = in.readLong();
            long appendWatermarkMillis = in.readLong();
            boolean isProven = in.readBoolean();
            byte[] wire = new byte[Math.abs(signedLength)];
            in.readFully(wire);
            try {
                LoggedEvent event = signedLength > 0
                        ? scanner.answer(wire, partition, offset)
                        : scanner.partial(wire, partition, offset);
                event.place(watermarkMillis, appendWatermarkMillis, isProven);
                return event;
            } catch (InvalidRecordException e) {
                throw new IOException("a stored event cannot be read: " + e.getMessage(), e);
            }
        }
    }
}
