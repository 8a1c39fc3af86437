package io.kipimo.endtoend.upgrade;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentReportBuilder;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.topics.Topic;
import java.util.Map;
import java.util.Optional;

/**
 * A load generator prepares the first experiment of a rating. Another service was rated, and its mix of requests is
 * known. After the restart the generator is ready, and the mix has changed.
 */
final class RatingScenario implements UpgradeScenario {
    private static final String GENERATOR = "generator-1";

    @Override
    public KipimoJob job() {
        return KipimoJob.RATING;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("rating.stale.profile", "10 s");
    }

    @Override
    public Optional<Policy> policy() {
        return Optional.empty();
    }

    @Override
    public void begin(JobRun run) throws Exception {
        long start = run.startMillis();
        Rating found = found(request("rated", "shop", start), start);
        run.send(Topic.RATINGS, found.ratingId(), Codecs.RATING, found);
        Rating wanted = Rating.requested(request("wanted", "", start));
        run.send(Topic.RATINGS, wanted.ratingId(), Codecs.RATING, wanted);
        report(run, awaitCommand(run, ExperimentStep.ROLL_CALL), ReportStage.HERE);
        awaitCommand(run, ExperimentStep.PREPARE);
        // The job read the rating first, since it is before the other one in the topic.
        requests(run, "high", 0);
        requests(run, "high", 10);
    }

    @Override
    public void goOn(JobRun run) throws Exception {
        Experiment prepare = run.last(Topic.EXPERIMENTS, Codecs.EXPERIMENT, e -> e.step() == ExperimentStep.PREPARE);
        report(run, prepare, ReportStage.READY);
        Experiment running = awaitCommand(run, ExperimentStep.RUN);
        assertThat(running.generators()).containsExactly(GENERATOR);
        assertThat(running.seed()).isEqualTo(prepare.seed());

        for (int second = 20; second <= 60; second += 10) {
            requests(run, "low", second);
        }
        await("the rating of the other service is stale").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        run.said(Topic.RATINGS, Codecs.RATING))
                .filteredOn(r -> r.state() == RatingState.STALE)
                .extracting(Rating::ratingId)
                .containsExactly("rated"));
    }

    private static Experiment awaitCommand(JobRun run, ExperimentStep step) {
        return await("the command " + step)
                .atMost(PATIENCE)
                .until(
                        () -> run.said(Topic.EXPERIMENTS, Codecs.EXPERIMENT).stream()
                                .filter(e -> e.step() == step)
                                .findFirst(),
                        java.util.Optional::isPresent)
                .orElseThrow();
    }

    private static void report(JobRun run, Experiment experiment, ReportStage stage) throws Exception {
        run.send(
                Topic.EXPERIMENT_RESULTS,
                experiment.ratingId(),
                Codecs.EXPERIMENT_REPORT,
                ExperimentReportBuilder.builder()
                        .ratingId(experiment.ratingId())
                        .number(experiment.number())
                        .generator(GENERATOR)
                        .stage(stage)
                        .atMillis(System.currentTimeMillis())
                        .counts(ExperimentCounts.NONE)
                        .latencies(new byte[0])
                        .remark("")
                        .seed(experiment.seed())
                        .build());
    }

    private static void requests(JobRun run, String queryClass, int second) throws Exception {
        run.send(
                Topic.OBSERVATIONS,
                "shop/web/web-1",
                Codecs.OBSERVATION,
                ObservationBuilder.builder()
                        .service("shop")
                        .tier("web")
                        .server("web-1")
                        .queryClass(queryClass)
                        .secondMillis(run.startMillis() + 1_000L * second)
                        .offered(400)
                        .answered(400)
                        .bill(MeasurementBill.NOTHING)
                        .admittedFraction(1)
                        .build());
    }

    private static RatingRequest request(String id, String service, long atMillis) {
        return new RatingRequest(
                id,
                service,
                "target-" + id,
                new AgreementTerms(0.9, 30_000_000, 0, 0, 0.01, 1),
                new SearchTerms(RatingTechnique.APPROXIMATE, 2, 0, 0.001, 1_000, 100),
                ExperimentTermsBuilder.builder()
                        .model(LoadModel.CLOSED)
                        .unit(1)
                        .millis(600_000)
                        .generators(1)
                        .patienceMillis(600_000)
                        .seed(7)
                        .build(),
                atMillis);
    }

    private static Rating found(RatingRequest request, long atMillis) {
        return RatingBuilder.builder()
                .request(request)
                .state(RatingState.FOUND)
                .load(6)
                .throughput(24)
                .elapsedMillis(1_000)
                .predictedMillis(1_000)
                .remark("")
                .updatedAtMillis(atMillis)
                .build();
    }
}
