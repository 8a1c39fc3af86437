package io.kipimo.operators.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.replication.ReplicationLoop;
import io.kipimo.core.replication.ReplicationState;
import io.kipimo.core.replication.TierWindowSamples;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.tails.TailWindow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeSet;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of a state follows from its fields, and outlives its class. */
class DerivedFormatTest {
    enum Light {
        RED,
        GREEN
    }

    record Inner(int count, Optional<Light> light) {}

    /** Some state, as an earlier program had it. */
    static final class Former {
        public String name = "";
        public long gone;
        public List<Inner> all = new ArrayList<>();
        public Map<Long, int[]> counts = new HashMap<>();
        public List<Optional<String>> goneToo = new ArrayList<>();
        public transient int forgotten;
    }

    record FormerRecord(boolean was, OptionalDouble amount, double[] losses, Former former) {}

    /** That state in another class and order, with fields less and more. */
    static final class Moved {
        public Map<Long, int[]> counts = new HashMap<>();
        public String name = "";
        public long added = 7;
        public List<MovedInner> all = new ArrayList<>();
    }

    enum MovedLight {
        GREEN,
        AMBER,
        RED
    }

    record MovedInner(Optional<MovedLight> light, int count, List<String> added) {}

    record MovedRecord(Moved former, OptionalDouble amount, double[] losses, boolean was, MovedInner added) {}

    static final Format<MovedRecord> MOVED = Format.derived("test-state", MovedRecord.class);

    private static final Format<FormerRecord> FORMER = Format.derived("test-state", FormerRecord.class);

    private static <T> TypeSerializer<T> serializer(Format<T> format) {
        return format.typeInfo().createSerializer(new SerializerConfigImpl());
    }

    private static <T> byte[] bytes(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(value, out);
        return out.getCopyOfBuffer();
    }

    private static FormerRecord random(Random random) {
        Former former = new Former();
        former.name = random.nextBoolean() ? null : "n".repeat(random.nextInt(70_000)) + "ä";
        former.gone = random.nextLong();
        former.forgotten = 3;
        for (int left = random.nextInt(4); left > 0; left--) {
            former.all.add(new Inner(
                    random.nextInt(),
                    random.nextBoolean() ? Optional.empty() : Optional.of(Light.values()[random.nextInt(2)])));
            former.counts.put(random.nextLong(), new int[] {random.nextInt(), 5});
            former.goneToo.add(Optional.of("x"));
        }
        return new FormerRecord(
                random.nextBoolean(),
                random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(0.5),
                new double[] {random.nextGaussian(), Double.NEGATIVE_INFINITY},
                random.nextInt(5) == 0 ? null : former);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aValueComesBackAndACopyIsAnother(long seed) throws IOException {
        TypeSerializer<FormerRecord> serializer = serializer(FORMER);
        FormerRecord value = random(new Random(seed));
        byte[] written = bytes(serializer, value);
        DataInputDeserializer in = new DataInputDeserializer(written);
        FormerRecord read = serializer.deserialize(in);
        assertThat(in.available()).isZero();
        assertThat(read)
                .usingRecursiveComparison()
                .ignoringFields("former.forgotten")
                .isEqualTo(value);

        FormerRecord copy = serializer.copy(value);
        if (value.former() != null) {
            value.former().counts.put(1L, new int[] {1});
            value.former().all.clear();
        }
        value.losses()[0] = 9;
        assertThat(bytes(serializer, copy)).isEqualTo(written);
    }

    /** The class has moved, and its fields have changed: the savepoint is read all the same. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aStateOutlivesItsClass(long seed) throws Exception {
        FormerRecord value = random(new Random(seed));
        byte[] written = bytes(serializer(FORMER), value);
        DataOutputSerializer snapshot = new DataOutputSerializer(64);
        serializer(FORMER).snapshotConfiguration().writeSnapshot(snapshot);
        assertThat(new String(snapshot.getCopyOfBuffer(), java.nio.charset.StandardCharsets.UTF_8))
                .doesNotContain("kipimo", "Former", "Inner");

        FormatSerializerSnapshot<MovedRecord> stored = new FormatSerializerSnapshot<>();
        stored.readSnapshot(
                1,
                new DataInputDeserializer(snapshot.getCopyOfBuffer()),
                getClass().getClassLoader());
        TypeSerializerSnapshot<MovedRecord> now = serializer(MOVED).snapshotConfiguration();
        assertThat(now.resolveSchemaCompatibility(stored).isCompatibleAfterMigration())
                .isTrue();
        DataInputDeserializer in = new DataInputDeserializer(written);
        MovedRecord read = stored.restoreSerializer().deserialize(in);

        assertThat(in.available()).isZero();
        assertThat(read.was()).isEqualTo(value.was());
        assertThat(read.amount()).isEqualTo(value.amount());
        assertThat(read.losses()).containsExactly(value.losses());
        assertThat(read.added()).isEqualTo(new MovedInner(Optional.empty(), 0, List.of()));
        if (value.former() != null) {
            assertThat(read.former().name).isEqualTo(value.former().name);
            assertThat(read.former().added).as("what a new instance has").isEqualTo(7);
            assertThat(read.former().counts).usingRecursiveComparison().isEqualTo(value.former().counts);
            assertThat(read.former().all)
                    .map(inner -> inner.count() + " " + inner.light().map(Enum::name))
                    .isEqualTo(value.former().all.stream()
                            .map(inner -> inner.count() + " " + inner.light().map(Enum::name))
                            .toList());
        }
        assertThat(bytes(serializer(MOVED), read)).isEqualTo(bytes(stored.restoreSerializer(), read));
    }

    record Renamed(String was) {}

    @Test
    void aFieldOfAnotherTypeIsRefusedByItsPath() throws Exception {
        Shape text = Shape.parse("{was:boolean}");
        assertThatThrownBy(() -> new Derivation(List.of()).coder(Renamed.class, text))
                .isInstanceOf(IOException.class)
                .hasMessage("Renamed.was was stored as boolean");
        assertThatThrownBy(() -> Shape.parse("{was:boolean"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no shape");
    }

    static final class Hidden {
        private int count;

        int count() {
            return count;
        }
    }

    record Unknown(Object anything) {}

    @Test
    void whatWouldBeLostOrWrittenByClassHasNoShape() {
        assertThatThrownBy(() -> Format.derived("test", Hidden.class)).hasMessageContaining("state would be lost");
        assertThatThrownBy(() -> Format.derived("test", Unknown.class)).hasMessageContaining("Unknown.anything");
    }

    @Test
    void everyShapeIsReadAsItIsWritten() throws Exception {
        for (Format<?> format : new StateFormats().formats()) {
            if (!format.shape().isEmpty()) {
                assertThat(Shape.parse(format.shape()).toString()).isEqualTo(format.shape());
                format.coder(1, format.shape());
            }
        }
        assertThat(new TreeSet<>(
                        new StateFormats().formats().stream().map(Format::name).toList()))
                .hasSameSizeAs(new StateFormats().formats());
    }

    /** The replicator decides the same when its state was stored after each window. */
    @Test
    void aReplicatorGoesOnFromWhatWasStored() throws Exception {
        TypeSerializer<ReplicationState> serializer = serializer(StateFormats.REPLICATION);
        ReplicationLoop loop = new ReplicationLoop();
        TierWindowSamples.Service service = new TierWindowSamples.Service(20, 7);
        Policy policy = TierWindowSamples.policy(3, Optional.of(TierWindowSamples.replication()));
        ReplicationState state = ReplicationState.initial();
        long now = 100_000_000;
        List<Integer> factors = List.of(1, 1);
        boolean moved = false;
        for (int window = 0; window < 60; window++) {
            now += TierWindowSamples.WINDOW_MILLIS;
            for (TailWindow tier : service.window(now - TierWindowSamples.WINDOW_MILLIS, factors)) {
                var step = loop.step(state, tier, new StepContext<>(policy, MoverTurn.FREE, 5, now));
                state = serializer.deserialize(new DataInputDeserializer(bytes(serializer, step.next())));
                assertThat(state.replicator()).isEqualTo(step.next().replicator());
                assertThat(bytes(serializer, state)).isEqualTo(bytes(serializer, step.next()));
                if (step.decision().isPresent()) {
                    factors = step.decision().get().tiers().stream()
                            .map(TierFactor::factor)
                            .toList();
                    moved |= !factors.equals(List.of(1, 1));
                }
            }
        }
        assertThat(moved).as("there was a trial").isTrue();
    }
}
