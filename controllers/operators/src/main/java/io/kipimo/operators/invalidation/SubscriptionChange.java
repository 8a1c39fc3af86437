package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A query was registered, has ended, or cannot be matched.
 *
 * @param subscription service/table/key
 * @param terms terms of a registered query
 * @param refusedMillis time of the registration of a query that cannot be matched, epoch milliseconds. If this time and
 *     the terms are both empty, the query has ended
 */
public record SubscriptionChange(String subscription, Optional<QueryTerms> terms, OptionalLong refusedMillis) {
    public static SubscriptionChange registered(QueryTerms terms) {
        return new SubscriptionChange(terms.id().subscription(), Optional.of(terms), OptionalLong.empty());
    }

    public static SubscriptionChange ended(String subscription) {
        return new SubscriptionChange(subscription, Optional.empty(), OptionalLong.empty());
    }

    /**
     * A query that cannot be matched. Its client needs a refusal, or it would cache the result as if there were
     * notifications.
     *
     * @param subscription service/table/key
     * @return empty if the subscription is not valid, so that no refusal can be addressed
     */
    public static Optional<SubscriptionChange> refused(String subscription, long registeredMillis) {
        if (subscription.split("/", 3).length < 3) {
            return Optional.empty();
        }
        SubscriptionChange refused =
                new SubscriptionChange(subscription, Optional.empty(), OptionalLong.of(registeredMillis));
        Notification refusal = Notification.refused(
                refused.refusedId(), registeredMillis, 1, InvalidationRule.hard(Representation.OBJECT_LIST));
        try {
            var unused = Codecs.INVALIDATION.decode(Codecs.INVALIDATION.encode(refusal.invalidation()));
            return Optional.of(refused);
        } catch (InvalidRecordException e) {
            return Optional.empty();
        }
    }

    /** Identity of the refused registration. */
    QueryId refusedId() {
        return QueryId.of(subscription, refusedMillis.orElseThrow());
    }
}
