package io.kipimo.operators.types;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Describes the serialised form of a derived {@link Format} without naming classes. Savepoints hold the shape as text,
 * for example:
 *
 * <pre>{@code {name:text,kind:enum(GOOD,BAD),loads:map(text,{fraction:double})}}</pre>
 */
sealed interface Shape {
    /** Basic types, which need no further description. */
    enum Leaf {
        BOOLEAN,
        INT,
        LONG,
        DOUBLE,
        TEXT
    }

    record Single(Leaf leaf) implements Shape {
        @Override
        public String toString() {
            return leaf.name().toLowerCase(Locale.ROOT);
        }
    }

    /** An enum, whose values are written as numbers in this order. */
    record EnumShape(List<String> names) implements Shape {
        @Override
        public String toString() {
            return "enum(" + String.join(",", names) + ')';
        }
    }

    /**
     * An array, list, map or optional value, with the shapes of its elements; a map has one for keys and one for
     * values.
     */
    record Several(ContainerKind kind, List<Shape> parts) implements Shape {
        enum ContainerKind {
            ARRAY,
            LIST,
            MAP,
            OPTIONAL
        }

        @Override
        public String toString() {
            return kind.name().toLowerCase(Locale.ROOT)
                    + parts.stream().map(Shape::toString).collect(Collectors.joining(",", "(", ")"));
        }
    }

    record Fields(Map<String, Shape> fields) implements Shape {
        @Override
        public String toString() {
            return fields.entrySet().stream()
                    .map(f -> f.getKey() + ':' + f.getValue())
                    .collect(Collectors.joining(",", "{", "}"));
        }
    }

    /** A value that another format writes, with the name and version of that format. */
    record FormatShape(String format, int version) implements Shape {
        @Override
        public String toString() {
            return "format(" + format + ',' + version + ')';
        }
    }

    /**
     * Reads the text of a shape.
     *
     * @throws IOException if the text is not a shape
     */
    static Shape parse(String text) throws IOException {
        Parser parser = new Parser(text);
        Shape shape = parser.shape();
        if (parser.at != text.length()) {
            throw parser.refused();
        }
        return shape;
    }

    /** Parses a shape's text from left to right. */
    final class Parser {
        private final String text;
        private int at;

        private Parser(String text) {
            this.text = text;
        }

        private IOException refused() {
            return new IOException("at " + at + " is no shape: " + text);
        }

        private String word() throws IOException {
            int start = at;
            while (at < text.length() && "(){},".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            if (at == start) {
                throw refused();
            }
            return text.substring(start, at);
        }

        private boolean has(char mark) {
            boolean has = at < text.length() && text.charAt(at) == mark;
            at += has ? 1 : 0;
            return has;
        }

        private interface ElementParser<T> {
            T read() throws IOException;
        }

        private <T> List<T> elements(ElementParser<T> element, char end) throws IOException {
            List<T> all = new ArrayList<>();
            while (!has(end)) {
                if (!all.isEmpty() && !has(',')) {
                    throw refused();
                }
                all.add(element.read());
            }
            return all;
        }

        private Shape shape() throws IOException {
            if (has('{')) {
                Map<String, Shape> fields = new LinkedHashMap<>();
                elements(
                        () -> {
                            int colon = text.indexOf(':', at);
                            if (colon < 0) {
                                throw refused();
                            }
                            String name = text.substring(at, colon);
                            at = colon + 1;
                            return fields.put(name, shape());
                        },
                        '}');
                return new Fields(fields);
            }
            String word = word();
            if (!has('(')) {
                return new Single(constant(word, Leaf.values()));
            }
            return switch (word) {
                case "enum" -> new EnumShape(elements(this::word, ')'));
                case "format" -> {
                    List<String> words = elements(this::word, ')');
                    yield new FormatShape(words.get(0), Integer.parseInt(words.get(1)));
                }
                default -> new Several(constant(word, Several.ContainerKind.values()), elements(this::shape, ')'));
            };
        }

        private <E extends Enum<E>> E constant(String word, E[] constants) throws IOException {
            for (E constant : constants) {
                if (constant.name().equalsIgnoreCase(word)) {
                    return constant;
                }
            }
            throw refused();
        }
    }
}
