package io.kipimo.labs.demos.caching;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import io.kipimo.caching.changes.ChangeServer;
import io.kipimo.caching.filter.FilterServer;
import io.kipimo.core.Effort;
import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.core.stale.Consistency;
import io.kipimo.core.stale.ReadHistory;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.Programs;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JavaScript client of {@code clients/js} and its service worker in a real Chromium, before a real Varnish and the
 * filter server. Nothing purges.
 */
class BrowserCachingITCase {
    private static final Path CLIENT = Path.of("../../clients/js/src");
    private static final int KEYS = 25;
    private static final int PAGES = Effort.of(2, 3);
    private static final int OPERATIONS = Effort.of(40, 250);
    private static final int DELTA_MILLIS = 500;

    /** The clocks of page and test count whole milliseconds. */
    private static final int ROUNDING_MILLIS = 2;

    private static final double PATIENCE_MILLIS = 120_000;

    private static Optional<Browser> chromium = Optional.empty();
    private static Playwright playwright;

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final ReadHistory history = new ReadHistory(DELTA_MILLIS);
    private final VersionedOrigin origin =
            new VersionedOrigin(vertx, history, () -> System.currentTimeMillis() + ROUNDING_MILLIS, false);
    private FilterServer filters;
    private SharedCache cache;

    @BeforeAll
    static void launch() {
        Optional<Path> executable = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Programs.find(name).stream())
                .findFirst();
        if (executable.isPresent() && CacheChoice.VARNISH.isInstalled()) {
            playwright = Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
            chromium = Optional.of(playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(executable.get())
                            .setArgs(List.of("--no-sandbox"))));
        } else {
            System.err.println("SKIPPED: the JavaScript client is not tested, it needs Chromium (here: "
                    + executable.isPresent()
                    + ") and Varnish (here: "
                    + CacheChoice.VARNISH.isInstalled()
                    + ")");
        }
    }

    @AfterAll
    static void quit() {
        chromium.ifPresent(Browser::close);
        if (playwright != null) {
            playwright.close();
        }
    }

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(chromium.isPresent(), "SKIPPED: no Chromium or no Varnish on this machine");
        HttpServer server = vertx.createHttpServer().requestHandler(this::answer);
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        filters = FilterServer.start(origin.publisher(), "127.0.0.1", 0);
        cache = CacheChoice.VARNISH.start(vertx, server.actualPort(), directory, this::withFilterServer);
    }

    @AfterEach
    void stop() {
        chromium.ifPresent(browser -> browser.contexts().forEach(BrowserContext::close));
        if (cache != null) {
            cache.close();
            filters.close();
        }
        origin.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** As docs/caching.md says: the filter has the page's origin, and caches pass it on. */
    private String withFilterServer(String vcl) {
        return vcl.replaceFirst("sub vcl_recv \\{", """
                backend filters { .host = "127.0.0.1"; .port = "%d"; }
                sub vcl_recv {
                    if (req.url == "/stale-filter") { set req.backend_hint = filters; return (pass); }
                """.formatted(filters.port()));
    }

    private void answer(HttpServerRequest request) {
        String path = request.path();
        if (path.startsWith("/items/")) {
            origin.handle(request);
            return;
        }
        try {
            byte[] text = path.endsWith(".js")
                    ? Files.readAllBytes(CLIENT.resolve(path.substring(1)))
                    : getClass().getResourceAsStream(path.substring(1)).readAllBytes();
            var unused = request.response()
                    .putHeader("Cache-Control", "no-store")
                    .putHeader("Content-Type", path.endsWith(".js") ? "text/javascript" : "text/html")
                    .end(Buffer.buffer(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A browser of its own. */
    private Page open(String page) {
        BrowserContext context = chromium.orElseThrow().newContext();
        context.setDefaultTimeout(PATIENCE_MILLIS);
        Page opened = context.newPage();
        opened.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                errors.add(message.text());
            }
        });
        opened.onPageError(errors::add);
        opened.navigate(cache.address().resolve("/" + page).toString());
        opened.waitForFunction("() => window.isReady");
        return opened;
    }

    private static String text(Page page, String level) {
        return (String) page.evaluate("async (level) => (await read('/items/k1', level)).text", level);
    }

    private void writeAndWaitForDelta() throws InterruptedException {
        origin.write("k1");
        Thread.sleep(2 * DELTA_MILLIS);
    }

    @Test
    void aPageReadsAWriteWithinDelta() throws Exception {
        Page page = open("page.html");
        assertThat(text(page, "SESSION")).isEqualTo("0");
        long before = origin.reads();
        assertThat(text(page, "SESSION")).isEqualTo("0");
        assertThat(text(open("page.html"), "SESSION")).isEqualTo("0");
        assertThat(origin.reads()).as("reads from the caches").isEqualTo(before);

        writeAndWaitForDelta();

        assertThat(page.evaluate("async () => (await fetch('/items/k1')).text()"))
                .as("without the client the browser's copy is used")
                .isEqualTo("0");
        assertThat(text(page, "SESSION")).isEqualTo("1");
        origin.write("k1");
        assertThat(text(page, "STRONG")).isEqualTo("2");
        assertThat(errors).isEmpty();
    }

    /** Its copy must be newer than a window of the filter; a slow answer may miss that. */
    @Test
    void aStaleKeyIsRenewedForAllBrowsersByTheFirst() throws Exception {
        Page page = open("page.html");
        Page other = open("page.html");
        List<Object> sources = new ArrayList<>();
        while (!sources.contains("SHARED_CACHE") && sources.size() < 10) {
            assertThat(text(other, "STRONG")).isEqualTo(String.valueOf(sources.size()));
            origin.write("k1");
            Thread.sleep(5 * DELTA_MILLIS);
            assertThat(text(page, "STRONG")).isEqualTo(String.valueOf(sources.size() + 1));
            Map<?, ?> read = (Map<?, ?>) other.evaluate("() => read('/items/k1', 'SESSION')");
            assertThat(read.get("text")).isEqualTo(String.valueOf(sources.size() + 1));
            sources.add(read.get("source"));
        }
        assertThat(sources).as("the other browser reads from Varnish").contains("SHARED_CACHE");
        assertThat(errors).isEmpty();
    }

    @Test
    void aPageThatChangesNothingReadsThroughTheWorker() throws Exception {
        Page page = open("unchanged.html");
        String read = "() => read('/items/k1')";
        assertThat(page.evaluate(read)).isEqualTo("0");
        long before = origin.reads();
        assertThat(page.evaluate(read)).isEqualTo("0");
        assertThat(origin.reads()).isEqualTo(before);

        writeAndWaitForDelta();
        assertThat(page.evaluate(read)).isEqualTo("1");

        page.evaluate("() => read('/items/k1', { method: 'PUT' })");
        assertThat(page.evaluate(read)).as("its own write").isEqualTo("2");
        Map<?, ?> counts = (Map<?, ?>) page.evaluate("() => counts()");
        assertThat(counts.get("clientHits")).isEqualTo(1);
        assertThat(counts.get("revalidations")).isNotEqualTo(0);
        assertThat(page.evaluate("async () => (await fetch('/items/k1', { headers: {"
                        + " 'Kipimo-Consistency': 'always' } })).status"))
                .isEqualTo(400);
    }

    /** A browser ends a worker half a minute after its last request; here it does at once. */
    @Test
    void theSessionOfAWorkerContinuesInTheNextOne() {
        Page page = open("unchanged.html");
        page.evaluate("() => read('/items/k1', { method: 'PUT' })");
        assertThat(page.evaluate("() => read('/items/k1')")).isEqualTo("1");
        assertThat(page.evaluate("() => read('/items/k2')")).isEqualTo("0");
        assertThat(((Map<?, ?>) page.evaluate("() => counts()")).get("reads")).isEqualTo(2);
        CDPSession tools = page.context().newCDPSession(page);
        tools.send("ServiceWorker.enable");
        tools.send("ServiceWorker.stopAllWorkers");

        assertThat(page.evaluate("() => read('/items/k1')")).isEqualTo("1");
        Map<?, ?> counts = (Map<?, ?>) page.evaluate("() => counts()");
        assertThat(counts.get("reads")).as("of the next worker").isEqualTo(1);
        assertThat(counts.get("restoredKeys"))
                .as("the addresses that were read, and the key that was written")
                .isEqualTo(3);
        assertThat(counts.get("memoryFailures")).isEqualTo(0);
        assertThat(errors).isEmpty();
    }

    @Test
    void readsOfAllLevelsKeepTheirPromises() throws Exception {
        List<Page> pages = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            Page page = open("page.html");
            page.evaluate(
                    "([keys, operations]) => { window.done = null;"
                            + " run(keys, operations).then((all) => (window.done = all)); }",
                    List.of(KEYS, OPERATIONS));
            pages.add(page);
        }
        SplittableRandom random = new SplittableRandom(7);
        long end = System.currentTimeMillis() + (long) PATIENCE_MILLIS;
        while (!pages.stream().allMatch(BrowserCachingITCase::isDone) && System.currentTimeMillis() < end) {
            for (int i = 0; i < 5; i++) {
                origin.write("k" + random.nextInt(KEYS));
                Thread.sleep(random.nextInt(80));
            }
        }
        long hits = 0;
        for (Page page : pages) {
            List<?> operations = (List<?>) page.evaluate("() => window.done");
            assertThat(operations).as("errors: %s", errors).hasSizeGreaterThan(OPERATIONS / 2);
            for (Object operation : operations) {
                List<?> words = (List<?>) operation;
                record("page " + pages.indexOf(page), words);
            }
            Map<?, ?> counts = (Map<?, ?>) page.evaluate("() => counts()");
            System.out.println("page " + pages.indexOf(page) + ": " + counts);
            hits += ((Number) counts.get("clientHits")).longValue();
            hits += ((Number) counts.get("sharedHits")).longValue();
        }
        String figures =
                String.format("%d reads, %d from caches, %d at the origin", history.reads(), hits, origin.reads());
        System.out.println(figures);
        assertThat(hits).as(figures).isPositive();
        assertThat(history.violations()).as(figures).isEmpty();
        assertThat(errors).isEmpty();
    }

    /** The stream has another origin than the page, so it needs CORS. */
    @Test
    void aLiveListFollowsChangesThroughReconnectionsAndLostHistory() throws Exception {
        String own = cache.address().toString();
        int port = FreePorts.one();
        Page page = open("live.html");
        Page stranger = open("live.html");
        String stream = "http://127.0.0.1:" + port + ChangeServer.PATH;
        ChangeFeedOfTest changes = new ChangeFeedOfTest(port, own);
        try {
            page.evaluate("stream => start(stream)", stream);
            page.waitForFunction("() => results.at(-1) === '0'");

            changes.write();
            page.waitForFunction("() => results.at(-1) === '1'");
            assertThat(page.locator("output").textContent()).isEqualTo("1");
            assertThat(changes.metrics()).contains("kipimo_changes_streams 1");

            // What changes while the server is away is in the history of the next one.
            changes.stop();
            changes.write();
            changes.start();
            page.waitForFunction("() => results.at(-1) === '2'");
            assertThat(page.evaluate("() => live.counts.reloads")).isEqualTo(0);

            // The next one begins later: the page is told to load again.
            changes.stop();
            changes.write();
            changes.forget();
            changes.start();
            page.waitForFunction("() => results.at(-1) === '3'");
            assertThat(page.evaluate("() => live.counts.reloads")).isEqualTo(1);
            assertThat(errors).allMatch(e -> e.contains("net::ERR_"));

            changes.allow("https://other");
            stranger.evaluate("stream => start(stream)", stream);
            stranger.waitForFunction("() => live.counts.connections > 1");
            assertThat(stranger.evaluate("() => results.length")).isEqualTo(0);
        } finally {
            changes.stop();
        }
    }

    /** Notifications of the writes of one record, as those of the invalidation job. */
    private final class ChangeFeedOfTest {
        private final int port;
        private final List<Invalidation> log = new ArrayList<>();
        private String allowed;
        private int first;
        private boolean isRunning;
        private ChangeServer server;

        ChangeFeedOfTest(int port, String allowed) throws Exception {
            this.port = port;
            this.allowed = allowed;
            start();
        }

        void start() throws Exception {
            server = ChangeServer.start(
                    new ChangeServer.Serving(10, 100, 300, Set.of(allowed), Optional.empty()), "127.0.0.1", port);
            server.restart(token(0));
            server.publish(List.copyOf(log.subList(first, log.size())), token(log.size()));
            isRunning = true;
        }

        private static ResumeToken token(long next) {
            return new ResumeToken(List.of(next), List.of(1L));
        }

        void allow(String origin) throws Exception {
            stop();
            allowed = origin;
            start();
        }

        void forget() {
            first = log.size();
        }

        void stop() {
            isRunning = false;
            server.close();
        }

        String metrics() throws Exception {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }

        void write() {
            int version = origin.write("k1");
            log.add(InvalidationBuilder.builder()
                    .service("shop")
                    .table("items")
                    .key("k1")
                    .kind(CachedKind.RECORD)
                    .change(ResultChange.CHANGED)
                    .record("k1")
                    .version(version)
                    .writtenMillis(System.currentTimeMillis())
                    .mode(InvalidationMode.HARD)
                    .sequence(log.size())
                    .build());
            if (isRunning) {
                server.publish(List.of(log.get(log.size() - 1)), token(log.size()));
            }
        }
    }

    private static boolean isDone(Page page) {
        return (boolean) page.evaluate("() => window.done !== null");
    }

    private void record(String session, List<?> words) {
        String key = (String) words.get(1);
        long version = Long.parseLong((String) words.get(2));
        if (words.get(0).equals("wrote")) {
            history.wrote(session, key, version);
        } else {
            history.read(
                    session,
                    Consistency.valueOf((String) words.get(0)),
                    key,
                    version,
                    ((Number) words.get(3)).longValue());
        }
    }
}
