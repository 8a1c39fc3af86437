package io.kipimo.operators.types;

import io.kipimo.operators.types.Shape.EnumShape;
import io.kipimo.operators.types.Shape.Fields;
import io.kipimo.operators.types.Shape.FormatShape;
import io.kipimo.operators.types.Shape.Leaf;
import io.kipimo.operators.types.Shape.Several;
import io.kipimo.operators.types.Shape.Single;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/**
 * Derives the {@link Shape} of a type, which describes its serialised form, and coders that write this shape and read
 * older ones. Null is marked by a byte before an object, or by the length -1.
 */
final class Derivation {
    private static final Map<Class<?>, Leaf> LEAVES = Map.of(
            boolean.class, Leaf.BOOLEAN,
            Boolean.class, Leaf.BOOLEAN,
            int.class, Leaf.INT,
            Integer.class, Leaf.INT,
            long.class, Leaf.LONG,
            Long.class, Leaf.LONG,
            double.class, Leaf.DOUBLE,
            Double.class, Leaf.DOUBLE,
            String.class, Leaf.TEXT);

    private final Map<Class<?>, Format<?>> parts = new HashMap<>();

    Derivation(List<Format<?>> parts) {
        parts.forEach(part -> this.parts.put(part.type(), part));
    }

    /**
     * Derives a type's shape.
     *
     * @throws IllegalArgumentException if the type, or that of a field in it, has no shape; the message has the field's
     *     path
     */
    Shape shape(Class<?> type) {
        return shape(type, type.getSimpleName(), new HashSet<>());
    }

    private Shape shape(Type type, String path, Set<Class<?>> within) {
        Class<?> raw = raw(type);
        if (LEAVES.containsKey(raw)) {
            return new Single(LEAVES.get(raw));
        }
        if (parts.containsKey(raw)) {
            return new FormatShape(parts.get(raw).name(), parts.get(raw).version());
        }
        if (raw.isEnum()) {
            return new EnumShape(Arrays.stream(raw.getEnumConstants())
                    .map(c -> ((Enum<?>) c).name())
                    .toList());
        }
        Optional<Several.ContainerKind> kind = kind(raw);
        if (kind.isPresent()) {
            return new Several(
                    kind.get(),
                    elements(type).stream()
                            .map(e -> shape(e, path + "[]", within))
                            .toList());
        }
        if (raw.isInterface() || raw.getName().startsWith("java.") || !within.add(raw)) {
            throw new IllegalArgumentException(path + " is a " + type + ", which has no shape");
        }
        Map<String, Shape> fields = new LinkedHashMap<>();
        for (Property property : Property.of(raw)) {
            fields.put(property.name(), shape(property.type(), path + '.' + property.name(), within));
        }
        within.remove(raw);
        return new Fields(fields);
    }

    private static Class<?> raw(Type type) {
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
    }

    private static Optional<Several.ContainerKind> kind(Class<?> raw) {
        if (raw.isArray()) {
            return Optional.of(Several.ContainerKind.ARRAY);
        }
        if (raw == List.class) {
            return Optional.of(Several.ContainerKind.LIST);
        }
        if (raw == Map.class) {
            return Optional.of(Several.ContainerKind.MAP);
        }
        return raw == Optional.class || raw == OptionalDouble.class
                ? Optional.of(Several.ContainerKind.OPTIONAL)
                : Optional.empty();
    }

    private static List<Type> elements(Type type) {
        Class<?> raw = raw(type);
        if (raw.isArray()) {
            return List.of(raw.getComponentType());
        }
        return raw == OptionalDouble.class
                ? List.of(double.class)
                : List.of(((ParameterizedType) type).getActualTypeArguments());
    }

    /**
     * Returns a coder that writes the type's present shape and reads the stored shape.
     *
     * @throws IOException if the type cannot be read from that shape
     */
    <T> Coder<T> coder(Class<T> type, Shape stored) throws IOException {
        Node node = node(type, stored, type.getSimpleName());
        return new Coder<>() {
            @Override
            public void write(T value, DataOutputView out) throws IOException {
                node.write(value, out);
            }

            @Override
            @SuppressWarnings("unchecked") // Derived from the type.
            public T read(DataInputView in, int version) throws IOException {
                return (T) node.read(in);
            }

            @Override
            @SuppressWarnings("unchecked") // A copy has the type of its original.
            public T copy(T value) {
                return (T) copyOf(node, value);
            }
        };
    }

    /** Coder of a part of a value. */
    private interface Node {
        void write(Object value, DataOutputView out) throws IOException;

        Object read(DataInputView in) throws IOException;

        /** Returns an independent copy, or the value itself if it is immutable. The value is not null. */
        default Object copy(Object value) {
            return value;
        }
    }

    private static Object copyOf(Node node, Object value) {
        return value == null ? null : node.copy(value);
    }

    private Node node(Type type, Shape stored, String path) throws IOException {
        Class<?> raw = raw(type);
        if (LEAVES.containsKey(raw)) {
            Leaf leaf = LEAVES.get(raw);
            expect(stored.equals(new Single(leaf)), path, stored);
            return leaf(leaf);
        }
        if (parts.containsKey(raw)) {
            expect(
                    stored instanceof FormatShape part
                            && part.format().equals(parts.get(raw).name()),
                    path,
                    stored);
            return part(parts.get(raw), ((FormatShape) stored).version());
        }
        if (raw.isEnum()) {
            expect(stored instanceof EnumShape, path, stored);
            return choice(raw, ((EnumShape) stored).names(), path);
        }
        Optional<Several.ContainerKind> kind = kind(raw);
        if (kind.isPresent()) {
            expect(stored instanceof Several several && several.kind() == kind.get(), path, stored);
            List<Node> nodes = new ArrayList<>();
            for (Type element : elements(type)) {
                nodes.add(node(element, ((Several) stored).parts().get(nodes.size()), path + "[]"));
            }
            return switch (kind.get()) {
                case ARRAY -> new ArrayNode(raw.getComponentType(), nodes.get(0));
                case LIST -> new ListNode(nodes.get(0));
                case MAP -> new MapNode(nodes.get(0), nodes.get(1));
                case OPTIONAL -> new OptionalNode(raw == OptionalDouble.class, nodes.get(0));
            };
        }
        expect(stored instanceof Fields, path, stored);
        return new ObjectNode(raw, ((Fields) stored).fields(), path);
    }

    private static void expect(boolean readable, String path, Shape stored) throws IOException {
        if (!readable) {
            throw new IOException(path + " was stored as " + stored);
        }
    }

    private static Node leaf(Leaf leaf) {
        return new Node() {
            @Override
            public void write(Object value, DataOutputView out) throws IOException {
                switch (leaf) {
                    case BOOLEAN -> out.writeBoolean((Boolean) value);
                    case INT -> out.writeInt((Integer) value);
                    case LONG -> out.writeLong((Long) value);
                    case DOUBLE -> out.writeDouble((Double) value);
                    case TEXT -> StringValue.writeString((String) value, out);
                }
            }

            @Override
            public Object read(DataInputView in) throws IOException {
                return switch (leaf) {
                    case BOOLEAN -> in.readBoolean();
                    case INT -> in.readInt();
                    case LONG -> in.readLong();
                    case DOUBLE -> in.readDouble();
                    case TEXT -> StringValue.readString(in);
                };
            }
        };
    }

    private static <T> Node part(Format<T> format, int storedVersion) throws IOException {
        Coder<T> coder = format.coder(storedVersion, "");
        return new Node() {
            @Override
            public void write(Object value, DataOutputView out) throws IOException {
                coder.write(format.type().cast(value), out);
            }

            @Override
            public Object read(DataInputView in) throws IOException {
                return coder.read(in, storedVersion);
            }

            @Override
            public Object copy(Object value) {
                return coder.copy(format.type().cast(value));
            }
        };
    }

    private static Node choice(Class<?> type, List<String> names, String path) {
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : type.getEnumConstants()) {
            constants.put(((Enum<?>) constant).name(), constant);
        }
        return new Node() {
            @Override
            public void write(Object value, DataOutputView out) throws IOException {
                out.writeByte(value == null ? -1 : ((Enum<?>) value).ordinal());
            }

            @Override
            public Object read(DataInputView in) throws IOException {
                int number = in.readByte();
                if (number < 0) {
                    return null;
                }
                Object constant = constants.get(names.get(number));
                if (constant == null) {
                    throw new IOException(path + " was " + names.get(number) + ", which is gone");
                }
                return constant;
            }
        };
    }

    /** Writes the length of an array, which is -1 for null, and then its elements. Numbers are not boxed. */
    private record ArrayNode(Class<?> element, Node node) implements Node {
        @Override
        public void write(Object array, DataOutputView out) throws IOException {
            int length = array == null ? -1 : Array.getLength(array);
            out.writeInt(length);
            if (array instanceof long[] numbers) {
                for (long number : numbers) {
                    out.writeLong(number);
                }
            } else if (array instanceof double[] numbers) {
                for (double number : numbers) {
                    out.writeDouble(number);
                }
            } else if (array instanceof int[] numbers) {
                for (int number : numbers) {
                    out.writeInt(number);
                }
            } else {
                for (int i = 0; i < length; i++) {
                    node.write(Array.get(array, i), out);
                }
            }
        }

        @Override
        public Object read(DataInputView in) throws IOException {
            int length = in.readInt();
            Object array = length < 0 ? null : Array.newInstance(element, length);
            if (array instanceof long[] numbers) {
                for (int i = 0; i < length; i++) {
                    numbers[i] = in.readLong();
                }
            } else if (array instanceof double[] numbers) {
                for (int i = 0; i < length; i++) {
                    numbers[i] = in.readDouble();
                }
            } else if (array instanceof int[] numbers) {
                for (int i = 0; i < length; i++) {
                    numbers[i] = in.readInt();
                }
            } else {
                for (int i = 0; i < length; i++) {
                    Array.set(array, i, node.read(in));
                }
            }
            return array;
        }

        @Override
        public Object copy(Object array) {
            int length = Array.getLength(array);
            Object copy = Array.newInstance(element, length);
            if (element.isPrimitive()) {
                System.arraycopy(array, 0, copy, 0, length);
            } else {
                for (int i = 0; i < length; i++) {
                    Array.set(copy, i, copyOf(node, Array.get(array, i)));
                }
            }
            return copy;
        }
    }

    private record ListNode(Node node) implements Node {
        @Override
        public void write(Object list, DataOutputView out) throws IOException {
            out.writeInt(list == null ? -1 : ((List<?>) list).size());
            if (list != null) {
                for (Object element : (List<?>) list) {
                    node.write(element, out);
                }
            }
        }

        @Override
        public Object read(DataInputView in) throws IOException {
            int size = in.readInt();
            List<Object> list = size < 0 ? null : new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                list.add(node.read(in));
            }
            return list;
        }

        @Override
        public Object copy(Object list) {
            List<Object> copy = new ArrayList<>((List<?>) list);
            copy.replaceAll(element -> copyOf(node, element));
            return copy;
        }
    }

    private record MapNode(Node key, Node value) implements Node {
        @Override
        public void write(Object map, DataOutputView out) throws IOException {
            out.writeInt(map == null ? -1 : ((Map<?, ?>) map).size());
            if (map != null) {
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
                    key.write(entry.getKey(), out);
                    value.write(entry.getValue(), out);
                }
            }
        }

        @Override
        public Object read(DataInputView in) throws IOException {
            int size = in.readInt();
            Map<Object, Object> map = size < 0 ? null : new HashMap<>(2 * size);
            for (int i = 0; i < size; i++) {
                map.put(key.read(in), value.read(in));
            }
            return map;
        }

        @Override
        public Object copy(Object map) {
            Map<Object, Object> copy = new HashMap<>();
            ((Map<?, ?>) map).forEach((k, v) -> copy.put(copyOf(key, k), copyOf(value, v)));
            return copy;
        }
    }

    /** An Optional or an OptionalDouble. */
    private record OptionalNode(boolean isDouble, Node node) implements Node {
        @Override
        public void write(Object value, DataOutputView out) throws IOException {
            Object element = element(value);
            out.writeBoolean(element != null);
            if (element != null) {
                node.write(element, out);
            }
        }

        private Object element(Object value) {
            if (!isDouble) {
                return ((Optional<?>) value).orElse(null);
            }
            OptionalDouble number = (OptionalDouble) value;
            return number.isPresent() ? (Object) number.getAsDouble() : null;
        }

        @Override
        public Object read(DataInputView in) throws IOException {
            return of(in.readBoolean() ? node.read(in) : null);
        }

        private Object of(Object element) {
            if (!isDouble) {
                return Optional.ofNullable(element);
            }
            return element == null ? OptionalDouble.empty() : OptionalDouble.of((Double) element);
        }

        @Override
        public Object copy(Object value) {
            Object element = element(value);
            return element == null ? value : of(node.copy(element));
        }
    }

    /** A record, or an object with public fields. */
    private final class ObjectNode implements Node {
        private final Class<?> type;
        private final List<Property> properties;

        /** Nodes that write and copy the properties. */
        private final Node[] now;

        /** Nodes that read the stored fields. */
        private final Node[] then;

        /** Index of the property for each stored field; -1: the property no longer exists. */
        private final int[] places;

        private final Object[] defaults;
        private final MethodHandle creator;

        ObjectNode(Class<?> type, Map<String, Shape> stored, String path) throws IOException {
            this.type = type;
            this.properties = Property.of(type);
            this.now = new Node[properties.size()];
            this.then = new Node[stored.size()];
            this.places = new int[stored.size()];
            this.defaults = new Object[properties.size()];
            this.creator = Property.creator(type);
            List<String> names = List.copyOf(stored.keySet());
            for (int field = 0; field < then.length; field++) {
                places[field] = properties.stream().map(Property::name).toList().indexOf(names.get(field));
                if (places[field] < 0) {
                    then[field] = skipped(stored.get(names.get(field)));
                }
            }
            for (int i = 0; i < now.length; i++) {
                Property property = properties.get(i);
                String at = path + '.' + property.name();
                Shape own = shape(property.type(), at, new HashSet<>());
                now[i] = node(property.type(), own, at);
                int field = names.indexOf(property.name());
                if (field >= 0) {
                    Shape was = stored.get(property.name());
                    then[field] = was.equals(own) ? now[i] : node(property.type(), was, at);
                } else if (type.isRecord()) {
                    defaults[i] = nothing(property.type(), at);
                }
            }
        }

        @Override
        public void write(Object value, DataOutputView out) throws IOException {
            out.writeBoolean(value != null);
            if (value != null) {
                for (int i = 0; i < now.length; i++) {
                    now[i].write(properties.get(i).get(value), out);
                }
            }
        }

        @Override
        public Object read(DataInputView in) throws IOException {
            if (!in.readBoolean()) {
                return null;
            }
            if (!type.isRecord()) {
                Object object = Property.call(creator);
                for (int field = 0; field < then.length; field++) {
                    Object value = then[field].read(in);
                    if (places[field] >= 0) {
                        properties.get(places[field]).set(object, value);
                    }
                }
                return object;
            }
            Object[] values = defaults.clone();
            for (int field = 0; field < then.length; field++) {
                Object value = then[field].read(in);
                if (places[field] >= 0) {
                    values[places[field]] = value;
                }
            }
            return Property.call(creator, values);
        }

        @Override
        public Object copy(Object value) {
            Object[] values = new Object[now.length];
            boolean same = type.isRecord();
            for (int i = 0; i < values.length; i++) {
                Object own = properties.get(i).get(value);
                values[i] = copyOf(now[i], own);
                same &= values[i] == own;
            }
            if (same) {
                return value;
            }
            if (type.isRecord()) {
                return Property.call(creator, values);
            }
            Object object = Property.call(creator);
            for (int i = 0; i < values.length; i++) {
                properties.get(i).set(object, values[i]);
            }
            return object;
        }
    }

    /** Returns the empty value for a record's field that an older savepoint lacks. */
    private Object nothing(Type type, String path) throws IOException {
        Class<?> raw = raw(type);
        if (LEAVES.containsKey(raw)) {
            return switch (LEAVES.get(raw)) {
                case BOOLEAN -> false;
                case INT -> 0;
                case LONG -> 0L;
                case DOUBLE -> 0.0;
                case TEXT -> "";
            };
        }
        Optional<Several.ContainerKind> kind = kind(raw);
        if (kind.isPresent()) {
            return switch (kind.get()) {
                case ARRAY -> Array.newInstance(raw.getComponentType(), 0);
                case LIST -> List.of();
                case MAP -> Map.of();
                case OPTIONAL -> raw == OptionalDouble.class ? OptionalDouble.empty() : Optional.empty();
            };
        }
        if (!raw.isRecord() || parts.containsKey(raw)) {
            throw new IOException(path + " was not stored, and has no empty value");
        }
        List<Property> properties = Property.of(raw);
        Object[] values = new Object[properties.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = nothing(
                    properties.get(i).type(), path + '.' + properties.get(i).name());
        }
        return Property.call(Property.creator(raw), values);
    }

    /** Returns a node that reads past a field that no longer exists. Only its stored shape is known. */
    private static Node skipped(Shape shape) throws IOException {
        if (shape instanceof Single single) {
            return leaf(single.leaf());
        }
        if (shape instanceof FormatShape part) {
            return part(FormatCatalogue.named(part.format()), part.version());
        }
        List<Node> nodes = new ArrayList<>();
        if (shape instanceof Several several) {
            for (Shape part : several.parts()) {
                nodes.add(skipped(part));
            }
            return switch (several.kind()) {
                case ARRAY, LIST -> new ListNode(nodes.get(0));
                case MAP -> new MapNode(nodes.get(0), nodes.get(1));
                case OPTIONAL -> new OptionalNode(false, nodes.get(0));
            };
        }
        if (shape instanceof Fields fields) {
            for (Shape field : fields.fields().values()) {
                nodes.add(skipped(field));
            }
        }
        boolean isChoice = shape instanceof EnumShape;
        return new Node() {
            @Override
            public void write(Object value, DataOutputView out) {
                throw new UnsupportedOperationException("the field is gone");
            }

            @Override
            public Object read(DataInputView in) throws IOException {
                int first = in.readByte();
                for (Node node : isChoice || first == 0 ? List.<Node>of() : nodes) {
                    node.read(in);
                }
                return null;
            }
        };
    }

    /** A component of a record, or a public field of an object. */
    private record Property(String name, Type type, MethodHandle getter, MethodHandle setter) {
        private static final ClassValue<List<Property>> ALL = new ClassValue<>() {
            @Override
            protected List<Property> computeValue(Class<?> type) {
                try {
                    return type.isRecord() ? components(type) : fields(type);
                } catch (IllegalAccessException e) {
                    throw new IllegalArgumentException(type + " cannot be read", e);
                }
            }
        };

        Property {
            getter = getter.asType(MethodType.methodType(Object.class, Object.class));
        }

        static List<Property> of(Class<?> type) {
            return ALL.get(type);
        }

        private static MethodHandles.Lookup within(Class<?> type) throws IllegalAccessException {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        }

        private static List<Property> components(Class<?> type) throws IllegalAccessException {
            List<Property> all = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                all.add(new Property(
                        component.getName(),
                        component.getGenericType(),
                        within(type).unreflect(component.getAccessor()),
                        null));
            }
            return List.copyOf(all);
        }

        private static List<Property> fields(Class<?> type) throws IllegalAccessException {
            List<Property> all = new ArrayList<>();
            for (Field field : type.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers) || Modifier.isTransient(modifiers)) {
                    continue;
                }
                if (!Modifier.isPublic(modifiers) || Modifier.isFinal(modifiers)) {
                    throw new IllegalArgumentException(field + " is neither public nor transient; state would be lost");
                }
                all.add(new Property(
                        field.getName(),
                        field.getGenericType(),
                        within(type).unreflectGetter(field),
                        within(type)
                                .unreflectSetter(field)
                                .asType(MethodType.methodType(void.class, Object.class, Object.class))));
            }
            return List.copyOf(all);
        }

        /** Returns a handle that creates a record from an array of its components, or an object from an empty array. */
        static MethodHandle creator(Class<?> type) {
            Class<?>[] components = type.isRecord()
                    ? Arrays.stream(type.getRecordComponents())
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new)
                    : new Class<?>[0];
            try {
                return within(type)
                        .unreflectConstructor(type.getDeclaredConstructor(components))
                        .asSpreader(Object[].class, components.length)
                        .asType(MethodType.methodType(Object.class, Object[].class));
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(type + " cannot be created", e);
            }
        }

        static Object call(MethodHandle creator, Object... values) {
            try {
                return (Object) creator.invokeExact(values);
            } catch (Throwable e) {
                throw new IllegalStateException("a value cannot be created: " + e, e);
            }
        }

        Object get(Object object) {
            try {
                return (Object) getter.invokeExact(object);
            } catch (Throwable e) {
                throw new IllegalStateException(name + " cannot be read", e);
            }
        }

        void set(Object object, Object value) {
            try {
                setter.invokeExact(object, value);
            } catch (Throwable e) {
                throw new IllegalStateException(name + " cannot be set", e);
            }
        }
    }
}
