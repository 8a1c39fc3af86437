package io.kipimo.schemas.decision;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;

/**
 * Claim of an epoch by a job attempt. The offset of the record in topic {@code epochs} is the epoch.
 *
 * @param claimant job name and subtask
 */
public record EpochClaim(
        @Name String controller,
        @Text String claimant,
        @Range(least = 1, most = Range.LATEST_MILLIS) long claimedAtMillis) {}
