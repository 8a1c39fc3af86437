package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.kipimo.schemas.decision.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

class RedisDecisionStoreITCase {
    private static final String KEY = RedisDecisionStore.key(Decision.ADMISSION, SampleDecisions.SCOPE);

    private ForgetfulRedis redis;
    private RedisClient client;
    private RedisDecisionStore store;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        redis = new ForgetfulRedis(directory);
        client = redis.client();
        store = RedisDecisionStore.at(redis.settings());
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
        client.close();
        redis.close();
    }

    private Optional<Decision> held() {
        return store.get(Decision.ADMISSION, SampleDecisions.SCOPE);
    }

    @Test
    void aStoredDecisionIsReadBackWhole() {
        Decision decision = SampleDecisions.of(2, 5, 0.125);
        assertThat(store.put(decision)).isTrue();
        assertThat(held()).contains(decision);
        assertThat(store.get(Decision.SAMPLING, "search")).isEmpty();
    }

    @Test
    void onlyANewerDecisionReplacesAnother() {
        assertThat(store.put(SampleDecisions.of(2, 5, 0.5))).isTrue();
        assertThat(store.put(SampleDecisions.of(2, 5, 0.1))).as("repeated").isFalse();
        assertThat(store.put(SampleDecisions.of(2, 4, 0.1)))
                .as("lower sequence")
                .isFalse();
        assertThat(store.put(SampleDecisions.of(1, 999, 0.1))).as("older epoch").isFalse();
        assertThat(held()).contains(SampleDecisions.of(2, 5, 0.5));
        assertThat(store.put(SampleDecisions.of(2, 6, 0.6)))
                .as("higher sequence")
                .isTrue();
        assertThat(store.put(SampleDecisions.of(3, 1, 0.7))).as("newer epoch").isTrue();
        assertThat(held()).contains(SampleDecisions.of(3, 1, 0.7));
    }

    @Test
    void greatestEpochsAreDistinguished() {
        long greatest = (1L << 53) - 1;
        assertThat(store.put(SampleDecisions.of(greatest - 1, 1, 0.5))).isTrue();
        assertThat(store.put(SampleDecisions.of(greatest, 1, 0.6))).isTrue();
        assertThat(store.put(SampleDecisions.of(greatest - 1, 2, 0.7))).isFalse();
    }

    @Test
    void ofTwoInterleavedWritersTheNewerEpochWins() throws Exception {
        int writes = 500;
        ExecutorService writers = Executors.newFixedThreadPool(2);
        try (RedisDecisionStore other = RedisDecisionStore.at(redis.settings())) {
            List<Future<Integer>> stored = new ArrayList<>();
            stored.add(writers.submit(() -> write(store, 1, writes)));
            stored.add(writers.submit(() -> write(other, 2, writes)));
            assertThat(stored.get(0).get()).isBetween(0, writes);
            assertThat(stored.get(1).get()).as("the newer one is never refused").isEqualTo(writes);
        } finally {
            writers.shutdownNow();
        }
        assertThat(held()).contains(SampleDecisions.of(2, writes, 0.5));
    }

    private static int write(RedisDecisionStore store, long epoch, int writes) {
        int stored = 0;
        for (int sequence = 1; sequence <= writes; sequence++) {
            stored += store.put(SampleDecisions.of(epoch, sequence, 0.5)) ? 1 : 0;
        }
        return stored;
    }

    @Test
    void aDecisionIsKeptForItsLeaseAndTheGrace() {
        store.put(SampleDecisions.of(1, 1, 0.5));
        long whole = SampleDecisions.LEASE_MILLIS + RedisDecisionStore.GRACE.toMillis();
        assertThat(client.pttl(KEY)).isBetween(whole - 30_000, whole);
    }

    @Test
    void anExpiredDecisionIsGone() {
        store.put(SampleDecisions.of(1, 1, 0.5));
        client.pexpire(KEY, 1);
        await().until(() -> held().isEmpty());
        assertThat(store.put(SampleDecisions.of(1, 1, 0.5))).isTrue();
    }

    @Test
    void flushedScriptsAreSentAgain() {
        assertThat(store.put(SampleDecisions.of(1, 1, 0.5))).isTrue();
        client.scriptFlush();
        assertThat(store.put(SampleDecisions.of(1, 2, 0.5))).isTrue();
    }

    @Test
    void impossibleDecisionsNeverReachRedis() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.put(SampleDecisions.of(1, 1, Double.NaN)));
        assertThatIllegalArgumentException().isThrownBy(() -> store.put(SampleDecisions.of(1L << 53, 1, 0.5)));
        assertThat(client.exists(KEY)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x10", "1e3", "nan", "inf", "-1", "", "9007199254740992", "1e999"})
    void theScriptRefusesWhatIsNoCount(String epoch) {
        store.put(SampleDecisions.of(1, 1, 0.5));
        String sha = client.scriptLoad(
                RedisScript.of(RedisScript.class, "put_decision.lua").text());
        assertThatExceptionOfType(JedisDataException.class)
                .isThrownBy(() -> client.evalsha(sha, List.of(KEY), List.of(epoch, "1", "1000", "epoch", epoch)))
                .withMessageContaining("no count");
        assertThat(held()).contains(SampleDecisions.of(1, 1, 0.5));
    }

    @Test
    void whatIsNoDecisionIsNamed() {
        client.hset(KEY, "epoch", "many");
        assertThatIllegalArgumentException().isThrownBy(this::held);
        assertThat(store.put(SampleDecisions.of(1, 1, 0.5))).as("and replaced").isTrue();
        assertThat(held()).contains(SampleDecisions.of(1, 1, 0.5));
    }

    @Test
    void anAbsentServerIsNamedInOneLine() throws IOException {
        redis.stop();
        assertThatExceptionOfType(RedisUnavailableException.class)
                .isThrownBy(store::ping)
                .withMessageContaining("Redis at 127.0.0.1:" + redis.settings().port())
                .withMessageNotContaining("\n");
    }

    @Test
    void aServerThatWentBackIsBroughtUpToDate() throws IOException {
        store.put(SampleDecisions.of(1, 1, 0.9));
        client.executeCommand(new CommandArguments(Protocol.Command.SAVE));
        store.put(SampleDecisions.of(2, 1, 0.3));
        redis.stop();
        assertThatExceptionOfType(RedisUnavailableException.class)
                .isThrownBy(() -> store.put(SampleDecisions.of(2, 2, 0.3)));

        redis.start();
        assertThat(held()).as("older data").contains(SampleDecisions.of(1, 1, 0.9));
        assertThat(store.put(SampleDecisions.of(2, 3, 0.3))).isTrue();
        assertThat(store.put(SampleDecisions.of(1, 2, 0.9)))
                .as("the old controller")
                .isFalse();
        assertThat(held()).contains(SampleDecisions.of(2, 3, 0.3));
    }
}
