package io.kipimo.core.invalidation;

import io.kipimo.schemas.field.WithBuilder;

/**
 * Recent use of one query, as counts and durations that decay by the half-life of {@link UseMeter}. All points in time
 * are event time in epoch milliseconds.
 *
 * @param reads reads that reached the origin
 * @param seconds duration for which the query was observed
 * @param exposedReads reads that came while no cache could answer
 * @param exposedSeconds duration for which no cache could answer
 * @param membershipChanges records that entered or left the result, or moved in it
 * @param contentChanges records of the result that changed and stayed, as far as such changes are reported
 * @param recordWrites writes a second of all records in the result together
 * @param records number of records in the result, at least 0
 * @param coveredUntilMillis time until which a cache may answer
 * @param atMillis time of this state
 * @param chosenAtMillis time at which the form was chosen
 * @param form form for caching the result
 * @param isChosen whether the form was chosen from observations; if not, there are too few of them, and the form is
 *     OBJECT_LIST, which is always correct
 */
@WithBuilder
public record ObservedUse(
        double reads,
        double seconds,
        double exposedReads,
        double exposedSeconds,
        double membershipChanges,
        double contentChanges,
        double recordWrites,
        double records,
        long coveredUntilMillis,
        long atMillis,
        long chosenAtMillis,
        Representation form,
        boolean isChosen) {}
