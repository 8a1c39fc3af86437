package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;
import static io.kipimo.schemas.tails.TailLevel.COMPONENT;
import static io.kipimo.schemas.tails.TailLevel.SERVER;
import static io.kipimo.schemas.tails.TailLevel.SERVICE;

import com.google.protobuf.Message;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.fanout.ContributionTable;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.wire.MergePolicyProto;
import io.kipimo.schemas.wire.PolicyProto;
import java.util.List;
import java.util.Map;

/**
 * Checks that several fields of a record fit each other, which annotations cannot state. A check runs wherever a
 * message contains the record.
 */
final class RecordChecks {
    /**
     * Runs after all fields are read. The record then has allowed values in place of refused ones; the message still
     * has the refused ones.
     */
    interface Check<T> {
        /** @param path text before the names of the record's fields in error messages */
        void run(String path, T record, Message wire) throws InvalidRecordException;
    }

    /** Longest time of one observation, microseconds: a paused server reports the whole pause in one. */
    private static final long LONGEST_SECOND_MICROS = 60_000_000;

    private static final Map<Class<?>, List<? extends Check<?>>> ALL = Map.ofEntries(
            on(CacheRead.class, (path, read, wire) -> check(read)),
            on(RecordWrite.class, (path, write, wire) -> check(write)),
            on(Subscription.class, (path, subscription, wire) -> check(subscription)),
            on(Invalidation.class, (path, invalidation, wire) -> check(invalidation)),
            on(
                    CacheCounts.class,
                    (path, counts, wire) -> Checks.within(
                            path + "shared_hits", counts.sharedHits(), 0, counts.reads() - counts.clientHits())),
            on(CachingWindow.class, (path, window, wire) -> checkEnd(window.startMillis(), window.endMillis())),
            on(CompletenessModel.class, (path, model, wire) -> check(model)),
            on(ContributionTable.class, (path, table, wire) -> check(path, table)),
            on(FanOutPublication.class, (path, publication, wire) -> check(publication)),
            on(Observation.class, (path, observation, wire) -> check(observation)),
            on(Policy.class, RecordChecks::checkWindow, (path, policy, wire) -> checkFanOut(policy)),
            on(MergePolicy.class, RecordChecks::checkPreference),
            on(Answer.class, (path, answer, wire) -> check(answer)),
            on(Measurement.class, (path, measurement, wire) -> check(measurement)),
            on(
                    QualityWindow.class,
                    (path, window, wire) -> checkUnmeasurable(window.unmeasurable(), window.answered())),
            // A sum of many ones may exceed their number by rounding.
            on(
                    ExperimentCounts.class,
                    (path, counts, wire) ->
                            Checks.within(path + "quality_sum", counts.qualitySum(), 0, counts.scored() * (1 + 1e-9))),
            on(ReplicationDecision.class, (path, decision, wire) -> check(decision)),
            on(ServerObservation.class, (path, observation, wire) -> checkSecond(observation.counts())),
            on(TailWindow.class, (path, window, wire) -> check(window)));

    private RecordChecks() {}

    @SafeVarargs
    @SuppressWarnings("varargs") // Only read.
    private static <T extends Record> Map.Entry<Class<?>, List<? extends Check<?>>> on(
            Class<T> type, Check<T>... checks) {
        return Map.entry(type, List.of(checks));
    }

    @SuppressWarnings("unchecked") // Put in by their own type.
    static <T extends Record> List<Check<T>> of(Class<T> type) {
        return (List<Check<T>>) ALL.getOrDefault(type, List.of());
    }

    private static void check(CacheRead read) throws InvalidRecordException {
        if (read.kind() == CachedKind.RECORD && !read.recordKeys().isEmpty()) {
            throw Checks.inconsistent(
                    "record_keys has " + read.recordKeys().size() + " parts in a read of a record; allowed: 0");
        }
    }

    private static void check(RecordWrite write) throws InvalidRecordException {
        boolean isDelete = write.kind() == WriteKind.DELETE;
        if (isDelete && !write.document().isEmpty()) {
            throw Checks.inconsistent(
                    "document has " + write.document().length() + " characters in a delete; allowed: none");
        }
        if (!isDelete && write.document().isEmpty()) {
            throw new InvalidRecordException(
                    MISSING_FIELD, "document is empty in an " + write.kind() + "; allowed: what the write left");
        }
    }

    private static void check(Subscription subscription) throws InvalidRecordException {
        if (subscription.filter().isEmpty()) {
            throw new InvalidRecordException(MISSING_FIELD, "filter is empty; allowed: {} to select everything");
        }
    }

    private static void check(Invalidation invalidation) throws InvalidRecordException {
        if (!invalidation.isMark()) {
            Checks.name("service", invalidation.service());
            Checks.name("table", invalidation.table());
            Checks.text("key", invalidation.key(), CacheRead.LONGEST_KEY);
            if (!invalidation.change().mayLackRecord()) {
                Checks.text("record", invalidation.record(), CacheRead.LONGEST_KEY);
            }
        } else if (!(invalidation.service() + invalidation.table() + invalidation.key() + invalidation.record())
                .isEmpty()) {
            throw Checks.inconsistent(
                    "service, table, key or record is set though nothing changed; allowed: none of them");
        }
        boolean isSoft = invalidation.mode() == InvalidationMode.SOFT;
        Checks.within(
                "serve_stale_millis",
                invalidation.serveStaleMillis(),
                isSoft ? 1 : 0,
                isSoft ? CacheRead.LONGEST_TTL_MILLIS : 0);
        Checks.within(
                "retry_after_millis",
                invalidation.retryAfterMillis(),
                invalidation.change() == ResultChange.REFUSED ? 1 : 0,
                Invalidation.LONGEST_RETRY_MILLIS);
    }

    private static void checkEnd(long startMillis, long endMillis) throws InvalidRecordException {
        Checks.within("end_millis", endMillis, startMillis + 1, Checks.LATEST_MILLIS + 1);
    }

    private static void check(CompletenessModel model) throws InvalidRecordException {
        double end = 0;
        for (CalibrationBin bin : model.calibration()) {
            Checks.within("calibration.from", bin.from(), end, 1);
            end = bin.to();
        }
    }

    private static void check(FanOutPublication publication) throws InvalidRecordException {
        if (publication.model().isPresent() == (publication.state() == FanOutState.OFF)) {
            throw Checks.inconsistent("model is %s with state %s; allowed: a model with ON and SHADOW, none with OFF"
                    .formatted(publication.model().isPresent() ? "set" : "not set", publication.state()));
        }
    }

    private static void check(String path, ContributionTable table) throws InvalidRecordException {
        int components = table.components().size();
        long bytes = (long) components << table.rowBits();
        if (table.table().length != bytes) {
            throw Checks.inconsistent("%stable has %s bytes; allowed: %s, one for each component and row"
                    .formatted(path, table.table().length, bytes));
        }
        checkSize(path + "costs", table.costs().length, components);
        checkSize(path + "bias", table.bias().length, components);
    }

    private static void checkSize(String field, int size, int components) throws InvalidRecordException {
        if (size != components) {
            throw Checks.inconsistent(
                    field + " has " + size + " numbers; allowed: one for each component, " + components);
        }
    }

    private static void check(Observation observation) throws InvalidRecordException {
        checkUnmeasurable(observation.unmeasurable(), observation.answered());
        checkMissing("missing", observation.missing(), observation.timedOut());
        checkMissing("not_asked_components", observation.notAskedComponents(), observation.notAsked());
        for (CostCount cost : observation.costs()) {
            Checks.within("costs.offered", cost.offered(), 0, observation.offered());
            Checks.within("costs.answered", cost.answered(), 0, observation.answered());
        }
    }

    private static void checkMissing(String field, List<MissingCount> missing, long most)
            throws InvalidRecordException {
        for (MissingCount count : missing) {
            Checks.within(field + ".answers", count.answers(), 0, most);
        }
    }

    /** Checks that the counts of all reasons together do not exceed the number of answers. */
    private static void checkUnmeasurable(Map<Unmeasurable, Long> counts, long answered) throws InvalidRecordException {
        long left = answered;
        for (long count : counts.values()) {
            left -= Checks.within("unmeasurable.answers", count, 0, left);
        }
    }

    private static void checkWindow(String path, Policy policy, Message message) throws InvalidRecordException {
        PolicyProto wire = (PolicyProto) message;
        long window = wire.getWindowMillis();
        long slide = wire.getSlideMillis();
        // A value that its own check refused has been replaced, and is not checked again.
        boolean allowed = policy.windowMillis() == window && policy.slideMillis() == slide;
        if (allowed && (window % slide != 0 || window / slide > 1000)) {
            throw Checks.inconsistent(
                    "window_millis is " + window + "; allowed: 1 to 1000 times slide_millis, which is " + slide);
        }
    }

    private static void checkFanOut(Policy policy) throws InvalidRecordException {
        if (policy.fanOut().isEmpty()) {
            return;
        }
        List<String> own = policy.classes().stream().map(ClassPolicy::name).toList();
        List<String> named = policy.fanOut().get().classes();
        if (named.isEmpty()) {
            throw Checks.inconsistent("fan_out.classes is empty; allowed: at least one of " + String.join(", ", own));
        }
        for (String name : named) {
            if (!own.contains(name)) {
                throw Checks.inconsistent(
                        "fan_out.classes names '" + Names.printable(name) + "'; allowed: " + String.join(", ", own));
            }
        }
    }

    private static void checkPreference(String path, MergePolicy merge, Message wire) throws InvalidRecordException {
        if (merge.kind() == MergeKind.PREFERRED && ((MergePolicyProto) wire).getPreferenceCount() == 0) {
            throw Checks.inconsistent(path + "preference is empty; allowed: at least one with PREFERRED");
        }
    }

    private static void check(Answer answer) throws InvalidRecordException {
        if (answer.answeredAtMillis() < answer.startedAtMillis()) {
            throw Checks.inconsistent("answered_at_millis is %s, before started_at_millis, %s; allowed: not before"
                    .formatted(answer.answeredAtMillis(), answer.startedAtMillis()));
        }
    }

    static void check(Measurement measurement) throws InvalidRecordException {
        if (measurement.unmeasurable().isPresent() != (measurement.completeness() == Completeness.NOT_MEASURABLE)) {
            throw Checks.inconsistent("unmeasurable is %s and completeness %s; allowed: set with NOT_MEASURABLE alone"
                    .formatted(
                            measurement.unmeasurable().map(Unmeasurable::name).orElse("not set"),
                            measurement.completeness()));
        }
    }

    private static void check(ReplicationDecision decision) throws InvalidRecordException {
        if (decision.evidence().isPresent()) {
            int tiers = decision.tiers().size();
            checkFactors("evidence.from", decision.evidence().get().from(), tiers);
            checkFactors("evidence.to", decision.evidence().get().to(), tiers);
        }
    }

    private static void checkFactors(String field, List<Integer> factors, int tiers) throws InvalidRecordException {
        if (factors.size() != tiers) {
            throw Checks.inconsistent(field + " has " + factors.size() + " factors; allowed: one a tier, " + tiers);
        }
    }

    private static void checkSecond(TrafficCounts counts) throws InvalidRecordException {
        for (RecordField count : RecordFields.of(TrafficCounts.class).all()) {
            boolean isTime = count.component().equals("observedMicros");
            Checks.within(
                    "counts." + count.name(),
                    (Long) count.get(counts),
                    isTime ? 1 : 0,
                    isTime ? LONGEST_SECOND_MICROS : ServerObservation.MOST_IN_A_SECOND);
        }
    }

    private static void check(TailWindow window) throws InvalidRecordException {
        TailLevel level = window.level();
        checkNamed(level, "tier", window.tier(), level != SERVICE);
        checkNamed(level, "component", window.component(), level == COMPONENT || level == SERVER);
        checkNamed(level, "server", window.server(), level == SERVER);
        checkEnd(window.startMillis(), window.endMillis());
    }

    private static void checkNamed(TailLevel level, String field, String value, boolean expected)
            throws InvalidRecordException {
        if (expected) {
            Checks.name(field, value);
        } else if (!value.isEmpty()) {
            throw Checks.inconsistent(
                    field + " is '" + Names.printable(value) + "' at level " + level + "; allowed: empty");
        }
    }
}
