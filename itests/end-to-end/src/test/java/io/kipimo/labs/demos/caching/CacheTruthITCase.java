package io.kipimo.labs.demos.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.caching.filter.FilterServer;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.caching.truth.TruthProber;
import io.kipimo.core.quality.window.Verdict;
import io.kipimo.core.stale.CacheTruthProbe;
import io.kipimo.core.stale.CacheTruthVerdict;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.ReadHistory;
import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.LinkTruth;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The prober before real caches, with links that lose changes on purpose. It must name these and no others, however
 * long it takes.
 */
class CacheTruthITCase {
    private static final int KEYS = 30;
    private static final long WITHIN_MILLIS = 2_000;
    private static final long DELTA_MILLIS = 300;

    private final Vertx vertx = Vertx.vertx();

    private enum Fault {
        NONE,
        PURGES_LOST,
        FILTER_HELD_BACK
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @ParameterizedTest
    @CsvSource({
        "VARNISH,PURGES_LOST",
        "VARNISH,FILTER_HELD_BACK",
    })
    void theLinkThatLosesChangesIsNamed(CacheChoice choice, Fault fault, @TempDir Path directory) throws Exception {
        check(choice, fault, directory);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"VARNISH,NONE", "NGINX,NONE", "NGINX,PURGES_LOST"})
    void soItIsOnOtherCachesAndWhereNoneLosesThem(CacheChoice choice, Fault fault, @TempDir Path directory)
            throws Exception {
        check(choice, fault, directory);
    }

    private void check(CacheChoice choice, Fault fault, Path directory) throws Exception {
        Assumptions.assumeTrue(choice.isInstalled(), "SKIPPED: " + choice.title() + " is not installed here");
        // Without slow answers: a purge that such an answer overtakes is lost, too.
        try (VersionedOrigin origin =
                        new VersionedOrigin(vertx, new ReadHistory(DELTA_MILLIS), System::nanoTime, false, 0);
                FilterServer filters = FilterServer.start(filter(fault, origin), "127.0.0.1", 0)) {
            HttpServer server = vertx.createHttpServer().requestHandler(origin::handle);
            server.listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            try (SharedCache cache = choice.start(vertx, server.actualPort(), directory);
                    TruthProber prober = TruthProber.start(settings(server.actualPort(), cache, filters.port()))) {
                CachePurger purger = CachePurger.of(new CachePurger.Purging(
                        cache.kind(),
                        List.of(cache.address()),
                        new KeyPaths("/{key}", "/{key}"),
                        2,
                        Duration.ofSeconds(30)));
                assertThat(verdicts(prober).values()).containsOnly(Verdict.UNKNOWN);
                assertThat(loser(prober)).isEmpty();

                Predicate<Map<CacheLink, Verdict>> isFound =
                        switch (fault) {
                            case NONE -> all -> !all.containsValue(Verdict.UNKNOWN);
                            case PURGES_LOST -> all -> all.get(CacheLink.PURGE) == Verdict.WRONG;
                            case FILTER_HELD_BACK -> all -> all.get(CacheLink.FILTER) == Verdict.WRONG;
                        };
                Awaitility.await()
                        .atMost(Duration.ofMinutes(3))
                        .pollInterval(Duration.ofMillis(700))
                        .until(() -> {
                            for (int i = 0; i < KEYS; i++) {
                                origin.write("k" + i);
                                prober.written("shop", "things", "k" + i, false);
                                if (fault != Fault.PURGES_LOST) {
                                    purger.purge("/k" + i, false).join();
                                }
                            }
                            return isFound.test(verdicts(prober));
                        });

                List<LinkTruth> links = links(prober);
                String figures = choice + ", " + fault + ": " + links;
                System.out.println(figures);
                switch (fault) {
                    case NONE -> {
                        assertThat(loser(prober)).as(figures).isEmpty();
                        assertThat(verdicts(prober).values()).as(figures).containsOnly(Verdict.FINE);
                        assertThat(links)
                                .allMatch(l ->
                                        CacheTruthVerdict.of(l, now()).nines().isPresent());
                    }
                    case PURGES_LOST -> {
                        assertThat(loser(prober)).as(figures).hasValue(CacheLink.PURGE);
                        assertThat(verdicts(prober))
                                .as(figures)
                                .doesNotContainEntry(CacheLink.CLIENT, Verdict.WRONG)
                                .doesNotContainEntry(CacheLink.FILTER, Verdict.WRONG);
                    }
                    case FILTER_HELD_BACK -> {
                        assertThat(loser(prober)).as(figures).hasValue(CacheLink.FILTER);
                        assertThat(verdicts(prober)).as(figures).doesNotContainEntry(CacheLink.PURGE, Verdict.WRONG);
                    }
                }
                assertThat(prober.metrics())
                        .contains("kipimo_cache_truth_probes_total{table=\"shop/things\","
                                + "link=\"filter\",within_seconds=\"2\",result=\"fresh\"}");
            }
        }
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    /** The filter of the origin, or one that hears of nothing. */
    private static FilterPublisher filter(Fault fault, VersionedOrigin origin) {
        return fault != Fault.FILTER_HELD_BACK
                ? origin.publisher()
                : new FilterPublisher(
                        FilterShape.ONE_ROUND_TRIP,
                        List.of(new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, 60_000)),
                        0,
                        System::currentTimeMillis);
    }

    private static TruthProber.Probing settings(int origin, SharedCache cache, int filter) {
        return new TruthProber.Probing(
                "probe-1",
                Set.of("shop/things"),
                URI.create("http://127.0.0.1:" + origin),
                List.of(cache.address()),
                Optional.of(URI.create("http://127.0.0.1:" + filter + FilterServer.PATH)),
                new KeyPaths("/{key}", "/{key}"),
                DELTA_MILLIS,
                Duration.ofSeconds(30),
                new CacheTruthProbe.Watching(List.of(WITHIN_MILLIS), 1, true, 2 * KEYS));
    }

    private static List<LinkTruth> links(TruthProber prober) {
        return prober.truths().get(0).links();
    }

    private static Optional<CacheLink> loser(TruthProber prober) {
        return CacheTruthVerdict.loser(links(prober));
    }

    private static Map<CacheLink, Verdict> verdicts(TruthProber prober) {
        Map<CacheLink, Verdict> verdicts = new EnumMap<>(CacheLink.class);
        links(prober)
                .forEach(l ->
                        verdicts.put(l.link(), CacheTruthVerdict.of(l, now()).verdict()));
        return verdicts;
    }
}
