package io.kipimo.gateway.proxy;

import io.kipimo.gateway.metrics.RouteCounts.Fault;

/**
 * Bytes of bodies that one exchange keeps, reserved in {@link Route#buffers}. A single body is limited by
 * {@code record.largest-body}.
 */
final class KeptBytes {
    private final Route route;
    private long taken;

    KeptBytes(Route route) {
        this.route = route;
    }

    /**
     * Reserves further bytes for a body.
     *
     * @param before bytes of the same body that are reserved already
     * @return false: the body is too large, or there is no room
     */
    boolean take(long before, long bytes) {
        if (before + bytes > route.gateway().record().bodyBytes()) {
            return false;
        }
        if (!route.buffers().take(bytes)) {
            route.counts().count(Fault.NO_ROOM);
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Releases all bytes. */
    void release() {
        route.buffers().giveBack(taken);
        taken = 0;
    }
}
