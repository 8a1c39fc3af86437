package io.kipimo.core.quality.fanout.model;

import io.kipimo.core.quality.fanout.model.FanOutAdvice.FanOutOutcome;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Computes how much work selective fan-out could save, from measured queries of one class whose components all
 * delivered. The quality of a choice is the share of the mature top k that the chosen components contributed, as in
 * shard selection (recall of the full answer). The work of a component is its latency. Components are ordered by their
 * mean latency, but work is counted by the latencies of each query, so cheap queries save little. Mutable, for one
 * thread.
 *
 * <p>Two choices bracket what a model can do: the same components for all queries, and a perfect choice for each query.
 * Odd queries give the order of the fixed choice, even ones judge it. The learned choice for a query uses a model that
 * learned nine tenths of the queries with features, but not this query (cross-validation). So it is nearly as good as a
 * model of all queries.
 */
public final class FanOut {
    /** Fewest queries for an advice. */
    public static final int LEAST_QUERIES = 200;

    /** Limit of queries that are kept; later ones are ignored. */
    private static final int MOST_QUERIES = 20_000;

    private static final int MOST_COMPONENTS = 1_000;
    private static final double LEAST_SAVING = 0.1;
    private static final int STEPS = 10;
    private static final int FOLDS = 10;
    private static final double NORMAL_95 = 1.96;
    private static final double[] FLOORS = {1, 0.98, 0.95, 0.93, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0};

    /** A component's share of the answer of one query, and its latency for that query; latency 0: unknown. */
    private record ComponentContribution(double contribution, long latencyMicros) {}

    private static final ComponentContribution NONE = new ComponentContribution(0, 0);

    /** Shares of each query by component; the sum of the contributions is 1. */
    private final List<Map<String, ComponentContribution>> queries = new ArrayList<>();

    /** Features of each query. */
    private final List<Features> features = new ArrayList<>();

    private final Map<String, double[]> latencies = new TreeMap<>();

    private boolean seesOne;
    private boolean seesSeveral;

    /**
     * Adds a query if the contributions of all its components are known.
     *
     * @param stated features of the query; may be empty
     */
    public void add(Measurement measurement, Features stated) {
        seesOne |= measurement.components().size() == 1;
        seesSeveral |= measurement.components().size() > 1;
        double sum = 0;
        for (ComponentShare share : measurement.components()) {
            sum += share.contribution();
        }
        boolean isKnown = measurement.completeness() == Completeness.COMPLETE
                && !measurement.isTrimmed()
                && measurement.components().size() > 1
                && measurement.components().size() <= MOST_COMPONENTS
                && sum > 0;
        if (!isKnown || queries.size() >= MOST_QUERIES) {
            return;
        }
        Map<String, ComponentContribution> query = new LinkedHashMap<>();
        for (ComponentShare share : measurement.components()) {
            query.put(share.component(), new ComponentContribution(share.contribution() / sum, share.latencyMicros()));
            if (latencies.size() < MOST_COMPONENTS || latencies.containsKey(share.component())) {
                double[] latency = latencies.computeIfAbsent(share.component(), c -> new double[2]);
                latency[0] += share.latencyMicros();
                latency[1]++;
            }
        }
        queries.add(query);
        features.add(stated);
    }

    /** Whether each query asked one component only: then there is nothing to leave out. */
    public boolean hasNoChoice() {
        return seesOne && !seesSeveral;
    }

    /**
     * The advice for an objective.
     *
     * @param objective mean quality to keep, 0..1
     */
    public FanOutAdvice advice(double objective) {
        if (queries.size() < LEAST_QUERIES) {
            return new FanOutAdvice(
                    queries.size(), 0, List.of(), List.of(), List.of(), FanOutOutcome.NOT_ENOUGH, 0, Optional.empty());
        }
        List<FanOutPoint> fixed = fixed();
        List<Integer> featured = IntStream.range(0, queries.size())
                .filter(i -> !features.get(i).isEmpty())
                .boxed()
                .toList();
        boolean canLearn = featured.size() >= LEAST_QUERIES;
        int tested = canLearn ? featured.size() : 0;
        List<FanOutPoint> learned = canLearn ? learned(featured) : List.of();
        List<FanOutPoint> perfect = perfect();
        Optional<FanOutPoint> alike = cheapest(fixed, objective);
        Optional<FanOutPoint> best = cheapest(perfect, objective);
        double byAlike = 1 - alike.map(FanOutPoint::effort).orElse(1.0);
        double byBest = 1 - best.map(FanOutPoint::effort).orElse(1.0);
        Optional<FanOutPoint> model = cheapest(learned, objective);
        double byModel = 1 - model.map(FanOutPoint::effort).orElse(1.0);
        if (byModel >= LEAST_SAVING && byModel > byAlike) {
            return new FanOutAdvice(
                    queries.size(), tested, fixed, learned, perfect, FanOutOutcome.LEARNED, byModel, model);
        }
        if (byAlike >= LEAST_SAVING) {
            return new FanOutAdvice(
                    queries.size(), tested, fixed, learned, perfect, FanOutOutcome.FIXED, byAlike, alike);
        }
        return new FanOutAdvice(
                queries.size(),
                tested,
                fixed,
                learned,
                perfect,
                byBest >= LEAST_SAVING ? FanOutOutcome.PER_QUERY : FanOutOutcome.NOTHING_TO_GAIN,
                byBest,
                best);
    }

    /** The point with the least effort whose interval lies wholly at or above the objective. */
    private static Optional<FanOutPoint> cheapest(List<FanOutPoint> points, double objective) {
        return points.stream()
                .filter(p -> p.quality().low() >= objective)
                .min(Comparator.comparingDouble(FanOutPoint::effort));
    }

    private double work(String component) {
        double[] latency = latencies.get(component);
        return latency == null ? 1 : Math.max(1, latency[0] / latency[1]);
    }

    private double work(Map<String, ComponentContribution> query, String component) {
        long latencyMicros = query.get(component).latencyMicros();
        return latencyMicros > 0 ? latencyMicros : work(component);
    }

    private double work(Map<String, ComponentContribution> query) {
        return query.keySet().stream().mapToDouble(c -> work(query, c)).sum();
    }

    /** Leaves out components one after the other, those with the least contribution per work first. */
    private List<FanOutPoint> fixed() {
        Map<String, Double> contributed = new TreeMap<>();
        for (int i = 1; i < queries.size(); i += 2) {
            queries.get(i).forEach((c, share) -> contributed.merge(c, share.contribution(), Double::sum));
        }
        List<String> order = new ArrayList<>(latencies.keySet());
        order.sort(Comparator.comparingDouble((String c) -> contributed.getOrDefault(c, 0.0) / work(c)));
        List<FanOutPoint> points = new ArrayList<>();
        Set<String> leftOut = new LinkedHashSet<>();
        points.add(judged(leftOut));
        for (String component : order.subList(0, order.size() - 1)) {
            leftOut.add(component);
            points.add(judged(leftOut));
        }
        return points;
    }

    private FanOutPoint judged(Set<String> leftOut) {
        double asked = 0;
        double all = 0;
        double[] qualities = new double[(queries.size() + 1) / 2];
        for (int i = 0; i < qualities.length; i++) {
            Map<String, ComponentContribution> query = queries.get(2 * i);
            all += work(query);
            for (Map.Entry<String, ComponentContribution> component : query.entrySet()) {
                if (!leftOut.contains(component.getKey())) {
                    asked += work(query, component.getKey());
                    qualities[i] += component.getValue().contribution();
                }
            }
        }
        return point(asked / all, qualities, List.copyOf(leftOut));
    }

    /** Judges the choices of models at several floors, on queries that the models did not learn. */
    private List<FanOutPoint> learned(List<Integer> featured) {
        List<String> components = List.copyOf(latencies.keySet());
        List<ContributionModel> models = IntStream.range(0, FOLDS)
                .mapToObj(fold -> model(featured, components, fold))
                .toList();
        List<FanOutPoint> points = new ArrayList<>();
        for (double floor : FLOORS) {
            points.add(judged(models, featured, components, floor));
        }
        points.sort(Comparator.comparingDouble(FanOutPoint::effort).reversed());
        return points;
    }

    /** A model that learned all queries except those of one fold. */
    private ContributionModel model(List<Integer> featured, List<String> components, int without) {
        ContributionLearner learner =
                new ContributionLearner("", components, ContributionModel.MOST_BYTES, MOST_QUERIES);
        for (int i = 0; i < featured.size(); i++) {
            if (i % FOLDS != without) {
                Map<String, ComponentContribution> query = queries.get(featured.get(i));
                learner.learn(
                        features.get(featured.get(i)).hashes(),
                        figures(query, components, ComponentContribution::contribution),
                        figures(query, components, ComponentContribution::latencyMicros));
            }
        }
        return learner.model(1, 0);
    }

    private static double[] figures(
            Map<String, ComponentContribution> query,
            List<String> components,
            ToDoubleFunction<ComponentContribution> figure) {
        return components.stream()
                .mapToDouble(c -> figure.applyAsDouble(query.getOrDefault(c, NONE)))
                .toArray();
    }

    private FanOutPoint judged(
            List<ContributionModel> models, List<Integer> featured, List<String> components, double floor) {
        double asked = 0;
        double all = 0;
        double[] qualities = new double[featured.size()];
        for (int i = 0; i < qualities.length; i++) {
            Map<String, ComponentContribution> query = queries.get(featured.get(i));
            FanOutChoice choice = FanOutChoice.choose(
                    models.get(i % FOLDS),
                    features.get(featured.get(i)).hashes(),
                    components,
                    Double.POSITIVE_INFINITY,
                    floor);
            all += work(query);
            for (String component : choice.asked()) {
                if (query.containsKey(component)) {
                    asked += work(query, component);
                    qualities[i] += query.get(component).contribution();
                }
            }
        }
        return point(asked / all, qualities, List.of());
    }

    /**
     * One component of one query.
     *
     * @param worth its contribution, divided by the component's mean work
     */
    private record FanOutPart(int query, double contribution, double work, double worth) {}

    /** Asks the best component of each query first, then further ones by descending contribution per work. */
    private List<FanOutPoint> perfect() {
        List<FanOutPart> rest = new ArrayList<>();
        double[] qualities = new double[queries.size()];
        double asked = 0;
        double all = 0;
        for (int i = 0; i < queries.size(); i++) {
            List<FanOutPart> parts = new ArrayList<>();
            Map<String, ComponentContribution> query = queries.get(i);
            for (Map.Entry<String, ComponentContribution> component : query.entrySet()) {
                String name = component.getKey();
                double share = component.getValue().contribution();
                parts.add(new FanOutPart(i, share, work(query, name), share / work(name)));
            }
            parts.sort(Comparator.comparingDouble(FanOutPart::worth).reversed());
            qualities[i] = parts.get(0).contribution();
            asked += parts.get(0).work();
            all += work(query);
            rest.addAll(parts.subList(1, parts.size()));
        }
        rest.sort(Comparator.comparingDouble(FanOutPart::worth).reversed());
        List<FanOutPoint> points = new ArrayList<>();
        points.add(point(asked / all, qualities, List.of()));
        int next = (int) Math.floor(STEPS * asked / all) + 1;
        for (FanOutPart part : rest) {
            if (asked + part.work() > all * next / STEPS) {
                points.add(point(asked / all, qualities, List.of()));
                next = (int) Math.floor(STEPS * (asked + part.work()) / all) + 1;
            }
            qualities[part.query()] += part.contribution();
            asked += part.work();
        }
        points.add(point(1, qualities, List.of()));
        points.sort(Comparator.comparingDouble(FanOutPoint::effort).reversed());
        return points;
    }

    private static FanOutPoint point(double effort, double[] qualities, List<String> leftOut) {
        int n = qualities.length;
        double mean = Math.min(1, Arrays.stream(qualities).average().orElseThrow());
        double squares =
                Arrays.stream(qualities).map(q -> (q - mean) * (q - mean)).sum();
        double half = NORMAL_95 * Math.sqrt(squares / Math.max(1, n - 1) / n);
        double belowHalf =
                (double) IntStream.range(0, n).filter(i -> qualities[i] < 0.5).count() / n;
        return new FanOutPoint(
                Math.min(1, effort),
                new Estimate(Math.max(0, mean - half), mean, Math.min(1, mean + half)),
                belowHalf,
                leftOut);
    }
}
