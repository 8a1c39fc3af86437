package io.kipimo.simulator.control;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.simulator.service.Query;

/** Observes a run without changing it; reports are made from it. */
public interface Watcher {
    /** An answer left; {@code quality} is the true one, which only a simulator knows for every answer. */
    void answered(Query query, boolean degraded, double quality);

    /** A second of a class is over. */
    void counted(Observation observation);

    /** A sampled query was measured. */
    void measured(Measurement measurement);

    /** A window was made; batches have the estimates that the controller gets. */
    void estimated(QualityWindow window);

    /** A decision was made. */
    void decided(Decision decision);
}
