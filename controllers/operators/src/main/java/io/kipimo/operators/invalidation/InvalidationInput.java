package io.kipimo.operators.invalidation;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_NUMBER;
import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_TEXT;
import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.SortOrder;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.ExtendedJson;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses the JSON texts in writes and subscriptions. It does so early, so that an unusable record becomes a dead letter
 * before it can advance event time. If a filter is refused, the message names the operator that cannot be matched
 * exactly.
 */
public final class InvalidationInput {
    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(Map.class);

    /** MongoDB's limit of sort keys. */
    private static final int MOST_SORT_KEYS = 32;

    /** Greatest sum of a query's offset and limit, as in {@link io.kipimo.core.invalidation.SortedWindow}. */
    private static final long FARTHEST = 1 << 30;

    private InvalidationInput() {}

    /** @throws InvalidRecordException if the document is invalid */
    public static AfterImage write(RecordWrite write) throws InvalidRecordException {
        return new AfterImage(
                collection(write.service(), write.table()),
                write.record(),
                write.version(),
                write.writtenMillis(),
                write.document().isEmpty() ? Optional.empty() : Optional.of(document("document", write.document())));
    }

    /**
     * @throws InvalidRecordException if the filter or the order is invalid or cannot be matched exactly, or if a window
     *     lacks the documents of its records
     */
    public static QueryTerms terms(Subscription subscription) throws InvalidRecordException {
        if ((long) subscription.offset() + subscription.limit() > FARTHEST) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_NUMBER,
                    "offset + limit is %s; allowed: at most %s"
                            .formatted((long) subscription.offset() + subscription.limit(), FARTHEST));
        }
        String collection = collection(subscription.service(), subscription.table());
        RegisteredQuery query = new RegisteredQuery(
                collection,
                filter(subscription.filter()),
                order(subscription.sort()),
                subscription.offset(),
                subscription.limit());
        List<AfterImage> result = new ArrayList<>(subscription.result().size());
        for (ResultRecord record : subscription.result()) {
            result.add(image(collection, record, query.isWindowed(), subscription));
        }
        return new QueryTerms(
                subscription.service(),
                subscription.table(),
                subscription.key(),
                subscription.registeredMillis(),
                subscription.evaluatedMillis(),
                // Unspecified counts as a list of objects, which more changes make stale.
                subscription.representation() == ResultRepresentation.ID_LIST
                        ? Representation.ID_LIST
                        : Representation.OBJECT_LIST,
                query,
                result);
    }

    private static AfterImage image(
            String collection, ResultRecord record, boolean isWindowed, Subscription subscription)
            throws InvalidRecordException {
        if (!isWindowed) {
            return AfterImage.deletion(collection, record.record(), record.version(), subscription.evaluatedMillis());
        }
        if (record.document().isEmpty()) {
            throw new InvalidRecordException(
                    MISSING_FIELD,
                    "result.document of '%s' is empty in a sorted or limited query; allowed: the document"
                            .formatted(record.record()));
        }
        return AfterImage.of(
                collection,
                record.record(),
                record.version(),
                subscription.evaluatedMillis(),
                document("result.document", record.document()));
    }

    private static String collection(String service, String table) {
        return CachedScope.of(service, table);
    }

    private static Filter filter(String text) throws InvalidRecordException {
        Document filter = document("filter", text);
        try {
            return Filter.parse(filter);
        } catch (IllegalArgumentException e) {
            throw new InvalidRecordException(IMPOSSIBLE_TEXT, "filter cannot be matched: " + e.getMessage());
        }
    }

    private static SortOrder order(String text) throws InvalidRecordException {
        if (text.isEmpty()) {
            return SortOrder.BY_ID;
        }
        Document sort = document("sort", text);
        if (sort.size() > MOST_SORT_KEYS) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_TEXT, "sort has " + sort.size() + " fields; allowed: at most " + MOST_SORT_KEYS);
        }
        try {
            return SortOrder.parse(sort);
        } catch (IllegalArgumentException e) {
            throw new InvalidRecordException(IMPOSSIBLE_TEXT, e.getMessage());
        }
    }

    private static Document document(String field, String text) throws InvalidRecordException {
        try {
            Map<?, ?> tree = JSON.readValue(text);
            if (tree == null) {
                throw new IllegalArgumentException("null");
            }
            return ExtendedJson.document(tree);
        } catch (JsonProcessingException e) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_TEXT, field + " is no JSON object (" + e.getOriginalMessage() + ")");
        } catch (IllegalArgumentException e) {
            throw new InvalidRecordException(IMPOSSIBLE_TEXT, field + " is no document: " + e.getMessage());
        }
    }
}
