package io.kipimo.core.invalidation.capacity;

import io.kipimo.core.invalidation.Representation;

/**
 * What was seen of a query lately: counts and times, each less by half every half-life of {@link
 * UseMeter}. State of one query; all times are event time, epoch milliseconds.
 *
 * @param reads that reached the origin
 * @param seconds that the query was watched
 * @param exposedReads of these reads, those that came while no cache could answer
 * @param exposedSeconds that no cache could answer
 * @param membershipChanges records that entered or left the result, or moved in it
 * @param contentChanges records that changed and stayed, as far as that was told
 * @param recordWrites a second, over the records of the result
 * @param records in the result, 0 and more
 * @param coveredUntilMillis a cache may answer until then
 * @param atMillis up to when all this holds
 * @param chosenAtMillis when the form was chosen
 * @param form in which results are to be cached
 * @param isChosen false: too little is known yet, and the form is the one that is always right
 */
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
