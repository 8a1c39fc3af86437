package io.kipimo.core.quality.deadline;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A measured query whose results are all there, or will not come any more.
 *
 * @param profiledAtMillis event time at which it was so, epoch milliseconds
 * @param deadlineMillis in force, after the query's start; positive
 * @param topK size of the answer; 0: the service's default
 * @param results one of every invoked component
 */
public record ProfileSubject(
        String service,
        String queryClass,
        long startedAtMillis,
        long profiledAtMillis,
        int deadlineMillis,
        int topK,
        List<ProfiledResult> results) {

    /**
     * A degraded query as it was measured; empty where no deadline is known.
     *
     * @param partials with items, in any order
     */
    public static Optional<ProfileSubject> degraded(
            Answer answer, Collection<PartialResult> partials, Measurement measurement) {
        Map<String, ComponentShare> shares =
                measurement.components().stream()
                        .collect(Collectors.toMap(ComponentShare::component, s -> s, (a, b) -> a));
        return of(answer, partials, shares, measurement.measuredAtMillis());
    }

    /**
     * A clean query; empty until the result of every component that it invoked is there, and where
     * no deadline is known.
     *
     * @param partials with items, in any order
     */
    public static Optional<ProfileSubject> clean(
            Answer answer, Collection<PartialResult> partials) {
        long last = answer.answeredAtMillis();
        for (PartialResult partial : partials) {
            last = Math.max(last, partial.completedAtMillis());
        }
        return of(answer, partials, Map.of(), last)
                .filter(s -> s.results.stream().noneMatch(ProfiledResult::isMissing));
    }

    private static Optional<ProfileSubject> of(
            Answer answer,
            Collection<PartialResult> partials,
            Map<String, ComponentShare> shares,
            long profiledAtMillis) {
        if (answer.deadlineMillis() < 1) {
            return Optional.empty();
        }
        List<ProfiledResult> results = new ArrayList<>(answer.invocations().size());
        for (Invocation invocation : answer.invocations()) {
            PartialResult result = finalResult(invocation, partials);
            ComponentShare share = shares.get(invocation.component());
            results.add(
                    new ProfiledResult(
                            invocation.component(),
                            invocation.outcome(),
                            result == null ? 0 : result.latencyMicros(),
                            result == null ? null : result.items(),
                            share == null ? 0 : share.lostQuality(),
                            share == null ? 0 : share.contribution()));
        }
        return Optional.of(
                new ProfileSubject(
                        answer.service(),
                        answer.queryClass(),
                        answer.startedAtMillis(),
                        profiledAtMillis,
                        answer.deadlineMillis(),
                        answer.topK(),
                        List.copyOf(results)));
    }

    private static PartialResult finalResult(
            Invocation invocation, Collection<PartialResult> partials) {
        if (invocation.outcome() == Outcome.FAILED) {
            return null;
        }
        Phase phase = invocation.outcome() == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE;
        for (PartialResult partial : partials) {
            if (partial.phase() == phase && partial.component().equals(invocation.component())) {
                return partial;
            }
        }
        return null;
    }
}
