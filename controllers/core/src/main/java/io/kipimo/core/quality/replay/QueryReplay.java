package io.kipimo.core.quality.replay;

import io.kipimo.core.quality.deadline.ProfileSettings;
import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.Profiling;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryJoin;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures and profiles the recorded queries of one service. All answers come first, then partial
 * results in any order; a query's items are let go as soon as nothing more can come. Every answered
 * query is handed over once. Mutable.
 */
public final class QueryReplay {
    /** Takes what came of a query. */
    @FunctionalInterface
    public interface Taker {
        /**
         * One query.
         *
         * @param profile empty where it would need results that were not recorded
         */
        void take(Measurement measurement, Optional<QueryProfile> profile);
    }

    private static final class Query {
        final Answer answer;
        final List<PartialResult> partials = new ArrayList<>();
        long awaited;

        Query(Answer answer) {
            this.answer = answer;
            this.awaited =
                    answer.invocations().stream()
                            .filter(i -> i.outcome() != Outcome.FAILED)
                            .count();
        }

        boolean awaits(PartialResult partial) {
            for (Invocation invocation : answer.invocations()) {
                if (invocation.component().equals(partial.component())) {
                    Phase phase =
                            invocation.outcome() == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE;
                    return invocation.outcome() != Outcome.FAILED && partial.phase() == phase;
                }
            }
            return false;
        }

        boolean has(PartialResult partial) {
            return partials.stream()
                    .anyMatch(
                            p ->
                                    p.phase() == partial.phase()
                                            && p.component().equals(partial.component()));
        }
    }

    private final QualitySettings measuring;
    private final ProfileSettings profiling;
    private final Taker taker;
    private final ContributionBounds bounds = new ContributionBounds();
    private final EventScanner scanner = new EventScanner();
    private final Map<String, Query> open = new LinkedHashMap<>();

    /**
     * @throws IllegalArgumentException if a metric is unknown, or the service merges nothing
     */
    public QueryReplay(Policy policy, Taker taker) {
        this.measuring = QualitySettings.of(policy);
        this.profiling = ProfileSettings.of(policy);
        this.taker = taker;
        if (!profiling.mergesPartials()) {
            throw new IllegalArgumentException(
                    "merge is REPLAYED_ANSWERS; allowed: one that merges partial results");
        }
    }

    /** Takes an answer; a second one to the same query is passed over. */
    public void add(Answer answer) {
        open.putIfAbsent(answer.queryId(), new Query(answer));
    }

    /** Takes a result; those of queries without an answer, and repetitions, are passed over. */
    public void add(PartialResult partial) {
        Query query = open.get(partial.queryId());
        if (query == null
                || !query.answer.service().equals(partial.service())
                || query.has(partial)
                || isLate(query, partial)) {
            return;
        }
        query.partials.add(partial);
        if (query.awaits(partial) && --query.awaited == 0) {
            open.remove(partial.queryId());
            finish(query);
        }
    }

    private boolean isLate(Query query, PartialResult partial) {
        return partial.completedAtMillis()
                > query.answer.startedAtMillis() + measuring.expirationWindowMillis();
    }

    /** Nothing more comes: hands over what is left. */
    public void finish() {
        open.values().forEach(this::finish);
        open.clear();
    }

    private void finish(Query query) {
        OpenQuery joined = new OpenQuery();
        accept(joined, QueryEvent.of(query.answer));
        for (PartialResult partial : query.partials) {
            accept(joined, QueryEvent.of(partial));
        }
        QueryKey key = new QueryKey(query.answer.service(), query.answer.queryId());
        Measurement joinedOnly =
                QueryJoin.measureIfComplete(key, joined, measuring)
                        .or(
                                () ->
                                        QueryJoin.measureExpired(
                                                key, joined, measuring, (event, fate) -> {}))
                        .orElseThrow();
        Measurement measurement =
                bounds.complete(joinedOnly, QueryJoin.measuredBeforeMillis(joinedOnly, measuring));
        Optional<ProfileSubject> subject =
                joined.isDegraded() || joined.hasAllResults()
                        ? ProfileSubject.of(key, joined, Optional.of(measurement))
                        : Optional.empty();
        taker.take(measurement, subject.map(s -> Profiling.profile(s, profiling)));
    }

    private void accept(OpenQuery joined, QueryEvent event) {
        QueryJoin.accept(joined, scanner.of(event), measuring, Long.MIN_VALUE, (taken, fate) -> {});
    }
}
