package io.kipimo.schemas.codec;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.io.Serializable;

/**
 * Converts records of one type to Protobuf bytes and back. Codecs are stateless constants of {@link Codecs}, and are
 * serialized by their names.
 *
 * @param <T> the record
 */
public interface Codec<T> extends Serializable {
    /** Name of the message in package {@code kipimo.v1}; serialized state refers to codecs by it. */
    String name();

    Class<T> type();

    byte[] encode(T record);

    /**
     * Reads and checks one record.
     *
     * @throws InvalidRecordException if the bytes are not such a message, or a field is outside its allowed values
     */
    T decode(byte[] bytes) throws InvalidRecordException;

    /** The wire message of a record, for printing as JSON. */
    Message toMessage(T record);

    /** Descriptor of the wire message, for access to fields by name. */
    Descriptor descriptor();
}
