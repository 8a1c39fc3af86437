package io.kipimo.bench.machine;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.bench.side.BenchmarkSubject;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectMain;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ScratchDirectory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs a {@link BenchmarkSubject} in a JVM of its own, which is idle between repetitions. */
public final class SubjectProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Option for the JVM: Flink's serializers access internals of the JDK's lists by reflection. */
    private static final String OPEN_LISTS = "--add-opens=java.base/java.util=ALL-UNNAMED";

    private static final Pattern PORT = Pattern.compile(SubjectMain.LISTENS + "(\\d+)");

    private final ScratchDirectory scratch = ScratchDirectory.create("bench-side");
    private final HttpClient http = HttpClient.newHttpClient();
    private final ChildProcess process;
    private final URI run;

    private SubjectProcess(String side, int heapGibibytes, List<String> jvmArguments) {
        List<String> arguments = new ArrayList<>(jvmArguments);
        arguments.add("-Xmx" + heapGibibytes + "g");
        // Tuned for throughput. State lives for seconds: G1 costs a third more with it, and a large
        // young generation copies it less often and lets it die young.
        arguments.add("-XX:+UseParallelGC");
        arguments.add("-Xms" + heapGibibytes + "g");
        arguments.add("-Xmn" + heapGibibytes * 512 + "m");
        // State is spread over the heap: looking up its small pages takes longer than reading them.
        arguments.add("-XX:+UseTransparentHugePages");
        arguments.add("-Djava.io.tmpdir=" + scratch.directory("tmp"));
        process = ChildProcess.start(
                SubjectMain.class, arguments, List.of(side), scratch.path().resolve("log"));
        try {
            run = URI.create("http://127.0.0.1:" + ChildOutput.await(process, PORT) + "/run");
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts a subject on this JVM's class path.
     *
     * @param heapGibibytes size of the heap, half of it for the young generation
     */
    public static SubjectProcess start(Class<? extends BenchmarkSubject> side, int heapGibibytes) {
        return new SubjectProcess(side.getName(), heapGibibytes, List.of(OPEN_LISTS));
    }

    /** Starts a subject of another built source tree. That tree must have a subject class with the given name. */
    public static SubjectProcess startOf(Path tree, Class<? extends BenchmarkSubject> side, int heapGibibytes) {
        Path classes = classesOf(tree).toAbsolutePath();
        return new SubjectProcess(side.getName(), heapGibibytes, List.of(OPEN_LISTS, "-cp", path(classes)));
    }

    /** Returns whether the benchmarks of a source tree are built. */
    public static boolean isBuilt(Path tree) {
        return Files.isReadable(classPathFile(classesOf(tree)));
    }

    /**
     * Directory with the classes of a source tree's benchmarks. Trees before the present layout have it below
     * {@code itests}.
     */
    private static Path classesOf(Path tree) {
        Path classes = tree.resolve(Path.of("labs", "bench", "target", "classes"));
        return Files.isDirectory(classes) ? classes : tree.resolve(Path.of("itests", "bench", "target", "classes"));
    }

    /** Starts a subject on the class path of its own module, which Maven has written to a file. */
    public static SubjectProcess startApart(Class<? extends BenchmarkSubject> side, int heapGibibytes) {
        return new SubjectProcess(side.getName(), heapGibibytes, List.of("-cp", path(placeOf(side))));
    }

    /** Class path of a child that runs a module's classes. The class that starts the child comes from this tree. */
    private static String path(Path classes) {
        return String.join(
                File.pathSeparator,
                classes.toString(),
                classPath(classes),
                placeOf(ChildProcess.class).toString());
    }

    /**
     * Runs one repetition.
     *
     * @throws IllegalStateException if the subject fails; the message has its error, the cause its stack trace
     */
    public SubjectRun run(SideRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(run)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(request)))
                        .build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
            String trace = response.body();
            String causes =
                    trace.lines().filter(line -> line.startsWith("Caused by: ")).collect(Collectors.joining(", "));
            throw new IllegalStateException(
                    trace.lines().findFirst().orElse("a side failed") + (causes.isEmpty() ? "" : ", " + causes),
                    new IllegalStateException(trace));
        }
        return JSON.readValue(response.body(), SubjectRun.class);
    }

    /** Output of the process so far. */
    public String output() {
        return process.output();
    }

    @Override
    public void close() {
        process.kill();
        scratch.close();
    }

    /** The class path of the module with the given classes. */
    private static String classPath(Path classes) {
        try {
            return Files.readString(classPathFile(classes)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("no class path beside " + classes + "; 'mvn package' writes it", e);
        }
    }

    /** The file with a module's class path, which the build writes beside the module's classes. */
    private static Path classPathFile(Path classes) {
        return classes.resolveSibling("classpath.txt");
    }

    /** The directory or jar from which a class was loaded. */
    private static Path placeOf(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }
}
