package io.kipimo.operators.types;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import java.io.Serializable;

/**
 * A serializable reference to a codec, by its name.
 *
 * @param <T> the record
 */
public final class CodecReference<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final transient Codec<T> codec;

    private CodecReference(Codec<T> codec) {
        this.name = codec.name();
        this.codec = codec;
    }

    public static <T> CodecReference<T> to(Codec<T> codec) {
        return new CodecReference<>(codec);
    }

    public Codec<T> codec() {
        return codec;
    }

    /** The codec's name is its identity. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CodecReference<?> that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }

    private Object readResolve() {
        return to(Codecs.named(name));
    }
}
