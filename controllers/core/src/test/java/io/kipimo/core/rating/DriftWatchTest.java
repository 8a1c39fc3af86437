package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.guard.Step;
import io.kipimo.core.rating.ServiceFact.Aspect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftWatchTest {
    private static final long PROFILE_MILLIS = DriftWatch.Drift.DEFAULT.profileMillis();
    private static final int MINUTES_OF_PROFILE = 10;

    private DriftState state = DriftState.since(0);
    private long nowMillis;

    /** Feeds minutes of a service and returns the reasons for stale ratings. */
    private List<String> minutes(int minutes, double high, double low, double capacity, double cv) {
        List<String> heard = new ArrayList<>();
        for (int i = 0; i < minutes; i++) {
            nowMillis += 60_000;
            heard.addAll(observe(Aspect.MIX, "high", high));
            heard.addAll(observe(Aspect.MIX, "low", low));
            heard.addAll(observe(Aspect.CAPACITY, "page", capacity));
            heard.addAll(observe(Aspect.VARIABILITY, "", cv));
        }
        return heard;
    }

    private List<String> observe(Aspect aspect, String name, double amount) {
        Step<DriftState, String> step = DriftWatch.observe(
                DriftWatch.Drift.DEFAULT, state, new ServiceFact("shop", aspect, name, amount, nowMillis));
        state = step.next();
        return step.decisions();
    }

    @Test
    void whatStaysIsNotStaleWhateverTheLoad() {
        assertThat(minutes(60, 600, 400, 100, 1)).isEmpty();
        assertThat(minutes(60, 60, 40, 110, 1.2)).isEmpty();
    }

    @Test
    void anotherMixIsDrift() {
        minutes(MINUTES_OF_PROFILE, 600, 400, 100, 1);

        assertThat(minutes(3 * MINUTES_OF_PROFILE, 400, 600, 100, 1))
                .contains("mix: 20 % of the requests are of other classes");
    }

    @Test
    void capacityThatFellAndLatenciesThatVaryMoreAreDrift() {
        minutes(MINUTES_OF_PROFILE, 600, 400, 100, 1);

        assertThat(minutes(3 * MINUTES_OF_PROFILE, 600, 400, 70, 2))
                .contains("capacity of page: 70.0, was 100", "variability of latencies: 2.00, was 1.00");
    }

    @Test
    void oneOddProfileIsNotDrift() {
        minutes(MINUTES_OF_PROFILE, 600, 400, 100, 1);
        assertThat(minutes(MINUTES_OF_PROFILE - 1, 600, 400, 30, 1)).isEmpty();

        assertThat(minutes(60, 600, 400, 100, 1)).isEmpty();
    }

    @Test
    void silenceAndWhatComesLateTellNothing() {
        minutes(2 * MINUTES_OF_PROFILE, 600, 400, 100, 1);
        DriftState before = state;

        assertThat(DriftWatch.observe(
                                DriftWatch.Drift.DEFAULT, state, new ServiceFact("shop", Aspect.CAPACITY, "page", 1, 5))
                        .next())
                .isEqualTo(before);
        nowMillis += 10 * PROFILE_MILLIS;
        assertThat(minutes(30, 600, 400, 100, 1)).isEmpty();
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new DriftWatch.Drift(999, 0.1, 0.1, 0.1))
                .hasMessage("profileMillis is 999; allowed: 1000 or more");
        assertThatThrownBy(() -> new DriftWatch.Drift(1_000, 1.1, 0.1, 0.1))
                .hasMessage("mostMixShift is 1.1; allowed: 0..1");
    }
}
