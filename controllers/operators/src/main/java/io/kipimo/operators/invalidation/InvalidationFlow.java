package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.filter.Grid;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.Collector;

/**
 * Turns writes and subscriptions into notifications. A gate admits queries, cells match writes against queries, results
 * apply order and limit, and a notifier numbers the notifications of each partition.
 *
 * <pre>
 * writes ────────> rows ───┬─> cells (row, column) ─┬─> results (query) ─┬─> notifier (partition)
 * subscriptions ─> gate ───┘                        └─ written records ──┤
 * worths ───────────┘└────── unwatched queries ──────────────────────────┘
 * </pre>
 *
 * @param changes notifications without delay, which are repeated after a failover; for stores in which repetitions do
 *     no harm
 * @param notifications the same notifications for the log: numbered, without repetitions, and with marks that state the
 *     time before which all were sent
 */
public record InvalidationFlow(DataStream<Notification> changes, DataStream<Notification> notifications) {
    /**
     * Builds the flow.
     *
     * @param worths worths of queries, which decide which queries are admitted if the budget is too small for all
     */
    public static InvalidationFlow of(
            DataStream<AfterImage> writes,
            DataStream<SubscriptionChange> subscriptions,
            DataStream<QueryWorth> worths,
            NotificationLog log,
            InvalidationSettings settings) {
        DataStream<CellInput> rows = rows(writes, settings);
        SingleOutputStreamOperator<CellInput> gate = gate(subscriptions, worths, settings);
        SingleOutputStreamOperator<ResultInput> cells = cells(rows, gate, settings);
        DataStream<Notification> changes = results(cells, settings)
                .union(cells.getSideOutput(MatchingCellOperator.RECORDS), gate.getSideOutput(QueryGate.UNWATCHED));
        return new InvalidationFlow(changes, numbered(changes, log, settings));
    }

    private static DataStream<CellInput> rows(DataStream<AfterImage> writes, InvalidationSettings settings) {
        return writes.flatMap(new RowBroadcast(settings.columns(), settings.rows()))
                .returns(InvalidationFormats.CELL_INPUT.typeInfo())
                .uid("rows")
                .name("rows");
    }

    private static SingleOutputStreamOperator<CellInput> gate(
            DataStream<SubscriptionChange> subscriptions,
            DataStream<QueryWorth> worths,
            InvalidationSettings settings) {
        SpreadKeys keys = SpreadKeys.of(settings.columns());
        return subscriptions
                .keyBy(change -> keys.key(settings.grid().column(change.subscription())), Types.INT)
                .connect(worths.keyBy(worth -> keys.key(settings.grid().column(worth.subscription())), Types.INT))
                .process(new QueryGate(settings), InvalidationFormats.CELL_INPUT.typeInfo())
                .uid("query-gate")
                .name("query-gate");
    }

    private static SingleOutputStreamOperator<ResultInput> cells(
            DataStream<CellInput> rows, SingleOutputStreamOperator<CellInput> gate, InvalidationSettings settings) {
        SpreadKeys keys = SpreadKeys.of(settings.grid().cells());
        return rows.union(gate)
                .keyBy(input -> keys.key(input.cell()), Types.INT)
                .transform(
                        "matching-cells",
                        InvalidationFormats.RESULT_INPUT.typeInfo(),
                        new MatchingCellOperator(settings))
                .uid("matching-cells");
    }

    private static SingleOutputStreamOperator<Notification> results(
            DataStream<ResultInput> cells, InvalidationSettings settings) {
        return cells.keyBy(input -> input.id().subscription(), Types.STRING)
                .process(new ResultFunction(settings), InvalidationFormats.NOTIFICATION.typeInfo())
                .uid("query-results")
                .name("query-results");
    }

    private static SingleOutputStreamOperator<Notification> numbered(
            DataStream<Notification> changes, NotificationLog log, InvalidationSettings settings) {
        int partitions = settings.partitions();
        SpreadKeys keys = SpreadKeys.of(partitions);
        return changes.keyBy(notification -> keys.key(partition(notification, partitions)), Types.INT)
                .transform("notifier", InvalidationFormats.NOTIFICATION.typeInfo(), new NotifierOperator(log, settings))
                .uid("notifier");
    }

    /**
     * Returns a notification's partition of the topic, 0 to {@code partitions} - 1. All notifications of a key have the
     * same partition.
     */
    static int partition(Notification notification, int partitions) {
        return new Grid(partitions, 1).column(notification.scope());
    }

    /** Sends a write to all cells of its row. */
    private record RowBroadcast(int columns, int rows) implements FlatMapFunction<AfterImage, CellInput> {
        @Override
        public void flatMap(AfterImage image, Collector<CellInput> out) {
            Grid grid = new Grid(columns, rows);
            int row = grid.row(image.collection(), image.recordId());
            for (int column = 0; column < columns; column++) {
                out.collect(new CellInput.CellWrite(grid.cell(column, row), image));
            }
        }
    }
}
