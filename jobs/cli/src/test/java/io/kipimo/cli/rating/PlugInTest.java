package io.kipimo.cli.rating;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Targets of a plug-in that is compiled during the test, from its jar. */
class PlugInTest {
    private static final long PATIENCE_SECONDS = 300;

    /** The URL says how it misbehaves. */
    private static final String SERVICE = """
            package com.acme;

            import io.kipimo.loadgen.workload.RequestOutcome;
            import io.kipimo.loadgen.workload.Restoration;
            import io.kipimo.loadgen.workload.Share;
            import io.kipimo.loadgen.workload.Target;
            import io.kipimo.loadgen.workload.TargetService;
            import io.kipimo.loadgen.workload.Workload;
            import java.util.concurrent.CompletableFuture;
            import java.util.concurrent.TimeUnit;

            public final class Acme implements TargetService {
                @Override
                public String scheme() {
                    return "acme";
                }

                private static void hang() {
                    while (true) {
                        try {
                            Thread.sleep(1_000_000);
                        } catch (InterruptedException e) {
                            // It does not listen.
                        }
                    }
                }

                @Override
                public Target open(String url) {
                    String fault = url.substring("acme:".length());
                    if (fault.equals("invalid")) {
                        throw new IllegalArgumentException("target is '" + url + "'; allowed: acme:fine");
                    }
                    if (fault.equals("hang-open")) {
                        hang();
                    }
                    if (fault.equals("null-open")) {
                        return null;
                    }
                    return new Target() {
                        @Override
                        public Restoration prepare() {
                            if (fault.equals("hang-prepare")) {
                                hang();
                            }
                            if (fault.equals("old")) {
                                throw new NoSuchMethodError("Share.gone()");
                            }
                            return Restoration.NONE;
                        }

                        @Override
                        public Workload open(Share share) {
                            return new Workload() {
                                @Override
                                public Session session(long user, long seed) {
                                    return () -> switch (fault) {
                                        case "throw-request" -> throw new IllegalStateException("rubbish");
                                        case "null-request" -> null;
                                        case "hang-request" -> {
                                            hang();
                                            yield null;
                                        }
                                        default -> new CompletableFuture<RequestOutcome>()
                                                .completeOnTimeout(
                                                        RequestOutcome.ANSWERED, 5, TimeUnit.MILLISECONDS);
                                    };
                                }

                                @Override
                                public void close() {
                                    if (fault.equals("hang-request")) {
                                        hang();
                                    }
                                }
                            };
                        }
                    };
                }
            }
            """;

    @TempDir
    private static Path directory;

    private static Path jar;

    private static final List<String> SHORT = List.of(
            "--sla",
            "p95<=500ms",
            "--load",
            "closed",
            "--experiment",
            "1s",
            "--warm-up",
            "1s",
            "--accuracy",
            "0.1",
            "--highest",
            "4",
            "--patience",
            "1s",
            "--command-time-out",
            "1s",
            "--json");

    @BeforeAll
    static void compile() throws IOException {
        Path source = Files.writeString(directory.resolve("Acme.java"), SERVICE);
        Path classes = Files.createDirectory(directory.resolve("classes"));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(result).isZero();
        jar = directory.resolve("acme.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                var compiled = Files.list(classes.resolve("com/acme"))) {
            for (Path path : compiled.toList()) {
                out.putNextEntry(new JarEntry("com/acme/" + path.getFileName()));
                Files.copy(path, out);
            }
            out.putNextEntry(new JarEntry("META-INF/services/io.kipimo.loadgen.workload.TargetService"));
            // One that is gone hides no other.
            out.write("com.acme.Gone\ncom.acme.Acme\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static List<String> arguments(String target) {
        List<String> arguments = new ArrayList<>(List.of("rate", "--target", target));
        arguments.addAll(SHORT);
        return arguments;
    }

    private static CommandRun rate(String target) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader plugIn = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
            thread.setContextClassLoader(plugIn);
            return CommandRun.of(arguments(target).toArray(String[]::new));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aTargetOfAJarIsRated() throws IOException {
        CommandRun run = rate("acme:fine");

        assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
        assertThat(run.out()).contains("\"experiments\"");
        assertThat(run.err()).doesNotContain("kipimo: ");
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @CsvSource(
            delimiter = '|',
            value = {
                "acme:invalid|allowed: acme:fine",
                "acme:null-open|plug-in 'acme', open: ",
                "acme:hang-open|plug-in 'acme', open: did not end within 1000 ms",
                "acme:hang-prepare|plug-in 'acme', prepare: did not end within 1000 ms",
                "acme:old|NoSuchMethodError: Share.gone()",
                "acme:throw-request|rubbish",
                "acme:null-request|a request has no answer to wait for",
                "acme:hang-request|a request of the target blocks",
                "other:x|com.acme.Gone"
            })
    void aPlugInThatMisbehavesIsOneLine(String target, String message) throws IOException {
        CommandRun run = rate(target);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().filter(l -> l.startsWith("kipimo: ")))
                .singleElement()
                .asString()
                .contains(message)
                .doesNotContain("unexpectedly");
        assertThat(run.err()).doesNotContain("\tat ");
    }

    /** With the jar in the class path, as the launcher has it. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theProcessEndsThoughAPlugInDoesNot() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + jar,
                "io.kipimo.cli.Main"));
        command.addAll(arguments("acme:hang-request"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(directory.resolve("err").toFile());
        builder.environment().put("JAVA_TOOL_OPTIONS", System.getProperty("kipimo.child.jvm", ""));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(directory.resolve("err")).content().contains("a request of the target blocks");
    }
}
