package io.kipimo.simulator.control;

import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.SimulatedService;

/** Admission in place of the product's, to compare with; measures no quality. */
public interface OtherAdmission {
    /** The service starts. */
    void start(Engine engine, SimulatedService service);

    /** Whether a query is admitted. */
    boolean admits(Query query);

    /** The answer of an admitted query leaves. */
    void answered(Query query);
}
