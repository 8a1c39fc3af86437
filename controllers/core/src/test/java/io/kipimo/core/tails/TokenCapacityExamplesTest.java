package io.kipimo.core.tails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.Stay;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenCapacityExamplesTest {
    @Test
    void baselineSplitsTimeAmongThoseInService() {
        // 0..10 one request, 10..30 two on one core, 30..40 one.
        Demand one = BaselineEstimator.ofStays(List.of(new Stay(0, 30), new Stay(10, 40)), 1);
        assertThat(one.meanMicros()).isEqualTo(20);
        // Two cores: no request waits.
        Demand two = BaselineEstimator.ofStays(List.of(new Stay(0, 30), new Stay(10, 40)), 2);
        assertThat(two.meanMicros()).isEqualTo(30);
        // Three on two cores get 2/3 each.
        Demand three = BaselineEstimator.ofStays(List.of(new Stay(0, 30), new Stay(0, 30), new Stay(0, 30)), 2);
        assertThat(three.meanMicros()).isEqualTo(20, within(1e-9));
        assertThat(three.perCoreSecond()).isEqualTo(50_000, within(1e-6));
        assertThat(three.coefficientOfVariation()).isCloseTo(0, within(1e-9));
    }

    @Test
    void requestsBeyondTheBoundStillTakeTheirShare() {
        BaselineEstimator estimator = new BaselineEstimator(1, 1);
        estimator.arrive(1, 0);
        estimator.arrive(2, 0);
        estimator.depart(1, 100);
        estimator.depart(2, 150);

        assertThat(estimator.demand().requests()).isEqualTo(1);
        assertThat(estimator.demand().meanMicros()).isEqualTo(50);
        assertThat(estimator.inService()).isZero();
    }

    @Test
    void takingStartsAnewAndKeepsWhatIsInService() {
        BaselineEstimator estimator = new BaselineEstimator(1, 10);
        estimator.arrive(1, 0);
        estimator.depart(1, 100);
        estimator.arrive(2, 200);
        assertThat(estimator.take().meanMicros()).isEqualTo(100);
        assertThat(estimator.demand()).isEqualTo(Demand.NONE);
        estimator.depart(2, 230);
        assertThat(estimator.take().meanMicros()).isEqualTo(30);
    }

    @Test
    void abandonedAndUnknownRequestsAreNotMeasured() {
        BaselineEstimator estimator = new BaselineEstimator(1, 10);
        estimator.depart(7, 5);
        estimator.arrive(1, 10);
        estimator.abandon(1, 20);
        assertThat(estimator.demand()).isEqualTo(Demand.NONE);
        assertThat(estimator.inService()).isZero();
    }

    @Test
    void timeThatGoesBackIsRefused() {
        BaselineEstimator estimator = new BaselineEstimator(1, 10);
        estimator.arrive(1, 10);
        assertThatThrownBy(() -> estimator.arrive(2, 9)).hasMessageContaining("not before 10");
        assertThatThrownBy(() -> estimator.arrive(1, 11)).hasMessageContaining("request 1");
        assertThatThrownBy(() -> new BaselineEstimator(0, 1)).hasMessageContaining("cores is 0");
        assertThatThrownBy(() -> new Stay(2, 1)).hasMessageContaining("departure");
    }

    /** sPARE, formula 3: M * V * mu, and how much of it is used. */
    @Test
    void serverCapacity_sPareFormula3() {
        ServerCapacity tier = new ServerCapacity(6, 2, 100_000);
        assertThat(tier.requestsPerSecond()).isEqualTo(120);
        assertThat(tier.utilisation(60)).isEqualTo(0.5);
    }

    /** sPARE, formulas 4 and 5. */
    @Test
    void tokenCapacityAndSmallestCount_sPareFormulas4And5() {
        TokenCapacity tier = new TokenCapacity(6, 2, 500_000);
        assertThat(tier.connectionsPerSecond()).isEqualTo(24);
        // 12 * 2 / (6 * 2) = 2, and C must be above.
        assertThat(TokenCapacity.smallestTokens(12, 2, 6, 500_000)).isEqualTo(3);
        assertThat(TokenCapacity.smallestTokens(11.9, 2, 6, 500_000)).isEqualTo(2);
        assertThat(TokenCapacity.smallestTokens(0, 1, 6, 500_000)).isEqualTo(1);
        assertThatThrownBy(() -> TokenCapacity.smallestTokens(1e12, 2, 1, 5e9)).hasMessageContaining("tokens needed");
    }
}
