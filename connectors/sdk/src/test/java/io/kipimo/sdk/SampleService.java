package io.kipimo.sdk;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;

/** A service with two classes, its decisions and answers. */
final class SampleService {
    static final long NOW = 1_700_000_000_000L;
    static final String HIGH = "high";
    static final String LOW = "low";

    /** Topic. */
    static final String OBSERVATIONS = "kipimo.observations";

    private SampleService() {}

    /** Counts of a second without queries, as they are queued. */
    static Outbox.QueuedEvent<Observation> observation(long timestampMillis, EmissionCounts tally) {
        return new Outbox.QueuedEvent<>(
                OBSERVATIONS,
                "search/front/s1",
                timestampMillis,
                Codecs.OBSERVATION,
                ObservationBuilder.builder()
                        .service("search")
                        .tier("front")
                        .server("s1")
                        .queryClass(HIGH)
                        .secondMillis(NOW)
                        .bill(new MeasurementBill(0, 0, 0, 0, 0))
                        .admittedFraction(1)
                        .build(),
                tally);
    }

    static KipimoConfig config() {
        return KipimoConfig.builder("search", "s1", KafkaSettings.of("127.0.0.1:" + closedPort()))
                .queryClass(HIGH, ClassDefaults.ALL)
                .queryClass(LOW, new ClassDefaults(0.5, 0.05, 1))
                .initialSamplingRate(0.1)
                .build();
    }

    /** A port without a listener. */
    static int closedPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Decision admission(String scope, long epoch, long sequence, double value, long atMillis) {
        return decision(
                Decision.ADMISSION, scope, epoch, sequence, value, atMillis, DecisionMode.ACTIVE, DecisionReason.SHUT);
    }

    /** An admission decision in shadow mode. */
    static Decision shadow(String scope, double value, long atMillis) {
        return decision(Decision.ADMISSION, scope, 1, 1, value, atMillis, DecisionMode.SHADOW, DecisionReason.SHUT);
    }

    static Decision sampling(long epoch, long sequence, double value, long atMillis) {
        return sampling(epoch, sequence, value, atMillis, DecisionReason.RENEWED);
    }

    static Decision sampling(long epoch, long sequence, double value, long atMillis, DecisionReason reason) {
        return decision(Decision.SAMPLING, "search", epoch, sequence, value, atMillis, DecisionMode.ACTIVE, reason);
    }

    private static Decision decision(
            String controller,
            String scope,
            long epoch,
            long sequence,
            double value,
            long atMillis,
            DecisionMode mode,
            DecisionReason reason) {
        return DecisionBuilder.builder()
                .controller(controller)
                .scope(scope)
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(atMillis)
                .asOfMillis(atMillis)
                .validUntilMillis(atMillis + 60_000)
                .value(value)
                .previous(1)
                .samples(40)
                .mode(mode)
                .reason(reason.name())
                .configVersion(1)
                .measured(0.9)
                .low(0.9)
                .high(0.9)
                .objective(0.9)
                .build();
    }

    /** An answer with every component. */
    static Answer answer(String queryId) {
        return answer(queryId, invoked(Outcome.IN_TIME), Optional.empty());
    }

    /** An answer without its only component. */
    static Answer degraded(String queryId) {
        return answer(queryId, invoked(Outcome.TIMED_OUT), Optional.empty());
    }

    /** An unmeasurable answer without its only component. */
    static Answer unmeasurable(String queryId) {
        return answer(queryId, invoked(Outcome.TIMED_OUT), Optional.of(Unmeasurable.CUT));
    }

    static Answer withoutComponents(String queryId) {
        return answer(queryId, List.of(), Optional.empty());
    }

    private static List<Invocation> invoked(Outcome outcome) {
        return List.of(new Invocation("a", outcome, 5_000));
    }

    private static Answer answer(String queryId, List<Invocation> invocations, Optional<Unmeasurable> unmeasurable) {
        return AnswerBuilder.builder()
                .service("search")
                .queryId(queryId)
                .queryClass(HIGH)
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(NOW - 20)
                .answeredAtMillis(NOW)
                .deadlineMillis(30)
                .topK(10)
                .invocations(invocations)
                .items(Items.NONE)
                .unmeasurable(unmeasurable)
                .build();
    }
}
