package io.kipimo.operators.types;

import io.kipimo.schemas.codec.Codec;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Flink's type of a record that has a codec. Two are equal when their codecs' names are.
 *
 * @param <T> the record
 */
public final class CodecTypeInfo<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;

    private final CodecReference<T> reference;

    private CodecTypeInfo(CodecReference<T> reference) {
        this.reference = reference;
    }

    public static <T> CodecTypeInfo<T> of(Codec<T> codec) {
        return new CodecTypeInfo<>(CodecReference.to(codec));
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return new CodecSerializer<>(reference);
    }

    @Override
    public Class<T> getTypeClass() {
        return reference.codec().type();
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    /** False, since records may hold arrays; streams are keyed by names in records. */
    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public String toString() {
        return "CodecTypeInfo<" + reference + ">";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CodecTypeInfo<?> that && reference.equals(that.reference);
    }

    @Override
    public int hashCode() {
        return reference.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof CodecTypeInfo;
    }
}
