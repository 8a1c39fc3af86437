package io.kipimo.operators.quality;

import io.kipimo.schemas.policy.Policy;
import java.time.Duration;
import java.util.Map;

/** The contract on RocksDB, with more open queries than the cache has room for. */
class OverflowingQueryJoinContractTest extends QueryJoinContractTest {
    @Override
    JoinHarness harness(Map<String, Policy> known, Duration backStop) throws Exception {
        return JoinHarness.onRocksDb(known, backStop, 20, 60);
    }
}
