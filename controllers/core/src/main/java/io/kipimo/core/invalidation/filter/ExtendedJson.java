package io.kipimo.core.invalidation.filter;

import io.kipimo.schemas.field.Names;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Reads and writes MongoDB's extended JSON, version 2. A value of a type that JSON lacks is an object with one reserved
 * name, as {@code {"$date": "2026-01-01T00:00:00Z"}}. The input is the trees of JSON libraries: {@code Map},
 * {@code List}, {@code String}, {@code Number}, {@code Boolean}, null.
 */
public final class ExtendedJson {
    /** MongoDB's limit of depth; deeper documents could exhaust the stack. */
    private static final int MOST_LEVELS = 100;

    private static final int UUID_SUBTYPE = 4;
    private static final int LONGEST_DECIMAL = 1_000;
    private static final int LONGEST_SHOWN = 200;

    /**
     * Place of a value in a document, for error messages. Its text is built only when a value is refused, since it can
     * be long.
     *
     * @param above place of the enclosing value; null if that is the document itself
     * @param part name or index of the value within the enclosing one
     */
    private record ValuePlace(ValuePlace above, Object part) {
        @Override
        public String toString() {
            return above == null ? part.toString() : above + "." + part;
        }
    }

    private ExtendedJson() {}

    /** @throws IllegalArgumentException with the place of the value, if a value has no BSON type */
    public static Document document(Map<?, ?> tree) {
        return fields(tree, null, 0);
    }

    private static Value value(Object tree, ValuePlace at, int level) {
        if (level > MOST_LEVELS) {
            throw new IllegalArgumentException(place(at) + " is nested deeper than " + MOST_LEVELS + " levels");
        }
        if (tree == null) {
            return Value.ConstantValue.NULL;
        }
        if (tree instanceof String text) {
            return new Value.TextValue(wellFormed(text, at));
        }
        if (tree instanceof Boolean bool) {
            return new Value.Bool(bool);
        }
        if (tree instanceof Number number) {
            return number(number, at);
        }
        if (tree instanceof List<?> list) {
            List<Value> values = new ArrayList<>(list.size());
            for (int i = 0; i < list.size(); i++) {
                values.add(value(list.get(i), new ValuePlace(at, i), level + 1));
            }
            return new ArrayValue(values);
        }
        if (tree instanceof Map<?, ?> map) {
            Value wrapped = wrapped(map, at);
            return wrapped != null ? wrapped : fields(map, at, level + 1);
        }
        throw new IllegalArgumentException(
                place(at) + " is a " + tree.getClass().getName());
    }

    private static Document fields(Map<?, ?> tree, ValuePlace at, int level) {
        Document.DocumentBuilder document = Document.builder();
        for (Map.Entry<?, ?> field : tree.entrySet()) {
            String name = (String) field.getKey();
            ValuePlace place = new ValuePlace(at, name);
            document.put(wellFormed(name, place), value(field.getValue(), place, level));
        }
        return document.build();
    }

    private static Value number(Number number, ValuePlace at) {
        if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return new Value.Int32(number.intValue());
        }
        if (number instanceof Long) {
            return new Value.Int64(number.longValue());
        }
        if (number instanceof Double || number instanceof Float) {
            return new Value.Float64(number.doubleValue());
        }
        if (number instanceof BigDecimal || number instanceof BigInteger) {
            // As in MongoDB's shells, a literal that is not a whole number of 64 bits is a double.
            return new Value.Float64(number.doubleValue());
        }
        throw new IllegalArgumentException(
                place(at) + " is a " + number.getClass().getName());
    }

    /** The value of a wrapper object; null if {@code map} is an ordinary document. */
    private static Value wrapped(Map<?, ?> map, ValuePlace at) {
        // Wrappers have exactly one field, unlike operators of filters.
        if (map.size() != 1 || !((String) map.keySet().iterator().next()).startsWith("$")) {
            return null;
        }
        String name = (String) map.keySet().iterator().next();
        Object content = map.get(name);
        try {
            return switch (name) {
                case "$oid" -> new Value.ObjectId((String) content);
                case "$numberInt" -> new Value.Int32(Integer.parseInt((String) content));
                case "$numberLong" -> new Value.Int64(Long.parseLong((String) content));
                case "$numberDouble" -> new Value.Float64(parseDouble((String) content));
                case "$numberDecimal" -> decimal((String) content);
                case "$date" -> new Value.Date(epochMillis(content));
                case "$timestamp" -> timestamp((Map<?, ?>) content);
                case "$binary" -> binary((Map<?, ?>) content);
                case "$uuid" -> uuid(UUID.fromString((String) content));
                case "$regularExpression" -> regex((Map<?, ?>) content, at);
                case "$minKey" -> Value.ConstantValue.MIN_KEY;
                case "$maxKey" -> Value.ConstantValue.MAX_KEY;
                case "$undefined", "$symbol", "$code", "$dbPointer" ->
                    throw new IllegalArgumentException(name + " is deprecated and not read");
                default -> null;
            };
        } catch (ClassCastException | NullPointerException | ArithmeticException | DateTimeException e) {
            throw new IllegalArgumentException(place(at) + ": " + name + " of " + shown(content), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    place(at) + ": " + name + " of " + shown(content) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks that a text is valid Unicode, since storing would change any other text.
     *
     * @throws IllegalArgumentException for an unpaired surrogate
     */
    private static String wellFormed(String text, ValuePlace at) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    throw new IllegalArgumentException(place(at) + " has half a surrogate pair; allowed: Unicode");
                }
                i++;
            }
        }
        return text;
    }

    private static String place(ValuePlace at) {
        return "'" + (at == null ? "" : shown(at)) + "'";
    }

    private static String shown(Object what) {
        return Names.shortened(String.valueOf(what), LONGEST_SHOWN, "...");
    }

    private static Value timestamp(Map<?, ?> content) {
        return new Value.Timestamp(unsigned(content.get("t")), unsigned(content.get("i")));
    }

    private static Value binary(Map<?, ?> content) {
        return new Value.Binary(
                Integer.parseInt((String) content.get("subType"), 16),
                Base64.getDecoder().decode((String) content.get("base64")));
    }

    private static Value regex(Map<?, ?> content, ValuePlace at) {
        return new Value.Regex(
                wellFormed((String) content.get("pattern"), at), wellFormed((String) content.get("options"), at));
    }

    private static double parseDouble(String text) {
        return switch (text) {
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            case "NaN" -> Double.NaN;
            default -> Double.parseDouble(text);
        };
    }

    private static Value decimal(String text) {
        return switch (text) {
            case "Infinity", "-Infinity", "NaN" -> new Value.Decimal(null, parseDouble(text));
            default -> {
                if (text.length() > LONGEST_DECIMAL) {
                    // Parsing a million digits takes minutes.
                    throw new NumberFormatException(text.length() + " characters; allowed: at most " + LONGEST_DECIMAL);
                }
                yield Value.Decimal.of(new BigDecimal(text, MathContext.DECIMAL128));
            }
        };
    }

    private static long epochMillis(Object content) {
        if (content instanceof Map<?, ?> map) {
            return Long.parseLong((String) map.get("$numberLong"));
        }
        return content instanceof Number number
                ? number.longValue()
                : OffsetDateTime.parse((String) content).toInstant().toEpochMilli();
    }

    private static int unsigned(Object content) {
        return (int) ((Number) content).longValue();
    }

    private static Value uuid(UUID uuid) {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (uuid.getMostSignificantBits() >>> (56 - 8 * i));
            bytes[8 + i] = (byte) (uuid.getLeastSignificantBits() >>> (56 - 8 * i));
        }
        return new Value.Binary(UUID_SUBTYPE, bytes);
    }

    /**
     * Writes a value as text that reads back to an equal value. A whole number of 32 bits may come back as one of 64
     * bits, or the other way round.
     */
    public static String write(Value value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Value value, StringBuilder out) {
        if (value instanceof Document document) {
            out.append('{');
            for (int i = 0; i < document.size(); i++) {
                out.append(i > 0 ? "," : "");
                quote(document.name(i), out);
                out.append(':');
                write(document.value(i), out);
            }
            out.append('}');
        } else if (value instanceof ArrayValue array) {
            out.append('[');
            for (int i = 0; i < array.size(); i++) {
                out.append(i > 0 ? "," : "");
                write(array.get(i), out);
            }
            out.append(']');
        } else {
            writeScalar(value, out);
        }
    }

    private static void writeScalar(Value value, StringBuilder out) {
        if (value instanceof Value.TextValue text) {
            quote(text.value(), out);
        } else if (value instanceof Value.Int32 i) {
            out.append(i.value());
        } else if (value instanceof Value.Int64 l) {
            out.append(l.value());
        } else if (value instanceof Value.Bool bool) {
            out.append(bool.value());
        } else if (value instanceof Value.Float64 f) {
            if (Double.isFinite(f.value())) {
                out.append(f.value());
            } else {
                wrap(out, "$numberDouble", Double.toString(f.value()));
            }
        } else if (value instanceof Value.Decimal d) {
            wrap(out, "$numberDecimal", d.isFinite() ? d.finite().toString() : Double.toString(d.special()));
        } else if (value instanceof Value.Date date) {
            out.append("{\"$date\":");
            wrap(out, "$numberLong", Long.toString(date.epochMillis()));
            out.append('}');
        } else if (value instanceof Value.ObjectId id) {
            wrap(out, "$oid", id.hex());
        } else if (value instanceof Value.Timestamp t) {
            out.append("{\"$timestamp\":{\"t\":")
                    .append(Integer.toUnsignedLong(t.seconds()))
                    .append(",\"i\":")
                    .append(Integer.toUnsignedLong(t.increment()))
                    .append("}}");
        } else if (value instanceof Value.Binary binary) {
            out.append("{\"$binary\":{\"base64\":\"")
                    .append(Base64.getEncoder().encodeToString(binary.bytes()))
                    .append("\",\"subType\":\"")
                    .append(Integer.toHexString(0x100 | binary.subtype()).substring(1))
                    .append("\"}}");
        } else if (value instanceof Value.Regex regex) {
            out.append("{\"$regularExpression\":{\"pattern\":");
            quote(regex.pattern(), out);
            out.append(",\"options\":");
            quote(regex.options(), out);
            out.append("}}");
        } else {
            out.append(
                    switch ((Value.ConstantValue) value) {
                        case NULL -> "null";
                        case MIN_KEY -> "{\"$minKey\":1}";
                        case MAX_KEY -> "{\"$maxKey\":1}";
                        case UNDEFINED -> "{\"$undefined\":true}";
                    });
        }
    }

    private static void wrap(StringBuilder out, String name, String content) {
        out.append("{\"").append(name).append("\":\"").append(content).append("\"}");
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
