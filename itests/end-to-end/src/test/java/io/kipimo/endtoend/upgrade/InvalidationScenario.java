package io.kipimo.endtoend.upgrade;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A record is in the result of a query; then a write removes it. */
final class InvalidationScenario implements UpgradeScenario {
    private static final String QUERY = "/posts?author=1";

    @Override
    public KipimoJob job() {
        return KipimoJob.INVALIDATION;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("source.idleness", "1 h", "source.out-of-orderness", "1 s");
    }

    @Override
    public Optional<Policy> policy() {
        return Optional.empty();
    }

    @Override
    public void begin(JobRun run) throws Exception {
        long start = run.startMillis();
        run.send(
                Topic.SUBSCRIPTIONS,
                "shop/posts/" + QUERY,
                Codecs.SUBSCRIPTION,
                SubscriptionBuilder.builder()
                        .service("shop")
                        .table("posts")
                        .key(QUERY)
                        .filter("{\"author\": 1}")
                        .sort("")
                        .representation(ResultRepresentation.ID_LIST)
                        .evaluatedMillis(start)
                        .registeredMillis(start)
                        .build());
        write(run, 1, 1, 1_000);
        await("the record is in the result").atMost(PATIENCE).until(() -> !ofQuery(run)
                .isEmpty());
    }

    @Override
    public void goOn(JobRun run) throws Exception {
        Invalidation last = run.last(Topic.INVALIDATIONS, Codecs.INVALIDATION, i -> true);
        write(run, 2, 2, 2_000);
        await("the record has left the result").atMost(PATIENCE).untilAsserted(() -> assertThat(ofQuery(run))
                .extracting(Invalidation::change)
                .containsExactly(ResultChange.REMOVED));
        assertThat(ofQuery(run).get(0).version()).isEqualTo(2);
        List<Invalidation> said = run.said(Topic.INVALIDATIONS, Codecs.INVALIDATION);
        for (int i = 0; i < said.size(); i++) {
            assertThat(said.get(i).sequence())
                    .as("no position in the stream is skipped or repeated: %s", said)
                    .isEqualTo(last.sequence() + 1 + i);
        }
    }

    private static List<Invalidation> ofQuery(JobRun run) {
        return run.said(Topic.INVALIDATIONS, Codecs.INVALIDATION).stream()
                .filter(i -> i.key().equals(QUERY))
                .toList();
    }

    private static void write(JobRun run, int author, long version, long atMillis) throws Exception {
        run.send(
                Topic.WRITES,
                "shop/posts/post-1",
                Codecs.RECORD_WRITE,
                new RecordWrite(
                        "shop",
                        "posts",
                        "post-1",
                        version == 1 ? WriteKind.INSERT : WriteKind.UPDATE,
                        version,
                        run.startMillis() + atMillis,
                        "{\"author\": " + author + "}"));
    }
}
