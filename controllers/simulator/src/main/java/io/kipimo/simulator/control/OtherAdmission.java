package io.kipimo.simulator.control;

import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.SimulatedService;

/** Another admission in place of the product's, to compare with it. In its runs no quality is measured. */
public interface OtherAdmission {
    /** Called when the service starts. */
    void start(Engine engine, SimulatedService service);

    /** Whether a query is admitted. */
    boolean admits(Query query);

    /** Called when the answer of an admitted query leaves. */
    void answered(Query query);
}
