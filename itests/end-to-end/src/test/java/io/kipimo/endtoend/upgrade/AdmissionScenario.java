package io.kipimo.endtoend.upgrade;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.endtoend.ShopPolicy;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The gate is closing because of bad answers. Long after the last of them, the restored loop still has their quality.
 * It also knows that its last decision has expired.
 */
final class AdmissionScenario implements UpgradeScenario {
    private static final String SCOPE = "shop/low";

    @Override
    public KipimoJob job() {
        return KipimoJob.ADMISSION;
    }

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public Optional<Policy> policy() {
        return Optional.of(ShopPolicy.of());
    }

    @Override
    public void begin(JobRun run) throws Exception {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
            tellBatch(run);
            return low(run.said(Topic.ADMISSION, Codecs.DECISION)).stream()
                    .anyMatch(d -> d.mode() == DecisionMode.ACTIVE);
        });
    }

    @Override
    public void goOn(JobRun run) throws Exception {
        Decision last =
                run.last(Topic.ADMISSION, Codecs.DECISION, d -> d.scope().equals(SCOPE));
        await("it decides again").atMost(PATIENCE).until(() -> !low(run.said(Topic.ADMISSION, Codecs.DECISION))
                .isEmpty());
        Decision first = low(run.said(Topic.ADMISSION, Codecs.DECISION)).get(0);
        assertThat(first.epoch()).isGreaterThan(last.epoch());
        assertThat(first.measured()).isEqualTo(last.measured());
        assertThat(first.reason()).isIn("SAFE_FALLBACK", "HELD_STALE", "RENEWED");

        await("new measurements change the fraction")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> {
                    tellBatch(run);
                    return low(run.said(Topic.ADMISSION, Codecs.DECISION)).stream()
                            .anyMatch(d -> d.reason().equals("SHUT"));
                });
        assertThat(run.said(Topic.SAMPLING, Codecs.DECISION)).isNotEmpty().allMatch(d -> d.epoch() > last.epoch());
    }

    private static List<Decision> low(List<Decision> decisions) {
        return decisions.stream().filter(d -> d.scope().equals(SCOPE)).toList();
    }

    private static void tellBatch(JobRun run) throws Exception {
        run.send(
                Topic.QUALITY_WINDOWS,
                "shop/high",
                Codecs.QUALITY_WINDOW,
                ShopPolicy.badBatch(System.currentTimeMillis()));
    }
}
