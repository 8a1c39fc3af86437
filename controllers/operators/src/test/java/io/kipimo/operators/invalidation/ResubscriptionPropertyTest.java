package io.kipimo.operators.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Value;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;

/**
 * Queries that are subscribed again and again, by several instances of an origin, while writes and subscriptions are on
 * their way to the job in any order that the topics and the exchange between operators allow.
 */
class ResubscriptionPropertyTest {
    private static final String COLLECTION = "shop/posts";
    private static final int MOST_ROWS = 2;
    private static final int RECORDS = 3;
    private static final int SLACK = 1;
    private static final SpreadKeys CELLS = SpreadKeys.of(MOST_ROWS);

    @Property(tries = 300, seed = "42")
    void whatWasHandedOutAndChangedIsTold(@ForAll long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int replayMillis = random.nextBoolean() ? 40 : 100_000;
        int rows = 1 + random.nextInt(MOST_ROWS);
        try (Scenario scenario = new Scenario(random, replayMillis, rows)) {
            // Short ones, since a repeated notification hides a missing one.
            scenario.run(10 + random.nextInt(40));
        }
    }

    private record Post(int author, int price, long version, long writtenMillis) {
        Document document() {
            return Document.builder()
                    .put("author", new Value.Int64(author))
                    .put("price", new Value.Int64(price))
                    .build();
        }

        String json() {
            return "{\"author\": " + author + ", \"price\": " + price + "}";
        }
    }

    /** With its result, written in Java. */
    private record Query(
            String key,
            String filter,
            Predicate<Post> selects,
            String sort,
            int offset,
            int limit,
            ResultRepresentation form) {
        boolean isSorted() {
            return !sort.isEmpty();
        }

        /** The origin's result; of a sorted query from the first record, with some more after the window. */
        List<Map.Entry<String, Post>> known(Map<String, Post> store) {
            Comparator<Map.Entry<String, Post>> order = isSorted()
                    ? Comparator.comparingInt(e -> e.getValue().price())
                    : Comparator.comparing(Map.Entry::getKey);
            return store.entrySet().stream()
                    .filter(e -> selects.test(e.getValue()))
                    .sorted(order.thenComparing(Map.Entry::getKey))
                    .limit(limit == 0 ? Long.MAX_VALUE : offset + limit + SLACK)
                    .toList();
        }

        /** What is cached: equal as long as it is fresh. */
        List<String> cached(Map<String, Post> store) {
            return known(store).stream()
                    .skip(offset)
                    .limit(limit == 0 ? Long.MAX_VALUE : limit)
                    .map(e -> form == ResultRepresentation.ID_LIST
                            ? e.getKey()
                            : e.getKey() + '@' + e.getValue().version())
                    .toList();
        }
    }

    private static final List<Query> QUERIES = List.of(
            new Query(
                    "/objects",
                    "{\"author\": 1}",
                    post -> post.author() == 1,
                    "",
                    0,
                    0,
                    ResultRepresentation.OBJECT_LIST),
            new Query(
                    "/ids",
                    "{\"price\": {\"$gte\": 3}}",
                    post -> post.price() >= 3,
                    "",
                    0,
                    0,
                    ResultRepresentation.ID_LIST),
            new Query(
                    "/cheapest",
                    "{\"author\": {\"$lte\": 1}}",
                    post -> post.author() <= 1,
                    "{\"price\": 1}",
                    0,
                    2,
                    ResultRepresentation.ID_LIST),
            new Query(
                    "/second",
                    "{\"author\": 0}",
                    post -> post.author() == 0,
                    "{\"price\": 1}",
                    1,
                    1,
                    ResultRepresentation.OBJECT_LIST));

    /**
     * A result that a client got.
     *
     * @param step when it was evaluated
     * @param writes that there were when it was answered
     */
    private record HandedOut(Query query, int step, int writes, List<String> content) {}

    /** Evaluated, and not in the topic yet. */
    private record Registering(
            Query query, int step, List<String> content, Subscription subscription, boolean isAfterUnknown) {}

    /** Origin, topics, and the job's operators, each of whose inputs is in order by itself. */
    private static final class Scenario implements AutoCloseable {
        private final SplittableRandom random;
        private final InvalidationSettings settings;
        private final List<Query> queries;
        private final KeyedTwoInputStreamOperatorTestHarness<Integer, SubscriptionChange, QueryWorth, CellInput> gate;
        private final KeyedOneInputStreamOperatorTestHarness<Integer, CellInput, ResultInput> cells;
        private final KeyedOneInputStreamOperatorTestHarness<String, ResultInput, Notification> results;

        private final Map<String, Post> store = new TreeMap<>();
        private final Map<String, Long> versions = new HashMap<>();
        private final List<Map<String, Post>> history = new ArrayList<>();
        private final List<Registering> registering = new ArrayList<>();
        private final Deque<Subscription> subscriptions = new ArrayDeque<>();
        private final List<Deque<CellInput>> writes = new ArrayList<>();
        private final List<Deque<CellInput>> fromGate = new ArrayList<>();
        private final List<Deque<ResultInput>> fromCells = new ArrayList<>();
        private final Map<String, Boolean> isSubscribed = new HashMap<>();
        private final List<HandedOut> handedOut = new ArrayList<>();
        private final Map<String, Integer> lastTold = new HashMap<>();
        private int step;

        Scenario(SplittableRandom random, int replayMillis, int rows) throws Exception {
            this.random = random;
            // Rows are not in step: a sorted result of a moment may never be seen as a whole.
            queries = rows == 1
                    ? QUERIES
                    : QUERIES.stream().filter(q -> !q.isSorted()).toList();
            settings = new InvalidationSettings(1, rows, replayMillis, 1_000, SLACK, 0, 100, 1);
            gate = opened(
                    new KeyedTwoInputStreamOperatorTestHarness<>(
                            new KeyedCoProcessOperator<>(new QueryGate(settings)), change -> 0, worth -> 0, Types.INT),
                    InvalidationFormats.CELL_INPUT.typeInfo());
            cells = opened(
                    new KeyedOneInputStreamOperatorTestHarness<>(
                            new MatchingCellOperator(settings), input -> CELLS.key(input.cell()), Types.INT),
                    InvalidationFormats.RESULT_INPUT.typeInfo());
            results = opened(
                    new KeyedOneInputStreamOperatorTestHarness<>(
                            new KeyedProcessOperator<>(new ResultFunction(settings)),
                            input -> input.id().subscription(),
                            Types.STRING),
                    InvalidationFormats.NOTIFICATION.typeInfo());
            for (int row = 0; row < settings.rows(); row++) {
                writes.add(new ArrayDeque<>());
                fromGate.add(new ArrayDeque<>());
                fromCells.add(new ArrayDeque<>());
            }
            history.add(Map.of());
        }

        private static <O, H extends AbstractStreamOperatorTestHarness<O>> H opened(H harness, TypeInformation<O> type)
                throws Exception {
            harness.setup(type.createSerializer(new SerializerConfigImpl()));
            harness.open();
            return harness;
        }

        void run(int steps) throws Exception {
            for (int i = 0; i < steps; i++) {
                step++;
                switch (random.nextInt(12)) {
                    case 0, 1 -> write();
                    case 2, 3 -> evaluateToSubscribe(query(), false);
                    case 4, 5, 6 -> register();
                    case 7 -> read();
                    default -> deliver();
                }
            }
            while (deliver() || register()) {
                step++;
            }
            check();
        }

        private Query query() {
            return queries.get(random.nextInt(queries.size()));
        }

        private void write() {
            String id = "r" + random.nextInt(RECORDS);
            long version = versions.merge(id, 1L, Long::sum);
            boolean isDeleted = store.containsKey(id) && random.nextInt(4) == 0;
            Post post = new Post(random.nextInt(3), random.nextInt(6), version, step);
            AfterImage image = isDeleted
                    ? AfterImage.deletion(COLLECTION, id, version, step)
                    : AfterImage.of(COLLECTION, id, version, step, post.document());
            if (isDeleted) {
                store.remove(id);
            } else {
                store.put(id, post);
            }
            int row = settings.grid().row(COLLECTION, id);
            writes.get(row).add(new CellInput.CellWrite(row, image));
            history.add(Map.copyOf(store));
        }

        private void handOut(Query query, int evaluated, List<String> content) {
            handedOut.add(new HandedOut(query, evaluated, history.size() - 1, content));
        }

        /** Several instances do so at a time, so subscriptions may overtake one another. */
        private void evaluateToSubscribe(Query query, boolean isAfterUnknown) {
            List<ResultRecord> result = new ArrayList<>();
            for (Map.Entry<String, Post> record : query.known(store)) {
                result.add(new ResultRecord(
                        record.getKey(),
                        record.getValue().version(),
                        query.isSorted() ? record.getValue().json() : ""));
            }
            registering.add(new Registering(
                    query,
                    step,
                    query.cached(store),
                    SubscriptionBuilder.builder()
                            .service("shop")
                            .table("posts")
                            .key(query.key())
                            .filter(query.filter())
                            .sort(query.sort())
                            .limit(query.limit())
                            .offset(query.offset())
                            .representation(query.form())
                            .evaluatedMillis(step)
                            .result(result)
                            .registeredMillis(step + random.nextInt(10))
                            .build(),
                    isAfterUnknown));
        }

        private boolean register() {
            if (registering.isEmpty()) {
                return false;
            }
            Registering one = registering.remove(random.nextInt(registering.size()));
            subscriptions.add(one.subscription());
            // Not before.
            handOut(one.query(), one.step(), one.content());
            if (one.isAfterUnknown()) {
                // Marked once more, for what was answered in between.
                lastTold.put(one.query().key(), step);
            }
            isSubscribed.put(one.query().key(), true);
            return true;
        }

        /** Hands out the cached result of a subscribed query. */
        private void read() {
            Query query = query();
            if (isSubscribed.getOrDefault(query.key(), false)) {
                handOut(query, step, query.cached(store));
            }
        }

        /** One message goes one operator further; whether there was one. */
        private boolean deliver() throws Exception {
            List<Runnable> ways = new ArrayList<>();
            if (!subscriptions.isEmpty()) {
                ways.add(this::passGate);
            }
            for (int row = 0; row < settings.rows(); row++) {
                int of = row;
                if (!writes.get(row).isEmpty()) {
                    ways.add(() -> passCell(writes.get(of).poll()));
                }
                if (!fromGate.get(row).isEmpty()) {
                    ways.add(() -> passCell(fromGate.get(of).poll()));
                }
                if (!fromCells.get(row).isEmpty()) {
                    ways.add(() -> passResults(fromCells.get(of).poll()));
                }
            }
            if (ways.isEmpty()) {
                return false;
            }
            ways.get(random.nextInt(ways.size())).run();
            return true;
        }

        private void passGate() {
            List<Notification> unwatched = new ArrayList<>();
            try {
                gate.processElement1(new StreamRecord<>(
                        SubscriptionChange.registered(InvalidationInput.terms(subscriptions.poll()))));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            gate.extractOutputValues()
                    .forEach(input -> fromGate.get(input.cell()).add(input));
            var side = gate.getSideOutput(QueryGate.UNWATCHED);
            if (side != null) {
                side.forEach(record -> unwatched.add(record.getValue()));
                side.clear();
            }
            gate.getOutput().clear();
            unwatched.forEach(this::tell);
        }

        private void passCell(CellInput input) {
            try {
                cells.processElement(input, 0);
                // None of what is on the way is late.
                writes.stream()
                        .flatMap(Deque::stream)
                        .mapToLong(
                                write -> ((CellInput.CellWrite) write).image().writtenAtMillis())
                        .min()
                        .ifPresent(this::watermarkBelow);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            fromCells.get(input.cell()).addAll(cells.extractOutputValues());
            cells.getOutput().clear();
        }

        private void watermarkBelow(long millis) {
            try {
                cells.processWatermark(millis - 1);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private void passResults(ResultInput input) {
            try {
                results.processElement(input, 0);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            List<Notification> told = results.extractOutputValues();
            results.getOutput().clear();
            told.forEach(this::tell);
        }

        private void tell(Notification notification) {
            Invalidation invalidation = notification.invalidation();
            assertThat(invalidation.kind()).isEqualTo(CachedKind.QUERY);
            lastTold.put(invalidation.key(), step);
            if (invalidation.change() == ResultChange.UNKNOWN) {
                isSubscribed.put(invalidation.key(), false);
                step++;
                Query query = QUERIES.stream()
                        .filter(q -> q.key().equals(invalidation.key()))
                        .findFirst()
                        .orElseThrow();
                evaluateToSubscribe(query, true);
            }
        }

        /** Every outdated result that was handed out has a later notification. */
        private void check() {
            for (HandedOut one : handedOut) {
                Optional<Map<String, Post>> changed = history.subList(one.writes(), history.size()).stream()
                        .filter(later -> !one.query().cached(later).equals(one.content()))
                        .findFirst();
                if (changed.isPresent()) {
                    assertThat(lastTold.getOrDefault(one.query().key(), -1))
                            .as("%s became %s", one, one.query().cached(changed.get()))
                            .isGreaterThan(one.step());
                }
            }
        }

        @Override
        public void close() throws Exception {
            gate.close();
            cells.close();
            results.close();
        }
    }
}
