package io.kipimo.schemas.codec;

import com.google.protobuf.ByteString;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentBuilder;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentReportBuilder;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.wire.ExperimentCountsProto;
import io.kipimo.schemas.wire.ExperimentProto;
import io.kipimo.schemas.wire.ExperimentReportProto;
import io.kipimo.schemas.wire.ExperimentStepProto;
import io.kipimo.schemas.wire.LoadModelProto;
import io.kipimo.schemas.wire.ReportStageProto;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Experiments and the reports of load generators on the wire. */
final class ExperimentCodec {
    private static final ExperimentStep[] STEPS = ExperimentStep.values();
    private static final ReportStage[] STAGES = ReportStage.values();

    /** A rating adds some experiments to those of its search. */
    static final int MOST_TRIALS = 2 * SearchTerms.MOST_EXPERIMENTS;

    /** Upper bound; sketches of any width are far smaller. */
    private static final int MOST_LATENCY_BYTES = 1 << 20;

    private ExperimentCodec() {}

    static ExperimentProto toWire(Experiment experiment) {
        return ExperimentProto.newBuilder()
                .setRatingId(experiment.ratingId())
                .setNumber(experiment.number())
                .setStep(ExperimentStepProto.forNumber(experiment.step().ordinal() + 1))
                .setTarget(experiment.target())
                .addAllGenerators(experiment.generators())
                .setModel(LoadModelProto.forNumber(experiment.model().ordinal() + 1))
                .setAmount(experiment.amount())
                .setThinkMillis(experiment.thinkMillis())
                .setWarmUpMillis(experiment.warmUpMillis())
                .setMillis(experiment.millis())
                .setBoundMicros(experiment.boundMicros())
                .setSeed(experiment.seed())
                .setIssuedAtMillis(experiment.issuedAtMillis())
                .setPrevious(toWire(experiment.previous()))
                .build();
    }

    static Experiment fromWire(ExperimentProto wire) throws InvalidRecordException {
        return ExperimentBuilder.builder()
                .ratingId(Checks.name("rating_id", wire.getRatingId()))
                .number((int) Checks.within("number", wire.getNumber(), 1, MOST_TRIALS))
                .step(Checks.constant("step", wire.getStepValue(), STEPS))
                .target(Checks.text("target", wire.getTarget()))
                .generators(generators(wire.getGeneratorsList()))
                .model(Checks.constant("model", wire.getModelValue(), RatingRequestCodec.MODELS))
                .amount(Checks.within("amount", wire.getAmount(), 0, RatingRequestCodec.LARGEST))
                .thinkMillis(RatingRequestCodec.duration("think_millis", wire.getThinkMillis(), 0))
                .warmUpMillis(
                        RatingRequestCodec.duration("warm_up_millis", wire.getWarmUpMillis(), 0))
                .millis(RatingRequestCodec.duration("millis", wire.getMillis(), 1))
                .boundMicros(
                        Checks.within(
                                "bound_micros", wire.getBoundMicros(), 1, Checks.LONGEST_MICROS))
                .seed(wire.getSeed())
                .issuedAtMillis(Checks.millis("issued_at_millis", wire.getIssuedAtMillis()))
                .previous(fromWire("previous", wire.getPrevious()))
                .build();
    }

    private static List<String> generators(List<String> wire) throws InvalidRecordException {
        Checks.within("generators", wire.size(), 0, ExperimentTerms.MOST_GENERATORS);
        Set<String> names = new HashSet<>();
        for (String generator : wire) {
            if (!names.add(Checks.text("generators", generator))) {
                throw Checks.inconsistent(
                        "generators names '" + generator + "' twice; allowed: once");
            }
        }
        return List.copyOf(wire);
    }

    static ExperimentReportProto toWire(ExperimentReport report) {
        return ExperimentReportProto.newBuilder()
                .setRatingId(report.ratingId())
                .setNumber(report.number())
                .setGenerator(report.generator())
                .setStage(ReportStageProto.forNumber(report.stage().ordinal() + 1))
                .setAtMillis(report.atMillis())
                .setCounts(toWire(report.counts()))
                .setMeasuredMillis(report.measuredMillis())
                .setPrepareMillis(report.prepareMillis())
                .setLatencies(ByteString.copyFrom(report.latencies()))
                .setLagMicros(report.lagMicros())
                .setOwnCpu(report.ownCpu())
                .setRemark(report.remark())
                .setSeed(report.seed())
                .build();
    }

    static ExperimentReport fromWire(ExperimentReportProto wire) throws InvalidRecordException {
        Checks.within("latencies", wire.getLatencies().size(), 0, MOST_LATENCY_BYTES);
        return ExperimentReportBuilder.builder()
                .ratingId(Checks.name("rating_id", wire.getRatingId()))
                .number((int) Checks.within("number", wire.getNumber(), 1, MOST_TRIALS))
                .generator(Checks.text("generator", wire.getGenerator()))
                .stage(Checks.constant("stage", wire.getStageValue(), STAGES))
                .atMillis(Checks.millis("at_millis", wire.getAtMillis()))
                .counts(fromWire("counts", wire.getCounts()))
                .measuredMillis(
                        RatingRequestCodec.duration("measured_millis", wire.getMeasuredMillis(), 0))
                .prepareMillis(
                        RatingRequestCodec.duration("prepare_millis", wire.getPrepareMillis(), 0))
                .latencies(wire.getLatencies().toByteArray())
                .lagMicros(Checks.latencyMicros("lag_micros", wire.getLagMicros()))
                .ownCpu(Checks.fraction("own_cpu", wire.getOwnCpu()))
                .remark(Checks.optionalText("remark", wire.getRemark()))
                .seed(wire.getSeed())
                .build();
    }

    static ExperimentCountsProto toWire(ExperimentCounts counts) {
        return ExperimentCountsProto.newBuilder()
                .setRequests(counts.requests())
                .setWithin(counts.within())
                .setErrors(counts.errors())
                .setReads(counts.reads())
                .setUnpredictable(counts.unpredictable())
                .setScored(counts.scored())
                .setQualitySum(counts.qualitySum())
                .setAnswered(counts.answered())
                .setWithinFromSending(counts.withinFromSending())
                .build();
    }

    static ExperimentCounts fromWire(String field, ExperimentCountsProto wire)
            throws InvalidRecordException {
        long requests = Checks.count(field + ".requests", wire.getRequests());
        long reads = Checks.count(field + ".reads", wire.getReads());
        long scored = Checks.count(field + ".scored", wire.getScored());
        long within = Checks.within(field + ".within", wire.getWithin(), 0, requests);
        return ExperimentCountsBuilder.builder()
                .requests(requests)
                .within(within)
                .errors(Checks.within(field + ".errors", wire.getErrors(), 0, requests))
                .reads(reads)
                .unpredictable(
                        Checks.within(field + ".unpredictable", wire.getUnpredictable(), 0, reads))
                .scored(scored)
                // A sum of many ones may exceed their number by rounding.
                .qualitySum(
                        Checks.within(
                                field + ".quality_sum",
                                wire.getQualitySum(),
                                0,
                                scored * (1 + 1e-9)))
                .answered(Checks.count(field + ".answered", wire.getAnswered()))
                .withinFromSending(
                        Checks.within(
                                field + ".within_from_sending",
                                wire.getWithinFromSending(),
                                within,
                                requests))
                .build();
    }
}
