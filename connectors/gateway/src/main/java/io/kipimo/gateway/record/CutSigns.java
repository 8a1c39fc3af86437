package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import io.kipimo.gateway.config.CutSign;
import io.kipimo.gateway.config.ItemsConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Looks in JSON documents for signs that work was cut short, without building a tree of the document. */
final class CutSigns {
    private static final JsonFactory JSON = new JsonFactory();

    /** Meaning of a sign. */
    enum Says {
        /** A limit was met. */
        LIMITED,
        /** A part failed or was not asked. */
        FAILED,
        /** No part was asked at all. */
        NONE_ASKED
    }

    /**
     * The signs of a document.
     *
     * @param said meanings of the signs
     * @param answered least share of the parts that answered, 0..1, by values that are below a total; empty: nothing
     *     tells it
     */
    record FoundSigns(Set<Says> said, OptionalDouble answered) {
        static final FoundSigns NONE = new FoundSigns(Set.of(), OptionalDouble.empty());

        /** Whether something is missing. */
        boolean isPartial() {
            return said.contains(Says.LIMITED) || said.contains(Says.FAILED);
        }
    }

    private final List<SoughtSign> signs = new ArrayList<>();
    private final List<String> needs;

    /** Meaning of each pair of compared values, a value and its bound. */
    private final List<Says> pairs = new ArrayList<>();

    /**
     * A value to look for, relative to a position in the document.
     *
     * @param rest pointer from the position to the value
     * @param sign null: the value is only needed, or compared with another
     * @param need index of the needed value; -1: it is not needed
     * @param side index of the compared value; -1: it is not compared
     * @param says null: the value alone means nothing
     */
    private record SoughtSign(JsonPointer rest, CutSign sign, int need, int side, Says says) {
        boolean isHere() {
            return rest.matches();
        }

        SoughtSign from(JsonPointer further) {
            return new SoughtSign(further, sign, need, side, says);
        }
    }

    /** Findings in a document. */
    private static final class SeenSigns {
        final BitSet needs = new BitSet();

        final Set<Says> said = EnumSet.noneOf(Says.class);

        /** Compared values by index; NaN: not found, or null. */
        final double[] sides;

        /** Least share of parts that answered. */
        double answered = Double.POSITIVE_INFINITY;

        void failed(double part, double whole) {
            answered = Math.min(answered, Math.max(0, part / whole));
        }

        SeenSigns(int sides) {
            this.sides = new double[sides];
            Arrays.fill(this.sides, Double.NaN);
        }
    }

    /** @param needs pointers to values that every document has */
    CutSigns(ItemsConfig config, Collection<String> needs) {
        this.needs = List.copyOf(needs);
        config.cutWhen().forEach(sign -> add(sign, Says.LIMITED));
        config.failedWhen().forEach(sign -> add(sign, Says.FAILED));
        config.noneWhen().forEach(sign -> add(sign, Says.NONE_ASKED));
        for (int i = 0; i < this.needs.size(); i++) {
            signs.add(new SoughtSign(JsonPointer.compile(this.needs.get(i)), null, i, -1, null));
        }
    }

    private void add(CutSign sign, Says says) {
        JsonPointer pointer = JsonPointer.compile(sign.pointer());
        if (sign.belowOf().isEmpty()) {
            signs.add(new SoughtSign(pointer, sign, -1, -1, says));
            return;
        }
        JsonPointer bound = JsonPointer.compile(sign.belowOf().get());
        signs.add(new SoughtSign(pointer, null, -1, 2 * pairs.size(), null));
        signs.add(new SoughtSign(bound, null, -1, 2 * pairs.size() + 1, null));
        pairs.add(says);
    }

    boolean isEmpty() {
        return signs.isEmpty();
    }

    /**
     * Finds the signs of a document.
     *
     * @throws IllegalArgumentException if the bytes are no complete JSON document, a needed value is not there, or a
     *     value that is compared is no number
     */
    FoundSigns in(byte[] json) {
        try (JsonParser in = JSON.createParser(json)) {
            if (in.nextToken() == null) {
                throw new IllegalArgumentException("the response is empty");
            }
            SeenSigns seen = new SeenSigns(2 * pairs.size());
            look(in, signs, seen);
            if (in.nextToken() != null) {
                throw new IllegalArgumentException("the response is more than one JSON document");
            }
            int missing = seen.needs.nextClearBit(0);
            if (missing < needs.size()) {
                throw new IllegalArgumentException("the response has no '" + needs.get(missing) + "'");
            }
            for (int i = 0; i < pairs.size(); i++) {
                if (seen.sides[2 * i] < seen.sides[2 * i + 1]) {
                    seen.said.add(pairs.get(i));
                    if (pairs.get(i) == Says.FAILED) {
                        seen.failed(seen.sides[2 * i], seen.sides[2 * i + 1]);
                    }
                }
            }
            return new FoundSigns(
                    seen.said, seen.answered < 1 ? OptionalDouble.of(seen.answered) : OptionalDouble.empty());
        } catch (IOException e) {
            throw new IllegalArgumentException("the response is not JSON", e);
        }
    }

    /** Reads the current value to its end, and looks for signs in it. */
    private static void look(JsonParser in, List<SoughtSign> at, SeenSigns seen) throws IOException {
        JsonToken begin = in.currentToken();
        if (at.isEmpty()) {
            in.skipChildren();
            return;
        }
        boolean isEmpty = true;
        if (begin == JsonToken.START_OBJECT) {
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                in.nextToken();
                look(in, within(at, pointer -> pointer.matchProperty(name)), seen);
                isEmpty = false;
            }
        } else if (begin == JsonToken.START_ARRAY) {
            for (int i = 0; in.nextToken() != JsonToken.END_ARRAY; i++) {
                int index = i;
                look(in, within(at, pointer -> pointer.matchElement(index)), seen);
                isEmpty = false;
            }
        }
        for (SoughtSign sign : at) {
            if (sign.isHere() && sign.side() >= 0) {
                seen.sides[sign.side()] = number(in);
            } else if (sign.isHere() && sign.sign() == null) {
                // Null says nothing.
                if (in.currentToken() != JsonToken.VALUE_NULL) {
                    seen.needs.set(sign.need());
                }
            } else if (sign.isHere() && (sign.sign().hasBound() ? isBeyond(in, sign.sign()) : isSet(in, isEmpty))) {
                seen.said.add(sign.says());
                double whole = sign.sign().below().orElse(0.0);
                if (sign.says() == Says.FAILED && whole > 1) {
                    // Below a percentage; whether something is true is no share.
                    seen.failed(number(in), whole);
                }
            }
        }
    }

    private static List<SoughtSign> within(List<SoughtSign> at, UnaryOperator<JsonPointer> step) {
        List<SoughtSign> within = new ArrayList<>(at.size());
        for (SoughtSign sign : at) {
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

    /** The current value as a number; NaN: it is null. */
    private static double number(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_NULL -> Double.NaN;
            case VALUE_FALSE -> 0;
            case VALUE_TRUE -> 1;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            default -> throw new IllegalArgumentException("the sign of work cut short is not a number");
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
