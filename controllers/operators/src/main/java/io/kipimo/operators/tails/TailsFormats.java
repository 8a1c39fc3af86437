package io.kipimo.operators.tails;

import io.kipimo.core.tails.ScopeWindows;
import io.kipimo.core.tails.ServerWindows;
import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSums;
import io.kipimo.core.tails.TrafficCountsFormat;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatCatalogue;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.Vantage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Formats of the tails job. */
public final class TailsFormats implements FormatCatalogue {
    /**
     * Writes an observation field by field. This costs a third of encoding the message, which would happen twice on its
     * way.
     */
    public static final Format<ReceivedObservation> RECEIVED_OBSERVATION = Format.of(
            "received-observation",
            1,
            ReceivedObservation.class,
            TailsFormats::write,
            (in, version) -> readReceivedObservation(in));

    /** Panes between the levels. */
    static final Format<ScopePane> SCOPE_PANE = Format.of(
            "scope-pane",
            1,
            ScopePane.class,
            TailsFormats::write,
            (in, version) -> new ScopePane(TailScope.ofKey(in.readUTF()), in.readLong(), TailSums.read(in)),
            pane -> new ScopePane(pane.whole(), pane.startMillis(), pane.sums().copy()));

    /** State of {@link ScopeTailsFunction}. */
    static final Format<ScopeWindows> SCOPE_WINDOWS = Format.of(
            "scope-windows",
            1,
            ScopeWindows.class,
            ScopeWindows::write,
            (in, version) -> ScopeWindows.read(in),
            ScopeWindows::copy);

    /** State of {@link ServerTailsFunction}. */
    static final Format<ServerWindows> SERVER_WINDOWS = Format.of(
            "server-windows",
            1,
            ServerWindows.class,
            ServerWindows::write,
            (in, version) -> ServerWindows.read(in),
            ServerWindows::copy);

    @Override
    public List<Format<?>> formats() {
        return List.of(RECEIVED_OBSERVATION, SCOPE_PANE, SCOPE_WINDOWS, SERVER_WINDOWS);
    }

    private static void write(ScopePane pane, DataOutputView out) throws IOException {
        out.writeUTF(pane.whole().key());
        out.writeLong(pane.startMillis());
        pane.sums().write(out);
    }

    private static void write(ReceivedObservation received, DataOutputView out) throws IOException {
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

    private static ReceivedObservation readReceivedObservation(DataInputView in) throws IOException {
        int partition = in.readInt();
        long offset = in.readLong();
        byte[] recordKey = Format.readBytes(in);
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
