package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Merges a query again for every deadline that changes its answer. n results give n + 1 different answers: answer j has
 * the first j results to arrive. Each component adds one more answer: the user's answer plus the component's result if
 * that was late, or without the result if it was in time.
 */
public final class Profiling {
    private static final long MICROS_PER_MILLI = 1000;

    private Profiling() {}

    /**
     * The profile of a query.
     *
     * @throws IllegalArgumentException if the deadline is not positive, or the policy's merge is
     *     {@code REPLAYED_ANSWERS}
     */
    public static QueryProfile profile(ProfileSubject subject, QualitySettings settings) {
        if (subject.deadlineMillis() < 1) {
            throw new IllegalArgumentException("deadline is " + subject.deadlineMillis() + " ms; allowed: at least 1");
        }
        List<ResultArrival> arrivals = arrivals(subject);
        int topK = subject.topK() > 0 ? subject.topK() : settings.topK();
        List<Part> parts = parts(arrivals);
        SubsetAnswers answers = SubsetAnswers.of(parts, settings.mergePolicy(), topK);
        Similarity similarity = settings.similarities().get(0);
        Ranking mature = answers.ofFirst(arrivals.size());
        boolean hasFeatures = !subject.features().isEmpty();

        long[] completed = new long[arrivals.size()];
        double[] qualities = new double[arrivals.size() + 1];
        qualities[0] = similarity.of(answers.ofFirst(0), mature);
        int online = 0;
        for (int i = 0; i < completed.length; i++) {
            completed[i] = arrivals.get(i).completedMicros;
            qualities[i + 1] = similarity.of(answers.ofFirst(i + 1), mature);
            online += arrivals.get(i).isLate() ? 0 : 1;
        }

        double quality = qualities[online];
        List<ComponentProfile> components = new ArrayList<>(subject.results().size());
        for (int i = 0; i < completed.length; i++) {
            ResultArrival arrival = arrivals.get(i);
            double with = arrival.isLate() ? similarity.of(answers.ofFirstAnd(online, i), mature) : quality;
            double without = arrival.isLate() ? quality : similarity.of(answers.ofFirstWithout(online, i), mature);
            // Clean queries are measured without their results, so their contributions are unknown.
            double contribution = hasFeatures
                    ? mature.shareOf(mature.ranksOf(parts.get(i).items()), topK)
                    : arrival.result.contribution();
            components.add(component(arrival.result, arrival.completedMicros, contribution, with, without));
        }
        boolean degraded = online < subject.results().size();
        for (ProfiledResult result : subject.results()) {
            if (result.isMissing()) {
                components.add(component(result, 0, result.contribution(), quality, quality));
            }
        }
        return QueryProfileBuilder.builder()
                .service(subject.service())
                .queryClass(subject.queryClass())
                .metric(similarity.name())
                .startedAtMillis(subject.startedAtMillis())
                .profiledAtMillis(subject.profiledAtMillis())
                .deadlineMillis(subject.deadlineMillis())
                .degraded(degraded)
                .completedMicros(completed)
                .qualities(qualities)
                .components(List.copyOf(components))
                .features(subject.features().hashes())
                .explorationRandomness(subject.explorationRandomness())
                .build();
    }

    private static ComponentProfile component(
            ProfiledResult result, long completedMicros, double contribution, double with, double without) {
        return ComponentProfileBuilder.builder()
                .component(result.component())
                .late(result.outcome() != Outcome.IN_TIME)
                .missing(result.isMissing())
                .completedMicros(completedMicros)
                .latencyMicros(result.isMissing() ? 0 : result.latencyMicros())
                .lostQuality(result.lostQuality())
                .contribution(contribution)
                .qualityWith(with)
                .qualityWithout(without)
                .build();
    }

    /** A result that arrived, at a time that is consistent with its outcome. */
    private record ResultArrival(ProfiledResult result, long completedMicros) {
        boolean isLate() {
            return result.outcome() != Outcome.IN_TIME;
        }
    }

    private static List<ResultArrival> arrivals(ProfileSubject subject) {
        long deadlineMicros = subject.deadlineMillis() * MICROS_PER_MILLI;
        List<ResultArrival> arrivals = new ArrayList<>(subject.results().size());
        for (ProfiledResult result : subject.results()) {
            if (!result.isMissing()) {
                arrivals.add(new ResultArrival(
                        result,
                        result.outcome() == Outcome.IN_TIME
                                ? Math.min(result.completedMicros(), deadlineMicros)
                                : Math.max(result.completedMicros(), deadlineMicros + 1)));
            }
        }
        arrivals.sort(
                Comparator.comparingLong(ResultArrival::completedMicros).thenComparing(a -> a.result.component()));
        return arrivals;
    }

    private static List<Part> parts(List<ResultArrival> arrivals) {
        List<Items> all = new ArrayList<>(arrivals.size());
        for (ResultArrival arrival : arrivals) {
            all.add(arrival.result.items());
        }
        ItemDictionary dictionary = ItemDictionary.of(all);
        List<Part> parts = new ArrayList<>(arrivals.size());
        for (ResultArrival arrival : arrivals) {
            parts.add(new Part(arrival.result.component(), dictionary.toNumbers(arrival.result.items())));
        }
        return parts;
    }
}
