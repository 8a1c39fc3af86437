package io.kipimo.kafka;

import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.topics.Topic;
import java.io.Serializable;

/**
 * Describes the records of a topic, for the sources and sinks of all jobs.
 *
 * @param time event time of a record, and the owner of the clock that stamped it
 */
public record TopicRecords<T>(Topic topic, Codec<T> codec, RecordKey<T> key, EventTime<T> time)
        implements Serializable {
    public static final TopicRecords<Measurement> QUALITY =
            of(Topic.QUALITY, Codecs.MEASUREMENT, Measurement::queryId, Measurement::measuredAtMillis);
    public static final TopicRecords<QualityWindow> QUALITY_WINDOWS = of(
            Topic.QUALITY_WINDOWS,
            Codecs.QUALITY_WINDOW,
            RecordKey.scope(),
            EventTime.by(QualityWindow::endMillis, QualityWindow::service));
    public static final TopicRecords<QualityWindow> VARIANT_WINDOWS = of(
            Topic.VARIANT_WINDOWS,
            Codecs.QUALITY_WINDOW,
            window -> window.scope() + '/' + window.variant(),
            QualityWindow::endMillis);
    public static final TopicRecords<ErrorBudget> ERROR_BUDGETS =
            of(Topic.ERROR_BUDGETS, Codecs.ERROR_BUDGET, RecordKey.scope(), ErrorBudget::endMillis);
    public static final TopicRecords<CompletenessModel> COMPLETENESS =
            of(Topic.COMPLETENESS, Codecs.COMPLETENESS_MODEL, RecordKey.scope(), CompletenessModel::asOfMillis);
    public static final TopicRecords<DeadlineCurve> DEADLINES =
            of(Topic.DEADLINES, Codecs.DEADLINE_CURVE, RecordKey.scope(), DeadlineCurve::endMillis);
    public static final TopicRecords<FanOutPublication> FAN_OUT =
            of(Topic.FAN_OUT, Codecs.FAN_OUT_PUBLICATION, RecordKey.scope(), FanOutPublication::learnedAtMillis);
    public static final TopicRecords<QueryEvent> LATE_EVENTS =
            of(Topic.LATE_EVENTS, Codecs.QUERY_EVENT, QueryEvent::queryId, QueryEvent::eventTimeMillis);
    public static final TopicRecords<Decision> ADMISSION = decisions(Topic.ADMISSION);
    public static final TopicRecords<Decision> SAMPLING = decisions(Topic.SAMPLING);
    public static final TopicRecords<ReplicationDecision> REPLICATION = of(
            Topic.REPLICATION,
            Codecs.REPLICATION_DECISION,
            ReplicationDecision::service,
            EventTime.by(ReplicationDecision::issuedAtMillis, ReplicationDecision::service));
    public static final TopicRecords<TailWindow> TAILS = of(
            Topic.TAILS,
            Codecs.TAIL_WINDOW,
            TailWindow::scope,
            EventTime.by(TailWindow::endMillis, TailWindow::service));
    public static final TopicRecords<Rating> RATINGS =
            of(Topic.RATINGS, Codecs.RATING, Rating::ratingId, EventTime.by(Rating::updatedAtMillis, Rating::ratingId));
    public static final TopicRecords<Experiment> EXPERIMENTS =
            of(Topic.EXPERIMENTS, Codecs.EXPERIMENT, Experiment::ratingId, Experiment::issuedAtMillis);
    public static final TopicRecords<ExperimentReport> EXPERIMENT_RESULTS = read(
            Topic.EXPERIMENT_RESULTS,
            Codecs.EXPERIMENT_REPORT,
            ExperimentReport::atMillis,
            ExperimentReport::generator);
    public static final TopicRecords<CacheRead> READS =
            read(Topic.READS, Codecs.CACHE_READ, CacheRead::readMillis, CacheRead::service);
    public static final TopicRecords<RecordWrite> WRITES =
            read(Topic.WRITES, Codecs.RECORD_WRITE, RecordWrite::writtenMillis, RecordWrite::service);
    public static final TopicRecords<Invalidation> INVALIDATIONS =
            read(Topic.INVALIDATIONS, Codecs.INVALIDATION, Invalidation::writtenMillis, Invalidation::service);
    public static final TopicRecords<CacheUse> CACHE_USES =
            read(Topic.CACHE_USES, Codecs.CACHE_USE, CacheUse::endMillis, use -> use.service() + '/' + use.reporter());
    public static final TopicRecords<TtlEstimate> TTLS =
            of(Topic.TTLS, Codecs.TTL_ESTIMATE, TtlEstimate::scope, TtlEstimate::estimatedMillis);
    public static final TopicRecords<CachingWindow> CACHING =
            of(Topic.CACHING, Codecs.CACHING_WINDOW, CachingWindow::scope, CachingWindow::endMillis);
    public static final TopicRecords<DeadLetter> DEAD_LETTERS =
            new TopicRecords<>(Topic.DEAD_LETTERS, Codecs.DEAD_LETTER, DeadLetter::key, DeadLetter::seenAtMillis);

    /** Describes records whose key is a text. */
    public static <T> TopicRecords<T> of(Topic topic, Codec<T> codec, RecordKey.KeyText<T> key, EventTime<T> time) {
        return new TopicRecords<>(topic, codec, RecordKey.text(key), time);
    }

    /** Describes records that jobs only read, so they need no key. */
    private static <T> TopicRecords<T> read(
            Topic topic, Codec<T> codec, EventTime<T> time, RecordKey.KeyText<T> writer) {
        RecordKey<T> none = record -> {
            throw new IllegalStateException("jobs only read " + topic.suffix());
        };
        return new TopicRecords<>(topic, codec, none, EventTime.by(time, writer));
    }

    private static TopicRecords<Decision> decisions(Topic topic) {
        return of(topic, Codecs.DECISION, Decision::scope, EventTime.by(Decision::issuedAtMillis, Decision::scope));
    }
}
