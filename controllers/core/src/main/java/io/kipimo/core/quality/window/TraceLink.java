package io.kipimo.core.quality.window;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Template of the address at which a tracer shows a query.
 *
 * @param template {@code http(s)} address with {@code {query}}, which the query id replaces. It may also have
 *     {@code {from}} and {@code {to}}, which become epoch milliseconds, five minutes before the start of the query and
 *     five minutes after its measurement
 */
public record TraceLink(String template) {
    private static final long MARGIN_MILLIS = 300_000;
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(query|from|to)}");
    private static final Pattern HOST = Pattern.compile("https?://[^/?#{]+[/?#].*");

    /** @throws IllegalArgumentException if the template does not have this form */
    public TraceLink {
        boolean fits = template.contains("{query}") && HOST.matcher(template).matches();
        try {
            fits &= new URI(PLACEHOLDER.matcher(template).replaceAll("0")).getHost() != null;
        } catch (URISyntaxException e) {
            fits = false;
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    ("trace link is '%s'; allowed: an http or https address with {query}, such as "
                                    + "https://tempo.example.com/trace/{query}; also {from} and {to}")
                            .formatted(template));
        }
    }

    /** Address of the trace of a query. */
    public String of(WorstQuery query) {
        return template.replace("{query}", encoded(query.queryId()))
                .replace("{from}", Long.toString(query.startedAtMillis() - MARGIN_MILLIS))
                .replace("{to}", Long.toString(query.measuredAtMillis() + MARGIN_MILLIS));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
