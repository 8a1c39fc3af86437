package io.kipimo.core.whatif;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;

/**
 * One invocation of a controller, recorded or assumed.
 *
 * @param atMillis processing time, epoch milliseconds
 * @param epoch epoch of the job's attempt
 * @param policyVersion version of the policy that applied; 0: not known
 * @param lock actuation lock of the service
 * @param windows windows that arrived since the previous invocation; none: the invocation was a heartbeat
 */
public record RecordedInvocation(
        long atMillis, long epoch, long policyVersion, MoverTurn lock, List<QualityWindow> windows) {}
