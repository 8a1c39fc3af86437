package io.kipimo.harness.oracle;

import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The rules of the join, applied one by one to each event. */
final class PlainJoin implements LogReading.Reader {
    private static final long SLACK_MILLIS = 10_000;

    private final Map<String, Policy> policies;
    private final Map<QueryIdentity, Open> open = new HashMap<>();
    private final TreeMap<Long, Set<QueryIdentity>> timers = new TreeMap<>();
    private final Map<QueryIdentity, List<ExpectedRow>> rows = new HashMap<>();
    private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
    private long unnamed;
    private long watermark = Long.MIN_VALUE;

    PlainJoin(List<Policy> policies) {
        this.policies = policies.stream().collect(Collectors.toMap(Policy::service, Function.identity()));
    }

    enum Verdict {
        JOINED,
        LATE,
        DUPLICATE
    }

    private static final class Open {
        private final List<Answer> replays = new ArrayList<>();
        private final List<PartialResult> partials = new ArrayList<>();
        private final List<QueryEvent> held = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
        private Optional<Answer> answer = Optional.empty();
        private long earliestEventMillis = Long.MAX_VALUE;
        private boolean isMeasured;

        boolean hasBegun() {
            return answer.isPresent() || !partials.isEmpty();
        }

        boolean knowsStart() {
            return answer.isPresent() || partials.stream().anyMatch(partial -> partial.startedAtMillis() > 0);
        }

        long startMillis() {
            return answer.map(Answer::startedAtMillis).orElseGet(() -> partials.stream()
                    .filter(p -> !knowsStart() || p.startedAtMillis() > 0)
                    .mapToLong(p -> QueryEvent.of(p).startedAtMillis())
                    .min()
                    .orElseThrow());
        }

        /** Called when all events in time have been read. */
        long settledMillis(long windowMillis) {
            return windowMillis + (knowsStart() ? startMillis() : earliestEventMillis);
        }
    }

    Map<Verdict, Long> verdicts() {
        return verdicts;
    }

    /** Joined results of components that their answers do not name. */
    long unnamed() {
        return unnamed;
    }

    /** Receives an event of a service that has a policy; its outcome may be known later. */
    @Override
    public void accept(QueryEvent event) {
        Policy policy = policies.get(event.service());
        long window = policy.expirationWindowMillis();
        long ownEnd = event.startedAtMillis() + window;
        if (event.eventTimeMillis() > ownEnd || ownEnd <= watermark) {
            count(Verdict.LATE);
            return;
        }
        QueryIdentity key = new QueryIdentity(event.service(), event.queryId());
        Open query = open.computeIfAbsent(key, k -> new Open());
        if (!query.hasBegun() && !showsThatItsQueryIsOpen(event)) {
            if (query.held.stream().anyMatch(held -> isSame(held, event))) {
                count(Verdict.DUPLICATE);
                return;
            }
            query.held.add(event);
            query.earliestEventMillis = Math.min(query.earliestEventMillis, event.eventTimeMillis());
        } else {
            join(query, event, window);
            List<QueryEvent> held = List.copyOf(query.held);
            query.held.clear();
            held.forEach(one -> join(query, one, window));
        }
        register(query.settledMillis(window), key);
        register(query.settledMillis(window) + SLACK_MILLIS, key);
        if (query.hasBegun() && !query.isMeasured && isReady(query, policy)) {
            measure(key, query);
        }
    }

    private static boolean showsThatItsQueryIsOpen(QueryEvent event) {
        return event.isAnswer()
                ? event.answer().kind() == AnswerKind.ONLINE
                : event.partial().startedAtMillis() > 0 || event.partial().phase() == Phase.ONLINE;
    }

    private void join(Open query, QueryEvent event, long window) {
        if (query.hasBegun() && event.eventTimeMillis() > query.startMillis() + window) {
            count(Verdict.LATE);
            return;
        }
        if (!query.seen.add(part(event))) {
            count(Verdict.DUPLICATE);
            return;
        }
        if (query.isMeasured && query.startMillis() + window <= watermark) {
            count(Verdict.LATE);
            return;
        }
        count(Verdict.JOINED);
        long unnamedBefore = unnamed(query);
        query.earliestEventMillis = Math.min(query.earliestEventMillis, event.eventTimeMillis());
        if (!event.isAnswer()) {
            query.partials.add(event.partial());
        } else if (event.answer().kind() == AnswerKind.ONLINE) {
            query.answer = Optional.of(event.answer());
        } else {
            query.replays.add(event.answer());
        }
        unnamed += unnamed(query) - unnamedBefore;
    }

    private static boolean isSame(QueryEvent one, QueryEvent other) {
        return one.eventTimeMillis() == other.eventTimeMillis() && part(one).equals(part(other));
    }

    private static String part(QueryEvent event) {
        if (!event.isAnswer()) {
            return event.partial().component() + "/" + event.partial().phase();
        }
        return event.answer().kind() + (QualityOracle.isMature(event.answer()) ? "" : " that had not everything");
    }

    private static long unnamed(Open query) {
        return query.partials.stream()
                .filter(p -> query.answer.isPresent()
                        && query.answer.get().invocations().stream()
                                .noneMatch(i -> i.component().equals(p.component())))
                .count();
    }

    private void count(Verdict verdict) {
        verdicts.merge(verdict, 1L, Long::sum);
    }

    @Override
    public void advance(long newWatermark) {
        watermark = Math.max(watermark, newWatermark);
        while (!timers.isEmpty() && timers.firstKey() <= watermark) {
            long time = timers.firstKey();
            for (QueryIdentity key : timers.pollFirstEntry().getValue()) {
                Open query = open.get(key);
                if (query == null) {
                    continue;
                }
                long settled = query.settledMillis(policies.get(key.service()).expirationWindowMillis());
                if (time >= settled) {
                    query.held.forEach(held -> count(Verdict.LATE));
                    query.held.clear();
                    if (query.hasBegun() && !query.isMeasured) {
                        measure(key, query);
                    }
                }
                if (time >= settled + SLACK_MILLIS) {
                    open.remove(key);
                }
            }
        }
    }

    /** All rows so far, in order. */
    Map<QueryIdentity, List<ExpectedRow>> rows() {
        return rows;
    }

    Iterator<QueryIdentity> remembered() {
        return open.keySet().iterator();
    }

    private void register(long millis, QueryIdentity key) {
        long rounded = Math.floorDiv(millis + 999, 1000) * 1000;
        timers.computeIfAbsent(rounded, time -> new HashSet<>()).add(key);
    }

    private void measure(QueryIdentity key, Open query) {
        query.isMeasured = true;
        ExpectedRow row = new QualityOracle(policies.get(key.service()))
                .row(key, query.answer, query.replays, query.partials, List.of());
        rows.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
    }

    private static boolean isReady(Open query, Policy policy) {
        if (query.answer.isEmpty()) {
            return false;
        }
        Answer answer = query.answer.get();
        boolean isReplayed = policy.merge().kind() == MergeKind.REPLAYED_ANSWERS;
        if (answer.whyUnmeasurable().isPresent()
                && !(isReplayed
                        && answer.unmeasurable().isEmpty()
                        && answer.invocations().isEmpty())) {
            return true;
        }
        if (answer.whyUnmeasurable().isEmpty() && !answer.isDegraded()) {
            return true;
        }
        return isReplayed
                ? query.replays.stream().anyMatch(QualityOracle::isMature)
                : answer.invocations().stream().allMatch(i -> isIn(i, query));
    }

    private static boolean isIn(Invocation invocation, Open query) {
        return switch (invocation.outcome()) {
            case IN_TIME -> query.seen.contains(invocation.component() + "/" + Phase.ONLINE);
            case TIMED_OUT -> query.seen.contains(invocation.component() + "/" + Phase.MATURE);
            case FAILED, NOT_ASKED -> true;
        };
    }
}
