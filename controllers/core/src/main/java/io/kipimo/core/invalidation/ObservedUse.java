package io.kipimo.core.invalidation;

import io.kipimo.schemas.field.WithBuilder;

/**
 * Recent use of a query: counts and times that decay by the half-life of {@link UseMeter}. State of one query; all
 * times are event time, epoch milliseconds.
 *
 * @param reads reads that reached the origin
 * @param seconds time that the query was observed
 * @param exposedReads reads that came while no cache could answer
 * @param exposedSeconds time during which no cache could answer
 * @param membershipChanges records that entered or left the result, or moved in it
 * @param contentChanges records that changed and stayed, as far as reported
 * @param recordWrites writes a second, over the records of the result
 * @param records number of records in the result, at least 0
 * @param coveredUntilMillis until when a cache may answer
 * @param atMillis time of this state
 * @param chosenAtMillis when the form was chosen
 * @param form form for caching the result
 * @param isChosen false: there is too little data, and the form is the one that is always correct
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
