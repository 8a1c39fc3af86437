package io.kipimo.simulator.control;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.simulator.service.Query;

/** Observes a run without changing it; reports are made from it. */
public interface Watcher {
    /**
     * Called when an answer has left. {@code quality} is its true quality, which only a simulator knows for every
     * answer.
     */
    void answered(Query query, boolean degraded, double quality);

    /** Called when a second of a class is over. */
    void counted(Observation observation);

    /** Called when a sampled query was measured. */
    void measured(Measurement measurement);

    /** Called when a window was made. Batches have the estimates that the controller gets. */
    void estimated(QualityWindow window);

    /** Called when a decision was made. */
    void decided(Decision decision);
}
