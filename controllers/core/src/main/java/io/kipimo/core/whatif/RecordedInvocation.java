package io.kipimo.core.whatif;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;

/**
 * One invocation of a controller, recorded or assumed.
 *
 * @param atMillis processing time, epoch milliseconds
 * @param epoch of the job's attempt
 * @param policyVersion version of its policy; 0: not known
 * @param lock actuation lock of the service
 * @param windows windows since the invocation before; none: a heartbeat
 */
public record RecordedInvocation(
        long atMillis, long epoch, long policyVersion, MoverTurn lock, List<QualityWindow> windows) {}
