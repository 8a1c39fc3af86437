package io.kipimo.core.admission;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Copies of a record, each with one number that is impossible or extreme. */
public final class BadValues {
    private static final List<Double> DOUBLES = List.of(
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            -0.0,
            -1.0,
            -1e300,
            1e300,
            1.0000001,
            Double.MIN_VALUE);
    private static final List<Long> LONGS =
            List.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L, 1L, 1L << 53, (1L << 53) + 1, -(1L << 53), 1L << 31);
    private static final List<Integer> INTS =
            List.of(Integer.MIN_VALUE, Integer.MAX_VALUE, -1, 0, 1, 1 << 30, -(1 << 30), 999, -999);

    private BadValues() {}

    /** Copies of {@code good}: every numeric component in turn takes each bad value. */
    public static <R extends Record> List<R> inEveryNumberOf(R good) {
        List<R> all = new ArrayList<>();
        RecordComponent[] components = good.getClass().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            for (Object bad : badValues(components[i])) {
                all.add(with(good, i, bad));
            }
        }
        return all;
    }

    /** Policies with one bad number in the policy, in its parts, or in its classes. */
    public static Stream<Policy> policies(Policy good) {
        List<Policy> all = new ArrayList<>(inEveryNumberOf(good));
        for (AdmissionPolicy a : inEveryNumberOf(good.admission())) {
            all.add(with(good, "admission", a));
        }
        for (SamplingPolicy s : inEveryNumberOf(good.sampling())) {
            all.add(with(good, "sampling", s));
        }
        for (int i = 0; i < good.classes().size(); i++) {
            for (ClassPolicy c : inEveryNumberOf(good.classes().get(i))) {
                List<ClassPolicy> classes = new ArrayList<>(good.classes());
                classes.set(i, c);
                all.add(with(good, "classes", classes));
            }
        }
        return all.stream();
    }

    private static List<?> badValues(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == double.class) {
            return DOUBLES;
        }
        if (type == long.class) {
            return LONGS;
        }
        if (type == int.class) {
            return INTS;
        }
        if (type == Optional.class) {
            return component.getGenericType().getTypeName().contains("Double")
                    ? Stream.concat(
                                    Stream.of(Optional.empty()),
                                    DOUBLES.stream().map(Optional::of))
                            .toList()
                    : List.of(Optional.empty());
        }
        return List.of();
    }

    public static <R extends Record> R with(R record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            if (components[i].getName().equals(component)) {
                return with(record, i, value);
            }
        }
        throw new IllegalArgumentException("no component " + component);
    }

    @SuppressWarnings("unchecked")
    private static <R extends Record> R with(R record, int index, Object value) {
        try {
            RecordComponent[] components = record.getClass().getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                values[i] = i == index ? value : components[i].getAccessor().invoke(record);
            }
            return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
