package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A query is registered, or ended, or was to be registered and cannot be matched.
 *
 * @param subscription service/table/key
 * @param terms of a query that is registered
 * @param refusedMillis when a query was registered that cannot be matched; with neither it ended
 */
public record SubscriptionChange(
        String subscription, Optional<QueryTerms> terms, OptionalLong refusedMillis) {
    public static SubscriptionChange registered(QueryTerms terms) {
        return new SubscriptionChange(
                terms.id().subscription(), Optional.of(terms), OptionalLong.empty());
    }

    public static SubscriptionChange ended(String subscription) {
        return new SubscriptionChange(subscription, Optional.empty(), OptionalLong.empty());
    }

    /**
     * Whoever registered it must be told, or he goes on to cache its result as if it were watched.
     *
     * @param subscription service/table/key
     * @return empty if that is no name of a query's, so that nobody can be told
     */
    public static Optional<SubscriptionChange> refused(String subscription, long registeredMillis) {
        if (subscription.split("/", 3).length < 3) {
            return Optional.empty();
        }
        SubscriptionChange refused =
                new SubscriptionChange(
                        subscription, Optional.empty(), OptionalLong.of(registeredMillis));
        Notification told =
                Notification.refused(
                        refused.refusedId(),
                        registeredMillis,
                        1,
                        InvalidationRule.hard(Representation.OBJECT_LIST));
        try {
            var unused =
                    Codecs.INVALIDATION.decode(Codecs.INVALIDATION.encode(told.invalidation()));
            return Optional.of(refused);
        } catch (InvalidRecordException e) {
            return Optional.empty();
        }
    }

    /** Of a query that cannot be matched. */
    QueryId refusedId() {
        return QueryId.of(subscription, refusedMillis.orElseThrow());
    }
}
