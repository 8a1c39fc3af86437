package io.kipimo.core.quality.window;

/**
 * One component over a pane.
 *
 * @param lostQuality sum over the sampled queries
 * @param lostUnseen what may have been lost beyond, by its results that never came; a sum
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
