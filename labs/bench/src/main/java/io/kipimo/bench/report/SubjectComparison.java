package io.kipimo.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;

/**
 * Runs subjects alternately, so that background load affects all of them equally. Warm-up rounds come first, then the
 * measured repetitions.
 *
 * @param <K> identity of a subject
 * @param <R> result of one repetition
 */
public final class SubjectComparison<K, R> {
    /** One round of one subject. */
    public interface RoundWork<R> {
        /**
         * Runs one round.
         *
         * @param round from 0; negative in warm-up rounds
         */
        R run(int round) throws Exception;
    }

    /** Greatest relative difference between the last warm-up rounds of a subject that counts as steady. */
    private static final double STEADY = 0.1;

    /**
     * Number of last warm-up rounds that are compared. With two, they could agree by chance while the compiler still
     * works.
     */
    private static final int STEADY_ROUNDS = 3;

    /** Greatest relative growth of the mean of these rounds, compared with the rounds before. */
    private static final double TREND = 0.05;

    /** Limit of the warm-up of a subject that does not become steady, as a multiple of its least number of rounds. */
    private static final int PATIENCE = 3;

    private final Context context;
    private final Map<K, RoundWork<R>> subjects = new LinkedHashMap<>();
    private int warmUps = 1;
    private boolean warmsUpSeparately;
    private ToDoubleFunction<R> steadyFigure;
    private BiFunction<K, R, String> progress;
    private boolean isQuiet;

    public SubjectComparison(Context context) {
        this.context = context;
    }

    public SubjectComparison<K, R> add(K subject, RoundWork<R> work) {
        subjects.put(subject, work);
        return this;
    }

    /** Sets the number of warm-up rounds. Default: 1. */
    public SubjectComparison<K, R> warmUps(int rounds) {
        warmUps = rounds;
        return this;
    }

    /** Lets each subject warm up on its own, because one subject's JIT compilation would disturb the next. */
    public SubjectComparison<K, R> warmUpSeparately() {
        warmsUpSeparately = true;
        return this;
    }

    /**
     * Continues the warm-up of a subject until two conditions hold: the figures of its last {@value #STEADY_ROUNDS}
     * rounds differ by less than {@value #STEADY}, and their mean is at most {@value #TREND} above that of the rounds
     * before. The warm-up ends in any case when the subject has had {@value #PATIENCE} times its rounds. Only with
     * {@link #warmUpSeparately}.
     */
    public SubjectComparison<K, R> warmUpUntilSteady(ToDoubleFunction<R> figure) {
        steadyFigure = figure;
        return this;
    }

    /** Reports every run with the given text. Otherwise every round is reported. */
    public SubjectComparison<K, R> progress(BiFunction<K, R, String> words) {
        progress = words;
        return this;
    }

    /** Turns reports off, for a caller that reports by itself. */
    public SubjectComparison<K, R> quietly() {
        isQuiet = true;
        return this;
    }

    /** Runs all rounds. The result has the subjects in the order in which they were added. */
    public Map<K, Repetitions<R>> run() throws Exception {
        Map<K, Repetitions<R>> results = new LinkedHashMap<>();
        if (warmsUpSeparately) {
            for (K subject : subjects.keySet()) {
                warmUp(subject);
            }
        }
        for (int round = warmsUpSeparately ? 0 : -warmUps; round < context.repetitions(); round++) {
            for (K subject : subjects.keySet()) {
                R result = run(subject, round);
                if (round >= 0) {
                    results.computeIfAbsent(subject, s -> new Repetitions<>()).add(result);
                }
            }
            if (progress == null && !isQuiet) {
                context.say("%s", words(round));
            }
        }
        return results;
    }

    private void warmUp(K subject) throws Exception {
        List<Double> figures = new ArrayList<>();
        int most = steadyFigure == null ? warmUps : PATIENCE * warmUps;
        for (int round = -most; round < 0; round++) {
            R result = run(subject, round);
            if (steadyFigure != null) {
                figures.add(steadyFigure.applyAsDouble(result));
                if (figures.size() >= warmUps && isSteady(figures)) {
                    return;
                }
            }
        }
    }

    private static boolean isSteady(List<Double> figures) {
        int size = figures.size();
        if (size < 2 * STEADY_ROUNDS) {
            return false;
        }
        List<Double> last = figures.subList(size - STEADY_ROUNDS, size);
        List<Double> before = figures.subList(size - 2 * STEADY_ROUNDS, size - STEADY_ROUNDS);
        return Collections.max(last) < (1 + STEADY) * Collections.min(last) && sum(last) < (1 + TREND) * sum(before);
    }

    private static double sum(List<Double> figures) {
        return figures.stream().mapToDouble(figure -> figure).sum();
    }

    private R run(K subject, int round) throws Exception {
        R result = subjects.get(subject).run(round);
        if (progress != null) {
            context.say("%-20s %s", words(round), progress.apply(subject, result));
        }
        return result;
    }

    private String words(int round) {
        return round < 0 ? "warm-up" : "repetition " + (round + 1) + " of " + context.repetitions();
    }
}
