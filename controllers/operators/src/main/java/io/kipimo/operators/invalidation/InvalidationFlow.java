package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.change.AfterImage;
import io.kipimo.core.invalidation.grid.Grid;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.Collector;

/**
 * Writes and subscriptions to notifications.
 *
 * <pre>
 * writes ────────> rows ───┬─> cells (row, column) ─┬─> results (query) ─┬─> notifier (partition)
 * subscriptions ─> gate ───┘                        └─ written records ──┤
 * worths ───────────┘└────── unwatched queries ──────────────────────────┘
 * </pre>
 *
 * @param changes notifications as they arise, some again after a failover: for stores where that
 *     does no harm
 * @param notifications the same, numbered, each once, and marks of the frontier: for the log
 */
public record InvalidationFlow(
        DataStream<Notification> changes, DataStream<Notification> notifications) {
    /**
     * The notifications of these writes.
     *
     * @param worths of queries, by which they are let in when there is no room for all
     */
    public static InvalidationFlow of(
            DataStream<AfterImage> writes,
            DataStream<SubscriptionChange> subscriptions,
            DataStream<QueryWorth> worths,
            NotificationLog log,
            InvalidationSettings settings) {
        Grid grid = settings.grid();
        SpreadKeys cellKeys = SpreadKeys.of(grid.cells());
        SpreadKeys columnKeys = SpreadKeys.of(grid.columns());
        SpreadKeys partitionKeys = SpreadKeys.of(settings.partitions());
        int partitions = settings.partitions();
        DataStream<CellInput> rows =
                writes.flatMap(new Rows(grid.columns(), grid.rows()))
                        .returns(InvalidationFormats.CELL_INPUT)
                        .uid("rows")
                        .name("rows");
        SingleOutputStreamOperator<CellInput> gate =
                subscriptions
                        .keyBy(
                                change ->
                                        columnKeys.key(
                                                settings.grid().column(change.subscription())),
                                Types.INT)
                        .connect(
                                worths.keyBy(
                                        worth ->
                                                columnKeys.key(
                                                        settings.grid()
                                                                .column(worth.subscription())),
                                        Types.INT))
                        .process(new QueryGate(settings), InvalidationFormats.CELL_INPUT)
                        .uid("query-gate")
                        .name("query-gate");
        SingleOutputStreamOperator<ResultInput> cells =
                rows.union(gate)
                        .keyBy(input -> cellKeys.key(input.cell()), Types.INT)
                        .transform(
                                "matching-cells",
                                InvalidationFormats.RESULT_INPUT,
                                new MatchingCellOperator(settings))
                        .uid("matching-cells");
        DataStream<Notification> changes =
                cells.keyBy(input -> input.id().subscription(), Types.STRING)
                        .process(new ResultFunction(settings), InvalidationFormats.NOTIFICATION)
                        .uid("query-results")
                        .name("query-results")
                        .union(
                                cells.getSideOutput(MatchingCellOperator.RECORDS),
                                gate.getSideOutput(QueryGate.UNWATCHED));
        SingleOutputStreamOperator<Notification> notifications =
                changes.keyBy(
                                notification ->
                                        partitionKeys.key(partition(notification, partitions)),
                                Types.INT)
                        .transform(
                                "notifier",
                                InvalidationFormats.NOTIFICATION,
                                new NotifierOperator(log, settings))
                        .uid("notifier");
        return new InvalidationFlow(changes, notifications);
    }

    /** Of the topic, 0..partitions - 1; all notifications of one key are in one. */
    static int partition(Notification notification, int partitions) {
        return new Grid(partitions, 1).column(notification.scope());
    }

    /** A write to all cells of its row. */
    private static final class Rows implements FlatMapFunction<AfterImage, CellInput> {
        private static final long serialVersionUID = 1L;

        private final int columns;
        private final int rows;

        Rows(int columns, int rows) {
            this.columns = columns;
            this.rows = rows;
        }

        @Override
        public void flatMap(AfterImage image, Collector<CellInput> out) {
            Grid grid = new Grid(columns, rows);
            int row = grid.row(image.collection(), image.recordId());
            for (int column = 0; column < columns; column++) {
                out.collect(new CellInput.Write(grid.cell(column, row), image));
            }
        }
    }
}
