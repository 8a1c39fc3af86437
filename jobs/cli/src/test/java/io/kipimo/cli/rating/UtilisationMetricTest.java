package io.kipimo.cli.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.kipimo.cli.CommandRun;
import io.kipimo.cli.terminal.InputException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UtilisationMetricTest {
    private static final String METRICS = """
        # HELP busy Share of the time in which a resource works.
        # TYPE busy gauge
        busy{resource="disk",host="a"} 0.25
        busy{resource="cpu",host="a"} 0.5 1700000000000
        busy{resource="cpu",host="b"} 0.75
        busy_other 1
        load 3
        lost NaN
        """;

    private HttpServer server;
    private volatile String body = METRICS;
    private volatile int status = 200;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url(String rest) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + rest;
    }

    private double read(String rest) {
        return new UtilisationMetric(url(rest)).getAsDouble();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "busy|0.75",
                "busy{resource=\"disk\"}|0.25",
                "busy{host=\"a\",resource=\"cpu\"}|0.5",
                "load/4|0.75",
                "busy_other|1"
            })
    void theHighestOfTheSeriesCounts(String metric, double expected) {
        assertThat(read("/metrics#" + metric)).isEqualTo(expected);
    }

    /** The rate of a counter is independent of how long it took, but for the clock. */
    @Test
    void aCounterIsARateSinceTheLastReading() {
        UtilisationMetric metric = new UtilisationMetric(url("/metrics#work_total/1e9"));
        body = "work_total 100\n";
        assertThat(metric.getAsDouble()).isZero();
        long before = System.nanoTime();
        body = "work_total 100.5\n";
        double slow = metric.getAsDouble();
        double longest = (System.nanoTime() - before) / 1e9;

        assertThat(slow * 1e9).isGreaterThanOrEqualTo(0.5 / (longest + 60)).isPositive();
        // Reset by a restart.
        body = "work_total 0\n";
        assertThat(metric.getAsDouble()).isZero();
    }

    /** An exemplar (OpenMetrics) has a value of its own; labels may have braces. */
    @Test
    void theValueOfASeriesIsTheFirstOne() {
        body = """
                busy{path="/{id}",a="#"} 0.5 1700000000.1 # {trace_id="x"} 0.9 1700000000.0
                busy {b="1"} 0.25
                """;
        assertThat(read("/metrics#busy")).isEqualTo(0.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1d", "0x1p-3", "Infinity", "+Inf", "-0.5", "0,5", "0.5%", "50 %", "0.1 0.2 0.3", ""})
    void whatIsNotOneDecimalNumberIsRefusedWithItsLine(String value) {
        body = "busy{a=\"1\"} 0.25\nbusy{a=\"2\"} " + value + "\n";
        assertThatThrownBy(() -> read("/metrics#busy"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(("busy{a=\"2\"} " + value).strip());
    }

    @Test
    void aSeriesThatStandsThereTwiceIsRefused() {
        body = "busy 0.25\nbusy 0.5\n";
        assertThatThrownBy(() -> read("/metrics#busy")).hasMessageContaining("twice: busy 0.5");
    }

    @Test
    void anAnswerOfARangeOfTimeIsRefused() {
        body =
                "{\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{},\"values\":[[1,\"0.5\"],[2,\"0.6\"]]}]}}";
        assertThatThrownBy(() -> read("/api/v1/query?query=busy[5m]")).hasMessageContaining("values");
    }

    @Test
    void prometheusAnswersAVectorOrANumber() {
        body = """
            {"status":"success","data":{"resultType":"vector","result":[
              {"metric":{"instance":"a"},"value":[1700000000.1,"0.125"]},
              {"metric":{"instance":"b"},"value":[1700000000.1,"0.375"]}]}}
            """;
        assertThat(read("/api/v1/query?query=busy")).isEqualTo(0.375);
        body = "{\"data\":{\"resultType\":\"scalar\",\"result\":[1700000000.1,\"0.5\"]}}";
        assertThat(read("/api/v1/query?query=scalar(busy)")).isCloseTo(0.5, within(1e-12));
    }

    @Test
    void whatIsUnknownIsNoUtilisation() {
        for (String metric : List.of("none", "busy{host=\"c\"}", "lost")) {
            assertThatThrownBy(() -> read("/metrics#" + metric))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("has no such series");
        }
        assertThatThrownBy(() -> read("/metrics#load")).hasMessageContaining("by a /DIVISOR");
        assertThatThrownBy(() -> read("/api/v1/query?query=x")).hasMessageContaining("no JSON");
        body = "{\"status\":\"success\",\"data\":{\"result\":[]}}";
        assertThatThrownBy(() -> read("/api/v1/query?query=x")).hasMessageContaining("no such");
        status = 503;
        assertThatThrownBy(() -> read("/metrics#busy")).hasMessageContaining("status 503");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:1/metrics",
                "http://127.0.0.1:1/metrics#",
                "http://127.0.0.1:1/metrics#busy/0",
                "http://127.0.0.1:1/metrics#busy{resource='cpu'}",
                "http://127.0.0.1:1/metrics#busy{resource=~\"cpu\"}",
                "http://127.0.0.1:1/metrics#busy{resource=\"cpu\" host=\"a\"}",
                "ftp://127.0.0.1/#busy",
                "http://127.0.0.1:1/metrics#busy",
                "busy"
            })
    void badUrlsAreOneLine(String url) {
        CommandRun run = CommandRun.of(
                "rate",
                "--target",
                "http://127.0.0.1:1/",
                "--sla",
                "p95<=1s",
                "--experiment",
                "auto",
                "--utilisation-from",
                url);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("kipimo: --utilisation-from '" + url + "' ");
    }

    @Test
    void itIsForDeltaOnly() {
        CommandRun run = CommandRun.of(
                "rate",
                "--target",
                "http://127.0.0.1:1/",
                "--sla",
                "p95<=1s",
                "--utilisation-from",
                url("/metrics#busy"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("allowed: with --experiment auto");
    }
}
