package io.kipimo.schemas.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.Map;

/** What a version writes that has more fields than this one. */
final class NewerVersion {
    /** Above every number that is in use; two bytes on the wire. */
    static final int FIRST_NEW_FIELD = 1_000;

    private NewerVersion() {}

    /**
     * The same message with a field of every wire type that this version does not know, in it and
     * in every message in it.
     */
    static Message of(Message message) {
        Message.Builder newer = message.toBuilder();
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            // Entries of maps are read as keys and values, not as messages.
            if (field.getKey().getJavaType() != JavaType.MESSAGE || field.getKey().isMapField()) {
                continue;
            }
            if (field.getKey().isRepeated()) {
                for (int i = 0; i < message.getRepeatedFieldCount(field.getKey()); i++) {
                    newer.setRepeatedField(
                            field.getKey(),
                            i,
                            of((Message) message.getRepeatedField(field.getKey(), i)));
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
                        UnknownFieldSet.Field.newBuilder().addVarint(-1).addVarint(7).build())
                .addField(
                        FIRST_NEW_FIELD + 1,
                        UnknownFieldSet.Field.newBuilder().addFixed64(Long.MAX_VALUE).build())
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
