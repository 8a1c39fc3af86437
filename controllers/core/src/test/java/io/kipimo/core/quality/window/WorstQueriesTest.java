package io.kipimo.core.quality.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorstQueriesTest {
    private static final long HOUR = 3_600_000;
    private static final long START = 1_000 * HOUR;

    private static WorstQuery query(long atMillis, double quality) {
        return WorstQuery.of(
                        SampleMeasurements.degraded(atMillis, SampleMeasurements.late("a", 1 - quality)),
                        Optional.empty())
                .orElseThrow();
    }

    @Test
    void keepsTheWorstOfManyInOrder() {
        WorstQueries worst = new WorstQueries(20, HOUR);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            double quality = random.nextDouble();
            all.add(quality);
            worst.add(query(START + i, quality));
        }

        assertThat(worst.since(0))
                .extracting(WorstQuery::high)
                .isEqualTo(all.stream().sorted().limit(20).toList());
    }

    @Test
    void oldQueriesMakeRoomAndLateOnesAreNotKept() {
        WorstQueries worst = new WorstQueries(3, HOUR);
        worst.add(query(START, 0.125));
        worst.add(query(START + HOUR / 2, 0.25));
        assertThat(worst.since(0)).extracting(WorstQuery::low).containsExactly(0.125, 0.25);
        assertThat(worst.since(START + 1)).extracting(WorstQuery::low).containsExactly(0.25);

        worst.add(query(START + HOUR, 0.875));
        assertThat(worst.since(0)).extracting(WorstQuery::low).containsExactly(0.25, 0.875);
        worst.add(query(START, 0.125));
        assertThat(worst.since(0)).hasSize(2);
    }

    @Test
    void aRepeatedRowIsOneQuery() {
        WorstQueries worst = new WorstQueries(3, HOUR);
        worst.add(query(START, 0.5));
        worst.add(query(START, 0.5));

        assertThat(worst.since(0)).hasSize(1);
    }

    @Test
    void certainLossIsWorseThanPossibleLoss() {
        WorstQueries worst = new WorstQueries(3, HOUR);
        worst.add(of(SampleMeasurements.expired(START, 0, 0.9)));
        worst.add(query(START + 1, 0.5));
        worst.add(of(SampleMeasurements.expired(START + 2, 0.4, 0.5)));

        assertThat(worst.since(0)).extracting(WorstQuery::low).containsExactly(0.4, 0.5, 0.0);
    }

    private static WorstQuery of(Measurement measurement) {
        return WorstQuery.of(measurement, Optional.empty()).orElseThrow();
    }

    @Test
    void whatLostNothingOrHasNoQualityIsNone() {
        assertThat(WorstQuery.of(SampleMeasurements.clean(START), Optional.empty()))
                .isEmpty();
        assertThat(WorstQuery.of(SampleMeasurements.unmeasurable(START, Unmeasurable.CUT), Optional.empty()))
                .isEmpty();
        assertThat(WorstQuery.of(
                        SampleMeasurements.degraded(START, SampleMeasurements.late("a", 0.5)), Optional.of("ndcg@4")))
                .isEmpty();
    }

    @Test
    void theComponentsThatLostMostComeFirstAndManyAreCounted() {
        List<ComponentShare> shares = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            shares.add(new ComponentShare("fast-" + i, Outcome.IN_TIME, i, false, 0, 0));
        }
        shares.add(new ComponentShare("slow", Outcome.TIMED_OUT, 5, false, 0.5, 0));
        shares.add(new ComponentShare("failed", Outcome.FAILED, 1, false, 0, 0));
        WorstQuery query = of(SampleMeasurements.degraded(START, shares.toArray(ComponentShare[]::new)));

        assertThat(query.components())
                .hasSize(12)
                .extracting(ComponentShare::component)
                .startsWith("slow", "failed", "fast-19");
        assertThat(query.otherComponents()).isEqualTo(10);
    }

    @Test
    void aTraceLinkHoldsTheQueryAsOnePartOfTheAddress() {
        WorstQuery query = of(SampleMeasurements.degraded(START, SampleMeasurements.late("a", 0.5)).toBuilder()
                .queryId("a b/../ü?")
                .build());

        assertThat(new TraceLink("https://t.example/x/{query}?from={from}&to={to}").of(query))
                .isEqualTo("https://t.example/x/a%20b%2F..%2F%C3%BC%3F?from="
                        + (START - 300_000)
                        + "&to="
                        + (START + 300_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "javascript:alert({query})",
                "https://t.example/",
                "/trace/{query}",
                "https://{query}",
                "https://t.example/ {query}",
                "https://t.example/{query}{other}"
            })
    void otherTraceLinksAreRefused(String template) {
        assertThatThrownBy(() -> new TraceLink(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowed: an http or https address with {query}");
    }
}
