package io.kipimo.endtoend.upgrade;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.endtoend.PagesPolicy;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two seconds of a server's window are known; after the restart come a third second and the window's end. */
final class TailsScenario implements UpgradeScenario {
    private static final int REQUESTS = 50;

    @Override
    public KipimoJob job() {
        return KipimoJob.TAILS;
    }

    @Override
    public Map<String, String> options() {
        return Map.of(
                "source.idleness",
                "1 h",
                "tails.window",
                "10 s",
                "tails.sliding-window",
                "40 s",
                "tails.sliding-every",
                "20 s");
    }

    @Override
    public Optional<Policy> policy() {
        return Optional.of(PagesPolicy.of(1_000, Duration.ofMinutes(1)));
    }

    @Override
    public void begin(JobRun run) throws Exception {
        for (int second : new int[] {0, 30, 31}) {
            tellSecond(run, second);
        }
        await("the first window has ended").atMost(PATIENCE).until(() -> !run.said(Topic.TAILS, Codecs.TAIL_WINDOW)
                .isEmpty());
    }

    @Override
    public void goOn(JobRun run) throws Exception {
        tellSecond(run, 32);
        tellSecond(run, 100);
        long end = run.startMillis() + 40_000;
        for (TailLevel level : List.of(TailLevel.SERVER, TailLevel.COMPONENT, TailLevel.TIER, TailLevel.SERVICE)) {
            await("the window includes the state from before, at level " + level)
                    .atMost(PATIENCE)
                    .untilAsserted(() -> {
                        List<TailWindow> windows = run.said(Topic.TAILS, Codecs.TAIL_WINDOW).stream()
                                .filter(w -> w.level() == level)
                                .filter(w -> w.endMillis() == end)
                                .toList();
                        assertThat(windows)
                                .extracting(TailWindow::kind)
                                .contains(TailWindowKind.TUMBLING, TailWindowKind.SLIDING);
                        for (TailWindow window : windows) {
                            int seconds = window.kind() == TailWindowKind.TUMBLING ? 3 : 4;
                            assertThat(LatencySketch.fromBytes(window.latencies())
                                            .count())
                                    .as("%s", window)
                                    .isEqualTo((long) seconds * REQUESTS);
                        }
                    });
        }
    }

    private static void tellSecond(JobRun run, int second) throws Exception {
        long[] micros = new long[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            micros[i] = 1_000L * (i + 1);
        }
        run.send(
                Topic.SERVER_OBSERVATIONS,
                "pages/web/web/web-1",
                Codecs.SERVER_OBSERVATION,
                ServerObservationBuilder.builder()
                        .service("pages")
                        .tier("web")
                        .component("web")
                        .server("web-1")
                        .vantage(Vantage.SERVER)
                        .secondMillis(run.startMillis() + 1_000L * second)
                        .counts(TrafficCountsBuilder.builder()
                                .arrivals(REQUESTS)
                                .completions(REQUESTS)
                                .connections(10)
                                .inServiceMicros(1_500_000)
                                .busyCoreMicros(1_200_000)
                                .coreMicros(2_000_000)
                                .observedMicros(1_000_000)
                                .build())
                        .latencies(LatencySketch.of(micros).toBytes())
                        .build());
    }
}
