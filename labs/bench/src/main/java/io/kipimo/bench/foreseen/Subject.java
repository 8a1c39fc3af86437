package io.kipimo.bench.foreseen;

import io.kipimo.bench.report.Context;
import java.util.List;
import java.util.Optional;

/** Whose queries are recorded. */
interface Subject {
    String name();

    /** Why it cannot be started here; empty: it can. */
    default Optional<String> whyNot() {
        return Optional.empty();
    }

    /** Recordings of its queries, each for a model of its own. */
    List<Recording> record(Context context) throws Exception;
}
