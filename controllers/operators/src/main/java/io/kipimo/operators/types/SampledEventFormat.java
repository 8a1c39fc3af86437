package io.kipimo.operators.types;

import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of an event, as its place in the log and the bytes of its message. */
public final class SampledEventFormat implements Format<LoggedEvent> {
    private static final long serialVersionUID = 1L;

    /** Flink's type of the events of a query, from the source to the join. */
    public static final TypeInformation<LoggedEvent> TYPE =
            FormatTypeInfo.of(new SampledEventFormat());

    /** Lacks what the event's partition had reached. */
    private static final int VERSION_OF_NO_PLACES = 1;

    private transient EventScanner scanner;

    @Override
    public Class<LoggedEvent> type() {
        return LoggedEvent.class;
    }

    @Override
    public int version() {
        return 2;
    }

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
        boolean hasPlace = version > VERSION_OF_NO_PLACES;
        long watermarkMillis = hasPlace ? in.readLong() : SampledEvent.NO_LOG;
        long appendWatermarkMillis = hasPlace ? in.readLong() : SampledEvent.NO_LOG;
        boolean isProven = !hasPlace || in.readBoolean();
        byte[] wire = new byte[Math.abs(signedLength)];
        in.readFully(wire);
        if (scanner == null) {
            scanner = new EventScanner();
        }
        try {
            LoggedEvent event =
                    signedLength > 0
                            ? scanner.answer(wire, partition, offset)
                            : scanner.partial(wire, partition, offset);
            event.place(watermarkMillis, appendWatermarkMillis, isProven);
            return event;
        } catch (InvalidRecordException e) {
            throw new IOException("a stored event cannot be read: " + e.getMessage(), e);
        }
    }
}
