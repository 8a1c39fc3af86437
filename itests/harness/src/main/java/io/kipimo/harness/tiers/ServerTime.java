package io.kipimo.harness.tiers;

/**
 * What a copy costs a server: usually the same, and now and then far more, as where a neighbour is
 * in the way. Which copies are hit does not depend on each other, so another copy helps.
 *
 * @param usualMillis time in service
 * @param slowShare of copies that take long, 0..1
 * @param slowMillis their time in service
 */
public record ServerTime(long usualMillis, double slowShare, long slowMillis) {
    /** Always the same. */
    public static ServerTime constant(long millis) {
        return new ServerTime(millis, 0, millis);
    }

    long millis(double chance) {
        return chance < slowShare ? slowMillis : usualMillis;
    }
}
