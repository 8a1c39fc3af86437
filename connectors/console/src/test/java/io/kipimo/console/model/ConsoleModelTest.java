package io.kipimo.console.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.deadline.ComponentEconomicsBuilder;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConsoleModelTest {
    private static final long NOW = 1_000_000_000_000L;

    private final ConsoleModel model = new ConsoleModel();

    private JsonNode high() throws Exception {
        JsonNode service = service();
        assertThat(service.at("/classes/0/name").asText()).isEqualTo("high");
        return service.at("/classes/0");
    }

    private JsonNode service() throws Exception {
        return new ObjectMapper().readTree(model.service(Records.SERVICE, NOW).orElseThrow());
    }

    @Test
    void theNewestWindowOfThePolicysFirstMetricIsShown() throws Exception {
        model.connected(NOW);
        model.window(Records.window("high", "ndcg@10", NOW - 10_000, Optional.of(Records.estimate(0.5)), 0), NOW);
        model.window(Records.window(NOW - 10_000, 0.93), NOW);
        // Without a policy, the metric that arrived first counts.
        assertThat(high().at("/now/mean").asDouble()).isEqualTo(0.5);

        model.policy(Records.policy());
        assertThat(high().at("/now/mean").asDouble()).isEqualTo(0.93);
        assertThat(high().at("/now/offered").asDouble()).isEqualTo(100);
        assertThat(high().at("/now/timedOut").asDouble()).isEqualTo(18);
        assertThat(high().at("/objective").asDouble()).isEqualTo(0.9);
        assertThat(high().at("/components/1/name").asText()).isEqualTo("shard-2");
        assertThat(high().at("/components/1/timeOutShare").asDouble()).isEqualTo(0.18);
        // 9 lost in 20 degraded samples, and a fifth of the queries is degraded.
        assertThat(high().at("/components/1/lostQuality").asDouble()).isEqualTo(0.09);
        assertThat(service().at("/policy/metrics/0").asText()).isEqualTo("tpr@10");
        assertThat(service().at("/sampling").isNull()).isTrue();
    }

    @Test
    void windowsOfVariantsAreShownBesideThoseOfTheClass() throws Exception {
        model.policy(Records.policy());
        model.window(Records.window(NOW, 0.93), NOW);
        model.window(ofVariant("canary", NOW - 10_000, 0.7), NOW);
        model.window(ofVariant("stable", NOW, 0.95), NOW);
        model.window(ofVariant("canary", NOW, 0.8), NOW);
        model.window(ofVariant("canary", NOW - 20_000, 0.6), NOW);
        model.window(ofVariant("gone", NOW - 60_000, 0.9), NOW);

        assertThat(high().at("/now/mean").asDouble()).isEqualTo(0.93);
        assertThat(high().path("history").path("mean")).hasSize(1);
        assertThat(high().path("variants").findValuesAsText("name")).containsExactly("canary", "stable");
        assertThat(high().at("/variants/0/mean").asDouble()).isEqualTo(0.8);
        assertThat(high().at("/variants/1/answered").asDouble()).isEqualTo(90);

        for (int i = 0; i < 100; i++) {
            model.window(ofVariant("arm-" + i, NOW + i, 0.8), NOW);
        }
        assertThat(high().path("variants").findValuesAsText("name"))
                .hasSize(16)
                .contains("arm-99")
                .doesNotContain("arm-0");
    }

    @Test
    void aSampledBacklogIsSaid() throws Exception {
        model.policy(Records.policy());
        QualityWindow window = Records.window(NOW, 0.93);
        model.window(window.toBuilder().represented(4L * window.samples()).build(), NOW);

        assertThat(high().at("/now/backlogRate").asDouble()).isEqualTo(0.25);
    }

    @Test
    void answersWithoutItemsAreAShareOrUnknown() throws Exception {
        model.policy(Records.policy());
        model.window(Records.window(NOW - 10_000, 0.93), NOW);
        assertThat(high().at("/now/zeroResultRate").isNull()).isTrue();

        model.window(Records.window(NOW, 0.93).toBuilder().listed(40).empty(10).build(), NOW);
        assertThat(high().at("/now/zeroResultRate").asDouble()).isEqualTo(0.25);
    }

    private static QualityWindow ofVariant(String variant, long endMillis, double mean) {
        return Records.window(endMillis, mean).toBuilder().variant(variant).build();
    }

    @Test
    void theOrderAndRepetitionsOfRecordsChangeNothing() throws Exception {
        List<Runnable> records = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long end = NOW - 1_000_000 + 10_000L * i;
            records.add(() -> model.window(Records.window(end, 0.9 + end % 70_000 / 1e6), NOW));
            records.add(() -> model.observation(Records.queries("high", end), NOW));
        }
        model.connected(NOW);
        model.policy(Records.policy());
        records.forEach(Runnable::run);
        byte[] inOrder = model.state(true, NOW);

        ConsoleModelTest other = new ConsoleModelTest();
        other.model.connected(NOW);
        other.model.policy(Records.policy());
        List<Runnable> shuffled = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long end = NOW - 1_000_000 + 10_000L * i;
            shuffled.add(() -> other.model.window(Records.window(end, 0.9 + end % 70_000 / 1e6), NOW));
            shuffled.add(() -> other.model.observation(Records.queries("high", end), NOW));
        }
        shuffled.addAll(List.copyOf(shuffled));
        Collections.shuffle(shuffled, new Random(5));
        shuffled.forEach(Runnable::run);

        assertThat(new String(other.model.state(true, NOW), UTF_8)).isEqualTo(new String(inOrder, UTF_8));
    }

    @Test
    void historyHasTheNewestWindowsAndTheFractionThatWasInForce() throws Exception {
        model.connected(NOW);
        model.policy(Records.policy());
        for (int i = 0; i < 400; i++) {
            model.window(Records.window(NOW - 4_000_000 + 10_000L * i, 0.95), NOW);
        }
        model.window(Records.window("high", "tpr@10", NOW, Optional.empty(), 0), NOW);
        model.decision(Records.decision("high", 1, NOW - 100_000, 0.7, 1, DecisionMode.ACTIVE, "SHUT"));
        JsonNode history = high().path("history");
        for (String series : List.of(
                "startMillis",
                "endMillis",
                "mean",
                "low",
                "high",
                "timeOutShare",
                "admitted",
                "answeredPerSecond",
                "expiredShare")) {
            assertThat(history.path(series)).as(series).hasSize(QualityHistory.CAPACITY);
        }
        int last = QualityHistory.CAPACITY - 1;
        assertThat(history.path("endMillis").get(last).asLong()).isEqualTo(NOW);
        assertThat(history.path("startMillis").get(last).asLong()).isEqualTo(NOW - Records.WINDOW_MILLIS);
        assertThat(history.path("mean").get(last).isNull()).isTrue();
        assertThat(history.path("admitted").get(last).asDouble()).isEqualTo(0.7);
        // There was no decision then; a tenth of the offered queries was rejected.
        assertThat(history.path("admitted").get(0).asDouble()).isEqualTo(0.9);
    }

    @Test
    void decisionsThatChangeSomethingAreListedRenewalsAreNot() throws Exception {
        model.connected(NOW);
        model.policy(Records.policy());
        model.decision(Records.decision("high", 1, NOW - 9_000, 1, 1, DecisionMode.ACTIVE, "PROTECTED"));
        model.decision(Records.decision("high", 2, NOW - 8_000, 1, 1, DecisionMode.ACTIVE, "RENEWED"));
        model.decision(Records.decision("high", 3, NOW - 7_000, 1, 1, DecisionMode.HOLD, "HELD_STALE"));
        model.decision(Records.decision("high", 2, NOW - 1_000, 0, 1, DecisionMode.ACTIVE, "SHUT"));
        JsonNode decisions = high().path("decisions");
        assertThat(decisions).hasSize(2);
        assertThat(decisions.at("/0/reason").asText()).isEqualTo("HELD_STALE");
        assertThat(decisions.at("/0/reasonText").asText()).isEqualTo("The last usable measurement is too old.");
        assertThat(high().at("/admission/sequence").asLong()).isEqualTo(3);
        model.decision(Records.decision("high", 4, NOW, 1, 1, DecisionMode.ACTIVE, "A_LATER_VERSIONS"));
        assertThat(high().at("/admission/reasonText").asText()).isEqualTo("a later versions.");
    }

    @Test
    void latenciesCoverTheLastMinutesAndMissingResults() throws Exception {
        model.connected(NOW);
        model.policy(Records.policy());
        model.window(Records.window(NOW - 10_000, 0.93), NOW);
        model.measurement(measurement(NOW - ConsoleModel.LATENCY_MILLIS - 5_000, 900_000, false), NOW);
        for (int i = 1; i <= 98; i++) {
            model.measurement(measurement(NOW - 1_000, 1_000L * i, false), NOW);
        }
        model.measurement(measurement(NOW - 1_000, 0, true), NOW);
        model.measurement(measurement(NOW - 1_000, 0, true), NOW);
        JsonNode latency = high().at("/components/1/latencyMillis");
        assertThat(latency.path("p50").asDouble()).isEqualTo(50);
        assertThat(latency.path("p95").asDouble()).isEqualTo(95);
        assertThat(latency.path("p99").asDouble()).isEqualTo(10_000);
        assertThat(high().at("/components/0/latencyMillis").isNull()).isTrue();
    }

    private static Measurement measurement(String component, long atMillis) {
        return measurement(component, atMillis, 900_000, false);
    }

    private static Measurement measurement(long atMillis, long latencyMicros, boolean missing) {
        return measurement("shard-2", atMillis, latencyMicros, missing);
    }

    private static Measurement measurement(String component, long atMillis, long latencyMicros, boolean missing) {
        return Measurement.builder()
                .service(Records.SERVICE)
                .queryId("q")
                .queryClass("high")
                .startedAtMillis(atMillis - 10_000)
                .measuredAtMillis(atMillis)
                .completeness(missing ? Completeness.EXPIRED : Completeness.COMPLETE)
                .degraded(true)
                .topK(10)
                .components(List.of(new ComponentShare(component, Outcome.TIMED_OUT, latencyMicros, missing, 0, 0)))
                .build();
    }

    @Test
    void adviceIsShown() throws Exception {
        model.connected(NOW);
        model.policy(Records.policy());
        model.curve(DeadlineCurveBuilder.builder()
                .service(Records.SERVICE)
                .queryClass("high")
                .metric("tpr@10")
                .startMillis(NOW - 60_000)
                .endMillis(NOW)
                .deadlineMillis(30)
                .profiles(400)
                .degradedProfiles(40)
                .points(List.of(new DeadlinePoint(20, Records.estimate(0.8), 0.5)))
                .components(List.of(ComponentEconomicsBuilder.builder()
                        .component("shard-2")
                        .invoked(400)
                        .late(40)
                        .lostQuality(0.09)
                        .lostQualityPerLateMinute(2)
                        .qualityIfFaster(0.95)
                        .qualityIfReplicated(0.96)
                        .qualityIfDropped(0.7)
                        .build()))
                .build());
        model.budget(Records.budget(NOW, BudgetVerdict.SLOW_BURN, 2.5));
        model.completeness(new CompletenessModel(
                Records.SERVICE,
                "high",
                "tpr@10",
                NOW,
                500,
                0.2,
                List.of(new ComponentLoss("shard-2", 0.25, 300)),
                List.of(new CalibrationBin(0.7, 0.8, 300, 0.75, 0.76))));
        assertThat(high().at("/deadline/points/0/mean").asDouble()).isEqualTo(0.8);
        assertThat(high().at("/deadline/components/0/qualityIfDropped").asDouble())
                .isEqualTo(0.7);
        assertThat(high().at("/budget/long/rate").asDouble()).isEqualTo(2.5);
        assertThat(high().at("/completeness/calibration/0/meanMeasured").asDouble())
                .isEqualTo(0.76);
        assertThat(service().path("deadlineMillis").asDouble()).isEqualTo(30);
    }

    @Test
    void healthShowsDeadLettersAndTheBroker() throws Exception {
        model.connected(NOW - 5_000);
        model.connected(NOW - 4_000);
        for (int i = 0; i < 25; i++) {
            model.deadLetter(new DeadLetter(
                    "kipimo.answers", 0, i, RejectionReason.UNREADABLE, "empty", new byte[0], new byte[0], NOW));
        }
        model.unreadable();
        model.read(NOW + 99_000, NOW);
        long version = model.version();
        model.joinPath("KEYED, since it is set");
        assertThat(model.version()).isEqualTo(version + 1);
        JsonNode health = new ObjectMapper().readTree(model.summary(false, NOW)).path("health");
        assertThat(health.path("joinPath").asText()).isEqualTo("KEYED, since it is set");
        model.joinPath("");
        assertThat(new ObjectMapper().readTree(model.summary(false, NOW)).at("/health/joinPath"))
                .as("what is not known is not shown")
                .isEmpty();
        assertThat(health.path("broker").asText()).isEqualTo("connected");
        assertThat(health.path("brokerSinceMillis").asLong()).isEqualTo(NOW - 5_000);
        assertThat(health.path("lastRecordMillis").asLong()).isEqualTo(NOW);
        assertThat(health.path("unreadable").asLong()).isEqualTo(1);
        assertThat(health.at("/deadLetters/count").asLong()).isEqualTo(25);
        assertThat(health.at("/deadLetters/last")).hasSize(20);
        assertThat(health.at("/deadLetters/last/0/offset").asLong()).isEqualTo(24);
        model.away(NOW);
        assertThat(new ObjectMapper()
                        .readTree(model.summary(false, NOW + 1))
                        .at("/health/broker")
                        .asText())
                .isEqualTo("away");
    }

    @Test
    void oldDecisionsAndFutureRecordsMakeNoService() throws Exception {
        model.connected(NOW);
        model.decision(Records.decision("gone", 1, NOW - 9_000, 1, 1, DecisionMode.ACTIVE, "PROTECTED"));
        model.window(Records.window(NOW + 3_600_000, 0.95), NOW);
        assertThat(model.service(Records.SERVICE, NOW)).isEmpty();
        model.policy(Records.policy());
        assertThat(service().path("classes")).hasSize(2);
        assertThat(high().path("now").isNull()).isTrue();
        model.policyRemoved(Records.SERVICE);
        assertThat(model.service(Records.SERVICE, NOW)).isEmpty();
    }

    /** Prints figures without assertions on times, since the machine may be busy. */
    @Test
    void aSummaryOfManyServicesStaysSmall() {
        model.connected(NOW);
        for (int s = 0; s < 200; s++) {
            String service = "service-" + s;
            model.policy(named(service));
            for (String queryClass : List.of("high", "middle", "low")) {
                for (int i = 0; i < QualityHistory.CAPACITY; i++) {
                    model.window(Records.window(service, queryClass, NOW - 10_000L * i, 0.9 + s % 90 / 1e3), NOW);
                }
            }
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int rounds = 30;
        long[] micros = new long[rounds];
        int bytes = 0;
        for (int i = 0; i < rounds; i++) {
            long before = threads.getCurrentThreadCpuTime();
            bytes = model.summary(true, NOW).length;
            micros[i] = (threads.getCurrentThreadCpuTime() - before) / 1000;
        }
        Arrays.sort(micros);
        System.out.printf(
                "console model, 200 services of 3 classes: summary %,d bytes, %,d us of CPU (median of %d)%n",
                bytes, micros[rounds / 2], rounds);
        assertThat(bytes).isLessThan(1_000_000);
    }

    private static Policy named(String service) {
        Policy policy = Records.policy();
        return Policy.builder()
                .service(service)
                .version(1)
                .metrics(policy.metrics())
                .merge(policy.merge())
                .topK(10)
                .classes(policy.classes())
                .admission(policy.admission())
                .sampling(policy.sampling())
                .build();
    }

    /** Regression: after 1,100 invented services a real service was not shown. */
    @Test
    void inventedNamesDisplaceNoRealOnes() throws Exception {
        model.connected(NOW);
        for (int i = 0; i < 1_100; i++) {
            model.observation(Records.queries("invented-" + i, "any", NOW), NOW);
        }
        model.policy(Records.policy());
        for (int i = 0; i < 100; i++) {
            model.observation(Records.queries(Records.SERVICE, "invented-" + i, NOW), NOW);
        }
        model.window(Records.window(NOW, 0.95), NOW);
        for (int i = 0; i < 5_000; i++) {
            model.measurement(measurement("invented-" + i, NOW - 1_000), NOW);
        }
        model.measurement(measurement(NOW - 1_000, 7_000, false), NOW);
        assertThat(high().at("/components/1/latencyMillis/p50").asDouble()).isEqualTo(7);
        assertThat(service().path("classes").size()).isLessThan(20);
        assertThat(model.shown()).hasSizeLessThan(300);
        assertThat(model.metrics(NOW)).contains("kipimo_console_services_passed_over_total 900");
    }

    @Test
    void memoryIsBoundedForAnyInput() {
        for (int i = 0; i < 5_000; i++) {
            model.policy(named("service-" + i));
        }
        assertThat(model.shown()).hasSize(1_000);
    }
}
