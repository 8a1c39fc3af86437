package io.kipimo.simulator.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.kipimo.schemas.document.MappingShape;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One section of a document. It takes out fields one by one and collects all problems for one report. A field with a
 * problem gets a value in its range, so that one problem does not cause others. Its shape notes the fields, which is
 * how the schema of scenarios comes about.
 */
final class Fields {
    private final String path;
    private final JsonNode node;
    private final List<String> problems;
    private final MappingShape shape;
    private final Set<String> known = new LinkedHashSet<>();

    Fields(String path, JsonNode node, List<String> problems, MappingShape shape) {
        this.path = path;
        this.node = node;
        this.problems = problems;
        this.shape = shape;
        shape.visit();
        if (!node.isObject() && !node.isMissingNode()) {
            problems.add((path.isEmpty() ? "the scenario" : path) + " is " + node + "; allowed: fields");
        }
    }

    boolean has(String key) {
        shape.key(key);
        known.add(key);
        return node.hasNonNull(key);
    }

    void problem(String key, String text) {
        problems.add(name(key) + " " + text);
    }

    /** A required number. */
    double number(String key, double least, double most) {
        shape.need(key);
        shape.number(key, false, least, most);
        if (!has(key)) {
            problem(key, "is not there; allowed: " + range(least, most));
            return Math.max(least, Math.min(1, most));
        }
        return value(key, least, most);
    }

    /** An optional number. */
    double number(String key, double fallback, double least, double most) {
        shape.number(key, false, least, most);
        return has(key) ? value(key, least, most) : fallback;
    }

    private double value(String key, double least, double most) {
        JsonNode value = node.get(key);
        if (!value.isNumber() || !(value.doubleValue() >= least && value.doubleValue() <= most)) {
            problem(key, "is " + value + "; allowed: " + range(least, most));
            return Math.max(least, Math.min(1, most));
        }
        return value.doubleValue();
    }

    private static String range(double least, double most) {
        return most >= 1e15 ? "a number, at least " + text(least) : text(least) + ".." + text(most);
    }

    private static String text(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    int whole(String key, int fallback, int least, int most) {
        return (int) count(key, fallback, least, most);
    }

    long count(String key, long fallback, long least, long most) {
        shape.number(key, true, (double) least, (double) most);
        if (!has(key)) {
            return fallback;
        }
        JsonNode value = node.get(key);
        if (!value.canConvertToExactIntegral() || value.longValue() < least || value.longValue() > most) {
            problem(key, "is " + value + "; allowed: a whole number, " + least + ".." + most);
            return least;
        }
        return value.longValue();
    }

    /**
     * A record with the numbers of this section, within the ranges of the record's fields.
     *
     * @param defaults has the numbers that are not there, and all that is no number
     * @param required names of numbers that must be there
     */
    <T extends Record> T numbers(T defaults, Set<String> required) {
        @SuppressWarnings("unchecked") // The class of the record.
        RecordFields<T> record = RecordFields.of((Class<T>) defaults.getClass());
        Object[] values = record.values(defaults);
        for (int i : record.order()) {
            RecordField field = record.all().get(i);
            if (field.isNumber() && !field.isList()) {
                values[i] =
                        number(field, (Number) values[i], record.bounds(i, values), required.contains(field.name()));
            }
        }
        return record.create(values);
    }

    private Number number(RecordField field, Number fallback, FieldBounds bounds, boolean required) {
        String key = field.name();
        if (!field.isWhole()) {
            return required
                    ? number(key, bounds.least(), bounds.most())
                    : number(key, fallback.doubleValue(), bounds.least(), bounds.most());
        }
        long value = count(key, fallback.longValue(), (long) bounds.least(), (long) bounds.most());
        return fallback instanceof Integer ? (Number) (int) value : value;
    }

    boolean flag(String key, boolean fallback) {
        shape.flag(key);
        if (!has(key)) {
            return fallback;
        }
        if (!node.get(key).isBoolean()) {
            problem(key, "is " + node.get(key) + "; allowed: true, false");
        }
        return node.get(key).booleanValue();
    }

    String text(String key, String fallback) {
        shape.text(key);
        return has(key) ? node.get(key).asText() : fallback;
    }

    /** A required text. */
    String text(String key) {
        shape.need(key);
        shape.text(key);
        if (!has(key) || node.get(key).asText().isBlank()) {
            problem(key, "is not there; allowed: a text");
            return "?";
        }
        return node.get(key).asText();
    }

    /** A constant, in lower case; upper case and hyphens are taken, too. */
    <E extends Enum<E>> E choice(String key, E fallback) {
        String text = text(key, fallback.name());
        E[] all = fallback.getDeclaringClass().getEnumConstants();
        List<String> allowed =
                Arrays.stream(all).map(e -> e.name().toLowerCase(Locale.ROOT)).toList();
        shape.choice(key, allowed);
        for (E one : all) {
            if (one.name().equalsIgnoreCase(text.replace('-', '_'))) {
                return one;
            }
        }
        problem(key, "is '" + text + "'; allowed: " + String.join(", ", allowed));
        return fallback;
    }

    /** One of several constants; the first by default. */
    String optionalChoice(String key, List<String> allowed) {
        String text = text(key, allowed.get(0));
        shape.choice(key, allowed);
        if (!allowed.contains(text)) {
            problem(key, "is '" + text + "'; allowed: " + String.join(", ", allowed));
        }
        return text;
    }

    /** One of several constants. */
    String choice(String key, List<String> allowed) {
        String text = text(key);
        shape.choice(key, allowed);
        if (!allowed.contains(text)) {
            if (has(key)) {
                problem(key, "is '" + text + "'; allowed: " + String.join(", ", allowed));
            }
            return allowed.get(0);
        }
        return text;
    }

    double[] numbers(String key, double least, double most) {
        shape.need(key);
        shape.numberList(key, least, most);
        if (!has(key) || !node.get(key).isArray() || node.get(key).isEmpty()) {
            problem(key, "is " + node.path(key) + "; allowed: a list of numbers");
            return new double[] {least};
        }
        JsonNode list = node.get(key);
        double[] values = new double[list.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = list.get(i).doubleValue();
            if (!list.get(i).isNumber() || !(values[i] >= least && values[i] <= most)) {
                problem(key, "has " + list.get(i) + "; allowed: " + range(least, most));
                values[i] = least;
            }
        }
        return values;
    }

    List<String> texts(String key, List<String> fallback) {
        shape.textList(key);
        if (!has(key)) {
            return fallback;
        }
        if (!node.get(key).isArray() || node.get(key).isEmpty()) {
            problem(key, "is " + node.get(key) + "; allowed: a list of texts");
            return fallback;
        }
        List<String> texts = new ArrayList<>();
        node.get(key).forEach(n -> texts.add(n.asText()));
        return texts;
    }

    /** A section; a missing one has no fields. */
    Fields section(String key) {
        JsonNode child = has(key) ? node.get(key) : MissingNode.getInstance();
        return new Fields(name(key), child, problems, shape.mapping(key));
    }

    Optional<Fields> optionalSection(String key) {
        return has(key) ? Optional.of(section(key)) : Optional.empty();
    }

    /** The sections of a list. */
    List<Fields> sections(String key) {
        MappingShape element = shape.list(key);
        if (!has(key)) {
            return List.of();
        }
        JsonNode list = node.get(key);
        if (!list.isArray()) {
            problem(key, "is " + list + "; allowed: a list");
            return List.of();
        }
        List<Fields> sections = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            sections.add(new Fields(name(key) + '[' + i + ']', list.get(i), problems, element));
        }
        return sections;
    }

    /** The sections of a list with at least one. */
    List<Fields> someSections(String key) {
        shape.need(key);
        shape.needSome(key);
        List<Fields> sections = sections(key);
        if (sections.isEmpty()) {
            problem(key, "is empty; allowed: at least one");
        }
        return sections;
    }

    /** The keys of this section are names from elsewhere in the document. */
    Fields free() {
        shape.free();
        return this;
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** What a constructor makes of the fields; its exception becomes a problem of this section. */
    <T> T make(T fallback, Supplier<T> constructor) {
        try {
            return constructor.get();
        } catch (IllegalArgumentException e) {
            problems.add((path.isEmpty() ? "" : path + ": ") + e.getMessage());
            return fallback;
        }
    }

    /** Reports unknown fields. */
    void end() {
        for (String name : names()) {
            if (!known.contains(name)) {
                problem(name, "is unknown; allowed: " + String.join(", ", known));
            }
        }
    }

    private String name(String key) {
        return path.isEmpty() ? key : path + '.' + key;
    }
}
