package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.HIGH;
import static io.kipimo.sdk.SampleService.LOW;
import static io.kipimo.sdk.SampleService.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ServiceMeterTest {
    private final List<Observation> published = new ArrayList<>();
    private EmitterStats emitted = new EmitterStats(0, 0, 0, 0, 0);
    private final ServiceMeter meter = new ServiceMeter(
            SampleService.config(),
            queryClass -> queryClass.equals(LOW) ? 0.25 : 1,
            () -> emitted,
            published::add,
            NOW);

    private static List<Invocation> invocations(Outcome first, Outcome second) {
        return List.of(new Invocation("a", first, 1_000), new Invocation("b", second, 2_000));
    }

    private List<Observation> of(String queryClass) {
        return published.stream().filter(o -> o.queryClass().equals(queryClass)).toList();
    }

    @Test
    void aClosedSecondHasAllCounts() {
        meter.offered(LOW);
        meter.offered(LOW);
        meter.offered(LOW);
        meter.rejected(LOW);
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.TIMED_OUT));
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.IN_TIME));
        meter.lateResult(LOW, 700);
        meter.publishClosedSeconds(NOW + 1_000);
        assertThat(of(LOW))
                .containsExactly(ObservationBuilder.builder()
                        .service("search")
                        .tier("front")
                        .server("s1")
                        .queryClass(LOW)
                        .secondMillis(NOW)
                        .offered(3)
                        .rejected(1)
                        .answered(2)
                        .timedOut(1)
                        .components(List.of(new ComponentCount("a", 2, 0), new ComponentCount("b", 2, 1)))
                        .bill(new MeasurementBill(1, 700, 0, 0, 6_000))
                        .admittedFraction(0.25)
                        .missing(List.of(new MissingCount("b", 1)))
                        .safeFraction(Optional.of(0.5))
                        .build());
    }

    @Test
    void answersWithoutAnItemArePartOfThoseWhoseListIsKnown() {
        meter.listed(LOW, 10);
        meter.listed(LOW, 0);
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.IN_TIME));
        meter.publishClosedSeconds(NOW + 1_000);
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.IN_TIME));
        meter.publishClosedSeconds(NOW + 2_000);

        assertThat(of(LOW))
                .as("a list whose answer counts later counts with it")
                .extracting(Observation::answered, Observation::listed, Observation::empty)
                .containsExactly(tuple(1L, 1L, 1L), tuple(1L, 1L, 0L));
    }

    @Test
    void eachVariantIsCountedByItself() {
        ServiceMeter canary = meter.ofVariant("canary");
        assertThat(meter.ofVariant("canary")).isSameAs(canary);
        assertThat(canary.ofVariant("")).isSameAs(meter);
        meter.offered(LOW);
        canary.offered(LOW);
        canary.answered(LOW, invocations(Outcome.IN_TIME, Outcome.TIMED_OUT));
        emitted = new EmitterStats(0, 0, 50, 0, 0);
        meter.publishClosedSeconds(NOW + 1_000);
        assertThat(published)
                .extracting(Observation::queryClass, Observation::variant, Observation::offered)
                .containsExactlyInAnyOrder(
                        tuple(HIGH, "", 0L), tuple(LOW, "", 1L), tuple(HIGH, "canary", 0L), tuple(LOW, "canary", 1L));
        assertThat(published.stream().mapToLong(o -> o.bill().emittedBytes()).sum())
                .as("charged once")
                .isEqualTo(50);
    }

    /** The answers of the first second's queries come in the second one, and name the variant. */
    @Test
    void whatAnotherVariantAnswersWasOfferedToIt() {
        ServiceMeter canary = meter.ofVariant("canary");
        for (double cost : new double[] {1, 1, 8}) {
            meter.offered(LOW, cost);
        }
        meter.publishClosedSeconds(NOW + 1_000);
        meter.offered(LOW, 1);
        meter.offeredTo(canary, LOW, 1);
        meter.offeredTo(canary, LOW, 8);
        meter.offeredTo(meter, LOW, 1);
        meter.publishClosedSeconds(NOW + 2_000);
        meter.offered(LOW, 8);
        meter.offered(LOW, 8);
        meter.publishClosedSeconds(NOW + 3_000);

        assertThat(of(LOW).stream().filter(o -> o.variant().isEmpty()))
                .extracting(Observation::offered, Observation::costs)
                .containsExactly(
                        tuple(3L, List.of(new CostCount(0, 2, 0, 0), new CostCount(12, 1, 0, 0))),
                        tuple(0L, List.of()),
                        tuple(1L, List.of(new CostCount(12, 1, 0, 0))));
        assertThat(of(LOW).stream().filter(o -> !o.variant().isEmpty() && o.offered() > 0))
                .singleElement()
                .satisfies(o -> {
                    assertThat(o.secondMillis()).isEqualTo(NOW + 1_000);
                    assertThat(o.offered()).isEqualTo(2);
                    assertThat(o.costs()).containsExactly(new CostCount(0, 1, 0, 0), new CostCount(12, 1, 0, 0));
                });
    }

    @Test
    void fewVariantsAreCountedByName() {
        for (int i = 1; i < Variants.MOST; i++) {
            assertThat(meter.ofVariant("arm" + i).variant()).isEqualTo("arm" + i);
        }
        ServiceMeter other = meter.ofVariant("one more");
        assertThat(other.variant()).isEqualTo("other");
        assertThat(meter.ofVariant("yet another")).isSameAs(other);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> meter.ofVariant("a/b"))
                .withMessage("variant is 'a/b'; allowed: 1..256 characters, no '/', no control characters");
    }

    @Test
    void whatWasNotAskedIsCountedApartFromWhatWasLate() {
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.NOT_ASKED), Optional.empty(), 0, Optional.of(0.25));
        meter.answered(
                LOW,
                List.of(
                        new Invocation("a", Outcome.TIMED_OUT, 1_000),
                        new Invocation("b", Outcome.NOT_ASKED, 0),
                        new Invocation("c", Outcome.IN_TIME, 1_000)),
                Optional.empty(),
                0,
                Optional.of(0.125));
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.NOT_ASKED));
        meter.answered(LOW, invocations(Outcome.NOT_ASKED, Outcome.NOT_ASKED));
        meter.publishClosedSeconds(NOW + 1_000);

        Observation second = of(LOW).get(0);
        assertThat(second.answered()).isEqualTo(4);
        assertThat(second.timedOut()).isEqualTo(1);
        assertThat(second.missing()).containsExactly(new MissingCount("a", 1));
        assertThat(second.notAsked()).isEqualTo(3);
        assertThat(second.notAskedLossSum()).as("unstated counts as 1").isEqualTo(1.375);
        assertThat(second.notAskedComponents()).containsExactly(new MissingCount("b", 3));
        assertThat(second.unmeasurable()).isEqualTo(Map.of(Unmeasurable.NO_COMPONENTS, 1L));
        assertThat(second.components()).contains(new ComponentCount("a", 3, 1), new ComponentCount("b", 0, 0));
    }

    @Test
    void unmeasurableAnswersAreCountedByReasonOnly() throws Exception {
        meter.answered(LOW, List.of());
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.TIMED_OUT), Optional.of(Unmeasurable.UNREADABLE));
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.IN_TIME), Optional.of(Unmeasurable.UNREADABLE));
        meter.answered(LOW, invocations(Outcome.IN_TIME, Outcome.TIMED_OUT), Optional.empty());
        meter.publishClosedSeconds(NOW + 1_000);
        meter.publishClosedSeconds(NOW + 2_000);

        Observation first = of(LOW).get(0);
        assertThat(first.answered()).isEqualTo(4);
        assertThat(first.timedOut()).isEqualTo(1);
        assertThat(first.unmeasurable()).isEqualTo(Map.of(Unmeasurable.NO_COMPONENTS, 1L, Unmeasurable.UNREADABLE, 2L));
        assertThat(first.measurable()).isEqualTo(1);
        assertThat(first.components())
                .as("components are still counted")
                .containsExactly(new ComponentCount("a", 3, 0), new ComponentCount("b", 3, 2));
        assertThat(first.missing())
                .as("of the answers that count as timed out")
                .containsExactly(new MissingCount("b", 1));
        assertThat(of(LOW).get(1).unmeasurable()).isEmpty();
        assertThat(of(HIGH)).allSatisfy(o -> assertThat(o.unmeasurable()).isEmpty());
        for (Observation observation : published) {
            assertThat(Codecs.OBSERVATION.decode(Codecs.OBSERVATION.encode(observation)))
                    .isEqualTo(observation);
        }
    }

    @Test
    void queriesWithACostAreCountedByItsBin_othersAreNot() throws Exception {
        for (double cost : new double[] {1, 1.1, 8, 0, -1, Double.NaN, 1.0 / 0}) {
            meter.offered(LOW, cost);
        }
        meter.offered(LOW);
        List<Invocation> both = invocations(Outcome.IN_TIME, Outcome.TIMED_OUT);
        meter.answered(LOW, both, Optional.empty(), 1.1);
        meter.answered(LOW, both, Optional.empty(), 0);
        meter.publishClosedSeconds(NOW + 1_000);

        Observation second = of(LOW).get(0);
        assertThat(second.offered()).isEqualTo(8);
        assertThat(second.answered()).isEqualTo(2);
        assertThat(second.costs()).containsExactly(new CostCount(0, 2, 1, 3_000), new CostCount(12, 1, 0, 0));
        assertThat(Codecs.OBSERVATION.decode(Codecs.OBSERVATION.encode(second))).isEqualTo(second);
    }

    @Test
    void anOpenSecondIsNotPublished() {
        meter.offered(HIGH);
        meter.publishClosedSeconds(NOW + 999);
        assertThat(published).isEmpty();
    }

    @Test
    void secondsWithoutQueriesArePublished() {
        meter.publishClosedSeconds(NOW + 2_000);
        assertThat(published).hasSize(4);
        assertThat(of(HIGH)).extracting(Observation::secondMillis).containsExactly(NOW, NOW + 1_000);
        assertThat(of(HIGH)).allSatisfy(o -> assertThat(o.offered()).isZero());
    }

    @Test
    void eachSecondIsPublishedOnceEvenIfTheClockIsSetBack() {
        meter.publishClosedSeconds(NOW + 1_000);
        meter.publishClosedSeconds(NOW + 1_000);
        meter.publishClosedSeconds(NOW - 5_000);
        assertThat(of(HIGH)).hasSize(1);
    }

    @Test
    void aLongPauseIsNotPublishedSecondBySecond() {
        meter.offered(HIGH);
        meter.publishClosedSeconds(NOW + 3_600_000);
        assertThat(of(HIGH)).hasSize(60);
        assertThat(of(HIGH).get(59).offered()).isEqualTo(1);
        assertThat(of(HIGH).get(59).secondMillis()).isEqualTo(NOW + 3_599_000);
    }

    @Test
    void aFailedComponentDegradesTheAnswerButMissedNoDeadline() {
        meter.answered(HIGH, invocations(Outcome.IN_TIME, Outcome.FAILED));
        meter.publishClosedSeconds(NOW + 1_000);
        assertThat(of(HIGH).get(0).timedOut()).isEqualTo(1);
        assertThat(of(HIGH).get(0).components())
                .containsExactly(new ComponentCount("a", 1, 0), new ComponentCount("b", 1, 0));
        assertThat(of(HIGH).get(0).missing()).containsExactly(new MissingCount("b", 1));
    }

    @Test
    void theCostOfMeasuringIsPublishedOnceForAllClasses() {
        emitted = new EmitterStats(10, 8, 4_000, 1, 2);
        meter.publishClosedSeconds(NOW + 1_000);
        emitted = new EmitterStats(20, 18, 9_000, 1, 3);
        meter.publishClosedSeconds(NOW + 2_000);
        assertThat(of(HIGH))
                .extracting(Observation::bill)
                .containsExactly(new MeasurementBill(0, 0, 4_000, 3, 0), new MeasurementBill(0, 0, 5_000, 1, 0));
        assertThat(of(LOW)).extracting(Observation::bill).containsOnly(MeasurementBill.NOTHING);
    }

    @Test
    void aPartNeverExceedsItsWhole() throws InvalidRecordException {
        meter.rejected(LOW);
        meter.rejected(LOW);
        meter.offered(LOW);
        meter.publishClosedSeconds(NOW + 1_000);
        meter.offered(LOW);
        meter.publishClosedSeconds(NOW + 2_000);
        assertThat(of(LOW)).extracting(Observation::rejected).containsExactly(1L, 1L);
        for (Observation observation : published) {
            Codecs.OBSERVATION.decode(Codecs.OBSERVATION.encode(observation));
        }
    }

    @Test
    void nothingIsLostBetweenThreadsAndSeconds() throws Exception {
        int threads = 4;
        int each = 50_000;
        ExecutorService service = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                done.add(service.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        meter.offered(HIGH);
                        meter.answered(HIGH, invocations(Outcome.IN_TIME, Outcome.TIMED_OUT));
                        meter.answered(HIGH, List.of());
                    }
                }));
            }
            long second = 1;
            while (!done.stream().allMatch(Future::isDone)) {
                meter.publishClosedSeconds(NOW + 1_000 * second++);
            }
            for (Future<?> future : done) {
                future.get();
            }
            meter.publishClosedSeconds(NOW + 1_000 * second++);
            meter.publishClosedSeconds(NOW + 1_000 * second);
        } finally {
            service.shutdownNow();
        }
        assertThat(of(HIGH).stream().mapToLong(Observation::offered).sum()).isEqualTo((long) threads * each);
        assertThat(of(HIGH).stream().mapToLong(Observation::timedOut).sum()).isEqualTo((long) threads * each);
        assertThat(of(HIGH).stream()
                        .mapToLong(o -> Unmeasurable.sum(o.unmeasurable()))
                        .sum())
                .isEqualTo((long) threads * each);
        assertThat(of(HIGH)).allSatisfy(o -> assertThat(o.timedOut()).isLessThanOrEqualTo(o.measurable()));
    }

    @Test
    void undeclaredClassesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> meter.offered("medium"))
                .withMessageContaining("'medium'; allowed: [high, low]");
    }
}
