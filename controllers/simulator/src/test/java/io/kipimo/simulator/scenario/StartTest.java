package io.kipimo.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.simulator.scenario.SimulationResult.ClassSlot;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenario {@code start} at several loads; seeds 1 to 3. */
class StartTest {
    private static final int SEEDS = Effort.of(1, 3);

    private static SimulationResult run(int lowPerSecond, long seed) {
        Scenario loaded = BuiltIn.scenario("start", text -> {
            int at = text.lastIndexOf("rate_per_second: 10}");
            return text.substring(0, at) + text.substring(at).replace(": 10}", ": " + lowPerSecond + "}");
        });
        return Simulation.run(loaded.withSeed(seed));
    }

    static Stream<Integer> unloaded() {
        return Effort.first(1, 40, 10);
    }

    /** Safe fraction 0.5; nothing shows a reason to shed, not even at first. */
    @ParameterizedTest
    @MethodSource("unloaded")
    void anUnloadedServiceAdmitsEverythingFromItsFirstQuery(int lowPerSecond) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<SimulationResult.Slot> slots = run(lowPerSecond, seed).slots();
            for (int slot = 0; slot < slots.size(); slot++) {
                ClassSlot low = slots.get(slot).classes().get(1);
                assertThat(low.admitted()).as("slot %d, seed %d", slot, seed).isEqualTo(low.offered());
            }
        }
    }

    static Stream<Arguments> loaded() {
        return Effort.first(1, Arguments.of(190, 0.45, 0.933, 46_500), Arguments.of(85, 0.85, 0.955, 43_000));
    }

    /**
     * A loop that began at the safe fraction and opened by a few points a minute admitted 0.55 at capacity. At twice
     * the capacity it had 0.939 to 0.949 and 47,300 good answers of the low class: without any evidence everything is
     * admitted for the first two seconds or so.
     */
    @ParameterizedTest
    @MethodSource("loaded")
    void aLoadedServiceKeepsItsQualityAsWellAsBefore(int lowPerSecond, double admitted, double quality, long good) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimulationResult result = run(lowPerSecond, seed);
            assertThat(result.classTotal("low").admittedShare()).isGreaterThan(admitted);
            assertThat(result.classTotal("high").quality()).isGreaterThan(quality);
            assertThat(result.classTotal("low").good()).isGreaterThan(good);
        }
    }
}
