package io.kipimo.gateway.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.kipimo.schemas.document.MappingShape;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.internal.net.AddressRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mapping of the file. An invalid value is reported and replaced by the default, so that one run reports all
 * problems. Notes in its shape what it takes, which is how the file's schema comes about.
 */
final class Section {
    private static final String TIME_FORM = "(\\d{1,9})(ms|s|m|h)";
    private static final Pattern TIME = Pattern.compile(TIME_FORM);
    private static final Map<String, Long> TIME_UNITS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);
    private static final Pattern BYTES = Pattern.compile("(\\d{1,12})(|k|m|g)b?");
    private static final String BYTES_FORM = "\\d{1,12}[kKmMgG]?[bB]?";
    private static final Map<String, Long> BYTE_UNITS = Map.of("", 1L, "k", 1L << 10, "m", 1L << 20, "g", 1L << 30);

    private static final String ADDRESS = "HOST:PORT";
    private static final String SAMPLE_ADDRESS = "localhost:1";

    private final String path;
    private final JsonNode node;
    private final List<String> problems;
    private final MappingShape shape;
    private final Set<String> known = new LinkedHashSet<>();

    Section(String path, JsonNode node, List<String> problems, MappingShape shape) {
        this.path = path;
        this.node = node == null ? MissingNode.getInstance() : node;
        this.problems = problems;
        this.shape = shape;
        shape.visit();
        if (!this.node.isMissingNode() && !this.node.isNull() && !this.node.isObject()) {
            problems.add((path.isEmpty() ? "the file" : path)
                    + " is "
                    + shown(this.node)
                    + "; allowed: a mapping of keys to values");
        }
    }

    private String key(String name) {
        return path.isEmpty() ? name : path + '.' + name;
    }

    private JsonNode take(String name) {
        known.add(name);
        return node.path(name);
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static String shown(JsonNode value) {
        String text = value.isValueNode() ? value.asText() : value.toString();
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return '\'' + (plain.length() > 60 ? plain.substring(0, 60) + "…" : plain) + '\'';
    }

    void problem(String name, JsonNode value, String allowed) {
        problems.add(key(name) + " is " + shown(value) + "; allowed: " + allowed);
    }

    void problem(String name, String what) {
        problems.add(key(name) + ' ' + what);
    }

    boolean has(String name) {
        shape.key(name);
        return !isAbsent(take(name));
    }

    Section section(String name) {
        return new Section(key(name), take(name), problems, shape.mapping(name));
    }

    /** The mappings of a list; the caller reports an empty one. */
    List<Section> someSections(String name) {
        shape.need(name);
        shape.needSome(name);
        return sections(name);
    }

    /** The mappings of a list. */
    List<Section> sections(String name) {
        MappingShape element = shape.list(name);
        JsonNode value = take(name);
        List<Section> all = new ArrayList<>();
        if (!isAbsent(value) && !value.isArray()) {
            problem(name, value, "a list");
        }
        for (int i = 0; i < value.size() && value.isArray(); i++) {
            all.add(new Section(key(name) + '[' + i + ']', value.get(i), problems, element));
        }
        return all;
    }

    /** Names and values of a mapping of free names. */
    List<String> names() {
        shape.free();
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        known.addAll(names);
        return names;
    }

    String text(String name, String orElse) {
        shape.text(name);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        if (!value.isValueNode() || value.asText().isBlank()) {
            problem(name, value, "a text");
            return orElse;
        }
        return value.asText();
    }

    String needed(String name, String example) {
        if (!known.contains(name)) {
            shape.need(name);
        }
        String value = text(name, null);
        if (value == null) {
            problem(name, "is not set; allowed: " + example);
            return "missing";
        }
        return value;
    }

    /** The texts of a list; the caller reports an empty one. */
    List<String> someTexts(String name) {
        shape.need(name);
        shape.needSome(name);
        return texts(name, List.of());
    }

    /** Those of the texts of a list that are allowed; the others are reported. */
    List<String> words(String name, List<String> allowed) {
        List<String> words = new ArrayList<>();
        for (String text : texts(name, List.of())) {
            if (allowed.contains(text)) {
                words.add(text);
            } else {
                problem(
                        name,
                        "has '" + text.replaceAll("\\p{Cntrl}", "?") + "'; allowed: " + String.join(", ", allowed));
            }
        }
        shape.choiceList(name, allowed);
        return words;
    }

    List<String> texts(String name, List<String> orElse) {
        shape.textList(name);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        List<String> all = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(v -> all.add(v.asText()));
        } else {
            problem(name, value, "a list");
        }
        return all;
    }

    /** The values of a mapping of free names; empty: it is not there. */
    Optional<Map<String, JsonNode>> values(String name) {
        shape.anyMapping(name);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return Optional.empty();
        }
        Map<String, JsonNode> all = new LinkedHashMap<>();
        if (value.isObject()) {
            value.properties().forEach(field -> all.put(field.getKey(), field.getValue()));
        } else {
            problem(name, value, "a mapping of keys to values");
        }
        return Optional.of(all);
    }

    boolean flag(String name, boolean orElse) {
        shape.flag(name);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        if (!value.asText().equals("true") && !value.asText().equals("false")) {
            problem(name, value, "true, false");
            return orElse;
        }
        return value.asBoolean();
    }

    int whole(String name, int orElse, int least, int most) {
        shape.number(name, true, least, most);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        try {
            int number = Integer.parseInt(value.asText());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        problem(name, value, least + ".." + most);
        return orElse;
    }

    double fraction(String name, double orElse) {
        shape.number(name, false, 0, 1);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        try {
            double number = Double.parseDouble(value.asText());
            if (number >= 0 && number <= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        problem(name, value, "0..1");
        return orElse;
    }

    /** Reads a duration, milliseconds. */
    long time(String name, long orElse, long least, long most) {
        String allowed = least + "ms.." + most + "ms, such as 250ms, 2s, 1m";
        shape.form(name, TIME_FORM, allowed, least + "ms");
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        Matcher form = TIME.matcher(value.asText());
        if (form.matches()) {
            long millis = Long.parseLong(form.group(1)) * TIME_UNITS.get(form.group(2));
            if (millis >= least && millis <= most) {
                return millis;
            }
        }
        problem(name, value, allowed);
        return orElse;
    }

    long bytes(String name, long orElse, long least, long most) {
        String allowed = least + ".." + most + " bytes, such as 64k, 256m";
        shape.formOrCount(name, BYTES_FORM, allowed, Long.toString(least));
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        Matcher form = BYTES.matcher(value.asText().toLowerCase(Locale.ROOT));
        if (form.matches()) {
            long bytes = Long.parseLong(form.group(1)) * BYTE_UNITS.get(form.group(2));
            if (bytes >= least && bytes <= most) {
                return bytes;
            }
        }
        problem(name, value, allowed);
        return orElse;
    }

    <E extends Enum<E>> E choice(String name, Class<E> type, E orElse) {
        E[] constants = type.getEnumConstants();
        List<String> allowed = new ArrayList<>();
        for (E constant : constants) {
            allowed.add(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        shape.choice(name, allowed);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        int index = allowed.indexOf(value.asText());
        if (index >= 0) {
            return constants[index];
        }
        problem(name, value, String.join(", ", allowed));
        return orElse;
    }

    /** An address that must be there; the caller reports an absent one. */
    Optional<Address> neededAddress(String name) {
        shape.need(name);
        return address(name);
    }

    Optional<Address> address(String name) {
        shape.form(name, "", ADDRESS, SAMPLE_ADDRESS);
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return Optional.empty();
        }
        Optional<Address> address = Address.parse(value.asText());
        if (address.isEmpty()) {
            problem(name, value, ADDRESS);
        }
        return address;
    }

    List<Address> addresses(String name) {
        shape.formList(name, "", ADDRESS, SAMPLE_ADDRESS);
        JsonNode value = take(name);
        List<Address> all = new ArrayList<>();
        if (!isAbsent(value) && !value.isArray()) {
            problem(name, value, "a list of HOST:PORT");
            return all;
        }
        for (JsonNode one : value) {
            Address.parse(one.asText())
                    .filter(a -> a.port() > 0)
                    .ifPresentOrElse(all::add, () -> problem(name, one, ADDRESS));
        }
        return all;
    }

    List<AddressRange> addressRanges(String name, List<AddressRange> orElse) {
        String allowed = "a list of addresses and ranges, such as 10.0.0.0/8";
        shape.formList(name, "", allowed, "10.0.0.0/8");
        JsonNode value = take(name);
        if (isAbsent(value)) {
            return orElse;
        }
        List<AddressRange> all = new ArrayList<>();
        if (!value.isArray()) {
            problem(name, value, allowed);
            return all;
        }
        for (JsonNode one : value) {
            AddressRange.parse(one.asText()).ifPresentOrElse(all::add, () -> problem(name, one, allowed));
        }
        return all;
    }

    /** Reports every unknown key, so that misspelt keys are not ignored. */
    void end() {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                problems.add(key(name) + " is not known; allowed: " + String.join(", ", known));
            }
        });
    }
}
