package io.kipimo.endtoend.upgrade;

import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.policy.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job that is stopped in the middle of something. What it says after it was restored must be
 * impossible for one that knows nothing.
 */
interface UpgradeScenario {
    Duration PATIENCE = Duration.ofMinutes(2);

    List<UpgradeScenario> ALL =
            List.of(
                    new QualityScenario(),
                    new AdmissionScenario(),
                    new TailsScenario(),
                    new ReplicationScenario(),
                    new RatingScenario(),
                    new TtlScenario(),
                    new InvalidationScenario());

    KipimoJob job();

    /** Beside where the log is. */
    Map<String, String> options();

    /** Known when the job is submitted, so that it refuses nothing that comes before the policy. */
    Optional<Policy> policy();

    /** Brings it into the middle; returns when it is there. */
    void begin(JobRun run) throws Exception;

    /** What follows from state and new events together. */
    void goOn(JobRun run) throws Exception;
}
