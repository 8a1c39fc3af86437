package io.kipimo.console.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.rating.RatingState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsolePageITCase {
    private static final double PATIENCE_MILLIS = 60_000;
    private static final String[] CLASSES = {"high", "low"};
    private static final String PAPER = "() => getComputedStyle(document.body).backgroundColor";

    private static Optional<Browser> browser = Optional.empty();

    private FedConsole console;

    @BeforeAll
    static void launch() {
        browser = Browser.launch();
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    }

    @AfterAll
    static void quit() {
        browser.ifPresent(Browser::close);
    }

    @BeforeEach
    void start() throws Exception {
        assumeThat(browser).as("a Chromium on this machine").isPresent();
        console = FedConsole.start();
    }

    @AfterEach
    void stop() {
        if (console != null) {
            browser.orElseThrow().forget();
            console.close();
        }
    }

    private Page open() {
        return open(1280, 900, ColorScheme.LIGHT);
    }

    private Page open(int width, int height, ColorScheme scheme) {
        return browser.orElseThrow().open(console.address(), width, height, scheme);
    }

    private void assertNothingOdd() {
        browser.orElseThrow().assertNothingOdd(console.address());
    }

    /** "search" is below its objective and "feed" is fine. */
    private void feedTwo() {
        SampleRecords.feed(console, "feed", 0.97, CLASSES);
        SampleRecords.feed(console, "search", 0.82, CLASSES);
    }

    private static Locator headline(Page page) {
        return page.locator("h1");
    }

    private static Locator row(Page page, String route) {
        return page.locator(".row").filter(new Locator.FilterOptions().setHas(page.locator("a[href='" + route + "']")));
    }

    private static String focused(Page page) {
        return (String) page.evaluate("() => document.activeElement.getAttribute('href') ?? document.activeElement.id");
    }

    @Test
    void wrongClassesComeFirstWithTimeCauseAndResponse() {
        feedTwo();
        Page page = open();

        assertThat(headline(page)).hasText("2 of 4 classes are below their objective");
        assertThat(page.locator(".lede")).containsText("search / high");
        assertThat(page.locator(".lede")).containsText("Kipimo admits 50");
        Locator first = page.locator(".rows .row").first();
        assertThat(first.locator(".row-link")).hasText("search / high");
        assertThat(first).hasAttribute("data-status", "wrong");
        assertThat(first.locator(".status-word")).hasText("below");
        assertThat(first.locator(".reason")).containsText("below its objective");
        assertThat(first.locator(".reason")).containsText("shard-2");
        assertThat(first.locator(".cell-quality .main")).hasText("0.820");
        assertThat(page).hasTitle(Pattern.compile("2 below"));
        Browser.picture(page, "first-screen-1280-light");
        assertNothingOdd();
    }

    @Test
    void newFiguresAppearWithoutAReloadAndAreAnnounced() {
        feedTwo();
        Page page = open();
        assertThat(headline(page)).containsText("2 of 4");
        page.evaluate("() => { window.sameDocument = true; }");

        long now = FedConsole.now();
        console.model.window(SampleRecords.window("search", "high", now, 0.96), now);
        console.model.read(now, now);

        assertThat(headline(page)).hasText("1 of 4 classes is below its objective");
        assertThat(page.locator("#announce")).hasText("search / high keeps its objective.");
        assertThat(page.evaluate("() => window.sameDocument")).isEqualTo(true);
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void aClassThatIsHardlyMeasurableIsNeverFine() {
        feedTwo();
        long now = FedConsole.now();
        console.model.window(
                SampleRecords.with(
                        SampleRecords.window("feed", "high", now, 0.99),
                        Map.of(
                                Unmeasurable.NO_COMPONENTS, 18_000L,
                                Unmeasurable.FAILED_ANSWER, 1_200L)),
                now);
        console.model.read(now, now);
        Page page = open();

        Locator feed = row(page, "#/feed/high");
        assertThat(feed).hasAttribute("data-status", "unknown");
        assertThat(feed.locator(".cell-quality .main")).hasText("–");
        assertThat(feed.locator(".cell-quality .side")).containsText("20");
        assertThat(feed.locator(".cell-quality .side")).containsText("measurable");
        assertThat(feed.locator(".reason")).containsText("Only 20.0 % of the answers can be measured");
        Browser.picture(page, "unmeasurable-1280-light");
        feed.locator(".row-link").click();
        assertThat(headline(page)).hasText("feed / high");
        Locator measuring = page.locator(".measurement");
        assertThat(measuring).containsText("no components");
        assertThat(measuring).containsText("of the service's");
        measuring.scrollIntoViewIfNeeded();
        Browser.picture(page, "unmeasurable-service-1280-light");
        assertNothingOdd();
    }

    /** A job that was away for longer than a window: what it did not measure is unknown. */
    @Test
    void noLineCrossesATimeWithoutWindows() {
        long now = FedConsole.now();
        for (long age : new long[] {1_820_000, 1_810_000, 1_800_000, 20_000, 10_000, 0}) {
            console.model.window(SampleRecords.window("search", "high", now - age, 0.95), now);
        }
        Page page = browser.orElseThrow().open(console.address() + "#/search/high", 1280, 900, ColorScheme.LIGHT);
        for (String line : List.of("quality-line", "timeout-line", "admitted-line")) {
            assertThat(page.locator(".timeline ." + line))
                    .hasAttribute("d", Pattern.compile("^M[\\d.]+ [^M]+M[\\d.]+ [^M]+$"));
        }
        Locator reading = page.locator(".timeline .reading");
        assertThat(reading).hasAttribute("aria-valuemax", "6");
        reading.focus();
        for (int i = 0; i < 3; i++) {
            page.keyboard().press("ArrowLeft");
        }
        assertThat(reading).hasAttribute("aria-valuetext", Pattern.compile(".*no window covers this time.*"));
        Browser.picture(page, "service-gap");
        assertNothingOdd();
    }

    @Test
    void everythingIsReachedByKeys() {
        feedTwo();
        Page page = open();
        assertThat(page.locator(".row-link")).hasCount(4);

        page.keyboard().press("j");
        assertThat(focused(page)).isEqualTo("#/search/high");
        page.keyboard().press("ArrowDown");
        assertThat(focused(page)).isEqualTo("#/search/low");
        page.keyboard().press("k");
        assertThat(focused(page)).isEqualTo("#/search/high");

        page.keyboard().press("/");
        page.keyboard().type("feed lo");
        assertThat(page.locator(".row-link")).hasCount(1);
        page.keyboard().press("ArrowDown");
        page.keyboard().press("Enter");
        assertThat(headline(page)).hasText("feed / low");
        assertThat(page.locator(".timeline .line.quality-line")).hasAttribute("d", Pattern.compile("^M"));

        page.keyboard().press("Escape");
        assertThat(page.locator(".row-link")).hasCount(1);
        assertThat(focused(page)).isEqualTo("#/feed/low");
        page.keyboard().press("/");
        page.keyboard().press("Escape");
        assertThat(page.locator(".row-link")).hasCount(4);

        page.keyboard().press("?");
        assertThat(page.locator("dialog[open] h2")).hasText("Keys and words");
        page.keyboard().press("Escape");
        assertThat(page.locator("dialog[open]")).hasCount(0);
        assertNothingOdd();
    }

    @Test
    void anOverrideIsConfirmedPostedAndShown() {
        feedTwo();
        Page page = open();
        assertThat(page.locator(".row-link")).hasCount(4);
        page.keyboard().press("j");
        page.keyboard().press("j");
        page.keyboard().press("o");
        page.locator("#steer-fraction").fill("25");
        page.locator("#steer-by").fill("ann");
        page.locator("#steer-reason").fill("sale");
        page.locator("#steer-token").fill("not-the-token-0000");
        page.keyboard().press("Enter");
        assertThat(page.locator(".confirm")).containsText("search / low gets 25");
        assertThat(page.locator(".confirm")).containsText("Signed ann: sale");
        assertThat(console.policy("search").version()).isEqualTo(7);

        page.locator("dialog[open] .primary").click();
        assertThat(page.locator("dialog[open] .error")).containsText("token is not the one");
        page.locator("#steer-token").fill(FedConsole.TOKEN);
        page.locator("dialog[open] .primary").click();
        page.locator("dialog[open] .primary").click();

        assertThat(page.locator("dialog[open]")).hasCount(0);
        assertThat(row(page, "#/search/low").locator(".badge")).hasText("override");
        assertThat(page.evaluate("() => JSON.stringify(localStorage)").toString())
                .doesNotContain(FedConsole.TOKEN);
        assertThat(console.policy("search")
                        .classPolicy("low")
                        .orElseThrow()
                        .override()
                        .orElseThrow()
                        .fraction())
                .isEqualTo(0.25);

        page.navigate(console.address() + "#/search/low");
        assertThat(page.locator(".override-note")).containsText("ann set 25");
        page.locator(".policy button", new Page.LocatorOptions().setHasText("Remove"))
                .click();
        page.locator("dialog[open] .primary").click();
        page.locator("dialog[open] .primary").click();
        assertThat(page.locator(".override-note")).isHidden();
        // The browser itself reports the refusal of the wrong token.
        assertThat(browser.orElseThrow().errors()).allMatch(e -> e.contains("401"));
    }

    @Test
    void theKillSwitchIsConfirmedAndShownEverywhere() {
        feedTwo();
        Page page = browser.orElseThrow().open(console.address() + "#/search", 1280, 900, ColorScheme.LIGHT);
        page.locator("button", new Page.LocatorOptions().setHasText("Kill switch"))
                .click();
        page.locator("#steer-by").fill("ann");
        page.locator("#steer-reason").fill("incident 12");
        page.locator("#steer-token").fill(FedConsole.TOKEN);
        page.locator("dialog[open] .primary").click();
        assertThat(page.locator(".confirm")).containsText("safe fractions");
        page.locator("dialog[open] .primary").click();

        assertThat(page.locator("#notices")).containsText("Kill switch is on for search");
        assertThat(page.locator(".policy .facts-list")).containsText("kill switch");
        assertThat(console.policy("search").killSwitch()).isTrue();
        assertNothingOdd();
    }

    @Test
    void withoutATokenItIsReadOnlyAndNamesTheCommands() throws Exception {
        console.close();
        console = FedConsole.readOnly();
        feedTwo();
        Page page = browser.orElseThrow().open(console.address() + "#/search/low", 1280, 900, ColorScheme.LIGHT);
        assertThat(page.locator(".read-only")).containsText("./kipimo override set search low 0.5");
        assertThat(page.locator(".policy button").first()).isHidden();
        page.keyboard().press("o");
        assertThat(page.locator("dialog[open]")).containsText("read-only");
        assertNothingOdd();
    }

    @Test
    void theServiceScreenShowsWhatOnlyKipimoCanTell() {
        feedTwo();
        SampleRecords.feedAdvice(console, "search", CLASSES);
        Page page = openClass();

        assertThat(page.locator(".components > .answer")).containsText("shard-2 causes 70");
        assertThat(page.locator(".components tbody tr").first()).containsText("shard-2");
        assertThat(page.locator(".deadline > .answer"))
                .containsText("The shortest deadline that surely keeps 0.90 is 120");
        assertThat(page.locator(".budget > .answer")).containsText("If this goes on");
        assertThat(page.locator(".burn-figure").first()).containsText("1.90");
        assertThat(page.locator(".completeness > .answer")).containsText("0.020 off");
        assertThat(page.locator(".facts")).containsText("without any item");
        assertThat(page.locator(".measurement")).containsText("4.2");
        assertThat(page.locator(".decision").first()).containsText("60");
        assertThat(page.locator(".policy")).containsText("answer quality");

        Locator chart = page.locator(".timeline .reading");
        chart.focus();
        String before = chart.getAttribute("aria-valuetext");
        page.keyboard().press("PageDown");
        page.keyboard().press("ArrowLeft");
        assertThat(chart.getAttribute("aria-valuetext")).isNotEqualTo(before).contains("quality 0.820");
        Browser.picture(page, "service-1280-light");
        assertNothingOdd();
    }

    @Test
    void theAddressHasFilterAndOrderAndOpensThemAgain() {
        feedTwo();
        Page page = browser.orElseThrow()
                .open(console.address() + "#/?filter=search+low&sort=name&only=no", 1280, 900, ColorScheme.LIGHT);
        assertThat(page.locator(".row-link")).hasCount(1);
        assertThat(page.locator("#filter")).hasValue("search low");
        assertThat(page.locator("#sort")).hasValue("name");

        page.locator("#filter").fill("SEARCH hi");
        assertThat(page.locator(".row-link")).hasCount(1);
        assertThat(page).hasURL(console.address() + "#/?filter=SEARCH+hi&sort=name");
        page.locator(".row-link").click();
        assertThat(page).hasURL(Pattern.compile(".*#/search/high$"));
        page.keyboard().press("Escape");
        assertThat(page).hasURL(console.address() + "#/?filter=SEARCH+hi&sort=name");
        assertThat(page.locator(".row-link")).hasCount(1);

        page.locator("#filter").fill("");
        page.locator("#sort").selectOption("attention");
        assertThat(page).hasURL(console.address() + "#/");
        assertThat(page.locator(".row-link")).hasCount(4);
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void theAddressHasTheTimeRangeOfTheCharts() {
        feedTwo();
        String service = console.address() + "#/search/high";
        Page page = browser.orElseThrow().open(service + "?range=15m", 1280, 900, ColorScheme.LIGHT);
        Locator reading = page.locator(".timeline .reading");
        Locator range = page.locator("#range");
        assertThat(range).hasValue("?range=15m");
        assertThat(page.locator(".tab").nth(1)).hasAttribute("href", "#/search/low?range=15m");
        assertThat(reading).hasAttribute("aria-valuemax", Pattern.compile("[1-9].*"));
        int quarter = points(reading);

        range.selectOption("");
        assertThat(reading).not().hasAttribute("aria-valuemax", String.valueOf(quarter));
        int all = points(reading);
        assertThat(page.url()).endsWith("#/search/high");
        range.selectOption("?range=5m");
        assertThat(reading).not().hasAttribute("aria-valuemax", String.valueOf(all));
        assertThat(page.url()).endsWith("#/search/high?range=5m");
        assertThat(points(reading)).isLessThan(quarter);
        assertThat(quarter).isLessThan(all);
        Browser.picture(page, "service-range");

        long now = FedConsole.now();
        page.navigate(service + "?from=" + (now - 1_200_000) + "&to=" + (now - 600_000));
        assertThat(range).hasValue(Pattern.compile("\\?from=.*&to=.*"));
        assertThat(range.locator("option:checked")).hasText(Pattern.compile(".* to .*"));
        page.navigate(service + "?from=2001-01-01&to=2001-01-02");
        assertThat(page.locator(".timeline > .empty"))
                .containsText("No window ends in this range. The console keeps those from");
        page.navigate(service + "?range=never&from=x");
        assertThat(range).hasValue("");
        assertThat(reading).isVisible();
        assertNothingOdd();
    }

    private static int points(Locator reading) {
        return Integer.parseInt(reading.getAttribute("aria-valuemax"));
    }

    @Tag("full")
    @Test
    void whomTheProxyNamesSignsWithoutAToken() throws Exception {
        console.close();
        console = FedConsole.behindAProxy();
        feedTwo();
        Page page = browser.orElseThrow()
                .open(
                        console.address() + "#/search/low",
                        1280,
                        900,
                        ColorScheme.LIGHT,
                        Map.of("X-Forwarded-User", "ann@example.com"));
        assertThat(page.locator("#user")).hasText("ann@example.com");
        assertThat(page.locator(".policy button").first()).isVisible();
        page.keyboard().press("o");
        assertThat(page.locator("#steer-token")).isHidden();
        assertThat(page.locator("#steer-by")).isHidden();
        page.locator("#steer-fraction").fill("25");
        page.locator("#steer-reason").fill("sale");
        Browser.picture(page, "override-of-a-user");
        page.keyboard().press("Enter");
        assertThat(page.locator(".confirm")).containsText("Signed ann@example.com: sale");
        page.locator("dialog[open] .primary").click();
        assertThat(page.locator("dialog[open]")).hasCount(0);
        assertThat(console.policy("search")
                        .classPolicy("low")
                        .orElseThrow()
                        .override()
                        .orElseThrow()
                        .by())
                .isEqualTo("ann@example.com");
        assertNothingOdd();
    }

    @Test
    void theWorstQueriesHaveTheirComponentsAndLeadToTheirTraces() {
        feedTwo();
        Page page = openClass();
        Locator queries = page.locator(".queries");
        assertThat(queries.locator(".empty")).containsText("No measured query has lost quality");

        long now = FedConsole.now();
        console.model.measurement(SampleRecords.degraded("search", "high", now - 2_000, "<b>bad</b>", 0.25), now);
        console.model.measurement(SampleRecords.degraded("search", "high", now - 1_000, "worse", 0.5), now);
        console.model.read(now, now);

        assertThat(queries.locator("> .answer")).containsText("worse has lost most");
        assertThat(queries.locator("tbody tr")).hasCount(2);
        assertThat(queries.locator("tbody tr").first()).containsText("0.500");
        assertThat(queries.locator("tbody tr").first()).containsText("shard-2 timed out");
        assertThat(queries.locator("tbody tr").nth(1)).containsText("<b>bad</b>");
        assertThat(queries.locator("tbody tr").nth(1).locator("a"))
                .hasAttribute("href", "https://tempo.example/trace/%3Cb%3Ebad%3C%2Fb%3E");
        queries.scrollIntoViewIfNeeded();
        Browser.picture(page, "queries-1280-light");
        assertNothingOdd();

        for (int i = 0; i < 5; i++) {
            console.model.measurement(SampleRecords.degraded("search", "high", now - 1_000, "more-" + i, 0.1), now);
        }
        console.model.read(now, now);
        Locator all = queries.locator("button");
        assertThat(all).hasText("Show all 7");
        assertThat(queries.locator("tbody tr")).hasCount(5);
        all.click();
        assertThat(queries.locator("tbody tr")).hasCount(7);
        assertThat(all).hasText("Show the worst 5");
    }

    @Tag("full")
    @Test
    void tiersComponentsAndServersShowWhoIsSlowAndFollowTheStream() {
        feedTwo();
        SampleRecords.feedTails(console, "search");
        Page page = openClass();
        Locator servers = page.locator(".servers");
        assertThat(servers.locator("> .answer")).containsText("shard-1-<i>3 is slow");
        assertThat(servers.locator("> .answer")).containsText("times the median of shard-1");
        assertThat(servers.locator("tbody tr")).hasCount(6);
        assertThat(servers.locator("tr.tier").nth(1)).containsText("24 servers");
        assertThat(servers.locator(".heat-ground")).hasCount(26);
        assertThat(servers.locator("[data-heat='3']")).hasCount(1);

        Locator shard = servers.locator(".reading").nth(2);
        shard.focus();
        page.keyboard().press("Home");
        page.keyboard().press("ArrowRight");
        page.keyboard().press("ArrowRight");
        assertThat(shard).hasAttribute("aria-valuetext", Pattern.compile("shard-1-<i>3: p99 140"));
        assertThat(servers.locator(".server-line")).containsText("93");
        // An update must not move the cursor.
        SampleRecords.feedTails(console, "search");
        console.model.read(FedConsole.now(), FedConsole.now());
        assertThat(servers.locator(".server-line")).containsText("shard-1-<i>3");
        servers.scrollIntoViewIfNeeded();
        assertThat(servers.locator(".replicas")).isHidden();
        Browser.picture(page, "servers-1280-light");

        SampleRecords.feedReplicaTruth(console, "search");
        Locator replicas = servers.locator(".replicas");
        assertThat(replicas).containsText("shard-1: yes, in 1 of 800 comparisons, also when asked again.");
        assertThat(replicas.locator("tbody tr").first()).containsText("a-<i>1");
        assertThat(replicas.locator("li")).containsText("q-<i>7 a-<i>1 lacks d1, d2, d3 and 2 more");
        replicas.scrollIntoViewIfNeeded();
        Browser.picture(page, "replicas-1280-light");

        page.navigate(console.address() + "#/feed/high");
        assertThat(page.locator(".servers .empty")).containsText("./kipimo run tails");
        assertNothingOdd();
    }

    /** The page of class {@code high}, in light colours. */
    private Page openClass() {
        return browser.orElseThrow().open(console.address() + "#/search/high", 1280, 900, ColorScheme.LIGHT);
    }

    @Tag("full")
    @Test
    void aCardTellsWhatAskingFewerComponentsWouldSaveWhereFeaturesCome() {
        feedTwo();
        Page page = openClass();
        Locator card = page.locator(".fan-out");
        assertThat(page.locator(".card.deadline")).isVisible();
        assertThat(card).isHidden();

        long now = FedConsole.now();
        console.model.curve(SampleRecords.featured("search", "high", now, true));
        console.model.read(now, now);
        assertThat(card.locator("> .answer")).containsText("would save 48");
        assertThat(card.locator("> .answer")).containsText("of the work at 0.90");
        console.model.fanOut(SampleRecords.fanOut("search", "high", now));
        console.model.read(now, now);
        assertThat(card.locator("> .answer"))
                .containsText("Shadow: all components are asked, the choices are only made (saves 48");
        card.scrollIntoViewIfNeeded();
        Browser.picture(page, "fan-out-1280-light");

        console.model.curve(SampleRecords.featured("search", "high", now + 1, false));
        console.model.read(now + 1, now + 1);
        assertThat(card.locator("> .answer")).containsText("Nothing to gain here");
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void aCardComparesVariantsWhereAnswersNameThem() {
        feedTwo();
        Page page = openClass();
        Locator card = page.locator(".variants");
        assertThat(page.locator(".card.queries")).isVisible();
        assertThat(card).isHidden();

        variant("stable", 0.95);
        assertThat(card.locator("> .answer")).containsText("none to compare it with");
        variant("canary", 0.94);
        assertThat(card.locator("> .answer")).containsText("No variant is clearly below another");
        assertThat(card.locator("[data-below]")).hasCount(0);
        variant("canary", 0.88);
        assertThat(card.locator("> .answer")).containsText("canary is clearly below stable, by 0.070");
        assertThat(card.locator("[data-below]")).hasText("0.880");
        assertThat(card.locator("tbody tr").first()).containsText("0.870 to 0.890");
        card.scrollIntoViewIfNeeded();
        Browser.picture(page, "variants-1280-light");
        assertNothingOdd();
    }

    private void variant(String name, double quality) {
        long now = FedConsole.now();
        console.model.window(SampleRecords.ofVariant(name, SampleRecords.window("search", "high", now, quality)), now);
        console.model.read(now, now);
    }

    @Tag("full")
    @Test
    void replicationShowsFactorsTrialsTheLockAndOverrides() {
        feedTwo();
        SampleRecords.feedReplication(console, "search");
        Page page = openClass();
        Locator card = page.locator(".replication");
        assertThat(card.locator("> .answer")).containsText("2 in web and 1 in store");
        assertThat(card.locator(".replication-now tbody tr").nth(1)).containsText("ruled out by the model");
        assertThat(card.locator(".trials tbody tr")).hasCount(4);
        Locator kept = card.locator("[data-verdict='TRIAL_KEPT']");
        assertThat(kept).containsText("1, 1 → 2, 1");
        assertThat(kept).containsText("−163 ms to −131 ms");
        assertThat(kept).containsText("−150 ms");
        card.scrollIntoViewIfNeeded();
        Browser.picture(page, "replication-1280-light");

        long now = FedConsole.now();
        console.model.replication(SampleRecords.factors("search", 9, now, 3, 2, ReplicationReason.TRIAL_STARTED, null));
        console.model.read(now, now);
        assertThat(card.locator("> .answer")).containsText("On trial: 3 instead of 2 in web");
        assertThat(card.locator(".facts-list")).containsText("admission opens nothing");

        console.policy(console.policy("search").withKillSwitch(true));
        assertThat(card.locator("> .answer")).containsText("kill switch is on");

        page.navigate(console.address() + "#/feed/high");
        assertThat(page.locator(".replication .empty")).containsText("./kipimo run replication");
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void ratingsShowTheCarriedLoadAndStaleness() {
        feedTwo();
        Page page = open();
        page.navigate(console.address() + "#/search/high");
        Locator ratings = page.locator(".ratings");
        assertThat(ratings.locator(".empty")).containsText("./kipimo rate --remote");

        SampleRecords.feedRating(console, "search", RatingState.FOUND, "");
        assertThat(ratings.locator("> .answer")).containsText("front<i> carries 640 /s within p95");
        assertThat(ratings.locator("tbody tr")).hasCount(1);
        assertThat(ratings.locator("tbody tr")).containsText("quality ≥ 0.90");
        assertThat(ratings.locator(".mark-failed")).hasAttribute("d", Pattern.compile("M.*"));
        assertThat(ratings.locator(".note")).containsText("3 experiments");
        Browser.picture(page, "ratings-1280-light");

        SampleRecords.feedRating(console, "search", RatingState.STALE, "capacity of page: 50.0, was 100");
        assertThat(ratings.locator("> .answer"))
                .hasText("The rating of front<i> is stale: capacity of page: 50.0, was 100. Rate it again.");
        assertThat(ratings.locator("tr[data-state=STALE]")).containsText("stale");

        SampleRecords.feedRating(console, "search", RatingState.FOUND, "", 640_000);
        assertThat(ratings.locator(".plot")).containsText("600\u202f000");
        assertThat(Browser.findings(page)).isEmpty();
        Browser.picture(page, "ratings-six-digits-1280-light");
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void cachedAnswersShowHitsStalenessTimesToLiveAndTheFilter() {
        SampleRecords.feedCaching(console, "shop");
        Page page = open();
        page.locator(".cached a[href='#/shop']").click();
        Locator caching = page.locator(".caching:visible");
        assertThat(caching.locator("> .answer")).hasText("Caches answer 75 % of the reads; 0.5 % were found stale.");
        assertThat(caching.locator("tbody").first().locator("tr")).hasCount(2);
        Locator products = caching.locator("tbody tr").nth(1);
        assertThat(products).containsText("45 % + 30 %");
        assertThat(products).containsText("120 of 2\u202f400");
        assertThat(products).containsText("1 s, 12 s, 60 s");
        assertThat(caching.locator(".hottest li").first()).containsText("products/q-<i>cheapest");
        assertThat(caching.locator(".truth")).isHidden();
        Browser.picture(page, "caching-1280-light");

        SampleRecords.feedTruth(console, "shop");
        assertThat(caching.locator("> .answer")).containsText("Changes are lost: products by the purge.");
        Locator links = caching.locator(".truth tbody tr");
        assertThat(links.nth(0)).containsText("none stale, 2 nines shown");
        assertThat(links.nth(1)).containsText("12 stale, 1 nine shown");
        assertThat(links.nth(2)).containsText("unknown: 3 reads without proof");
        Browser.picture(page, "cache-truth-1280-light");

        // A warning that a filter is too full comes first.
        SampleRecords.feedFullFilter(console, "shop");
        assertThat(caching.locator("> .answer")).containsText("The filter of orders is too full");

        feedTwo();
        page.navigate(console.address() + "#/search/high");
        assertThat(page.locator(".caching:visible .empty")).containsText("./kipimo run ttl");
        assertNothingOdd();
    }

    @Test
    void textHasContrastAndControlsHaveNames() {
        feedTwo();
        SampleRecords.feedAdvice(console, "search", CLASSES);
        SampleRecords.feed(console, "young", 0.95, "only");
        long now = FedConsole.now();
        console.model.window(SampleRecords.tooFew("young", "only", now), now);
        console.model.deadLetter(SampleRecords.deadLetter(now));
        console.policy(console.policy("feed").withKillSwitch(true));
        Page page = open();
        assertThat(row(page, "#/young/only")).hasAttribute("data-status", "unknown");
        assertNoFindingsInLightAndDark(page, "first-screen-1280");

        page.keyboard().press("j");
        page.keyboard().press("o");
        assertThat(page.locator("dialog[open]")).isVisible();
        assertNoFindingsInLightAndDark(page, "override-1280");
        page.keyboard().press("Escape");

        page.navigate(console.address() + "#/search/high");
        assertThat(page.locator(".deadline .line")).hasAttribute("d", Pattern.compile("^M"));
        assertNoFindingsInLightAndDark(page, "service-1280");
        assertNothingOdd();
    }

    private static void assertNoFindingsInLightAndDark(Page page, String picture) {
        Object paper = null;
        for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            Object shown = page.evaluate(PAPER);
            assertThat(shown).as("the page follows").isNotEqualTo(paper);
            paper = shown;
            assertThat(Browser.findings(page)).as("%s", scheme).isEmpty();
            Browser.picture(page, picture + "-" + scheme);
        }
    }

    @Tag("full")
    @Test
    void followsTheSystemsColoursUntilSomebodyChooses() {
        feedTwo();
        Page page = open(1280, 900, ColorScheme.DARK);
        Object dark = page.evaluate(PAPER);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        Object light = page.evaluate(PAPER);
        assertThat(light).isNotEqualTo(dark);

        page.locator("#theme").click(); // light
        page.locator("#theme").click(); // dark
        assertThat(page.evaluate(PAPER)).isEqualTo(dark);
        page.reload();
        assertThat(page.evaluate(PAPER)).isEqualTo(dark);
        assertThat(page.locator("#theme")).hasAttribute("aria-label", "Colours: dark");
        assertNothingOdd();
    }

    @Test
    void noScreenScrollsSideways() {
        assertNothingIsWiderThan(320, 640);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"390, 844", "768, 1024", "1280, 900"})
    void norDoesOneOfAnotherSize(int width, int height) {
        assertNothingIsWiderThan(width, height);
    }

    private void assertNothingIsWiderThan(int width, int height) {
        feedTwo();
        SampleRecords.feedAdvice(console, "search", CLASSES);
        console.model.deadLetter(SampleRecords.deadLetter(FedConsole.now()));
        SampleRecords.feed(console, "x".repeat(100), 0.95, "y".repeat(60));
        Page page = open(width, height, ColorScheme.LIGHT);
        assertThat(page.locator(".row-link")).hasCount(5);
        page.locator(".notice summary").click();
        assertThat(Browser.overflow(page)).isLessThanOrEqualTo(0);
        Browser.picture(page, "first-screen-" + width);

        page.navigate(console.address() + "#/search/low");
        assertThat(page.locator(".deadline .line")).hasAttribute("d", Pattern.compile("^M"));
        assertThat(Browser.overflow(page)).isLessThanOrEqualTo(0);
        Browser.picture(page, "service-" + width);
        page.keyboard().press("?");
        assertThat(Browser.overflow(page)).isLessThanOrEqualTo(0);
        assertNothingOdd();
    }

    @Test
    void namesOfServicesAreNeverMarkup() {
        String hostile = "<img src=x onerror=alert(1)>";
        SampleRecords.feed(console, hostile, 0.8, "<b>high</b>", "a/b?c#d");
        SampleRecords.feedAdvice(console, hostile, "<b>high</b>", "a/b?c#d");
        Page page = open();
        assertThat(page.locator(".row-link").first()).containsText(hostile);
        page.locator(".row-link").first().click();
        assertThat(headline(page)).containsText(hostile);
        assertThat(page.locator(".tab").nth(1)).containsText("a/b?c#d");
        page.locator(".tab").nth(1).click();
        assertThat(headline(page)).hasText(hostile + " / a/b?c#d");
        assertThat(page.locator(".deadline .line")).hasAttribute("d", Pattern.compile("^M"));
        assertThat(page.locator("img, main b")).hasCount(0);
        assertNothingOdd();
    }

    @Test
    void reconnectsWhenTheConsoleIsBack() throws Exception {
        feedTwo();
        Page page = open();
        assertThat(page.locator("#connection")).containsText("live");

        console.down();
        assertThat(page.locator("#connection")).containsText("console unreachable");
        assertThat(page.locator("#notices")).containsText("The console does not answer");
        assertThat(page.locator(".row-link")).hasCount(4); // known rows stay

        long now = FedConsole.now();
        console.model.window(SampleRecords.window("search", "high", now, 0.96), now);
        console.up();
        assertThat(page.locator("#connection")).hasText("live");
        assertThat(headline(page)).hasText("1 of 4 classes is below its objective");
        assertThat(page.locator("#notices")).not().containsText("does not answer");
        browser.orElseThrow().assertStaysHome(console.address());
    }

    @Test
    void showsThatTheBrokerIsAwayAndTheAgeOfTheData() {
        feedTwo();
        console.away();
        Page page = open();
        assertThat(page.locator("#connection")).containsText("broker away, data");
        assertThat(page.locator("#notices [role=alert]")).containsText("The broker is away since");
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void minutesAfterTheBrokerIsAwayNothingIsFine() {
        SampleRecords.feed(console, "feed", 0.97, CLASSES);
        console.policy(SampleRecords.policy("quiet", CLASSES));
        Page page = open();
        assertThat(headline(page)).hasText("2 of 4 classes keep their objective; 2 are idle");
        Browser.picture(page, "idle-classes");

        console.away();
        console.later(300_000);

        assertThat(headline(page)).hasText("None of 4 classes can be judged");
        assertThat(row(page, "#/feed/high")).hasAttribute("data-status", "unknown");
        assertThat(row(page, "#/quiet/high")).hasAttribute("data-status", "unknown");
        assertThat(row(page, "#/feed/high").locator(".cell-quality .main")).hasText("–");
        assertThat(row(page, "#/feed/high").locator(".reason")).containsText("knows nothing newer than 5 min");
        Browser.picture(page, "kafka-away");
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void anIntervalAroundTheObjectiveIsUncertain() {
        SampleRecords.feed(console, "feed", 0.97, CLASSES);
        long now = FedConsole.now();
        console.model.window(SampleRecords.window("feed", "high", now, 0.9), now);
        console.model.read(now, now);
        Page page = open();
        assertThat(headline(page)).hasText("1 of 2 classes may be above or below its objective; 1 keeps its objective");
        assertThat(row(page, "#/feed/high")).hasAttribute("data-status", "uncertain");
        assertThat(row(page, "#/feed/high").locator(".status-word")).hasText("uncertain");
        assertThat(Browser.findings(page)).isEmpty();
        Browser.picture(page, "uncertain");
        assertNothingOdd();
    }

    @Test
    void withoutAServiceItSaysHowToBegin() {
        Page page = open();
        assertThat(headline(page)).hasText("No service is measured yet");
        assertThat(page.locator(".set-up")).containsText("./kipimo policy example");
        page.navigate(console.address() + "#/nobody/high");
        assertThat(page.locator(".service .empty").first()).containsText("No policy names");
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void unknownIsNotFine() {
        console.policy(SampleRecords.policy("young", CLASSES));
        long now = FedConsole.now();
        console.model.window(SampleRecords.tooFew("young", "high", now), now);
        console.model.read(now, now);
        Page page = open();
        assertThat(row(page, "#/young/high")).hasAttribute("data-status", "unknown");
        assertThat(headline(page)).containsText("cannot be judged");
        page.navigate(console.address() + "#/young/high");
        assertThat(page.locator(".deadline .empty")).containsText("No curve yet");
        assertThat(page.locator(".budget .empty")).containsText("No verdict yet");
        assertThat(page.locator(".decision-card .empty")).containsText("./kipimo run admission");
        assertNothingOdd();
    }

    @Tag("full")
    @Test
    void reducedMotionIsRespected() {
        feedTwo();
        Page page = open();
        String motion = "() => getComputedStyle(document.querySelector('.fill')).transitionDuration";
        assertThat(page.locator(".fill").first()).isAttached();
        assertThat(page.evaluate(motion)).isNotEqualTo("0s");
        page.emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(ReducedMotion.REDUCE));
        assertThat(page.evaluate(motion)).isEqualTo("0s");
    }

    @Tag("full")
    @Test
    void twoHundredServicesAreShownAndKeptUpToDate() {
        String[] three = {"high", "low", "batch"};
        for (int i = 0; i < 200; i++) {
            SampleRecords.feed(console, "service-" + i, i % 20 == 0 ? 0.8 : 0.96, three);
        }
        Page page = open();
        assertThat(headline(page)).containsText("30 of 600");
        assertThat(page.locator(".row-link")).hasCount(600);
        Object first = page.evaluate("() => performance.getEntriesByName('kipimo-update')[0].duration.toFixed(1)");
        page.evaluate("() => performance.clearMeasures()");
        for (int i = 1; i <= 2; i++) {
            long now = FedConsole.now();
            for (int s = 0; s < 200; s++) {
                for (String queryClass : three) {
                    console.model.window(SampleRecords.window("service-" + s, queryClass, now, 0.95 + i * 0.001), now);
                }
            }
            console.model.read(now, now);
            page.waitForFunction("n => performance.getEntriesByName('kipimo-update').length >= n", i);
        }
        assertThat(headline(page)).hasText("All 600 classes keep their objective");
        System.out.println(
                "console page, 200 services x 3 classes: first drawing " + first + " ms, " + page.evaluate("""
                                () => {
                                  const at = (name) => performance.getEntriesByName(name)[0]?.startTime.toFixed(0);
                                  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1].toFixed(1);
                                  const updates = performance.getEntriesByName("kipimo-update");
                                  return `first paint ${at("first-contentful-paint")} ms, first figures ${at("kipimo-first-figures")} ms,`
                                    + ` update: taking in ${median(updates.map((u) => u.detail.takenInMillis))} ms,`
                                    + ` drawing ${median(updates.map((u) => u.duration))} ms (medians of ${updates.length}),`
                                    + ` ${document.querySelectorAll("*").length} elements`;
                                }
                                """));
        Browser.picture(page, "first-screen-200-services");
        assertNothingOdd();
    }
}
