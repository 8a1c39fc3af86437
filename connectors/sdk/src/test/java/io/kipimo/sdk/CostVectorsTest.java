package io.kipimo.sdk;

import io.kipimo.core.admission.CostBins;
import io.kipimo.core.admission.CostOrder;
import io.kipimo.schemas.decision.CostStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.document.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code clients/vectors/costs.json}, as {@link ClientVectorsTest}. */
class CostVectorsTest {
    private static final double[] COSTS = {
        Double.MIN_VALUE, 1e-12, 0.5, 0.99, 1, 1.01, 1.3, 2, 3.9, 4, 4.1, 7.5, 100, 12_345, 1e9, 1e15, 1e300
    };
    private static final List<List<CostStep>> ORDERS = List.of(
            List.of(),
            List.of(new CostStep(10, 0.25)),
            List.of(new CostStep(1, 1), new CostStep(4, 0.5), new CostStep(100, 0.05)));

    @Test
    void costs() throws IOException {
        List<Object> bins = new ArrayList<>();
        for (double cost : COSTS) {
            bins.add(new JsonObject().with("cost", cost).with("bin", CostBins.of(cost)));
        }
        List<Object> fractions = new ArrayList<>();
        for (List<CostStep> order : ORDERS) {
            Decision decision = DecisionBuilder.builder()
                    .controller(Decision.ADMISSION)
                    .scope("shop/low")
                    .mode(DecisionMode.ACTIVE)
                    .reason("STEP")
                    .value(0.5)
                    .costOrder(order)
                    .build();
            for (double inForce : new double[] {0.5, 0.6}) {
                for (double cost : new double[] {0, -1, 0.5, 1, 3.9, 4, 99, 100, 1e300}) {
                    fractions.add(new JsonObject()
                            .with(
                                    "costOrder",
                                    order.stream()
                                            .map(step -> List.of(step.upTo(), step.fraction()))
                                            .toList())
                            .with("value", decision.value())
                            .with("inForce", inForce)
                            .with("cost", cost)
                            .with("fraction", CostOrder.fraction(decision, inForce, cost)));
                }
            }
        }
        ClientVectorsTest.check(
                "costs.json", new JsonObject().with("bins", bins).with("fractions", fractions));
    }
}
