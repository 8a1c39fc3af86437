package io.kipimo.examples.search.load;

import java.util.List;

/**
 * How much the service can do: the rate at which it answers queries in full when it is never idle.
 * Long before that, queries begin to wait for each other and to miss their deadline.
 *
 * @param perSecond queries per second
 * @param steady whether the last seconds agree; if not, the machine is busy with something else
 * @param answersBySecond what was measured, from the start of a service that may have been cold
 */
public record Capacity(double perSecond, boolean steady, List<Integer> answersBySecond) {

    /**
     * The mean of the last seconds.
     *
     * @param last how many they are, at least 1; {@code answersBySecond} has as many or more
     * @param tolerance of the least and the greatest of them, as a share of the mean
     * @throws IllegalStateException if there were no answers
     */
    static Capacity of(List<Integer> answersBySecond, int last, double tolerance) {
        List<Integer> used =
                answersBySecond.subList(answersBySecond.size() - last, answersBySecond.size());
        double mean = used.stream().mapToInt(Integer::intValue).average().orElse(0);
        if (mean == 0) {
            throw new IllegalStateException("the service answers nothing: " + answersBySecond);
        }
        boolean steady =
                used.stream().allMatch(count -> Math.abs(count - mean) <= tolerance * mean);
        return new Capacity(mean, steady, List.copyOf(answersBySecond));
    }
}
