package io.kipimo.operators.invalidation;

import java.util.Optional;

/**
 * A query is registered, or ended.
 *
 * @param subscription service/table/key
 * @param terms empty: it ended
 */
public record SubscriptionChange(String subscription, Optional<QueryTerms> terms) {
    public static SubscriptionChange registered(QueryTerms terms) {
        return new SubscriptionChange(terms.id().subscription(), Optional.of(terms));
    }

    public static SubscriptionChange ended(String subscription) {
        return new SubscriptionChange(subscription, Optional.empty());
    }
}
