package io.kipimo.schemas.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.Map;

/** Messages as a newer version with more fields would write them. */
final class NewerVersion {
    /** Above every field number in use; its tag has two bytes. */
    static final int FIRST_NEW_FIELD = 1_000;

    private NewerVersion() {}

    /** The message with unknown fields of every wire type, in it and in each of its sub-messages. */
    static Message of(Message message) {
        Message.Builder newer = message.toBuilder();
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            // The entries of a map are parsed as keys and values, so unknown fields in them are
            // lost.
            if (field.getKey().getJavaType() != JavaType.MESSAGE
                    || field.getKey().isMapField()) {
                continue;
            }
            if (field.getKey().isRepeated()) {
                for (int i = 0; i < message.getRepeatedFieldCount(field.getKey()); i++) {
                    newer.setRepeatedField(
                            field.getKey(), i, of((Message) message.getRepeatedField(field.getKey(), i)));
                }
            } else {
                newer.setField(field.getKey(), of((Message) field.getValue()));
            }
        }
        return newer.setUnknownFields(news()).build();
    }

    private static UnknownFieldSet news() {
        return UnknownFieldSet.newBuilder()
                .addField(
                        FIRST_NEW_FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addVarint(-1)
                                .addVarint(7)
                                .build())
                .addField(
                        FIRST_NEW_FIELD + 1,
                        UnknownFieldSet.Field.newBuilder()
                                .addFixed64(Long.MAX_VALUE)
                                .build())
                .addField(
                        FIRST_NEW_FIELD + 2,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("news"))
                                .build())
                .addField(
                        FIRST_NEW_FIELD + 3,
                        UnknownFieldSet.Field.newBuilder().addFixed32(7).build())
                .build();
    }
}
