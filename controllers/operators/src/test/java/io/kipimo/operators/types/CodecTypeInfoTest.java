package io.kipimo.operators.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.EpochClaim;
import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class CodecTypeInfoTest {
    private static final EpochClaim CLAIM =
            new EpochClaim("admission", "job-0", 1_700_000_000_000L);

    private final CodecTypeInfo<EpochClaim> type = CodecTypeInfo.of(Codecs.EPOCH_CLAIM);
    private final TypeSerializer<EpochClaim> serializer =
            type.createSerializer(new SerializerConfigImpl());

    @Test
    void recordsComeBackAsTheyWent() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        serializer.serialize(CLAIM, out);
        serializer.serialize(CLAIM, out);
        DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
        assertThat(serializer.deserialize(in)).isEqualTo(CLAIM);
        assertThat(serializer.deserialize(null, in)).isEqualTo(CLAIM);
        assertThat(in.available()).isZero();
    }

    @Test
    void bytesAreCopiedWhole() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        serializer.serialize(CLAIM, out);
        DataOutputSerializer copy = new DataOutputSerializer(16);
        serializer.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copy);
        assertThat(copy.getCopyOfBuffer()).isEqualTo(out.getCopyOfBuffer());
    }

    @Test
    void recordsAreImmutableSoACopyIsTheRecord() {
        assertThat(serializer.isImmutableType()).isTrue();
        assertThat(serializer.copy(CLAIM)).isSameAs(CLAIM);
        assertThat(serializer.copy(CLAIM, null)).isSameAs(CLAIM);
    }

    @Test
    void typeAndSerializerTravelWithTheJob() throws Exception {
        assertThat(InstantiationUtil.clone(type)).isEqualTo(type);
        TypeSerializer<EpochClaim> shipped = InstantiationUtil.clone(serializer);
        assertThat(shipped).isEqualTo(serializer);
        DataOutputSerializer out = new DataOutputSerializer(16);
        shipped.serialize(CLAIM, out);
        assertThat(serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
                .isEqualTo(CLAIM);
    }

    @Test
    void typesOfOtherRecordsDiffer() {
        assertThat(type)
                .isEqualTo(CodecTypeInfo.of(Codecs.EPOCH_CLAIM))
                .isNotEqualTo(CodecTypeInfo.of(Codecs.POLICY));
        assertThat(type.getTypeClass()).isEqualTo(EpochClaim.class);
        assertThat(type.isKeyType()).isFalse();
    }

    @Test
    void everyCodecHasAType() {
        assertThat(Codecs.all())
                .allSatisfy(
                        codec ->
                                assertThat(InstantiationUtil.clone(CodecTypeInfo.of(codec)))
                                        .isEqualTo(CodecTypeInfo.of(codec)));
    }

    @Test
    void aSnapshotRestoresItsSerializer() throws Exception {
        TypeSerializerSnapshot<EpochClaim> restored = restore(serializer, 1);
        assertThat(restored.restoreSerializer()).isEqualTo(serializer);
        assertThat(
                        serializer
                                .snapshotConfiguration()
                                .resolveSchemaCompatibility(restored)
                                .isCompatibleAsIs())
                .isTrue();
    }

    @Test
    void anotherMessageIsIncompatible() throws Exception {
        TypeSerializerSnapshot<EpochClaim> old = restore(serializer, 1);
        @SuppressWarnings("unchecked") // As a job would that changed a state's type.
        TypeSerializerSnapshot<EpochClaim> now =
                (TypeSerializerSnapshot<EpochClaim>)
                        (TypeSerializerSnapshot<?>)
                                CodecTypeInfo.of(Codecs.POLICY)
                                        .createSerializer(new SerializerConfigImpl())
                                        .snapshotConfiguration();
        assertThat(now.resolveSchemaCompatibility(old).isIncompatible()).isTrue();
    }

    @Test
    void unknownVersionsAreRefusedByName() {
        assertThatIOException()
                .isThrownBy(() -> restore(serializer, 2))
                .withMessageContaining("version 2");
    }

    @Test
    void unknownMessagesAreRefusedByName() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        out.writeUTF("NoSuchProto");
        assertThatIOException()
                .isThrownBy(
                        () ->
                                new CodecSerializerSnapshot<EpochClaim>()
                                        .readSnapshot(
                                                1,
                                                new DataInputDeserializer(out.getCopyOfBuffer()),
                                                getClass().getClassLoader()))
                .withMessageContaining("NoSuchProto");
    }

    @Test
    void brokenStateIsNamed() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        out.writeInt(1);
        out.writeByte(0xff);
        assertThatIOException()
                .isThrownBy(
                        () ->
                                serializer.deserialize(
                                        new DataInputDeserializer(out.getCopyOfBuffer())))
                .withMessageContaining("EpochClaimProto");
    }

    private TypeSerializerSnapshot<EpochClaim> restore(TypeSerializer<EpochClaim> from, int version)
            throws Exception {
        DataOutputSerializer out = new DataOutputSerializer(16);
        from.snapshotConfiguration().writeSnapshot(out);
        TypeSerializerSnapshot<EpochClaim> restored = new CodecSerializerSnapshot<>();
        restored.readSnapshot(
                version,
                new DataInputDeserializer(out.getCopyOfBuffer()),
                getClass().getClassLoader());
        return restored;
    }
}
