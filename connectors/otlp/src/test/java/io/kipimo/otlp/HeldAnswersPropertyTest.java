package io.kipimo.otlp;

import static io.kipimo.otlp.Spans.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * In virtual time: exporters send batches of spans to receivers, each of which emits its queries and publishes closed
 * seconds up to what it has emitted, as {@code ServiceMeter} does. Event time is the newest of those seconds, of all
 * receivers, less the job's out-of-orderness. No answer may come when event time has passed the end of its query's
 * window.
 */
class HeldAnswersPropertyTest {
    private static final SpanRules RULES = SpanRulesFile.read("expected: [web]");

    /** Defaults of a policy and of the jobs. */
    private static final long WINDOW_MILLIS = 10_000;

    private static final long OUT_OF_ORDERNESS_MILLIS = 2_000;

    private static final int STEP_MILLIS = 200;

    private record Sent(Span span, long arrivalMillis) {}

    /** One process, without a socket. */
    private static final class Receiver {
        final HeldTraces held;
        final PriorityQueue<Sent> underWay = new PriorityQueue<>(Comparator.comparingLong(Sent::arrivalMillis));
        long publishedUpTo = Long.MIN_VALUE;

        Receiver(long holdMillis) {
            held = new HeldTraces(holdMillis, 1_000_000, Long.MAX_VALUE);
        }

        /** A query of 100 ms, whose late result ends after 900 ms, in batches. */
        void query(int number, long startMillis, long batchMillis, boolean hasRoot) {
            Span.Builder front = Spans.span(
                    1,
                    hasRoot ? 0 : 77,
                    SpanKind.SPAN_KIND_SERVER,
                    "GET /s",
                    startMillis - START,
                    startMillis - START + 100);
            Span.Builder web = Spans.call(2, "web", startMillis - START + 5, startMillis - START + 900);
            for (Span.Builder span : List.of(front, web)) {
                long end = span.getEndTimeUnixNano() / 1_000_000;
                long arrival = batchMillis == 0 ? end : (end / batchMillis + 1) * batchMillis;
                underWay.add(new Sent(
                        span.setTraceId(Spans.bytes("%032x".formatted(number))).build(), arrival));
            }
        }

        /** Answers that are emitted now. */
        List<ObservedQuery> step(long nowMillis) {
            while (!underWay.isEmpty() && underWay.peek().arrivalMillis() <= nowMillis) {
                held.add(ReceivedSpan.of("shop", underWay.remove().span()), nowMillis);
            }
            List<ObservedQuery> queries = new ArrayList<>();
            held.due(nowMillis).forEach(t -> queries.addAll(TraceEvents.of(RULES, t.id(), t.spans())));
            return queries;
        }

        /** The newest closed second. */
        void publish(long nowMillis) {
            long open = Math.floorDiv(held.completeUpToMillis(nowMillis), 1_000) * 1_000;
            publishedUpTo = Math.max(publishedUpTo, open - 1_000);
        }
    }

    @Property(tries = 400, seed = "20261126")
    void noReceiverMakesAnAnswerLate(
            @ForAll @IntRange(min = 1, max = 1_200) int queriesPerMinute,
            @ForAll @LongRange(min = 200, max = 60_000) long holdMillis,
            @ForAll @LongRange(min = 0, max = 5_000) long batchMillis,
            @ForAll @IntRange(min = 1, max = 3) int receivers,
            @ForAll @IntRange(min = 1, max = 3) int busy,
            @ForAll long seed) {
        Random random = new Random(seed);
        List<Receiver> all = new ArrayList<>();
        for (int i = 0; i < receivers; i++) {
            all.add(new Receiver(holdMillis));
        }
        long end = START + 200_000;
        int number = 0;
        for (long at = START;
                at < end && number < 400;
                at += 1 + (long) (-Math.log(1 - random.nextDouble()) * 60_000 / queriesPerMinute)) {
            all.get(random.nextInt(Math.min(busy, receivers))).query(++number, at, batchMillis, true);
        }
        int answered = 0;
        for (long now = START; now < end + 2 * holdMillis + 20_000; now += STEP_MILLIS) {
            for (Receiver receiver : all) {
                for (ObservedQuery query : receiver.step(now)) {
                    answered++;
                    assertThat(receiver.publishedUpTo)
                            .as("own counts")
                            .isLessThan(query.answer().answeredAtMillis());
                    long eventTime =
                            all.stream().mapToLong(r -> r.publishedUpTo).max().orElseThrow() - OUT_OF_ORDERNESS_MILLIS;
                    assertThat(eventTime)
                            .as("event time")
                            .isLessThan(query.answer().startedAtMillis() + WINDOW_MILLIS);
                }
            }
            if (now % 1_000 == 0) {
                for (Receiver receiver : all) {
                    receiver.publish(now);
                }
            }
        }
        assertThat(answered).isEqualTo(number);
    }

    /** Their callers are traced elsewhere, so that no root tells when they are complete. */
    @Property(tries = 200, seed = "20261126")
    void noReceiverMakesItsOwnAnswersLateWithoutARootEither(
            @ForAll @LongRange(min = 200, max = 60_000) long holdMillis,
            @ForAll @LongRange(min = 0, max = 5_000) long batchMillis,
            @ForAll @IntRange(min = 1, max = 60) int secondsBetween) {
        Receiver receiver = new Receiver(holdMillis);
        int number = 0;
        for (long at = START; at < START + 300_000; at += secondsBetween * 1_000L) {
            receiver.query(++number, at, batchMillis, number % 2 == 0);
        }
        int answered = 0;
        for (long now = START; now < START + 320_000 + 2 * holdMillis; now += STEP_MILLIS) {
            for (ObservedQuery query : receiver.step(now)) {
                answered++;
                assertThat(receiver.publishedUpTo).isLessThan(query.answer().answeredAtMillis());
            }
            if (now % 1_000 == 0) {
                receiver.publish(now);
            }
        }
        assertThat(answered).isEqualTo(number);
    }
}
