package io.kipimo.examples.search;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@link SearchServiceMain} in a separate JVM with the class path of this one. It ends with this JVM. */
public final class SearchServiceProcess implements AutoCloseable {
    private static final String HEAP = "-Xmx1g";

    private final Process process;
    private final Ready ready;

    private SearchServiceProcess(Process process, Ready ready) {
        this.process = process;
        this.ready = ready;
    }

    /**
     * Starts the process and returns when it serves.
     *
     * @param arguments options of {@link SearchServiceMain}
     * @param log file for the errors of the process
     * @throws IOException if the process ends before it serves
     */
    public static SearchServiceProcess start(List<String> arguments, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(HEAP, "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20"));
        // The classes that this JVM shares: it has the same class path.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-XX:SharedArchiveFile=") || flag.equals("-Xlog:disable"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(SearchServiceMain.class.getName());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> before = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (Ready.isReady(line)) {
                keepReading(lines);
                return new SearchServiceProcess(process, Ready.parse(line));
            }
            before.add(line);
        }
        throw new IOException(
                "the search service ended before it was ready; it said " + before + ", errors are in " + log);
    }

    /** Drains the process's output: a full pipe would block it. */
    private static void keepReading(BufferedReader lines) {
        Thread reader = new Thread(() -> lines.lines().forEach(line -> {}), "search-service-output");
        reader.setDaemon(true);
        reader.start();
    }

    public Ready ready() {
        return ready;
    }

    public SearchService.Ports ports() {
        return ready.ports();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks the process to end, and kills it after some seconds. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (process.waitFor(10, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
