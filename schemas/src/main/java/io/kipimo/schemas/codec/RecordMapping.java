package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_NUMBER;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * Converts a record to a message and back, derived from the record's components and their
 * annotations. Each component maps to the field of the same name. Records and lists of records are
 * mapped in the same way. Error messages identify list elements by their name, if they have one.
 */
final class RecordMapping<T extends Record, M extends Message> {
    interface Reader<M, V> {
        /** Adds refused values to the problems, and returns an allowed value instead. */
        V read(String field, M wire, Problems problems);
    }

    interface WireCheck<M> {
        void run(M wire) throws InvalidRecordException;
    }

    interface Check<T, M> {
        void run(String path, T record, M wire) throws InvalidRecordException;
    }

    /** Reads one component; {@code values} holds the components that have been read before. */
    private interface Part<V> {
        Object read(String field, V wire, Object[] values, Problems problems);
    }

    private final M prototype;
    private final RecordFields<T> fields;
    private final int[] order;
    private final boolean named;
    private final List<BiConsumer<Object, Message.Builder>> writers;
    private final List<Part<M>> readers;
    private final List<Check<T, M>> checks = new ArrayList<>();

    private RecordMapping(Class<T> type, M prototype) {
        this.prototype = prototype;
        this.fields = RecordFields.of(type);
        this.order = fields.order();
        int size = fields.all().size();
        this.named = fields.all().get(0).component().equals("name");
        this.writers = new ArrayList<>(Collections.nCopies(size, null));
        this.readers = new ArrayList<>(Collections.nCopies(size, null));
    }

    /** Creates a mapping that is derived completely. */
    static <T extends Record, M extends Message> RecordMapping<T, M> of(
            Class<T> type, M prototype) {
        return new RecordMapping<>(type, prototype).derived();
    }

    /**
     * Creates a mapping whose parts may be set by hand until {@link #derived} derives the others.
     */
    static <T extends Record, M extends Message> RecordMapping<T, M> partly(
            Class<T> type, M prototype) {
        return new RecordMapping<>(type, prototype);
    }

    /** Sets a component that is read and written by hand. */
    @SuppressWarnings("unchecked") // The builder of the message, and the type of the component.
    <V, B extends Message.Builder> RecordMapping<T, M> with(
            String component, BiConsumer<V, B> writer, Reader<M, V> reader) {
        writers.set(fields.index(component), (value, wire) -> writer.accept((V) value, (B) wire));
        return with(component, reader);
    }

    /** Sets a component that is read by hand. */
    <V> RecordMapping<T, M> with(String component, Reader<M, V> reader) {
        readers.set(
                fields.index(component),
                (field, wire, values, problems) -> reader.read(field, wire, problems));
        return this;
    }

    /** Sets a component that is a record, or contains records, with its own mapping. */
    RecordMapping<T, M> with(String component, RecordMapping<?, ?> mapping) {
        int i = fields.index(component);
        set(i, wire(i), mapping.toWire(), mapping.part());
        return this;
    }

    /**
     * Sets a check of a list that runs before its elements are read. A refused list is read as
     * empty. Call it after {@link #derived}.
     */
    RecordMapping<T, M> before(String component, WireCheck<M> check) {
        int i = fields.index(component);
        Part<M> reader = readers.get(i);
        readers.set(
                i,
                (field, wire, values, problems) -> {
                    try {
                        check.run(wire);
                    } catch (InvalidRecordException e) {
                        problems.add(e);
                        return List.of();
                    }
                    return reader.read(field, wire, values, problems);
                });
        return this;
    }

    /** Adds a check of several fields together; it runs after all fields are read. */
    RecordMapping<T, M> check(Check<T, M> check) {
        checks.add(check);
        return this;
    }

    RecordMapping<T, M> derived() {
        for (int i = 0; i < readers.size(); i++) {
            BiConsumer<Object, Message.Builder> writer = writers.get(i);
            Part<M> reader = readers.get(i);
            if (writer != null && reader != null) {
                continue;
            }
            derive(i, fields.all().get(i), wire(i));
            if (reader != null) {
                readers.set(i, reader);
            }
        }
        return this;
    }

    private FieldDescriptor wire(int i) {
        String name = fields.all().get(i).name();
        FieldDescriptor wire = prototype.getDescriptorForType().findFieldByName(name);
        if (wire == null) {
            throw new IllegalStateException(
                    prototype.getDescriptorForType().getName() + " has no field " + name);
        }
        return wire;
    }

    private void derive(int i, RecordField field, FieldDescriptor wire) {
        UnaryOperator<Object> same = v -> v;
        if (field.isRecord()) {
            @SuppressWarnings({"unchecked", "rawtypes"}) // Which record it is is found here only.
            RecordMapping<?, ?> mapping =
                    of(
                            (Class) field.element(),
                            prototype
                                    .newBuilderForType()
                                    .newBuilderForField(wire)
                                    .getDefaultInstanceForType());
            set(i, wire, mapping.toWire(), mapping.part());
        } else if (field.element().isEnum()) {
            Enum<?>[] constants = (Enum<?>[]) field.element().getEnumConstants();
            set(
                    i,
                    wire,
                    v -> wire.getEnumType().findValueByNumber(((Enum<?>) v).ordinal() + 1),
                    (at, v, values, problems) ->
                            problems.check(
                                    constants[0],
                                    () ->
                                            constant(
                                                    at,
                                                    ((EnumValueDescriptor) v).getNumber(),
                                                    constants)));
        } else if (field.element() == String.class) {
            set(i, wire, same, (at, v, values, problems) -> text(at, (String) v, field, problems));
        } else if (field.isNumber()) {
            set(
                    i,
                    wire,
                    same,
                    (at, v, values, problems) ->
                            number(at, (Number) v, field, fields.bounds(i, values), problems));
        } else {
            set(i, wire, same, (at, v, values, problems) -> v);
        }
    }

    private static Enum<?> constant(String field, int number, Enum<?>[] constants)
            throws InvalidRecordException {
        return constants[Checks.constantIndex(field, number, constants)];
    }

    private static String text(String at, String value, RecordField field, Problems problems) {
        return problems.check(
                "?",
                () ->
                        switch (field.text()) {
                            case NAME -> Checks.name(at, value);
                            case TEXT -> Checks.text(at, value);
                            case OPTIONAL -> Checks.optionalText(at, value);
                        });
    }

    private static Number number(
            String at, Number value, RecordField field, FieldBounds bounds, Problems problems) {
        if (bounds.admits(value)) {
            return value;
        }
        problems.add(new InvalidRecordException(IMPOSSIBLE_NUMBER, bounds.refusal(at, value)));
        if (!field.isWhole()) {
            return bounds.least();
        }
        return value instanceof Integer ? (Number) (int) bounds.least() : (long) bounds.least();
    }

    private void set(
            int i, FieldDescriptor wire, UnaryOperator<Object> toWire, Part<Object> fromWire) {
        RecordField field = fields.all().get(i);
        if (field.isList()) {
            writers.set(
                    i,
                    (value, message) -> {
                        for (Object element : (List<?>) value) {
                            message.addRepeatedField(wire, toWire.apply(element));
                        }
                    });
            readers.set(i, (at, message, v, p) -> list(at, message, wire, fromWire, v, p));
        } else if (field.isOptional()) {
            writers.set(
                    i,
                    (value, message) ->
                            ((Optional<?>) value)
                                    .ifPresent(v -> message.setField(wire, toWire.apply(v))));
            readers.set(
                    i,
                    (at, message, values, problems) ->
                            isSet(message, wire)
                                    ? Optional.of(
                                            fromWire.read(
                                                    at, message.getField(wire), values, problems))
                                    : Optional.empty());
        } else {
            writers.set(i, (value, message) -> message.setField(wire, toWire.apply(value)));
            readers.set(
                    i,
                    (at, message, values, problems) ->
                            fromWire.read(at, message.getField(wire), values, problems));
        }
    }

    /**
     * Whether the field is set; an enum without presence is set unless it is the unspecified
     * constant.
     */
    private static boolean isSet(Message message, FieldDescriptor wire) {
        return wire.hasPresence()
                ? message.hasField(wire)
                : ((EnumValueDescriptor) message.getField(wire)).getNumber() != 0;
    }

    private static List<?> list(
            String at,
            Message message,
            FieldDescriptor wire,
            Part<Object> fromWire,
            Object[] values,
            Problems problems) {
        int size = message.getRepeatedFieldCount(wire);
        if (!hasFewParts(at, size, problems)) {
            return List.of();
        }
        Set<Object> names = new HashSet<>();
        List<Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            Object element = fromWire.read(at, message.getRepeatedField(wire, i), values, problems);
            Optional<String> name = name(element);
            if (name.isPresent() && !names.add(name.get())) {
                problems.add(
                        Checks.inconsistent(
                                at + " names '" + name.get() + "' twice; allowed: once"));
            }
            list.add(element);
        }
        return List.copyOf(list);
    }

    private static boolean hasFewParts(String at, int size, Problems problems) {
        return problems.check(
                false,
                () -> {
                    Checks.parts(at, size);
                    return true;
                });
    }

    private static Optional<String> name(Object element) {
        if (!(element instanceof Record record)) {
            return Optional.empty();
        }
        RecordField first = RecordFields.of(record.getClass()).all().get(0);
        return first.component().equals("name")
                ? Optional.of((String) first.get(record))
                : Optional.empty();
    }

    private UnaryOperator<Object> toWire() {
        @SuppressWarnings("unchecked") // The component is of the mapping's type.
        UnaryOperator<Object> part = v -> toWire((T) v);
        return part;
    }

    private Part<Object> part() {
        @SuppressWarnings("unchecked") // The field is of the mapping's message.
        Part<Object> part = (at, wire, values, problems) -> fromWire(at, (M) wire, problems);
        return part;
    }

    M toWire(T record) {
        Message.Builder wire = prototype.newBuilderForType();
        for (int i = 0; i < writers.size(); i++) {
            writers.get(i).accept(fields.all().get(i).get(record), wire);
        }
        @SuppressWarnings("unchecked") // Built by the builder of its type.
        M built = (M) wire.build();
        return built;
    }

    /**
     * Reads a top-level message.
     *
     * @throws InvalidRecordException with the first problem
     */
    T fromWire(M wire) throws InvalidRecordException {
        Problems problems = new Problems(1);
        T record = fromWire("", wire, problems);
        problems.throwIfAny();
        return record;
    }

    /**
     * Reads a record, and replaces refused values by allowed ones.
     *
     * @param at name of the field that contains the message; empty at the top level
     */
    T fromWire(String at, M wire, Problems problems) {
        Object[] values = new Object[order.length];
        String path = at.isEmpty() ? "" : at + '.';
        if (named) {
            values[0] = readers.get(0).read(path + "name", wire, values, problems);
            path += values[0] + ".";
        }
        for (int i : order) {
            if (values[i] == null) {
                String field = path + fields.all().get(i).name();
                values[i] = readers.get(i).read(field, wire, values, problems);
            }
        }
        T record = fields.create(values);
        for (Check<T, M> check : checks) {
            try {
                check.run(path, record, wire);
            } catch (InvalidRecordException e) {
                problems.add(e);
            }
        }
        return record;
    }
}
