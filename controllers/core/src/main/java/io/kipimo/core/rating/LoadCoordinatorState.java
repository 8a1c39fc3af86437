package io.kipimo.core.rating;

import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import java.util.Map;
import java.util.Optional;

/**
 * Progress of a rating with remote load generators.
 *
 * @param current the last command of the current experiment; empty between experiments
 * @param reports newest report on the current experiment, by generator; their times are times of arrival
 * @param listeningSinceMillis time since which reports are read, epoch milliseconds. The time before it does not count
 *     as silence of a generator
 */
public record LoadCoordinatorState(
        Rating rating, Optional<Experiment> current, Map<String, ExperimentReport> reports, long listeningSinceMillis) {
    public LoadCoordinatorState {
        reports = Map.copyOf(reports);
    }

    /** State at the beginning of a rating. */
    public static LoadCoordinatorState of(Rating requested, long listeningSinceMillis) {
        return new LoadCoordinatorState(requested, Optional.empty(), Map.of(), listeningSinceMillis);
    }

    /** State between two experiments. */
    LoadCoordinatorState with(Rating latest) {
        return of(latest, listeningSinceMillis);
    }

    LoadCoordinatorState with(Optional<Experiment> command, Map<String, ExperimentReport> known) {
        return new LoadCoordinatorState(rating, command, known, listeningSinceMillis);
    }
}
