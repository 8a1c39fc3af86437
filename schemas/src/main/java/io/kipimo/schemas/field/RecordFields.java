package io.kipimo.schemas.field;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;

/** The fields of a record type. Arrays of values have the order of its components. */
public final class RecordFields<T extends Record> {
    private static final ConcurrentMap<Class<?>, RecordFields<?>> KNOWN = new ConcurrentHashMap<>();

    private final List<RecordField> all;
    private final int[] order;
    private final int[][] leastOf;
    private final int[][] mostOf;
    private final MethodHandle constructor;

    private RecordFields(Class<T> type) {
        RecordComponent[] components = type.getRecordComponents();
        this.all = Arrays.stream(components).map(RecordField::new).toList();
        this.leastOf = all.stream().map(f -> indices(f.leastOf())).toArray(int[][]::new);
        this.mostOf = all.stream().map(f -> indices(f.mostOf())).toArray(int[][]::new);
        Set<Integer> ordered = new LinkedHashSet<>();
        for (int i = 0; i < all.size(); i++) {
            add(i, ordered);
        }
        this.order = ordered.stream().mapToInt(i -> i).toArray();
        try {
            this.constructor = MethodHandles.publicLookup()
                    .findConstructor(
                            type,
                            MethodType.methodType(
                                    void.class,
                                    Arrays.stream(components)
                                            .map(RecordComponent::getType)
                                            .toArray(Class<?>[]::new)))
                    .asSpreader(Object[].class, components.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " is not public", e);
        }
    }

    private int[] indices(List<String> components) {
        return components.stream().mapToInt(this::index).toArray();
    }

    /** Adds a field after the fields that bound it. */
    private void add(int index, Set<Integer> ordered) {
        IntStream.concat(Arrays.stream(leastOf[index]), Arrays.stream(mostOf[index]))
                .forEach(other -> add(other, ordered));
        ordered.add(index);
    }

    @SuppressWarnings("unchecked") // Put in by their own type.
    public static <T extends Record> RecordFields<T> of(Class<T> type) {
        RecordFields<?> known = KNOWN.get(type);
        if (known == null) {
            known = new RecordFields<>(type);
            KNOWN.put(type, known);
        }
        return (RecordFields<T>) known;
    }

    /** All fields, in the order of the components. */
    public List<RecordField> all() {
        return all;
    }

    /** Indices of the fields; a field that bounds another comes before it. */
    public int[] order() {
        return order.clone();
    }

    /**
     * @param component name in the record
     * @throws IllegalArgumentException if the record has no such component
     */
    public int index(String component) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).component().equals(component)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no component " + component);
    }

    /**
     * Finds a field by its name in documents.
     *
     * @throws IllegalArgumentException if the record has no such field
     */
    public RecordField named(String name) {
        return all.stream()
                .filter(f -> f.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no field " + name));
    }

    /**
     * Allowed range of the number at {@code index}.
     *
     * @param values values of all components, among them the ones that bound this number
     */
    public FieldBounds bounds(int index, Object[] values) {
        FieldBounds bounds = all.get(index).bounds();
        for (int other : leastOf[index]) {
            bounds = bounds.from((Number) values[other]);
        }
        for (int other : mostOf[index]) {
            bounds = bounds.upTo((Number) values[other]);
        }
        return bounds;
    }

    public Object[] values(Record record) {
        Object[] values = new Object[all.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = all.get(i).get(record);
        }
        return values;
    }

    @SuppressWarnings("unchecked") // The constructor of the type.
    public T create(Object[] values) {
        try {
            Object made = constructor.invokeExact(values);
            return (T) made;
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("cannot make a record", e);
        }
    }

    /** Numbers out of range in a record and in the records within it, each with field, value and what is allowed. */
    public static List<String> problems(Record record) {
        List<String> problems = new ArrayList<>();
        collect("", record, problems);
        return problems;
    }

    /**
     * Checks a record that no codec has read.
     *
     * @throws IllegalArgumentException with all {@link #problems}, if there are any
     */
    public static void check(Record record) {
        List<String> problems = problems(record);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    private static void collect(String path, Record record, List<String> problems) {
        RecordFields<?> fields = of(record.getClass());
        Object[] values = fields.values(record);
        for (int i = 0; i < values.length; i++) {
            RecordField field = fields.all.get(i);
            String at = path + field.name();
            for (Object value : elements(values[i])) {
                if (value instanceof Number number) {
                    FieldBounds bounds = fields.bounds(i, values);
                    // Where a bound is itself refused, nothing may be left that is allowed.
                    if (!bounds.admits(number) && (problems.isEmpty() || !bounds.isEmpty())) {
                        problems.add(bounds.refusal(at, number));
                    }
                } else if (value instanceof Record part) {
                    collect(path(at, field, part), part, problems);
                }
            }
        }
    }

    /** The path of a nested record; if it is in a list of records with names, the path contains its name. */
    private static String path(String at, RecordField field, Record part) {
        if (field.isList() && of(part.getClass()).all.get(0).component().equals("name")) {
            return at + '.' + of(part.getClass()).all.get(0).get(part) + '.';
        }
        return at + '.';
    }

    private static List<?> elements(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.stream().toList();
        }
        return value instanceof List<?> list ? list : List.of(value);
    }
}
