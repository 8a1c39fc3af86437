package io.kipimo.schemas.codec;

import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.wire.ExperimentCountsProto;
import io.kipimo.schemas.wire.ExperimentProto;
import io.kipimo.schemas.wire.ExperimentReportProto;
import io.kipimo.schemas.wire.RatingProto;
import io.kipimo.schemas.wire.TrialProto;

/** Records of package {@code schemas.rating} on the wire. */
final class RatingCodec {
    private static final RecordMapping<ExperimentCounts, ExperimentCountsProto> COUNTS = RecordMapping.of(
                    ExperimentCounts.class, ExperimentCountsProto.getDefaultInstance())
            .check((path, counts, wire) ->
                    // A sum of many ones may exceed their number by rounding.
                    Checks.within(path + "quality_sum", counts.qualitySum(), 0, counts.scored() * (1 + 1e-9)));

    private static final RecordMapping<RatingTrial, TrialProto> TRIAL = RecordMapping.partly(
                    RatingTrial.class, TrialProto.getDefaultInstance())
            .with("counts", COUNTS)
            .derived();

    static final RecordMapping<Rating, RatingProto> RATING = RecordMapping.partly(
                    Rating.class, RatingProto.getDefaultInstance())
            .with("trials", TRIAL)
            .derived();

    static final RecordMapping<Experiment, ExperimentProto> EXPERIMENT = RecordMapping.partly(
                    Experiment.class, ExperimentProto.getDefaultInstance())
            .with("previous", COUNTS)
            .derived();

    static final RecordMapping<ExperimentReport, ExperimentReportProto> REPORT = RecordMapping.partly(
                    ExperimentReport.class, ExperimentReportProto.getDefaultInstance())
            .with("counts", COUNTS)
            .derived();

    private RatingCodec() {}
}
