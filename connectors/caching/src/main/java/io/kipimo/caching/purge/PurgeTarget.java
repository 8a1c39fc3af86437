package io.kipimo.caching.purge;

import io.kipimo.schemas.field.Names;
import java.net.URI;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Makes and checks the request target of a purge. Keys are data, so the check ensures that a target is a path with an
 * optional query (RFC 9112, sec. 3.2.1, origin form), and never names another host.
 */
final class PurgeTarget {
    /** Greatest length of a target, bytes. Servers should accept at least this much (RFC 9112, sec. 3). */
    static final int MOST_BYTES = 8_000;

    private static final int MOST_SHOWN = 100;

    private static final String ALLOWED =
            "; allowed: a path from /, with or without a query, of at most " + MOST_BYTES + " bytes";

    /**
     * Characters of a path besides letters and digits (RFC 3986, sec. 3.3), including {@code %}, which begins an
     * escape.
     */
    private static final String IN_PATH = "-._~!$&'()*+,;=:@/%";

    private static final String IN_QUERY = IN_PATH + "?[]";

    /** Dot segments, plain or escaped, which servers resolve differently. */
    private static final Pattern DOTS = Pattern.compile("(?i)(?:/|%2f|%5c)(?:\\.|%2e){1,2}(?:;[^/]*)?(?=/|%2f|%5c|$)");

    private static final Pattern BAD_ESCAPE = Pattern.compile("(?i)%(?![0-9a-f]{2})|%[01][0-9a-f]|%7f");

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PurgeTarget() {}

    /**
     * Checks a path, and escapes what a request line cannot hold.
     *
     * @throws IllegalArgumentException if it is not a valid path; the message says why
     */
    static String of(String path) {
        if (!path.startsWith("/") || path.startsWith("//")) {
            throw bad(path, "is no path");
        }
        if (path.length() > MOST_BYTES) {
            throw bad(path, "is too long");
        }
        int mark = path.indexOf('?');
        String way = escaped(mark < 0 ? path : path.substring(0, mark), IN_PATH);
        String query = mark < 0 ? "" : '?' + escaped(path.substring(mark + 1), IN_QUERY);
        if (DOTS.matcher(way).find()) {
            throw bad(path, "has a dot segment");
        }
        if (BAD_ESCAPE.matcher(way + query).find()) {
            throw bad(path, "has an escape that is none, or of a control character");
        }
        if (way.length() + query.length() > MOST_BYTES) {
            throw bad(path, "is too long");
        }
        return way + query;
    }

    /** Returns the address of a target at a cache. */
    static URI at(URI cache, String target) {
        // Not URI.resolve, which lets a path that begins with // name another host.
        return URI.create(cache.getScheme() + "://" + cache.getRawAuthority() + target);
    }

    private static String escaped(String text, String plain) {
        StringBuilder out = new StringBuilder(text.length());
        byte[] bytes;
        try {
            var encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
        } catch (CharacterCodingException e) {
            throw bad(text, "has half a character");
        }
        for (byte b : bytes) {
            char c = (char) (b & 0xff);
            if (c < ' ' || c == 0x7f || c == '\\' || c == '#') {
                throw bad(text, "has a control character, '\\' or '#'");
            }
            if (c < 0x80 && (Character.isLetterOrDigit(c) || plain.indexOf(c) >= 0)) {
                out.append(c);
            } else {
                out.append('%').append(HEX.toHexDigits(b));
            }
        }
        return out.toString();
    }

    private static IllegalArgumentException bad(String path, String why) {
        String shown = Names.cut(path, MOST_SHOWN);
        return new IllegalArgumentException("path '" + shown.replaceAll("[^\\p{Graph}]", "?") + "' " + why + ALLOWED);
    }
}
