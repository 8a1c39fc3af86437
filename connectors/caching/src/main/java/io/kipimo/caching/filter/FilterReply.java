package io.kipimo.caching.filter;

import java.util.Map;

/**
 * An HTTP response.
 *
 * @param body empty with 304 and 503
 */
public record FilterReply(int status, Map<String, String> headers, byte[] body) {}
