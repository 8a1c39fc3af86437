package io.kipimo.gateway.record;

import io.kipimo.gateway.config.PathRule;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Watches for requests that {@code only} does not name, which pass unmeasured. Logs them until a request is measured,
 * because {@code only} may come from the preset of a wrong engine. Thread-safe.
 */
final class PassedRequests {
    private enum PassedKind {
        NO_QUERY
    }

    private final String paths;
    private final Complaints complaints;
    private volatile boolean hasQuery;

    PassedRequests(List<PathRule> only, Complaints complaints) {
        paths = only.stream().map(PathRule::glob).collect(Collectors.joining(", "));
        this.complaints = complaints;
    }

    /** Notes a request that is measured. */
    void query() {
        if (!hasQuery) {
            hasQuery = true;
        }
    }

    /** Notes a request that passes unmeasured; {@code target} has its path and query. */
    void passed(String method, String target) {
        if (!hasQuery) {
            complaints.say(
                    PassedKind.NO_QUERY,
                    "no request was measured so far; %s %s passes, since only names %s; check engine and only"
                            .formatted(method, target.split("\\?", 2)[0], paths));
        }
    }
}
