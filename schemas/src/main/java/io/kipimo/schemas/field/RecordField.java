package io.kipimo.schemas.field;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One component of a record, with its allowed values. */
public final class RecordField {
    /** Checks of texts. */
    public enum TextKind {
        NAME,
        TEXT,
        OPTIONAL
    }

    private final RecordComponent component;
    private final String name;
    private final Class<?> element;
    private final Range range;
    private final MethodHandle getter;

    RecordField(RecordComponent component) {
        this.component = component;
        this.name = component.getName().replaceAll("(\\p{Upper})", "_$1").toLowerCase(Locale.ROOT);
        this.element =
                (isList() || isOptional())
                        ? (Class<?>)
                                ((ParameterizedType) component.getGenericType())
                                        .getActualTypeArguments()[0]
                        : component.getType();
        this.range = component.getAnnotation(Range.class);
        try {
            this.getter = MethodHandles.publicLookup().unreflect(component.getAccessor());
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(component + " is not public", e);
        }
    }

    /** Name in the .proto file and in documents, such as {@code top_k}. */
    public String name() {
        return name;
    }

    /** Name in the record, such as {@code topK}. */
    public String component() {
        return component.getName();
    }

    /** Type of the value, or of the elements of the list or the {@link Optional}. */
    public Class<?> element() {
        return element;
    }

    public boolean isList() {
        return component.getType() == List.class;
    }

    public boolean isOptional() {
        return component.getType() == Optional.class;
    }

    /** Whether it is a number, or a list of numbers. */
    public boolean isNumber() {
        return isWhole() || element == double.class || element == Double.class;
    }

    public boolean isWhole() {
        return element == int.class
                || element == long.class
                || element == Integer.class
                || element == Long.class;
    }

    public boolean isRecord() {
        return element.isRecord();
    }

    public TextKind text() {
        if (component.isAnnotationPresent(Name.class)) {
            return TextKind.NAME;
        }
        return component.isAnnotationPresent(Text.class) ? TextKind.TEXT : TextKind.OPTIONAL;
    }

    /** The fields whose values bound this one. */
    List<String> boundedBy() {
        return range == null ? List.of() : List.of(range.leastOf(), range.mostOf());
    }

    /** The range that does not depend on other fields. */
    public FieldBounds bounds() {
        return range == null
                ? new FieldBounds(0, Range.LARGEST_COUNT)
                : new FieldBounds(range.least(), range.most());
    }

    FieldBounds bounds(double leastOther, double mostOther) {
        FieldBounds own = bounds();
        return new FieldBounds(Math.max(own.least(), leastOther), Math.min(own.most(), mostOther));
    }

    public Object get(Record record) {
        try {
            return getter.invoke(record);
        } catch (Throwable e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }
}
