package io.kipimo.core.quality.join;

import io.kipimo.core.quality.merge.Coalitions;
import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.merge.Shapley;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentResult;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Computes the measurement of a query from its state. */
final class Measuring {
    private Measuring() {}

    /** Measures a query whose asked components were all in time. The only loss is by components that were not asked. */
    static Measurement clean(QueryKey key, OpenQuery query, QualitySettings settings) {
        return measurement(
                key,
                query,
                settings,
                Completeness.COMPLETE,
                query.answeredAtMillis,
                query.isTrimmed()
                        ? lessDeliberate(settings.perfectScores(), query.notAskedLoss)
                        : settings.perfectScores(),
                alike(query, 0, false),
                query.truncated);
    }

    /** Gives a measurement without scores, because the quality cannot be known. */
    static Measurement unmeasurable(QueryKey key, OpenQuery query, QualitySettings settings) {
        return answered(
                key,
                query,
                settings,
                Completeness.NOT_MEASURABLE,
                query.answeredAtMillis,
                query.isDegraded(),
                List.of(),
                alike(query, 0, false),
                query.truncated,
                Optional.of(query.whyUnmeasurable()));
    }

    /** Merges online and mature answer from the partial results and compares them. */
    static Measurement merged(
            QueryKey key, OpenQuery query, QualitySettings settings, Completeness completeness, long measuredAtMillis) {
        Parts parts = Parts.of(query);
        int k = topK(query, settings);
        int players = Math.min(parts.late().size(), Shapley.MAXIMUM_PLAYERS);
        Coalitions answers = settings.merge().coalitions(parts.online(), parts.latePlayers(players), k);
        Ranking online = answers.with(0);
        Ranking mature = players == 0 ? online : answers.with((1L << players) - 1);
        List<Score> scores = scores(online, mature, settings, completeness);
        BitSet[] ranks = parts.ranksIn(mature);
        double[] lost = new double[query.invoked()];
        if (players > 0 && !isInTimeResultUnseen(query)) {
            double quality = scores.get(0).high();
            lost = lostByItems(query, settings, answers, parts, online, mature, ranks, quality)
                    .orElseGet(() -> lostByCoalitions(key, settings, answers, parts, mature, quality));
        }
        if (query.isTrimmed()) {
            scores = lessDeliberate(scores, query.notAskedLoss);
            double asked = 1 - query.notAskedLoss.orElse(0.0);
            for (int i = 0; i < lost.length; i++) {
                lost[i] *= asked;
            }
        }
        return measurement(
                key,
                query,
                settings,
                completeness,
                measuredAtMillis,
                scores,
                shares(query, lost, ranks, mature, k),
                query.isAnyTruncated());
    }

    /**
     * Compares the answer with the replayed one. The loss cannot be attributed, so the late components share it
     * equally. The replay asked every component, so it shows the whole loss. The deliberate part of a trimmed answer's
     * loss is the stated one, at most the whole loss. If the front end stated none, the whole loss is deliberate.
     */
    static Measurement replayed(QueryKey key, OpenQuery query, QualitySettings settings, long measuredAtMillis) {
        ItemDictionary dictionary = ItemDictionary.of(List.of(query.answerItems, query.replayedItems));
        int k = topK(query, settings);
        Ranking online = ranking(dictionary.toNumbers(query.answerItems), k);
        Ranking mature = ranking(dictionary.toNumbers(query.replayedItems), k);
        List<Score> scores = scores(online, mature, settings, Completeness.COMPLETE);
        double loss = 1 - scores.get(0).high();
        if (query.isTrimmed()) {
            query.notAskedLoss = Optional.of(Math.min(loss, query.notAskedLoss.orElse(loss)));
            loss -= query.notAskedLoss.get();
        }
        return measurement(
                key,
                query,
                settings,
                Completeness.COMPLETE,
                measuredAtMillis,
                scores,
                alike(query, loss, false),
                query.truncated || query.replayTruncated);
    }

    /** Measures a query whose replay never arrived, so the quality is only known to be within 0..1. */
    static Measurement neverReplayed(QueryKey key, OpenQuery query, QualitySettings settings, long measuredAtMillis) {
        List<Score> scores = new ArrayList<>(settings.similarities().size());
        for (Similarity similarity : settings.similarities()) {
            scores.add(new Score(similarity.name(), 0, query.isTrimmed() ? 1 - query.notAskedLoss.orElse(0.0) : 1));
        }
        return measurement(
                key,
                query,
                settings,
                Completeness.EXPIRED,
                measuredAtMillis,
                scores,
                alike(query, 0, true),
                query.truncated);
    }

    static Measurement orphan(QueryKey key, OpenQuery query, long expiryMillis) {
        return Measurement.builder()
                .service(key.service())
                .queryId(key.queryId())
                .startedAtMillis(query.startedAtMillis())
                .measuredAtMillis(expiryMillis)
                .completeness(Completeness.ORPHAN)
                .truncated(Arrays.stream(query.results).anyMatch(r -> r != null && r.isTruncated()))
                .build();
    }

    private static Measurement measurement(
            QueryKey key,
            OpenQuery query,
            QualitySettings settings,
            Completeness completeness,
            long measuredAtMillis,
            List<Score> scores,
            List<ComponentShare> shares,
            boolean truncated) {
        return answered(
                key,
                query,
                settings,
                completeness,
                measuredAtMillis,
                // Without components, the quality was measured by a replay; it is not 1 by construction.
                query.isDegraded() || query.invoked() == 0,
                scores,
                shares,
                truncated,
                Optional.empty());
    }

    /** Adds the fields that come unchanged from the answer. A builder for each measurement would be garbage. */
    private static Measurement answered(
            QueryKey key,
            OpenQuery query,
            QualitySettings settings,
            Completeness completeness,
            long measuredAtMillis,
            boolean degraded,
            List<Score> scores,
            List<ComponentShare> shares,
            boolean truncated,
            Optional<Unmeasurable> unmeasurable) {
        return new Measurement(
                key.service(),
                key.queryId(),
                query.queryClass,
                query.startedAtMillis,
                measuredAtMillis,
                completeness,
                degraded,
                topK(query, settings),
                scores,
                shares,
                truncated,
                unmeasurable,
                query.isTrimmed() ? query.notAskedLoss : Optional.empty(),
                query.variant,
                query.explored,
                0);
    }

    /**
     * Turns scores against the asked components into scores against the full answer. If nobody stated how much the
     * other components would have added, the low end is 0.
     */
    private static List<Score> lessDeliberate(List<Score> scores, Optional<Double> loss) {
        double asked = 1 - loss.orElse(0.0);
        List<Score> less = new ArrayList<>(scores.size());
        for (Score score : scores) {
            less.add(new Score(score.metric(), loss.isEmpty() ? 0 : score.low() * asked, score.high() * asked));
        }
        return less;
    }

    /** Size of the answer. */
    static int topK(OpenQuery query, QualitySettings settings) {
        return query.topK > 0 ? query.topK : settings.topK();
    }

    private static List<Score> scores(
            Ranking online, Ranking mature, QualitySettings settings, Completeness completeness) {
        List<Score> scores = new ArrayList<>(settings.similarities().size());
        for (Similarity similarity : settings.similarities()) {
            double quality = similarity.of(online, mature);
            scores.add(new Score(similarity.name(), completeness == Completeness.EXPIRED ? 0 : quality, quality));
        }
        return scores;
    }

    /**
     * Whether a result that was in the answer never reached the log. Then the answer may have been perfect, so no loss
     * is attributed.
     */
    private static boolean isInTimeResultUnseen(OpenQuery query) {
        for (int place = 0; place < query.invoked(); place++) {
            if (query.outcomes[place] == Outcome.IN_TIME && query.finalResult(place) == null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Quality lost by the component at each place; empty if the quality is not a sum over items.
     *
     * @param ranks as in {@link Parts#ranksIn}
     * @param quality quality of the answer without late parts
     */
    private static Optional<double[]> lostByItems(
            OpenQuery query,
            QualitySettings settings,
            Coalitions answers,
            Parts parts,
            Ranking online,
            Ranking mature,
            BitSet[] ranks,
            double quality) {
        if (mature.isEmpty()) {
            return Optional.of(new double[ranks.length]);
        }
        Optional<double[]> worths = settings.similarities().get(0).itemShares(online, mature);
        // The share of a single late part is the whole loss, whatever other coalitions would have.
        if (worths.isEmpty()
                || (parts.late().size() > 1 && !answers.keepBest(worths.get().length, parts.parts(), ranks))) {
            return Optional.empty();
        }
        BitSet inTime = new BitSet(mature.size());
        List<BitSet> late = new ArrayList<>(ranks.length);
        for (int place = 0; place < ranks.length; place++) {
            if (query.outcomes[place] == Outcome.IN_TIME) {
                inTime.or(ranks[place]);
                late.add(Parts.NO_RANKS);
            } else {
                late.add(ranks[place]);
            }
        }
        // A user's function may be no such sum after all.
        double[] lost = Shapley.ofItems(worths.get(), inTime, late);
        double sum = 0;
        for (double one : lost) {
            sum += one;
        }
        return Math.abs(sum - (1 - quality)) < 1e-9 ? Optional.of(lost) : Optional.empty();
    }

    /**
     * Quality lost by the component at each place, computed from the answers of coalitions of late parts.
     *
     * @param answers with the late parts as players, as in {@link Parts#latePlayers}
     * @param quality quality of the answer without late parts
     */
    private static double[] lostByCoalitions(
            QueryKey key, QualitySettings settings, Coalitions answers, Parts parts, Ranking mature, double quality) {
        Similarity primary = settings.similarities().get(0);
        int size = parts.late().size();
        int players = Math.min(size, Shapley.MAXIMUM_PLAYERS);
        double[] byPlayer = Shapley.attribute(
                players,
                quality,
                primary.of(mature, mature),
                coalition -> primary.of(answers.with(coalition), mature),
                // Seeded by the query, so that a replay of the log gives the same
                // attribution.
                () -> new SplittableRandom(ConsistentSampling.randomness(key)));
        double[] lost = new double[parts.places()];
        for (int place = 0; place < lost.length; place++) {
            int late = parts.lateIndex(place);
            if (late >= 0) {
                int bundle = (size - 1 - late % players) / players + 1;
                lost[place] = byPlayer[late % players] / bundle;
            }
        }
        return lost;
    }

    private static List<ComponentShare> shares(OpenQuery query, double[] lost, BitSet[] ranks, Ranking mature, int k) {
        List<ComponentShare> shares = new ArrayList<>(query.invoked());
        for (int place = 0; place < query.invoked(); place++) {
            ComponentResult mine = query.finalResult(place);
            shares.add(new ComponentShare(
                    query.component(place),
                    query.outcomes[place],
                    mine == null ? query.invocationLatenciesMicros[place] : mine.latencyMicros(),
                    mine == null && query.outcomes[place] != Outcome.NOT_ASKED,
                    Math.max(-1, Math.min(1, lost[place])),
                    mature.shareOf(ranks[place], k)));
        }
        return shares;
    }

    private static List<ComponentShare> alike(OpenQuery query, double lost, boolean missing) {
        int late = 0;
        for (Outcome outcome : query.outcomes) {
            late += outcome.isLate() ? 1 : 0;
        }
        List<ComponentShare> shares = new ArrayList<>(query.invoked());
        for (int place = 0; place < query.invoked(); place++) {
            boolean isLate = query.outcomes[place].isLate();
            shares.add(new ComponentShare(
                    query.component(place),
                    query.outcomes[place],
                    query.invocationLatenciesMicros[place],
                    missing && isLate,
                    isLate ? lost / late : 0,
                    0));
        }
        return shares;
    }

    /** Ranks the items of a whole answer and cuts the ranking to k. */
    static Ranking ranking(Items items, int k) {
        return Merges.of(MergePolicy.TOP_K).merge(List.of(new Part("", items)), k);
    }
}
