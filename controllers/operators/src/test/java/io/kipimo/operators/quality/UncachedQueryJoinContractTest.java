package io.kipimo.operators.quality;

import io.kipimo.schemas.policy.Policy;
import java.time.Duration;
import java.util.Map;

/** The contract on RocksDB, where every change is written at once, and no object is kept. */
class UncachedQueryJoinContractTest extends QueryJoinContractTest {
    @Override
    JoinHarness harness(Map<String, Policy> known, Duration backStop) throws Exception {
        return JoinHarness.onRocksDb(known, backStop, 0, 0);
    }
}
