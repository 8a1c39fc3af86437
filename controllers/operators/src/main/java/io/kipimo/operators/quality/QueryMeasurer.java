package io.kipimo.operators.quality;

import static io.kipimo.operators.quality.QualityMetrics.JoinCount.COMPLETE_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.DUPLICATE_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.ENDED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.EXPIRED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.JOINED_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.LATE_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.MATURE_MILLIS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.ONLINE_MILLIS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.ORPHAN_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.OVERDUE_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.PROFILED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.REJECTED_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.REJECTED_POLICIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.SAMPLED_OUT_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.SAMPLED_OUT_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.STARTED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.UNMEASURABLE_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.UNMEASURED_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.UNNAMED_RESULTS;
import static org.apache.flink.util.function.FunctionUtils.uncheckedFunction;
import static org.apache.flink.util.function.FunctionUtils.uncheckedSupplier;

import io.kipimo.core.quality.deadline.ProfileBudget;
import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.Profiling;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.operators.metrics.ConservedCounters;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.QualityMetrics.JoinCount;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a join operator that does not depend on how queries are stored: policies, the output of the operator's
 * {@link JoinEngine}s, and counters. An instance is for one thread.
 */
final class QueryMeasurer implements JoinOutput {
    private static final Logger LOG = LoggerFactory.getLogger(QueryMeasurer.class);
    private static final long QUIET_MILLIS = 60_000;

    private final PolicyBook<QualitySettings> policies;
    private final ClassFold classes;
    private final String topicPrefix;
    private final ProfileBudget profileBudget;
    private final boolean profiles;
    private final Output<StreamRecord<Measurement>> output;
    private final ProcessingTimeService clock;
    private final ConservedCounters<JoinCount> counts = new ConservedCounters<>(JoinCount.values());
    private final BroadcastState<String, Policy> policyState;
    private final Function<String, QualitySettings> settingsByService = uncheckedFunction(this::settingsOf);
    private QualityMetrics metrics;

    /**
     * Service of the last event, cached because successive events mostly share it; null: its settings may have changed.
     */
    private String lastService;

    private QualitySettings lastSettings;
    private long quietUntilMillis;

    QueryMeasurer(
            JoinSettings settings,
            StateInitializationContext context,
            Output<StreamRecord<Measurement>> output,
            ProcessingTimeService clock)
            throws Exception {
        this.policies = settings.policies();
        this.classes = settings.classes();
        this.topicPrefix = settings.topicPrefix();
        this.profileBudget = new ProfileBudget(settings.profilesPerSecond());
        this.profiles = settings.profilesPerSecond() > 0;
        this.output = output;
        this.clock = clock;
        counts.initialize(context, "join-counts");
        policyState = context.getOperatorStateStore().getBroadcastState(PolicyBook.STATE);
    }

    /** Creates an engine that uses the policies and the output of this object. */
    JoinEngine engine(QueryStore store) {
        return new JoinEngine(store, settingsByService, profiles, this);
    }

    private QualitySettings settingsOf(String service) throws Exception {
        if (!service.equals(lastService)) {
            lastSettings = policies.find(policyState, service);
            lastService = service;
        }
        return lastSettings;
    }

    void open(MetricGroup group) {
        metrics = new QualityMetrics(group, counts);
        classes.open(group);
    }

    void snapshot() throws Exception {
        counts.snapshot();
    }

    void update(Policy policy) throws Exception {
        lastService = null;
        if (policies.update(policyState, policy) != null) {
            counts.increment(REJECTED_POLICIES);
        }
    }

    /**
     * Emits a dead letter for an event of an unknown service. Only counts the event if the service's policy was
     * removed.
     */
    void reject(LoggedEvent event) throws Exception {
        if (PolicyBook.isRemoved(policyState, event.key().service())) {
            counts.increment(UNMEASURED_EVENTS);
            return;
        }
        counts.increment(REJECTED_EVENTS);
        output.collect(QueryJoinOperator.DEAD_LETTERS_OUTPUT, new StreamRecord<>(unknownService(event)));
    }

    void count(JoinCount name) {
        counts.increment(name);
    }

    @Override
    public void onBegin(QueryKey key) {
        counts.increment(STARTED_QUERIES);
        metrics.sampled(key);
    }

    @Override
    public void onFate(SampledEvent event, JoinResult fate) {
        switch (fate) {
            case LATE -> late((LoggedEvent) event);
            case DUPLICATE -> counts.increment(DUPLICATE_EVENTS);
            case JOINED -> counts.increment(JOINED_EVENTS);
        }
    }

    @Override
    public void onOverdue() {
        counts.increment(OVERDUE_EVENTS);
    }

    @Override
    public void onSampledOut() {
        counts.increment(SAMPLED_OUT_EVENTS);
    }

    @Override
    public void onSampledOutQuery() {
        counts.increment(SAMPLED_OUT_QUERIES);
    }

    @Override
    public void onEnd() {
        counts.increment(ENDED_QUERIES);
    }

    private void late(LoggedEvent event) {
        counts.increment(LATE_EVENTS);
        metrics.late(event.isAnswer() ? "answer" : event.component());
        output.collect(
                QueryJoinOperator.LATE_EVENTS_OUTPUT,
                new StreamRecord<>(event.toQueryEvent(), event.eventTimeMillis()));
    }

    /**
     * Emits the measurement. Its record's timestamp is {@code measuredBeforeMillis}, which
     * {@link ExpiredBoundsOperator} uses.
     */
    @Override
    public void onMeasurement(Measurement measured, long measuredBeforeMillis) {
        counts.increment(
                switch (measured.completeness()) {
                    case COMPLETE -> COMPLETE_QUERIES;
                    case EXPIRED -> EXPIRED_QUERIES;
                    case ORPHAN -> ORPHAN_QUERIES;
                    case NOT_MEASURABLE -> UNMEASURABLE_QUERIES;
                });
        Measurement measurement = measured.ofClass(foldedClass(measured.service(), measured.queryClass()));
        output.collect(new StreamRecord<>(measurement, measuredBeforeMillis));
    }

    @Override
    public void onUnnamedResults(int results) {
        counts.add(UNNAMED_RESULTS, results);
    }

    @Override
    public void onTimes(long onlineMillis, long matureMillis) {
        counts.add(ONLINE_MILLIS, onlineMillis);
        counts.add(MATURE_MILLIS, matureMillis);
    }

    @Override
    public void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        QualitySettings settings = settingsByService.apply(key.service());
        if (settings != null
                && settings.mergesPartials()
                && profileBudget.admits(ConsistentSampling.randomness(key), clock.getCurrentProcessingTime())) {
            ProfileSubject.of(key, query, measurement).ifPresent(subject -> profile(subject, settings));
        }
    }

    @Override
    public void onFailure(QueryKey key, RuntimeException failure) {
        long now = clock.getCurrentProcessingTime();
        if (now >= quietUntilMillis) {
            quietUntilMillis = now + QUIET_MILLIS;
            LOG.warn(
                    "query {} of service {} cannot be compared: {}",
                    Names.printable(key.queryId()),
                    key.service(),
                    failure.toString());
        }
    }

    private void profile(ProfileSubject subject, QualitySettings settings) {
        counts.increment(PROFILED_QUERIES);
        QueryProfile profile;
        try {
            profile =
                    Profiling.profile(subject, settings).ofClass(foldedClass(subject.service(), subject.queryClass()));
        } catch (RuntimeException e) {
            // One query's data stops nothing but its own profile.
            onFailure(new QueryKey(subject.service(), "of a profile"), e);
            return;
        }
        output.collect(QueryJoinOperator.PROFILES_OUTPUT, new StreamRecord<>(profile, profile.profiledAtMillis()));
    }

    private String foldedClass(String service, String queryClass) {
        return uncheckedSupplier(() -> classes.fold(policyState, service, queryClass))
                .get();
    }

    private DeadLetter unknownService(LoggedEvent event) {
        return new DeadLetter(
                (event.isAnswer() ? Topic.ANSWERS : Topic.PARTIALS).name(topicPrefix),
                event.partition(),
                event.offset(),
                RejectionReason.UNKNOWN_SERVICE,
                Objects.requireNonNullElse(
                        policies.problem(event.key().service()),
                        "service is '" + event.key().service() + "'; allowed: one that has a policy"),
                event.key().queryId().getBytes(StandardCharsets.UTF_8),
                event.wire(),
                clock.getCurrentProcessingTime());
    }
}
