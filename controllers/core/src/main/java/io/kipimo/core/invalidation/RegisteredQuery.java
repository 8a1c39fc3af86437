package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Filter;
import java.util.HexFormat;
import net.openhft.hashing.LongTupleHashFunction;

/**
 * A query whose result is cached.
 *
 * @param offset number of records to skip, at least 0
 * @param limit greatest number of records in the result; 0: all
 */
public record RegisteredQuery(String collection, Filter filter, SortOrder order, long offset, long limit) {
    private static final LongTupleHashFunction HASH = LongTupleHashFunction.xx128();

    public RegisteredQuery {
        if (offset < 0 || limit < 0) {
            throw new IllegalArgumentException("offset " + offset + ", limit " + limit + "; allowed: from 0");
        }
    }

    /** A query for all records that the filter selects, in any order. */
    public static RegisteredQuery of(String collection, Document filter) {
        return new RegisteredQuery(collection, Filter.parse(filter), SortOrder.BY_ID, 0, 0);
    }

    /**
     * Whether the query needs the second stage of matching, {@link SortedWindow}, since it has an order, an offset or a
     * limit.
     */
    public boolean isWindowed() {
        return !order.keys().isEmpty() || offset > 0 || limit > 0;
    }

    /** The query as text in a canonical form, which is equal for equivalent spellings of the query. */
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

    /** Whether both queries always have the same result. */
    public boolean asksTheSame(RegisteredQuery other) {
        return text().equals(other.text());
    }

    /** 32 hexadecimal digits: the hash of {@link #text()}. */
    public String key() {
        long[] hash = HASH.hashChars(text());
        return HexFormat.of().toHexDigits(hash[0]) + HexFormat.of().toHexDigits(hash[1]);
    }
}
