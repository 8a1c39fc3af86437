package io.kipimo.core.rating;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentReportBuilder;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.rating.SearchTerms;

/** Test requests, and a service that answers in time up to a rate and too late above it. */
final class Requests {
    static final long BOUND_MICROS = 50_000;
    static final long MILLIS = 5_000;
    private static final int PER_SHARE = 1_000;

    private Requests() {}

    /** p95 within 50 ms, open, load 1 is one request a second. */
    static RatingRequest open(int generators, long confirmationMillis, RatingTechnique technique) {
        return request(LoadModel.OPEN, 0, generators, confirmationMillis, technique);
    }

    /** As above, for one generator and closed users; load 1 is one user. */
    static RatingRequest closed(long confirmationMillis) {
        return request(LoadModel.CLOSED, 0, 1, confirmationMillis, RatingTechnique.ADAPTIVE);
    }

    /** An open load by one generator, whose experiments warm up. */
    static RatingRequest warmingUp(long warmUpMillis) {
        return request(LoadModel.OPEN, warmUpMillis, 1, 60_000, RatingTechnique.ADAPTIVE);
    }

    private static RatingRequest request(
            LoadModel model, long warmUpMillis, int generators, long confirmationMillis, RatingTechnique technique) {
        return new RatingRequest(
                "r",
                "",
                "target",
                new AgreementTerms(0.95, BOUND_MICROS, 0, 0, 0.01, confirmationMillis),
                new SearchTerms(technique, 2, 0, 0.01, SearchTerms.MOST_LOAD, 400),
                ExperimentTermsBuilder.builder()
                        .model(model)
                        .unit(1)
                        .warmUpMillis(warmUpMillis)
                        .millis(MILLIS)
                        .noiseReadings(2)
                        .generators(generators)
                        .patienceMillis(10_000)
                        .seed(1)
                        .build(),
                1_000);
    }

    /** Counts of one generator in an experiment on a service with this capacity. */
    static ExperimentReport done(Experiment experiment, String generator, double capacity) {
        boolean carried = experiment.amount() <= capacity;
        long latency = carried ? 10_000 : 100_000;
        LatencySketch latencies = new LatencySketch();
        for (int i = 0; i < PER_SHARE; i++) {
            latencies.record(latency);
        }
        long within = carried ? PER_SHARE : 0;
        return ExperimentReportBuilder.builder()
                .ratingId(experiment.ratingId())
                .number(experiment.number())
                .generator(generator)
                .stage(ReportStage.DONE)
                .atMillis(experiment.issuedAtMillis())
                .counts(ExperimentCountsBuilder.builder()
                        .requests(PER_SHARE)
                        .within(within)
                        .answered(PER_SHARE)
                        .withinFromSending(within)
                        .build())
                .measuredMillis(experiment.millis())
                .latencies(latencies.toBytes())
                .remark("")
                .seed(experiment.seed())
                .build();
    }

    static ExperimentReport report(Experiment experiment, String generator, ReportStage stage) {
        return ExperimentReportBuilder.builder()
                .ratingId(experiment.ratingId())
                .number(experiment.number())
                .generator(generator)
                .stage(stage)
                .atMillis(experiment.issuedAtMillis())
                .counts(ExperimentCounts.NONE)
                .latencies(new byte[0])
                .remark("")
                .seed(experiment.seed())
                .build();
    }
}
