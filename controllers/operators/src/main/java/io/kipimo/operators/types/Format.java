package io.kipimo.operators.types;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serialised form of values, for transport between operators and for state. A format is identified by its name, never
 * by a class. A savepoint holds the name, the version and, if the format is derived, its {@link Shape}; a job graph
 * holds the name. So classes may move. A {@link FormatCatalogue} lists the formats of a package.
 *
 * @param <T> type of the values
 */
public final class Format<T> implements Serializable {
    /** Writes a value. */
    public interface Writer<T> {
        void write(T value, DataOutputView out) throws IOException;
    }

    /** Reads a value of a version. */
    public interface Reader<T> {
        T read(DataInputView in, int version) throws IOException;
    }

    /** Provides the coder of the newest form, and coders of older forms. */
    private interface Form<T> {
        Coder<T> coder();

        /** Text of the shape; empty: not derived. */
        default String shape() {
            return "";
        }

        /** @throws IOException if values of that shape cannot be read */
        default Coder<T> coder(String stored) throws IOException {
            if (!stored.isEmpty()) {
                throw new IOException("its shape was " + stored + "; it has none now");
            }
            return coder();
        }
    }

    private final String name;
    private final int version;
    private final Class<T> type;
    private final transient Form<T> form;

    private Format(String name, int version, Class<T> type, Form<T> form) {
        this.name = name;
        this.version = version;
        this.type = type;
        this.form = form;
    }

    /**
     * Returns a hand-written format of immutable values.
     *
     * @param name unique name, which must never change
     * @param version version of the written form; it increases with every change of the form
     */
    public static <T> Format<T> of(String name, int version, Class<T> type, Writer<T> writer, Reader<T> reader) {
        return of(name, version, type, writer, reader, value -> value);
    }

    /**
     * Returns a hand-written format of mutable values.
     *
     * @param copy makes an independent copy
     */
    public static <T> Format<T> of(
            String name, int version, Class<T> type, Writer<T> writer, Reader<T> reader, UnaryOperator<T> copy) {
        Coder<T> coder = new Coder<>() {
            @Override
            public void write(T value, DataOutputView out) throws IOException {
                writer.write(value, out);
            }

            @Override
            public T read(DataInputView in, int written) throws IOException {
                return reader.read(in, written);
            }

            @Override
            public T copy(T value) {
                return copy.apply(value);
            }
        };
        return of(name, version, type, () -> coder);
    }

    /**
     * Returns a hand-written format whose coders keep objects between calls, so that each thread gets its own coder.
     */
    public static <T> Format<T> of(String name, int version, Class<T> type, Supplier<Coder<T>> coders) {
        return new Format<>(name, version, type, coders::get);
    }

    /**
     * Returns the format of a record, or of a class with public fields, derived field by field. Fields may be added and
     * removed without a new version, because a savepoint holds its own shape. A field that a savepoint lacks gets the
     * value that it has in a new instance of the class. In a record it gets an empty value: 0, false, or an empty text,
     * array, list, map or Optional.
     *
     * @param parts formats of types of fields that are not written field by field; their coders must keep nothing
     *     between calls
     * @throws IllegalArgumentException if a field has a type that has no shape
     */
    public static <T> Format<T> derived(String name, Class<T> type, Format<?>... parts) {
        Derivation derivation = new Derivation(List.of(parts));
        Shape shape = derivation.shape(type);
        Coder<T> newest;
        try {
            newest = derivation.coder(type, shape);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String text = shape.toString();
        return new Format<>(name, 1, type, new Form<>() {
            /**
             * Returns one coder for all threads: neither it nor the coders of its parts keep anything between calls.
             */
            @Override
            public Coder<T> coder() {
                return newest;
            }

            @Override
            public String shape() {
                return text;
            }

            @Override
            public Coder<T> coder(String stored) throws IOException {
                return stored.equals(text) ? newest : derivation.coder(type, Shape.parse(stored));
            }
        });
    }

    /** Returns the format of a topic's message, which evolves by Protobuf's rules. */
    public static <T> Format<T> ofMessage(Codec<T> codec) {
        return of(
                "message:" + codec.name(),
                1,
                codec.type(),
                (message, out) -> writeMessage(codec, message, out),
                (in, version) -> readMessage(codec, in));
    }

    /** Flink's type of a message of a topic. */
    public static <T> TypeInformation<T> typeOf(Codec<T> codec) {
        return ofMessage(codec).typeInfo();
    }

    /** Flink's type of the values. */
    public TypeInformation<T> typeInfo() {
        return new FormatTypeInfo<>(this);
    }

    public String name() {
        return name;
    }

    /** Version of the written form, at least 1. */
    public int version() {
        return version;
    }

    public Class<T> type() {
        return type;
    }

    /** Text of the derived shape; empty if the format is written by hand. */
    String shape() {
        return form.shape();
    }

    /** A coder of the newest form, for one thread. */
    public Coder<T> coder() {
        return form.coder();
    }

    /**
     * A coder that reads an older form, for one thread.
     *
     * @throws IOException if this program cannot read that form
     */
    Coder<T> coder(int storedVersion, String storedShape) throws IOException {
        if (storedVersion < 1 || storedVersion > version) {
            throw new IOException(
                    name + " was written in version " + storedVersion + "; this program reads 1.." + version);
        }
        try {
            return form.coder(storedShape);
        } catch (IOException e) {
            throw new IOException(name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Writes the number of bytes, and then the bytes. */
    public static void writeBytes(byte[] bytes, DataOutputView out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads what {@link #writeBytes} wrote. */
    public static byte[] readBytes(DataInputView in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    /** Writes the length of an encoded message, and then the message. */
    public static <T> void writeMessage(Codec<T> codec, T message, DataOutputView out) throws IOException {
        writeBytes(codec.encode(message), out);
    }

    /** Reads what {@link #writeMessage} wrote. */
    public static <T> T readMessage(Codec<T> codec, DataInputView in) throws IOException {
        byte[] bytes = readBytes(in);
        try {
            return codec.decode(bytes);
        } catch (InvalidRecordException e) {
            throw new IOException("a stored " + codec.name() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Compares the names, which are unique. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Format<?> that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }

    @Serial
    private Object writeReplace() {
        return new Named(name);
    }

    @Serial
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("read by name only");
    }

    /** Stands for a format in a serialised job graph. */
    private record Named(String name) implements Serializable {
        @Serial
        private Object readResolve() {
            return FormatCatalogue.named(name);
        }
    }
}
