package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import io.kipimo.gateway.config.CutSign;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/** Looks for signs that work was cut in JSON documents, without building a tree of them. */
final class CutSigns {
    private static final JsonFactory JSON = new JsonFactory();

    private final List<Sign> signs = new ArrayList<>();
    private final List<String> needs;

    /** Number of values that are compared; each pair is a value and its bound. */
    private int sides;

    /**
     * What is looked for, relative to a position in the document.
     *
     * @param rest of the pointer, from there
     * @param sign null: the value is only needed, or compared with another
     * @param need index of the needed value; -1: it is not needed
     * @param side index of the compared value; -1: it is not compared
     */
    private record Sign(JsonPointer rest, CutSign sign, int need, int side) {
        boolean isHere() {
            return rest.matches();
        }

        Sign from(JsonPointer further) {
            return new Sign(further, sign, need, side);
        }
    }

    /** What a document has. */
    private static final class Seen {
        final BitSet needs = new BitSet();

        /** By index; NaN: none. */
        final double[] sides;

        Seen(int sides) {
            this.sides = new double[sides];
            Arrays.fill(this.sides, Double.NaN);
        }

        /** Whether one of a pair of values is below the other. */
        boolean hasPairBelow() {
            for (int i = 0; i < sides.length; i += 2) {
                if (sides[i] < sides[i + 1]) {
                    return true;
                }
            }
            return false;
        }
    }

    CutSigns(List<CutSign> signs) {
        this(signs, List.of());
    }

    /**
     * @param needs pointers to values that every document has
     */
    CutSigns(List<CutSign> signs, List<String> needs) {
        this.needs = needs;
        for (CutSign sign : signs) {
            JsonPointer pointer = JsonPointer.compile(sign.pointer());
            if (sign.belowOf().isPresent()) {
                JsonPointer bound = JsonPointer.compile(sign.belowOf().get());
                this.signs.add(new Sign(pointer, null, -1, sides++));
                this.signs.add(new Sign(bound, null, -1, sides++));
            } else {
                this.signs.add(new Sign(pointer, sign, -1, -1));
            }
        }
        for (int i = 0; i < needs.size(); i++) {
            this.signs.add(new Sign(JsonPointer.compile(needs.get(i)), null, i, -1));
        }
    }

    boolean isEmpty() {
        return signs.isEmpty();
    }

    /**
     * Whether the document has at least one of the signs.
     *
     * @throws IllegalArgumentException if the bytes are no complete JSON document, a needed value
     *     is not there, or a value that is compared is no number
     */
    boolean areIn(byte[] json) {
        try (JsonParser in = JSON.createParser(json)) {
            if (in.nextToken() == null) {
                throw new IllegalArgumentException("the response is empty");
            }
            Seen seen = new Seen(sides);
            boolean found = isFound(in, signs, seen);
            int missing = seen.needs.nextClearBit(0);
            if (missing < needs.size()) {
                throw new IllegalArgumentException(
                        "the response has no '" + needs.get(missing) + "'");
            }
            return found || seen.hasPairBelow();
        } catch (IOException e) {
            throw new IllegalArgumentException("the response is not JSON", e);
        }
    }

    /** Reads the value that begins, to its end. */
    private static boolean isFound(JsonParser in, List<Sign> at, Seen seen) throws IOException {
        JsonToken begin = in.currentToken();
        if (at.isEmpty()) {
            in.skipChildren();
            return false;
        }
        boolean found = false;
        boolean isEmpty = true;
        if (begin == JsonToken.START_OBJECT) {
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                in.nextToken();
                found |= isFound(in, within(at, pointer -> pointer.matchProperty(name)), seen);
                isEmpty = false;
            }
        } else if (begin == JsonToken.START_ARRAY) {
            for (int i = 0; in.nextToken() != JsonToken.END_ARRAY; i++) {
                int index = i;
                found |= isFound(in, within(at, pointer -> pointer.matchElement(index)), seen);
                isEmpty = false;
            }
        }
        for (Sign sign : at) {
            if (sign.isHere() && sign.side() >= 0) {
                seen.sides[sign.side()] = number(in);
            } else if (sign.isHere() && sign.sign() == null) {
                seen.needs.set(sign.need());
            } else if (sign.isHere()) {
                found |= sign.sign().hasBound() ? isBeyond(in, sign.sign()) : isSet(in, isEmpty);
            }
        }
        return found;
    }

    private static List<Sign> within(List<Sign> at, UnaryOperator<JsonPointer> step) {
        List<Sign> within = new ArrayList<>(at.size());
        for (Sign sign : at) {
            JsonPointer rest = sign.isHere() ? null : step.apply(sign.rest());
            if (rest != null) {
                within.add(sign.from(rest));
            }
        }
        return within;
    }

    private static boolean isBeyond(JsonParser in, CutSign sign) throws IOException {
        double number = number(in);
        return !Double.isNaN(number) && sign.isBeyond(number);
    }

    /** NaN: null. */
    private static double number(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_NULL -> Double.NaN;
            case VALUE_FALSE -> 0;
            case VALUE_TRUE -> 1;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            default ->
                    throw new IllegalArgumentException(
                            "the sign of work cut short is not a number");
        };
    }

    private static boolean isSet(JsonParser in, boolean isEmpty) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_NULL, VALUE_FALSE -> false;
            case VALUE_STRING -> in.getTextLength() > 0;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDoubleValue() != 0;
            case END_OBJECT, END_ARRAY -> !isEmpty;
            default -> true;
        };
    }
}
