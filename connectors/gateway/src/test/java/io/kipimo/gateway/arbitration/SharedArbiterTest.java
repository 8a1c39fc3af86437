package io.kipimo.gateway.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedArbiterTest {
    private final AtomicLong nanos = new AtomicLong(1);
    private final SharedArbiter arbiter = new SharedArbiter(
            ListenerConfig.Dispatch.DEFAULT,
            Stream.of("s0", "s1")
                    .map(name -> ServerReporter.silent(ServerIdentity.server("shop", "web", "web", name, 0)))
                    .toList(),
            () -> nanos.addAndGet(1_000));

    /** A request and the servers of its copies, by index. */
    private static final class Sent implements Copies {
        private final Map<Integer, Integer> servers = new HashMap<>();

        @Override
        public void send(long id, int index, int server) {
            servers.put(index, server);
        }

        @Override
        public void cancel(int index) {
            throw new AssertionError("losers run on");
        }

        @Override
        public void respond(int index, boolean failed) {}
    }

    /** Sends a request twice, and ends the copies in this order. */
    private Sent request(List<Integer> order, AttemptEnd first, AttemptEnd second) {
        Sent sent = new Sent();
        long id = arbiter.request(sent, 2);
        assertThat(sent.servers).hasSize(2);
        arbiter.ended(id, order.get(0), first);
        arbiter.ended(id, order.get(1), second);
        return sent;
    }

    private long copies(boolean isWinner) {
        return arbiter.copies(0, isWinner) + arbiter.copies(1, isWinner);
    }

    @Test
    void aCopyWinsWhereItsResponseIsTheAnswer() {
        Sent sent = request(List.of(1, 0), AttemptEnd.COMPLETED, AttemptEnd.COMPLETED);
        assertThat(arbiter.copies(sent.servers.get(1), true)).isEqualTo(1);
        assertThat(copies(true)).as("the first of a request is no copy").isEqualTo(1);
        assertThat(copies(false)).isZero();
    }

    @Test
    void aCopyThatFailsOrComesLaterIsLost() {
        Sent late = request(List.of(0, 1), AttemptEnd.COMPLETED, AttemptEnd.COMPLETED);
        assertThat(arbiter.copies(late.servers.get(1), false)).isEqualTo(1);
        request(List.of(1, 0), AttemptEnd.FAILED, AttemptEnd.COMPLETED);
        request(List.of(0, 1), AttemptEnd.FAILED, AttemptEnd.FAILED);
        assertThat(copies(false)).isEqualTo(3);
        assertThat(copies(true)).isZero();
    }

    @Test
    void aCopyWhoseCallerLeftIsLost() {
        Sent sent = new Sent();
        long id = arbiter.request(sent, 2);
        arbiter.abandoned(id);
        arbiter.ended(id, 1, AttemptEnd.COMPLETED);
        assertThat(copies(true)).isZero();
        assertThat(copies(false)).isEqualTo(1);
    }
}
