package io.kipimo.endtoend;

import io.kipimo.cli.Main;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.TargetLatency;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** Service pages: two tiers, web and store, whose factors are searched in short trials. */
public final class PagesPolicy {
    private PagesPolicy() {}

    /**
     * Decides on its own, at once.
     *
     * @param batchMillis least length of a batch, at least that of a window
     */
    public static Policy of(long batchMillis, Duration lease) {
        TrialPolicy d = TrialPolicy.DEFAULT;
        return new Policy(
                "pages",
                1,
                List.of("tpr@20"),
                MergePolicy.TOP_K,
                20,
                2_000,
                1_000,
                1_000,
                List.of(new ClassPolicy("all", 0, 0.9, 1, 1, 1, Optional.empty())),
                AdmissionPolicy.DEFAULT,
                SamplingPolicy.DEFAULT,
                false,
                Optional.of(
                        new ReplicationPolicy(
                                false,
                                List.of(
                                        new ReplicatedTier("web", 0, 0, 3),
                                        new ReplicatedTier("store", 0, 0, 3)),
                                TargetLatency.P95,
                                0,
                                0.5,
                                0.8,
                                0.9,
                                0.5,
                                true,
                                new TrialPolicy(
                                        0,
                                        8_000,
                                        20_000,
                                        batchMillis,
                                        50,
                                        d.minimumRequests(),
                                        d.minimumBatches(),
                                        d.confidence(),
                                        d.lastConfidence(),
                                        d.baselineError(),
                                        d.minimumGain()),
                                0.25,
                                0.5,
                                60_000,
                                1_000,
                                30_000,
                                lease.toMillis(),
                                Optional.empty())));
    }

    /** Runs a command against the log; its exit code. */
    static int command(KafkaSettings kafka, String... arguments) {
        CommandLine command = Main.commandLine();
        StringWriter out = new StringWriter();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(out));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(
                List.of(
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--prefix=" + kafka.topicPrefix(),
                        "--json"));
        return command.execute(all.toArray(String[]::new));
    }
}
