package io.kipimo.loadgen.squeeze;

import io.kipimo.core.guard.Step;
import io.kipimo.core.rating.CourseStep;
import io.kipimo.core.rating.RatingResults;
import io.kipimo.core.rating.Squeeze;
import io.kipimo.core.rating.SqueezeDecision;
import io.kipimo.core.rating.SqueezeDecision.StepResult;
import io.kipimo.core.rating.SqueezeEnding;
import io.kipimo.core.rating.SqueezeInput;
import io.kipimo.core.rating.SqueezeState;
import io.kipimo.core.rating.Verdict;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.RatingTrialBuilder;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rates one server by a growing share of real traffic: {@link Squeeze} with a load balancer in front and observations
 * of the servers. The balancer's weights are always restored at the end.
 */
public final class SqueezeRun {
    private static final Logger LOG = LoggerFactory.getLogger(SqueezeRun.class);
    private static final Duration POLL = Duration.ofMillis(200);

    /** Attempts to restore the balancer. */
    private static final int RESTORES = 10;

    private final RatingRequest request;
    private final Squeeze.Squeezing settings;
    private final Steering steering;
    private final Consumer<RatingTrial> listener;
    private final List<RatingTrial> trials = new ArrayList<>();

    private SqueezeRun(
            RatingRequest request, Squeeze.Squeezing settings, Steering steering, Consumer<RatingTrial> listener) {
        this.request = request;
        this.settings = settings;
        this.steering = steering;
        this.listener = listener;
    }

    /** Settings for a squeeze; {@code raise} is the relative growth of the share. */
    public static Squeeze.Squeezing settings(RatingRequest request, double raise) {
        return new Squeeze.Squeezing(
                request.agreement(),
                raise,
                request.search().highestLoad() / 100.0,
                request.experiments().warmUpMillis(),
                request.experiments().millis(),
                Math.max(1e-12, request.experiments().earlyStopError()),
                request.experiments().patienceMillis());
    }

    /**
     * Squeezes {@code server}.
     *
     * @param request loads are percent of the traffic, and so is the highest one
     * @param listener is notified after each step
     * @throws IOException if the balancer cannot be controlled; the message says if its weights may not be restored
     * @throws InterruptedException if the thread was interrupted; the balancer is restored
     */
    public static Rating run(
            RatingRequest request,
            Squeeze.Squeezing settings,
            SqueezedServer server,
            KafkaSettings kafka,
            Steering steering,
            Consumer<RatingTrial> listener)
            throws IOException, InterruptedException {
        boolean withQuality = request.agreement().leastQuality() > 0;
        try (ServerFeed feed = new ServerFeed(kafka, server, request.agreement().boundMicros(), withQuality)) {
            return new SqueezeRun(request, settings, steering, listener).run(feed);
        }
    }

    private Rating run(ServerFeed feed) throws IOException, InterruptedException {
        boolean restored = false;
        try {
            long begun = System.currentTimeMillis();
            SqueezeState state = SqueezeState.start(steering.firstShare(), begun);
            feed.countFrom(begun);
            while (true) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                SqueezeInput input = nextInput(feed);
                long now = System.currentTimeMillis();
                Step<SqueezeState, SqueezeDecision> step = Squeeze.next(settings, state, input, now);
                SqueezeDecision decision = step.decision().orElse(null);
                if (decision instanceof SqueezeDecision.BackOff end) {
                    restore();
                    restored = true;
                    end.last().ifPresent(last -> note(last, step.next(), feed));
                    return over(end.ending());
                }
                SqueezeState next = step.next();
                if (decision instanceof SqueezeDecision.Raise raise) {
                    note(raise.passed(), state, feed);
                    double given = steering.give(raise.share());
                    long since = System.currentTimeMillis();
                    next = SqueezeState.start(given, since);
                    feed.countFrom(since);
                } else if (next.settled() && !state.settled()) {
                    feed.countFrom(now);
                }
                state = next;
            }
        } finally {
            if (!restored) {
                restore();
            }
        }
    }

    private SqueezeInput nextInput(ServerFeed feed) throws IOException, InterruptedException {
        try {
            return feed.poll(POLL, steering.restIsUp());
        } catch (InterruptException e) {
            var unused = Thread.interrupted();
            throw new InterruptedException();
        }
    }

    /** Retries, also after an interruption, because real users' requests are affected. */
    private void restore() throws IOException {
        // Sockets fail in an interrupted thread.
        boolean interrupted = Thread.interrupted();
        IOException last = null;
        for (int i = 0; i < RESTORES; i++) {
            try {
                steering.restore();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return;
            } catch (IOException e) {
                LOG.warn("the balancer could not be restored: {}", e.getMessage());
                last = e;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("weights may not be what they were before: " + last.getMessage(), last);
    }

    private void note(StepResult result, SqueezeState state, ServerFeed feed) {
        ExperimentCounts tally = result.target();
        LatencySketch latencies = feed.latencies();
        long measured = Math.max(1, feed.observedMillis());
        long answered = tally.requests() - tally.errors();
        boolean passed = result.verdict() == Verdict.PASSED;
        RatingTrial trial = RatingTrialBuilder.builder()
                .number(trials.size() + 1)
                .load(Math.max(1, Math.round(100 * result.share())))
                .purpose(TrialPurpose.CLIMB)
                .startedAtMillis(state.sinceMillis())
                .measuredMillis(measured)
                .verdict(passed ? TrialVerdict.PASSED : TrialVerdict.FAILED)
                .throughput(answered * 1e3 / measured)
                .counts(ExperimentCountsBuilder.builder(tally)
                        .answered(answered)
                        .build())
                .meanMicros(latencies.isEmpty() ? 0 : latencies.meanMicros())
                .p50Micros(quantile(latencies, 0.5))
                .p95Micros(quantile(latencies, 0.95))
                .p99Micros(quantile(latencies, 0.99))
                .remark(passed || result.measuredMillis() >= settings.stepMillis() ? "" : "decided early")
                .build();
        trials.add(trial);
        listener.accept(trial);
    }

    private static long quantile(LatencySketch latencies, double quantile) {
        return latencies.isEmpty() ? 0 : Math.round(latencies.quantileMicros(quantile));
    }

    private Rating over(SqueezeEnding ending) {
        Optional<RatingTrial> best =
                trials.stream().filter(t -> t.verdict() == TrialVerdict.PASSED).reduce((a, b) -> b);
        RatingState state =
                switch (ending) {
                    case BROKEN -> best.isPresent() ? RatingState.FOUND : RatingState.NONE;
                    case MOST_SHARE -> RatingState.AT_LEAST;
                    case REST_BROKEN, REST_DOWN, BLIND -> RatingState.CANCELLED;
                };
        return RatingResults.over(
                request,
                trials,
                new CourseStep.CourseEnd(
                        state,
                        best.map(RatingTrial::load).orElse(0L),
                        best.map(RatingTrial::throughput).orElse(0.0),
                        0,
                        state == RatingState.CANCELLED ? ending.text() : ""),
                System.currentTimeMillis());
    }
}
