package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.document.Document;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.core.invalidation.sorted.SortOrder;
import java.util.HexFormat;
import net.openhft.hashing.LongTupleHashFunction;

/**
 * A query whose result is cached.
 *
 * @param offset records that are skipped, at least 0
 * @param limit most records in the result; 0: all
 */
public record RegisteredQuery(
        String collection, Filter filter, SortOrder order, long offset, long limit) {
    private static final LongTupleHashFunction HASH = LongTupleHashFunction.xx128();

    public RegisteredQuery {
        if (offset < 0 || limit < 0) {
            throw new IllegalArgumentException(
                    "offset " + offset + ", limit " + limit + "; allowed: from 0");
        }
    }

    /** All records that the filter selects, in any order. */
    public static RegisteredQuery of(String collection, Document filter) {
        return new RegisteredQuery(collection, Filter.parse(filter), SortOrder.BY_ID, 0, 0);
    }

    /** Whether the second stage is needed: the order of the result, or its end, can be told. */
    public boolean isWindowed() {
        return !order.keys().isEmpty() || offset > 0 || limit > 0;
    }

    /** What is asked, in one spelling for all that say the same. */
    public String text() {
        StringBuilder text = new StringBuilder(collection).append('?').append(filter.key());
        if (isWindowed()) {
            text.append("&sort=")
                    .append(order.toDocument())
                    .append("&skip=")
                    .append(offset)
                    .append("&limit=")
                    .append(limit);
        }
        return text.toString();
    }

    /** Whether the other has the same result, at any time. */
    public boolean asksTheSame(RegisteredQuery other) {
        return text().equals(other.text());
    }

    /** 32 hexadecimal digits: the hash of {@link #text()}. */
    public String key() {
        long[] hash = HASH.hashChars(text());
        return HexFormat.of().toHexDigits(hash[0]) + HexFormat.of().toHexDigits(hash[1]);
    }
}
