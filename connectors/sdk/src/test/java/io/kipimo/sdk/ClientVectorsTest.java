package io.kipimo.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.quality.fanout.model.ContributionLearner;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.fanout.model.PublishedFanOut;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The test vectors in {@code clients/vectors}, which every client must pass. {@code -Dgolden.write=true} rewrites them.
 * Without it, Java's results must equal those in the files. Each file's rule says how they come about.
 */
public class ClientVectorsTest {
    static final Path DIRECTORY = Path.of("../../clients/vectors");
    private static final Gson JSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
    private static final HexFormat HEX = HexFormat.of();

    private static final long NOW = 1_782_043_200_123L;
    private static final long HOUR = 3_600_000;
    private static final double[] RATES = {0, 1e-18, 1e-6, 0.01, 0.1, 0.2, 1 / 3.0, 0.5, 0.7, 0.999, Math.nextDown(1), 1
    };
    private static final double[] FRACTIONS = {-1, 0, 1e-6, 0.01, 0.1, 1 / 3.0, 0.5, 0.99, 1, 2};

    private static final int RANDOM_IDS = 100_000;
    private static final long SEED = 20_260_501;

    /** Compares a file of vectors, but for its rule, with what Java computes, or writes it. */
    public static void check(String name, JsonObject computed) throws IOException {
        Path file = DIRECTORY.resolve(name);
        String written = Files.readString(file);
        JsonObject all = new JsonObject()
                .with("rule", JsonParser.parseString(written).getAsJsonObject().get("rule"));
        all.putAll(computed);
        String text = JSON.toJson(all) + '\n';
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(file, text);
            written = text;
        }
        assertThat(written)
                .as("%s; write it anew with -Dgolden.write=true", file)
                .isEqualTo(text);
    }

    private static final List<String> IDS = List.of(
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "4BF92F3577B34DA6A3CE929D0E0E4736",
            "00000000000000000000000000000000",
            "00000000000000000000000000000001",
            "ffffffffffffffffffffffffffffffff",
            "000000000000000000fd70a3d70a3d71",
            "000000000000000000fd70a3d70a3d70",
            "000000000000000000e6666666666666",
            "4bf92f3577b34da6a3ce929d0e0e473",
            "4bf92f3577b34da6a3ce929d0e0e47360",
            "4bf92f3577b34da6a3ce929d0e0e473g",
            "1-581cf771-a006649127e371903a2de979",
            "0b8e5a54-63a0-4f3c-9d1c-6f5b1de9a3b1",
            "q",
            "query-1",
            "größe",
            "検索",
            "\uD83D\uDD0E search",
            "x".repeat(31),
            "x".repeat(32),
            "x".repeat(33),
            "y".repeat(256));

    @Test
    void sampling() throws IOException {
        List<Object> thresholds = new ArrayList<>();
        for (double rate : RATES) {
            thresholds.add(new JsonObject()
                    .with("rate", rate)
                    .with("threshold", HEX.toHexDigits(ConsistentSampling.threshold(rate))));
        }
        List<Object> vectors = new ArrayList<>();
        for (String id : IDS) {
            vectors.add(new JsonObject()
                    .with("id", id)
                    .with("randomness", HEX.toHexDigits(ConsistentSampling.randomness(id)))
                    .with(
                            "sampledAtRates",
                            Arrays.stream(RATES)
                                    .filter(rate -> ConsistentSampling.isSampled(id, rate))
                                    .boxed()
                                    .toList()));
        }
        check("sampling.json", new JsonObject().with("thresholds", thresholds).with("vectors", vectors));
    }

    private static final List<String> ODD_NAMES = List.of(
            "titles",
            "",
            " ",
            "größe 検索",
            "shard/3",
            "titles\u009b",
            "a\0b\n\u007f\u0085",
            "\u202ea\u2028",
            "\ufeff\u200b",
            "a\ud83d",
            "\ude00\ud83d\ude00\ud83d",
            "x".repeat(256),
            "x".repeat(257),
            "/".repeat(300),
            "x".repeat(255) + "\ud83d\ude00",
            "x".repeat(254) + "\ud83d\ude00",
            "\ud83d\ude00".repeat(129),
            "ü".repeat(10_000));

    @Test
    void names() throws IOException {
        List<Object> vectors = new ArrayList<>();
        for (String text : ODD_NAMES) {
            vectors.add(new JsonObject()
                    .with("utf16", HEX.formatHex(utf16(text)))
                    .with("isName", Names.isName(text))
                    .with("cleaned", HEX.formatHex(utf16(Names.cleaned(text))))
                    .with("identifier", HEX.formatHex(utf16(Names.identifier(text)))));
        }
        check("names.json", new JsonObject().with("vectors", vectors));
    }

    /** The encoder would replace halves of surrogate pairs. */
    private static byte[] utf16(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * text.length());
        text.chars().forEach(c -> bytes.putChar((char) c));
        return bytes.array();
    }

    @Test
    void exploration() throws IOException {
        List<Object> vectors = new ArrayList<>();
        for (String id : IDS) {
            vectors.add(new JsonObject()
                    .with("id", id)
                    .with("randomness", HEX.toHexDigits(Exploration.randomness(id)))
                    .with(
                            "exploredAtShares",
                            Arrays.stream(RATES)
                                    .filter(share -> Exploration.isExplored(id, share))
                                    .boxed()
                                    .toList()));
        }
        check("exploration.json", new JsonObject().with("shares", RATES).with("vectors", vectors));
    }

    /** Two topics of two words each, and a common word; three components of which one is slow. */
    private static FanOutPublication publication(FanOutState state, double floor, double price) {
        List<String> components = List.of("shard-0", "shard-1", "shard-2");
        ContributionLearner learner = new ContributionLearner("search", components, 64, 1_000);
        for (int i = 0; i < 1_000; i++) {
            int topic = i % 2;
            learner.learn(
                    new long[] {2 * topic + i / 2 % 2, 7},
                    topic == 0 ? new double[] {17, 2, 1} : new double[] {1, 14, 5},
                    new double[] {2, 1, 1});
        }
        return FanOutPublicationBuilder.builder()
                .service("search")
                .queryClass("low")
                .version(5)
                .learnedAtMillis(NOW)
                .validUntilMillis(NOW + HOUR)
                .state(state)
                .reason("saves work")
                .floor(floor)
                .price(price)
                .exploration(0.1)
                .queries(1_000)
                .model(
                        state == FanOutState.OFF
                                ? Optional.empty()
                                : Optional.of(learner.model(5, NOW).table()))
                .build();
    }

    @Test
    void fanOut() throws IOException {
        List<List<String>> layouts = List.of(
                List.of("shard-0", "shard-1", "shard-2"),
                List.of("shard-2", "shard-0", "shard-1"),
                List.of("shard-0", "shard-1"),
                List.of("shard-0", "shard-1", "shard-9"));
        List<long[]> features =
                List.of(new long[] {0, 7}, new long[] {3, 7}, new long[] {-1, 123_456_789_012_345L}, new long[0]);
        String explored = Stream.iterate(0, i -> i + 1)
                .map(i -> "query-" + i)
                .filter(id -> Exploration.isExplored(id, 0.1))
                .findFirst()
                .orElseThrow();
        List<Object> cases = new ArrayList<>();
        for (FanOutPublication published : List.of(
                publication(FanOutState.ON, 0.8, 0),
                publication(FanOutState.ON, 0.8, 0.2),
                publication(FanOutState.ON, 0.99, 0),
                publication(FanOutState.SHADOW, 0.8, 0),
                publication(FanOutState.OFF, 0.8, 0))) {
            PublishedFanOut inForce = new PublishedFanOut(published);
            List<Object> choices = new ArrayList<>();
            for (String id : List.of("query-0", "query-1", "query-2", explored)) {
                for (long[] hashes : features) {
                    choices.add(choice(inForce, id, hashes, layouts.get(0), NOW));
                }
            }
            for (List<String> layout : layouts) {
                choices.add(choice(inForce, "query-0", features.get(0), layout, NOW));
            }
            choices.add(choice(inForce, "query-0", features.get(0), layouts.get(0), NOW + HOUR));
            cases.add(new JsonObject()
                    .with("publication", HEX.formatHex(Codecs.FAN_OUT_PUBLICATION.encode(published)))
                    .with("choices", choices));
        }
        check("fan-out.json", new JsonObject().with("cases", cases));
    }

    private static Object choice(
            PublishedFanOut inForce, String id, long[] features, List<String> components, long nowMillis) {
        FanOutChoice choice = inForce.choose(id, features, components, nowMillis);
        FanOutChoice told = choice.proposed().orElse(choice);
        return new JsonObject()
                .with("id", id)
                // Numbers of JSON lose bits in some languages.
                .with(
                        "features",
                        Arrays.stream(features).mapToObj(Long::toString).toList())
                .with("components", components)
                .with("nowMillis", nowMillis)
                .with("reason", choice.reason().name())
                .with("asked", choice.asked())
                .with("proposed", told.asked())
                .with("expectedQuality", told.expectedQuality());
    }

    @Test
    void admission() throws IOException {
        List<Object> vectors = new ArrayList<>();
        for (String id : IDS) {
            for (long at : new long[] {0, HOUR - 1, HOUR, NOW, NOW + HOUR}) {
                vectors.add(new JsonObject()
                        .with("id", id)
                        .with("epochMillis", at)
                        .with(
                                "admittedAtFractions",
                                Arrays.stream(FRACTIONS)
                                        .filter(f -> HashAdmission.admits(id, f, at))
                                        .boxed()
                                        .toList()));
            }
        }
        check("admission.json", new JsonObject().with("fractions", FRACTIONS).with("vectors", vectors));
    }

    /** SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), which is short to write in every language. */
    private static final class SplitMix {
        private long state;

        SplitMix(long seed) {
            state = seed;
        }

        long next() {
            state += 0x9E3779B97F4A7C15L;
            long z = state;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }
    }

    private static List<String> randomIds() {
        SplitMix random = new SplitMix(SEED);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < RANDOM_IDS; i++) {
            String high = HEX.toHexDigits(random.next());
            String low = HEX.toHexDigits(random.next());
            ids.add(
                    switch (i % 4) {
                        case 0 -> high + low;
                        case 1 -> high.substring(0, 8) + '-' + low;
                        case 2 -> "query-" + Long.remainderUnsigned(Long.parseUnsignedLong(low, 16), 1_000_000_007);
                        default -> "größe/" + high + low;
                    });
        }
        return ids;
    }

    /** One character for each id: 1 or 0. */
    private static JsonObject digest(
            String parameter, double value, List<String> ids, java.util.function.Predicate<String> rule) {
        StringBuilder decisions = new StringBuilder();
        ids.forEach(id -> decisions.append(rule.test(id) ? '1' : '0'));
        return new JsonObject()
                .with(parameter, value)
                .with("count", decisions.chars().filter(c -> c == '1').count())
                .with("sha256", sha256(decisions.toString()));
    }

    private static JsonObject fanOutDigest(List<String> ids) {
        List<String> components = List.of("shard-0", "shard-1", "shard-2");
        FanOutPublication published = publication(FanOutState.ON, 0.8, 0);
        PublishedFanOut inForce = new PublishedFanOut(published);
        StringBuilder decisions = new StringBuilder();
        for (int i = 0; i < ids.size(); i++) {
            long[] features = i % 10 == 9 ? new long[0] : new long[] {i % 4, 7};
            FanOutChoice choice = inForce.choose(ids.get(i), features, components, NOW);
            decisions
                    .append(choice.reason())
                    .append(' ')
                    .append(String.join(",", choice.asked()))
                    .append('\n');
        }
        return new JsonObject()
                .with("publication", HEX.formatHex(Codecs.FAN_OUT_PUBLICATION.encode(published)))
                .with("components", components)
                .with("nowMillis", NOW)
                .with("sha256", sha256(decisions.toString()));
    }

    private static String sha256(String text) {
        try {
            return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void randomIdsAreDecided() throws IOException {
        List<String> ids = randomIds();
        check(
                "random-ids.json",
                new JsonObject()
                        .with("seed", SEED)
                        .with("ids", RANDOM_IDS)
                        .with("idsSha256", sha256(String.join("\n", ids) + "\n"))
                        .with(
                                "sampling",
                                Arrays.stream(RATES)
                                        .mapToObj(rate ->
                                                digest("rate", rate, ids, id -> ConsistentSampling.isSampled(id, rate)))
                                        .toList())
                        .with(
                                "exploration",
                                Arrays.stream(RATES)
                                        .mapToObj(share ->
                                                digest("share", share, ids, id -> Exploration.isExplored(id, share)))
                                        .toList())
                        .with("fanOut", fanOutDigest(ids))
                        .with("admissionEpochMillis", NOW)
                        .with(
                                "admission",
                                Arrays.stream(FRACTIONS)
                                        .mapToObj(fraction -> digest(
                                                "fraction",
                                                fraction,
                                                ids,
                                                id -> HashAdmission.admits(id, fraction, NOW)))
                                        .toList()));
    }

    private static Decision decision(
            String controller,
            String scope,
            long epoch,
            long sequence,
            long issuedAt,
            long validUntil,
            double value,
            DecisionMode mode,
            String reason) {
        return DecisionBuilder.builder()
                .controller(controller)
                .scope(scope)
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(issuedAt)
                .asOfMillis(issuedAt)
                .validUntilMillis(validUntil)
                .value(value)
                .previous(1)
                .samples(100)
                .mode(mode)
                .reason(reason)
                .configVersion(1)
                .measured(0.9)
                .low(0.88)
                .high(0.92)
                .objective(0.9)
                .build();
    }

    private static Decision admit(long epoch, long sequence, long issuedAt, long validUntil, double value) {
        return decision(
                Decision.ADMISSION,
                "shop/low",
                epoch,
                sequence,
                issuedAt,
                validUntil,
                value,
                DecisionMode.ACTIVE,
                "SHUT");
    }

    private static Object json(Codec<Decision> codec, Decision decision) throws IOException {
        return JsonParser.parseString(
                JsonFormat.printer().preservingProtoFieldNames().print(codec.toMessage(decision)));
    }

    /** An admission client and the log of its calls. */
    private static final class LeaseCase {
        private final String name;
        private final ClassDefaults defaults;
        private final List<Object> steps = new ArrayList<>();
        private final AdmissionClient client;
        private long wall = NOW;
        private long monotonic = 1_000_000;

        LeaseCase(String name, ClassDefaults defaults) {
            this.name = name;
            this.defaults = defaults;
            KipimoConfig config = KipimoConfig.builder(
                            "shop", "front-1", new KafkaSettings("localhost:9092", "kipimo.", Map.of()))
                    .queryClass("low", defaults)
                    .build();
            client = new AdmissionClient(config, () -> Instant.ofEpochMilli(wall), () -> monotonic);
            look();
        }

        LeaseCase after(long millis) {
            wall += millis;
            monotonic += millis;
            return look();
        }

        /** Sets the wall clock; the monotonic clock is unchanged. */
        LeaseCase wallIsSetBy(long millis) {
            wall += millis;
            return look();
        }

        private LeaseCase look() {
            steps.add(new JsonObject()
                    .with("wallMillis", wall)
                    .with("monotonicMillis", monotonic)
                    .with("fraction", client.fraction("low")));
            return this;
        }

        LeaseCase offer(Decision decision) throws IOException {
            Map<String, Long> before = client.refusals();
            client.offer(decision);
            String refusal = client.refusals().entrySet().stream()
                    .filter(e -> !e.getValue().equals(before.get(e.getKey())))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse("");
            steps.add(new JsonObject()
                    .with("wallMillis", wall)
                    .with("monotonicMillis", monotonic)
                    .with("offer", json(Codecs.DECISION, decision))
                    .with("refusal", refusal)
                    .with("fraction", client.fraction("low")));
            return this;
        }

        Object toJson() {
            return new JsonObject()
                    .with("name", name)
                    .with("service", "shop")
                    .with("class", "low")
                    .with("safeFraction", defaults.safeFraction())
                    .with("floor", defaults.floor())
                    .with("ceiling", defaults.ceiling())
                    .with("steps", steps);
        }
    }

    @Test
    void leases() throws IOException {
        ClassDefaults sheddable = ClassDefaults.sheddable(0.02);
        ClassDefaults careful = new ClassDefaults(0.5, 0.1, 0.9);
        List<Object> cases = List.of(
                new LeaseCase(
                                "a start admits the ceiling for a minute, then goes to"
                                        + " safe; a decision takes it from there",
                                careful)
                        .after(60_000)
                        .after(30_000)
                        .after(30_000)
                        .offer(admit(1, 1, NOW + 120_000, NOW + 180_000, 0.9))
                        .after(5_000)
                        .toJson(),
                new LeaseCase("a start after control was lost while it shed", careful)
                        .offer(admit(1, 1, NOW - 120_000, NOW - 60_000, 0.3))
                        .after(1_000)
                        .offer(admit(1, 2, NOW, NOW + 60_000, 0.2))
                        .after(1_000)
                        .offer(admit(1, 3, NOW - 120_000, NOW - 60_000, 0.3))
                        .after(1_000)
                        .toJson(),
                new LeaseCase(
                                "a start after control was lost: the last ended decision counts, a shadow one not",
                                careful)
                        .offer(admit(1, 1, NOW - 120_000, NOW - 60_000, 0.3))
                        .offer(admit(1, 2, NOW - 110_000, NOW - 50_000, 0.95))
                        .offer(shadow(3, NOW - 120_000, NOW - 60_000))
                        .after(59_000)
                        .after(61_000)
                        .toJson(),
                new LeaseCase("a clock set back does not prolong a start", careful)
                        .wallIsSetBy(-3_600_000)
                        .after(90_000)
                        .after(30_000)
                        .toJson(),
                new LeaseCase("falls by 0.5 a second, holds, decays to safe", sheddable)
                        .offer(admit(1, 1, NOW, NOW + 60_000, 0.3))
                        .after(500)
                        .after(1_000)
                        .after(58_000)
                        .after(501)
                        .after(30_000)
                        .after(30_000)
                        .after(1_000)
                        .toJson(),
                new LeaseCase("shadow decisions prolong the start; without them it goes to safe", careful)
                        .offer(shadow(1, NOW, NOW + 60_000))
                        .after(50_000)
                        .offer(shadow(2, NOW + 50_000, NOW + 110_000))
                        .after(60_000)
                        .after(30_000)
                        .offer(shadow(3, NOW + 140_000, NOW + 200_000))
                        .after(2_000)
                        .offer(admit(1, 4, NOW + 142_000, NOW + 202_000, 0.3))
                        .after(2_000)
                        .offer(shadow(5, NOW + 144_000, NOW + 204_000))
                        .after(70_000)
                        .toJson(),
                new LeaseCase("rises by 0.1 a second", careful)
                        .offer(admit(1, 1, NOW, NOW + 60_000, 0.85))
                        .after(1_000)
                        .after(2_000)
                        .after(2_000)
                        .toJson(),
                new LeaseCase("newer only: epoch, then sequence", sheddable)
                        .offer(admit(2, 5, NOW, NOW + 60_000, 0.6))
                        .after(2_000)
                        .offer(admit(2, 5, NOW, NOW + 60_000, 0.1))
                        .offer(admit(2, 4, NOW, NOW + 60_000, 0.1))
                        .offer(admit(1, 900, NOW, NOW + 60_000, 0.1))
                        .offer(admit(3, 1, NOW, NOW + 60_000, 0.4))
                        .after(2_000)
                        .toJson(),
                new LeaseCase("cut to the floor and the ceiling", careful)
                        .offer(admit(1, 1, NOW, NOW + 60_000, 0.001))
                        .after(5_000)
                        .offer(admit(1, 2, NOW + 5_000, NOW + 65_000, 1))
                        .after(20_000)
                        .toJson(),
                new LeaseCase("expired, stale, shadow, other scope, impossible", sheddable)
                        .offer(admit(1, 1, NOW - 60_000, NOW, 0.1))
                        .offer(admit(1, 2, NOW - 300_001, NOW + 60_000, 0.1))
                        .offer(shadow(3, NOW, NOW + 60_000))
                        .offer(elsewhere(Decision.ADMISSION, "shop/high", 4))
                        .offer(elsewhere(Decision.ADMISSION, "other/low", 5))
                        .offer(elsewhere(Decision.SAMPLING, "shop/low", 6))
                        .offer(admit(1L << 53, 7, NOW, NOW + 60_000, 0.1))
                        .after(2_000)
                        .toJson(),
                new LeaseCase("a clock set back does not prolong a lease", sheddable)
                        .offer(admit(1, 1, NOW, NOW + 10_000, 0.5))
                        .after(5_000)
                        .wallIsSetBy(-3_600_000)
                        .after(4_000)
                        .after(31_000)
                        .after(30_000)
                        .toJson(),
                new LeaseCase("a clock set forward ends a lease", sheddable)
                        .offer(admit(1, 1, NOW, NOW + 10_000, 0.5))
                        .after(5_000)
                        .wallIsSetBy(20_000)
                        .toJson(),
                new LeaseCase("renewed while it decays, and a lease cut to an hour", careful)
                        .offer(admit(1, 1, NOW, NOW + 5_000, 0.2))
                        .after(20_000)
                        .offer(admit(1, 2, NOW + 20_000, NOW + 20_000_000, 0.15))
                        .after(3_000)
                        .after(3_600_000 - 3_000)
                        .after(30_000)
                        .after(30_000)
                        .toJson());
        check("leases.json", new JsonObject().with("cases", cases));
    }

    private static Decision elsewhere(String controller, String scope, long sequence) {
        return DecisionBuilder.builder(admit(1, sequence, NOW, NOW + 60_000, 0.1))
                .controller(controller)
                .scope(scope)
                .build();
    }

    private static Decision shadow(long sequence, long asOf, long validUntil) {
        return decision(
                Decision.ADMISSION, "shop/low", 1, sequence, asOf, validUntil, 0.1, DecisionMode.SHADOW, "SHUT");
    }

    @Test
    void samplingRates() throws IOException {
        List<Decision> decisions = List.of(
                sample(1, 1, 0, 60_000, 0.1, "TARGET"),
                sample(1, 2, 10_000, 70_000, 0.2, "BUDGET_SPENT"),
                // Ignored: one decision that is not newer, then one in shadow mode.
                sample(1, 2, 12_000, 72_000, 0.9, "TARGET"),
                decision(
                        Decision.SAMPLING,
                        "shop",
                        1,
                        3,
                        NOW + 13_000,
                        NOW + 73_000,
                        0.8,
                        DecisionMode.SHADOW,
                        "TARGET"),
                sample(1, 4, 20_000, 80_000, 0.3, "EXTRA_LOAD"),
                // A decision of a newer epoch that was issued before the last one replaces
                // it.
                sample(2, 1, 15_000, 50_000, 0.05, "TARGET"));
        SamplingRates rates = new SamplingRates(0.01);
        List<Object> offered = new ArrayList<>();
        for (Decision decision : decisions) {
            rates.accept(decision);
            offered.add(json(Codecs.DECISION, decision));
        }
        List<Object> at = new ArrayList<>();
        for (long millis :
                new long[] {-1, 0, 4_999, 5_000, 14_999, 15_000, 19_999, 20_000, 24_999, 25_000, 54_999, 55_000, 100_000
                }) {
            at.add(new JsonObject()
                    .with("startedAtMillis", NOW + millis)
                    .with("rate", rates.rateAt(NOW + millis))
                    .with("scarce", rates.isScarceAt(NOW + millis)));
        }
        check(
                "sampling-rates.json",
                new JsonObject()
                        .with("service", "shop")
                        .with("initialRate", 0.01)
                        .with("decisions", offered)
                        .with("at", at));
    }

    private static Decision sample(
            long epoch, long sequence, long issued, long validUntil, double value, String reason) {
        return decision(
                Decision.SAMPLING,
                "shop",
                epoch,
                sequence,
                NOW + issued,
                NOW + validUntil,
                value,
                DecisionMode.ACTIVE,
                reason);
    }

    @Test
    void completeness() throws IOException {
        long[] now = {NOW};
        KipimoConfig config = KipimoConfig.builder(
                        "shop", "front-1", new KafkaSettings("localhost:9092", "kipimo.", Map.of()))
                .queryClass("high", ClassDefaults.ALL)
                .build();
        CompletenessClient client = new CompletenessClient(config, () -> Instant.ofEpochMilli(now[0]));
        CompletenessModel model = new CompletenessModel(
                "shop",
                "high",
                "tpr@10",
                NOW - 1_000,
                400,
                0.25,
                List.of(
                        new ComponentLoss("bm25", 0.4, 100),
                        new ComponentLoss("dense", 0.127, 200),
                        new ComponentLoss("graph", 0, 100)),
                List.of());
        List<Object> vectors = new ArrayList<>();
        for (boolean isLearned : new boolean[] {false, true}) {
            if (isLearned) {
                client.offer(model);
            }
            for (long age : new long[] {0, 24 * HOUR - 1_000, 24 * HOUR}) {
                now[0] = NOW + age;
                for (List<String> missing : List.of(
                        List.<String>of(),
                        List.of("dense"),
                        List.of("graph"),
                        List.of("bm25", "dense"),
                        List.of("unknown"),
                        List.of("bm25", "u1", "u2", "u3"))) {
                    List<Invocation> invocations = new ArrayList<>();
                    invocations.add(new Invocation("there", Outcome.IN_TIME, 1_000));
                    missing.forEach(m -> invocations.add(new Invocation(m, Outcome.TIMED_OUT, 2_000)));
                    OptionalDouble predicted = client.predict("high", invocations);
                    vectors.add(new JsonObject()
                            .with("learned", isLearned)
                            .with("nowMillis", now[0])
                            .with("missing", missing)
                            .with("known", predicted.isPresent())
                            .with("predicted", predicted.orElse(0))
                            .with(
                                    "header",
                                    predicted.isPresent() ? CompletenessClient.format(predicted.getAsDouble()) : ""));
                }
            }
        }
        check(
                "completeness.json",
                new JsonObject()
                        .with(
                                "model",
                                JsonParser.parseString(JsonFormat.printer()
                                        .preservingProtoFieldNames()
                                        .print(Codecs.COMPLETENESS_MODEL.toMessage(model))))
                        .with("vectors", vectors));
    }

    @Test
    void items() throws IOException, InvalidRecordException {
        List<Object> vectors = new ArrayList<>();
        for (int sent : new int[] {0, 1, 9_999, 10_000, 10_001, 12_345}) {
            AnswerProto.Builder answer = AnswerProto.parseFrom(Codecs.ANSWER.encode(answer())).toBuilder();
            ItemsProto.Builder items = ItemsProto.newBuilder();
            for (int i = 0; i < sent; i++) {
                items.addNumbers(i).addScores(i);
            }
            Answer read = Codecs.ANSWER.decode(
                    answer.setItems(items).setTruncated(false).build().toByteArray());
            long[] kept = read.items().numbers();
            vectors.add(new JsonObject()
                    .with("sent", sent)
                    .with("kept", kept.length)
                    .with("lastKept", kept.length == 0 ? -1 : kept[kept.length - 1])
                    .with("truncated", read.truncated()));
        }
        check("items.json", new JsonObject().with("vectors", vectors));
    }

    @Test
    void order() throws IOException {
        float below = Math.nextDown(1f);
        float[][] lists = {
            {},
            {3, 2, 1},
            {1, 2, 3},
            {1, 1, 1},
            {2, 1, 2, 1},
            {1, 1, below, below, 0.5f},
            {0, -0f, 0, Float.MIN_VALUE},
            {-1, -1, -2},
            {Float.MAX_VALUE, Float.MAX_VALUE},
            {0, -Float.MAX_VALUE, -Float.MAX_VALUE, 5}
        };
        List<Object> vectors = new ArrayList<>();
        for (float[] scores : lists) {
            Items items = Items.ofNumbers(new long[scores.length], scores).inOrder();
            vectors.add(new JsonObject().with("scores", doubles(scores)).with("inOrder", doubles(items.scores())));
        }
        check("order.json", new JsonObject().with("vectors", vectors));
    }

    private static List<Double> doubles(float[] numbers) {
        List<Double> all = new ArrayList<>();
        for (float number : numbers) {
            all.add((double) number);
        }
        return all;
    }

    private static Answer answer() {
        return AnswerBuilder.builder()
                .service("shop")
                .queryId("4bf92f3577b34da6a3ce929d0e0e4736")
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(NOW)
                .answeredAtMillis(NOW + 52)
                .deadlineMillis(50)
                .topK(10)
                .invocations(List.of(
                        new Invocation("bm25", Outcome.IN_TIME, 12_345),
                        new Invocation("dense", Outcome.TIMED_OUT, 50_000),
                        new Invocation("graph", Outcome.FAILED, 0)))
                .items(Items.NONE)
                .build();
    }

    @Test
    void messages() throws IOException {
        List<Object> vectors = new ArrayList<>();
        add(vectors, "answers", answer().queryId(), Codecs.ANSWER, answer());
        Answer cut = AnswerBuilder.builder()
                .service("größe")
                .queryId("query-1")
                .queryClass("low")
                .kind(AnswerKind.REPLAYED)
                .startedAtMillis(NOW)
                .answeredAtMillis(NOW)
                .items(Items.ofTexts(new String[] {"d1", "検索"}, new float[] {1.5f, -0.25f}))
                .truncated(true)
                .unmeasurable(java.util.Optional.of(Unmeasurable.CUT))
                .build();
        add(vectors, "answers", cut.queryId(), Codecs.ANSWER, cut);
        Answer trimmed = AnswerBuilder.builder(answer())
                .invocations(List.of(
                        new Invocation("bm25", Outcome.IN_TIME, 12_345), new Invocation("graph", Outcome.NOT_ASKED, 0)))
                .notAskedLoss(java.util.Optional.of(0.0625))
                .build();
        add(vectors, "answers", trimmed.queryId(), Codecs.ANSWER, trimmed);
        Answer canary = AnswerBuilder.builder(answer()).variant("canary").build();
        add(vectors, "answers", canary.queryId(), Codecs.ANSWER, canary);
        PartialResult numbers = PartialResultBuilder.builder()
                .service("shop")
                .queryId(answer().queryId())
                .component("dense")
                .server("dense-2")
                .phase(Phase.MATURE)
                .completedAtMillis(NOW + 80)
                .latencyMicros(79_500)
                .items(Items.ofNumbers(new long[] {1, -1, Long.MIN_VALUE}, new float[] {3.25f, 0.1f, Float.MIN_VALUE}))
                .startedAtMillis(NOW)
                .build();
        add(vectors, "partials", numbers.queryId(), Codecs.PARTIAL_RESULT, numbers);
        PartialResult empty = PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component("bm25")
                .server("")
                .phase(Phase.ONLINE)
                .completedAtMillis(NOW)
                .items(Items.NONE)
                .build();
        add(vectors, "partials", "q", Codecs.PARTIAL_RESULT, empty);
        Observation observation = ObservationBuilder.builder()
                .service("shop")
                .tier("front")
                .server("front-1")
                .queryClass("low")
                .secondMillis(NOW / 1000 * 1000)
                .offered(120)
                .rejected(20)
                .answered(100)
                .timedOut(7)
                .components(List.of(new ComponentCount("bm25", 100, 0), new ComponentCount("dense", 100, 7)))
                .bill(new MeasurementBill(3, 45_000, 12_345, 1, 9_876_543))
                .admittedFraction(0.83)
                .unmeasurable(Map.of(Unmeasurable.FAILED_ANSWER, 2L))
                .missing(List.of(new MissingCount("dense", 7)))
                .notAsked(12)
                .notAskedLossSum(1.5)
                .notAskedComponents(List.of(new MissingCount("graph", 12)))
                .build();
        add(vectors, "observations", "shop/front/front-1", Codecs.OBSERVATION, observation);
        add(
                vectors,
                "observations",
                "shop/front/front-1",
                Codecs.OBSERVATION,
                ObservationBuilder.builder(observation).variant("canary").build());
        add(vectors, "admission", "shop/low", Codecs.DECISION, admit(12, 841, NOW, NOW + 60_000, 0.42));
        check("messages.json", new JsonObject().with("vectors", vectors));
    }

    private static <T> void add(List<Object> vectors, String topic, String key, Codec<T> codec, T record)
            throws IOException {
        Message message = codec.toMessage(record);
        vectors.add(new JsonObject()
                .with("topic", topic)
                .with("message", message.getDescriptorForType().getFullName())
                .with("key", key)
                .with(
                        "fields",
                        JsonParser.parseString(
                                JsonFormat.printer().preservingProtoFieldNames().print(message)))
                .with("hex", HEX.formatHex(codec.encode(record))));
    }
}
