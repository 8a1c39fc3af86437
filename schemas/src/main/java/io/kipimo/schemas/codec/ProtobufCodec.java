package io.kipimo.schemas.codec;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.kipimo.schemas.deadletter.RejectionReason;
import java.io.Serial;
import java.io.Serializable;
import java.util.function.Function;

/** A codec that consists of a parser, a check and a mapping in each direction. */
record ProtobufCodec<T, M extends Message>(
        Class<T> type,
        Parser<M> parser,
        Function<T, M> toWire,
        Function<T, byte[]> toBytes,
        FromWire<T, M> fromWire,
        Descriptor descriptor)
        implements Codec<T> {

    interface FromWire<T, M> {
        T read(M message) throws InvalidRecordException;
    }

    static <T, M extends Message> ProtobufCodec<T, M> of(
            Class<T> type, M prototype, Function<T, M> toWire, FromWire<T, M> fromWire) {
        @SuppressWarnings("unchecked") // A message's parser reads messages of its own type.
        Parser<M> parser = (Parser<M>) prototype.getParserForType();
        return new ProtobufCodec<>(
                type,
                parser,
                toWire,
                record -> toWire.apply(record).toByteArray(),
                fromWire,
                prototype.getDescriptorForType());
    }

    /** Creates a codec that uses a mapping in both directions. */
    static <T extends Record, M extends Message> ProtobufCodec<T, M> of(RecordMapping<T, M> mapping) {
        return of(mapping.type(), mapping.prototype(), mapping::toWire, mapping::fromWire);
    }

    /** Creates a codec that is derived from the components of the record type. */
    static <T extends Record, M extends Message> ProtobufCodec<T, M> of(Class<T> type, M prototype) {
        return of(RecordMapping.of(type, prototype));
    }

    /**
     * Returns this codec with a faster encoder.
     *
     * @param writer returns the bytes of the message that {@link #toMessage} returns
     */
    ProtobufCodec<T, M> writtenBy(Function<T, byte[]> writer) {
        return new ProtobufCodec<>(type, parser, toWire, writer, fromWire, descriptor);
    }

    @Override
    public String name() {
        return descriptor.getName();
    }

    @Override
    public byte[] encode(T record) {
        return toBytes.apply(record);
    }

    @Override
    public T decode(byte[] bytes) throws InvalidRecordException {
        if (bytes == null || bytes.length == 0) {
            throw new InvalidRecordException(RejectionReason.UNREADABLE, "the record is empty");
        }
        M message;
        try {
            message = parser.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new InvalidRecordException(RejectionReason.UNREADABLE, "not a " + name() + ": " + e.getMessage());
        }
        return fromWire.read(message);
    }

    @Override
    public Message toMessage(T record) {
        return toWire.apply(record);
    }

    @Serial
    private Object writeReplace() {
        return new NamedCodec(name());
    }

    /** Serialized form of a codec, which is only its name. */
    private record NamedCodec(String name) implements Serializable {
        @Serial
        private Object readResolve() {
            return Codecs.named(name);
        }
    }
}
