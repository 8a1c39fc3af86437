package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_NUMBER;
import static io.kipimo.schemas.deadletter.RejectionReason.INCONSISTENT;
import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import io.kipimo.schemas.field.Ascending;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;

/**
 * Converts a record to a Protobuf message and back, as derived from the record's components and their annotations. Each
 * component maps to the field of the same name. An enum constant maps to the wire constant in the same place, where the
 * unspecified one does not count, or to its name if the field is a text. Nested records, also in lists, are mapped in
 * the same way. Error messages identify a list element by its name, if it has one.
 */
final class RecordMapping<T extends Record, M extends Message> {
    interface WireValueReader<M, V> {
        /** Returns the value. If the value is refused, adds a problem and returns an allowed value instead. */
        V read(String field, M wire, Problems problems);
    }

    /** Reads one component; {@code values} holds the components that were read before it. */
    private interface ComponentReader<V> {
        Object read(String field, V wire, Object[] values, Problems problems);
    }

    /** The conversion of one value, which may be in a list, a map or an {@link Optional}. */
    private record Conversion(UnaryOperator<Object> toWire, ComponentReader<Object> fromWire) {}

    private final Class<T> type;
    private final M prototype;
    private final RecordFields<T> fields;
    private final int[] order;
    private final boolean named;
    private final String[] names;
    private final List<BiConsumer<Object, Message.Builder>> writers;
    private final List<ComponentReader<M>> readers;
    private final List<RecordChecks.Check<T>> checks;

    private RecordMapping(Class<T> type, M prototype) {
        this.type = type;
        this.prototype = prototype;
        this.fields = RecordFields.of(type);
        this.checks = RecordChecks.of(type);
        this.order = fields.order();
        int size = fields.all().size();
        this.named = fields.all().get(0).component().equals("name");
        this.names = new String[size];
        Arrays.setAll(names, i -> fields.all().get(i).isFlat() ? "" : wire(i).getName());
        this.writers = new ArrayList<>(Collections.nCopies(size, null));
        this.readers = new ArrayList<>(Collections.nCopies(size, null));
    }

    /** Creates a mapping in which every component is derived. */
    static <T extends Record, M extends Message> RecordMapping<T, M> of(Class<T> type, M prototype) {
        return partly(type, prototype).derived();
    }

    /** Creates a mapping whose components may be set by hand until {@link #derived} derives the rest. */
    static <T extends Record, M extends Message> RecordMapping<T, M> partly(Class<T> type, M prototype) {
        return new RecordMapping<>(type, prototype);
    }

    /** Sets a component that is read and written by hand. */
    @SuppressWarnings("unchecked") // The builder of the message, and the type of the component.
    <V, B extends Message.Builder> RecordMapping<T, M> with(
            String component, BiConsumer<V, B> writer, WireValueReader<M, V> reader) {
        writers.set(fields.index(component), (value, wire) -> writer.accept((V) value, (B) wire));
        return with(component, reader);
    }

    /** Sets a component that is read by hand. */
    <V> RecordMapping<T, M> with(String component, WireValueReader<M, V> reader) {
        readers.set(fields.index(component), (field, wire, values, problems) -> reader.read(field, wire, problems));
        return this;
    }

    /** Sets a component that is a record, or contains records, with its own mapping. */
    RecordMapping<T, M> with(String component, RecordMapping<?, ?> mapping) {
        int i = fields.index(component);
        set(i, wire(i), mapping.conversion());
        return this;
    }

    /**
     * Leaves the field unset for one value of a component, and reads an unset field as this value. Call it after
     * {@link #derived}.
     */
    RecordMapping<T, M> unset(String component, Object value) {
        int i = fields.index(component);
        FieldDescriptor wire = wire(i);
        BiConsumer<Object, Message.Builder> writer = writers.get(i);
        ComponentReader<M> reader = readers.get(i);
        writers.set(i, (any, message) -> {
            if (!any.equals(value)) {
                writer.accept(any, message);
            }
        });
        readers.set(
                i,
                (at, message, values, problems) ->
                        message.hasField(wire) ? reader.read(at, message, values, problems) : value);
        return this;
    }

    RecordMapping<T, M> derived() {
        for (int i = 0; i < readers.size(); i++) {
            ComponentReader<M> reader = readers.get(i);
            if (reader == null || writers.get(i) == null) {
                derive(i, fields.all().get(i));
                if (reader != null) {
                    readers.set(i, reader);
                }
            }
        }
        return this;
    }

    private FieldDescriptor wire(int i) {
        String component = fields.all().get(i).component();
        Descriptor type = prototype.getDescriptorForType();
        return type.getFields().stream()
                .filter(wire -> wire.getJsonName().equals(component))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(type.getName() + " has no field " + component));
    }

    private void derive(int i, RecordField field) {
        if (field.isFlat()) {
            flat(i, of(field.element().asSubclass(Record.class), prototype));
            return;
        }
        FieldDescriptor wire = wire(i);
        if (field.isMap()) {
            map(i, field, wire);
        } else {
            set(i, wire, conversion(i, field, field.element(), wire, prototype));
        }
    }

    private <F extends Record> void flat(int i, RecordMapping<F, M> mapping) {
        writers.set(i, (value, message) -> mapping.write(mapping.type.cast(value), message));
        readers.set(i, (above, message, values, problems) -> mapping.read(above, message, problems));
    }

    /**
     * The conversion of a single value.
     *
     * @param whole message that has the field
     */
    private Conversion conversion(int i, RecordField field, Class<?> value, FieldDescriptor wire, Message whole) {
        UnaryOperator<Object> same = v -> v;
        if (value.isRecord()) {
            Message part = part(whole, wire);
            return of(value.asSubclass(Record.class), part).conversion();
        }
        if (value.isEnum()) {
            return constants((Enum<?>[]) value.getEnumConstants(), wire);
        }
        if (value == String.class) {
            return new Conversion(same, (at, v, values, problems) -> text(at, (String) v, field, problems));
        }
        if (value == byte[].class) {
            return new Conversion(
                    v -> ByteString.copyFrom((byte[]) v),
                    (at, v, values, problems) -> hasSize(at, ((ByteString) v).size(), "bytes", field, problems)
                            ? ((ByteString) v).toByteArray()
                            : new byte[0]);
        }
        if (field.isNumber()) {
            return new Conversion(
                    same,
                    (at, v, values, problems) -> number(at, (Number) v, field, fields.bounds(i, values), problems));
        }
        return new Conversion(same, (at, v, values, problems) -> v);
    }

    private static Message part(Message whole, FieldDescriptor wire) {
        return whole.newBuilderForType().newBuilderForField(wire).getDefaultInstanceForType();
    }

    private static Conversion constants(Enum<?>[] constants, FieldDescriptor wire) {
        if (wire.getJavaType() == JavaType.STRING) {
            return new Conversion(
                    v -> ((Enum<?>) v).name(),
                    (at, v, values, problems) ->
                            problems.check(constants[0], () -> Checks.constant(at, (String) v, constants)));
        }
        EnumValueDescriptor[] onWire = new EnumValueDescriptor[constants.length];
        Arrays.setAll(onWire, place -> wire.getEnumType().findValueByNumber(place + 1));
        return new Conversion(v -> onWire[((Enum<?>) v).ordinal()], (at, v, values, problems) -> {
            try {
                int number = ((EnumValueDescriptor) v).getNumber();
                return constants[Checks.constantIndex(at, number, constants)];
            } catch (InvalidRecordException e) {
                problems.add(e);
                return constants[0];
            }
        });
    }

    private static String text(String at, String value, RecordField field, Problems problems) {
        try {
            if (value.isEmpty() && field.mayBeEmpty()) {
                return value;
            }
            return switch (field.text()) {
                case NAME -> Checks.name(at, value);
                case TEXT -> Checks.text(at, value, field.longest());
                case DOCUMENT -> Checks.length(at, value, field.longest());
            };
        } catch (InvalidRecordException e) {
            problems.add(e);
            return "?";
        }
    }

    private static Number number(String at, Number value, RecordField field, FieldBounds bounds, Problems problems) {
        if (bounds.admits(value)) {
            return value;
        }
        problems.add(new InvalidRecordException(IMPOSSIBLE_NUMBER, bounds.refusal(at, value)));
        if (!field.isWhole()) {
            return bounds.least();
        }
        return value instanceof Integer ? (Number) (int) bounds.leastWhole() : bounds.leastWhole();
    }

    private void set(int i, FieldDescriptor wire, Conversion each) {
        RecordField field = fields.all().get(i);
        UnaryOperator<Object> toWire = each.toWire();
        ComponentReader<Object> fromWire = each.fromWire();
        if (field.isList()) {
            writers.set(i, (value, message) -> {
                for (Object element : (List<?>) value) {
                    message.addRepeatedField(wire, toWire.apply(element));
                }
            });
            ListReader reader = new ListReader(field, fromWire);
            readers.set(i, (at, message, v, p) -> reader.read(at, message.getField(wire), v, p));
        } else if (field.isArray()) {
            writers.set(
                    i,
                    (value, message) -> message.setField(
                            wire, DoubleStream.of((double[]) value).boxed().toList()));
            ListReader reader = new ListReader(field, fromWire);
            readers.set(i, (at, message, v, p) -> reader.read(at, message.getField(wire), v, p).stream()
                    .mapToDouble(number -> (Double) number)
                    .toArray());
        } else if (field.isOptional()) {
            writers.set(i, (value, message) -> ((Optional<?>) value)
                    .ifPresent(v -> message.setField(wire, toWire.apply(v))));
            readers.set(
                    i,
                    (at, message, values, problems) -> isSet(message, wire)
                            ? Optional.of(fromWire.read(at, message.getField(wire), values, problems))
                            : Optional.empty());
        } else {
            writers.set(i, (value, message) -> message.setField(wire, toWire.apply(value)));
            ComponentReader<M> reader =
                    (at, message, values, problems) -> fromWire.read(at, message.getField(wire), values, problems);
            readers.set(i, field.isRequired() ? required(wire, reader) : reader);
        }
    }

    private ComponentReader<M> required(FieldDescriptor wire, ComponentReader<M> reader) {
        return (at, message, values, problems) -> {
            if (!message.hasField(wire)) {
                problems.add(
                        new InvalidRecordException(MISSING_FIELD, at + " is not set; allowed: set, even if to zeros"));
            }
            return reader.read(at, message, values, problems);
        };
    }

    /** Whether the field is set; an enum without presence is set unless it is the unspecified constant. */
    private static boolean isSet(Message message, FieldDescriptor wire) {
        return wire.hasPresence()
                ? message.hasField(wire)
                : ((EnumValueDescriptor) message.getField(wire)).getNumber() != 0;
    }

    /**
     * Maps a map to a map field, or to a list of messages whose first field is the key and whose second is the value.
     */
    private void map(int i, RecordField field, FieldDescriptor wire) {
        Message entry = part(prototype, wire);
        Descriptor type = entry.getDescriptorForType();
        FieldDescriptor keyWire = type.getFields().get(0);
        FieldDescriptor valueWire = type.getFields().get(1);
        Conversion key = conversion(i, field, field.key(), keyWire, entry);
        Conversion value = conversion(i, field, field.element(), valueWire, entry);
        writers.set(i, (map, message) -> new TreeMap<Object, Object>((Map<?, ?>) map)
                .forEach((k, v) -> message.addRepeatedField(
                        wire,
                        entry.newBuilderForType()
                                .setField(keyWire, key.toWire().apply(k))
                                .setField(valueWire, value.toWire().apply(v))
                                .build())));
        readers.set(i, (at, message, values, problems) -> {
            Map<Object, Object> map = new TreeMap<>();
            List<?> entries = (List<?>) message.getField(wire);
            if (!hasSize(at, entries.size(), "parts", field, problems)) {
                return map;
            }
            for (Object each : entries) {
                Message one = (Message) each;
                String keyAt = wire.isMapField() ? at : at + '.' + keyWire.getName();
                Object k = key.fromWire().read(keyAt, one.getField(keyWire), values, problems);
                String valueAt = at + '.' + (wire.isMapField() ? k : valueWire.getName());
                Object v = value.fromWire().read(valueAt, one.getField(valueWire), values, problems);
                if (map.put(k, v) != null) {
                    problems.add(twice(at, keyWire.getName(), k));
                }
            }
            return Collections.unmodifiableMap(map);
        });
    }

    private static InvalidRecordException twice(String at, String what, Object value) {
        return Checks.inconsistent(at
                + (value instanceof Number ? " has " : " names ")
                + (what.equals("name") ? "" : what + ' ')
                + (value instanceof String name ? '\'' + Names.printable(name) + '\'' : value)
                + " twice; allowed: once");
    }

    private static boolean hasSize(String at, int size, String what, RecordField field, Problems problems) {
        FieldBounds allowed = field.size();
        if (allowed.admits(size)) {
            return true;
        }
        problems.add(new InvalidRecordException(
                size < allowed.least() ? INCONSISTENT : IMPOSSIBLE_NUMBER,
                at
                        + (size == 0 ? " is empty" : " has " + size + ' ' + what)
                        + "; allowed: "
                        + (allowed.least() == 0 ? "at most " : (int) allowed.least() + "..")
                        + (int) allowed.most()));
        return false;
    }

    /** Reads the elements of a list or an array. */
    private record ListReader(
            RecordField field,
            ComponentReader<Object> element,
            boolean isDistinct,
            Optional<Ascending> ascending,
            Optional<RecordField> first) {
        ListReader(RecordField field, ComponentReader<Object> element) {
            this(
                    field,
                    element,
                    field.isDistinct(),
                    field.ascending(),
                    field.isRecord()
                            ? Optional.of(RecordFields.of(field.element().asSubclass(Record.class))
                                    .all()
                                    .get(0))
                            : Optional.empty());
        }

        Collection<?> read(String at, Object wire, Object[] values, Problems problems) {
            List<?> elements = (List<?>) wire;
            if (!hasSize(at, elements.size(), "parts", field, problems)) {
                return List.of();
            }
            Set<Object> seen = new HashSet<>();
            double least = -Double.MAX_VALUE;
            List<Object> list = new ArrayList<>(elements.size());
            for (Object each : elements) {
                Object read = element.read(at, each, values, problems);
                list.add(read);
                if (isDistinct && !seen.add(identity(read))) {
                    String what = first.map(RecordField::name).orElse("name");
                    problems.add(twice(at, what, identity(read)));
                }
                if (ascending.isPresent()) {
                    least = ascend(at, (Number) identity(read), least, problems);
                }
            }
            return List.copyOf(list);
        }

        /**
         * Returns the part that distinguishes an element: the first component of a record, otherwise the element
         * itself.
         */
        private Object identity(Object element) {
            return first.isPresent() ? first.get().get((Record) element) : element;
        }

        private double ascend(String at, Number value, double least, Problems problems) {
            FieldBounds bounds = first.orElseThrow().bounds();
            double number = value.doubleValue();
            if (number < least) {
                String name = at + '.' + first.orElseThrow().name();
                String refusal = new FieldBounds(least, bounds.most()).refusal(name, value);
                problems.add(new InvalidRecordException(IMPOSSIBLE_NUMBER, refusal));
            }
            return ascending.orElseThrow().strictly() ? Math.nextUp(number) : number;
        }
    }

    private Conversion conversion() {
        @SuppressWarnings("unchecked") // The field is of the mapping's message.
        ComponentReader<Object> fromWire = (at, wire, values, problems) -> fromWire(at, (M) wire, problems);
        return new Conversion(v -> toWire(type.cast(v)), fromWire);
    }

    Class<T> type() {
        return type;
    }

    M prototype() {
        return prototype;
    }

    M toWire(T record) {
        Message.Builder wire = prototype.newBuilderForType();
        write(record, wire);
        @SuppressWarnings("unchecked") // Built by the builder of its type.
        M built = (M) wire.build();
        return built;
    }

    private void write(T record, Message.Builder wire) {
        for (int i = 0; i < writers.size(); i++) {
            writers.get(i).accept(fields.all().get(i).get(record), wire);
        }
    }

    /**
     * Reads a top-level message.
     *
     * @throws InvalidRecordException with the first problem
     */
    T fromWire(M wire) throws InvalidRecordException {
        Problems problems = new Problems(1);
        T record = read("", wire, problems);
        problems.throwIfAny();
        return record;
    }

    /**
     * Reads a record, and replaces refused values by allowed ones.
     *
     * @param at name of the field that contains the message; empty at the top level
     */
    T fromWire(String at, M wire, Problems problems) {
        return read(at.isEmpty() ? at : at + '.', wire, problems);
    }

    private T read(String above, M wire, Problems problems) {
        Object[] values = new Object[order.length];
        String path = above;
        if (named) {
            values[0] = readers.get(0).read(path + "name", wire, values, problems);
            path += values[0] + ".";
        }
        for (int i : order) {
            if (values[i] == null) {
                String field = path.isEmpty() ? names[i] : path + names[i];
                values[i] = readers.get(i).read(field, wire, values, problems);
            }
        }
        T record = fields.create(values);
        for (RecordChecks.Check<T> check : checks) {
            try {
                check.run(path, record, wire);
            } catch (InvalidRecordException e) {
                problems.add(e);
            }
        }
        return record;
    }
}
