package io.kipimo.core.whatif;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;

/**
 * A controller was run, or would have been.
 *
 * @param atMillis processing time, epoch milliseconds
 * @param epoch of the job's attempt
 * @param policyVersion that it went by; 0: not known
 * @param lock which controller might move the service
 * @param windows that it had not seen before; none: a heartbeat
 */
public record RecordedInvocation(
        long atMillis,
        long epoch,
        long policyVersion,
        MoverTurn lock,
        List<QualityWindow> windows) {}
