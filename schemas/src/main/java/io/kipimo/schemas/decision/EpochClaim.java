package io.kipimo.schemas.decision;

/**
 * Claim of an epoch by a job attempt. The offset of the record in topic {@code epochs} is the
 * epoch.
 *
 * @param claimant job name and subtask
 */
public record EpochClaim(String controller, String claimant, long claimedAtMillis) {}
