package io.kipimo.labs.social;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.labs.social.graph.ActionMix;
import io.kipimo.labs.social.graph.SocialAction;
import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.state.StateMode;
import io.kipimo.labs.social.state.StateStrategy;
import io.kipimo.labs.social.state.Strategies;
import io.kipimo.labs.social.state.WriteLog;
import io.kipimo.labs.social.store.RedisSocialStore;
import io.kipimo.labs.social.store.SocialStore;
import io.kipimo.loadgen.workload.Restoration;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The workload and the restoring of its state on a real Redis. */
@Tag("full")
class SocialTargetITCase {
    private static final SocialGraph GRAPH = SocialGraph.of(200, 10, 4).withCommunities(2);
    private static final ActionMix WRITES =
            ActionMix.parse("view-profile=0.2,list-friends=0.1,view-requests=0.1,view-top-resources=0.1,"
                    + "view-comments=0.1,invite=0.12,accept=0.06,reject=0.06,thaw=0.06,"
                    + "post-comment=0.05,delete-comment=0.05");
    private static final SocialSettings SETTINGS = SocialSettings.of(GRAPH, WRITES);

    private static RestartableLocalRedis redis;

    @BeforeAll
    static void startRedis(@TempDir Path directory) throws Exception {
        redis = new RestartableLocalRedis(directory);
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    private static RedisSocialStore store() {
        return RedisSocialStore.at(redis.address(), 16);
    }

    private static SocialTarget target(StateMode mode, List<String> startCommand) {
        RedisSocialStore store = store();
        return new SocialTarget(SETTINGS, store, mode, Strategies.of(mode.restore(), store, GRAPH, startCommand));
    }

    /** Runs an experiment and returns its result. */
    private static ExperimentCounts experiment(SocialTarget target, int users, int requests, long seed)
            throws Exception {
        try (Workload workload = target.open(Share.WHOLE)) {
            long failed = Crowd.ask(workload, users, requests, seed);
            ExperimentCounts found = workload.findings();
            long total = (long) users * requests;
            ExperimentCounts tally = ExperimentCounts.of(total, total - failed, failed, 0, 0, 0, 0)
                    .plus(found);
            target.after(tally);
            return tally;
        }
    }

    @Test
    void plainRedisGivesNoUnpredictableRead() throws Exception {
        try (SocialTarget target = target(StateMode.RELOAD, List.of())) {
            assertThat(target.prepare()).isEqualTo(Restoration.CREATED);
            ExperimentCounts tally = experiment(target, 8, 2_500, 1);
            SocialCounts counts = target.counts(0);
            assertThat(tally.errors()).isZero();
            assertThat(tally.unpredictable()).as("%s", counts).isZero();
            assertThat(tally.reads() + counts.reads().skipped())
                    .isEqualTo(Stream.of(SocialAction.values())
                            .filter(action -> !action.isWrite())
                            .mapToLong(counts::of)
                            .sum());
            assertThat(counts.reads().skipped()).isZero();
            assertThat(counts.actions()).allMatch(count -> count > 0);
            assertThat(counts.isViolation()).isFalse();
        }
    }

    private static Stream<Arguments> strategies() {
        return Stream.of(
                Arguments.of(StateMode.RELOAD, false),
                Arguments.of(StateMode.REPAIR, false),
                Arguments.of(StateMode.IMAGE, false),
                Arguments.of(StateMode.IMAGE, true));
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void theStateAfterIsTheStateBefore(StateMode mode, boolean restarted) throws Exception {
        try (SocialTarget target = target(mode, restarted ? redis.command() : List.of());
                SocialStore store = store()) {
            target.prepare();
            String before = store.digest();
            assertThat(target.prepare()).as("nothing written").isEqualTo(Restoration.NONE);
            for (int i = 0; i < 2; i++) {
                experiment(target, 4, 500, i);
                assertThat(store.digest()).isNotEqualTo(before);
                assertThat(target.prepare()).isEqualTo(Restoration.RESTORED);
                store.reconnect();
                assertThat(store.digest()).as("round %d", i).isEqualTo(before);
                StoreAsModel.assertEqual(store, new SocialModel(GRAPH, new WriteLog(), 0, 1), GRAPH);
            }
        }
    }

    /** Also writes that the store applied wrongly, and writes with an unknown outcome. */
    @Test
    void repairUndoesWritesWithAnyOutcome() throws Exception {
        try (RedisSocialStore store = store();
                SocialTarget target = new SocialTarget(
                        SETTINGS,
                        new HalfHearted(store),
                        StateMode.LOAD_FREE_REPAIR,
                        Strategies.repair(store, GRAPH))) {
            target.prepare();
            String before = store.digest();
            ExperimentCounts tally = experiment(target, 4, 500, 5);
            assertThat(tally.errors()).isPositive();
            assertThat(store.digest()).isNotEqualTo(before);
            assertThat(target.prepare()).isEqualTo(Restoration.RESTORED);
            assertThat(store.digest()).isEqualTo(before);
        }
    }

    @Test
    void loadFreeKeepsTheModelEqualToTheStore() throws Exception {
        try (SocialTarget target = target(StateMode.LOAD_FREE, List.of());
                SocialStore store = store()) {
            target.prepare();
            for (int i = 0; i < 4; i++) {
                ExperimentCounts tally = experiment(target, 8, 1_000, i);
                assertThat(tally.errors()).isZero();
                assertThat(tally.unpredictable()).isZero();
                assertThat(target.prepare()).as("experiment %d", i).isEqualTo(Restoration.NONE);
                StoreAsModel.assertEqual(store, target.model(0), GRAPH);
            }
        }
    }

    @Test
    void aHybridRestoresBeforeEveryFourthExperiment() throws Exception {
        try (SocialTarget target = target(StateMode.LOAD_FREE_IMAGE, List.of())) {
            Restoration[] done = new Restoration[9];
            for (int i = 0; i < done.length; i++) {
                done[i] = target.prepare();
                experiment(target, 2, 50, i);
            }
            assertThat(LongStream.range(0, 9).filter(i -> done[(int) i] != Restoration.NONE))
                    .containsExactly(0L, 4L, 8L);
        }
    }

    @Test
    void severalGeneratorsWriteSideBySide() throws Exception {
        try (SocialTarget target = target(StateMode.LOAD_FREE, List.of());
                SocialStore store = store()) {
            target.prepare();
            String before = store.digest();
            try (Workload one = target.open(new Share(0, 2));
                    Workload other = target.open(new Share(1, 2))) {
                Thread beside = new Thread(() -> {
                    try {
                        assertThat(Crowd.ask(other, 4, 500, 1)).isZero();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
                beside.start();
                assertThat(Crowd.ask(one, 4, 500, 1)).isZero();
                beside.join();
                assertThat(one.findings().unpredictable()).isZero();
                assertThat(other.findings().unpredictable()).isZero();
                assertThat(one.findings().reads()).isPositive();
                assertThat(other.findings().reads()).isPositive();
            }
            // A violation: the writes of both logs are undone.
            target.after(ExperimentCounts.of(1, 0, 1, 0, 0, 0, 0));
            assertThat(target.prepare()).isEqualTo(Restoration.RESTORED);
            assertThat(store.digest()).isEqualTo(before);
        }
    }

    /** With one user, the correct value for each served one is known exactly. */
    @Test
    void everyStaleProfileIsFound() throws Exception {
        try (RedisSocialStore store = store()) {
            OldProfiles cached = new OldProfiles(store);
            try (SocialTarget target =
                    new SocialTarget(SETTINGS, cached, StateMode.LOAD_FREE, Strategies.repair(store, GRAPH))) {
                target.prepare();
                ExperimentCounts tally = experiment(target, 1, 5_000, 3);
                assertThat(cached.staleServed()).isGreaterThan(50);
                assertThat(tally.unpredictable()).isEqualTo(cached.staleServed());
                assertThat(target.counts(0).reads().stale()).isEqualTo(cached.staleServed());
                assertThat(target.prepare()).as("a violation ends load-free").isEqualTo(Restoration.RESTORED);
            }
        }
    }

    @Test
    void aRequestThatComesTooLateIsRefused() throws Exception {
        try (SocialTarget target = target(StateMode.RELOAD, List.of())) {
            target.prepare();
            Workload workload = target.open(Share.WHOLE);
            workload.close();
            assertThat(Crowd.ask(workload, 2, 3, 1)).isEqualTo(6);
            assertThat(target.counts(0).total()).isZero();
        }
    }

    /** A follower holds connections from before the leader restarted the store. */
    @Test
    void followersSurviveARestartOfTheStore() throws Exception {
        try (SocialTarget leader = target(StateMode.IMAGE, redis.command());
                SocialTarget follower = target(StateMode.IMAGE, redis.command())) {
            for (int i = 0; i < 2; i++) {
                leader.prepare();
                try (Workload one = leader.open(new Share(0, 2));
                        Workload other = follower.open(new Share(1, 2))) {
                    assertThat(Crowd.ask(one, 2, 100, i)).isZero();
                    assertThat(Crowd.ask(other, 2, 100, i)).isZero();
                    assertThat(other.findings().unpredictable()).isZero();
                }
            }
        }
    }

    @Test
    void loadFreeNeedsASymmetricMix() {
        StateStrategy none = log -> {};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SocialTarget(
                        SocialSettings.of(GRAPH, ActionMix.parse("bg-low")), store(), StateMode.LOAD_FREE, none))
                .withMessageContaining("mix is 'bg-low'; allowed with load-free");
    }

    @Test
    void aGeneratorThatComesBackDoesNotKnowTheStore() throws Exception {
        try (SocialTarget leader = target(StateMode.LOAD_FREE_IMAGE, List.of())) {
            leader.prepare();
            experiment(leader, 1, 10, 1);
            try (SocialTarget again = target(StateMode.LOAD_FREE_IMAGE, List.of())) {
                assertThatThrownBy(() -> again.open(Share.WHOLE))
                        .hasMessageContaining("does not know what its predecessor wrote");
            }
            try (SocialTarget other = target(StateMode.REPAIR, List.of())) {
                assertThatThrownBy(() -> other.open(new Share(1, 2)))
                        .hasMessageContaining("'repair' in a process that does not lead");
            }
        }
    }

    @Test
    void sessionsOfSeveralActionsThinkBetweenThem() throws Exception {
        try (RedisSocialStore store = store();
                SocialTarget target = new SocialTarget(
                        SocialSettingsBuilder.builder(SETTINGS)
                                .actionsPerSession(3)
                                .thinkMicros(700)
                                .arrivalMicros(9_000)
                                .build(),
                        store,
                        StateMode.RELOAD,
                        Strategies.reload(store, GRAPH))) {
            target.prepare();
            try (Workload workload = target.open(Share.WHOLE);
                    Workload.Session session = workload.session(0, 1)) {
                long[] thinks = new long[6];
                for (int i = 0; i < thinks.length; i++) {
                    session.request().toCompletableFuture().get();
                    thinks[i] = session.thinkMicros();
                }
                assertThat(thinks).containsExactly(700, 700, 9_000, 700, 700, 9_000);
            }
        }
    }
}
