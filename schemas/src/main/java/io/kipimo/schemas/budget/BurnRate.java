package io.kipimo.schemas.budget;

/**
 * Lost quality over allowed lost quality: at 1 the budget lasts exactly its period. {@code 0 <= low
 * <= rate <= high}.
 *
 * @param samples measured queries; 0: unknown, and the three rates are 0
 */
public record BurnRate(
        long windowMillis, double low, double rate, double high, long answered, int samples) {}
