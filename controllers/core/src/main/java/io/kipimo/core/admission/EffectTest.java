package io.kipimo.core.admission;

/**
 * Whether the present shedding helps, by the share of results in time. It helps if that has risen beyond chance since
 * the last step that did: fast enough to meet the objective before all is shed, or by half of what an overloaded
 * service gains, or by much. It does not if half of the load is gone since, or all that may go, and it has not.
 *
 * <p>If it does not, the objective is out of reach. Until the finding ends, the law keeps quality near what is
 * {@code reachable} instead: what shedding cannot mend is no reason to shed.
 *
 * @param first before the first step
 * @param base at the last step that helped, or before the first one
 * @param steps down since then; 0: none
 * @param reachable quality that shedding was found not to raise, 0..1
 * @param vainUntilMillis until then that is known; 0: not known
 */
record EffectTest(Mark first, Mark base, int steps, double reachable, long vainUntilMillis) {
    /**
     * How good the answers are at a load.
     *
     * @param load queries a second
     * @param quality 0..1, with its standard deviation
     * @param opening 0..1
     * @param isLate whether {@code quality} is the share of the components' results that come in time
     */
    record Mark(double load, double quality, double deviation, double opening, boolean isLate) {
        static final Mark NONE = new Mark(0, 0, 1, 1, true);

        Mark worst(Mark other) {
            return new Mark(
                    load,
                    Math.min(quality, other.quality),
                    quality < other.quality ? deviation : other.deviation,
                    opening,
                    isLate);
        }
    }

    /**
     * A moment of the test.
     *
     * @param leastLoad if all is shed that may be, queries a second
     * @param objective of the mark's quality
     * @param isLong whether the evidence of quality covers a whole averaging window
     */
    record Present(Mark mark, double leastLoad, double objective, boolean isLong) {}

    /** What is found. */
    enum Effect {
        HELPS,
        NOT_KNOWN,
        NONE
    }

    static final EffectTest NONE = new EffectTest(Mark.NONE, Mark.NONE, 0, 1, 0);

    /** Of the load that has to be gone before shedding is found to be in vain. */
    private static final double ENOUGH_SHED = 0.5;

    /** Of the rise of quality by which an overloaded service answers its capacity, whatever it is offered. */
    private static final double ENOUGH_GAINED = 0.5;

    /** Absolute gain that helps although the objective is missed, by half of the load or by all that may go. */
    private static final double GREAT_GAIN = 0.1;

    /** Fewer steps may have been of noise. */
    private static final int LEAST_STEPS = 2;

    /** Of the reachable quality this much may be missed before anything is shed. */
    private static final double WORSE = 0.05;

    /** How long a finding holds; then the test is made again. */
    private static final long REMEMBERED_MILLIS = 1_800_000;

    /** State before the first test has no marks. */
    EffectTest {
        first = first == null ? Mark.NONE : first;
        base = base == null ? Mark.NONE : base;
    }

    private boolean isVain(long nowMillis) {
        return nowMillis < vainUntilMillis;
    }

    /** The best that can be reached, 0..1. */
    double best(long nowMillis) {
        return isVain(nowMillis) ? reachable : 1;
    }

    /** What the law steers to instead of an objective. */
    double objective(double objective, long nowMillis) {
        return isVain(nowMillis) ? Math.max(0, Math.min(objective, reachable - WORSE)) : objective;
    }

    /** What the steps so far have brought. */
    Effect effect(Present now) {
        Mark mark = now.mark();
        double chance = SettingEvidence.WIDTH * Math.hypot(base.deviation(), mark.deviation());
        double gain = mark.quality() - base.quality();
        double shed = base.load() - mark.load();
        boolean isShut = mark.opening() <= 0;
        double shedInAll = first.load() - mark.load();
        if (isShut && shed <= 0) {
            // Nothing is left to try. If the test began here, nobody knows what being shut brings.
            return shedInAll > 0 ? Effect.HELPS : now.isLong() ? Effect.NONE : Effect.NOT_KNOWN;
        }
        double needed = Math.min(
                Math.min(
                        (now.objective() - base.quality()) * shed / Math.max(shed, base.load() - now.leastLoad()),
                        ENOUGH_GAINED * base.quality() * shed / mark.load()),
                isShut ? GREAT_GAIN * shed / shedInAll : GREAT_GAIN);
        if (gain >= needed && (gain > chance || now.isLong())) {
            return Effect.HELPS;
        }
        return isEnough(mark) && gain + (now.isLong() ? 0 : chance) < needed ? Effect.NONE : Effect.NOT_KNOWN;
    }

    private boolean isEnough(Mark mark) {
        return mark.opening() <= 0 || (steps >= LEAST_STEPS && mark.load() <= ENOUGH_SHED * base.load());
    }

    /** Whether the next step should wait until more is known. */
    boolean isDue(Present now) {
        return steps > 0
                && now.mark().isLate() == base.isLate()
                && isEnough(now.mark())
                && effect(now) == Effect.NOT_KNOWN;
    }

    /** The test when a step down is wanted. */
    EffectTest wanting(Present now, double measured, long nowMillis) {
        Mark mark = now.mark();
        if (steps == 0 || mark.isLate() != base.isLate()) {
            return new EffectTest(mark, mark, 1, reachable, vainUntilMillis);
        }
        return switch (effect(now)) {
            case HELPS -> new EffectTest(first, mark, 1, reachable, vainUntilMillis);
            case NOT_KNOWN ->
                new EffectTest(first.worst(mark), base.worst(mark), steps + 1, reachable, vainUntilMillis);
            case NONE -> new EffectTest(first, base, 0, measured, nowMillis + REMEMBERED_MILLIS);
        };
    }

    /** After a step in which quality was not bad: a finding stays, a test that is not finished ends. */
    EffectTest recovered() {
        return new EffectTest(Mark.NONE, Mark.NONE, 0, reachable, vainUntilMillis);
    }
}
