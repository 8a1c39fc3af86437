package io.kipimo.harness.oracle;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The measurement of one query, from everything that came in time. */
final class QualityOracle {
    private final Policy policy;

    QualityOracle(Policy policy) {
        this.policy = policy;
    }

    /**
     * The row of a query of which {@code partials}, without duplicates, and perhaps an answer came
     * within the window.
     */
    ExpectedRow row(QueryKey query, Optional<Answer> answer, List<PartialResult> partials) {
        return answer.map(a -> a.isDegraded() ? degraded(a, partials) : clean(a))
                .orElseGet(() -> orphan(query, partials));
    }

    private ExpectedRow clean(Answer answer) {
        List<ComponentShare> components =
                answer.invocations().stream().map(i -> share(i, false, 0, 0)).toList();
        List<Score> scores =
                policy.metrics().stream().map(metric -> new Score(metric, 1, 1)).toList();
        return new ExpectedRow(
                measurement(
                        answer,
                        answer.answeredAtMillis(),
                        Completeness.COMPLETE,
                        scores,
                        components,
                        false));
    }

    private ExpectedRow degraded(Answer answer, List<PartialResult> partials) {
        List<PartialResult> online = new ArrayList<>();
        List<PartialResult> late = new ArrayList<>();
        Set<String> missing = new HashSet<>();
        boolean isWaiting = false;
        boolean unseenInTime = false;
        long last = answer.answeredAtMillis();
        for (Invocation invocation : answer.invocations()) {
            Phase wanted = invocation.outcome() == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE;
            Optional<PartialResult> result =
                    partials.stream()
                            .filter(p -> p.component().equals(invocation.component()))
                            .filter(p -> p.phase() == wanted)
                            .findFirst();
            if (result.isPresent()) {
                (wanted == Phase.ONLINE ? online : late).add(result.get());
                last = Math.max(last, result.get().completedAtMillis());
            } else {
                missing.add(invocation.component());
                isWaiting |= invocation.outcome() != Outcome.FAILED;
                unseenInTime |= invocation.outcome() == Outcome.IN_TIME;
            }
        }
        int k = topK(answer);
        List<PartialResult> all = new ArrayList<>(online);
        all.addAll(late);
        List<String> mature = PlainRanking.topK(all, k);
        // The answer held what was in time and never came to the log: it may have been perfect.
        Map<String, Double> lost = unseenInTime ? Map.of() : lostQuality(online, late, mature, k);
        List<ComponentShare> components = new ArrayList<>();
        for (Invocation invocation : answer.invocations()) {
            String component = invocation.component();
            components.add(
                    share(
                            invocation,
                            missing.contains(component),
                            lost.getOrDefault(component, 0.0),
                            contribution(component, all, mature)));
        }
        List<Score> scores = new ArrayList<>();
        for (String metric : policy.metrics()) {
            double high =
                    unseenInTime
                            ? 1
                            : PlainRanking.similarity(metric, PlainRanking.topK(online, k), mature);
            scores.add(new Score(metric, missing.isEmpty() ? high : 0, high));
        }
        return new ExpectedRow(
                measurement(
                        answer,
                        isWaiting
                                ? answer.startedAtMillis() + policy.expirationWindowMillis()
                                : last,
                        missing.isEmpty() ? Completeness.COMPLETE : Completeness.EXPIRED,
                        scores,
                        components,
                        all.stream().anyMatch(QualityOracle::isCut)));
    }

    private ExpectedRow orphan(QueryKey query, List<PartialResult> partials) {
        long start =
                partials.stream()
                        .mapToLong(partial -> QueryEvent.of(partial).startedAtMillis())
                        .min()
                        .orElseThrow(() -> new IllegalArgumentException(query + " has no events"));
        return new ExpectedRow(
                new Measurement(
                        query.service(),
                        query.queryId(),
                        "",
                        start,
                        start + policy.expirationWindowMillis(),
                        Completeness.ORPHAN,
                        false,
                        policy.topK(),
                        List.of(),
                        List.of(),
                        false));
    }

    private Measurement measurement(
            Answer answer,
            long measuredAtMillis,
            Completeness completeness,
            List<Score> scores,
            List<ComponentShare> components,
            boolean truncated) {
        return new Measurement(
                answer.service(),
                answer.queryId(),
                answer.queryClass(),
                answer.startedAtMillis(),
                measuredAtMillis,
                completeness,
                answer.isDegraded(),
                topK(answer),
                scores,
                components,
                truncated);
    }

    private int topK(Answer answer) {
        return answer.topK() == 0 ? policy.topK() : answer.topK();
    }

    private static ComponentShare share(
            Invocation invocation, boolean missing, double lostQuality, double contribution) {
        return new ComponentShare(
                invocation.component(),
                invocation.outcome(),
                invocation.latencyMicros(),
                missing,
                lostQuality,
                contribution);
    }

    private static boolean isCut(PartialResult partial) {
        return partial.truncated() || partial.items().size() > 10_000;
    }

    private static double contribution(
            String component, List<PartialResult> all, List<String> mature) {
        if (mature.isEmpty()) {
            return 0;
        }
        Set<String> returned = new HashSet<>();
        for (PartialResult partial : all) {
            if (partial.component().equals(component)) {
                returned.addAll(PlainRanking.ids(partial.items()));
            }
        }
        return (double) mature.stream().filter(returned::contains).count() / mature.size();
    }

    /**
     * Shapley values by their definition: mean gains over all orders in which late results join.
     */
    private Map<String, Double> lostQuality(
            List<PartialResult> online, List<PartialResult> late, List<String> mature, int k) {
        Map<String, Double> lost = new HashMap<>();
        List<List<PartialResult>> orders = orders(late);
        for (List<PartialResult> order : orders) {
            List<PartialResult> joined = new ArrayList<>(online);
            double before = primary(joined, mature, k);
            for (PartialResult next : order) {
                joined.add(next);
                double after = primary(joined, mature, k);
                lost.merge(next.component(), (after - before) / orders.size(), Double::sum);
                before = after;
            }
        }
        return lost;
    }

    private double primary(List<PartialResult> results, List<String> mature, int k) {
        return PlainRanking.similarity(
                policy.metrics().get(0), PlainRanking.topK(results, k), mature);
    }

    private static List<List<PartialResult>> orders(List<PartialResult> late) {
        if (late.isEmpty()) {
            return List.of(List.of());
        }
        List<List<PartialResult>> orders = new ArrayList<>();
        for (PartialResult first : late) {
            List<PartialResult> others = new ArrayList<>(late);
            others.remove(first);
            for (List<PartialResult> rest : orders(others)) {
                List<PartialResult> order = new ArrayList<>(List.of(first));
                order.addAll(rest);
                orders.add(Collections.unmodifiableList(order));
            }
        }
        return orders;
    }
}
