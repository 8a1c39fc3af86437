package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.operators.isolation.EdgeRecords;
import io.kipimo.operators.isolation.Neighbours;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.util.Optional;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** One service's data harms no other one in the invalidation job. */
class NeighboursHarnessTest {
    private static final long START = 1_000_000;
    private static final InvalidationSettings SETTINGS = new InvalidationSettings(1, 1, 10_000, 1_000, 2, 0, 3, 2);
    private static final String[] FILTERS = {
        "{}",
        "{\"a\": null}",
        "{\"a\": {\"$gt\": {\"$numberDouble\": \"NaN\"}}}",
        "{\"a\": {\"$gte\": {\"$numberLong\": \"-9223372036854775808\"}}}",
        "{\"a\": {\"$in\": []}}",
        "{\"a\": {\"$in\": [null, 1, \"\", []]}}",
        "{\"a\": {\"$regex\": \"^(a|b)*$\"}}",
        "{\"a.b.c.0\": {\"$exists\": false}}",
        "{\"$nor\": [{\"a\": {\"$size\": 0}}]}",
        "{\"a\": {\"$mod\": [1, 0]}}",
        "{\"a\": {\"$elemMatch\": {\"$gt\": 1, \"$lt\": 0}}}"
    };
    private static final String[] DOCUMENTS = {
        "{}",
        "{\"a\": null}",
        "{\"a\": []}",
        "{\"a\": [[], [null]]}",
        "{\"a\": {\"$numberDouble\": \"NaN\"}}",
        "{\"a\": {\"$numberDouble\": \"-0.0\"}}",
        "{\"a\": {\"$numberLong\": \"-9223372036854775808\"}}",
        "{\"a\": {\"$numberDecimal\": \"1E+6000\"}}",
        "{\"a\": \"\\u0000\"}",
        "{\"a\": {\"b\": {\"c\": [1, 2]}}}",
        "{\"a\": [1, \"1\", true, null, {\"a\": 1}]}"
    };

    private static long at(int step) {
        return START + 500L * step;
    }

    private static QueryTerms terms(String service, String filter, String sort, int limit, long at)
            throws InvalidRecordException {
        Subscription subscription = SubscriptionBuilder.builder()
                .service(service)
                .table("posts")
                .key("/q")
                .filter(filter)
                .sort(sort)
                .limit(limit)
                .representation(ResultRepresentation.OBJECT_LIST)
                .evaluatedMillis(at)
                .registeredMillis(at)
                .build();
        return InvalidationInput.terms(subscription);
    }

    private static QueryTerms good(int step) throws InvalidRecordException {
        return terms("shop", "{\"a\": 1}", "", 0, at(step));
    }

    /** Empty if readers do not accept it. */
    private static Optional<QueryTerms> bad(int step, EdgeRecords edges) {
        try {
            return Optional.of(terms(
                    Neighbours.BAD,
                    FILTERS[edges.random().nextInt(FILTERS.length)],
                    edges.random().nextBoolean() ? "" : "{\"a\": -1, \"a.b\": 1}",
                    edges.random().nextBoolean() ? 0 : 2,
                    edges.random().nextInt(3) == 0 ? 1 : at(step)));
        } catch (InvalidRecordException e) {
            return Optional.empty();
        }
    }

    private static AfterImage write(String service, String id, long version, long at, String text)
            throws InvalidRecordException {
        return InvalidationInput.write(new RecordWrite(service, "posts", id, WriteKind.UPDATE, version, at, text));
    }

    private static AfterImage badWrite(int step, EdgeRecords edges) throws Exception {
        return write(
                Neighbours.BAD,
                "r" + edges.random().nextInt(3),
                1 + edges.random().nextInt(50),
                edges.random().nextInt(3) == 0 ? 1 : at(step),
                DOCUMENTS[edges.random().nextInt(DOCUMENTS.length)]);
    }

    private static KeyedOneInputStreamOperatorTestHarness<Integer, CellInput, ResultInput> cells() throws Exception {
        var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                new MatchingCellOperator(SETTINGS), CellInput::cell, Types.INT);
        harness.setup(InvalidationFormats.RESULT_INPUT.typeInfo().createSerializer(new SerializerConfigImpl()));
        harness.open();
        return harness;
    }

    @Test
    void cellsOfQueriesAndWrites() throws Exception {
        Neighbours.check(
                NeighboursHarnessTest::cells,
                (harness, step, edges) -> {
                    harness.processElement(new CellInput.Register(0, good(step)), START);
                    harness.processElement(
                            new CellInput.CellWrite(0, write("shop", "r", step + 1, at(step), "{\"a\": 1}")), START);
                },
                (harness, step, edges) -> {
                    if (edges.random().nextBoolean()) {
                        Optional<QueryTerms> terms = bad(step, edges);
                        if (terms.isPresent()) {
                            harness.processElement(new CellInput.Register(0, terms.get()), START);
                        }
                    } else {
                        harness.processElement(new CellInput.CellWrite(0, badWrite(step, edges)), START);
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)),
                MatchingCellOperator.RECORDS);
    }

    @Test
    void resultsOfQueries() throws Exception {
        Neighbours.check(
                () -> {
                    var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                            new KeyedProcessOperator<>(new ResultFunction(SETTINGS)),
                            (ResultInput input) -> input.id().subscription(),
                            Types.STRING);
                    harness.setup(
                            InvalidationFormats.NOTIFICATION.typeInfo().createSerializer(new SerializerConfigImpl()));
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> {
                    for (ResultInput input : below(
                            new CellInput.Register(0, good(step)),
                            new CellInput.CellWrite(0, write("shop", "r", step + 1, at(step), "{\"a\": 1}")))) {
                        harness.processElement(input, START);
                    }
                },
                (harness, step, edges) -> {
                    Optional<QueryTerms> terms = bad(step, edges);
                    if (terms.isPresent()) {
                        for (ResultInput input : below(
                                new CellInput.Register(0, terms.get()),
                                new CellInput.CellWrite(0, badWrite(step, edges)))) {
                            harness.processElement(input, START);
                        }
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)));
    }

    /** What a new cell makes of these inputs. */
    private static Iterable<ResultInput> below(CellInput... inputs) throws Exception {
        try (var cells = cells()) {
            for (CellInput input : inputs) {
                cells.processElement(input, START);
            }
            return cells.extractOutputValues();
        }
    }

    @Test
    void gateOfQueries() throws Exception {
        double[] worths = {0, Double.MIN_VALUE, 1e300, Double.MAX_VALUE};
        Neighbours.check(
                () -> {
                    var harness = new KeyedTwoInputStreamOperatorTestHarness<
                            Integer, SubscriptionChange, QueryWorth, CellInput>(
                            new KeyedCoProcessOperator<>(new QueryGate(SETTINGS)), change -> 0, worth -> 0, Types.INT);
                    harness.setup(
                            InvalidationFormats.CELL_INPUT.typeInfo().createSerializer(new SerializerConfigImpl()));
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> harness.processElement1(SubscriptionChange.registered(good(step)), START),
                (harness, step, edges) -> {
                    Optional<QueryTerms> terms = bad(step, edges);
                    if (edges.random().nextBoolean() && terms.isPresent()) {
                        harness.processElement1(SubscriptionChange.registered(terms.get()), START);
                    } else {
                        harness.processElement2(
                                new QueryWorth(
                                        Neighbours.BAD + "/posts//q",
                                        worths[edges.random().nextInt(worths.length)]),
                                START);
                    }
                },
                (harness, step, edges) -> {},
                QueryGate.UNWATCHED);
    }
}
