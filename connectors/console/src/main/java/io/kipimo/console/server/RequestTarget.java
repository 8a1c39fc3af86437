package io.kipimo.console.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Target of a request (RFC 9112, sec. 3.2), decoded.
 *
 * @param authority authority of the absolute form, which replaces the Host header
 * @param path at least one part; {@code /} has one empty part
 * @param query parameters by name
 */
record RequestTarget(Optional<String> authority, List<String> path, Map<String, String> query) {
    private static final Pattern FORM = Pattern.compile("(?:(?i:https?)://([^/?#@]+))?(/[^?#]*)?(?:\\?([^#]*))?");
    private static final Pattern VISIBLE = Pattern.compile("[!-~]+");

    /**
     * Parses a target.
     *
     * @throws RequestRefusedException if it is malformed or cannot be decoded
     */
    static RequestTarget of(String uri) {
        Matcher form = FORM.matcher(uri);
        if (!VISIBLE.matcher(uri).matches() || !form.matches() || (form.group(1) == null && form.group(2) == null)) {
            throw new RequestRefusedException(400, "target is no path; allowed: /..., ASCII");
        }
        String path = Optional.ofNullable(form.group(2)).orElse("/");
        List<String> parts = new ArrayList<>();
        for (String part : path.substring(1).split("/", -1)) {
            parts.add(decoded(part));
        }
        Map<String, String> query = new HashMap<>();
        for (String pair : Optional.ofNullable(form.group(3)).orElse("").split("&")) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = decoded(blanks(equals < 0 ? pair : pair.substring(0, equals)));
            String value = equals < 0 ? "" : decoded(blanks(pair.substring(equals + 1)));
            if (query.put(name, value) != null) {
                throw new RequestRefusedException(400, "a parameter is there twice; allowed: once");
            }
        }
        return new RequestTarget(Optional.ofNullable(form.group(1)), parts, query);
    }

    /** Replaces plus signs by blanks, since forms encode blanks as plus signs. */
    private static String blanks(String text) {
        return text.replace('+', ' ');
    }

    private static String decoded(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '%') {
                bytes.put((byte) text.charAt(i));
            } else {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw undecodable(null);
                }
                bytes.put((byte) (16 * high + low));
                i += 2;
            }
        }
        try {
            String decoded =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            if (decoded.chars().anyMatch(Character::isISOControl)) {
                throw undecodable(null);
            }
            return decoded;
        } catch (CharacterCodingException e) {
            throw undecodable(e);
        }
    }

    private static RequestRefusedException undecodable(Throwable cause) {
        return new RequestRefusedException(
                400, "target cannot be decoded; allowed: percent-encoded UTF-8, no control characters", cause);
    }

    /** Returns whether the path consists of exactly these parts. */
    boolean is(String... parts) {
        return path.equals(List.of(parts));
    }

    /**
     * Checks the names of the parameters.
     *
     * @throws RequestRefusedException if there are parameters other than those named
     */
    void allow(String... names) {
        Set<String> allowed = new TreeSet<>(Set.of(names));
        if (!allowed.containsAll(query.keySet())) {
            throw new RequestRefusedException(400, "a parameter is not known; allowed: " + String.join(", ", allowed));
        }
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }
}
