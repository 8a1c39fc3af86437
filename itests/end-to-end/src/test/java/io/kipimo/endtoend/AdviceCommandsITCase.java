package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.cli.Main;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.ErrorBudgetBuilder;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadline.ComponentEconomicsBuilder;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Advice commands with a real broker and the SDK's client. */
@WithBackends
class AdviceCommandsITCase {
    private static final long NOW = System.currentTimeMillis();

    private record Printed(int exitCode, String text) {}

    private static Printed kipimo(KafkaSettings kafka, String... arguments) {
        StringWriter text = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(text));
        command.setErr(new PrintWriter(text));
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--bootstrap-servers=" + kafka.bootstrapServers();
        all[arguments.length + 1] = "--prefix=" + kafka.topicPrefix();
        int exitCode = command.execute(all);
        command.getOut().flush();
        command.getErr().flush();
        return new Printed(exitCode, text.toString());
    }

    private static KafkaSettings topics(Backends backends, String prefix) {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), prefix, Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        return kafka;
    }

    private static <T> void publish(KafkaSettings kafka, Topic topic, Codec<T> codec, T record) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            kafka.name(topic), "shop/high".getBytes(StandardCharsets.UTF_8), codec.encode(record)))
                    .get();
        }
    }

    private static DeadlineCurve curve(long endMillis, double best) {
        return DeadlineCurveBuilder.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@20")
                .startMillis(endMillis - 60_000)
                .endMillis(endMillis)
                .deadlineMillis(30)
                .profiles(400)
                .degradedProfiles(120)
                .points(List.of(
                        new DeadlinePoint(10, new Estimate(0.5, 0.6, 0.7), 0.2),
                        new DeadlinePoint(30, new Estimate(0.85, 0.9, 0.93), 0.7),
                        new DeadlinePoint(60, new Estimate(best - 0.01, best, 1), 0.99)))
                .components(List.of(ComponentEconomicsBuilder.builder()
                        .component("shard-3")
                        .invoked(400)
                        .late(100)
                        .lostQuality(0.08)
                        .lostQualityPerLateMinute(1.5)
                        .qualityIfFaster(0.92)
                        .qualityIfReplicated(0.93)
                        .qualityIfDropped(0.7)
                        .points(List.of(new ComponentPoint(60, 0.9, 0.95)))
                        .build()))
                .build();
    }

    private static ErrorBudget budget(String queryClass, BudgetVerdict verdict) {
        BurnRate rate = new BurnRate(300_000, 14, 15, 16, 1_000, 100);
        return ErrorBudgetBuilder.builder()
                .service("shop")
                .queryClass(queryClass)
                .metric("tpr@20")
                .endMillis(NOW)
                .objective(0.9)
                .shortWindow(rate)
                .longWindow(new BurnRate(3_600_000, 0, 0, 0, 0, 0))
                .remaining(0.25)
                .periodMillis(28 * 24 * 3_600_000L)
                .coveredMillis(3_600_000)
                .verdict(verdict)
                .causes(List.of(new LossCause("shard-3", 0.7)))
                .build();
    }

    @Test
    void theNewestCurveAnswersWhichDeadlineKeepsTheObjective(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "deadline.");
        assertThat(kipimo(kafka, "deadline", "--service=shop"))
                .isEqualTo(new Printed(3, "NOT-ENOUGH: no curve of service 'shop' since 1h\n"));
        publish(kafka, Topic.DEADLINES, Codecs.DEADLINE_CURVE, curve(NOW - 10_000, 0.5));
        publish(kafka, Topic.DEADLINES, Codecs.DEADLINE_CURVE, curve(NOW, 0.97));

        Printed kept = kipimo(kafka, "deadline", "--objective=0.95", "--components");
        assertThat(kept.exitCode()).isZero();
        assertThat(kept.text())
                .contains("shop/high, tpr@20, from 400 queries", "60 ms", "0.960..1.000", "shard-3")
                .contains("shortest deadline that keeps 0.950: 60 ms");
        assertThat(kipimo(kafka, "deadline", "--objective=0.95", "--at-most-millis=30")
                        .exitCode())
                .isEqualTo(1);
        assertThat(kipimo(kafka, "deadline", "--objective=0.99").exitCode()).isEqualTo(3);
        Printed json = kipimo(kafka, "deadline", "--objective=0.8", "--json");
        assertThat(json.exitCode()).isZero();
        assertThat(json.text()).contains("\"shortestDeadlineMillis\" : 30.0", "\"shard-3\"");
    }

    @Test
    void budgetsSayNoWhenOneBurnsFast(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "budget.");
        assertThat(kipimo(kafka, "budget").exitCode()).isEqualTo(3);
        publish(kafka, Topic.ERROR_BUDGETS, Codecs.ERROR_BUDGET, budget("high", BudgetVerdict.FINE));
        assertThat(kipimo(kafka, "budget").exitCode()).isZero();
        publish(kafka, Topic.ERROR_BUDGETS, Codecs.ERROR_BUDGET, budget("new", BudgetVerdict.NOT_ENOUGH));
        assertThat(kipimo(kafka, "budget").exitCode()).as("one is not known").isEqualTo(3);
        publish(kafka, Topic.ERROR_BUDGETS, Codecs.ERROR_BUDGET, budget("low", BudgetVerdict.FAST_BURN));

        Printed burning = kipimo(kafka, "budget");
        assertThat(burning.exitCode()).isEqualTo(1);
        assertThat(burning.text())
                .contains("FAST-BURN", "25 %", "5m: 15.0 (14.0..16.0)", "1h: unknown")
                .contains("shard-3 70 %");
        assertThat(kipimo(kafka, "budget", "--class=high").exitCode()).isZero();
        assertThat(kipimo(kafka, "budget", "--json").text()).contains("\"FAST_BURN\"");
    }

    private static QualityWindow batch(long endMillis, int degraded) {
        int samples = 100;
        double mean = 1 - 0.5 * degraded / samples;
        return QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@20")
                .kind(WindowKind.BATCH)
                .startMillis(endMillis - 500)
                .endMillis(endMillis)
                .offered(1_000)
                .answered(1_000)
                .timedOut(degraded * 10L)
                .samples(samples)
                .degradedSamples(degraded)
                .estimate(Optional.of(new Estimate(mean, mean, mean)))
                .plainMean(mean)
                .standardDeviation(0.2)
                .p5(0.5)
                .p50(1)
                .minimum(0.5)
                .belowObjective(0.1)
                .objective(0.9)
                .components(List.of(new ComponentAttribution("shard-3", 1_000, degraded * 10L, 0.5 * degraded)))
                .maturePer100Queries(10)
                .lossPerTimeOut(Optional.of(0.5))
                .build();
    }

    private static Policy policy() {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@20"))
                .expirationWindowMillis(2_000)
                .slideMillis(1_000)
                .classes(ShopPolicy.classes())
                .build();
    }

    @Test
    void theGateWaitsUntilItCanTell(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "gate.");
        PolicyStore.publish(kafka, policy());
        assertThat(kipimo(kafka, "gate", "--service=shop").text())
                .startsWith("kipimo: there are several classes")
                .contains("shop/high, shop/low");
        assertThat(kipimo(kafka, "gate", "--class=high").exitCode()).isEqualTo(3);
        CompletableFuture<Printed> waiting =
                CompletableFuture.supplyAsync(() -> kipimo(kafka, "gate", "--class=high", "--from=now", "--wait=2m"));

        await("the gate opens")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    publish(kafka, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW, batch(System.currentTimeMillis(), 4));
                    return waiting.isDone();
                });
        Printed passed = waiting.join();
        assertThat(passed.text())
                .startsWith("PASS: shop/high, tpr@20: quality is 0.98")
                .contains("lost by shard-3 100 %");
        assertThat(passed.exitCode()).isZero();
        Printed strict = kipimo(kafka, "gate", "--class=high", "--since=1h", "--objective=0.999", "--json");
        assertThat(strict.exitCode()).isEqualTo(1);
        assertThat(strict.text()).contains("\"verdict\" : \"FAIL\"");
    }

    private static Measurement measured(String queryId, long atMillis, double lost) {
        return Measurement.builder()
                .service("shop")
                .queryId(queryId)
                .queryClass("high")
                .startedAtMillis(atMillis - 100)
                .measuredAtMillis(atMillis)
                .completeness(Completeness.COMPLETE)
                .degraded(lost > 0)
                .topK(20)
                .scores(List.of(new Score("tpr@20", 1 - lost, 1 - lost)))
                .components(List.of(new ComponentShare(
                        "shard-3", lost > 0 ? Outcome.TIMED_OUT : Outcome.IN_TIME, 45_000, false, lost, 0.5)))
                .build();
    }

    @Test
    void theWorstQueriesHaveTheirTraces(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "worst.");
        assertThat(kipimo(kafka, "worst")).isEqualTo(new Printed(3, "nothing was measured of any service\n"));
        publish(kafka, Topic.QUALITY, Codecs.MEASUREMENT, measured("fine", NOW, 0));
        publish(kafka, Topic.QUALITY, Codecs.MEASUREMENT, measured("bad", NOW, 0.25));
        publish(kafka, Topic.QUALITY, Codecs.MEASUREMENT, measured("bad", NOW, 0.25));
        publish(kafka, Topic.QUALITY, Codecs.MEASUREMENT, measured("worse", NOW, 0.5));

        Printed worst = kipimo(kafka, "worst", "--trace-link=https://t.example/{query}");
        assertThat(worst.exitCode()).isZero();
        List<String> lines = worst.text().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).startsWith("0.500").contains("https://t.example/worse");
        assertThat(lines.get(2)).startsWith("0.750").contains("shard-3 timed out, 45 ms, -0.250");
    }

    @Test
    void theServiceHearsWhatMissingComponentsCost(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "completeness.");
        KipimoConfig config = KipimoConfig.builder("shop", "test", kafka)
                .queryClass("high", ClassDefaults.ALL)
                .build();
        List<Invocation> late = List.of(new Invocation("shard-3", Outcome.TIMED_OUT, 30_000));
        try (Kipimo kipimo = Kipimo.connect(config)) {
            assertThat(kipimo.completeness().predict("high", late)).isEmpty();
            publish(
                    kafka,
                    Topic.COMPLETENESS,
                    Codecs.COMPLETENESS_MODEL,
                    new CompletenessModel(
                            "shop",
                            "high",
                            "tpr@20",
                            NOW,
                            50,
                            0.2,
                            List.of(new ComponentLoss("shard-3", 0.13, 50)),
                            List.of()));
            await().atMost(PATIENCE)
                    .until(() -> kipimo.completeness().predict("high", late).isPresent());
            assertThat(kipimo.completeness().predict("high", late).orElseThrow())
                    .isCloseTo(0.87, within(1e-9));
        }
    }
}
