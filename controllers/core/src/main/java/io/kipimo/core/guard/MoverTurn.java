package io.kipimo.core.guard;

/**
 * The actuation lock of a service: only one controller moves the service at a time, since otherwise each would mistake
 * the other's effect for its own. A lock that is not released expires. Savepoints hold it under this class's name.
 *
 * @param holder the controller that may move the service until {@code untilMillis}
 * @param untilMillis end of the lock, epoch milliseconds
 */
public record MoverTurn(Mover holder, long untilMillis) {
    /** No controller holds the lock. */
    public static final MoverTurn FREE = new MoverTurn(Mover.ADMISSION, 0);

    /** Controllers that move a service. */
    public enum Mover {
        /** The controller of the classes' admitted fractions. */
        ADMISSION,
        /** A trial of replication factors. */
        REPLICATION,
        /** A rating experiment. */
        RATING
    }

    /** Takes or extends the lock; no change while another controller holds it. */
    public MoverTurn taken(Mover mover, long nowMillis, long forMillis) {
        return isFreeFor(mover, nowMillis) ? new MoverTurn(mover, nowMillis + forMillis) : this;
    }

    /** Releases the lock; no change if another controller holds it. */
    public MoverTurn released(Mover mover) {
        return holder == mover ? FREE : this;
    }

    /** Whether this controller may move the service now. */
    public boolean isFreeFor(Mover mover, long nowMillis) {
        return holder == mover || untilMillis <= nowMillis;
    }
}
