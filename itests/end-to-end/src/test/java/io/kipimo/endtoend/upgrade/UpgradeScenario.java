package io.kipimo.endtoend.upgrade;

import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job that is stopped in the middle of its work. Its output after the restore must be impossible without the restored
 * state.
 */
interface UpgradeScenario {

    List<UpgradeScenario> ALL = List.of(
            new QualityScenario(),
            new AdmissionScenario(),
            new TailsScenario(),
            new ReplicationScenario(),
            new RatingScenario(),
            new TtlScenario(),
            new InvalidationScenario());

    KipimoJob job();

    /** Options in addition to those of the log. */
    Map<String, String> options();

    /** The policy is known when the job is submitted, so that no input is rejected before it. */
    Optional<Policy> policy();

    /** Brings the job into the middle of its work. Returns when it is there. */
    void begin(JobRun run) throws Exception;

    /** Checks output that depends on both state and new events. */
    void goOn(JobRun run) throws Exception;
}
