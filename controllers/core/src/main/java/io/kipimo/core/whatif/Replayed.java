package io.kipimo.core.whatif;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;
import java.util.Optional;

/**
 * One step or heartbeat, run again.
 *
 * @param before what the controller remembered when it was run
 * @param window that it was a step on; empty: a heartbeat
 * @param decisions that came of it; none: it was silent
 * @param <S> the controller's memory
 */
public record Replayed<S>(
        Moment moment,
        Policy policy,
        S before,
        Optional<QualityWindow> window,
        List<Decision> decisions) {}
