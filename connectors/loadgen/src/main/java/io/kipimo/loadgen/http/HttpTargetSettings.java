package io.kipimo.loadgen.http;

import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * Requests to an HTTP end point.
 *
 * @param url of GET requests, with placeholders as in {@link Template}
 * @param headers of each request; values may have placeholders
 * @param lines for <code>{line}</code>
 * @param qualityHeader of the response: the answer's quality, as 0..1 or as parts/whole; empty: quality is not read
 * @param timeOutMillis after which a request has failed, 1 or more
 */
public record HttpTargetSettings(
        String url, Map<String, String> headers, List<String> lines, String qualityHeader, long timeOutMillis) {
    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException naming the invalid setting
     */
    public HttpTargetSettings {
        headers = Map.copyOf(headers);
        lines = List.copyOf(lines);
        if (timeOutMillis < 1) {
            throw new IllegalArgumentException("time-out is " + timeOutMillis + " ms; allowed: 1 ms or more");
        }
        new Template(url, lines, true);
        for (String value : headers.values()) {
            new Template(value, lines, false);
        }
        URI uri = address(url);
        if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
            throw new IllegalArgumentException(
                    "target is '" + url + "'; allowed: http://HOST[:PORT][/PATH], https://…");
        }
    }

    URI address() {
        return address(url);
    }

    /** Settings of a plain GET. */
    public static HttpTargetSettings of(String url) {
        return new HttpTargetSettings(url, Map.of(), List.of(), "", 5_000);
    }

    /** Checks the address; placeholders may be anywhere after the authority. */
    private static URI address(String url) {
        String plain = url.replaceAll("\\{[^}]*}", "0");
        try {
            return URI.create(plain);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("target is '" + url + "', which is no URL: " + e.getMessage(), e);
        }
    }
}
