package io.kipimo.endtoend.upgrade;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.endtoend.PagesPolicy;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One query is measured, one waits for its second component's result, and the window of both is open. After the restart
 * that result arrives, and the first query's result is repeated.
 */
final class QualityScenario implements UpgradeScenario {
    @Override
    public KipimoJob job() {
        return KipimoJob.QUALITY;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("source.idleness", "1 h", "source.out-of-orderness", "1 s");
    }

    @Override
    public Optional<Policy> policy() {
        return Optional.of(PagesPolicy.of(1_000, Duration.ofMinutes(1)));
    }

    @Override
    public void begin(JobRun run) throws Exception {
        long start = run.startMillis();
        run.send(Topic.OBSERVATIONS, "pages/web/web-1", Codecs.OBSERVATION, second(start));
        query(run, "waiting", start);
        query(run, "measured", start);
        late(run, "measured", start);
        await().atMost(PATIENCE)
                .until(() -> !run.said(Topic.QUALITY, Codecs.MEASUREMENT).isEmpty());
    }

    @Override
    public void goOn(JobRun run) throws Exception {
        long start = run.startMillis();
        late(run, "measured", start);
        late(run, "waiting", start);
        await("the waiting query is measured").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        run.said(Topic.QUALITY, Codecs.MEASUREMENT))
                .extracting(Measurement::queryId)
                .containsExactly("waiting"));
        Measurement measured = run.said(Topic.QUALITY, Codecs.MEASUREMENT).get(0);
        assertThat(measured.completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measured.degraded()).isTrue();
        // Two of the four best items were in time.
        assertThat(measured.scores().get(0).low()).isEqualTo(0.5);

        long later = start + 60_000;
        run.send(Topic.OBSERVATIONS, "pages/web/web-1", Codecs.OBSERVATION, second(later));
        query(run, "later", later);
        await("their window includes both").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        run.said(Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW))
                .anyMatch(w ->
                        w.startMillis() <= start && w.endMillis() > start && w.samples() == 2 && w.answered() == 40));
        assertThat(run.said(Topic.LATE_EVENTS, Codecs.QUERY_EVENT)).isEmpty();
    }

    /** All events but the result of its second component. */
    private static void query(JobRun run, String id, long startMillis) throws Exception {
        run.send(
                Topic.ANSWERS,
                id,
                Codecs.ANSWER,
                AnswerBuilder.builder()
                        .service("pages")
                        .queryId(id)
                        .queryClass("all")
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(startMillis)
                        .answeredAtMillis(startMillis + 30)
                        .deadlineMillis(30)
                        .invocations(List.of(
                                new Invocation("a", Outcome.IN_TIME, 10_000),
                                new Invocation("b", Outcome.TIMED_OUT, 30_000)))
                        .items(Items.NONE)
                        .build());
        partial(run, id, "a", Phase.ONLINE, startMillis, 10, 1);
    }

    private static void late(JobRun run, String id, long startMillis) throws Exception {
        partial(run, id, "b", Phase.MATURE, startMillis, 200, 3);
    }

    private static void partial(
            JobRun run, String id, String component, Phase phase, long startMillis, long tookMillis, long firstItem)
            throws Exception {
        run.send(
                Topic.PARTIALS,
                id,
                Codecs.PARTIAL_RESULT,
                PartialResultBuilder.builder()
                        .service("pages")
                        .queryId(id)
                        .component(component)
                        .server(component + "-1")
                        .phase(phase)
                        .completedAtMillis(startMillis + tookMillis)
                        .latencyMicros(1_000 * tookMillis)
                        .items(Items.ofNumbers(
                                new long[] {firstItem, firstItem + 1}, new float[] {9 - firstItem, 8 - firstItem}))
                        .build());
    }

    private static Observation second(long startMillis) {
        return ObservationBuilder.builder()
                .service("pages")
                .tier("web")
                .server("web-1")
                .queryClass("all")
                .secondMillis(startMillis)
                .offered(40)
                .answered(40)
                .timedOut(10)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build();
    }
}
