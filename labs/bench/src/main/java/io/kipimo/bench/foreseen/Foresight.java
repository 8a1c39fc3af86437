package io.kipimo.bench.foreseen;

import io.kipimo.core.quality.fanout.model.ContributionLearner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Online models of recorded queries. They predict each query before they learn it (prequential; Dawid 1984), and learn
 * it when its mature answer is there.
 */
final class Foresight {
    /** The data of a query that a model may use. Each constant adds to the one before. */
    enum Known {
        BASE_RATE,
        /** The number of open queries, and of other queries' outstanding calls. */
        LOAD,
        /** Also the predicted cost, and the number of the query's own outstanding calls. */
        KIND,
        /**
         * Also the k-th best score so far, the components that have not answered, the query's terms, and the
         * predictions of a model of calls for the outstanding ones. That model uses the component, the calls that wait
         * there, its recent lateness, the query's cost and its terms.
         */
        ALL
    }

    /** Number of cases that a model learns before its first prediction that counts. */
    private static final int WARM_UP = 200;

    private static final int BYTES = 1 << 16;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final Recording recording;
    private final Map<Moment, Calls> calls = new EnumMap<>(Moment.class);

    /** A figure in 0..1 to predict, of a query or of its call to a component. */
    private record PredictionCase(int query, int component, long[] features, double figure) {}

    /**
     * Predictions for calls, by query and component.
     *
     * @param late probability of lateness; NaN: the call is not outstanding, or too little was learned
     * @param shares expected share of the mature answer
     */
    private record Calls(double[][] late, double[][] shares) {}

    Foresight(Recording recording) {
        this.recording = recording;
    }

    Recording recording() {
        return recording;
    }

    /**
     * Predicts a figure of each query that is still open at a moment.
     *
     * @param figure by query, 0..1
     * @return by query; NaN: it is not open, or too little was learned
     */
    double[] figure(Moment moment, Known known, IntToDoubleFunction figure) {
        List<PredictionCase> cases = new ArrayList<>();
        for (int i = 0; i < recording.size(); i++) {
            if (recording.query(i).isOpen(micros(moment))) {
                cases.add(new PredictionCase(i, -1, features(i, moment, known), figure.applyAsDouble(i)));
            }
        }
        double[] predicted = new double[recording.size()];
        Arrays.fill(predicted, Double.NaN);
        LogisticModel model = new LogisticModel();
        inTurn(cases, moment, c -> model.learn(c.features, c.figure), c -> {
            if (model.learned() >= WARM_UP) {
                predicted[c.query] = model.predict(c.features);
            }
        });
        return predicted;
    }

    private Calls calls(Moment moment) {
        return calls.computeIfAbsent(moment, this::foresee);
    }

    private Calls foresee(Moment moment) {
        List<PredictionCase> answers = new ArrayList<>();
        List<PredictionCase> outstanding = new ArrayList<>();
        for (int i = 0; i < recording.size(); i++) {
            RecordedQuery query = recording.query(i);
            answers.add(new PredictionCase(i, -1, with(query.features(), key("cost", step(query.cost()))), 0));
            for (int c : query.outstanding(micros(moment)).toArray()) {
                double late = query.latencyMicros()[c] > recording.deadlineMicros() ? 1 : 0;
                outstanding.add(new PredictionCase(i, c, ofCall(i, c, moment), late));
            }
        }
        ContributionLearner shares = new ContributionLearner(
                "foreseen",
                IntStream.range(0, recording.components())
                        .mapToObj(Integer::toString)
                        .toList(),
                BYTES,
                ContributionLearner.HALF_LIFE_QUERIES);
        LogisticModel late = new LogisticModel();
        Calls foreseen =
                new Calls(new double[recording.size()][recording.components()], new double[recording.size()][]);
        Arrays.stream(foreseen.late).forEach(row -> Arrays.fill(row, Double.NaN));
        double[] noWork = new double[recording.components()];
        inTurn(
                answers,
                moment,
                a -> shares.learn(a.features, recording.query(a.query).shares(), noWork),
                a -> foreseen.shares[a.query] = shares.predict(a.features));
        inTurn(outstanding, moment, c -> late.learn(c.features, c.figure), c -> {
            if (late.learned() >= WARM_UP) {
                foreseen.late[c.query][c.component] = late.predict(c.features);
            }
        });
        return foreseen;
    }

    /**
     * Shows the cases to {@code predict} one after another. Before each, it shows {@code learn} all cases whose outcome
     * is known by then.
     */
    private void inTurn(
            List<PredictionCase> cases,
            Moment moment,
            Consumer<PredictionCase> learn,
            Consumer<PredictionCase> predict) {
        List<PredictionCase> lessons = cases.stream()
                .sorted(Comparator.comparingLong(c -> recording.query(c.query).knownMicros()))
                .toList();
        int learned = 0;
        for (PredictionCase next : cases) {
            long now = recording.query(next.query).startMicros() + micros(moment);
            while (learned < lessons.size()
                    && recording.query(lessons.get(learned).query).knownMicros() <= now) {
                learn.accept(lessons.get(learned++));
            }
            predict.accept(next);
        }
    }

    private long micros(Moment moment) {
        return moment.micros(recording.deadlineMicros());
    }

    private long[] features(int number, Moment moment, Known known) {
        RecordedQuery query = recording.query(number);
        long now = query.startMicros() + micros(moment);
        int[] left = query.outstanding(micros(moment)).toArray();
        long open = step(recording.open(now));
        long cost = step(query.cost());
        if (known == Known.BASE_RATE) {
            return new long[0];
        }
        int own = left.length;
        int outstanding = IntStream.range(0, recording.components())
                .map(c -> recording.outstanding(c, now))
                .sum();
        long[] load = {key("open", open), key("calls", step(outstanding - own))};
        if (known == Known.LOAD) {
            return load;
        }
        long[] kind = with(load, key("cost", cost), key("left", own), key("cost, open", cost, open));
        if (known == Known.KIND) {
            return kind;
        }
        Calls foreseen = calls(moment);
        double late = 0;
        double whole = 1;
        double loss = 0;
        for (int c : left) {
            double p = Double.isNaN(foreseen.late[number][c]) ? 0.5 : foreseen.late[number][c];
            late += p;
            whole *= 1 - p;
            loss += p * foreseen.shares[number][c];
        }
        long[] all = with(
                kind,
                key("k-th", step(query.kthScore()[moment.ordinal()])),
                key("late", step(4 * late)),
                key("whole", Math.round(20 * whole)),
                key("loss", Math.round(20 * loss)));
        return with(
                with(all, query.features()),
                IntStream.of(left).mapToLong(c -> key("waits", c)).toArray());
    }

    private long[] ofCall(int number, int component, Moment moment) {
        RecordedQuery query = recording.query(number);
        long now = query.startMicros() + micros(moment);
        long cost = step(query.cost());
        long queue = step(recording.outstanding(component, now));
        long lateness = Math.round(10 * recording.lateness(number, component));
        return with(
                query.features(),
                key("component", component),
                key("cost", cost),
                key("cost of", component, cost),
                key("queue", queue),
                key("queue, cost", queue, cost),
                key("queue of", component, queue),
                key("late", lateness),
                key("late, queue", lateness, queue),
                key("open", step(recording.open(now))),
                key("left", query.outstanding(micros(moment)).count()));
    }

    private static long[] with(long[] features, long... more) {
        return LongStream.concat(LongStream.of(features), LongStream.of(more)).toArray();
    }

    private static long key(String name, long... values) {
        long key = name.hashCode();
        for (long value : values) {
            key = (key + value) * FACTOR;
        }
        return key;
    }

    /** A logarithmic step of a value; doubling a large value adds two steps. */
    private static long step(double value) {
        return Math.round(2 * Math.log1p(value) / Math.log(2));
    }
}
