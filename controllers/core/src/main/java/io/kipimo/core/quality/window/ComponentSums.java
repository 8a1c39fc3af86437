package io.kipimo.core.quality.window;

/**
 * Sums of one component over a pane.
 *
 * @param lostQuality sum of the lost quality over the sampled queries
 * @param lostUnseen sum of the further loss that its missing results may have caused
 */
public record ComponentSums(long invoked, long timedOut, double lostQuality, double lostUnseen) {
    static final ComponentSums NONE = new ComponentSums(0, 0, 0, 0);

    ComponentSums plus(ComponentSums other) {
        return new ComponentSums(
                invoked + other.invoked,
                timedOut + other.timedOut,
                lostQuality + other.lostQuality,
                lostUnseen + other.lostUnseen);
    }
}
