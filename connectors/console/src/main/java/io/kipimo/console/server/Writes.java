package io.kipimo.console.server;

import java.util.Optional;

/** Makes changes for a person who may make them. Worker threads call it, so its methods may block. */
public interface Writes {
    /**
     * An override of the admitted fraction of a class.
     *
     * @param fraction 0..1
     * @param forMillis duration, above 0
     */
    record OverrideRequest(double fraction, long forMillis, String by, String reason) {}

    /**
     * Sets the override of a class; an empty one removes it.
     *
     * @return version of the policy that applies now
     * @throws RequestRefusedException if the change fails
     */
    long override(String service, String queryClass, Optional<OverrideRequest> override);

    /**
     * Turns the kill switch of a service on or off.
     *
     * @return version of the policy that applies now
     * @throws RequestRefusedException if the change fails
     */
    long killSwitch(String service, boolean on, String by, String reason);
}
