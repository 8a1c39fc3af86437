package io.kipimo.bench.steering;

import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.Arrival;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.QueryClass;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The queries of each phase and their full answers. The full answer is the same for every partitioning, since all score
 * with the statistics of the whole corpus.
 */
final class QueryPools {
    private final SteeringSettings settings;
    private final Map<QueryMix.MixPhase, List<String>> queries = new HashMap<>();
    private final Map<String, long[]> full = new HashMap<>();

    QueryPools(SteeringSettings settings, List<QueryMix> mixes, int size, PartitionedIndex index) {
        this.settings = settings;
        QueryWriter writer = new QueryWriter(index.vocabulary());
        for (QueryMix mix : mixes) {
            for (QueryMix.MixPhase phase : mix.phases()) {
                SplittableRandom random = new SplittableRandom(settings.seed());
                queries.computeIfAbsent(phase, p -> random.ints(size)
                        .mapToObj(i -> writer.write(p, random))
                        .toList());
            }
        }
        full.putAll(queries.values().stream().flatMap(List::stream).distinct().toList().parallelStream()
                .collect(Collectors.toConcurrentMap(text -> text, text -> FullSearch.of(index, text, settings.topK())
                        .ids())));
    }

    /** Ids of the full answer, best first. */
    long[] fullAnswer(String query) {
        return full.get(query);
    }

    /**
     * Poisson arrivals of both classes. Their rates are constant, except that the low class's rate changes in a
     * {@link Moment}. The mix's phases share the counted time.
     *
     * @param perSecond capacity of the service
     * @param sharing whether the low class sends queries
     * @param lead time before the counted time
     * @param seed the same seed gives the same high class, whatever the low class does
     */
    ArrivalTrace trace(QueryMix mix, double perSecond, boolean sharing, Duration lead, Duration counted, long seed) {
        List<Arrival> arrivals = new ArrayList<>();
        double high = settings.highShare();
        add(arrivals, QueryClass.HIGH, mix, high * perSecond, lead, counted, seed);
        if (sharing) {
            List<Double> low =
                    settings.moment(mix).map(Moment::lowLoads).orElseGet(() -> List.of(settings.load() - high));
            double most = Collections.max(low);
            add(arrivals, QueryClass.LOW, mix, most * perSecond, lead, counted, ~seed);
            SplittableRandom thinning = new SplittableRandom(seed);
            arrivals.removeIf(a -> a.queryClass() == QueryClass.LOW
                    && thinning.nextDouble() * most >= low.get(phase(a, lead, counted, low.size())));
        }
        arrivals.sort(Comparator.comparingLong(Arrival::offsetMicros));
        return new ArrivalTrace(lead.plus(counted), arrivals);
    }

    private static int phase(Arrival arrival, Duration lead, Duration counted, int phases) {
        double progress = (arrival.offsetMicros() * 1e3 - lead.toNanos()) / counted.toNanos();
        return Math.max(0, Math.min(phases - 1, (int) (progress * phases)));
    }

    /** Poisson arrivals of the low class alone. */
    ArrivalTrace lowOnly(QueryMix mix, double perSecond, Duration length, long seed) {
        List<Arrival> arrivals = new ArrayList<>();
        add(arrivals, QueryClass.LOW, mix, perSecond, Duration.ZERO, length, seed);
        return new ArrivalTrace(length, arrivals);
    }

    private void add(
            List<Arrival> arrivals,
            QueryClass queryClass,
            QueryMix mix,
            double perSecond,
            Duration lead,
            Duration counted,
            long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double leadMicros = lead.toNanos() / 1e3;
        double countedMicros = counted.toNanos() / 1e3;
        double meanGapMicros = 1e6 / perSecond;
        for (double at = random.nextExponential() * meanGapMicros;
                at < leadMicros + countedMicros;
                at += random.nextExponential() * meanGapMicros) {
            List<String> pool = queries.get(mix.at((at - leadMicros) / countedMicros));
            arrivals.add(new Arrival((long) at, queryClass, pool.get(random.nextInt(pool.size()))));
        }
    }
}
