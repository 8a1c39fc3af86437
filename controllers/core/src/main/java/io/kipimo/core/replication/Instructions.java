package io.kipimo.core.replication;

import java.util.Optional;

/**
 * What persons and other controllers say.
 *
 * @param killSwitch no replication, at once
 * @param override factors that a person wants; not bound by the feasible set, but by the servers
 * @param shadow decide, but change nothing
 * @param mayMove whether a trial may start or run: it is this mover's turn
 * @param configVersion version of the policy that is followed
 */
public record Instructions(
        boolean killSwitch,
        Optional<Factors> override,
        boolean shadow,
        boolean mayMove,
        long configVersion) {
    /** Nobody says anything. */
    public static final Instructions NONE =
            new Instructions(false, Optional.empty(), false, true, 0);
}
