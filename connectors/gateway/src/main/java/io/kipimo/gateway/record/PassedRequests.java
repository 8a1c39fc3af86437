package io.kipimo.gateway.record;

import io.kipimo.gateway.config.PathRule;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Requests of a front that {@code only} does not name: they pass unmeasured. Complains while there are no others, as
 * with the preset of another engine. Thread-safe.
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

    /** A request that is measured. */
    void query() {
        if (!hasQuery) {
            hasQuery = true;
        }
    }

    /** A request that passes; {@code target} has its path and query. */
    void passed(String method, String target) {
        if (!hasQuery) {
            complaints.say(
                    PassedKind.NO_QUERY,
                    "no request was measured so far; %s %s passes, since only names %s; check engine and only"
                            .formatted(method, target.split("\\?", 2)[0], paths));
        }
    }
}
