package io.kipimo.cli.rating;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Targets of a plug-in that is compiled during the test, in a process that has its jar. */
@Timeout(180)
class PlugInTest {
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

    private record Run(int exitCode, String out, String err) {}

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

    private static Run rate(String target, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + jar,
                "io.kipimo.cli.Main",
                "rate",
                "--target",
                target));
        command.addAll(List.of(options));
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static Run rateShort(String target) throws Exception {
        return rate(
                target,
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
    }

    @Test
    void aTargetOfAJarIsRated() throws Exception {
        Run run = rateShort("acme:fine");

        assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
        assertThat(run.out()).contains("\"experiments\"");
        assertThat(run.err()).doesNotContain("kipimo: ");
    }

    @ParameterizedTest
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
    void aPlugInThatMisbehavesIsOneLine(String target, String message) throws Exception {
        Run run = rateShort(target);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().filter(l -> l.startsWith("kipimo: ")))
                .singleElement()
                .asString()
                .contains(message)
                .doesNotContain("unexpectedly");
        assertThat(run.err()).doesNotContain("\tat ");
    }
}
