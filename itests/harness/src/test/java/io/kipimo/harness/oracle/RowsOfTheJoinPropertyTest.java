package io.kipimo.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * The product's join on the oracle's traffic, without an engine. A restart may change the order in which partitions are
 * read; no row may change with it. {@code -Dfaults.queries} sets the number of queries.
 */
class RowsOfTheJoinPropertyTest {
    private static final long START_MILLIS = 1_790_000_000_000L;
    private static final int QUERIES = Integer.getInteger("faults.queries", 1_500);

    @Property(tries = 1, seed = "4")
    void everyQueryHasTheSameRightRowInWhateverOrderThePartitionsAreRead(@ForAll long seed, @ForAll long order) {
        TrafficSettings settings = new TrafficSettings(seed, QUERIES, 3, START_MILLIS);
        QualityTraffic traffic = QualityTraffic.generate(settings);
        RowAudit audit = new RowAudit();
        SplittableRandom random = new SplittableRandom(order);
        List<String> wrong = new ArrayList<>();
        for (int reading = 0; reading < 2; reading++) {
            Join join = new Join(traffic.policies());
            new LogReading(settings, traffic, join).readAll(random);
            for (Measurement row : join.rows) {
                audit.add(row, Optional.ofNullable(traffic.rows().get(QueryIdentity.of(row))))
                        .forEach(w -> wrong.add(w + " in " + row));
            }
            assertThat(join.rows).hasSameSizeAs(traffic.rows().keySet());
            assertThat(join.fates)
                    .isEqualTo(Map.of(
                            JoinResult.JOINED,
                            traffic.counts().joined(),
                            JoinResult.LATE,
                            traffic.counts().late(),
                            JoinResult.DUPLICATE,
                            traffic.counts().duplicate()));
        }

        System.out.print(audit.findings().report());
        assertThat(wrong).isEmpty();
        assertThat(audit.findings().isRight()).isTrue();
        assertThat(audit.findings().repeated()).isEqualTo(traffic.rows().size());
    }

    /** The logic of the quality job's operators, on one subtask. */
    private static final class Join implements LogReading.Reader, JoinOutput {
        private final Map<String, QualitySettings> settings = new HashMap<>();
        private final Map<String, ContributionBounds> bounds = new HashMap<>();
        private final Map<JoinResult, Long> fates = new EnumMap<>(JoinResult.class);
        private final List<Measurement> rows = new ArrayList<>();
        private final JoinEngine engine = new JoinEngine(new QueryStore(), settings::get, false, this);

        Join(List<Policy> policies) {
            for (Policy policy : policies) {
                settings.put(policy.service(), QualitySettings.of(policy));
                bounds.put(policy.service(), new ContributionBounds());
            }
        }

        @Override
        public void accept(QueryEvent sent) {
            assertThat(engine.accept(sent)).isTrue();
        }

        @Override
        public void advance(long millis) {
            engine.advance(millis);
        }

        @Override
        public void onFate(SampledEvent event, JoinResult fate) {
            fates.merge(fate, 1L, Long::sum);
        }

        @Override
        public void onMeasurement(Measurement measurement, long measuredBeforeMillis) {
            rows.add(bounds.get(measurement.service()).complete(measurement, measuredBeforeMillis));
        }
    }
}
