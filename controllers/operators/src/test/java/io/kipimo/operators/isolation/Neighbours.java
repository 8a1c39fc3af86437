package io.kipimo.operators.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.window.ClassPane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.apache.flink.util.OutputTag;

/**
 * The contract of every operator that services share: what it says of one service is the same whether or not another
 * service sends values at the edges of what readers accept.
 */
public final class Neighbours {
    /** Services of the test. */
    public static final String GOOD = "shop";

    public static final String BAD = "bad-neighbour";

    private static final int SEEDS = Integer.getInteger("kipimo.neighbours.seeds", Effort.of(1, 6));
    private static final int STEPS = 24;

    private Neighbours() {}

    /** Opens an operator. */
    @FunctionalInterface
    public interface Opening<H> {
        H open() throws Exception;
    }

    /** Input of one service, or time, at a step. */
    @FunctionalInterface
    public interface Feed<H> {
        void feed(H harness, int step, EdgeRecords edges) throws Exception;
    }

    /**
     * Runs the good service alone, and beside the other one with many seeds.
     *
     * @param good input of the good service, the same in each run
     * @param bad one input of the other service
     * @param time moves time after a step
     * @param sides side outputs that count
     */
    public static <H extends AbstractStreamOperatorTestHarness<?>> void check(
            Opening<H> opening, Feed<H> good, Feed<H> bad, Feed<H> time, OutputTag<?>... sides) throws Exception {
        List<String> alone = run(opening, good, (h, step, none) -> {}, time, null, sides);
        assertThat(alone).as("the good service alone").isNotEmpty();
        Map<String, Long> failures = new TreeMap<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                assertThat(run(opening, good, bad, time, new EdgeRecords(seed), sides))
                        .as("seed %d", seed)
                        .isEqualTo(alone);
            } catch (Exception e) {
                failures.merge(cause(e), 1L, Long::sum);
            }
        }
        assertThat(failures)
                .as("what stops the operator, with the number of seeds")
                .isEmpty();
    }

    private static String cause(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root + " at " + (root.getStackTrace().length > 0 ? at(root) : "?");
    }

    private static String at(Throwable root) {
        StringBuilder frames = new StringBuilder();
        for (int i = 0, n = 0; i < root.getStackTrace().length && n < 3; i++) {
            if (root.getStackTrace()[i].getClassName().startsWith("io.kipimo")) {
                frames.append(root.getStackTrace()[i]).append(" < ");
                n++;
            }
        }
        return frames.toString();
    }

    private static <H extends AbstractStreamOperatorTestHarness<?>> List<String> run(
            Opening<H> opening, Feed<H> good, Feed<H> bad, Feed<H> time, EdgeRecords edges, OutputTag<?>... sides)
            throws Exception {
        try (H harness = opening.open()) {
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < 4; i++) {
                    bad.feed(harness, step, edges);
                }
                good.feed(harness, step, edges);
                time.feed(harness, step, edges);
            }
            List<String> texts = new ArrayList<>();
            collect(harness.getOutput(), texts);
            for (OutputTag<?> side : sides) {
                Queue<?> records = harness.getSideOutput(side);
                if (records != null) {
                    collect(records, texts);
                }
            }
            return texts;
        }
    }

    /** Values are immutable records; only what arrays print as differs between equal ones. */
    private static void collect(Queue<?> from, List<String> into) {
        for (Object element : from) {
            if (element instanceof StreamRecord<?> record) {
                String text = text(record.getValue());
                if (!text.contains(BAD)) {
                    into.add(text.replaceAll("@[0-9a-f]+", ""));
                }
            }
        }
    }

    private static String text(Object value) {
        return value instanceof Either<?, ?> either && either.isLeft() && either.left() instanceof ClassPane pane
                ? pane.scope() + ' ' + pane.pane.samples + ' ' + pane.pane.metrics.keySet()
                : value.toString();
    }
}
