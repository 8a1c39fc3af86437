package io.kipimo.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A response of a page.
 *
 * @param body may be empty
 */
public record Reply(int status, Map<String, String> headers, byte[] body) {
    /** A response 200 with text in UTF-8. */
    public static Reply of(String contentType, String text) {
        return new Reply(200, Map.of("Content-Type", contentType), text.getBytes(StandardCharsets.UTF_8));
    }
}
