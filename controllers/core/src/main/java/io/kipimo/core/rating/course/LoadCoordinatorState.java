package io.kipimo.core.rating.course;

import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import java.util.Map;
import java.util.Optional;

/**
 * How far a rating with remote load generators is.
 *
 * @param current the last command of the experiment under way; empty between two
 * @param reports the newest of each generator on it, by generator; their times are when they came
 * @param listeningSinceMillis since when reports are read, epoch milliseconds: a generator is not
 *     silent because nobody listened
 */
public record LoadCoordinatorState(
        Rating rating,
        Optional<Experiment> current,
        Map<String, ExperimentReport> reports,
        long listeningSinceMillis) {
    public LoadCoordinatorState {
        reports = Map.copyOf(reports);
    }

    /** At the beginning of a rating. */
    public static LoadCoordinatorState of(Rating requested, long listeningSinceMillis) {
        return new LoadCoordinatorState(
                requested, Optional.empty(), Map.of(), listeningSinceMillis);
    }

    /** Between two experiments. */
    LoadCoordinatorState with(Rating latest) {
        return of(latest, listeningSinceMillis);
    }

    LoadCoordinatorState with(Optional<Experiment> command, Map<String, ExperimentReport> known) {
        return new LoadCoordinatorState(rating, command, known, listeningSinceMillis);
    }
}
