package io.kipimo.operators.quality;

import io.kipimo.schemas.policy.Policy;
import java.time.Duration;
import java.util.Map;

/** The contract on RocksDB, with a cache that has room for all queries. */
class CachedQueryJoinContractTest extends QueryJoinContractTest {
    @Override
    JoinHarness harness(Map<String, Policy> known, Duration backStop) throws Exception {
        return JoinHarness.onRocksDb(known, backStop, 4096, 200000);
    }
}
