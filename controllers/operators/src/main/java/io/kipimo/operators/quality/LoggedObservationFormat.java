package io.kipimo.operators.quality;

import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** An observation as its position and its message. */
public final class LoggedObservationFormat implements Format<LoggedObservation> {
    private static final long serialVersionUID = 1L;

    public static final TypeInformation<LoggedObservation> TYPE =
            FormatTypeInfo.of(new LoggedObservationFormat());

    @Override
    public Class<LoggedObservation> type() {
        return LoggedObservation.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(LoggedObservation logged, DataOutputView out) throws IOException {
        out.writeInt(logged.partition());
        out.writeLong(logged.offset());
        byte[] wire = Codecs.OBSERVATION.encode(logged.observation());
        out.writeInt(wire.length);
        out.write(wire);
    }

    @Override
    public LoggedObservation read(DataInputView in, int version) throws IOException {
        int partition = in.readInt();
        long offset = in.readLong();
        byte[] wire = new byte[in.readInt()];
        in.readFully(wire);
        try {
            return new LoggedObservation(Codecs.OBSERVATION.decode(wire), partition, offset);
        } catch (InvalidRecordException e) {
            throw new IOException("a stored observation cannot be read: " + e.getMessage(), e);
        }
    }
}
