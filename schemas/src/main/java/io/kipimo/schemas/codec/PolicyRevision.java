package io.kipimo.schemas.codec;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.wire.PolicyProto;
import java.util.HashMap;
import java.util.Map;

/**
 * Changes a policy without loss of unknown fields: an older version of Kipimo must not remove fields that a newer one
 * has set.
 */
public final class PolicyRevision {
    /** Field that identifies the messages of a repeated field. */
    private static final String NAME = "name";

    private PolicyRevision() {}

    /**
     * Returns the bytes of {@code after}, with the fields of {@code before} that this version does not know. It keeps
     * unknown fields of the policy and of every message that both policies have. Classes and tiers are matched by name.
     *
     * @param before bytes of the policy that was changed
     */
    public static byte[] changed(byte[] before, Policy after) {
        Message known = Codecs.POLICY.toMessage(after);
        try {
            return with(PolicyProto.parseFrom(before), known).toByteArray();
        } catch (InvalidProtocolBufferException e) {
            // Bytes that cannot be parsed were never in force.
            return known.toByteArray();
        }
    }

    private static Message with(Message before, Message after) {
        Message.Builder both = after.toBuilder().setUnknownFields(before.getUnknownFields());
        for (FieldDescriptor field : after.getAllFields().keySet()) {
            if (field.getJavaType() != JavaType.MESSAGE || field.isMapField()) {
                continue;
            }
            if (!field.isRepeated()) {
                if (before.hasField(field)) {
                    both.setField(field, with((Message) before.getField(field), (Message) after.getField(field)));
                }
                continue;
            }
            FieldDescriptor name = field.getMessageType().findFieldByName(NAME);
            if (name == null) {
                continue;
            }
            Map<Object, Message> named = new HashMap<>();
            for (int i = 0; i < before.getRepeatedFieldCount(field); i++) {
                Message each = (Message) before.getRepeatedField(field, i);
                named.put(each.getField(name), each);
            }
            for (int i = 0; i < after.getRepeatedFieldCount(field); i++) {
                Message each = (Message) after.getRepeatedField(field, i);
                Message same = named.get(each.getField(name));
                if (same != null) {
                    both.setRepeatedField(field, i, with(same, each));
                }
            }
        }
        return both.build();
    }
}
