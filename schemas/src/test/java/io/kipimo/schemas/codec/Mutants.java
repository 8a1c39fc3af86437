package io.kipimo.schemas.codec;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Copies of a message with one field, at any depth, replaced. */
final class Mutants {
    /**
     * @param path path of the field, for example {@code components.timed_out}; for a map, the path of the map itself
     */
    record Mutant(String path, Message message) {}

    private Mutants() {}

    /** One mutant for each field that is set and that {@code which} accepts. */
    static List<Mutant> of(Message message, Predicate<FieldDescriptor> which, Object value) {
        return of("", message, which, value);
    }

    private static List<Mutant> of(String prefix, Message message, Predicate<FieldDescriptor> which, Object value) {
        List<Mutant> mutants = new ArrayList<>();
        for (FieldDescriptor field : message.getAllFields().keySet()) {
            String path = field.getContainingType().getOptions().getMapEntry()
                    ? prefix.substring(0, prefix.length() - 1)
                    : prefix + field.getName();
            if (field.getJavaType() == JavaType.MESSAGE) {
                Message child =
                        (Message) (field.isRepeated() ? message.getRepeatedField(field, 0) : message.getField(field));
                for (Mutant mutant : of(path + ".", child, which, value)) {
                    mutants.add(new Mutant(mutant.path(), with(message, field, mutant.message())));
                }
            } else if (which.test(field)) {
                mutants.add(new Mutant(path, with(message, field, value)));
            }
        }
        return mutants;
    }

    private static Message with(Message message, FieldDescriptor field, Object value) {
        Message.Builder builder = message.toBuilder();
        return (field.isRepeated() ? builder.setRepeatedField(field, 0, value) : builder.setField(field, value))
                .build();
    }
}
