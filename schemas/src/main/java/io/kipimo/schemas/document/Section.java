package io.kipimo.schemas.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.kipimo.schemas.field.Decimals;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.field.Unit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mapping of a document, from which a reader takes values key by key, or a record at once. A value that is not
 * allowed is reported and replaced by an allowed one. So one run reports all problems, and one problem does not cause
 * others. The section notes in its {@link MappingShape} which values the reader takes. The document's schema is made
 * from these notes.
 */
public final class Section {
    /** Character that joins the words of keys and constants. */
    public enum KeyStyle {
        HYPHENS('-'),
        UNDERSCORES('_');

        private final char joint;

        KeyStyle(char joint) {
            this.joint = joint;
        }

        private String of(String name) {
            return name.toLowerCase(Locale.ROOT).replace('_', joint);
        }
    }

    private static final String TIME_FORM = "(\\d{1,9})(ms|s|m|h)";
    private static final Pattern TIME = Pattern.compile(TIME_FORM);
    private static final Pattern BYTES = Pattern.compile("(\\d{1,12})(|k|m|g)b?");
    private static final String BYTES_FORM = "\\d{1,12}[kKmMgG]?[bB]?";
    private static final Map<String, Long> TIME_UNITS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);
    private static final Map<String, Long> BYTE_UNITS = Map.of("", 1L, "k", 1L << 10, "m", 1L << 20, "g", 1L << 30);

    private static final String MAPPING = "a mapping of keys to values";

    private final String path;
    private final JsonNode node;
    private final KeyStyle keys;
    private final List<String> problems;
    private final MappingShape shape;
    private final Set<String> known = new LinkedHashSet<>();

    Section(String path, JsonNode node, KeyStyle keys, List<String> problems, MappingShape shape) {
        this.path = path;
        this.node = node;
        this.keys = keys;
        this.problems = problems;
        this.shape = shape;
        shape.visit();
        if (!isAbsent(node) && !node.isObject()) {
            problems.add((path.isEmpty() ? "the file" : path) + " is " + shown(node) + "; allowed: " + MAPPING);
        }
    }

    /**
     * Parses the text of a YAML file.
     *
     * @throws InvalidDocumentException if it is not one YAML document with distinct keys
     */
    public static JsonNode tree(String yaml) {
        try {
            return YamlDocument.read(yaml);
        } catch (JsonProcessingException e) {
            // Too much nesting has no place.
            String where = e.getLocation() == null
                    ? ""
                    : "line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ": ";
            throw new InvalidDocumentException(List.of(where
                    + (e instanceof MismatchedInputException
                            ? "goes on after its end; allowed: one document"
                            : "the file is not YAML: "
                                    + e.getOriginalMessage()
                                            .replaceAll(", from `[^`]*`", "")
                                            .replaceAll("\\s+", " "))));
        }
    }

    /**
     * Applies a reader to a document and returns the reader's result.
     *
     * @throws InvalidDocumentException with all problems, if there are any
     */
    public static <T> T read(JsonNode tree, KeyStyle keys, Function<Section, T> reader) {
        List<String> problems = new ArrayList<>();
        T read = new Section("", tree, keys, problems, new MappingShape()).all(reader);
        if (!problems.isEmpty()) {
            throw new InvalidDocumentException(problems);
        }
        return read;
    }

    /**
     * Applies a reader to this section and returns its result. Reports every key that the reader has not taken, so that
     * none is ignored.
     */
    <T> T all(Function<Section, T> reader) {
        T read = reader.apply(this);
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                problem(name, "is unknown; allowed: " + String.join(", ", known));
            }
        });
        return read;
    }

    private String path(String key) {
        return path.isEmpty() ? key : path + '.' + key;
    }

    private JsonNode take(String key) {
        shape.key(key);
        known.add(key);
        return node.path(key);
    }

    /** Applies a reader to the value of a key; returns {@code orElse} if the key has no value. */
    private <T> T taken(String key, T orElse, Function<JsonNode, T> reader) {
        JsonNode value = take(key);
        return isAbsent(value) ? orElse : reader.apply(value);
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static String shown(JsonNode value) {
        return value.isNumber() || value.isBoolean()
                ? value.asText()
                : shown(value.isValueNode() ? value.asText() : value.toString());
    }

    private static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return '\'' + (plain.length() > 60 ? plain.substring(0, 60) + "…" : plain) + '\'';
    }

    /** Reports a problem with a key. The message is the key's path and {@code what}, which begins with a verb. */
    public void problem(String key, String what) {
        problems.add(path(key) + ' ' + what);
    }

    public void refuse(String key, String value, String allowed) {
        problem(key, "is " + shown(value) + "; allowed: " + allowed);
    }

    public void refuse(String key, JsonNode value, String allowed) {
        problem(key, "is " + shown(value) + "; allowed: " + allowed);
    }

    /** Reports a key that must not be present, if it is. */
    public void refuseKey(String key, String allowed) {
        if (has(key)) {
            JsonNode value = node.get(key);
            problem(key, (value.isValueNode() ? "is " + shown(value) : "is there") + "; allowed: " + allowed);
        }
    }

    private <T> T refused(String key, JsonNode value, String allowed, T instead) {
        refuse(key, value, allowed);
        return instead;
    }

    public boolean has(String key) {
        return !isAbsent(take(key));
    }

    /**
     * Calls a constructor with values of this section. Its exception becomes a problem of the section; the result is
     * then empty.
     */
    public <T> Optional<T> make(Supplier<T> constructor) {
        return make("", constructor);
    }

    /**
     * Calls a constructor with values of a key. Its exception becomes a problem of the key; the result is then empty.
     */
    public <T> Optional<T> make(String key, Supplier<T> constructor) {
        try {
            return Optional.of(constructor.get());
        } catch (IllegalArgumentException e) {
            String at = key.isEmpty() ? path : path(key);
            problems.add((at.isEmpty() ? "" : at + ": ") + e.getMessage());
            return Optional.empty();
        }
    }

    /** Applies a reader to the section at a key. A missing section is read as one without keys. */
    public <T> T section(String key, Function<Section, T> reader) {
        JsonNode value = take(key);
        return new Section(
                        path(key),
                        isAbsent(value) ? MissingNode.getInstance() : value,
                        keys,
                        problems,
                        shape.mapping(key))
                .all(reader);
    }

    /** Applies a reader to the section at a key; empty if the section is missing. */
    public <T> Optional<T> optional(String key, Function<Section, T> reader) {
        return has(key) ? Optional.of(section(key, reader)) : Optional.empty();
    }

    /** Applies a reader to each section of the list at a key. */
    public <T> List<T> sections(String key, Function<Section, T> reader) {
        MappingShape element = shape.list(key);
        JsonNode value = take(key);
        if (!isAbsent(value) && !value.isArray()) {
            return refused(key, value, "a list", List.of());
        }
        List<T> all = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            all.add(new Section(path(key) + '[' + i + ']', value.get(i), keys, problems, element).all(reader));
        }
        return all;
    }

    /** Applies a reader to each section of the list at a key, which must have at least one section. */
    public <T> List<T> someSections(String key, Function<Section, T> reader) {
        shape.need(key);
        shape.needSome(key);
        List<T> all = sections(key, reader);
        if (all.isEmpty()) {
            problem(key, "are none; allowed: at least one");
        }
        return all;
    }

    /** The keys of this section, whose names users choose. */
    public List<String> names() {
        shape.free();
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        known.addAll(names);
        return names;
    }

    /** Declares that the keys of this section are names from elsewhere in the document. */
    public Section free() {
        shape.free();
        return this;
    }

    public String text(String key, String orElse) {
        shape.text(key);
        return taken(
                key,
                orElse,
                value -> value.isValueNode() && !value.asText().isBlank()
                        ? value.asText()
                        : refused(key, value, "a text", orElse));
    }

    /** A text that must be present. */
    public String needed(String key, String allowed) {
        if (!known.contains(key)) {
            shape.need(key);
        }
        String value = text(key, null);
        if (value == null) {
            if (!has(key)) {
                problem(key, "is not set; allowed: " + allowed);
            }
            return "missing";
        }
        return value;
    }

    public List<String> texts(String key, List<String> orElse) {
        shape.textList(key);
        return taken(
                key,
                orElse,
                value -> value.isArray()
                        ? value.valueStream().map(JsonNode::asText).toList()
                        : refused(key, value, "a list", orElse));
    }

    /** A list with at least one text. */
    public List<String> someTexts(String key, String allowed) {
        shape.need(key);
        List<String> all = texts(key, List.of());
        shape.needSome(key);
        if (all.isEmpty()) {
            problem(key, "are none; allowed: at least one " + allowed);
        }
        return all;
    }

    /** The allowed texts of a list; the others are reported. */
    public List<String> words(String key, List<String> allowed) {
        List<String> words = new ArrayList<>();
        for (String text : texts(key, List.of())) {
            if (allowed.contains(text)) {
                words.add(text);
            } else {
                problem(key, "has " + shown(text) + "; allowed: " + String.join(", ", allowed));
            }
        }
        shape.choiceList(key, allowed);
        return words;
    }

    /**
     * Parses a text of a certain form; reports a text of another form.
     *
     * @param sample a text of this form
     */
    public <T> Optional<T> parsed(String key, Function<String, Optional<T>> parser, String allowed, String sample) {
        shape.form(key, "", allowed, sample);
        return taken(key, Optional.empty(), value -> {
            Optional<T> parsed = parser.apply(value.asText());
            if (parsed.isEmpty()) {
                refuse(key, value, allowed);
            }
            return parsed;
        });
    }

    /** Parses a text of a certain form, which must be present; reports a text of another form. */
    public <T> Optional<T> neededParsed(
            String key, Function<String, Optional<T>> parser, String allowed, String sample) {
        shape.need(key);
        Optional<T> parsed = parsed(key, parser, allowed, sample);
        if (!has(key)) {
            problem(key, "is not set; allowed: " + allowed);
        }
        return parsed;
    }

    /** A list of texts of a certain form. A text of another form is reported and left out. */
    public <T> List<T> parsedList(
            String key, Function<String, Optional<T>> parser, String allowed, String sample, List<T> orElse) {
        shape.formList(key, "", allowed, sample);
        JsonNode value = take(key);
        if (isAbsent(value)) {
            return orElse;
        }
        List<T> all = new ArrayList<>();
        if (!value.isArray()) {
            return refused(key, value, "a list, each " + allowed, all);
        }
        for (JsonNode one : value) {
            parser.apply(one.asText()).ifPresentOrElse(all::add, () -> refuse(key, one, allowed));
        }
        return all;
    }

    /** The values of a mapping whose keys may have any name; empty if the mapping is missing. */
    public Optional<Map<String, JsonNode>> values(String key) {
        shape.anyMapping(key);
        JsonNode value = take(key);
        if (isAbsent(value)) {
            return Optional.empty();
        }
        Map<String, JsonNode> all = new LinkedHashMap<>();
        if (!value.isObject()) {
            refuse(key, value, MAPPING);
        }
        value.properties().forEach(field -> all.put(field.getKey(), field.getValue()));
        return Optional.of(all);
    }

    public boolean flag(String key, boolean orElse) {
        shape.flag(key);
        return taken(key, orElse, value -> switch (value.asText()) {
            case "true" -> true;
            case "false" -> false;
            default -> refused(key, value, "true, false", orElse);
        });
    }

    public int whole(String key, int orElse, int least, int most) {
        return (int) count(key, orElse, least, most);
    }

    public long count(String key, long orElse, long least, long most) {
        shape.number(key, true, (double) least, (double) most);
        JsonNode value = take(key);
        if (isAbsent(value)) {
            return orElse;
        }
        try {
            long number = new BigDecimal(value.asText()).longValueExact();
            if (number >= least && number <= most) {
                return number;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // Reported below.
        }
        return refused(key, value, "a whole number, " + least + ".." + most, orElse);
    }

    /** A number. An upper bound of 1e15 or more counts as none. */
    public double number(String key, double orElse, double least, double most) {
        shape.number(key, false, least, most);
        return taken(key, orElse, value -> {
            double number = number(value);
            return number >= least && number <= most ? number : refused(key, value, range(least, most), orElse);
        });
    }

    /** A number that must be present. An upper bound of 1e15 or more counts as none. */
    public double number(String key, double least, double most) {
        shape.need(key);
        double value = number(key, Math.max(least, Math.min(1, most)), least, most);
        if (!has(key)) {
            problem(key, "is not set; allowed: " + range(least, most));
        }
        return value;
    }

    /** A list of at least one number. */
    public double[] numbers(String key, double least, double most) {
        shape.need(key);
        shape.numberList(key, least, most);
        JsonNode value = take(key);
        if (!value.isArray() || value.isEmpty()) {
            return refused(key, value, "a list of numbers", new double[] {least});
        }
        double[] numbers = new double[value.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(value.get(i));
            if (!(numbers[i] >= least && numbers[i] <= most)) {
                problem(key, "has " + shown(value.get(i)) + "; allowed: " + range(least, most));
                numbers[i] = least;
            }
        }
        return numbers;
    }

    /** The value as a number; NaN if it is no number. */
    private static double number(JsonNode value) {
        return value.isNumber() ? value.doubleValue() : Decimals.parse(value.asText());
    }

    private static String range(double least, double most) {
        return most >= 1e15 ? "a number, at least " + plain(least) : plain(least) + ".." + plain(most);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    /** A duration in milliseconds. */
    public long time(String key, long orElse, long least, long most) {
        String allowed = least + "ms.." + most + "ms, such as 250ms, 2s, 1m";
        shape.form(key, TIME_FORM, allowed, least + "ms");
        return measured(key, orElse, TIME, TIME_UNITS, new FieldBounds(0, 0, least, most), allowed);
    }

    public long bytes(String key, long orElse, long least, long most) {
        String allowed = least + ".." + most + " bytes, such as 64k, 256m";
        shape.formOrCount(key, BYTES_FORM, allowed, Long.toString(least));
        return measured(key, orElse, BYTES, BYTE_UNITS, new FieldBounds(0, 0, least, most), allowed);
    }

    private long measured(
            String key, long orElse, Pattern form, Map<String, Long> units, FieldBounds bounds, String allowed) {
        JsonNode value = take(key);
        if (isAbsent(value)) {
            return orElse;
        }
        Matcher found = form.matcher(units == BYTE_UNITS ? value.asText().toLowerCase(Locale.ROOT) : value.asText());
        if (found.matches()) {
            long number = Long.parseLong(found.group(1)) * units.get(found.group(2));
            if (bounds.admits(number)) {
                return number;
            }
        }
        return refused(key, value, allowed, orElse);
    }

    /** A constant by its name in lower case. Upper case is accepted, too, and so are hyphens and underscores. */
    public <E extends Enum<E>> E choice(String key, Class<E> type, E orElse) {
        E[] constants = type.getEnumConstants();
        List<String> allowed =
                Arrays.stream(constants).map(one -> keys.of(one.name())).toList();
        shape.choice(key, allowed);
        return taken(key, orElse, value -> {
            int index = allowed.indexOf(keys.of(value.asText().replace('-', '_')));
            return index >= 0 ? constants[index] : refused(key, value, String.join(", ", allowed), orElse);
        });
    }

    /** One of several words; the first one by default. */
    public String choice(String key, List<String> allowed) {
        String text = text(key, allowed.get(0));
        shape.choice(key, allowed);
        if (!allowed.contains(text)) {
            refuse(key, text, String.join(", ", allowed));
            return allowed.get(0);
        }
        return text;
    }

    /** One of several words, which must be present. */
    public String neededChoice(String key, List<String> allowed) {
        shape.need(key);
        if (!has(key)) {
            problem(key, "is not set; allowed: " + String.join(", ", allowed));
        }
        return choice(key, allowed);
    }

    /**
     * Reads each component of a record from its own key. Components may be numbers in the ranges that they declare,
     * flags, constants, texts or lists of texts.
     *
     * @param defaults has the values of missing keys, and of components of other types
     * @param given components that have no key: they keep the value of {@code defaults}
     */
    public <T extends Record> T record(T defaults, String... given) {
        @SuppressWarnings("unchecked") // The class of the record.
        RecordFields<T> fields = RecordFields.of((Class<T>) defaults.getClass());
        Object[] values = fields.values(defaults);
        List<String> stay = List.of(given);
        for (int i : fields.order()) {
            RecordField field = fields.all().get(i);
            if (!stay.contains(field.component())) {
                values[i] = value(field, fields.bounds(i, values), values[i]);
            }
        }
        return fields.create(values);
    }

    private Object value(RecordField field, FieldBounds bounds, Object orElse) {
        String key = field.key(keys.joint);
        if (orElse instanceof Boolean flag) {
            return flag(key, flag);
        } else if (orElse instanceof String text) {
            return text(key, text);
        } else if (orElse instanceof Enum<?> constant) {
            return constant(key, constant);
        } else if (orElse instanceof Double number) {
            return number(key, number, bounds.least(), bounds.most());
        } else if (orElse instanceof Integer number) {
            return (int) whole(key, field.unit(), number, bounds);
        } else if (orElse instanceof Long number) {
            return whole(key, field.unit(), number, bounds);
        }
        @SuppressWarnings("unchecked") // A list of texts.
        Object texts = field.isList() && field.element() == String.class ? texts(key, (List<String>) orElse) : orElse;
        return texts;
    }

    private long whole(String key, Optional<Unit.Of> unit, long orElse, FieldBounds bounds) {
        long least = bounds.leastWhole();
        long most = bounds.mostWhole();
        return unit.map(of -> of == Unit.Of.MILLIS ? time(key, orElse, least, most) : bytes(key, orElse, least, most))
                .orElseGet(() -> count(key, orElse, least, most));
    }

    private <E extends Enum<E>> Object constant(String key, Enum<?> orElse) {
        @SuppressWarnings("unchecked") // The class of the constant.
        E constant = (E) orElse;
        return choice(key, constant.getDeclaringClass(), constant);
    }
}
