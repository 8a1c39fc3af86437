package io.kipimo.core.invalidation.filter;

import java.util.Arrays;
import java.util.List;

/**
 * A dotted path to elements of a document. It enters arrays, so it can lead to several elements of a document:
 * {@code a.b} leads to every b in {@code {a: [{b: 1}, {b: 2}]}}, {@code a.0} to an array's first element (and to fields
 * named 0 of its documents). The rules are those of MongoDB's matcher/path.cpp.
 */
public final class Path {
    private static final int STEPS_INTO_AN_ARRAY = 32;

    /** Tests one element; null is a missing element. */
    @FunctionalInterface
    public interface ElementTest {
        /** @throws UndecidedException if the test exceeds {@code effort} */
        boolean matches(Value element, Effort effort);
    }

    private final String text;
    private final String[] parts;
    // The array index that a part stands for, or -1.
    private final int[] offsets;

    private Path(String text) {
        this.text = text;
        this.parts = text.split("\\.", -1);
        this.offsets = Arrays.stream(parts).mapToInt(Path::offset).toArray();
    }

    /** @throws UnsupportedFilterException if a part is empty or begins with $ */
    public static Path of(String text) {
        Path path = new Path(text);
        for (String part : path.parts) {
            if (part.isEmpty() || part.startsWith("$") || part.indexOf('\0') >= 0) {
                throw new UnsupportedFilterException(
                        "path", text, "part '" + part + "'; allowed: names that begin without $");
            }
        }
        return path;
    }

    private static int offset(String part) {
        boolean isIndex = part.length() <= 9
                && !part.isEmpty()
                && part.chars().allMatch(c -> c >= '0' && c <= '9')
                && (part.length() == 1 || part.charAt(0) != '0');
        return isIndex ? Integer.parseInt(part) : -1;
    }

    /** This path, continued by the other. */
    public Path then(Path other) {
        return new Path(text + "." + other.text);
    }

    public String first() {
        return parts[0];
    }

    public List<String> parts() {
        return List.of(parts);
    }

    /** True if a part may be an index into an array. */
    public boolean hasOffset() {
        return Arrays.stream(offsets).anyMatch(offset -> offset >= 0);
    }

    /**
     * Whether an element at the end of this path passes the test.
     *
     * @param root a document, or an array, which counts as a document with its indexes as names
     * @param entersLeaf whether elements of an array at the end are tested before the array itself
     * @throws UndecidedException if the test takes more than is left of {@code effort}
     */
    public boolean leadsToAny(Value root, boolean entersLeaf, ElementTest test, Effort effort) {
        effort.spend(1);
        return from(root, 0, entersLeaf, test, effort);
    }

    private boolean from(Value root, int first, boolean entersLeaf, ElementTest test, Effort effort) {
        Value current = root;
        for (int i = first; ; i++) {
            Value next = field(current, i);
            if (next instanceof ArrayValue array) {
                return inArray(array, i + 1, entersLeaf, test, effort);
            }
            if (next == null || i == parts.length - 1) {
                return test.matches(next, effort);
            }
            if (!(next instanceof Document)) {
                return test.matches(null, effort);
            }
            current = next;
        }
    }

    private Value field(Value parent, int part) {
        if (parent instanceof Document document) {
            return document.get(parts[part]);
        }
        ArrayValue array = (ArrayValue) parent;
        int offset = offsets[part];
        return offset >= 0 && offset < array.size() ? array.get(offset) : null;
    }

    private boolean inArray(ArrayValue array, int rest, boolean entersLeaf, ElementTest test, Effort effort) {
        // Spent beforehand, since a path of n indexes can reach one element in 2^n ways.
        effort.spend(STEPS_INTO_AN_ARRAY + array.size());
        if (rest == parts.length) {
            if (entersLeaf) {
                for (int i = 0; i < array.size(); i++) {
                    if (test.matches(array.get(i), effort)) {
                        return true;
                    }
                }
            }
            return test.matches(array, effort);
        }
        for (int i = 0; i < array.size(); i++) {
            Value element = array.get(i);
            if (element instanceof Document && from(element, rest, entersLeaf, test, effort)) {
                return true;
            }
            if (offsets[rest] == i && atOffset(element, rest + 1, entersLeaf, test, effort)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tests the element of an array at an index of the path. A path that ends there leads to the element itself; an
     * element that is an array is not entered then.
     */
    private boolean atOffset(Value element, int rest, boolean entersLeaf, ElementTest test, Effort effort) {
        if (rest == parts.length) {
            return test.matches(element, effort);
        }
        if (element instanceof Document) {
            return from(element, rest, entersLeaf, test, effort);
        }
        return element instanceof ArrayValue nested && inArray(nested, rest, entersLeaf, test, effort);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Path other && text.equals(other.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
