package io.kipimo.examples.search.load;

import java.util.List;

/**
 * Capacity of the service: the rate of complete answers when the service is never idle. At much lower rates queries
 * already wait for each other and miss their deadline.
 *
 * @param perSecond queries per second
 * @param steady whether the last seconds agree; if not, other work disturbs the machine
 * @param answersBySecond measured answers of each second, including those of a cold service
 */
public record Capacity(double perSecond, boolean steady, List<Integer> answersBySecond) {

    /**
     * Takes the mean of the last seconds as the capacity.
     *
     * @param last number of seconds, at least 1 and at most the size of {@code answersBySecond}
     * @param tolerance greatest difference of a second from the mean, as a share of the mean
     * @throws IllegalStateException if there were no answers
     */
    static Capacity of(List<Integer> answersBySecond, int last, double tolerance) {
        List<Integer> used = answersBySecond.subList(answersBySecond.size() - last, answersBySecond.size());
        double mean = used.stream().mapToInt(Integer::intValue).average().orElse(0);
        if (mean == 0) {
            throw new IllegalStateException("the service answers nothing: " + answersBySecond);
        }
        boolean steady = used.stream().allMatch(count -> Math.abs(count - mean) <= tolerance * mean);
        return new Capacity(mean, steady, List.copyOf(answersBySecond));
    }
}
