package io.kipimo.examples.search;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The report of a search service process when it serves.
 *
 * @param components names of the components in answers and partial results
 * @param documents number of documents in all partitions
 */
public record Ready(SearchService.Ports ports, List<String> components, int documents) {
    private static final String PREFIX = "READY ";

    static Ready of(SearchService service, int documents) {
        return new Ready(service.ports(), service.components(), documents);
    }

    /** Parses a line of output; empty if it is another line, or not yet whole. */
    public static Optional<Ready> of(String line) {
        return line.startsWith(PREFIX) && line.endsWith("}")
                ? Optional.of(of(new JsonObject(line.substring(PREFIX.length()))))
                : Optional.empty();
    }

    private static Ready of(JsonObject json) {
        return new Ready(
                new SearchService.Ports(
                        json.getInteger("highPort"),
                        json.getInteger("lowPort"),
                        json.getInteger("calibrationPort"),
                        json.getInteger("vocabularyPort")),
                json.getJsonArray("components").stream()
                        .map(String.class::cast)
                        .collect(Collectors.toUnmodifiableList()),
                json.getInteger("documents"));
    }

    String toLine() {
        return PREFIX
                + new JsonObject()
                        .put("highPort", ports.high())
                        .put("lowPort", ports.low())
                        .put("calibrationPort", ports.calibration())
                        .put("vocabularyPort", ports.vocabulary())
                        .put("components", new JsonArray(components))
                        .put("documents", documents)
                        .encode();
    }
}
