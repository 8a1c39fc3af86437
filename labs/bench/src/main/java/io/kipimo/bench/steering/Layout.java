package io.kipimo.bench.steering;

import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** A way to partition the corpus. All layouts give the same full answers. */
enum Layout {
    /** Europarl in one partition, WordNet evenly over three. */
    SOURCE,
    /** Documents with similar words share a partition. The settings give the number of partitions. */
    TOPIC,
    /** The quarter of the documents that past queries found most often is one partition. */
    TIER,
    /** A hash of the id assigns documents to partitions, so the four partitions are alike. */
    HASH;

    /** Changes the seed, so that past queries differ from the queries of the runs. */
    private static final long PAST = 0x50617374;

    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Partitions the corpus in this layout.
     *
     * @param pastQueries number of past queries, whose answers tell which documents are hot
     */
    PartitionedIndex of(Corpus corpus, PartitionedIndex bySource, SteeringSettings settings, int pastQueries) {
        return switch (this) {
            case SOURCE -> bySource;
            case TOPIC -> bySource.byTopic(corpus, settings.topics());
            case HASH -> bySource.hashed(corpus);
            case TIER -> {
                QueryMix.MixPhase phase = settings.mixes().get(0).at(0);
                QueryWriter writer = new QueryWriter(bySource.vocabulary());
                SplittableRandom random = new SplittableRandom(settings.seed() ^ PAST);
                List<String> past = random.ints(pastQueries)
                        .mapToObj(i -> writer.write(phase, random))
                        .toList();
                yield bySource.byTier(
                        corpus, past.parallelStream().map(text -> FullSearch.of(bySource, text, settings.topK())
                                .ids()));
            }
        };
    }
}
