package io.kipimo.core.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Random traffic, servers, failures and settings; the invariants are checked after every action. */
class ArbiterPropertyTest {
    private static final int REQUESTS = 150;

    /** Drives an arbiter and checks it. */
    private static final class Driver {
        final SplittableRandom random;
        final int servers;
        final TokenPool.Tokens tokens;
        final TokenPool pool;
        final Arbiter.Hedging settings;
        final Arbiter arbiter;
        final TreeMap<Long, List<Runnable>> events = new TreeMap<>();
        final Map<Long, Integer> factors = new HashMap<>();
        final Map<Long, Set<Integer>> serversUsed = new HashMap<>();
        final Map<Long, Map<Integer, Integer>> out = new HashMap<>();
        final Map<Long, Long> answered = new HashMap<>();
        final Set<Long> won = new HashSet<>();
        final Map<String, Long> sentAt = new HashMap<>();
        final int[] load;
        final StringBuilder log = new StringBuilder();
        final boolean failures;
        long now;

        Driver(long seed, int servers, boolean tad, Arbiter.Hedging settings, boolean failures) {
            this.random = new SplittableRandom(seed);
            this.servers = servers;
            this.settings = settings;
            this.failures = failures;
            this.load = new int[servers];
            this.tokens =
                    new TokenPool.Tokens(1 + random.nextInt(3), random.nextInt(4), 0.3, 1 + random.nextInt(20_000), 1);
            this.pool = tad ? new TokenPool(servers, tokens) : null;
            this.arbiter = new Arbiter(tad ? pool : new RoundRobin(servers), settings);
        }

        void run() {
            long at = 0;
            for (long id = 0; id < REQUESTS; id++) {
                at += (long) (400 * random.nextExponential());
                long request = id;
                int factor = 1 + random.nextInt(servers + 1);
                factors.put(id, factor);
                later(at, () -> apply(arbiter.onRequest(request, factor, now)));
            }
            while (!events.isEmpty() || arbiter.nextTimerMicros() != Long.MAX_VALUE) {
                long timer = arbiter.nextTimerMicros();
                if (events.isEmpty() || timer < events.firstKey()) {
                    now = Math.max(now, timer);
                    apply(arbiter.onTimer(now));
                } else {
                    var first = events.pollFirstEntry();
                    now = first.getKey();
                    first.getValue().forEach(Runnable::run);
                }
            }
        }

        void later(long at, Runnable event) {
            events.computeIfAbsent(at, key -> new ArrayList<>()).add(event);
        }

        void apply(List<Action> actions) {
            for (Action action : actions) {
                log.append(action).append('\n');
                if (action instanceof Action.Send send) {
                    sent(send);
                } else if (action instanceof Action.Cancel cancel) {
                    cancelled(cancel);
                } else if (action instanceof Action.Respond respond) {
                    responded(respond);
                } else if (action instanceof Action.Attempted attempted) {
                    assertThat(attempted.winner() && !won.add(attempted.requestId()))
                            .as("one winner")
                            .isFalse();
                    assertThat(attempted.winner() && attempted.end() != AttemptEnd.COMPLETED)
                            .isFalse();
                }
            }
            for (int server = 0; pool != null && server < servers; server++) {
                assertThat(pool.out(server)).as("tokens out").isEqualTo(load[server]);
            }
        }

        void sent(Action.Send send) {
            assertThat(answered).as("sent after the answer").doesNotContainKey(send.requestId());
            assertThat(serversUsed
                            .computeIfAbsent(send.requestId(), id -> new HashSet<>())
                            .add(send.server()))
                    .as("two copies of one request at one server: %s", send)
                    .isTrue();
            assertThat(send.index()).isEqualTo(serversUsed.get(send.requestId()).size() - 1);
            assertThat(send.index()).isLessThan(factors.get(send.requestId()));
            load[send.server()]++;
            if (pool != null) {
                assertThat(load[send.server()])
                        .as("tokens of server %s", send.server())
                        .isLessThanOrEqualTo(tokens.tokens());
            }
            out.computeIfAbsent(send.requestId(), id -> new HashMap<>()).put(send.index(), send.server());
            double slow = send.server() == 0 ? 10 : 1;
            long took = 1 + (long) (1_000 * slow * random.nextExponential());
            AttemptEnd end = failures && random.nextInt(4) == 0 ? AttemptEnd.FAILED : AttemptEnd.COMPLETED;
            later(now + took, () -> end(send.requestId(), send.index(), end));
        }

        void end(long id, int index, AttemptEnd end) {
            Integer server = out.get(id).remove(index);
            if (server != null) {
                load[server]--;
                apply(arbiter.onEnd(id, index, end, now));
            }
        }

        void cancelled(Action.Cancel cancel) {
            assertThat(settings.cancelLosers()).isTrue();
            assertThat(answered).containsKey(cancel.requestId());
            later(now + 50, () -> end(cancel.requestId(), cancel.index(), AttemptEnd.CANCELLED));
        }

        void responded(Action.Respond respond) {
            assertThat(answered.put(respond.requestId(), now))
                    .as("answered once")
                    .isNull();
            if (respond.failed()) {
                assertThat(out.get(respond.requestId()))
                        .as("no attempt is open")
                        .isEmpty();
                assertThat(serversUsed.get(respond.requestId()))
                        .hasSize(Math.min(servers, factors.get(respond.requestId())));
            }
        }
    }

    @Property(tries = 120, seed = "91", edgeCases = EdgeCasesMode.NONE)
    void tokensAndRequestsAreConserved(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 8) int servers,
            @ForAll boolean tad,
            @ForAll boolean hedging,
            @ForAll boolean cancelling,
            @ForAll boolean failures) {
        Arbiter.Hedging settings = new Arbiter.Hedging(hedging, 0.9, 2_000, 1_000, cancelling);
        Driver driver = new Driver(seed, servers, tad, settings, failures);

        driver.run();

        assertThat(driver.answered).hasSize(REQUESTS);
        assertThat(driver.arbiter.open()).isZero();
        assertThat(driver.arbiter.waitingCopies()).isZero();
        assertThat(driver.load).containsOnly(0);
        if (tad) {
            for (int server = 0; server < servers; server++) {
                assertThat(driver.pool.out(server)).isZero();
            }
        }
        Driver again = new Driver(seed, servers, tad, settings, failures);
        again.run();
        assertThat(again.log.toString()).isEqualTo(driver.log.toString());
    }
}
