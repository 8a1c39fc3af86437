package io.kipimo.operators.invalidation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.ChangeKind;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.core.invalidation.filter.Value;
import io.kipimo.operators.KeyedState;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InvalidationHarnessTest {
    private static final int MAX_PARALLELISM = 128;
    private static final InvalidationSettings SETTINGS = new InvalidationSettings(1, 4, 10_000, 1_000, 2, 0, 3, 2);
    private static final SpreadKeys CELLS = SpreadKeys.of(4);

    private static KeyedOneInputStreamOperatorTestHarness<Integer, CellInput, ResultInput> cells(
            int parallelism, int subtask) throws Exception {
        return writing(
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new MatchingCellOperator(SETTINGS),
                        input -> CELLS.key(input.cell()),
                        Types.INT,
                        MAX_PARALLELISM,
                        parallelism,
                        subtask),
                InvalidationFormats.RESULT_INPUT.typeInfo());
    }

    /** What comes out has been written and read, as between subtasks. */
    private static <K, I, O> KeyedOneInputStreamOperatorTestHarness<K, I, O> writing(
            KeyedOneInputStreamOperatorTestHarness<K, I, O> harness, TypeInformation<O> type) {
        harness.setup(type.createSerializer(new SerializerConfigImpl()));
        return harness;
    }

    private static CellInput.CellWrite write(String id, long version, long a) {
        AfterImage image =
                AfterImage.of("shop/posts", id, version, 1_000 + version, Document.of("a", new Value.Int64(a)));
        return new CellInput.CellWrite(SETTINGS.grid().row("shop/posts", id), image);
    }

    private static QueryTerms terms(long registeredMillis, String filter) throws Exception {
        return terms(registeredMillis, filter, 0);
    }

    private static QueryTerms terms(long registeredMillis, String filter, long evaluatedMillis) throws Exception {
        return InvalidationInput.terms(SubscriptionBuilder.builder()
                .service("shop")
                .table("posts")
                .key("/q")
                .filter(filter)
                .sort("")
                .representation(ResultRepresentation.OBJECT_LIST)
                .evaluatedMillis(evaluatedMillis)
                .registeredMillis(registeredMillis)
                .build());
    }

    private static void register(
            KeyedOneInputStreamOperatorTestHarness<Integer, CellInput, ResultInput> harness, QueryTerms terms)
            throws Exception {
        for (int cell = 0; cell < 4; cell++) {
            harness.processElement(new CellInput.Register(cell, terms), 0);
        }
    }

    private static List<ChangeKind> kinds(
            KeyedOneInputStreamOperatorTestHarness<Integer, CellInput, ResultInput> harness) {
        List<ChangeKind> kinds = new ArrayList<>();
        for (ResultInput input : harness.extractOutputValues()) {
            if (input instanceof ResultInput.Matched matched) {
                kinds.add(matched.kind());
            }
        }
        harness.getOutput().clear();
        return kinds;
    }

    @Test
    void keysOfAFewThingsSpreadEvenlyOverSubtasks() {
        for (int parallelism : new int[] {1, 2, 4}) {
            int[] load = new int[parallelism];
            for (int key : SpreadKeys.of(4).keys()) {
                load[KeyGroupRangeAssignment.assignKeyToParallelOperator(key, MAX_PARALLELISM, parallelism)]++;
            }
            assertThat(load).containsOnly(4 / parallelism);
        }
    }

    @Test
    void cellsGoOnAtAnotherParallelismWithWhatTheyKnew() throws Exception {
        OperatorSubtaskState state;
        try (var harness = cells(1, 0)) {
            harness.open();
            register(harness, terms(5, "{\"a\": 1}"));
            for (int i = 0; i < 20; i++) {
                harness.processElement(write("r" + i, 1, 1), 0);
            }
            assertThat(kinds(harness)).hasSize(20).containsOnly(ChangeKind.ADD);
            // Some are stored as held, some as left, in two checkpoints.
            var unused = harness.snapshot(1, 1);
            for (int i = 0; i < 10; i++) {
                harness.processElement(write("r" + i, 2, 2), 0);
            }
            assertThat(kinds(harness)).hasSize(10).containsOnly(ChangeKind.REMOVE);
            state = harness.snapshot(2, 2);
        }
        List<ChangeKind> kinds = new ArrayList<>();
        for (int subtask = 0; subtask < 2; subtask++) {
            OperatorSubtaskState part =
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(state, MAX_PARALLELISM, 1, 2, subtask);
            try (var harness = cells(2, subtask)) {
                harness.initializeState(part);
                harness.open();
                for (int i = 0; i < 20; i++) {
                    CellInput.CellWrite write = write("r" + i, 3, 1);
                    if (write.cell() / 2 == subtask) {
                        harness.processElement(write, 0);
                    }
                }
                kinds.addAll(kinds(harness));
            }
        }
        assertThat(kinds).hasSize(20);
        assertThat(kinds).filteredOn(kind -> kind == ChangeKind.ADD).hasSize(10);
        assertThat(kinds).filteredOn(kind -> kind == ChangeKind.CHANGE).hasSize(10);
    }

    @Test
    void whatIsForgottenAndEndedLeavesTheState() throws Exception {
        try (var harness = cells(1, 0)) {
            harness.open();
            register(harness, terms(5, "{\"a\": 1}"));
            for (int i = 0; i < 20; i++) {
                harness.processElement(write("r" + i, 1, 2), 0);
            }
            var unusedFull = harness.snapshot(1, 1);
            // In each of four cells a horizon, its queries, its records.
            assertThat(KeyedState.entries(harness)).isEqualTo(4 * 3);
            for (int cell = 0; cell < 4; cell++) {
                harness.processElement(new CellInput.End(cell, "shop/posts//q"), 0);
            }
            harness.processWatermark(1_000_000);
            var unusedEmpty = harness.snapshot(2, 2);
            assertThat(KeyedState.entries(harness)).isEqualTo(4);
        }
    }

    @Test
    void aResultThatIsRegisteredAnewForgetsWhatTheOldOneHeld() throws Exception {
        try (var harness = cells(1, 0)) {
            harness.open();
            register(harness, terms(5, "{\"a\": 1}"));
            harness.processElement(write("r", 1, 1), 0);
            register(harness, terms(2_000_000, "{\"a\": 2}"));
            kinds(harness);
            harness.processElement(write("r", 2, 2), 0);
            assertThat(kinds(harness)).containsExactly(ChangeKind.ADD);
            // A subscription that comes again, or late, changes nothing.
            register(harness, terms(2_000_000, "{\"a\": 2}"));
            register(harness, terms(5, "{\"a\": 1}"));
            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }

    /** A log that has what it is given. */
    private static final class KnownLog implements NotificationLog {
        private static final long serialVersionUID = 1L;

        private final Resumption resumption;

        KnownLog(Resumption resumption) {
            this.resumption = resumption;
        }

        @Override
        public Resumption resume(int partition, OptionalLong from) {
            return resumption;
        }
    }

    private static KeyedOneInputStreamOperatorTestHarness<Integer, Notification, Notification> notifier(
            NotificationLog log) throws Exception {
        SpreadKeys partitions = SpreadKeys.of(2);
        return writing(
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new NotifierOperator(log, SETTINGS),
                        n -> partitions.key(InvalidationFlow.partition(n, 2)),
                        Types.INT,
                        MAX_PARALLELISM,
                        1,
                        0),
                InvalidationFormats.NOTIFICATION.typeInfo());
    }

    private static Notification notification(String record, long version) {
        return new Notification(
                InvalidationBuilder.builder()
                        .service("shop")
                        .table("posts")
                        .key("/q")
                        .kind(CachedKind.QUERY)
                        .change(ResultChange.ADDED)
                        .record(record)
                        .version(version)
                        .writtenMillis(1_000)
                        .mode(InvalidationMode.HARD)
                        .build(),
                5,
                0);
    }

    @Test
    void afterAFailoverWhatTheLogHasIsPassedOverAndNumbersGoOn() throws Exception {
        OperatorSubtaskState state;
        NotificationLog fresh = new KnownLog(new NotificationLog.Resumption(7, 0, List.of(), 0, 0));
        try (var harness = notifier(fresh)) {
            harness.open();
            harness.processElement(notification("a", 1), 0);
            state = harness.snapshot(1, 1);
        }
        // Then b and c were sent; they come again in another order, with d between.
        NotificationLog log = new KnownLog(new NotificationLog.Resumption(
                8,
                3,
                List.of(notification("b", 1).identity(), notification("c", 1).identity()),
                1_000,
                0));
        try (var harness = notifier(log)) {
            harness.initializeState(state);
            harness.open();
            harness.processElement(notification("c", 1), 0);
            harness.processElement(notification("d", 1), 0);
            harness.processElement(notification("b", 1), 0);
            harness.processElement(notification("b", 2), 0);
            Map<String, Long> numbers = new HashMap<>();
            for (Notification sent : harness.extractOutputValues()) {
                numbers.put(
                        sent.invalidation().record() + sent.invalidation().version(),
                        sent.invalidation().sequence());
                assertThat(sent.epoch()).isEqualTo(8);
            }
            assertThat(numbers).isEqualTo(Map.of("d1", 3L, "b2", 4L));
        }
    }

    private static List<Long> completeBefore(
            KeyedOneInputStreamOperatorTestHarness<Integer, Notification, Notification> harness, int partition) {
        return harness.extractOutputValues().stream()
                .map(Notification::invalidation)
                .filter(told -> told.partition() == partition)
                .map(Invalidation::completeBeforeMillis)
                .toList();
    }

    @Test
    void theFrontierFollowsTheWatermarkAlsoWhereNothingIsTold() throws Exception {
        NotificationLog fresh = new KnownLog(new NotificationLog.Resumption(7, 0, List.of(), 0, 0));
        int busy = InvalidationFlow.partition(notification("a", 1), 2);
        try (var harness = notifier(fresh)) {
            harness.open();
            harness.processElement(notification("a", 1), 0);
            harness.processWatermark(1_999);
            harness.processElement(notification("a", 2), 0);
            // Less than a second further: not worth a mark.
            harness.processWatermark(2_500);
            harness.processElement(notification("a", 3), 0);
            harness.processWatermark(3_600);
            // The end of a job is no time.
            harness.processWatermark(Long.MAX_VALUE);
            assertThat(completeBefore(harness, busy)).containsExactly(0L, 2_000L, 2_000L, 2_501L, 3_601L);
            assertThat(completeBefore(harness, 1 - busy)).containsExactly(2_000L, 3_601L);
            assertThat(harness.extractOutputValues())
                    .extracting(n -> n.invalidation().isMark())
                    .containsExactly(false, true, true, false, false, true, true);
        }
    }

    @Test
    void aNewWriterTakesNothingBackThatWasToldOfTheFrontier() throws Exception {
        OperatorSubtaskState state;
        NotificationLog fresh = new KnownLog(new NotificationLog.Resumption(7, 0, List.of(), 0, 0));
        try (var harness = notifier(fresh)) {
            harness.open();
            harness.processElement(notification("a", 1), 0);
            harness.processWatermark(4_999);
            state = harness.snapshot(1, 1);
        }
        for (long inTheLog : new long[] {0, 9_000}) {
            NotificationLog log = new KnownLog(new NotificationLog.Resumption(8, 2, List.of(), 0, inTheLog));
            try (var harness = notifier(log)) {
                harness.initializeState(state);
                harness.open();
                harness.processWatermark(2_000);
                harness.processElement(notification("late", 1), 0);
                Invalidation late = harness.extractOutputValues().get(0).invalidation();
                assertThat(harness.extractOutputValues()).hasSize(1);
                assertThat(late.completeBeforeMillis()).isEqualTo(Math.max(5_000, inTheLog));
                assertThat(late.isLate()).isTrue();
            }
        }
    }

    private static KeyedTwoInputStreamOperatorTestHarness<Integer, SubscriptionChange, QueryWorth, CellInput> gate()
            throws Exception {
        var harness = new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(new QueryGate(SETTINGS)), change -> 0, worth -> 0, Types.INT);
        harness.setup(InvalidationFormats.CELL_INPUT.typeInfo().createSerializer(new SerializerConfigImpl()));
        return harness;
    }

    private static void subscribe(
            KeyedTwoInputStreamOperatorTestHarness<Integer, SubscriptionChange, QueryWorth, CellInput> gate,
            String key,
            long atMillis)
            throws Exception {
        gate.processElement1(new StreamRecord<>(query(key, atMillis)));
    }

    private static void saves(
            KeyedTwoInputStreamOperatorTestHarness<Integer, SubscriptionChange, QueryWorth, CellInput> gate,
            String key,
            double hits)
            throws Exception {
        gate.processElement2(new StreamRecord<>(new QueryWorth("shop/posts/" + key, hits)));
    }

    /** Key and time to wait of those that were turned away since this was asked last. */
    private static List<String> refused(
            KeyedTwoInputStreamOperatorTestHarness<Integer, SubscriptionChange, QueryWorth, CellInput> gate) {
        var side = gate.getSideOutput(QueryGate.UNWATCHED);
        if (side == null) {
            return List.of();
        }
        List<String> told = new ArrayList<>();
        for (StreamRecord<Notification> each : side) {
            Invalidation one = each.getValue().invalidation();
            assertThat(one.change()).isEqualTo(ResultChange.REFUSED);
            told.add(one.key() + " " + one.retryAfterMillis());
        }
        side.clear();
        return told;
    }

    private static SubscriptionChange query(String key, long atMillis) {
        return SubscriptionChange.registered(new QueryTerms(
                "shop",
                "posts",
                key,
                atMillis,
                atMillis,
                Representation.OBJECT_LIST,
                RegisteredQuery.of("shop/posts", Document.of("a", new Value.TextValue(key))),
                List.of()));
    }

    @Test
    void queriesBeyondTheBudgetAreRefusedAndMoreWorthyOnesDriveOthersOut() throws Exception {
        try (var harness = gate()) {
            harness.open();
            for (String key : List.of("/a", "/b", "/c", "/d")) {
                subscribe(harness, key, 1_000);
            }
            assertThat(harness.extractOutputValues()).hasSize(3 * 4);
            assertThat(refused(harness)).containsExactly("/d 10000");
            harness.getOutput().clear();

            // Evaluated again and again, it is worth more than the others.
            subscribe(harness, "/d", 2_000);
            subscribe(harness, "/d", 20_000);
            assertThat(harness.extractOutputValues())
                    .filteredOn(input -> input instanceof CellInput.End)
                    .hasSize(4);
            assertThat(harness.extractOutputValues())
                    .filteredOn(input -> input instanceof CellInput.Register)
                    .hasSize(4);
            for (String key : List.of("/a", "/b", "/c", "/d")) {
                harness.processElement1(new StreamRecord<>(SubscriptionChange.ended("shop/posts/" + key)));
            }
            assertThat(KeyedState.entries(harness)).as("the account").isEqualTo(1);
        }
    }

    @Test
    void hitsThatAreSavedCountMoreThanHowOftenAQueryIsEvaluated() throws Exception {
        OperatorSubtaskState state;
        try (var harness = gate()) {
            harness.open();
            for (String key : List.of("/a", "/b", "/c")) {
                subscribe(harness, key, 1_000);
                saves(harness, key, 5);
            }
            saves(harness, "/b", 0.1);
            for (int i = 0; i < 20; i++) {
                subscribe(harness, "/often", 2_000 + 20_000L * i);
            }
            assertThat(refused(harness))
                    .as("evaluated often, it saves nothing that is known")
                    .hasSize(20)
                    .allSatisfy(one -> assertThat(one).startsWith("/often"));
            saves(harness, "/often", 1);
            state = harness.snapshot(1, 1);
        }
        try (var harness = gate()) {
            harness.initializeState(state);
            harness.open();
            subscribe(harness, "/often", 500_000);
            assertThat(refused(harness)).containsExactly("/b 10000");
            assertThat(harness.extractOutputValues())
                    .filteredOn(input -> input instanceof CellInput.Register)
                    .hasSize(4);
        }
    }

    @Test
    void eachRefusalDoublesTheWaitUntilAdmission() throws Exception {
        try (var harness = gate()) {
            harness.open();
            for (String key : List.of("/a", "/b", "/c")) {
                subscribe(harness, key, 1_000);
                saves(harness, key, 5);
            }
            List<String> told = new ArrayList<>();
            long now = 2_000;
            for (int i = 0; i < 8; i++) {
                subscribe(harness, "/d", now);
                told.addAll(refused(harness));
                now += 700_000;
            }
            assertThat(told)
                    .containsExactly(
                            "/d 10000",
                            "/d 20000",
                            "/d 40000",
                            "/d 80000",
                            "/d 160000",
                            "/d 320000",
                            "/d 600000",
                            "/d 600000");
            harness.processElement1(new StreamRecord<>(SubscriptionChange.ended("shop/posts//a")));
            subscribe(harness, "/d", now);
            assertThat(refused(harness)).isEmpty();
        }
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, ResultInput, Notification> results()
            throws Exception {
        return writing(
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new KeyedProcessOperator<>(new ResultFunction(SETTINGS)),
                        input -> input.id().subscription(),
                        Types.STRING),
                InvalidationFormats.NOTIFICATION.typeInfo());
    }

    private static ResultInput.Matched matched(QueryTerms terms, ChangeKind kind, AfterImage image) {
        return new ResultInput.Matched(terms.id(), kind, image);
    }

    @Test
    void aListOfIdsBearsChangesOfContent() throws Exception {
        QueryTerms terms = new QueryTerms(
                "shop",
                "posts",
                "/q",
                5,
                0,
                Representation.ID_LIST,
                RegisteredQuery.of("shop/posts", Document.EMPTY),
                List.of());
        AfterImage image = AfterImage.deletion("shop/posts", "r", 1, 1);
        try (var harness = results()) {
            harness.open();
            harness.processElement(new ResultInput.Registered(terms), 0);
            for (ChangeKind kind : List.of(ChangeKind.ADD, ChangeKind.CHANGE, ChangeKind.REMOVE)) {
                harness.processElement(matched(terms, kind, image), 0);
            }
            assertThat(harness.extractOutputValues())
                    .extracting(n -> n.invalidation().change())
                    .containsExactly(ResultChange.ADDED, ResultChange.REMOVED);
            harness.processElement(new ResultInput.Ended(terms.id()), 0);
            harness.processElement(matched(terms, ChangeKind.ADD, image), 0);
            assertThat(harness.extractOutputValues()).hasSize(2);
            assertThat(KeyedState.entries(harness)).isZero();
        }
    }

    @Test
    void aLimitedResultIsToldWhenItChangesAndOnceThatItIsUnknown() throws Exception {
        QueryTerms terms = InvalidationInput.terms(SubscriptionBuilder.builder()
                .service("shop")
                .table("posts")
                .key("/top")
                .filter("{}")
                .sort("{\"a\": 1}")
                .limit(1)
                .representation(ResultRepresentation.ANY)
                .result(List.of(new ResultRecord("r1", 1, "{\"a\": 1}"), new ResultRecord("r2", 1, "{\"a\": 2}")))
                .registeredMillis(5)
                .build());
        try (var harness = results()) {
            harness.open();
            harness.processElement(new ResultInput.Registered(terms), 0);
            Document far = Document.of("a", new Value.Int64(9));
            harness.processElement(matched(terms, ChangeKind.ADD, AfterImage.of("shop/posts", "r9", 1, 1, far)), 0);
            assertThat(harness.extractOutputValues()).as("behind the limit").isEmpty();
            for (String leaves : List.of("r1", "r2", "r9")) {
                harness.processElement(
                        matched(terms, ChangeKind.REMOVE, AfterImage.deletion("shop/posts", leaves, 2, 2)), 0);
            }
            assertThat(harness.extractOutputValues())
                    .extracting(n -> n.invalidation().change())
                    .containsExactly(ResultChange.REMOVED, ResultChange.UNKNOWN);
        }
    }

    @Test
    void aQueryThatTakesTooLongIsToldToBeUnknownAndIsWatchedAgainOnceItIsRegisteredAnew() throws Exception {
        String slow = "{\"a\": {\"$regex\": \"(?:a{0,500})c\"}}";
        AfterImage large = AfterImage.of(
                "shop/posts", "r", 1, 1_000, Document.of("a", new Value.TextValue("a".repeat(1_000_000))));
        CellInput.CellWrite write = new CellInput.CellWrite(SETTINGS.grid().row("shop/posts", "r"), large);
        OperatorSubtaskState state;
        try (var harness = cells(1, 0)) {
            harness.open();
            register(harness, terms(5, slow));
            harness.getOutput().clear();
            harness.processElement(write, 0);
            assertThat(harness.extractOutputValues())
                    .containsExactly(new ResultInput.Unknown(terms(5, slow).id(), 1_000));
            state = harness.snapshot(1, 1);
        }
        try (var harness = cells(1, 0)) {
            harness.initializeState(state);
            harness.open();
            // The other rows go on with it as it was, this one begins anew.
            QueryTerms again = terms(2_000_000, slow, 2_000);
            register(harness, again);
            kinds(harness);
            AfterImage small = AfterImage.of("shop/posts", "r", 2, 3_000, Document.of("a", new Value.TextValue("ac")));
            harness.processElement(new CellInput.CellWrite(write.cell(), small), 0);
            assertThat(harness.extractOutputValues())
                    .filteredOn(input -> input instanceof ResultInput.Matched)
                    .extracting(ResultInput::id)
                    .containsExactly(again.id());
        }
    }

    /** What a filter that is refused now was written as when it was accepted. */
    private static QueryTerms ofAnOlderVersion(String filter) throws Exception {
        QueryTerms terms = terms(5, "{}");
        RegisteredQuery query = terms.query();
        return new QueryTerms(
                terms.service(),
                terms.table(),
                terms.key(),
                terms.registeredMillis(),
                terms.evaluatedMillis(),
                terms.representation(),
                new RegisteredQuery(
                        query.collection(),
                        new Filter.Undecided(Document.of("a", Document.of("$regex", new Value.TextValue(filter)))),
                        query.order(),
                        0,
                        0),
                terms.result());
    }

    @Test
    void aQueryOfAnOlderVersionThatIsRefusedNowIsRestoredAndToldToBeUnknownAtTheNextWrite() throws Exception {
        QueryTerms old = ofAnOlderVersion("(a)\\1");
        OperatorSubtaskState cellState;
        OperatorSubtaskState resultState;
        try (var harness = cells(1, 0)) {
            harness.open();
            register(harness, old);
            cellState = harness.snapshot(1, 1);
        }
        try (var harness = results()) {
            harness.open();
            harness.processElement(new ResultInput.Registered(old), 0);
            resultState = harness.snapshot(1, 1);
        }
        try (var cells = cells(1, 0);
                var results = results()) {
            cells.initializeState(cellState);
            cells.open();
            results.initializeState(resultState);
            results.open();
            cells.processElement(write("r", 1, 1), 0);
            for (ResultInput input : cells.extractOutputValues()) {
                results.processElement(input, 0);
            }
            assertThat(results.extractOutputValues())
                    .extracting(n -> n.invalidation().change())
                    .containsExactly(ResultChange.UNKNOWN);
        }
    }

    @Test
    void aQueryThatCannotBeMatchedIsToldToBeRefusedAndTakesItsFormerPlace() throws Exception {
        try (var harness = gate()) {
            harness.open();
            subscribe(harness, "/q", 1_000);
            harness.getOutput().clear();
            SubscriptionChange refused =
                    written(SubscriptionChange.refused("shop/posts//q", 2_000).orElseThrow());
            harness.processElement1(new StreamRecord<>(refused));
            assertThat(refused(harness)).containsExactly("/q 600000");
            assertThat(harness.extractOutputValues())
                    .filteredOn(input -> input instanceof CellInput.End)
                    .hasSize(4);
            assertThat(KeyedState.entries(harness)).as("the account").isEqualTo(1);
        }
        assertThat(SubscriptionChange.refused("shop/posts", 1))
                .as("no query's name")
                .isEmpty();
        assertThat(SubscriptionChange.refused("//q", 1)).isEmpty();
        assertThat(SubscriptionChange.refused("shop/posts/q\u0007", 1)).isEmpty();
        assertThat(SubscriptionChange.refused("shop/posts/q", Long.MAX_VALUE)).isEmpty();
    }

    private static SubscriptionChange written(SubscriptionChange change) throws Exception {
        var format = InvalidationFormats.SUBSCRIPTION.coder();
        DataOutputSerializer out = new DataOutputSerializer(64);
        format.write(change, out);
        return format.read(new DataInputDeserializer(out.getCopyOfBuffer()), 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": {\"$regex\": \"(?=x)\"}} | $regex at 'a': /(?=x)/",
                "{\"a\": {\"$regex\": \"(x{900}){900}\"}} | instructions",
                "{\"a\": [1} | filter is no JSON object",
                "{\"a\": {\"$regularExpression\": {\"options\": \"\"}}} | 'a': $regularExpression",
                "[] | filter is no JSON object",
                "null | null"
            })
    void aFilterThatCannotBeMatchedIsRefusedInWords(String filter, String message) {
        assertThat(catchThrowableOfType(InvalidRecordException.class, () -> terms(5, filter)))
                .hasMessageContaining(message);
    }

    @Test
    void whatIsNestedWithoutEndOrSortedByEverythingIsRefused() {
        String deep = "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000);
        assertThat(catchThrowableOfType(InvalidRecordException.class, () -> terms(5, deep)))
                .hasMessageContaining("filter is no JSON object");
        String nested = "{\"$and\":[".repeat(90) + "{}" + "]}".repeat(90);
        assertThat(catchThrowableOfType(InvalidRecordException.class, () -> terms(5, nested)))
                .hasMessageContaining("nested deeper than 100 levels");
        StringBuilder sort = new StringBuilder("{\"k\": 1");
        for (int i = 0; i < 32; i++) {
            sort.append(", \"k").append(i).append("\": 1");
        }
        assertThat(catchThrowableOfType(
                        InvalidRecordException.class,
                        () -> InvalidationInput.terms(SubscriptionBuilder.builder()
                                .service("shop")
                                .table("posts")
                                .key("/q")
                                .filter("{}")
                                .sort(sort + "}")
                                .representation(ResultRepresentation.ANY)
                                .registeredMillis(5)
                                .build())))
                .hasMessage("sort has 33 fields; allowed: at most 32");
    }

    @Test
    void aFilterThatCannotBeMatchedIsRefusedByItsOperator() {
        assertThat(catchThrowableOfType(InvalidRecordException.class, () -> terms(5, "{\"a\": {\"$near\": [1, 2]}}")))
                .hasMessageContaining("$near");
        assertThat(catchThrowableOfType(InvalidRecordException.class, () -> terms(5, "{a: 1}")))
                .hasMessageContaining("filter is no JSON object");
    }
}
