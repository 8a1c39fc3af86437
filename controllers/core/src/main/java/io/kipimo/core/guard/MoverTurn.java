package io.kipimo.core.guard;

/**
 * Whose turn it is to move a scope: one mover at a time, or each would take the other's effect for
 * its own. A turn that is not given back ends by itself.
 *
 * @param holder the one who may move, while the turn lasts
 * @param untilMillis end of the turn, epoch milliseconds
 */
public record MoverTurn(Mover holder, long untilMillis) {
    /** Nobody's. */
    public static final MoverTurn FREE = new MoverTurn(Mover.ADMISSION, 0);

    /** Who moves things. */
    public enum Mover {
        /** Fractions of classes. */
        ADMISSION,
        /** A trial of replication factors. */
        REPLICATION,
        /** A rating experiment. */
        RATING
    }

    /** Takes or extends the turn; no change while another holds it. */
    public MoverTurn taken(Mover mover, long nowMillis, long forMillis) {
        return isFreeFor(mover, nowMillis) ? new MoverTurn(mover, nowMillis + forMillis) : this;
    }

    /** Gives the turn back; no change if another holds it. */
    public MoverTurn released(Mover mover) {
        return holder == mover ? FREE : this;
    }

    /** Whether this one may move now. */
    public boolean isFreeFor(Mover mover, long nowMillis) {
        return holder == mover || untilMillis <= nowMillis;
    }
}
