package io.kipimo.simulator.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.JoinContract;
import io.kipimo.core.quality.join.JoinTraffic;
import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.simulator.engine.Engine;
import java.util.List;

/** Event time follows virtual time, not the events. */
class QualityJoinerContractTest extends JoinContract {
    @Override
    protected Joined join(List<Arrival> arrivals, long seed) {
        Joined joined = new Joined();
        Engine engine = new Engine();
        VirtualClock clock = new VirtualClock(engine);
        QualityJoiner joiner = new QualityJoiner(
                QualitySettings.of(JoinTraffic.policy()), clock, JoinTraffic.OUT_OF_ORDER_MILLIS, joined.rows()::add);
        for (Arrival arrival : arrivals) {
            clock.at(arrival.atMillis(), n -> joiner.accept(arrival.event()));
        }
        engine.run(Long.MAX_VALUE);

        assertThat(joiner.fates().values().stream().mapToLong(count -> count).sum())
                .as("in = joined + late + duplicate")
                .isEqualTo(arrivals.size());
        return joined;
    }

    @Override
    protected boolean profiles() {
        return false;
    }
}
