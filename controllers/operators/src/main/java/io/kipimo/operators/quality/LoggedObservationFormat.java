package io.kipimo.operators.quality;

import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** An observation as its position, its key, and its message. */
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
        return 2;
    }

    @Override
    public void write(LoggedObservation logged, DataOutputView out) throws IOException {
        out.writeInt(logged.partition());
        out.writeLong(logged.offset());
        Format.writeBytes(logged.key(), out);
        Format.writeBytes(Codecs.OBSERVATION.encode(logged.observation()), out);
    }

    @Override
    public LoggedObservation read(DataInputView in, int version) throws IOException {
        int partition = in.readInt();
        long offset = in.readLong();
        byte[] key = version == 1 ? new byte[0] : Format.readBytes(in);
        try {
            return new LoggedObservation(
                    Codecs.OBSERVATION.decode(Format.readBytes(in)), partition, offset, key);
        } catch (InvalidRecordException e) {
            throw new IOException("a stored observation cannot be read: " + e.getMessage(), e);
        }
    }
}
