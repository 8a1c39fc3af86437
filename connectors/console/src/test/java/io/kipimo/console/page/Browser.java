package io.kipimo.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A Chromium on this machine: the one named by the system property {@value #PROPERTY} or the environment variable
 * CHROMIUM, else one in a usual place.
 */
final class Browser implements AutoCloseable {
    static final String PROPERTY = "kipimo.chromium";

    private static final List<String> USUAL =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

    /** Generous, since other builds may run on this machine. */
    private static final double PATIENCE_MILLIS = 60_000;

    private static final Path PICTURES = Path.of("target", "console-page");

    private final Playwright playwright;
    private final com.microsoft.playwright.Browser chromium;

    /** Errors that pages logged or threw; cleared for each test. */
    private List<String> errors = new CopyOnWriteArrayList<>();

    /** Every address that pages requested; cleared for each test. */
    private List<String> requests = new CopyOnWriteArrayList<>();

    private Browser(Path executable) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setArgs(List.of("--no-sandbox")));
    }

    static Optional<Path> executable() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv("CHROMIUM")))
                .map(List::of)
                .orElse(USUAL)
                .stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The browser. If there is none: empty, with a message on standard error. */
    static Optional<Browser> launch() {
        Optional<Path> executable = executable();
        if (executable.isEmpty()) {
            System.err.println("SKIPPED: no Chromium here, so the console's page is not tested; install one"
                    + " or name it with -D"
                    + PROPERTY
                    + "=PATH or CHROMIUM=PATH");
        }
        return executable.map(Browser::new);
    }

    Page open(String address, int width, int height, ColorScheme scheme) {
        return open(address, width, height, scheme, Map.of());
    }

    /** @param headers added to every request, as a proxy would */
    Page open(String address, int width, int height, ColorScheme scheme, Map<String, String> headers) {
        BrowserContext context = chromium.newContext(new com.microsoft.playwright.Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(scheme)
                .setExtraHTTPHeaders(headers));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        Page page = context.newPage();
        // Late messages of the previous test's page go to the previous test's lists.
        List<String> errors = this.errors;
        List<String> requests = this.requests;
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                errors.add(message.text());
            }
        });
        page.onPageError(errors::add);
        page.onDialog(dialog -> {
            errors.add("dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> requests.add(request.url()));
        page.navigate(address);
        return page;
    }

    /** Checks that hold for every page. */
    void assertNothingOdd(String address) {
        assertThat(errors).as("errors in the browser's console").isEmpty();
        assertStaysHome(address);
    }

    void assertStaysHome(String address) {
        String home = URI.create(address).getAuthority();
        assertThat(requests)
                .as("addresses that the page requested")
                .isNotEmpty()
                .allSatisfy(url -> assertThat(URI.create(url).getAuthority()).isEqualTo(home));
    }

    List<String> errors() {
        return errors;
    }

    /** Closes all pages. */
    void forget() {
        chromium.contexts().forEach(BrowserContext::close);
        errors = new CopyOnWriteArrayList<>();
        requests = new CopyOnWriteArrayList<>();
    }

    /** Takes a screenshot for people, with {@code -Dkipimo.pictures=true} only. */
    static void picture(Page page, String name) {
        if (Boolean.getBoolean("kipimo.pictures")) {
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(PICTURES.resolve(name + ".png"))
                    .setFullPage(true));
        }
    }

    /** Accessibility faults such as low contrast or controls without a name; one line each. */
    @SuppressWarnings("unchecked")
    static List<String> findings(Page page) {
        try (InputStream script = Browser.class.getResourceAsStream("checks.js")) {
            return (List<String>) page.evaluate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Number of pixels by which the page is wider than the window. */
    static int overflow(Page page) {
        return (int) page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth");
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}
