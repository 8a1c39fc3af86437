package io.kipimo.simulator.faults;

import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * Faults of messages, each independent.
 *
 * @param lost share that never arrives
 * @param twice share that arrives twice
 * @param late share that is delayed
 * @param meanLatenessSeconds mean delay of the delayed messages; delays are exponential
 */
public record MessageFaults(double lost, double twice, double late, double meanLatenessSeconds) {
    /** All messages arrive once and in time. */
    public static final MessageFaults NONE = new MessageFaults(0, 0, 0, 0);

    public MessageFaults {
        ModelChecks.fraction("share of messages lost", lost);
        ModelChecks.fraction("share of messages that come twice", twice);
        ModelChecks.fraction("share of messages that are late", late);
        ModelChecks.atLeast("mean lateness", meanLatenessSeconds, 0);
    }

    public boolean isNone() {
        return lost == 0 && twice == 0 && late == 0;
    }

    /** How often a message arrives: 0, 1 or 2 times. */
    public int copies(RandomStream random) {
        if (random.nextDouble() < lost) {
            return 0;
        }
        return random.nextDouble() < twice ? 2 : 1;
    }

    /** Delay of a message, seconds. */
    public double lateness(RandomStream random) {
        double delay = random.nextExponential() * meanLatenessSeconds;
        return random.nextDouble() < late ? delay : 0;
    }
}
