package io.kipimo.core.admission;

/**
 * Tests whether the present shedding helps, by the share of results in time. Shedding helps if that share has risen
 * beyond chance since the last step that helped, by one of three amounts: fast enough to meet the objective before all
 * is shed; half of what an overloaded service gains; or a great amount. Shedding does not help if half of the load, or
 * all that may go, is gone since then and the share has not risen so.
 *
 * <p>If shedding does not help, the objective is out of reach. Until this finding ends, the law keeps quality near
 * {@code reachable} instead, because a loss that shedding cannot mend is no reason to shed.
 *
 * @param first mark before the first step down
 * @param base mark at the last step that helped, or before the first step
 * @param steps number of steps down since {@code base}; 0: none
 * @param reachable quality that shedding was found not to raise, 0..1
 * @param vainUntilMillis when the finding that shedding does not help ends, epoch milliseconds; 0: there is none
 */
record EffectTest(Mark first, Mark base, int steps, double reachable, long vainUntilMillis) {
    /**
     * Quality of the answers at a load.
     *
     * @param load queries a second
     * @param quality 0..1; {@code deviation} is its standard deviation
     * @param opening opened part of the room between the classes' floors and ceilings, 0..1
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
     * Figures at the moment of a step, which the test compares with its marks.
     *
     * @param leastLoad load that remains if all is shed that may be, queries a second
     * @param objective objective of the mark's quality
     * @param isLong whether the evidence of quality covers a whole averaging window
     */
    record Present(Mark mark, double leastLoad, double objective, boolean isLong) {}

    /** Finding of the test. */
    enum Effect {
        HELPS,
        NOT_KNOWN,
        NONE
    }

    static final EffectTest NONE = new EffectTest(Mark.NONE, Mark.NONE, 0, 1, 0);

    /** Shedding can be found not to help once the load is at most this part of the load before. */
    private static final double ENOUGH_SHED = 0.5;

    /**
     * A gain helps if it is this part of the gain that an overloaded service has. Such a service answers its capacity,
     * whatever it is offered, so its quality rises as the load falls.
     */
    private static final double ENOUGH_GAINED = 0.5;

    /**
     * Absolute gain that counts as help even if the objective is missed. Once all that may go is shed, all steps
     * together must bring this gain, and the steps since {@code base} their share of it.
     */
    private static final double GREAT_GAIN = 0.1;

    /** Least number of steps down before shedding can be found not to help. Fewer may have reacted to noise. */
    private static final int LEAST_STEPS = 2;

    /** Quality may be this much below the reachable quality before anything is shed. */
    private static final double WORSE = 0.05;

    /** Time that a finding holds. After it, the test is made again. */
    private static final long REMEMBERED_MILLIS = 1_800_000;

    /** Replaces null marks: state from before the first test has none. */
    EffectTest {
        first = first == null ? Mark.NONE : first;
        base = base == null ? Mark.NONE : base;
    }

    private boolean isVain(long nowMillis) {
        return nowMillis < vainUntilMillis;
    }

    /** Greatest quality that is known to be reachable, 0..1. */
    double best(long nowMillis) {
        return isVain(nowMillis) ? reachable : 1;
    }

    /** Returns the objective to steer to. It is lower than the given one while shedding is found not to help. */
    double objective(double objective, long nowMillis) {
        return isVain(nowMillis) ? Math.max(0, Math.min(objective, reachable - WORSE)) : objective;
    }

    /** Returns the finding about the steps so far. */
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

    /** Whether the next step down should wait, because enough is shed and its effect is not known yet. */
    boolean isDue(Present now) {
        return steps > 0
                && now.mark().isLate() == base.isLate()
                && isEnough(now.mark())
                && effect(now) == Effect.NOT_KNOWN;
    }

    /** Returns the test after a step in which the law wants to shed. */
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

    /**
     * Returns the test after a step in which quality was not bad. A finding stays. A test that is not finished ends.
     */
    EffectTest recovered() {
        return new EffectTest(Mark.NONE, Mark.NONE, 0, reachable, vainUntilMillis);
    }
}
