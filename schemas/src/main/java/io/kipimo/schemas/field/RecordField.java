package io.kipimo.schemas.field;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One component of a record, with its allowed values. */
public final class RecordField {
    /** Kinds of texts, which have different checks. */
    public enum TextKind {
        NAME,
        TEXT,
        DOCUMENT
    }

    private static final FieldBounds PARTS = new FieldBounds(0, Size.MOST_PARTS);
    private static final FieldBounds BYTES = new FieldBounds(0, Integer.MAX_VALUE);

    private final RecordComponent component;
    private final String name;
    private final Class<?> element;
    private final Range range;
    private final FieldBounds bounds;
    private final TextKind text;
    private final boolean mayBeEmpty;
    private final int longest;
    private final FieldBounds size;
    private final MethodHandle getter;

    RecordField(RecordComponent component) {
        this.component = component;
        this.name = component.getName().replaceAll("(\\p{Upper})", "_$1").toLowerCase(Locale.ROOT);
        this.element = element(component);
        this.range = component.getAnnotation(Range.class);
        double most = range == null ? Range.LARGEST_COUNT : range.most();
        this.bounds =
                new FieldBounds(range == null ? 0 : range.least(), isInt() ? Math.min(Integer.MAX_VALUE, most) : most);
        Name named = component.getAnnotation(Name.class);
        Text texts = component.getAnnotation(Text.class);
        Document document = component.getAnnotation(Document.class);
        if (named != null) {
            this.text = TextKind.NAME;
            this.mayBeEmpty = named.mayBeEmpty();
            this.longest = Names.LONGEST;
        } else if (document != null) {
            this.text = TextKind.DOCUMENT;
            this.mayBeEmpty = true;
            this.longest = document.longest();
        } else {
            this.text = TextKind.TEXT;
            this.mayBeEmpty = texts == null || texts.mayBeEmpty();
            this.longest = texts == null ? Names.LONGEST : texts.longest();
        }
        Size parts = component.getAnnotation(Size.class);
        this.size = parts != null ? new FieldBounds(parts.least(), parts.most()) : isBytes() ? BYTES : PARTS;
        try {
            this.getter = MethodHandles.publicLookup()
                    .unreflect(component.getAccessor())
                    .asType(MethodType.methodType(Object.class, Record.class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(component + " is not public", e);
        }
    }

    private static Class<?> element(RecordComponent component) {
        if (component.getGenericType() instanceof ParameterizedType type) {
            Type[] arguments = type.getActualTypeArguments();
            return (Class<?>) arguments[arguments.length - 1];
        }
        return component.getType() == double[].class ? double.class : component.getType();
    }

    /** Name in the .proto file and in documents, such as {@code top_k}. */
    public String name() {
        return name;
    }

    /**
     * Key in files of settings: the name of the component, without the unit if the value has one.
     *
     * @param joint character between words
     */
    public String key(char joint) {
        Key key = component.getAnnotation(Key.class);
        if (key != null) {
            return key.value();
        }
        String suffix =
                unit().map(of -> "_" + of.name().toLowerCase(Locale.ROOT)).orElse("");
        return (name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name).replace('_', joint);
    }

    /** Unit that follows the number in files of settings, if there is one. */
    public Optional<Unit.Of> unit() {
        return annotation(Unit.class).map(Unit::value);
    }

    /** Name in the record, such as {@code topK}. */
    public String component() {
        return component.getName();
    }

    /**
     * Type of the value, or of the elements of the list, the array or the {@link Optional}, or of the values of the
     * map.
     */
    public Class<?> element() {
        return element;
    }

    public boolean isList() {
        return component.getType() == List.class;
    }

    public boolean isOptional() {
        return component.getType() == Optional.class;
    }

    public boolean isMap() {
        return component.getType() == Map.class;
    }

    /** Type of the keys of a map. */
    public Class<?> key() {
        return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
    }

    /** Whether it is an array of numbers. */
    public boolean isArray() {
        return component.getType() == double[].class;
    }

    public boolean isBytes() {
        return element == byte[].class;
    }

    /** Whether the component is a number or contains numbers. */
    public boolean isNumber() {
        return isWhole() || element == double.class || element == Double.class;
    }

    public boolean isWhole() {
        return isInt() || element == long.class || element == Long.class;
    }

    private boolean isInt() {
        return element == int.class || element == Integer.class;
    }

    public boolean isRecord() {
        return element.isRecord();
    }

    /** Whether the fields of this record are fields of the message of the record that contains it. */
    public boolean isFlat() {
        return component.isAnnotationPresent(Flat.class);
    }

    /** Whether the message of this record must be set. */
    public boolean isRequired() {
        return component.isAnnotationPresent(Required.class);
    }

    /** Whether the elements of this list must differ. */
    public boolean isDistinct() {
        return component.isAnnotationPresent(Distinct.class);
    }

    /** The order in which the elements of this list must ascend; empty: any order. */
    public Optional<Ascending> ascending() {
        return annotation(Ascending.class);
    }

    public TextKind text() {
        return text;
    }

    /** Whether this text may be empty. */
    public boolean mayBeEmpty() {
        return mayBeEmpty;
    }

    /** An annotation that one kind of reader knows; empty if this component does not have it. */
    public <A extends Annotation> Optional<A> annotation(Class<A> type) {
        return Optional.ofNullable(component.getAnnotation(type));
    }

    /** Greatest length of this text, UTF-16 code units. */
    public int longest() {
        return longest;
    }

    /** Allowed number of elements, or of bytes. */
    public FieldBounds size() {
        return size;
    }

    /** Components whose values are lower bounds of this one. */
    List<String> leastOf() {
        return range == null ? List.of() : List.of(range.leastOf());
    }

    /** Components whose values are upper bounds of this one. */
    List<String> mostOf() {
        return range == null ? List.of() : List.of(range.mostOf());
    }

    /** The allowed range, as far as it does not depend on other fields. */
    public FieldBounds bounds() {
        return bounds;
    }

    public Object get(Record record) {
        try {
            return (Object) getter.invokeExact(record);
        } catch (Throwable e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }
}
