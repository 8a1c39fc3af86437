package io.kipimo.examples.search.workload;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Mix of queries during a run, in phases of equal length.
 *
 * @param phases at least one
 */
public record QueryMix(String name, List<MixPhase> phases) {

    /** Mix in which about a third of the queries is expensive throughout the run. */
    public static final QueryMix STEADY = new QueryMix("steady", List.of(new MixPhase(0.35, 0, QueryTopic.ANY)));

    /** Mix that becomes heavier twice: 20, 35, then 50 of a hundred queries are heavy (Ubora, sec. 8). */
    public static final QueryMix HEAVIER = new QueryMix(
            "heavier",
            List.of(
                    new MixPhase(0.20, 0, QueryTopic.ANY),
                    new MixPhase(0.35, 0, QueryTopic.ANY),
                    new MixPhase(0.50, 0, QueryTopic.ANY)));

    /**
     * Mix that first becomes heavier, then turns to another topic: word endings in English glosses. For these queries
     * the largest partition is the slowest one, and contributes least.
     */
    public static final QueryMix TOPIC_SHIFT = new QueryMix(
            "topic-shift",
            List.of(
                    new MixPhase(0.20, 0, QueryTopic.ANY),
                    new MixPhase(0.40, 0, QueryTopic.ANY),
                    new MixPhase(0.10, 0.60, QueryTopic.WORDNET)));

    /** Mix of heavy queries first, then ever lighter ones, so that a controller must open again. */
    public static final QueryMix LIGHTER = new QueryMix(
            "lighter",
            List.of(
                    new MixPhase(0.50, 0, QueryTopic.ANY),
                    new MixPhase(0.35, 0, QueryTopic.ANY),
                    new MixPhase(0.20, 0, QueryTopic.ANY)));

    /** All mixes. */
    public static final List<QueryMix> ALL = List.of(STEADY, HEAVIER, TOPIC_SHIFT, LIGHTER);

    /**
     * Shares of the kinds of queries. The remaining queries are light.
     *
     * @param heavy share of heavy queries, 0..1; such a query has 10 to 25 words, one more word of two edits, which
     *     costs most, and a phrase, and takes some 11 ms of processor time against 0.1 ms of a light one
     * @param wildcard share of queries with a word's ending, 0..1; with {@code heavy} at most 1
     */
    public record MixPhase(double heavy, double wildcard, QueryTopic topic) {
        public MixPhase {
            if (!(heavy >= 0 && wildcard >= 0 && heavy + wildcard <= 1)) {
                throw new IllegalArgumentException(
                        "heavy " + heavy + ", wildcard " + wildcard + "; allowed: 0..1 together");
            }
        }
    }

    public QueryMix {
        if (phases.isEmpty()) {
            throw new IllegalArgumentException("mix " + name + " has no phases");
        }
        phases = List.copyOf(phases);
    }

    /**
     * The mix with the given name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static QueryMix named(String name) {
        return ALL.stream()
                .filter(mix -> mix.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("query mix '"
                        + name
                        + "'; allowed: "
                        + ALL.stream().map(QueryMix::name).collect(Collectors.joining(", "))));
    }

    /**
     * The phase at a time.
     *
     * @param progress of the run, 0..1
     */
    public MixPhase at(double progress) {
        int index = (int) (progress * phases.size());
        return phases.get(Math.max(0, Math.min(index, phases.size() - 1)));
    }

    /** A mix for calibration that has the middle phase for the whole run. */
    public QueryMix middle() {
        return new QueryMix(name + "-middle", List.of(at(0.5)));
    }
}
