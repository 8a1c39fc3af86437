package io.kipimo.labs.demos.caching;

import io.kipimo.simulator.report.Phrase;

/**
 * A record of the store.
 *
 * @param version number from 1 that rises with each write
 */
record Product(String id, String category, long priceCents, long stock, long version) {
    static final int QUERIES_PER_CATEGORY = 3;

    static String id(int number) {
        return "p-" + number;
    }

    static String category(int number) {
        return "c-" + number;
    }

    /** The product in MongoDB's extended JSON. */
    String json() {
        return Phrase.of(
                "{\"_id\":\"%s\",\"category\":\"%s\",\"price\":%d,\"stock\":%d}", id, category, priceCents, stock);
    }
}
