package io.kipimo.labs.social;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.state.WriteLog;
import io.kipimo.labs.social.store.RedisSocialStore;
import io.kipimo.labs.social.store.SocialStore;
import io.kipimo.loadgen.redis.RedisAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** All eleven actions on a real Redis. */
class RedisSocialStoreITCase {
    /** Friends of 5: 3, 4, 6, 7; 8 has asked it. */
    private static final SocialGraph GRAPH = SocialGraph.of(20, 4, 3);

    private static RestartableLocalRedis redis;
    private RedisSocialStore store;

    @BeforeAll
    static void startRedis(@TempDir Path directory) throws Exception {
        redis = new RestartableLocalRedis(directory);
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void load() {
        store = RedisSocialStore.at(redis.address(), 4);
        store.load(GRAPH);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void theLoadedStoreHoldsTheGraph() {
        StoreAsModel.assertEqual(store, new SocialModel(GRAPH, new WriteLog(), 0, 1), GRAPH);
        assertThat(store.profile(99).name()).isEmpty();
        assertThat(store.topResources(5, 2))
                .extracting(SocialStore.Resource::id)
                .containsExactly(17L, 16L);
        assertThat(store.comments(17)).containsExactly(0);
    }

    @Test
    void anInvitationIsAccepted() {
        assertThat(store.invite(5, 12)).isTrue();
        assertThat(store.invite(5, 12)).isFalse();
        assertThat(store.invite(12, 5)).as("asked the other way").isFalse();
        assertThat(store.invite(5, 6)).as("a friend").isFalse();
        assertThat(store.requests(12)).containsExactlyInAnyOrder(5, 15);
        assertThat(store.profile(12)).isEqualTo(new SocialStore.Profile("Member 12", 4, 2, 3));

        assertThat(store.accept(12, 5)).isTrue();
        assertThat(store.accept(12, 5)).isFalse();
        assertThat(store.profile(12)).isEqualTo(new SocialStore.Profile("Member 12", 5, 1, 3));
        assertThat(store.profile(5)).isEqualTo(new SocialStore.Profile("Member 5", 5, 1, 3));
        assertThat(store.friends(5)).contains(new SocialStore.Friend(12, "Member 12"));
        assertThat(store.friends(12)).contains(new SocialStore.Friend(5, "Member 5"));
    }

    @Test
    void anInvitationIsRejected() {
        assertThat(store.reject(5, 8)).isTrue();
        assertThat(store.reject(5, 8)).isFalse();
        assertThat(store.requests(5)).isEmpty();
        assertThat(store.profile(5)).isEqualTo(new SocialStore.Profile("Member 5", 4, 0, 3));
    }

    @Test
    void friendshipEnds() {
        assertThat(store.thaw(5, 4)).isTrue();
        assertThat(store.thaw(5, 4)).isFalse();
        assertThat(store.profile(5).friends()).isEqualTo(3);
        assertThat(store.profile(4).friends()).isEqualTo(3);
        assertThat(store.friends(4)).extracting(SocialStore.Friend::member).doesNotContain(5);
    }

    @Test
    void commentsComeAndGo() {
        assertThat(store.post(17, 9, 3)).isTrue();
        assertThat(store.post(17, 9, 3)).isFalse();
        assertThat(store.comments(17)).containsExactlyInAnyOrder(0, 9);
        assertThat(store.topResources(5, 1)).containsExactly(new SocialStore.Resource(17, 5, 2));
        assertThat(store.delete(17, 0)).isTrue();
        assertThat(store.delete(17, 0)).isFalse();
        assertThat(store.topResources(5, 1)).containsExactly(new SocialStore.Resource(17, 5, 1));
    }

    @Test
    void theDigestSeesEveryChangeAndOnlyThose() {
        String first = store.digest();
        store.thaw(5, 4);
        assertThat(store.digest()).isNotEqualTo(first);
        store.load(GRAPH);
        store.mark("another");
        assertThat(store.digest()).isEqualTo(first);
    }

    @Test
    void aDatabaseWithForeignKeysIsNotEmptied() {
        try (Jedis other = redis.address().connection()) {
            other.select(1);
            other.set("precious", "yes");
            RedisAddress address = RedisAddress.of(redis.address().uri() + "/1");
            try (RedisSocialStore foreign = RedisSocialStore.at(address, 1)) {
                assertThatThrownBy(() -> foreign.load(GRAPH))
                        .hasMessageContaining("holds 1 keys that are not Kipimo's");
            }
            assertThat(other.get("precious")).isEqualTo("yes");
            other.flushDB();
        }
    }

    @Test
    void addressesHideTheirPassword() {
        assertThat(RedisAddress.of("redis://me:canary@host:1/2")).hasToString("redis://host:1/2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisAddress.of("http://me:canary@host"))
                .withMessageContaining("store is 'http://host'; allowed: redis[s]://");
    }
}
