package io.kipimo.harness.oracle;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The rules of the join, one after the other, event by event. */
final class PlainJoin {
    private static final long SLACK_MILLIS = 10_000;

    private final Map<String, Policy> policies;
    private final Map<QueryKey, Open> open = new HashMap<>();
    private final TreeMap<Long, Set<QueryKey>> timers = new TreeMap<>();
    private final Map<QueryKey, List<ExpectedRow>> rows = new HashMap<>();
    private long watermark = Long.MIN_VALUE;

    PlainJoin(Map<String, Policy> policies) {
        this.policies = policies;
    }

    enum Verdict {
        JOINED,
        LATE,
        DUPLICATE,
        REJECTED
    }

    private static final class Open {
        private final List<PartialResult> partials = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
        private Optional<Answer> answer = Optional.empty();
        private boolean isMeasured;

        long expiry(long windowMillis) {
            return windowMillis
                    + answer.map(Answer::startedAtMillis)
                            .orElseGet(
                                    () ->
                                            partials.stream()
                                                    .mapToLong(
                                                            p -> QueryEvent.of(p).startedAtMillis())
                                                    .min()
                                                    .orElseThrow());
        }
    }

    Verdict accept(QueryEvent event) {
        Policy policy = policies.get(event.service());
        if (policy == null) {
            return Verdict.REJECTED;
        }
        long window = policy.expirationWindowMillis();
        long time = event.eventTimeMillis();
        long ownEnd = event.startedAtMillis() + window;
        if (time > ownEnd || ownEnd <= watermark) {
            return Verdict.LATE;
        }
        QueryKey key = new QueryKey(event.service(), event.queryId());
        Open query = open.get(key);
        if (query == null) {
            query = new Open();
            open.put(key, query);
        } else if (time > query.expiry(window)) {
            return Verdict.LATE;
        }
        String part =
                event.isAnswer()
                        ? event.answer().kind().name()
                        : event.partial().component() + "/" + event.partial().phase();
        if (query.seen.contains(part)) {
            return Verdict.DUPLICATE;
        }
        if (query.isMeasured) {
            if (event.isAnswer() || !isOnlineOfInTime(event.partial(), query)) {
                return Verdict.LATE;
            }
            query.seen.add(part);
            return Verdict.JOINED;
        }
        query.seen.add(part);
        if (event.isAnswer()) {
            query.answer = Optional.of(event.answer());
        } else {
            query.partials.add(event.partial());
        }
        register(query.expiry(window), key);
        register(query.expiry(window) + SLACK_MILLIS, key);
        if (isReady(query)) {
            measure(key, query);
        }
        return Verdict.JOINED;
    }

    void advance(long newWatermark) {
        watermark = Math.max(watermark, newWatermark);
        while (!timers.isEmpty() && timers.firstKey() <= watermark) {
            long time = timers.firstKey();
            for (QueryKey key : timers.pollFirstEntry().getValue()) {
                Open query = open.get(key);
                if (query == null) {
                    continue;
                }
                long expiry = query.expiry(policies.get(key.service()).expirationWindowMillis());
                if (!query.isMeasured && time >= expiry) {
                    measure(key, query);
                }
                if (time >= expiry + SLACK_MILLIS) {
                    open.remove(key);
                }
            }
        }
    }

    /** All rows that came out, in their order. */
    Map<QueryKey, List<ExpectedRow>> rows() {
        return rows;
    }

    Iterator<QueryKey> remembered() {
        return open.keySet().iterator();
    }

    private void register(long millis, QueryKey key) {
        long rounded = Math.floorDiv(millis + 999, 1000) * 1000;
        timers.computeIfAbsent(rounded, time -> new HashSet<>()).add(key);
    }

    private void measure(QueryKey key, Open query) {
        query.isMeasured = true;
        ExpectedRow row =
                new QualityOracle(policies.get(key.service()))
                        .row(key, query.answer, query.partials);
        rows.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
    }

    private static boolean isReady(Open query) {
        return query.answer
                .map(
                        answer ->
                                !answer.isDegraded()
                                        || answer.invocations().stream()
                                                .allMatch(i -> isIn(i, query)))
                .orElse(false);
    }

    private static boolean isIn(Invocation invocation, Open query) {
        return switch (invocation.outcome()) {
            case IN_TIME -> query.seen.contains(invocation.component() + "/" + Phase.ONLINE);
            case TIMED_OUT -> query.seen.contains(invocation.component() + "/" + Phase.MATURE);
            case FAILED -> true;
        };
    }

    private static boolean isOnlineOfInTime(PartialResult partial, Open query) {
        return partial.phase() == Phase.ONLINE
                && query.answer.stream()
                        .flatMap(answer -> answer.invocations().stream())
                        .anyMatch(
                                i ->
                                        i.component().equals(partial.component())
                                                && i.outcome() == Outcome.IN_TIME);
    }
}
