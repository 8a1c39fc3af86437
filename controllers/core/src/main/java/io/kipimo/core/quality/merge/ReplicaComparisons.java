package io.kipimo.core.quality.merge;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.ReplicaTruthBuilder;
import io.kipimo.schemas.tails.ServerTruth;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The newest comparisons of the answers of one component's servers: at most {@value #MOST}, of the last fifteen
 * minutes. Not thread-safe.
 */
public final class ReplicaComparisons {
    /** Greatest number of comparisons that are kept. */
    static final int MOST = 1_000;

    /** How long a comparison is kept. Older ones say nothing about the present. */
    public static final long KEPT_MILLIS = 900_000;

    /** Greatest age of a record that still tells the present state. Reporters publish every five seconds. */
    private static final long FRESH_MILLIS = 60_000;

    /** Whether the answers of replicas differ at present, by a record of comparisons. */
    public enum ReplicaStanding {
        /** No comparison with a known verdict was made lately. */
        UNKNOWN,
        /** Answers did not differ, except in the order of equal scores. */
        ALIKE,
        /** Answers differed for a while. */
        LAG,
        /** Answers keep differing, so an answer depends on the replica. */
        DEPENDS
    }

    /** The standing that a record shows at a time. */
    public static ReplicaStanding standing(ReplicaTruth truth, long nowMillis) {
        if (truth.known() == 0 || truth.endMillis() < nowMillis - FRESH_MILLIS) {
            return ReplicaStanding.UNKNOWN;
        }
        return truth.different() > 0
                ? ReplicaStanding.DEPENDS
                : truth.lag() > 0 ? ReplicaStanding.LAG : ReplicaStanding.ALIKE;
    }

    /** Results of a comparison of two answers. */
    public enum ComparisonVerdict {
        /** The answers were the same. */
        SAME,
        /** Items of equal scores were in another order. */
        TIES,
        /** The answers differed. When the servers were asked again, they did not differ, or differed in other items. */
        LAG,
        /** The answers differed, and still did when the servers were asked again. */
        DIFFERENT,
        /** The answers differed, and the servers were not asked again, or did not answer. */
        UNKNOWN
    }

    /**
     * One comparison.
     *
     * @param difference the difference behind a verdict of LAG or DIFFERENT
     */
    public record ReplicaComparison(
            long atMillis,
            String queryId,
            ComparisonVerdict verdict,
            String first,
            String second,
            AnswerDifference difference) {
        private boolean differs() {
            return verdict == ComparisonVerdict.LAG || verdict == ComparisonVerdict.DIFFERENT;
        }

        /** One entry for each server that lacked items; one for the first server if only the order differs. */
        private List<DivergentQuery> divergent() {
            List<DivergentQuery> queries = new ArrayList<>();
            if (!difference.firstLacks().isEmpty() || difference.secondLacks().isEmpty()) {
                queries.add(divergent(first, second, difference.firstLacks()));
            }
            if (!difference.secondLacks().isEmpty()) {
                queries.add(divergent(second, first, difference.secondLacks()));
            }
            return queries;
        }

        private DivergentQuery divergent(String server, String other, Set<String> lacks) {
            return new DivergentQuery(
                    Names.identifier(queryId),
                    atMillis,
                    server,
                    other,
                    verdict == ComparisonVerdict.LAG,
                    lacks.size(),
                    lacks.stream()
                            .limit(DivergentQuery.MOST_ITEMS)
                            .map(Names::identifier)
                            .toList());
        }
    }

    private final Deque<ReplicaComparison> newest = new ArrayDeque<>();

    /** Adds a comparison. */
    public void add(ReplicaComparison comparison) {
        newest.addLast(comparison);
        if (newest.size() > MOST) {
            newest.removeFirst();
        }
    }

    /** The record of the kept comparisons; empty if nothing was compared lately. */
    public Optional<ReplicaTruth> truth(String service, String component, String reporter, long nowMillis) {
        while (!newest.isEmpty() && newest.getFirst().atMillis() < nowMillis - KEPT_MILLIS) {
            newest.removeFirst();
        }
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        Map<ComparisonVerdict, Long> counts = new EnumMap<>(ComparisonVerdict.class);
        Map<String, ServerTruth> servers = new TreeMap<>();
        for (ReplicaComparison c : newest) {
            counts.merge(c.verdict(), 1L, Long::sum);
            if (c.verdict() != ComparisonVerdict.UNKNOWN) {
                count(servers, c, c.first(), c.difference().firstLacks());
                count(servers, c, c.second(), c.difference().secondLacks());
            }
        }
        return Optional.of(ReplicaTruthBuilder.builder()
                .service(service)
                .component(component)
                .reporter(reporter)
                .startMillis(newest.getFirst().atMillis())
                .endMillis(Math.max(newest.getFirst().atMillis(), nowMillis))
                .same(counts.getOrDefault(ComparisonVerdict.SAME, 0L))
                .ties(counts.getOrDefault(ComparisonVerdict.TIES, 0L))
                .lag(counts.getOrDefault(ComparisonVerdict.LAG, 0L))
                .different(counts.getOrDefault(ComparisonVerdict.DIFFERENT, 0L))
                .unknown(counts.getOrDefault(ComparisonVerdict.UNKNOWN, 0L))
                .servers(servers.values().stream()
                        .limit(ReplicaTruth.MOST_SERVERS)
                        .toList())
                .queries(divergent())
                .build());
    }

    private static void count(Map<String, ServerTruth> servers, ReplicaComparison c, String server, Set<String> lacks) {
        boolean lacked = c.differs() && !lacks.isEmpty();
        ServerTruth one = new ServerTruth(
                server,
                1,
                lacked && c.verdict() == ComparisonVerdict.LAG ? 1 : 0,
                lacked && c.verdict() == ComparisonVerdict.DIFFERENT ? 1 : 0);
        servers.merge(
                server,
                one,
                (a, b) -> new ServerTruth(
                        server, a.compared() + b.compared(), a.behind() + b.behind(), a.different() + b.different()));
    }

    private List<DivergentQuery> divergent() {
        List<DivergentQuery> queries = new ArrayList<>();
        Iterator<ReplicaComparison> backwards = newest.descendingIterator();
        while (backwards.hasNext() && queries.size() < ReplicaTruth.MOST_QUERIES) {
            ReplicaComparison c = backwards.next();
            if (c.differs()) {
                queries.addAll(c.divergent());
            }
        }
        return queries.stream().limit(ReplicaTruth.MOST_QUERIES).toList();
    }
}
