package io.kipimo.operators.types;

import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.online;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.types.StringValue;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class FormatTest {
    private static final EpochClaim CLAIM = new EpochClaim("admission", "job-0", 1_700_000_000_000L);

    /** A text of which version 1 had no length beside. */
    private static final Format<String> TEXT = Format.of(
            "test-text",
            2,
            String.class,
            (value, out) -> {
                out.writeUTF(value);
                out.writeInt(value.length());
            },
            (in, version) -> {
                String value = in.readUTF();
                return version == 1 ? value : value.substring(0, in.readInt());
            });

    /** Of the tests' class path. */
    public static final class Catalogue implements FormatCatalogue {
        @Override
        public List<Format<?>> formats() {
            return List.of(TEXT, DerivedFormatTest.MOVED);
        }
    }

    private static <T> TypeSerializer<T> serializer(Format<T> format) {
        return format.typeInfo().createSerializer(new SerializerConfigImpl());
    }

    private static <T> T copied(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(value, out);
        DataOutputSerializer copy = new DataOutputSerializer(64);
        serializer.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copy);
        assertThat(copy.getCopyOfBuffer()).isEqualTo(out.getCopyOfBuffer());
        DataInputDeserializer in = new DataInputDeserializer(copy.getCopyOfBuffer());
        T read = serializer.deserialize(in);
        assertThat(in.available()).isZero();
        return read;
    }

    @Test
    void anEventTravelsByteForByte() throws Exception {
        TypeSerializer<LoggedEvent> serializer = serializer(EventFormats.EVENT);
        for (LoggedEvent event : new LoggedEvent[] {online("a", 1, 2), answer(inTime("a"))}) {
            LoggedEvent read = copied(serializer, event);
            assertThat(read.isAnswer()).isEqualTo(event.isAnswer());
            assertThat(read.wire()).isEqualTo(event.wire());
            assertThat(read.key()).isEqualTo(event.key());
            assertThat(read.offset()).isEqualTo(event.offset());
        }
    }

    @Test
    void aKeyIsTheSameKeyElsewhere() throws Exception {
        QueryKey key = new QueryKey("shop", "4bf92f3577b34da6a3ce929d0e0e4736");
        QueryKey read = copied(serializer(EventFormats.KEY), key);

        assertThat(read).isEqualTo(key).hasSameHashCodeAs(key);
    }

    @Test
    void itTravelsWithTheJobAndThreadsShareNothing() throws Exception {
        TypeSerializer<LoggedEvent> serializer = serializer(EventFormats.EVENT);
        copied(serializer, online("a", 1));

        TypeSerializer<LoggedEvent> shipped = InstantiationUtil.clone(serializer);
        assertThat(shipped).isEqualTo(serializer);
        assertThat(copied(shipped, online("a", 1)).key())
                .isEqualTo(online("a", 1).key());
        assertThat(serializer.duplicate()).isEqualTo(serializer).isNotSameAs(serializer);
        assertThat(InstantiationUtil.clone(EventFormats.KEY.typeInfo()))
                .isEqualTo(EventFormats.KEY.typeInfo())
                .isNotEqualTo(EventFormats.EVENT.typeInfo());
    }

    @Test
    void everyMessageHasAFormatThatTravels() throws Exception {
        for (var codec : Codecs.all()) {
            assertThat(InstantiationUtil.clone(Format.typeOf(codec))).isEqualTo(Format.typeOf(codec));
        }
        assertThat(copied(serializer(Format.ofMessage(Codecs.EPOCH_CLAIM)), CLAIM))
                .isEqualTo(CLAIM);
        assertThat(serializer(Format.ofMessage(Codecs.EPOCH_CLAIM)).copy(CLAIM)).isSameAs(CLAIM);
    }

    @Test
    void aBrokenMessageInStateIsNamed() throws Exception {
        DataOutputSerializer out = new DataOutputSerializer(16);
        Format.writeBytes(new byte[] {(byte) 0xff}, out);
        assertThatIOException()
                .isThrownBy(() -> serializer(Format.ofMessage(Codecs.EPOCH_CLAIM))
                        .deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
                .withMessageContaining("EpochClaim");
    }

    @Test
    void aSavepointKnowsTheNameAndTheVersion() throws Exception {
        TypeSerializerSnapshot<String> now = serializer(TEXT).snapshotConfiguration();

        assertThat(now.resolveSchemaCompatibility(written("test-text", 2)).isCompatibleAsIs())
                .isTrue();
        assertThat(now.resolveSchemaCompatibility(written("test-text", 1)).isCompatibleAfterMigration())
                .isTrue();
        DataOutputSerializer old = new DataOutputSerializer(64);
        old.writeUTF("old");
        assertThat(written("test-text", 1)
                        .restoreSerializer()
                        .deserialize(new DataInputDeserializer(old.getCopyOfBuffer())))
                .isEqualTo("old");
        assertThat(now.resolveSchemaCompatibility(written("query-key", 1)).isIncompatible())
                .isTrue();
    }

    @Test
    void whatThisProgramDoesNotKnowIsRefusedByName() {
        assertThatThrownBy(() -> written("test-text", 3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("test-text was written in version 3; this program reads 1..2");
        assertThatThrownBy(() -> written("no-such-state", 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("'no-such-state'");
    }

    /** The snapshot of a savepoint in which the values were written so. */
    private static TypeSerializerSnapshot<String> written(String name, int version) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        StringValue.writeString(name, out);
        out.writeInt(version);
        StringValue.writeString("", out);
        FormatSerializerSnapshot<String> snapshot = new FormatSerializerSnapshot<>();
        snapshot.readSnapshot(1, new DataInputDeserializer(out.getCopyOfBuffer()), FormatTest.class.getClassLoader());
        return snapshot;
    }
}
