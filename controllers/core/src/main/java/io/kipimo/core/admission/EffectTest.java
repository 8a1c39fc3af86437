package io.kipimo.core.admission;

/**
 * Whether the present shedding helps, by the share of results in time. It helps if that has risen beyond chance since
 * the last step that did. It does not if half of the load is gone since, and less than half of what is missing was
 * gained; nor if the lower classes are shut, the objective is still missed, and all that was gained is little.
 *
 * @param first before the first step
 * @param base at the last step that helped, or before the first one
 * @param steps down since then; 0: none
 * @param vainUntilMillis until then shedding is known not to help at loads of up to that of {@code first}; 0: not known
 */
record EffectTest(Mark first, Mark base, int steps, long vainUntilMillis) {
    /**
     * How much comes in time at a load.
     *
     * @param load queries a second
     * @param quality share of the components' results that come in time, 0..1, with its standard deviation
     * @param opening 0..1
     */
    record Mark(double load, double quality, double deviation, double opening) {
        static final Mark NONE = new Mark(0, 0, 1, 1);

        Mark worst(Mark other) {
            return new Mark(
                    load,
                    Math.min(quality, other.quality),
                    quality < other.quality ? deviation : other.deviation,
                    opening);
        }
    }

    /**
     * A moment of the test.
     *
     * @param objective of the share in time
     * @param isLong whether the evidence of quality covers a whole averaging window
     */
    record Present(Mark mark, double objective, boolean isLong, long nowMillis) {}

    /** What is found. */
    enum Effect {
        HELPS,
        NOT_KNOWN,
        NONE
    }

    static final EffectTest NONE = new EffectTest(Mark.NONE, Mark.NONE, 0, 0);

    /** Of the load that has to be gone before shedding is found to be in vain. */
    private static final double ENOUGH_SHED = 0.5;

    /** Of the missing quality that has to be gained by then. */
    private static final double ENOUGH_GAINED = 0.5;

    /** Absolute gain for which a class is kept shut although the objective is missed. */
    private static final double GREAT_GAIN = 0.1;

    /** Fewer steps may have been of noise. */
    private static final int LEAST_STEPS = 2;

    /** A finding holds up to this part of the load at which it was made, and while quality is not worse by this. */
    private static final double ALIKE = 1.5;

    private static final double WORSE = 0.05;

    /** How long a finding holds; then the test is made again. */
    private static final long REMEMBERED_MILLIS = 1_800_000;

    /** State before the first test has no marks. */
    EffectTest {
        first = first == null ? Mark.NONE : first;
        base = base == null ? Mark.NONE : base;
    }

    /** Whether it is known that shedding would not help now. */
    boolean isVain(Present now) {
        return now.nowMillis() < vainUntilMillis
                && now.mark().load() <= ALIKE * first.load()
                && now.mark().quality()
                        >= first.quality() - Math.max(WORSE, 2 * SettingEvidence.WIDTH * first.deviation());
    }

    /** What the steps so far have brought. */
    Effect effect(Present now) {
        Mark mark = now.mark();
        double chance = SettingEvidence.WIDTH * Math.hypot(base.deviation(), mark.deviation());
        double gain = mark.quality() - base.quality();
        if (mark.opening() <= 0) {
            boolean isMissed = mark.quality() + chance < now.objective();
            return isMissed && mark.quality() - first.quality() < GREAT_GAIN ? Effect.NONE : Effect.HELPS;
        }
        double needed = ENOUGH_GAINED * (now.objective() - base.quality());
        if (gain > chance && (gain >= needed || !now.isLong())) {
            return Effect.HELPS;
        }
        boolean isEnough = steps >= LEAST_STEPS && mark.load() <= ENOUGH_SHED * base.load();
        return isEnough && gain + (now.isLong() ? 0 : chance) < needed ? Effect.NONE : Effect.NOT_KNOWN;
    }

    /** Whether the next step should wait until more is known. */
    boolean isDue(Present now) {
        return steps >= LEAST_STEPS
                && now.mark().load() <= ENOUGH_SHED * base.load()
                && effect(now) == Effect.NOT_KNOWN;
    }

    /** The test when a step down is wanted. */
    EffectTest wanting(Present now) {
        Mark mark = now.mark();
        if (steps == 0 || now.nowMillis() < vainUntilMillis) {
            return new EffectTest(mark, mark, 1, 0);
        }
        return switch (effect(now)) {
            case HELPS -> new EffectTest(first, mark, 1, 0);
            case NOT_KNOWN -> new EffectTest(first.worst(mark), base.worst(mark), steps + 1, 0);
            case NONE -> {
                Mark before = mark.opening() <= 0 ? first : base;
                yield new EffectTest(before.worst(mark), before, 0, now.nowMillis() + REMEMBERED_MILLIS);
            }
        };
    }

    /** After a step in which quality was not bad: a finding stays, a test that is not finished ends. */
    EffectTest recovered() {
        return vainUntilMillis == 0 ? NONE : this;
    }
}
