package io.kipimo.core.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArbiterTest {
    private static final Arbiter.Hedging PUBLISHED = Arbiter.Hedging.PUBLISHED;

    private static Arbiter tad(int servers, int tokens, int lookAhead, Arbiter.Hedging settings) {
        return new Arbiter(pool(servers, tokens, lookAhead), settings);
    }

    private static TokenPool pool(int servers, int tokens, int lookAhead) {
        return new TokenPool(servers, new TokenPool.Tokens(tokens, lookAhead, 0.5, 1_000_000, tokens));
    }

    private static List<Integer> servers(List<Action> actions) {
        return actions.stream()
                .filter(Action.Send.class::isInstance)
                .map(action -> ((Action.Send) action).server())
                .toList();
    }

    @Test
    void theFirstResponseIsReturnedAndLaterOnesAreDroppedButNotCancelled() {
        Arbiter arbiter = tad(3, 1, 0, PUBLISHED);
        assertThat(arbiter.onRequest(7, 2, 100)).containsExactly(new Action.Send(7, 0, 0), new Action.Send(7, 1, 1));

        assertThat(arbiter.onEnd(7, 1, AttemptEnd.COMPLETED, 150))
                .containsExactly(
                        new Action.Attempted(7, 1, 1, true, AttemptEnd.COMPLETED, 50),
                        new Action.Respond(7, 1, 1, false, 50));
        assertThat(arbiter.open()).as("a copy is still out").isEqualTo(1);
        assertThat(arbiter.onEnd(7, 0, AttemptEnd.COMPLETED, 900))
                .containsExactly(new Action.Attempted(7, 0, 0, false, AttemptEnd.COMPLETED, 800));
        assertThat(arbiter.open()).isZero();
    }

    @Test
    void aCopyWithoutTokenWaitsAndIsNotSentOnceTheRequestIsAnswered() {
        Arbiter arbiter = tad(2, 1, 0, PUBLISHED);
        arbiter.onRequest(1, 1, 0);
        assertThat(servers(arbiter.onRequest(2, 2, 0))).containsExactly(1);
        assertThat(arbiter.waitingCopies()).isEqualTo(1);

        assertThat(servers(arbiter.onEnd(2, 0, AttemptEnd.COMPLETED, 10))).isEmpty();
        assertThat(arbiter.waitingCopies()).isZero();
        assertThat(servers(arbiter.onEnd(1, 0, AttemptEnd.COMPLETED, 20))).isEmpty();
    }

    @Test
    void whoCameFirstGetsTheTokenThatReturns() {
        Arbiter arbiter = tad(1, 1, 0, PUBLISHED);
        arbiter.onRequest(1, 1, 0);
        arbiter.onRequest(2, 1, 0);
        arbiter.onRequest(3, 1, 0);
        assertThat(arbiter.onEnd(1, 0, AttemptEnd.COMPLETED, 5)).contains(new Action.Send(2, 0, 0));
        assertThat(arbiter.onEnd(2, 0, AttemptEnd.COMPLETED, 9)).contains(new Action.Send(3, 0, 0));
    }

    /** A request that waits for a second server does not keep other requests from the first one. */
    @Test
    void aTokenThatIsOfNoUseToTheFirstGoesToTheNext() {
        Arbiter arbiter = tad(2, 1, 0, PUBLISHED);
        arbiter.onRequest(1, 1, 0);
        arbiter.onRequest(2, 2, 0);
        arbiter.onRequest(3, 1, 0);
        // Request 2 already runs at server 1. That copy fails, and request 3 gets the token.
        assertThat(servers(arbiter.onEnd(2, 0, AttemptEnd.FAILED, 5))).containsExactly(1);
        assertThat(arbiter.onEnd(1, 0, AttemptEnd.COMPLETED, 9)).contains(new Action.Send(2, 1, 0));
    }

    @Test
    void ofTheTokensLookedAtTheFastestServersAreTaken() {
        Arbiter arbiter = tad(4, 1, 2, PUBLISHED);
        arbiter.onRequest(1, 4, 0);
        arbiter.onEnd(1, 3, AttemptEnd.COMPLETED, 10);
        arbiter.onEnd(1, 0, AttemptEnd.COMPLETED, 40);
        arbiter.onEnd(1, 1, AttemptEnd.COMPLETED, 80);
        arbiter.onEnd(1, 2, AttemptEnd.COMPLETED, 90);
        assertThat(servers(arbiter.onRequest(2, 2, 100))).containsExactly(3, 0);
        // Drawn tokens that were put back are now at the end. Three tokens of two servers are
        // drawn.
        assertThat(servers(arbiter.onRequest(3, 1, 100))).containsExactly(1);
    }

    @Test
    void aServerWithoutHistoryCountsAsTheMedianAndGetsFewCopies() {
        TokenPool pool = new TokenPool(3, new TokenPool.Tokens(4, 3, 1, 1_000_000, 1));
        pool.take(2, server -> server == 2, 0);
        pool.giveBack(0, 0, true, 10);
        pool.giveBack(1, 0, true, 1_000);
        // Latencies 10, 1000 and unknown: unknown counts as 1000, not as 0.
        assertThat(pool.take(3, server -> false, 1_000)).first().isEqualTo(0);
        assertThat(pool.out(2)).isEqualTo(1);
        assertThat(pool.take(3, server -> false, 1_001)).containsExactlyInAnyOrder(0, 1);
        assertThat(pool.out(2)).as("no second copy at the unknown one").isEqualTo(1);
    }

    @Test
    void aHangingServerNoLongerCountsAsFast() {
        TokenPool pool = pool(2, 2, 1);
        pool.take(2, server -> false, 0);
        pool.giveBack(0, 0, true, 10);
        pool.giveBack(1, 0, true, 500);
        assertThat(pool.take(1, server -> false, 500)).containsExactly(0);
        assertThat(pool.take(1, server -> false, 5_000)).containsExactly(1);
    }

    @Test
    void cancelledAndFailedCopiesSayNothingOfSpeed() {
        TokenPool pool = pool(2, 1, 1);
        pool.take(2, server -> false, 0);
        pool.giveBack(0, 0, false, 1);
        pool.giveBack(1, 0, true, 50);
        // Server 0 is still unknown and counts as fast as the median, so it is the first in the
        // pool.
        assertThat(pool.take(1, server -> false, 50)).containsExactly(0);
        assertThatThrownBy(() -> pool.giveBack(1, 0, true, 60)).hasMessageContaining("server 1");
    }

    @Test
    void hedgedCopiesAreSentAfterTheCapOrNotAtAll() {
        Arbiter.Hedging hedging = new Arbiter.Hedging(true, 0.95, 100, 9, false);
        Arbiter arbiter = tad(4, 2, 0, hedging);
        assertThat(servers(arbiter.onRequest(1, 3, 0))).containsExactly(0);
        assertThat(servers(arbiter.onRequest(2, 2, 10))).containsExactly(1);
        assertThat(arbiter.nextTimerMicros()).isEqualTo(100);
        arbiter.onEnd(1, 0, AttemptEnd.COMPLETED, 90);

        assertThat(arbiter.onTimer(100)).as("answered already").isEmpty();
        assertThat(servers(arbiter.onTimer(110))).hasSize(1).doesNotContain(1);
        assertThat(arbiter.nextTimerMicros()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void copiesWaitForAPercentileOfResponsesIfThatIsLessThanTheCap() {
        Arbiter arbiter = tad(1, 1, 0, new Arbiter.Hedging(true, 0.9, 10_000, 1, false));
        long now = 0;
        for (int i = 1; i <= 600; i++) {
            arbiter.onRequest(i, 1, now);
            now += i;
            arbiter.onEnd(i, 0, AttemptEnd.COMPLETED, now);
        }
        assertThat(arbiter.hedgeDelayMicros()).isBetween(544L, 557L);
    }

    @Test
    void aFailedFirstCopyBringsTheHedgedOnesAtOnceAndFailsOnlyWithTheLast() {
        Arbiter arbiter = tad(3, 1, 0, new Arbiter.Hedging(true, 0.9, 1_000, 1, false));
        arbiter.onRequest(1, 2, 0);
        List<Action> afterFirst = arbiter.onEnd(1, 0, AttemptEnd.FAILED, 10);
        assertThat(servers(afterFirst)).hasSize(1);
        assertThat(afterFirst).noneMatch(Action.Respond.class::isInstance);
        assertThat(arbiter.onEnd(1, 1, AttemptEnd.FAILED, 20)).contains(new Action.Respond(1, 1, 1, true, 20));
        assertThat(arbiter.open()).isZero();
    }

    /** Every response is later than the hedge delay: without a share the work would double. */
    @Test
    void inABrownOutCopiesStayWithinTheirShareOfTheRequests() {
        Arbiter arbiter = new Arbiter(new RoundRobin(4), new Arbiter.Hedging(true, 0.95, 100, 0.05, false));
        int requests = 20_000;
        int sent = 0;
        long now = 0;
        for (int id = 0; id < requests; id++) {
            sent += servers(arbiter.onRequest(id, 2, now)).size();
            int late = servers(arbiter.onTimer(now + 100)).size();
            sent += late;
            now += 1_000;
            for (int copy = 0; copy <= late; copy++) {
                arbiter.onEnd(id, copy, AttemptEnd.COMPLETED, now);
            }
        }
        assertThat(sent).isBetween(requests + 990, requests + 1_000);
        assertThat(arbiter.withheldCopies()).isEqualTo(2L * requests - sent);
    }

    /** What was not used in calm is saved up, but not without bound. */
    @Test
    void aCalmServiceSavesTenCopies() {
        Arbiter arbiter = new Arbiter(new RoundRobin(4), new Arbiter.Hedging(true, 0.95, 100, 0.05, false));
        for (int id = 0; id < 10_000; id++) {
            arbiter.onRequest(id, 2, id);
            arbiter.onEnd(id, 0, AttemptEnd.COMPLETED, id);
        }
        for (int id = 10_000; id < 10_020; id++) {
            arbiter.onRequest(id, 2, 10_000);
        }
        assertThat(servers(arbiter.onTimer(10_200))).hasSize(10);
    }

    @Test
    void losersAreCancelledIfAsked() {
        Arbiter arbiter = tad(2, 1, 0, new Arbiter.Hedging(false, 0.9, 0, 0, true));
        arbiter.onRequest(1, 2, 0);
        assertThat(arbiter.onEnd(1, 0, AttemptEnd.COMPLETED, 5)).contains(new Action.Cancel(1, 1, 1));
        assertThat(arbiter.onEnd(1, 1, AttemptEnd.CANCELLED, 6))
                .containsExactly(new Action.Attempted(1, 1, 1, false, AttemptEnd.CANCELLED, 6));
    }

    @Test
    void roundRobinTakesTheNextInTurnWhateverTheirLoad() {
        Arbiter arbiter = new Arbiter(new RoundRobin(3), PUBLISHED);
        assertThat(servers(arbiter.onRequest(1, 2, 0))).containsExactly(0, 1);
        assertThat(servers(arbiter.onRequest(2, 2, 0))).containsExactly(2, 0);
        assertThat(servers(arbiter.onRequest(3, 9, 0))).containsExactly(1, 2, 0);
    }

    @Test
    void refusesWhatCannotBe() {
        Arbiter arbiter = tad(2, 1, 0, PUBLISHED);
        arbiter.onRequest(1, 1, 10);
        assertThatThrownBy(() -> arbiter.onRequest(1, 1, 10)).hasMessageContaining("request 1");
        assertThatThrownBy(() -> arbiter.onRequest(2, 0, 10)).hasMessageContaining("factor is 0");
        assertThatThrownBy(() -> arbiter.onRequest(2, 1, 9)).hasMessageContaining("time is 9");
        assertThatThrownBy(() -> arbiter.onEnd(1, 1, AttemptEnd.COMPLETED, 11))
                .hasMessageContaining("copy 1 of request 1");
        assertThatThrownBy(() -> new TokenPool.Tokens(0, 1, 0.5, 1, 1)).hasMessageContaining("tokens is 0");
    }

    @Test
    void anAbandonedRequestGetsNoAnswerAndNoFurtherCopies() {
        Arbiter arbiter = tad(2, 1, 0, PUBLISHED);
        arbiter.onRequest(1, 1, 0);
        arbiter.onRequest(2, 2, 0);
        arbiter.onRequest(3, 1, 0);
        assertThat(arbiter.onAbandoned(2, 5)).isEmpty();
        assertThat(arbiter.onAbandoned(3, 5)).isEmpty();
        assertThat(arbiter.onAbandoned(99, 5)).as("unknown").isEmpty();
        assertThat(arbiter.waitingCopies()).isZero();

        assertThat(arbiter.onEnd(2, 0, AttemptEnd.COMPLETED, 9))
                .containsExactly(new Action.Attempted(2, 0, 1, false, AttemptEnd.COMPLETED, 9));
        assertThat(servers(arbiter.onEnd(1, 0, AttemptEnd.COMPLETED, 10))).isEmpty();
        assertThat(arbiter.open()).isZero();
    }
}
