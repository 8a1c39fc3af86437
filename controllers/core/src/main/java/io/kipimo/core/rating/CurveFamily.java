package io.kipimo.core.rating;

/** Shapes of throughput over load on which techniques are compared. */
public enum CurveFamily {
    /** Throughput is equal at every load. */
    FLAT,
    /** Throughput is proportional to the load up to the peak, then constant. */
    KNEED,
    /** Gunther's universal scalability law, with a contention of {@value #CONTENTION}. */
    USL,
    /** A parabola through the origin (sec. 2.3). */
    QUADRATIC,
    /** Throughput rises to the peak in {@value #STEPS} equal steps, then it is constant. */
    STEPPED;

    private static final double CONTENTION = 0.1;
    private static final int STEPS = 4;

    /**
     * A service of this shape.
     *
     * @param rating highest throughput, requests a second; more than 0
     * @param peak load with that throughput, 1 or more
     * @param highestPassing load above which the agreement breaks; {@link Long#MAX_VALUE}: it holds at every load with
     *     throughput
     */
    public RatedServiceModel model(double rating, double peak, long highestPassing) {
        return load -> {
            double throughput = rating * share((double) load, peak);
            boolean passes = throughput > 0 && load <= highestPassing;
            return new ExperimentReading(load, throughput, passes ? Verdict.PASSED : Verdict.FAILED);
        };
    }

    private double share(double load, double peak) {
        return switch (this) {
            case FLAT -> 1;
            case KNEED -> Math.min(1, load / peak);
            case USL -> usl(load, peak) / usl(peak, peak);
            case QUADRATIC -> Math.max(0, load / peak * (2 - load / peak));
            case STEPPED -> Math.min(1, Math.ceil(STEPS * load / peak) / STEPS);
        };
    }

    /**
     * Throughput by the universal scalability law, without its scale. The coherency is such that the peak is at
     * {@code peak}.
     */
    private static double usl(double load, double peak) {
        double coherency = (1 - CONTENTION) / (peak * peak);
        return load / (1 + CONTENTION * (load - 1) + coherency * load * (load - 1));
    }
}
