package io.kipimo.schemas.codec;

import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.RatingTrialBuilder;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.schemas.wire.RatingProto;
import io.kipimo.schemas.wire.RatingStateProto;
import io.kipimo.schemas.wire.TrialProto;
import io.kipimo.schemas.wire.TrialPurposeProto;
import io.kipimo.schemas.wire.TrialVerdictProto;
import java.util.ArrayList;
import java.util.List;

/** Ratings and their experiments on the wire. */
final class RatingCodec {
    private static final RatingState[] STATES = RatingState.values();
    private static final TrialPurpose[] PURPOSES = TrialPurpose.values();
    private static final TrialVerdict[] VERDICTS = TrialVerdict.values();

    private RatingCodec() {}

    static RatingProto toWire(Rating rating) {
        RatingProto.Builder wire =
                RatingProto.newBuilder()
                        .setRequest(RatingRequestCodec.toWire(rating.request()))
                        .setState(RatingStateProto.forNumber(rating.state().ordinal() + 1))
                        .setLoad(rating.load())
                        .setThroughput(rating.throughput())
                        .setNoise(rating.noise())
                        .setElapsedMillis(rating.elapsedMillis())
                        .setPredictedMillis(rating.predictedMillis())
                        .setRemark(rating.remark())
                        .setUpdatedAtMillis(rating.updatedAtMillis());
        rating.trials().forEach(trial -> wire.addTrials(toWire(trial)));
        return wire.build();
    }

    static Rating fromWire(RatingProto wire) throws InvalidRecordException {
        Checks.within("trials", wire.getTrialsCount(), 0, ExperimentCodec.MOST_TRIALS);
        List<RatingTrial> trials = new ArrayList<>(wire.getTrialsCount());
        for (TrialProto trial : wire.getTrialsList()) {
            trials.add(fromWire(trial));
        }
        return RatingBuilder.builder()
                .request(RatingRequestCodec.fromWire(wire.getRequest()))
                .state(Checks.constant("state", wire.getStateValue(), STATES))
                .trials(List.copyOf(trials))
                .load(Checks.within("load", wire.getLoad(), 0, SearchTerms.MOST_LOAD))
                .throughput(
                        Checks.within(
                                "throughput", wire.getThroughput(), 0, RatingRequestCodec.LARGEST))
                .noise(Checks.within("noise", wire.getNoise(), 0, RatingRequestCodec.LARGEST))
                .elapsedMillis(Checks.count("elapsed_millis", wire.getElapsedMillis()))
                .predictedMillis(Checks.count("predicted_millis", wire.getPredictedMillis()))
                .remark(Checks.optionalText("remark", wire.getRemark()))
                .updatedAtMillis(Checks.millis("updated_at_millis", wire.getUpdatedAtMillis()))
                .build();
    }

    static TrialProto toWire(RatingTrial trial) {
        return TrialProto.newBuilder()
                .setNumber(trial.number())
                .setLoad(trial.load())
                .setPurpose(TrialPurposeProto.forNumber(trial.purpose().ordinal() + 1))
                .setStartedAtMillis(trial.startedAtMillis())
                .setMeasuredMillis(trial.measuredMillis())
                .setPrepareMillis(trial.prepareMillis())
                .setVerdict(TrialVerdictProto.forNumber(trial.verdict().ordinal() + 1))
                .setThroughput(trial.throughput())
                .setCounts(ExperimentCodec.toWire(trial.counts()))
                .setMeanMicros(trial.meanMicros())
                .setP50Micros(trial.p50Micros())
                .setP95Micros(trial.p95Micros())
                .setP99Micros(trial.p99Micros())
                .setRemark(trial.remark())
                .build();
    }

    static RatingTrial fromWire(TrialProto wire) throws InvalidRecordException {
        return RatingTrialBuilder.builder()
                .number(
                        (int)
                                Checks.within(
                                        "number", wire.getNumber(), 1, ExperimentCodec.MOST_TRIALS))
                .load(Checks.within("load", wire.getLoad(), 1, SearchTerms.MOST_LOAD))
                .purpose(Checks.constant("purpose", wire.getPurposeValue(), PURPOSES))
                .startedAtMillis(Checks.millis("started_at_millis", wire.getStartedAtMillis()))
                .measuredMillis(
                        RatingRequestCodec.duration("measured_millis", wire.getMeasuredMillis(), 0))
                .prepareMillis(
                        RatingRequestCodec.duration("prepare_millis", wire.getPrepareMillis(), 0))
                .verdict(Checks.constant("verdict", wire.getVerdictValue(), VERDICTS))
                .throughput(
                        Checks.within(
                                "throughput", wire.getThroughput(), 0, RatingRequestCodec.LARGEST))
                .counts(ExperimentCodec.fromWire("counts", wire.getCounts()))
                .meanMicros(
                        Checks.within(
                                "mean_micros",
                                wire.getMeanMicros(),
                                0,
                                (double) Checks.LONGEST_MICROS))
                .p50Micros(Checks.latencyMicros("p50_micros", wire.getP50Micros()))
                .p95Micros(Checks.latencyMicros("p95_micros", wire.getP95Micros()))
                .p99Micros(Checks.latencyMicros("p99_micros", wire.getP99Micros()))
                .remark(Checks.optionalText("remark", wire.getRemark()))
                .build();
    }
}
