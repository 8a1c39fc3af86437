package io.kipimo.labs.commands;

import io.kipimo.cli.rating.StoreWorkload;
import io.kipimo.labs.social.SocialSettings;
import io.kipimo.labs.social.SocialSettingsBuilder;
import io.kipimo.labs.social.SocialTarget;
import io.kipimo.labs.social.graph.ActionMix;
import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.state.StateMode;
import io.kipimo.labs.social.state.Strategies;
import io.kipimo.labs.social.store.RedisSocialStore;
import io.kipimo.loadgen.redis.RedisAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** Creates the social workload on Redis by the options of the command. */
public final class SocialOptions implements StoreWorkload {
    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = "low",
            description = "Mix of the social actions: very-low, low, high (0.1, 1, 10 %% writes, all eleven "
                    + "actions), bg-..., bg-symmetric-..., or ACTION=SHARE,...; default: ${DEFAULT-VALUE}.")
    private String mix;

    @Option(
            names = "--members",
            paramLabel = "M",
            defaultValue = "10000",
            description = "Members of the graph that is loaded; default: ${DEFAULT-VALUE}.")
    private int members;

    @Option(
            names = "--friends",
            paramLabel = "N",
            defaultValue = "100",
            description = "Friends of each member, even; default: ${DEFAULT-VALUE}.")
    private int friends;

    @Option(
            names = "--resources",
            paramLabel = "N",
            defaultValue = "10",
            description = "Resources of each member; default: ${DEFAULT-VALUE}.")
    private int resources;

    @Option(
            names = "--communities",
            paramLabel = "N",
            defaultValue = "8",
            description = "Parts of the graph without friendships between them; at most as many "
                    + "generators may share a load; default: ${DEFAULT-VALUE}.")
    private int communities;

    @Option(
            names = "--zipf",
            paramLabel = "THETA",
            defaultValue = "0.27",
            description = "Exponent of the Zipfian distribution of members, 0..1, as BG counts it;"
                    + " default: ${DEFAULT-VALUE}.")
    private double theta;

    @Option(
            names = "--session",
            paramLabel = "N",
            defaultValue = "1",
            description = "Actions of a user as one member; default: ${DEFAULT-VALUE}.")
    private int sessionActions;

    @Option(
            names = "--session-think",
            paramLabel = "MS",
            defaultValue = "0",
            description = "Think time between actions of a session; default: ${DEFAULT-VALUE}.")
    private long sessionThinkMillis;

    @Option(
            names = "--session-pause",
            paramLabel = "MS",
            defaultValue = "0",
            description = "Think time between sessions of a user; default: ${DEFAULT-VALUE}.")
    private long sessionPauseMillis;

    @Option(names = "--no-validation", description = "Do not check for stale, inconsistent and wrong reads.")
    private boolean unvalidated;

    @Option(
            names = "--state",
            paramLabel = "WAY",
            defaultValue = "load-free",
            description = "How the store is restored between experiments: reload, repair, image, load-free, "
                    + "load-free+repair, load-free+image; default: ${DEFAULT-VALUE}.")
    private String state;

    @Option(
            names = "--start-store",
            paramLabel = "COMMAND",
            description = "Command that starts the store after image has shut it down and restored its file; words "
                    + "separated by blanks. Without it an image is restored by commands (DUMP, RESTORE).")
    private String startStore;

    @Override
    public boolean takes(String scheme) {
        return scheme.equals("redis") || scheme.equals("rediss");
    }

    @Override
    public SocialTarget target(String url, int connections) {
        SocialGraph graph = SocialGraph.of(members, friends, resources).withCommunities(communities);
        SocialSettings settings = SocialSettingsBuilder.builder(SocialSettings.of(graph, ActionMix.parse(mix)))
                .theta(theta)
                .connections(connections)
                .actionsPerSession(sessionActions)
                .thinkMicros(TimeUnit.MILLISECONDS.toMicros(sessionThinkMillis))
                .arrivalMicros(TimeUnit.MILLISECONDS.toMicros(sessionPauseMillis))
                .build();
        StateMode mode = StateMode.parse(state);
        RedisSocialStore store = RedisSocialStore.at(RedisAddress.of(url), connections);
        return new SocialTarget(
                unvalidated ? settings.withoutValidation() : settings,
                store,
                mode,
                Strategies.of(
                        mode.restore(),
                        store,
                        graph,
                        startStore == null
                                ? List.of()
                                : List.of(startStore.strip().split("\\s+"))));
    }
}
