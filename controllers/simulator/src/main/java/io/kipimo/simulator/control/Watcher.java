package io.kipimo.simulator.control;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.simulator.service.Query;

/** Sees what happens, and changes nothing; what a report is made of. */
public interface Watcher {
    /** An answer left; {@code quality} is the true one, which only a simulator knows of all. */
    void answered(Query query, boolean degraded, double quality);

    /** A second of a class is over. */
    void counted(Observation observation);

    /** A sampled query was measured. */
    void measured(Measurement measurement);

    /** A window was made; batches with the estimates that the controller is told. */
    void estimated(QualityWindow window);

    /** A decision was made. */
    void decided(Decision decision);
}
