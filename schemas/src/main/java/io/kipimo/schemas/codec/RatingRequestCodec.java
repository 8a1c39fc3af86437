package io.kipimo.schemas.codec;

import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.wire.AgreementProto;
import io.kipimo.schemas.wire.ExperimentTermsProto;
import io.kipimo.schemas.wire.LoadModelProto;
import io.kipimo.schemas.wire.RatingRequestProto;
import io.kipimo.schemas.wire.SearchTermsProto;
import io.kipimo.schemas.wire.TechniqueProto;

/** Rating requests on the wire. */
final class RatingRequestCodec {
    static final LoadModel[] MODELS = LoadModel.values();
    private static final RatingTechnique[] TECHNIQUES = RatingTechnique.values();

    /** Ten days: more than any experiment takes. */
    static final long LONGEST_MILLIS = Checks.LONGEST_MICROS / 1000;

    /** Upper bound of loads and of requests per second. */
    static final double LARGEST = 1e15;

    private RatingRequestCodec() {}

    static RatingRequestProto toWire(RatingRequest request) {
        AgreementTerms agreement = request.agreement();
        SearchTerms search = request.search();
        ExperimentTerms experiments = request.experiments();
        return RatingRequestProto.newBuilder()
                .setRatingId(request.ratingId())
                .setService(request.service())
                .setTarget(request.target())
                .setAgreement(
                        AgreementProto.newBuilder()
                                .setLeastWithin(agreement.leastWithin())
                                .setBoundMicros(agreement.boundMicros())
                                .setMostUnpredictable(agreement.mostUnpredictable())
                                .setLeastQuality(agreement.leastQuality())
                                .setMostErrors(agreement.mostErrors())
                                .setDurationMillis(agreement.durationMillis()))
                .setSearch(
                        SearchTermsProto.newBuilder()
                                .setTechnique(
                                        TechniqueProto.forNumber(search.technique().ordinal() + 1))
                                .setClimb(search.climb())
                                .setEpsilon(search.epsilon())
                                .setAccuracy(search.accuracy())
                                .setHighestLoad(search.highestLoad())
                                .setMostExperiments(search.mostExperiments()))
                .setExperiments(
                        ExperimentTermsProto.newBuilder()
                                .setModel(
                                        LoadModelProto.forNumber(experiments.model().ordinal() + 1))
                                .setUnit(experiments.unit())
                                .setThinkMillis(experiments.thinkMillis())
                                .setWarmUpMillis(experiments.warmUpMillis())
                                .setMillis(experiments.millis())
                                .setNoiseReadings(experiments.noiseReadings())
                                .setEarlyStopError(experiments.earlyStopError())
                                .setGenerators(experiments.generators())
                                .setPatienceMillis(experiments.patienceMillis())
                                .setSeed(experiments.seed()))
                .setRequestedAtMillis(request.requestedAtMillis())
                .build();
    }

    static RatingRequest fromWire(RatingRequestProto wire) throws InvalidRecordException {
        String service = wire.getService();
        return new RatingRequest(
                Checks.name("rating_id", wire.getRatingId()),
                service.isEmpty() ? service : Checks.name("service", service),
                Checks.text("target", wire.getTarget()),
                fromWire(wire.getAgreement()),
                fromWire(wire.getSearch()),
                fromWire(wire.getExperiments()),
                Checks.millis("requested_at_millis", wire.getRequestedAtMillis()));
    }

    private static AgreementTerms fromWire(AgreementProto wire) throws InvalidRecordException {
        return new AgreementTerms(
                Checks.fraction("agreement.least_within", wire.getLeastWithin()),
                Checks.within(
                        "agreement.bound_micros", wire.getBoundMicros(), 1, Checks.LONGEST_MICROS),
                Checks.fraction("agreement.most_unpredictable", wire.getMostUnpredictable()),
                Checks.fraction("agreement.least_quality", wire.getLeastQuality()),
                Checks.fraction("agreement.most_errors", wire.getMostErrors()),
                duration("agreement.duration_millis", wire.getDurationMillis(), 1));
    }

    private static SearchTerms fromWire(SearchTermsProto wire) throws InvalidRecordException {
        return new SearchTerms(
                Checks.constant("search.technique", wire.getTechniqueValue(), TECHNIQUES),
                (int) Checks.within("search.climb", wire.getClimb(), 2, 1_000),
                Checks.fraction("search.epsilon", wire.getEpsilon()),
                Checks.within("search.accuracy", wire.getAccuracy(), 1e-6, 0.1),
                Checks.within(
                        "search.highest_load", wire.getHighestLoad(), 1, SearchTerms.MOST_LOAD),
                (int)
                        Checks.within(
                                "search.most_experiments",
                                wire.getMostExperiments(),
                                1,
                                SearchTerms.MOST_EXPERIMENTS));
    }

    private static ExperimentTerms fromWire(ExperimentTermsProto wire)
            throws InvalidRecordException {
        return ExperimentTermsBuilder.builder()
                .model(Checks.constant("experiments.model", wire.getModelValue(), MODELS))
                .unit(Checks.within("experiments.unit", wire.getUnit(), 1e-6, LARGEST))
                .thinkMillis(duration("experiments.think_millis", wire.getThinkMillis(), 0))
                .warmUpMillis(duration("experiments.warm_up_millis", wire.getWarmUpMillis(), 0))
                .millis(duration("experiments.millis", wire.getMillis(), 1))
                .noiseReadings(
                        (int)
                                Checks.within(
                                        "experiments.noise_readings",
                                        wire.getNoiseReadings(),
                                        0,
                                        100))
                .earlyStopError(
                        Checks.within(
                                "experiments.early_stop_error", wire.getEarlyStopError(), 0, 0.1))
                .generators(
                        (int)
                                Checks.within(
                                        "experiments.generators",
                                        wire.getGenerators(),
                                        1,
                                        ExperimentTerms.MOST_GENERATORS))
                .patienceMillis(
                        duration("experiments.patience_millis", wire.getPatienceMillis(), 1))
                .seed(wire.getSeed())
                .build();
    }

    static long duration(String field, long millis, long least) throws InvalidRecordException {
        return Checks.within(field, millis, least, LONGEST_MILLIS);
    }
}
