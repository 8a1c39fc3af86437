package io.kipimo.operators.types;

import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.online;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class FormatTypeInfoTest {
    /** A text of which version 1 had no length beside. */
    public static final class TextFormat implements Format<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<String> type() {
            return String.class;
        }

        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(String value, DataOutputView out) throws IOException {
            out.writeUTF(value);
            out.writeInt(value.length());
        }

        @Override
        public String read(DataInputView in, int version) throws IOException {
            String value = in.readUTF();
            return version == 1 ? value : value.substring(0, in.readInt());
        }
    }

    private static <T> TypeSerializer<T> serializer(Format<T> format) {
        return FormatTypeInfo.of(format).createSerializer(new SerializerConfigImpl());
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
        TypeSerializer<LoggedEvent> serializer = serializer(new SampledEventFormat());
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
        QueryKey read = copied(serializer(new QueryKeyFormat()), key);

        assertThat(read).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(key.hashCode()).as("decides the subtask, for ever").isEqualTo(1509977919);
        assertThat(FormatTypeInfo.of(new QueryKeyFormat()).isKeyType()).isTrue();
        assertThat(FormatTypeInfo.of(new SampledEventFormat()).isKeyType()).isFalse();
    }

    @Test
    void itTravelsWithTheJobAndThreadsShareNothing() throws Exception {
        TypeSerializer<LoggedEvent> serializer = serializer(new SampledEventFormat());
        copied(serializer, online("a", 1));

        assertThat(InstantiationUtil.clone(serializer)).isEqualTo(serializer);
        assertThat(serializer.duplicate()).isEqualTo(serializer).isNotSameAs(serializer);
        assertThat(FormatTypeInfo.of(new QueryKeyFormat()))
                .isEqualTo(FormatTypeInfo.of(new QueryKeyFormat()))
                .isNotEqualTo(FormatTypeInfo.of(new SampledEventFormat()));
    }

    @Test
    void aSavepointKnowsTheFormatAndItsVersion() throws Exception {
        TypeSerializerSnapshot<String> now = serializer(new TextFormat()).snapshotConfiguration();

        assertThat(now.resolveSchemaCompatibility(written(2)).isCompatibleAsIs()).isTrue();
        assertThat(now.resolveSchemaCompatibility(written(1)).isCompatibleAfterMigration())
                .isTrue();
        DataOutputSerializer old = new DataOutputSerializer(64);
        old.writeUTF("old");
        assertThat(
                        written(1)
                                .restoreSerializer()
                                .deserialize(new DataInputDeserializer(old.getCopyOfBuffer())))
                .isEqualTo("old");
        assertThatThrownBy(() -> written(3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 3; this program reads 1..2");
    }

    /** The snapshot of a savepoint in which the texts were written so. */
    private static TypeSerializerSnapshot<String> written(int version) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeUTF(TextFormat.class.getName());
        out.writeInt(version);
        FormatSerializerSnapshot<String> snapshot = new FormatSerializerSnapshot<>();
        snapshot.readSnapshot(
                1,
                new DataInputDeserializer(out.getCopyOfBuffer()),
                FormatTypeInfoTest.class.getClassLoader());
        return snapshot;
    }
}
