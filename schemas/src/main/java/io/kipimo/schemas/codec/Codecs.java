package io.kipimo.schemas.codec;

import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.CacheReadProto;
import io.kipimo.schemas.wire.CacheTruthProto;
import io.kipimo.schemas.wire.CacheUseProto;
import io.kipimo.schemas.wire.CachingWindowProto;
import io.kipimo.schemas.wire.CompletenessModelProto;
import io.kipimo.schemas.wire.DeadLetterProto;
import io.kipimo.schemas.wire.DeadlineCurveProto;
import io.kipimo.schemas.wire.DecisionProto;
import io.kipimo.schemas.wire.EpochClaimProto;
import io.kipimo.schemas.wire.ErrorBudgetProto;
import io.kipimo.schemas.wire.ExperimentProto;
import io.kipimo.schemas.wire.ExperimentReportProto;
import io.kipimo.schemas.wire.FanOutPublicationProto;
import io.kipimo.schemas.wire.InvalidationProto;
import io.kipimo.schemas.wire.MeasurementProto;
import io.kipimo.schemas.wire.ObservationProto;
import io.kipimo.schemas.wire.PartialResultProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.QueryEventProto;
import io.kipimo.schemas.wire.RatingProto;
import io.kipimo.schemas.wire.RecordWriteProto;
import io.kipimo.schemas.wire.ReplicaTruthProto;
import io.kipimo.schemas.wire.ReplicationDecisionProto;
import io.kipimo.schemas.wire.ServerObservationProto;
import io.kipimo.schemas.wire.SubscriptionProto;
import io.kipimo.schemas.wire.TailWindowProto;
import io.kipimo.schemas.wire.TtlEstimateProto;
import java.util.List;

/** All codecs. */
public final class Codecs {
    public static final Codec<Answer> ANSWER = ProtobufCodec.of(
            Answer.class, AnswerProto.getDefaultInstance(), QualityCodecs::toWire, QualityCodecs::fromWire);
    public static final Codec<PartialResult> PARTIAL_RESULT = ProtobufCodec.of(
            PartialResult.class,
            PartialResultProto.getDefaultInstance(),
            QualityCodecs::toWire,
            QualityCodecs::fromWire);
    public static final Codec<QueryEvent> QUERY_EVENT = ProtobufCodec.of(
            QueryEvent.class, QueryEventProto.getDefaultInstance(), QualityCodecs::toWire, QualityCodecs::fromWire);
    public static final Codec<Observation> OBSERVATION =
            ProtobufCodec.of(Observation.class, ObservationProto.getDefaultInstance());
    public static final Codec<Measurement> MEASUREMENT = ProtobufCodec.of(
                    Measurement.class,
                    MeasurementProto.getDefaultInstance(),
                    QualityCodecs.MEASUREMENT::toWire,
                    MeasurementWire::read)
            .writtenBy(MeasurementWire::write);
    public static final Codec<QualityWindow> QUALITY_WINDOW = ProtobufCodec.of(QualityCodecs.WINDOW);
    public static final Codec<Decision> DECISION = ProtobufCodec.of(Decision.class, DecisionProto.getDefaultInstance());
    public static final Codec<EpochClaim> EPOCH_CLAIM =
            ProtobufCodec.of(EpochClaim.class, EpochClaimProto.getDefaultInstance());
    public static final Codec<Policy> POLICY = ProtobufCodec.of(
            Policy.class, PolicyProto.getDefaultInstance(), PolicyCodec::toWire, PolicyCodec::fromWire);
    public static final Codec<DeadLetter> DEAD_LETTER =
            ProtobufCodec.of(DeadLetter.class, DeadLetterProto.getDefaultInstance());

    public static final Codec<DeadlineCurve> DEADLINE_CURVE =
            ProtobufCodec.of(RecordMapping.of(DeadlineCurve.class, DeadlineCurveProto.getDefaultInstance())
                    .unset("fanOut", FanOutCurve.NONE));
    public static final Codec<ErrorBudget> ERROR_BUDGET =
            ProtobufCodec.of(ErrorBudget.class, ErrorBudgetProto.getDefaultInstance());
    public static final Codec<CompletenessModel> COMPLETENESS_MODEL =
            ProtobufCodec.of(CompletenessModel.class, CompletenessModelProto.getDefaultInstance());
    public static final Codec<FanOutPublication> FAN_OUT_PUBLICATION =
            ProtobufCodec.of(FanOutPublication.class, FanOutPublicationProto.getDefaultInstance());
    public static final Codec<ReplicationDecision> REPLICATION_DECISION =
            ProtobufCodec.of(ReplicationDecision.class, ReplicationDecisionProto.getDefaultInstance());
    public static final Codec<ServerObservation> SERVER_OBSERVATION =
            ProtobufCodec.of(ServerObservation.class, ServerObservationProto.getDefaultInstance());
    public static final Codec<TailWindow> TAIL_WINDOW =
            ProtobufCodec.of(TailWindow.class, TailWindowProto.getDefaultInstance());
    public static final Codec<ReplicaTruth> REPLICA_TRUTH =
            ProtobufCodec.of(ReplicaTruth.class, ReplicaTruthProto.getDefaultInstance());
    public static final Codec<CacheRead> CACHE_READ =
            ProtobufCodec.of(CacheRead.class, CacheReadProto.getDefaultInstance());
    public static final Codec<TtlEstimate> TTL_ESTIMATE =
            // ANY is left unset: writers of older versions, which do not know the field, leave it
            // unset, too.
            ProtobufCodec.of(RecordMapping.of(TtlEstimate.class, TtlEstimateProto.getDefaultInstance())
                    .unset("representation", ResultRepresentation.ANY));
    public static final Codec<RecordWrite> RECORD_WRITE =
            ProtobufCodec.of(RecordWrite.class, RecordWriteProto.getDefaultInstance());
    public static final Codec<Subscription> SUBSCRIPTION =
            ProtobufCodec.of(Subscription.class, SubscriptionProto.getDefaultInstance());
    public static final Codec<Invalidation> INVALIDATION =
            ProtobufCodec.of(Invalidation.class, InvalidationProto.getDefaultInstance());
    public static final Codec<CachingWindow> CACHING_WINDOW =
            ProtobufCodec.of(CachingWindow.class, CachingWindowProto.getDefaultInstance());
    public static final Codec<CacheUse> CACHE_USE =
            ProtobufCodec.of(CacheUse.class, CacheUseProto.getDefaultInstance());
    public static final Codec<CacheTruth> CACHE_TRUTH =
            ProtobufCodec.of(CacheTruth.class, CacheTruthProto.getDefaultInstance());

    public static final Codec<Rating> RATING = ProtobufCodec.of(Rating.class, RatingProto.getDefaultInstance());
    public static final Codec<Experiment> EXPERIMENT =
            ProtobufCodec.of(Experiment.class, ExperimentProto.getDefaultInstance());
    public static final Codec<ExperimentReport> EXPERIMENT_REPORT =
            ProtobufCodec.of(ExperimentReport.class, ExperimentReportProto.getDefaultInstance());

    private static final List<Codec<?>> ALL = List.of(
            ANSWER,
            PARTIAL_RESULT,
            QUERY_EVENT,
            OBSERVATION,
            MEASUREMENT,
            QUALITY_WINDOW,
            DECISION,
            EPOCH_CLAIM,
            POLICY,
            DEAD_LETTER,
            DEADLINE_CURVE,
            ERROR_BUDGET,
            COMPLETENESS_MODEL,
            REPLICATION_DECISION,
            SERVER_OBSERVATION,
            TAIL_WINDOW,
            REPLICA_TRUTH,
            CACHE_READ,
            TTL_ESTIMATE,
            RECORD_WRITE,
            SUBSCRIPTION,
            INVALIDATION,
            CACHING_WINDOW,
            CACHE_USE,
            CACHE_TRUTH,
            RATING,
            EXPERIMENT,
            EXPERIMENT_REPORT,
            FAN_OUT_PUBLICATION);

    private Codecs() {}

    public static List<Codec<?>> all() {
        return ALL;
    }

    /**
     * Finds the codec of message {@code name}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Codec<?> named(String name) {
        return ALL.stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no message " + name));
    }
}
