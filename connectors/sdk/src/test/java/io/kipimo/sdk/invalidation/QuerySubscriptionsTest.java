package io.kipimo.sdk.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.sdk.invalidation.QuerySubscriptions.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class QuerySubscriptionsTest {
    private static final String SCOPE = "shop/things//q";

    private final List<Subscription> sent = new ArrayList<>();
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
    private long nowMillis = 1_000;
    private QuerySubscriptions subscriptions = subscriptions(1);

    private QuerySubscriptions subscriptions(long seed) {
        return new QuerySubscriptions(
                subscription -> {
                    sent.add(subscription);
                    return answer;
                },
                () -> Instant.ofEpochMilli(nowMillis),
                new SplittableRandom(seed));
    }

    private CompletionStage<Standing> watch(ResultRepresentation form) {
        return subscriptions.watch(SCOPE, form, () -> SubscriptionBuilder.builder()
                .service("shop")
                .table("things")
                .key("/q")
                .filter("{}")
                .sort("")
                .representation(form)
                .evaluatedMillis(1)
                .registeredMillis(1)
                .build());
    }

    private Standing standing() {
        return watch(ResultRepresentation.OBJECT_LIST).toCompletableFuture().join();
    }

    private boolean told(ResultChange change, long retryAfterMillis) {
        return subscriptions.notified(InvalidationBuilder.builder()
                .service("shop")
                .table("things")
                .key("/q")
                .kind(CachedKind.QUERY)
                .change(change)
                .record(change.mayLackRecord() ? "" : "r")
                .writtenMillis(1)
                .mode(InvalidationMode.HARD)
                .retryAfterMillis(retryAfterMillis)
                .build());
    }

    @Test
    void aQueryIsSubscribedOnceUntilTheJobLosesTrackOfIt() {
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        assertThat(told(ResultChange.ADDED, 0)).isFalse();
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        assertThat(sent).hasSize(1);
        assertThat(told(ResultChange.UNKNOWN, 0)).as("cached results are stale").isTrue();
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        assertThat(sent).hasSize(2);
    }

    @Test
    void aRefusedQueryIsNotSubscribedBeforeItsTime() {
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        assertThat(told(ResultChange.REFUSED, 10_000)).isTrue();
        for (nowMillis = 1_000; nowMillis < 11_000; nowMillis += 100) {
            assertThat(standing()).isEqualTo(Standing.REFUSED);
        }
        assertThat(sent).hasSize(1);
        nowMillis = 16_000;
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        assertThat(sent).hasSize(2);
    }

    @Test
    void originsRetryAfterRefusalsAtDifferentTimes() {
        Set<Long> returns = new HashSet<>();
        for (int origin = 0; origin < 20; origin++) {
            nowMillis = 1_000;
            subscriptions = subscriptions(origin);
            told(ResultChange.REFUSED, 10_000);
            while (standing() == Standing.REFUSED) {
                nowMillis++;
            }
            returns.add(nowMillis);
        }
        assertThat(returns).hasSizeGreaterThan(15).allSatisfy(at -> assertThat(at)
                .isBetween(11_000L, 16_000L));
    }

    @Test
    void anotherFormIsSubscribedAnew() {
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        watch(ResultRepresentation.ID_LIST);
        watch(ResultRepresentation.ID_LIST);
        assertThat(sent)
                .extracting(Subscription::representation)
                .containsExactly(ResultRepresentation.OBJECT_LIST, ResultRepresentation.ID_LIST);
    }

    @Test
    void aFailedSubscriptionIsNotWatchedAndIsRetried() {
        answer = CompletableFuture.failedFuture(new IllegalStateException("away"));
        assertThat(watch(ResultRepresentation.OBJECT_LIST).toCompletableFuture())
                .isCompletedExceptionally();
        answer = CompletableFuture.completedFuture(null);
        assertThat(standing()).isEqualTo(Standing.WATCHED);
        assertThat(sent).hasSize(2);
    }

    @Test
    void concurrentReadsWaitForThePendingSubscription() {
        answer = new CompletableFuture<>();
        CompletableFuture<Standing> first =
                watch(ResultRepresentation.OBJECT_LIST).toCompletableFuture();
        CompletableFuture<Standing> second =
                watch(ResultRepresentation.OBJECT_LIST).toCompletableFuture();
        assertThat(first).isNotDone();
        answer.complete(null);
        assertThat(second.join()).isEqualTo(Standing.WATCHED);
        assertThat(sent).hasSize(1);
    }
}
