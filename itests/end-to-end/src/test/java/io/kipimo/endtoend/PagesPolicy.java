package io.kipimo.endtoend;

import io.kipimo.cli.Main;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
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
     * A policy that is not in shadow mode and acts at once.
     *
     * @param batchMillis least length of a batch, at least that of a window
     */
    public static Policy of(long batchMillis, Duration lease) {
        TrialPolicy d = TrialPolicy.DEFAULT;
        return Policy.builder()
                .service("pages")
                .version(1)
                .metrics(List.of("tpr@20"))
                .expirationWindowMillis(2_000)
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("all")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .replication(Optional.of(ReplicationPolicy.builder()
                        .shadow(false)
                        .tiers(List.of(new ReplicatedTier("web", 0, 0, 3), new ReplicatedTier("store", 0, 0, 3)))
                        .target(TargetLatency.P95)
                        .extraLoadShare(0.5)
                        .trials(d.toBuilder()
                                .settlingMillis(0)
                                .minimumMillis(8_000)
                                .maximumMillis(60_000)
                                .batchMillis(batchMillis)
                                .batchRequests(50)
                                .build())
                        .smoothingMillis(60_000)
                        .periodMillis(1_000)
                        .leaseMillis(lease.toMillis())
                        .build()))
                .build();
    }

    /** Runs a command with the log's broker; returns its exit code. */
    static int command(KafkaSettings kafka, String... arguments) {
        CommandLine command = Main.commandLine();
        StringWriter out = new StringWriter();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(out));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--bootstrap-servers=" + kafka.bootstrapServers(), "--prefix=" + kafka.topicPrefix(), "--json"));
        return command.execute(all.toArray(String[]::new));
    }
}
