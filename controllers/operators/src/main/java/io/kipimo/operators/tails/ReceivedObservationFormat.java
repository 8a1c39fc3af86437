package io.kipimo.operators.tails;

import io.kipimo.core.tails.TrafficCountsFormat;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.Vantage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** An observation field by field. It costs a third of encoding the message, twice on its way. */
public final class ReceivedObservationFormat implements Format<ReceivedObservation> {
    private static final long serialVersionUID = 1L;

    public static final TypeInformation<ReceivedObservation> TYPE =
            FormatTypeInfo.of(new ReceivedObservationFormat());

    @Override
    public Class<ReceivedObservation> type() {
        return ReceivedObservation.class;
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public void write(ReceivedObservation received, DataOutputView out) throws IOException {
        ServerObservation observation = received.observation();
        out.writeInt(received.partition());
        out.writeLong(received.offset());
        Format.writeBytes(received.recordKey(), out);
        out.writeUTF(observation.service());
        out.writeUTF(observation.tier());
        out.writeUTF(observation.component());
        out.writeUTF(observation.server());
        out.writeBoolean(observation.vantage() == Vantage.ARBITER);
        out.writeLong(observation.secondMillis());
        TrafficCountsFormat.write(observation.counts(), out);
        Format.writeBytes(observation.latencies(), out);
        out.writeInt(observation.stays().size());
        for (Stay stay : observation.stays()) {
            out.writeLong(stay.arrivalMicros());
            out.writeLong(stay.departureMicros());
        }
    }

    @Override
    public ReceivedObservation read(DataInputView in, int version) throws IOException {
        int partition = in.readInt();
        long offset = in.readLong();
        byte[] recordKey = version == 1 ? new byte[0] : Format.readBytes(in);
        return new ReceivedObservation(
                ServerObservationBuilder.builder()
                        .service(in.readUTF())
                        .tier(in.readUTF())
                        .component(in.readUTF())
                        .server(in.readUTF())
                        .vantage(in.readBoolean() ? Vantage.ARBITER : Vantage.SERVER)
                        .secondMillis(in.readLong())
                        .counts(TrafficCountsFormat.read(in))
                        .latencies(Format.readBytes(in))
                        .stays(stays(in))
                        .build(),
                partition,
                offset,
                recordKey);
    }

    private static List<Stay> stays(DataInputView in) throws IOException {
        int count = in.readInt();
        if (count == 0) {
            return List.of();
        }
        List<Stay> stays = new ArrayList<>(count);
        for (; count > 0; count--) {
            stays.add(new Stay(in.readLong(), in.readLong()));
        }
        return stays;
    }
}
