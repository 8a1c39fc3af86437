package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import io.kipimo.gateway.config.CutSign;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Looks for signs that work was cut in JSON documents, without building a tree of them. */
final class CutSigns {
    private static final JsonFactory JSON = new JsonFactory();

    private final List<Sign> signs = new ArrayList<>();

    /**
     * A sign relative to a position in the document.
     *
     * @param rest remaining part of the pointer
     */
    private record Sign(JsonPointer rest, Optional<Double> above) {
        boolean isHere() {
            return rest.matches();
        }
    }

    CutSigns(List<CutSign> signs) {
        signs.forEach(s -> this.signs.add(new Sign(JsonPointer.compile(s.pointer()), s.above())));
    }

    boolean isEmpty() {
        return signs.isEmpty();
    }

    /**
     * Whether the document has at least one of the signs.
     *
     * @throws IllegalArgumentException if the bytes are not a complete JSON document, or a value to
     *     compare with a bound is not a number
     */
    boolean areIn(byte[] json) {
        try (JsonParser in = JSON.createParser(json)) {
            if (in.nextToken() == null) {
                throw new IllegalArgumentException("the response is empty");
            }
            return isFound(in, signs);
        } catch (IOException e) {
            throw new IllegalArgumentException("the response is not JSON", e);
        }
    }

    /** Reads the value that starts here, to its end. */
    private static boolean isFound(JsonParser in, List<Sign> at) throws IOException {
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
                found |= isFound(in, within(at, pointer -> pointer.matchProperty(name)));
                isEmpty = false;
            }
        } else if (begin == JsonToken.START_ARRAY) {
            for (int i = 0; in.nextToken() != JsonToken.END_ARRAY; i++) {
                int index = i;
                found |= isFound(in, within(at, pointer -> pointer.matchElement(index)));
                isEmpty = false;
            }
        }
        for (Sign sign : at) {
            if (sign.isHere()) {
                found |= sign.above().isPresent() ? isAbove(in, sign) : isSet(in, isEmpty);
            }
        }
        return found;
    }

    private static List<Sign> within(List<Sign> at, UnaryOperator<JsonPointer> step) {
        List<Sign> within = new ArrayList<>(at.size());
        for (Sign sign : at) {
            JsonPointer rest = sign.isHere() ? null : step.apply(sign.rest());
            if (rest != null) {
                within.add(new Sign(rest, sign.above()));
            }
        }
        return within;
    }

    private static boolean isAbove(JsonParser in, Sign sign) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            return false;
        }
        if (!in.currentToken().isNumeric()) {
            throw new IllegalArgumentException("the sign of work cut short is not a number");
        }
        return in.getDoubleValue() > sign.above().orElseThrow();
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
