package io.kipimo.labs.demos.caching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The document store. It is also the reference for reads, because it knows for every key of a record or query when its
 * contents became stale. Thread-safe.
 */
final class ProductStore {
    /**
     * Content of a key.
     *
     * @param number number of changes of the content so far
     * @param position position of the store's log at the time of the read
     * @param products products of the result; for a record, this record alone
     */
    record ProductContent(int number, long position, String json, List<Product> products) {}

    /**
     * The result of a write.
     *
     * @param position position of the store's log after the write
     */
    record Written(Product after, long position) {}

    /** Times at which a key changed, in nanoseconds. Content i was current until change i. */
    private static final class History {
        long[] changedNanos = new long[4];
        int changes;

        void changed(long nanos) {
            if (changes == changedNanos.length) {
                changedNanos = Arrays.copyOf(changedNanos, 2 * changes);
            }
            changedNanos[changes++] = nanos;
        }
    }

    private final Map<String, Product> products = new LinkedHashMap<>();
    private final Map<String, List<Product>> byCategory = new HashMap<>();
    private final Map<String, ProductQuery> queries = new LinkedHashMap<>();
    private final Map<String, List<Product>> results = new HashMap<>();
    private final Map<String, History> histories = new HashMap<>();
    private long position;

    ProductStore(CachingDemoSettings settings, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < settings.products(); i++) {
            Product product = new Product(
                    Product.id(i),
                    Product.category(i % settings.categories()),
                    100 + random.nextInt(10_000),
                    random.nextInt(100),
                    1);
            products.put(product.id(), product);
            histories.put(product.id(), new History());
            position++;
        }
        index();
        for (ProductQuery query : ProductQuery.all(settings.categories())) {
            queries.put(query.key(), query);
            results.put(query.key(), query.evaluate(byCategory.get(query.category())));
            histories.put(query.key(), new History());
        }
    }

    private void index() {
        byCategory.putAll(products.values().stream().collect(Collectors.groupingBy(Product::category)));
    }

    synchronized List<Product> products() {
        return List.copyOf(products.values());
    }

    ProductQuery query(String key) {
        return queries.get(key);
    }

    /** Content of a key; null if there is none. */
    synchronized ProductContent read(String key) {
        Product product = products.get(key);
        List<Product> found = product == null ? results.get(key) : List.of(product);
        if (found == null) {
            return null;
        }
        String json = product == null
                ? found.stream().map(Product::json).collect(Collectors.joining(",", "[", "]"))
                : product.json();
        return new ProductContent(histories.get(key).changes, position, json, found);
    }

    /** The result of {@link ProductQuery#withSlack} on the store's products. */
    synchronized List<Product> withSlack(ProductQuery query) {
        return query.withSlack(byCategory.get(query.category()));
    }

    /** Sets a price; null if there is no such product. */
    synchronized Written write(String id, long priceCents) {
        Product before = products.get(id);
        if (before == null) {
            return null;
        }
        long nanos = System.nanoTime();
        Product after = new Product(id, before.category(), priceCents, before.stock(), before.version() + 1);
        products.put(id, after);
        position++;
        List<Product> category = new ArrayList<>(byCategory.get(after.category()));
        category.replaceAll(p -> p.id().equals(id) ? after : p);
        byCategory.put(after.category(), category);
        histories.get(id).changed(nanos);
        for (ProductQuery query : queries.values()) {
            if (query.matches(before) || query.matches(after)) {
                List<Product> result = query.evaluate(category);
                if (!result.equals(results.put(query.key(), result))) {
                    histories.get(query.key()).changed(nanos);
                }
            }
        }
        return new Written(after, position);
    }

    /** Time in nanoseconds for which a content had been out of date at a given time; 0 if it was current then. */
    synchronized long staleNanos(String key, int number, long atNanos) {
        History history = histories.get(key);
        return number < history.changes ? Math.max(0, atNanos - history.changedNanos[number]) : 0;
    }
}
