package io.kipimo.operators.ttl;

import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of {@link TtlUpdate}s between operators, as the message of the topic. */
public final class TtlUpdateFormat implements Format<TtlUpdate> {
    private static final long serialVersionUID = 1L;

    static final TypeInformation<TtlUpdate> TYPE = FormatTypeInfo.of(new TtlUpdateFormat());

    @Override
    public Class<TtlUpdate> type() {
        return TtlUpdate.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(TtlUpdate news, DataOutputView out) throws IOException {
        Format.writeBytes(Codecs.TTL_ESTIMATE.encode(news.estimate()), out);
        out.writeBoolean(news.isForgotten());
    }

    @Override
    public TtlUpdate read(DataInputView in, int version) throws IOException {
        byte[] bytes = Format.readBytes(in);
        try {
            return new TtlUpdate(Codecs.TTL_ESTIMATE.decode(bytes), in.readBoolean());
        } catch (InvalidRecordException e) {
            throw new IOException(e);
        }
    }
}
