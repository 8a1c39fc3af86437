package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ZoolanderTest {
    private static final ServiceTimes TEN = ServiceTimes.measured(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

    /** s = 1 - (1 - Phi)^N. */
    @Test
    void serviceLevelOfAlikeDuplicates_ZoolanderGeometricSeries() {
        assertThat(Zoolander.mix(TEN, 9, 1, 1, 0, 0).serviceLevel()).isEqualTo(0.9);
        assertThat(Zoolander.mix(TEN, 9, 1, 3, 0, 0).serviceLevel()).isCloseTo(0.999, within(1e-12));
        assertThat(Zoolander.mix(TEN, 10, 1, 1, 0, 0).serviceLevel()).isEqualTo(1);
        assertThat(Zoolander.mix(TEN, 0.5, 1, 9, 0, 0).serviceLevel()).isZero();
    }

    /** sum over n of Phi_n * product over i &lt; n of (1 - Phi_i), as the paper writes it. */
    @Test
    void serviceLevelOfDuplicatesThatDiffer_ZoolanderSeries() {
        List<Duplicate> group = List.of(
                new Duplicate(TEN, 0, 0),
                new Duplicate(ServiceTimes.measured(1, 1, 9, 9), 10, 1),
                new Duplicate(ServiceTimes.measured(4, 20), 5, 0));
        double series = 0;
        double allBefore = 1;
        for (Duplicate duplicate : group) {
            series += duplicate.shareInTime(6) * allBefore;
            allBefore *= 1 - duplicate.shareInTime(6);
        }
        assertThat(Zoolander.serviceLevel(group, 6)).isCloseTo(series, within(1e-15));
        assertThat(Zoolander.serviceLevel(List.of(group.get(2), group.get(0), group.get(1)), 6))
                .isCloseTo(series, within(1e-12));
        assertThat(Zoolander.mix(List.of(TEN, TEN, TEN), 9, 2, 3, 5, 1).serviceLevel())
                .isCloseTo(Zoolander.mix(TEN, 9, 2, 3, 5, 1).serviceLevel(), within(1e-12));
    }

    /** By hand: mean 5.5, Cv^2 = 8.25 / 30.25, rho = 0.55. */
    @Test
    void effectiveTau_ZoolanderQueueingAndNetwork() {
        Duplicate duplicate = new Duplicate(TEN, 100, 0.5);
        double waiting = (1 + 8.25 / 30.25) / 2 * 0.55 / 0.45 * 5.5;
        assertThat(duplicate.utilisation()).isCloseTo(0.55, within(1e-12));
        assertThat(duplicate.queueingMillis()).isCloseTo(waiting, within(1e-12));
        assertThat(duplicate.effectiveTauMillis(9)).isCloseTo(9 - waiting - 0.5, within(1e-12));
        assertThat(duplicate.shareInTime(9)).isEqualTo(0.4);
    }

    @Test
    void overloadAndUsedUpBoundsContributeNothing() {
        assertThat(new Duplicate(TEN, 200, 0).shareInTime(1e9)).isZero();
        assertThat(new Duplicate(TEN, 1e3 / 5.5, 0).shareInTime(1e9)).isZero();
        assertThat(new Duplicate(TEN, 0, 9).shareInTime(9)).isZero();
        ServiceTimes instant = ServiceTimes.measured(0);
        assertThat(new Duplicate(instant, 0, 9).shareInTime(9)).isZero();
        assertThat(new Duplicate(instant, 0, 9).shareInTime(9.1)).isEqualTo(1);
    }

    @Test
    void replicasShareRequestsThatDuplicatesRepeat() {
        Mix mix = Zoolander.mix(TEN, 9, 4, 2, 100, 0);
        assertThat(mix.servers()).isEqualTo(8);
        assertThat(mix.group().get(0).utilisation()).isCloseTo(0.55 / 4, within(1e-12));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> ServiceTimes.measured()).hasMessageContaining("at least one");
        assertThatThrownBy(() -> ServiceTimes.measured(1, -2)).hasMessageContaining("-2");
        assertThatThrownBy(() -> Zoolander.mix(TEN, 9, 0, 1, 0, 0)).hasMessageContaining("replica");
        assertThatThrownBy(() -> Zoolander.mix(TEN, -1, 1, 1, 0, 0)).hasMessageContaining("tau");
        assertThatThrownBy(() -> Zoolander.mix(TEN, 1, 1, 1, Double.NaN, 0)).hasMessageContaining("arrivalsPerSecond");
        assertThatThrownBy(() -> Zoolander.mix(List.of(TEN, TEN), 1, 1, 3, 0, 0))
                .hasMessageContaining("one for all, or one each");
    }
}
