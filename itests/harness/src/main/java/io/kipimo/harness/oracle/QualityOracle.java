package io.kipimo.harness.oracle;

import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;

/** Computes the measurement of one query from all events that arrived in time. */
final class QualityOracle {
    private final Policy policy;

    QualityOracle(Policy policy) {
        this.policy = policy;
    }

    /**
     * The expected row of a query. The given events, without duplicates, came within the window.
     *
     * @param replays replayed answers
     * @param unseen results that the components returned but the log lacks; they affect only the truth
     */
    ExpectedRow row(
            QueryIdentity query,
            Optional<Answer> answer,
            List<Answer> replays,
            List<PartialResult> partials,
            List<PartialResult> unseen) {
        return answer.map(a -> answered(a, replays, partials, unseen)).orElseGet(() -> exact(orphan(query, partials)));
    }

    private ExpectedRow answered(
            Answer answer, List<Answer> replays, List<PartialResult> partials, List<PartialResult> unseen) {
        boolean isReplayed = policy.merge().kind() == MergeKind.REPLAYED_ANSWERS;
        Optional<Answer> mature =
                replays.stream().filter(QualityOracle::isMature).findFirst();
        Optional<Unmeasurable> why = answer.whyUnmeasurable();
        boolean isMeasuredByReplay = isReplayed
                && mature.isPresent()
                && answer.unmeasurable().isEmpty()
                && answer.invocations().isEmpty();
        if (why.isPresent() && !isMeasuredByReplay) {
            return exact(notMeasurable(answer, why.get()));
        }
        if (why.isEmpty() && !answer.isDegraded()) {
            return exact(clean(answer));
        }
        if (isReplayed) {
            return exact(mature.map(m -> replayed(answer, m)).orElseGet(() -> unreplayed(answer)));
        }
        Measurement row = degraded(answer, partials);
        return row.completeness() == Completeness.EXPIRED ? expired(row, answer, partials, unseen) : exact(row);
    }

    private static ExpectedRow exact(Measurement row) {
        return new ExpectedRow(row, false, OptionalDouble.empty(), false);
    }

    /** Returns whether a replay is a mature answer. It is none if it failed, was cut or did not ask all components. */
    static boolean isMature(Answer replay) {
        return !replay.isDegraded()
                && !replay.isTrimmed()
                && replay.unmeasurable().isEmpty();
    }

    private Measurement clean(Answer answer) {
        return measurement(
                answer,
                answer.answeredAtMillis(),
                Completeness.COMPLETE,
                lessDeliberate(answer, scores(1, 1)),
                alike(answer, 0, false),
                answer.notAskedLoss(),
                answer.truncated());
    }

    private Measurement notMeasurable(Answer answer, Unmeasurable reason) {
        return Measurement.builder()
                .service(answer.service())
                .queryId(answer.queryId())
                .queryClass(answer.queryClass())
                .startedAtMillis(answer.startedAtMillis())
                .measuredAtMillis(answer.answeredAtMillis())
                .completeness(Completeness.NOT_MEASURABLE)
                .degraded(answer.isDegraded())
                .topK(topK(answer))
                .components(alike(answer, 0, false))
                .truncated(answer.truncated())
                .unmeasurable(Optional.of(reason))
                .notAskedLoss(answer.isTrimmed() ? answer.notAskedLoss() : Optional.empty())
                .variant(answer.variant())
                .build();
    }

    private Measurement replayed(Answer answer, Answer mature) {
        int k = topK(answer);
        List<String> online = PlainRanking.topK(answer.items(), k);
        List<String> wanted = PlainRanking.topK(mature.items(), k);
        List<Score> scores = new ArrayList<>();
        for (String metric : policy.metrics()) {
            double quality = PlainRanking.similarity(metric, online, wanted);
            scores.add(new Score(metric, quality, quality));
        }
        // The replay asked everything, so it shows the whole loss.
        double lost = 1 - scores.get(0).high();
        double deliberate =
                answer.isTrimmed() ? Math.min(lost, answer.notAskedLoss().orElse(lost)) : 0;
        return measurement(
                answer,
                Math.max(answer.answeredAtMillis(), mature.answeredAtMillis()),
                Completeness.COMPLETE,
                scores,
                alike(answer, lost - deliberate, false),
                Optional.of(deliberate),
                answer.truncated() || mature.truncated());
    }

    /** Row of a query whose replay never arrived: its quality is 0..1. */
    private Measurement unreplayed(Answer answer) {
        return measurement(
                answer,
                answer.startedAtMillis() + policy.expirationWindowMillis(),
                Completeness.EXPIRED,
                scores(0, answer.isTrimmed() ? 1 - answer.notAskedLoss().orElse(0.0) : 1),
                alike(answer, 0, true),
                answer.notAskedLoss(),
                answer.truncated());
    }

    private List<Score> scores(double low, double high) {
        return policy.metrics().stream()
                .map(metric -> new Score(metric, low, high))
                .toList();
    }

    /**
     * Scales scores to the part of the full answer that the asked components give. If the loss by components that were
     * not asked is not stated, that part may be nothing or all.
     */
    private static List<Score> lessDeliberate(Answer answer, List<Score> scores) {
        if (!answer.isTrimmed()) {
            return scores;
        }
        double rest = 1 - answer.notAskedLoss().orElse(0.0);
        return scores.stream()
                .map(s -> new Score(s.metric(), answer.notAskedLoss().isEmpty() ? 0 : rest * s.low(), rest * s.high()))
                .toList();
    }

    /** Divides a loss equally among all components that were asked and not in time. */
    private static List<ComponentShare> alike(Answer answer, double lost, boolean missing) {
        long late = answer.invocations().stream()
                .filter(i -> i.outcome() != Outcome.IN_TIME)
                .filter(i -> i.outcome() != Outcome.NOT_ASKED)
                .count();
        return answer.invocations().stream()
                .map(i -> i.outcome() == Outcome.IN_TIME || i.outcome() == Outcome.NOT_ASKED
                        ? share(i, Optional.empty(), false, 0, 0)
                        : share(i, Optional.empty(), missing, lost / late, 0))
                .toList();
    }

    private Measurement degraded(Answer answer, List<PartialResult> partials) {
        List<PartialResult> online = new ArrayList<>();
        List<PartialResult> late = new ArrayList<>();
        Map<String, PartialResult> finals = new HashMap<>();
        boolean isComplete = true;
        boolean isWaiting = false;
        boolean unseenInTime = false;
        long last = answer.answeredAtMillis();
        for (Invocation invocation : answer.invocations()) {
            Optional<PartialResult> result = finalResult(invocation, partials);
            if (result.isPresent()) {
                (invocation.outcome() == Outcome.IN_TIME ? online : late).add(result.get());
                finals.put(invocation.component(), result.get());
                last = Math.max(last, result.get().completedAtMillis());
            } else if (invocation.outcome() != Outcome.NOT_ASKED) {
                isComplete = false;
                isWaiting |= invocation.outcome() != Outcome.FAILED;
                unseenInTime |= invocation.outcome() == Outcome.IN_TIME;
            }
        }
        int k = topK(answer);
        List<PartialResult> all = new ArrayList<>(online);
        all.addAll(late);
        List<String> mature = PlainRanking.topK(all, k);
        // The answer contained a result whose event never reached the log, so it may have been
        // perfect.
        Map<String, Double> lost = unseenInTime ? Map.of() : lostQuality(online, late, mature, k);
        double rest = answer.isTrimmed() ? 1 - answer.notAskedLoss().orElse(0.0) : 1;
        List<ComponentShare> components = new ArrayList<>();
        for (Invocation invocation : answer.invocations()) {
            String component = invocation.component();
            Optional<PartialResult> result = Optional.ofNullable(finals.get(component));
            components.add(share(
                    invocation,
                    result,
                    result.isEmpty() && invocation.outcome() != Outcome.NOT_ASKED,
                    rest * lost.getOrDefault(component, 0.0),
                    result.map(r -> contribution(r, mature)).orElse(0.0)));
        }
        List<Score> scores = new ArrayList<>();
        for (String metric : policy.metrics()) {
            double high = unseenInTime ? 1 : PlainRanking.similarity(metric, PlainRanking.topK(online, k), mature);
            scores.add(new Score(metric, isComplete ? high : 0, high));
        }
        return measurement(
                answer,
                isWaiting ? answer.startedAtMillis() + policy.expirationWindowMillis() : last,
                isComplete ? Completeness.COMPLETE : Completeness.EXPIRED,
                lessDeliberate(answer, scores),
                components,
                answer.notAskedLoss(),
                answer.truncated() || all.stream().anyMatch(QualityOracle::isCut));
    }

    /**
     * The result that counts for a component: the first one of the wanted phase; none if the component failed or was
     * not asked.
     */
    private static Optional<PartialResult> finalResult(Invocation invocation, List<PartialResult> partials) {
        if (invocation.outcome() == Outcome.FAILED || invocation.outcome() == Outcome.NOT_ASKED) {
            return Optional.empty();
        }
        Phase wanted = invocation.outcome() == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE;
        return partials.stream()
                .filter(p -> p.component().equals(invocation.component()))
                .filter(p -> p.phase() == wanted)
                .findFirst();
    }

    /** An EXPIRED row with the truth, computed from all results. The truth is unknown if a component failed. */
    private ExpectedRow expired(
            Measurement row, Answer answer, List<PartialResult> partials, List<PartialResult> unseen) {
        List<PartialResult> online = new ArrayList<>();
        List<PartialResult> came = new ArrayList<>();
        List<PartialResult> lost = new ArrayList<>();
        for (Invocation invocation : answer.invocations()) {
            if (invocation.outcome() == Outcome.NOT_ASKED) {
                continue;
            }
            Optional<PartialResult> seen = finalResult(invocation, partials);
            Optional<PartialResult> result = seen.or(() -> finalResult(invocation, unseen));
            if (result.isEmpty()) {
                return new ExpectedRow(row, true, OptionalDouble.empty(), false);
            }
            (seen.isPresent() ? came : lost).add(result.get());
            if (invocation.outcome() == Outcome.IN_TIME) {
                online.add(result.get());
            }
        }
        if (answer.isTrimmed() && answer.notAskedLoss().isEmpty()) {
            return new ExpectedRow(row, true, OptionalDouble.empty(), false);
        }
        double rest = answer.isTrimmed() ? 1 - answer.notAskedLoss().get() : 1;
        int k = topK(answer);
        List<PartialResult> all = new ArrayList<>(came);
        all.addAll(lost);
        List<String> held = PlainRanking.topK(online, k);
        Map<String, Float> bestThatCame = PlainRanking.bestScores(came);
        boolean isRaised = PlainRanking.bestScores(lost).entrySet().stream()
                .filter(item -> held.contains(item.getKey()))
                .anyMatch(item -> item.getValue() > bestThatCame.getOrDefault(item.getKey(), Float.MAX_VALUE));
        return new ExpectedRow(
                row, true, OptionalDouble.of(rest * primary(online, PlainRanking.topK(all, k), k)), isRaised);
    }

    private Measurement orphan(QueryIdentity query, List<PartialResult> partials) {
        LongStream known =
                partials.stream().mapToLong(PartialResult::startedAtMillis).filter(at -> at > 0);
        LongStream claimed = partials.stream().mapToLong(PartialResult::invokedAtMillis);
        OptionalLong knownStart = known.min();
        long start =
                knownStart.isPresent() ? knownStart.getAsLong() : claimed.min().orElseThrow();
        return Measurement.builder()
                .service(query.service())
                .queryId(query.queryId())
                .startedAtMillis(start)
                .measuredAtMillis(start + policy.expirationWindowMillis())
                .completeness(Completeness.ORPHAN)
                .truncated(partials.stream().anyMatch(QualityOracle::isCut))
                .build();
    }

    private Measurement measurement(
            Answer answer,
            long measuredAtMillis,
            Completeness completeness,
            List<Score> scores,
            List<ComponentShare> components,
            Optional<Double> notAskedLoss,
            boolean truncated) {
        return Measurement.builder()
                .service(answer.service())
                .queryId(answer.queryId())
                .queryClass(answer.queryClass())
                .startedAtMillis(answer.startedAtMillis())
                .measuredAtMillis(measuredAtMillis)
                .completeness(completeness)
                // Without components, the replay measured a quality that was not known to be 1.
                .degraded(answer.isDegraded() || answer.invocations().isEmpty())
                .topK(topK(answer))
                .scores(scores)
                .components(components)
                .truncated(truncated)
                .notAskedLoss(answer.isTrimmed() ? notAskedLoss : Optional.empty())
                .variant(answer.variant())
                .build();
    }

    private int topK(Answer answer) {
        return answer.topK() == 0 ? policy.topK() : answer.topK();
    }

    private static ComponentShare share(
            Invocation invocation,
            Optional<PartialResult> result,
            boolean missing,
            double lostQuality,
            double contribution) {
        return new ComponentShare(
                invocation.component(),
                invocation.outcome(),
                result.map(PartialResult::latencyMicros).orElse(invocation.latencyMicros()),
                missing,
                lostQuality,
                contribution);
    }

    private static boolean isCut(PartialResult partial) {
        return partial.truncated() || partial.items().size() > 10_000;
    }

    private static double contribution(PartialResult result, List<String> mature) {
        if (mature.isEmpty()) {
            return 0;
        }
        Set<String> returned = new HashSet<>(PlainRanking.ids(result.items()));
        return (double) mature.stream().filter(returned::contains).count() / mature.size();
    }

    /**
     * Quality lost by each component, as Shapley values by definition: its mean gain over all orders in which late
     * results can join.
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
        return PlainRanking.similarity(policy.metrics().get(0), PlainRanking.topK(results, k), mature);
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
