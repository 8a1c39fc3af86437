package io.kipimo.labs.social;

import io.kipimo.labs.social.graph.ActionMix;
import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Settings of the social workload (table 2).
 *
 * @param graph initial graph
 * @param mix of actions
 * @param theta exponent of the Zipfian distribution of members, 0..1; BG's is 0.27
 * @param topResources number of resources viewed on a wall, 1 or more
 * @param actionsPerSession actions of a user as one member before the next member, 1 or more
 * @param thinkMicros pause between two actions of a session (epsilon), microseconds
 * @param arrivalMicros pause between two sessions of a user (psi), microseconds
 * @param validate whether reads are validated
 * @param connections to the store, and so the most concurrent actions; the wait for one counts as the generator's own
 *     lag
 */
@WithBuilder
public record SocialSettings(
        SocialGraph graph,
        ActionMix mix,
        double theta,
        int topResources,
        int actionsPerSession,
        long thinkMicros,
        long arrivalMicros,
        boolean validate,
        int connections) {
    public static final double BG_THETA = 0.27;

    private static final int TOP_RESOURCES = 5;
    private static final int CONNECTIONS = 256;
    private static final int MOST_CONNECTIONS = 1_000;

    public SocialSettings {
        within("topResources", topResources, 1, Integer.MAX_VALUE);
        within("actionsPerSession", actionsPerSession, 1, Integer.MAX_VALUE);
        within("thinkMicros", thinkMicros, 0, Long.MAX_VALUE);
        within("arrivalMicros", arrivalMicros, 0, Long.MAX_VALUE);
        within("connections", connections, 1, MOST_CONNECTIONS);
        if (!(theta >= 0 && theta <= 1)) {
            throw new IllegalArgumentException("zipf is " + theta + "; allowed: 0..1");
        }
    }

    /** Settings with sessions of one action, without think time, and with validation of reads. */
    public static SocialSettings of(SocialGraph graph, ActionMix mix) {
        return SocialSettingsBuilder.builder()
                .graph(graph)
                .mix(mix)
                .theta(BG_THETA)
                .topResources(TOP_RESOURCES)
                .actionsPerSession(1)
                .validate(true)
                .connections(CONNECTIONS)
                .build();
    }

    public SocialSettings withoutValidation() {
        return SocialSettingsBuilder.builder(this).validate(false).build();
    }

    private static void within(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
