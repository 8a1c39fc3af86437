package io.kipimo.cli.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stores of any kind as targets: real processes where they are installed. */
class StoresTest {
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private static CommandRun rate(String target, String... options) {
        List<String> words = new ArrayList<>(List.of("rate", "--target", target));
        words.addAll(List.of(options));
        return CommandRun.of(words.toArray(String[]::new));
    }

    private static void isRefused(CommandRun run, String message) {
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().filter(l -> l.startsWith("kipimo: ")))
                .singleElement()
                .asString()
                .contains(message)
                .doesNotContain("unexpectedly");
    }

    /** Starts a server on a free port, or skips the test. */
    private int start(String binary, String... options) throws Exception {
        Path program = Path.of(binary);
        assumeTrue(Files.isExecutable(program), binary + " is not installed");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<String> words = new ArrayList<>(List.of(binary));
        for (String option : options) {
            words.add(option.replace("PORT", Integer.toString(port)));
        }
        started.add(new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
        for (int i = 0; i < 2_000; i++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return port;
            } catch (IOException e) {
                Thread.sleep(50);
            }
        }
        throw new IOException(binary + " does not listen");
    }

    private int redis() throws Exception {
        return start("/usr/bin/redis-server", "--port", "PORT", "--save", "");
    }

    private static final String[] SHORT = {
        "--sla",
        "p95<=1s",
        "--load",
        "closed",
        "--think",
        "100",
        "--experiment",
        "1s",
        "--warm-up",
        "1s",
        "--accuracy",
        "0.1",
        "--highest",
        "1",
        "--json"
    };

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void redisUnderCommandsOfOnesOwn() throws Exception {
        int port = redis();
        String[] options = withRequest("SET key-{random:100} v{request}");
        CommandRun run = rate("redis://127.0.0.1:" + port, options);

        assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
        assertThat(run.out()).contains("\"experiments\"");
        assertThat(run.err()).doesNotContain("kipimo: ");
        assertThat(command(port, "DBSIZE\r\n")).isNotEqualTo(":0");
    }

    private static String[] withRequest(String request) {
        List<String> words = new ArrayList<>(List.of(SHORT));
        words.add("--request");
        words.add(request);
        return words.toArray(String[]::new);
    }

    private static String command(int port, String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            byte[] reply = new byte[100];
            return new String(reply, 0, socket.getInputStream().read(reply), StandardCharsets.UTF_8).strip();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void memcachedUnderCommandsOfOnesOwn() throws Exception {
        int port = start("/usr/bin/memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", "PORT");
        CommandRun run = rate("memcached://127.0.0.1:" + port, withRequest("set k{random:9} 0 0 1\\n{random:9}"));

        assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
        assertThat(run.err()).doesNotContain("kipimo: ");
        assertThat(command(port, "get k1\r\n")).startsWith("VALUE k1 0 1");
    }

    @Test
    void aStoreThatIsNotThereOrRefusesIsOneLine() throws Exception {
        isRefused(rate("redis://127.0.0.1:1", SHORT), "--request is missing");
        isRefused(rate("redis://127.0.0.1:1", withRequest("GET k")), "does not answer");
        isRefused(rate("memcached://127.0.0.1:1", withRequest("get k")), "does not answer");
        isRefused(rate("http://127.0.0.1:1/", SHORT), "127.0.0.1:1 does not answer");
        int port = start("/usr/bin/redis-server", "--port", "PORT", "--requirepass", "canary");
        isRefused(rate("redis://127.0.0.1:" + port, withRequest("GET k")), "refuses: NOAUTH");
    }

    /** The recorded keys are asked, and no others. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void recordedArrivalsOfARedis(@TempDir Path directory) throws Exception {
        int port = redis();
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            log.append(i / 7).append(",mine-").append(i % 3).append('\n');
        }
        Path arrivals = Files.writeString(directory.resolve("arrivals.csv"), log);
        CommandRun run = rate(
                "redis://127.0.0.1:" + port,
                "--request",
                "SET {recorded} {request}",
                "--replay",
                arrivals.toString(),
                "--sla",
                "p95<=1s",
                "--experiment",
                "1s",
                "--warm-up",
                "1s",
                "--accuracy",
                "0.1",
                "--highest",
                "1",
                "--json");

        assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
        assertThat(run.err()).doesNotContain("kipimo: ");
        assertThat(command(port, "DBSIZE\r\n")).isEqualTo(":3");
        assertThat(command(port, "EXISTS mine-0 mine-1 mine-2\r\n")).isEqualTo(":3");
    }

    @Test
    void recordedArrivalsThatCannotBeReplayedAreOneLine(@TempDir Path directory) throws IOException {
        String times =
                Files.writeString(directory.resolve("times.csv"), "1\n2\n").toString();
        String url = "http://127.0.0.1:1/{recorded}";
        isRefused(rate(url, SHORT), "--replay is missing");
        isRefused(rate("http://127.0.0.1:1/", "--replay", times, "--load", "closed"), "open load");
        isRefused(rate(url, "--replay", times), "allowed with {recorded}: SECONDS,REQUEST");
        isRefused(
                rate("redis://127.0.0.1:1", "--request", "GET {recorded}", "--replay", times),
                "allowed with {recorded}: SECONDS,REQUEST");
        isRefused(rate("http://127.0.0.1:1{recorded}", "--replay", times), "after the host");
        isRefused(rate(url, "--replay", directory.resolve("none").toString()), "no such file");
    }

    @Test
    void unknownSchemesNameAllThatAreAllowed() {
        isRefused(rate("mysql://localhost:3306", SHORT), "redis[s]://");
        isRefused(rate("mysql://localhost:3306", SHORT), "memcached://");
        isRefused(rate("localhost:80", SHORT), "http[s]://");
        isRefused(rate("memcached://localhost", SHORT), "--request is missing");
        isRefused(rate("memcached://localhost", withRequest("get {key}")), "{key}");
    }

    @Test
    void aCommandThatPrintsTheThroughput() {
        CommandRun run =
                rate("command:l={load}; echo measuring; [ $l -lt 40 ] && echo $((l * 100)) || echo 4000", "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("4000");
    }

    @Test
    void aCommandThatSaysFailedBoundsTheRating() {
        CommandRun run = rate("command:[ {load} -le 37 ] && echo $(({load} * 100)) || echo 5000 failed", "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out().replaceAll("\\s", "")).contains("\"load\":37");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void commandsThatDoNotMeasureAreOneLineAndLeaveNothing(@TempDir Path directory) throws Exception {
        isRefused(rate("command:echo 1"), "allowed: a command with {load}");
        isRefused(rate("command:echo much {load}"), "printed 'much 1' last");
        isRefused(rate("command:echo NaN # {load}"), "printed 'NaN' last");
        isRefused(rate("command:echo -- -{load}"), "allowed: NUMBER");
        isRefused(rate("command:true {load}"), "printed '' last");
        isRefused(rate("command:printf '\\377\\0\\33[2J'{load}"), "last; allowed: NUMBER");
        isRefused(rate("command:yes much; echo {load}", "--command-time-out", "1s"), "did not end within 1000 ms");
        isRefused(rate("command:echo {load}; exit 7"), "ended with exit code 7");
        isRefused(rate("command:no-such-program-{load}"), "ended with exit code 127");
        Path pid = directory.resolve("pid");
        isRefused(
                rate("command:sleep 600 & echo $! > " + pid + "; wait; echo {load}", "--command-time-out", "1s"),
                "did not end within 1000 ms");
        assertGone(pid);
        isRefused(rate("command:sleep 600 & echo $! > " + pid + "; exit {load}"), "exit code 1");
        assertGone(pid);
    }

    private static void assertGone(Path pid) throws Exception {
        long left = Long.parseLong(Files.readString(pid).strip());
        for (int i = 0; i < 2_000 && isAlive(left); i++) {
            Thread.sleep(50);
        }
        assertThat(isAlive(left)).isFalse();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
