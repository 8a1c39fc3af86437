package io.kipimo.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kipimo.cli.CommandRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitCommandTest {
    @TempDir
    private Path directory;

    /** A JobManager that says which Flink it is, and accepts no jobs. */
    private CommandRun submitTo(String version) throws Exception {
        HttpServer flink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        flink.createContext("/config", exchange -> {
            byte[] body = ("{\"flink-version\": \"" + version + "\", \"features\": {\"web-submit\": false}}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        flink.start();
        try {
            return CommandRun.of(
                    "submit",
                    "quality",
                    "--rest=http://127.0.0.1:" + flink.getAddress().getPort(),
                    "--jar=" + Files.writeString(directory.resolve("job.jar"), ""),
                    "-Dkafka.bootstrap-servers=localhost:1");
        } finally {
            flink.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.20.1", "2.0.0", "2.1.3", "3.0.0", "2", "20.2"})
    void aFlinkThatCannotRunTheJobsIsRefusedInOneLine(String version) throws Exception {
        CommandRun run = submitTo(version);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains("is of version '" + version + "'; allowed: 2.2 or a later 2.x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.2.1", "2.3-SNAPSHOT", "2.10.0"})
    void aLaterOneIsNotRefusedForItsVersion(String version) throws Exception {
        assertThat(submitTo(version).err()).contains("accepts no jobs here");
    }

    /** Flink wraps a failure many times, and the innermost message says what is wrong. */
    @Test
    void theInnermostCauseIsNotCut() {
        StringBuilder trace = new StringBuilder();
        for (int wrap = 0; wrap < 20; wrap++) {
            trace.append("Caused by: java.util.concurrent.CompletionException: wrap ")
                    .append(wrap)
                    .append("\n\tat x.Y.z(Y.java:1)\n");
        }
        trace.append("Caused by: a.b.UnsupportedException: no scheme 's3'\n\tat x.Y.z(Y.java:1)\n");
        assertThat(FlinkRest.causes(trace.toString()))
                .isEqualTo("CompletionException: wrap 17; CompletionException: wrap 18;"
                        + " CompletionException: wrap 19; UnsupportedException: no scheme 's3'");
    }

    @Test
    void whatIsNoFlinkIsSaidSo() {
        CommandRun run = CommandRun.of(
                "submit", "quality", "--rest=http://127.0.0.1:1", "-Dkafka.bootstrap-servers=localhost:1");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
    }
}
