package io.kipimo.bench.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Registration;
import io.kipimo.core.invalidation.filter.ArrayValue;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Grid;
import io.kipimo.core.invalidation.filter.Value;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * The workload of Quaestor, sec. 6.3: inserts of new records against active queries. At 1,000 inserts a second, each
 * query matches about once in two minutes. A third of the queries tests an author and a number of likes, a third a
 * range of prices, a third a tag.
 *
 * @param queries active queries, at least 1
 */
record PostWorkload(int queries) {
    static final String SERVICE = "bench";
    static final String TABLE = "posts";

    private static final String COLLECTION = SERVICE + "/" + TABLE;

    /** Inserts in two minutes at 1,000 a second. */
    private static final int INSERTS_OF_PAPER = 120_000;

    RegisteredQuery query(int i) {
        return RegisteredQuery.of(COLLECTION, filter(i));
    }

    Registration registration(int i) {
        return new Registration("q" + i, query(i), Map.of(), 0);
    }

    Document filter(int i) {
        return switch (i % 3) {
            case 0 ->
                Document.builder()
                        .put("type", "post")
                        .put("author", i)
                        .put("likes", Document.of("$gte", new Value.Int64(5)))
                        .build();
            case 1 ->
                Document.builder()
                        .put("price", between(i, i + 1))
                        .put("type", Document.of("$ne", new Value.TextValue("draft")))
                        .build();
            default -> Document.of("tags", new Value.TextValue("tag" + i));
        };
    }

    private static Document between(long from, long to) {
        return Document.builder().put("$gte", from).put("$lt", to).build();
    }

    /** Number of distinct values of a field, chosen so that a query matches about once in the paper's two minutes. */
    private int domain() {
        return Math.max(queries, INSERTS_OF_PAPER);
    }

    AfterImage insert(int i, long atMillis) {
        return AfterImage.of(COLLECTION, id(i), 1, atMillis, post(i));
    }

    AfterImage deletion(int i, long atMillis) {
        return AfterImage.deletion(COLLECTION, id(i), 2, atMillis);
    }

    /** Selects the inserts that belong to a row of the grid. */
    IntPredicate inRow(Grid grid, int row) {
        return i -> grid.row(COLLECTION, id(i)) == row;
    }

    private static String id(int i) {
        return "post-" + i;
    }

    /** The i-th inserted post as Extended JSON. */
    String document(int i) {
        return post(i).toString();
    }

    private Document post(int i) {
        SplittableRandom random = new SplittableRandom(i * 0x9E3779B97F4A7C15L);
        return Document.builder()
                .put("_id", id(i))
                .put("type", "post")
                .put("author", random.nextInt(domain()))
                .put("price", random.nextDouble() * domain())
                .put("likes", random.nextInt(10))
                .put(
                        "tags",
                        ArrayValue.of(
                                new Value.TextValue("tag" + random.nextInt(domain())),
                                new Value.TextValue("tag" + random.nextInt(domain()))))
                .put("title", "A title of some words")
                .put("text", "And what is said about it, which no query asks for")
                .build();
    }
}
