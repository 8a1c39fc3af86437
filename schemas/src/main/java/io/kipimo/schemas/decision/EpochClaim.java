package io.kipimo.schemas.decision;

/**
 * Taken once a job attempt; the offset of the record in topic {@code epochs} is the epoch.
 *
 * @param claimant job name and subtask
 */
public record EpochClaim(String controller, String claimant, long claimedAtMillis) {}
