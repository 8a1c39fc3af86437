package io.kipimo.schemas.codec;

import com.google.protobuf.ByteString;
import io.kipimo.schemas.fanout.ContributionTable;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.wire.ContributionTableProto;
import io.kipimo.schemas.wire.FanOutPublicationProto;
import io.kipimo.schemas.wire.FanOutStateProto;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Publications of the choice of components on the wire. */
final class FanOutCodec {
    private static final FanOutState[] STATES = FanOutState.values();

    /** Greatest magnitude of a logit; the exponential of more is not finite. */
    private static final double MOST_LOGIT = 1e6;

    private static final double MOST_COST = 1e15;

    private FanOutCodec() {}

    static FanOutPublicationProto toWire(FanOutPublication p) {
        FanOutPublicationProto.Builder wire =
                FanOutPublicationProto.newBuilder()
                        .setService(p.service())
                        .setQueryClass(p.queryClass())
                        .setVersion(p.version())
                        .setLearnedAtMillis(p.learnedAtMillis())
                        .setValidUntilMillis(p.validUntilMillis())
                        .setState(FanOutStateProto.forNumber(p.state().ordinal() + 1))
                        .setReason(p.reason())
                        .setFloor(p.floor())
                        .setPrice(p.price())
                        .setExploration(p.exploration())
                        .setQueries(p.queries())
                        .setSaving(p.saving())
                        .setQuality(p.quality());
        p.model().ifPresent(m -> wire.setModel(toWire(m)));
        return wire.build();
    }

    private static ContributionTableProto toWire(ContributionTable table) {
        return ContributionTableProto.newBuilder()
                .addAllComponents(table.components())
                .addAllCosts(boxed(table.costs()))
                .addAllBias(boxed(table.bias()))
                .setRowBits(table.rowBits())
                .setStep(table.step())
                .setTable(ByteString.copyFrom(table.table()))
                .addAllTested(boxed(table.tested()))
                .addAllPredicted(boxed(table.predicted()))
                .addAllKept(boxed(table.kept()))
                .build();
    }

    private static List<Double> boxed(double[] values) {
        return DoubleStream.of(values).boxed().collect(Collectors.toList());
    }

    static FanOutPublication fromWire(FanOutPublicationProto wire) throws InvalidRecordException {
        FanOutState state = Checks.constant("state", wire.getStateValue(), STATES);
        long learnedAt = Checks.millis("learned_at_millis", wire.getLearnedAtMillis());
        if (wire.hasModel() == (state == FanOutState.OFF)) {
            throw Checks.inconsistent(
                    "model is "
                            + (wire.hasModel() ? "set" : "not set")
                            + " with state "
                            + state
                            + "; allowed: a model with ON and SHADOW, none with OFF");
        }
        return FanOutPublicationBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .queryClass(Checks.name("query_class", wire.getQueryClass()))
                .version(Checks.count("version", wire.getVersion()))
                .learnedAtMillis(learnedAt)
                .validUntilMillis(
                        Checks.within(
                                "valid_until_millis",
                                wire.getValidUntilMillis(),
                                learnedAt,
                                Checks.LATEST_MILLIS))
                .state(state)
                .reason(Checks.text("reason", wire.getReason()))
                .floor(Checks.fraction("floor", wire.getFloor()))
                .price(Checks.within("price", wire.getPrice(), 0, 1e6))
                .exploration(Checks.fraction("exploration", wire.getExploration()))
                .queries(Checks.count("queries", wire.getQueries()))
                .saving(Checks.fraction("saving", wire.getSaving()))
                .quality(Checks.fraction("quality", wire.getQuality()))
                .model(wire.hasModel() ? Optional.of(fromWire(wire.getModel())) : Optional.empty())
                .build();
    }

    private static ContributionTable fromWire(ContributionTableProto wire)
            throws InvalidRecordException {
        int n =
                (int)
                        Checks.within(
                                "model.components",
                                (long) wire.getComponentsCount(),
                                1,
                                ContributionTable.MOST_COMPONENTS);
        Set<String> names = new HashSet<>();
        for (String component : wire.getComponentsList()) {
            if (!names.add(Checks.name("model.components", component))) {
                throw Checks.inconsistent(
                        "model.components names '" + component + "' twice; allowed: once");
            }
        }
        int rowBits =
                (int)
                        Checks.within(
                                "model.row_bits",
                                (long) wire.getRowBits(),
                                0,
                                ContributionTable.MOST_ROW_BITS);
        long bytes =
                Checks.within(
                        "model.table",
                        (long) wire.getTable().size(),
                        1,
                        ContributionTable.MOST_BYTES);
        if (bytes != (long) n << rowBits) {
            throw Checks.inconsistent(
                    "model.table has "
                            + bytes
                            + " bytes; allowed: "
                            + ((long) n << rowBits)
                            + ", one for each component and row");
        }
        return new ContributionTable(
                List.copyOf(wire.getComponentsList()),
                numbers("model.costs", wire.getCostsList(), n, Double.MIN_NORMAL, MOST_COST),
                numbers("model.bias", wire.getBiasList(), n, -MOST_LOGIT, MOST_LOGIT),
                rowBits,
                Checks.within("model.step", wire.getStep(), 0, MOST_LOGIT),
                wire.getTable().toByteArray(),
                sums("model.tested", wire.getTestedList()),
                sums("model.predicted", wire.getPredictedList()),
                sums("model.kept", wire.getKeptList()));
    }

    private static double[] sums(String field, List<Double> wire) throws InvalidRecordException {
        return numbers(field, wire, ContributionTable.BINS, 0, 1L << 53);
    }

    private static double[] numbers(
            String field, List<Double> wire, int size, double least, double most)
            throws InvalidRecordException {
        if (wire.size() != size) {
            throw Checks.inconsistent(field + " has " + wire.size() + " numbers; allowed: " + size);
        }
        for (double value : wire) {
            Checks.within(field, value, least, most);
        }
        return wire.stream().mapToDouble(v -> v).toArray();
    }
}
