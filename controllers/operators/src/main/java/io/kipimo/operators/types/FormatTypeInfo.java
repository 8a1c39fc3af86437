package io.kipimo.operators.types;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Flink's type of a value that has a {@link Format}. Two types are equal if their formats are equal.
 *
 * @param <T> type of the values
 */
final class FormatTypeInfo<T> extends TypeInformation<T> {
    private final Format<T> format;

    FormatTypeInfo(Format<T> format) {
        this.format = format;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return new FormatSerializer<>(format);
    }

    @Override
    public Class<T> getTypeClass() {
        return format.type();
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

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public String toString() {
        return "FormatTypeInfo<" + format + ">";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FormatTypeInfo<?> that && format.equals(that.format);
    }

    @Override
    public int hashCode() {
        return format.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof FormatTypeInfo;
    }
}
