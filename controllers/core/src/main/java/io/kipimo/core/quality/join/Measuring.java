package io.kipimo.core.quality.join;

import io.kipimo.core.quality.attribution.Shapley;
import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Turns the state of a query that has ended into its measurement. */
final class Measuring {
    private Measuring() {}

    /** Nothing timed out: quality 1 by construction, measured for free. */
    static Measurement clean(OpenQuery query, QualitySettings settings) {
        Answer answer = query.online;
        List<ComponentShare> shares = new ArrayList<>(answer.invocations().size());
        for (Invocation i : answer.invocations()) {
            shares.add(
                    new ComponentShare(i.component(), i.outcome(), i.latencyMicros(), false, 0, 0));
        }
        return measurement(
                query,
                settings,
                Completeness.COMPLETE,
                answer.answeredAtMillis(),
                perfect(settings),
                shares);
    }

    /** Online answer and mature answer are merged from the partial results. */
    static Measurement merged(
            OpenQuery query,
            QualitySettings settings,
            Completeness completeness,
            long measuredAtMillis) {
        Parts parts = Parts.of(query);
        int k = topK(query, settings);
        Ranking online = settings.merge().merge(parts.online, k);
        Ranking mature = settings.merge().merge(parts.withAllLate(), k);
        List<Score> scores = scores(online, mature, settings, completeness);
        double[] lost = lostQuality(query, settings, parts, k, mature);
        return measurement(
                query,
                settings,
                completeness,
                measuredAtMillis,
                scores,
                shares(query, parts, lost, mature, k));
    }

    /** Both answers came whole; who of the late is to blame cannot be told, so all are, alike. */
    static Measurement replayed(OpenQuery query, QualitySettings settings, long measuredAtMillis) {
        ItemDictionary dictionary =
                ItemDictionary.of(List.of(query.online.items(), query.replayed.items()));
        Ranking online = ranking(dictionary, query.online, settings);
        Ranking mature = ranking(dictionary, query.replayed, settings);
        List<Score> scores = scores(online, mature, settings, Completeness.COMPLETE);
        return measurement(
                query,
                settings,
                Completeness.COMPLETE,
                measuredAtMillis,
                scores,
                alike(query, 1 - scores.get(0).high(), false));
    }

    /** The replay never came: all that is known of the quality is that it lies within 0..1. */
    static Measurement neverReplayed(
            OpenQuery query, QualitySettings settings, long measuredAtMillis) {
        List<Score> scores = new ArrayList<>();
        for (Similarity similarity : settings.similarities()) {
            scores.add(new Score(similarity.name(), 0, 1));
        }
        return measurement(
                query,
                settings,
                Completeness.EXPIRED,
                measuredAtMillis,
                scores,
                alike(query, 0, true));
    }

    static Measurement orphan(OpenQuery query, long expiryMillis) {
        String service;
        String queryId;
        if (query.replayed != null) {
            service = query.replayed.service();
            queryId = query.replayed.queryId();
        } else {
            service = query.partials.get(0).service();
            queryId = query.partials.get(0).queryId();
        }
        return new Measurement(
                service,
                queryId,
                "",
                query.startedAtMillis(),
                expiryMillis,
                Completeness.ORPHAN,
                false,
                0,
                List.of(),
                List.of(),
                isTruncated(query));
    }

    private static Measurement measurement(
            OpenQuery query,
            QualitySettings settings,
            Completeness completeness,
            long measuredAtMillis,
            List<Score> scores,
            List<ComponentShare> shares) {
        Answer answer = query.online;
        return new Measurement(
                answer.service(),
                answer.queryId(),
                answer.queryClass(),
                answer.startedAtMillis(),
                measuredAtMillis,
                completeness,
                answer.isDegraded(),
                topK(query, settings),
                scores,
                shares,
                isTruncated(query));
    }

    private static int topK(OpenQuery query, QualitySettings settings) {
        return query.online.topK() > 0 ? query.online.topK() : settings.topK();
    }

    private static boolean isTruncated(OpenQuery query) {
        return (query.online != null && query.online.truncated())
                || (query.replayed != null && query.replayed.truncated())
                || query.partials.stream().anyMatch(PartialResult::truncated);
    }

    private static List<Score> perfect(QualitySettings settings) {
        List<Score> scores = new ArrayList<>(settings.similarities().size());
        for (Similarity similarity : settings.similarities()) {
            scores.add(new Score(similarity.name(), 1, 1));
        }
        return scores;
    }

    private static List<Score> scores(
            Ranking online, Ranking mature, QualitySettings settings, Completeness completeness) {
        List<Score> scores = new ArrayList<>(settings.similarities().size());
        for (Similarity similarity : settings.similarities()) {
            double quality = similarity.of(online, mature);
            scores.add(
                    new Score(
                            similarity.name(),
                            completeness == Completeness.EXPIRED ? 0 : quality,
                            quality));
        }
        return scores;
    }

    private static double[] lostQuality(
            OpenQuery query, QualitySettings settings, Parts parts, int k, Ranking mature) {
        if (parts.late.isEmpty()) {
            return new double[0];
        }
        Similarity primary = settings.similarities().get(0);
        // Chance is seeded by the query, so that a replay of the log attributes alike.
        SplittableRandom random =
                new SplittableRandom(ConsistentSampling.randomness(query.online.queryId(), false));
        int late = parts.late.size();
        int players = Math.min(late, Shapley.MAXIMUM_PLAYERS);
        double[] byPlayer =
                Shapley.attribute(
                        players,
                        coalition ->
                                primary.of(
                                        settings.merge()
                                                .merge(parts.withLate(coalition, players), k),
                                        mature),
                        random);
        double[] lost = new double[late];
        for (int i = 0; i < late; i++) {
            int bundle = (late - 1 - i % players) / players + 1;
            lost[i] = byPlayer[i % players] / bundle;
        }
        return lost;
    }

    private static List<ComponentShare> shares(
            OpenQuery query, Parts parts, double[] lost, Ranking mature, int k) {
        List<ComponentShare> shares = new ArrayList<>(query.online.invocations().size());
        for (Invocation invocation : query.online.invocations()) {
            String component = invocation.component();
            int late = parts.lateIndex(component);
            PartialResult mine = finalResult(query, invocation);
            shares.add(
                    new ComponentShare(
                            component,
                            invocation.outcome(),
                            mine == null ? invocation.latencyMicros() : mine.latencyMicros(),
                            mine == null,
                            late < 0 ? 0 : Math.max(-1, Math.min(1, lost[late])),
                            contribution(parts, component, mature, k)));
        }
        return shares;
    }

    private static PartialResult finalResult(OpenQuery query, Invocation invocation) {
        Phase phase = QueryJoin.finalPhase(invocation.outcome());
        for (PartialResult partial : query.partials) {
            if (partial.phase() == phase && partial.component().equals(invocation.component())) {
                return partial;
            }
        }
        return null;
    }

    /** Share of the mature top k that the component returned. */
    private static double contribution(Parts parts, String component, Ranking mature, int k) {
        int size = Math.min(k, mature.size());
        if (size == 0) {
            return 0;
        }
        boolean[] found = new boolean[size];
        parts.forEachItem(
                component,
                id -> {
                    int rank = mature.rankOf(id);
                    if (rank >= 0 && rank < size) {
                        found[rank] = true;
                    }
                });
        int count = 0;
        for (boolean f : found) {
            count += f ? 1 : 0;
        }
        return (double) count / size;
    }

    private static List<ComponentShare> alike(OpenQuery query, double lost, boolean missing) {
        long late =
                query.online.invocations().stream()
                        .filter(i -> i.outcome() != Outcome.IN_TIME)
                        .count();
        List<ComponentShare> shares = new ArrayList<>();
        for (Invocation i : query.online.invocations()) {
            boolean isLate = i.outcome() != Outcome.IN_TIME;
            shares.add(
                    new ComponentShare(
                            i.component(),
                            i.outcome(),
                            i.latencyMicros(),
                            missing && isLate,
                            isLate ? lost / late : 0,
                            0));
        }
        return shares;
    }

    private static Ranking ranking(
            ItemDictionary dictionary, Answer answer, QualitySettings settings) {
        Items items = dictionary.toNumbers(answer.items());
        return Merges.of(MergePolicy.TOP_K)
                .merge(
                        List.of(new Part("", items)),
                        answer.topK() > 0 ? answer.topK() : settings.topK());
    }
}
