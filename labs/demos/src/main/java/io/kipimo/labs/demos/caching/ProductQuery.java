package io.kipimo.labs.demos.caching;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A query of the store, which the origin serves at an address of its own.
 *
 * @param key of its cached result
 * @param cheaperThanCents exclusive bound of the price; 0: none
 * @param limit number of cheapest products; 0: all, in no order
 */
record ProductQuery(String key, String category, long cheaperThanCents, int limit) {
    /** Number of records after the limit that a subscription includes, so that a few may leave the result. */
    private static final int SLACK = 10;

    private static final Comparator<Product> BY_PRICE =
            Comparator.comparingLong(Product::priceCents).thenComparing(Product::id);

    /** All queries: for each category all products, the affordable ones and the ten cheapest ones. */
    static List<ProductQuery> all(int categories) {
        List<ProductQuery> all = new ArrayList<>();
        for (int i = 0; i < categories; i++) {
            String category = Product.category(i);
            all.add(new ProductQuery("q-all-" + i, category, 0, 0));
            all.add(new ProductQuery("q-below-" + i, category, 5_000, 0));
            all.add(new ProductQuery("q-cheapest-" + i, category, 0, 10));
        }
        return all;
    }

    boolean matches(Product product) {
        return product.category().equals(category)
                && (cheaperThanCents == 0 || product.priceCents() < cheaperThanCents);
    }

    List<Product> evaluate(Collection<Product> products) {
        return ranked(products, limit);
    }

    /** The result; for a limited query, with some records that come after it. */
    List<Product> withSlack(Collection<Product> products) {
        return ranked(products, limit == 0 ? 0 : limit + SLACK);
    }

    private List<Product> ranked(Collection<Product> products, int most) {
        return products.stream()
                .filter(this::matches)
                .sorted(BY_PRICE)
                .limit(most == 0 ? Long.MAX_VALUE : most)
                .toList();
    }

    /** The query's condition in MongoDB's filter language. */
    String filter() {
        return cheaperThanCents == 0
                ? "{\"category\":\"" + category + "\"}"
                : "{\"category\":\"" + category + "\",\"price\":{\"$lt\":" + cheaperThanCents + "}}";
    }

    /** Sort fields; empty if the order does not matter. */
    String sort() {
        return limit == 0 ? "" : "{\"price\":1}";
    }
}
