package io.kipimo.endtoend.upgrade;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.endtoend.PagesPolicy;
import io.kipimo.endtoend.PagesTails;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A trial of another factor is running. A job that is restored after a long pause must revert the trial, since its
 * effect was not observed.
 */
final class ReplicationScenario implements UpgradeScenario {
    @Override
    public KipimoJob job() {
        return KipimoJob.REPLICATION;
    }

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public Optional<Policy> policy() {
        return Optional.of(PagesPolicy.of(PagesTails.WINDOW_MILLIS, Duration.ofHours(1)));
    }

    @Override
    public void begin(JobRun run) throws Exception {
        await("a trial runs")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(PagesTails.WINDOW_MILLIS))
                .until(() -> {
                    tellWindows(run);
                    return run.said(Topic.REPLICATION, Codecs.REPLICATION_DECISION).stream()
                            .anyMatch(ReplicationDecision::inTrial);
                });
    }

    @Override
    public void goOn(JobRun run) throws Exception {
        ReplicationDecision last = run.last(Topic.REPLICATION, Codecs.REPLICATION_DECISION, d -> true);
        assertThat(last.inTrial()).isTrue();
        await("it decides again").atMost(PATIENCE).until(() -> !run.said(Topic.REPLICATION, Codecs.REPLICATION_DECISION)
                .isEmpty());
        List<ReplicationDecision> decisions = run.said(Topic.REPLICATION, Codecs.REPLICATION_DECISION);
        assertThat(decisions).allMatch(d -> d.epoch() > last.epoch());
        // Later ones lack input on a busy machine, since nothing is sent.
        assertThat(decisions.get(0).reason()).isNotEqualTo("HELD_NO_INPUT");
    }

    /** Copies help the first tier, where some requests meet a neighbour. */
    private static void tellWindows(JobRun run) throws Exception {
        long end = System.currentTimeMillis();
        tier(run, "web", 50_000, 40, end);
        tier(run, "store", 10_000, 0, end);
    }

    private static void tier(JobRun run, String tier, long usualMicros, int slow, long end) throws Exception {
        LatencySketch latencies = new LatencySketch();
        for (int i = 0; i < PagesTails.REQUESTS; i++) {
            long took = usualMicros * (80 + i % 41) / 100;
            latencies.record(i < slow ? 10 * took : took);
        }
        for (TailLevel level : new TailLevel[] {TailLevel.TIER, TailLevel.ARBITER}) {
            TailWindow window = PagesTails.window(level, tier, 50, (double) usualMicros, end, latencies);
            run.send(Topic.TAILS, window.scope(), Codecs.TAIL_WINDOW, window);
        }
    }
}
