package io.kipimo.console.server;

import java.util.Optional;

/** What a person with the token may change; called by worker threads, may block. */
public interface Writes {
    /**
     * A person's word on the admitted fraction of a class.
     *
     * @param fraction 0..1
     * @param forMillis how long, above 0
     */
    record OverrideRequest(double fraction, long forMillis, String by, String reason) {}

    /**
     * Sets or, with nothing, clears the override of a class.
     *
     * @return version of the policy that is in force now
     * @throws RequestRefusedException if it cannot be done
     */
    long override(String service, String queryClass, Optional<OverrideRequest> override);

    /**
     * Turns the kill switch of a service on or off.
     *
     * @return version of the policy that is in force now
     * @throws RequestRefusedException if it cannot be done
     */
    long killSwitch(String service, boolean on, String by, String reason);
}
