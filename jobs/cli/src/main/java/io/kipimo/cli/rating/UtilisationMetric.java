package io.kipimo.cli.rating;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.field.Decimals;
import io.kipimo.schemas.field.Names;
import io.kipimo.sdk.internal.http.BoundedExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the utilisation of a target's busiest resource, 0..1, from its metrics.
 * {@code http://HOST/metrics#NAME{LABEL="VALUE"}/DIVISOR} reads the text format of Prometheus;
 * {@code http://HOST/api/v1/query?query=QUERY} asks Prometheus. Of several series, the highest value counts. A name
 * that ends with {@code _total} is a counter, whose rate since the last reading is used.
 */
final class UtilisationMetric implements DoubleSupplier {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Pattern METRIC = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})?(?:/([0-9.e]+))?");
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_]\\w*=\"(?:[^\"\\\\]|\\\\.)*\"");

    private static final Pattern LABELS = Pattern.compile("\\s*(?:" + LABEL + "\\s*,\\s*)*(?:" + LABEL + ")?\\s*");

    /**
     * Matches a sample of the text format. A time stamp and an exemplar may follow; an exemplar has a value of its own.
     */
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*"
            + "(\\{(?:[^\"}]++|\"(?:[^\"\\\\]|\\\\.)*+\")*+})?\\s*(?<![\\w:])(\\S+)(?:\\s+[-+.\\w]+)?(?:\\s+#.*)?");

    private static final Pattern FIRST_NAME = Pattern.compile("[a-zA-Z_:][\\w:]*");

    /** Greatest accepted reading. Rounding can make readings a little higher than 1. */
    private static final double FULL = 1.1;

    private final BoundedExchange client = BoundedExchange.ofPages(PATIENCE);
    private final String text;
    private final URI uri;

    /** Name of the metric; empty if the URL is a query to Prometheus. */
    private final String name;

    private final List<String> labels = new ArrayList<>();
    private final double divisor;
    private Map<String, Double> before = Map.of();
    private long beforeNanos;

    /** @throws InputException if the URL has neither of the two forms */
    UtilisationMetric(String url) {
        this.text = url;
        int hash = url.indexOf('#');
        Matcher metric = METRIC.matcher(hash < 0 ? "" : url.substring(hash + 1));
        String address = hash < 0 ? url : url.substring(0, hash);
        boolean isQuery = hash < 0 && url.contains("/api/v1/query?");
        if (!address.matches("https?://[^/]+.*") || !(isQuery || metric.matches())) {
            throw problem("is not a metric; allowed: http://HOST/metrics#NAME, with {LABEL=\"VALUE\"} and"
                    + " /DIVISOR if needed, or http://HOST/api/v1/query?query=QUERY");
        }
        try {
            this.uri = URI.create(address);
            this.divisor = isQuery || metric.group(3) == null ? 1 : Double.parseDouble(metric.group(3));
        } catch (IllegalArgumentException e) {
            throw problem(e.getMessage());
        }
        if (!(divisor > 0)) {
            throw problem("has a divisor of " + divisor + "; allowed: > 0");
        }
        this.name = isQuery ? "" : metric.group(1);
        if (!isQuery && metric.group(2) != null) {
            if (!LABELS.matcher(metric.group(2)).matches()) {
                throw problem(
                        "has labels {" + metric.group(2) + "}; allowed: LABEL=\"VALUE\", with commas between them");
            }
            LABEL.matcher(metric.group(2)).results().forEach(l -> labels.add(l.group()));
        }
    }

    private InputException problem(String what) {
        return new InputException("--utilisation-from '" + Names.shortened(text, 200, "…") + "' " + what);
    }

    /**
     * Reads the utilisation now; of a counter, since the last call. The first call for a counter returns 0.
     *
     * @throws InputException if the utilisation cannot be read
     */
    @Override
    public double getAsDouble() {
        Map<String, Double> now = name.isEmpty() ? answered(body()) : samples(body());
        if (now.isEmpty()) {
            throw problem("has no such series");
        }
        long nowNanos = System.nanoTime();
        double utilisation = 0;
        for (Map.Entry<String, Double> series : now.entrySet()) {
            double value = series.getValue();
            if (name.endsWith("_total")) {
                double last = before.getOrDefault(series.getKey(), value);
                // Below the last value, it began again with its process.
                double since = value < last ? value : value - last;
                value = since / Math.max(1e-9, (nowNanos - beforeNanos) / 1e9);
            }
            utilisation = Math.max(utilisation, value / divisor);
        }
        before = now;
        beforeNanos = nowNanos;
        if (utilisation > FULL) {
            throw problem("is " + utilisation + "; allowed: 0..1, by a /DIVISOR");
        }
        return Math.min(1, utilisation);
    }

    private String body() {
        try {
            HttpResponse<String> response =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw problem("answers with status " + response.statusCode());
            }
            return response.body();
        } catch (IOException e) {
            throw problem("does not answer: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem("was interrupted");
        }
    }

    /** Values of the series with the wanted name and labels. The key is the labels of a series. */
    private Map<String, Double> samples(String body) {
        Map<String, Double> found = new HashMap<>();
        for (String line : (Iterable<String>) body.lines().map(String::strip)::iterator) {
            Matcher first = FIRST_NAME.matcher(line);
            if (!first.lookingAt() || !first.group().equals(name)) {
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                throw misread(line);
            }
            String own = sample.group(2) == null ? "" : sample.group(2);
            List<String> all = LABEL.matcher(own).results().map(l -> l.group()).toList();
            if (all.containsAll(labels)) {
                put(found, own, sample.group(3), line);
            }
        }
        return found;
    }

    private Map<String, Double> answered(String body) {
        Map<String, Double> found = new HashMap<>();
        try {
            JsonNode data = new ObjectMapper().readTree(body).path("data");
            JsonNode result = data.path("result");
            if (result.size() == 2 && result.path(1).isTextual()) {
                put(found, "", result.path(1).asText(), result.toString());
            } else {
                for (JsonNode series : result) {
                    String value = series.path("value").path(1).asText();
                    put(found, series.path("metric").toString(), value, series.toString());
                }
            }
        } catch (IOException e) {
            throw problem("answers with no JSON");
        }
        return found;
    }

    /** Adds the value of a series. Skips NaN, which Prometheus writes for an unknown value. */
    private void put(Map<String, Double> found, String series, String value, String line) {
        double number = Decimals.parse(value);
        boolean isUnknown = value.equals("NaN");
        if (!isUnknown && !(number >= 0)) {
            throw misread(line);
        }
        if (!isUnknown && found.putIfAbsent(series, number) != null) {
            throw problem("has a series twice: " + Names.shortened(line, 200, "…"));
        }
    }

    private InputException misread(String line) {
        return problem("has '" + Names.shortened(line, 200, "…") + "'; allowed: one value of 0 or more a series");
    }
}
