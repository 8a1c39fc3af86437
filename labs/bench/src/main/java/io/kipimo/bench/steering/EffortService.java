package io.kipimo.bench.steering;

import io.kipimo.bench.report.Context;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.index.PartitionedIndex;
import java.util.Optional;

/** A real service that works harder or less hard on a query. */
interface EffortService {
    String name();

    /** Why it cannot be started here; empty: it can. */
    default Optional<String> whyNot() {
        return Optional.empty();
    }

    /** Starts it, asks it the same queries at each level, and stops it. */
    EffortSamples measure(Context context, SteeringSettings settings, Corpus corpus, PartitionedIndex index)
            throws Exception;
}
