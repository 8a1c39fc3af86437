package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PlanTest {
    /** 90 of 100 take 1 ms, the others 50: mean 5.9 ms. */
    private static final ServiceTimes BIMODAL = bimodal();

    private static ServiceTimes bimodal() {
        double[] millis = new double[100];
        for (int i = 0; i < 100; i++) {
            millis[i] = i < 90 ? 1 : 50;
        }
        return ServiceTimes.measured(millis);
    }

    private static Plan plan(double tau, double level, double rate, int most) {
        return Plan.cheapest(
                (replicas, duplicates) -> Zoolander.mix(BIMODAL, tau, replicas, duplicates, rate, 0),
                level,
                most,
                most < 1 ? 1 : most);
    }

    @Test
    void idleServicesNeedDuplicatesOnly() {
        Mix chosen = plan(5, 0.999, 0.01, 20).chosen().orElseThrow();
        assertThat(chosen.replicas()).isEqualTo(1);
        assertThat(chosen.duplicates()).isEqualTo(3);
    }

    @Test
    void busyServicesNeedReplicasForTheirDuplicatesToHelp() {
        Plan plan = plan(5, 0.99, 60, 40);
        Mix chosen = plan.chosen().orElseThrow();
        assertThat(chosen.replicas()).isGreaterThan(1);
        assertThat(chosen.duplicates()).isEqualTo(2);
        assertThat(plan.ofTheSameSize())
                .allMatch(mix -> mix.servers() == chosen.servers())
                .contains(chosen);
        // Neither copies nor duplicates alone, on as many servers, reach the service level.
        assertThat(plan.ofTheSameSize())
                .filteredOn(mix -> mix.replicas() == 1 || mix.duplicates() == 1)
                .hasSize(2)
                .allMatch(mix -> mix.serviceLevel() < 0.99);
    }

    @Test
    void saysHowCloseItComesWhenNothingMeetsTheLevel() {
        Plan plan = plan(0.5, 0.99, 1, 10);
        assertThat(plan.chosen()).isEmpty();
        assertThat(plan.ofTheSameSize()).isNotEmpty();
    }

    @Property(tries = 200, seed = "81")
    void noCheaperMixMeetsTheLevelAndNoneOfTheSameSizeIsBetter(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double level = random.nextDouble();
        double rate = random.nextDouble() * 300;
        double tau = random.nextDouble() * 60;
        int most = 1 + random.nextInt(60);
        Plan plan = plan(tau, level, rate, most);
        for (int replicas = 1; replicas <= most; replicas++) {
            for (int duplicates = 1; duplicates * replicas <= most; duplicates++) {
                Mix mix = Zoolander.mix(BIMODAL, tau, replicas, duplicates, rate, 0);
                if (plan.chosen().isEmpty()) {
                    assertThat(mix.serviceLevel()).isLessThan(level);
                } else if (mix.serviceLevel() >= level) {
                    Mix chosen = plan.chosen().orElseThrow();
                    assertThat(mix.servers()).isGreaterThanOrEqualTo(chosen.servers());
                    if (mix.servers() == chosen.servers()) {
                        assertThat(mix.serviceLevel()).isLessThanOrEqualTo(chosen.serviceLevel());
                    }
                }
            }
        }
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> plan(5, 1.1, 1, 3)).hasMessageContaining("service level is 1.1");
        assertThatThrownBy(() -> plan(5, 0.9, 1, 0)).hasMessageContaining("allowed: 1..100000");
    }
}
