package io.kipimo.labs.demos.admission;

import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.examples.search.Ready;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.SearchServiceMain;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link SearchServiceMain} in a separate JVM with the class path of this one. It ends with this JVM. */
final class SearchServiceProcess implements AutoCloseable {
    /** Time that the process may take to start. A busy machine needs minutes to make the index. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final ChildProcess process;
    private final Ready ready;

    private SearchServiceProcess(ChildProcess process, Ready ready) {
        this.process = process;
        this.ready = ready;
    }

    /**
     * Starts the process and returns when it serves.
     *
     * @param arguments options of {@link SearchServiceMain}
     * @param log file for the output of the process
     * @throws IllegalStateException with its output, if the process ends before it serves, or does not serve in time
     */
    static SearchServiceProcess start(List<String> arguments, Path log) {
        List<String> jvm = new ArrayList<>(List.of("-Xmx1g", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20"));
        // The classes that this JVM shares: it has the same class path.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-XX:SharedArchiveFile=") || flag.equals("-Xlog:disable"))
                .forEach(jvm::add);
        ChildProcess process = ChildProcess.start(SearchServiceMain.class, jvm, arguments, log);
        try {
            process.awaitReady("the search service", () -> ready(process).isPresent(), PATIENCE);
            return new SearchServiceProcess(process, ready(process).orElseThrow());
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private static Optional<Ready> ready(ChildProcess process) {
        return process.output().lines().flatMap(line -> Ready.of(line).stream()).findFirst();
    }

    Ready ready() {
        return ready;
    }

    SearchService.Ports ports() {
        return ready.ports();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.close();
    }
}
