package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.join.JoinContract;
import io.kipimo.core.quality.join.JoinTraffic;
import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import java.util.List;

/** All answers come first, so queries without an answer are unknown. */
class QueryReplayContractTest extends JoinContract {
    @Override
    protected Joined join(List<Arrival> arrivals, long seed) {
        Joined joined = new Joined();
        QueryReplay replay = new QueryReplay(JoinTraffic.policy(), joined.rows()::add, joined.profiles()::add);
        for (Arrival arrival : arrivals) {
            if (arrival.event().isAnswer()) {
                replay.add(arrival.event().answer());
            }
        }
        for (Arrival arrival : arrivals) {
            if (!arrival.event().isAnswer()) {
                replay.add(arrival.event().partial());
            }
        }
        replay.finish();
        return joined;
    }

    @Override
    protected boolean hasOrphans() {
        return false;
    }
}
