package io.kipimo.schemas.codec;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.ErrorBudgetBuilder;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.wire.BudgetVerdictProto;
import io.kipimo.schemas.wire.BurnRateProto;
import io.kipimo.schemas.wire.ErrorBudgetProto;
import io.kipimo.schemas.wire.LossCauseProto;
import java.util.ArrayList;
import java.util.List;

/** Error budgets on the wire. */
final class BudgetCodec {
    /**
     * Upper bound of burn rates. With an objective of 1 nothing may be lost, and the true rate is
     * infinite.
     */
    private static final double FASTEST_BURN = 1e9;

    /** Ten years. */
    private static final long LONGEST_PERIOD_MILLIS = 3650L * 86_400_000;

    private static final BudgetVerdict[] VERDICTS = BudgetVerdict.values();

    private BudgetCodec() {}

    static ErrorBudgetProto toWire(ErrorBudget budget) {
        ErrorBudgetProto.Builder wire =
                ErrorBudgetProto.newBuilder()
                        .setService(budget.service())
                        .setQueryClass(budget.queryClass())
                        .setMetric(budget.metric())
                        .setEndMillis(budget.endMillis())
                        .setObjective(budget.objective())
                        .setShortWindow(toWire(budget.shortWindow()))
                        .setLongWindow(toWire(budget.longWindow()))
                        .setRemaining(budget.remaining())
                        .setPeriodMillis(budget.periodMillis())
                        .setCoveredMillis(budget.coveredMillis())
                        .setVerdict(BudgetVerdictProto.forNumber(budget.verdict().ordinal() + 1));
        for (LossCause cause : budget.causes()) {
            wire.addCauses(
                    LossCauseProto.newBuilder()
                            .setComponent(cause.component())
                            .setShare(cause.share()));
        }
        return wire.build();
    }

    private static BurnRateProto toWire(BurnRate burn) {
        return BurnRateProto.newBuilder()
                .setWindowMillis(burn.windowMillis())
                .setLow(burn.low())
                .setRate(burn.rate())
                .setHigh(burn.high())
                .setAnswered(burn.answered())
                .setSamples(burn.samples())
                .build();
    }

    static ErrorBudget fromWire(ErrorBudgetProto wire) throws InvalidRecordException {
        long period =
                Checks.within("period_millis", wire.getPeriodMillis(), 1, LONGEST_PERIOD_MILLIS);
        Checks.parts("causes", wire.getCausesCount());
        List<LossCause> causes = new ArrayList<>(wire.getCausesCount());
        for (LossCauseProto cause : wire.getCausesList()) {
            causes.add(
                    new LossCause(
                            Checks.name("causes.component", cause.getComponent()),
                            Checks.fraction("causes.share", cause.getShare())));
        }
        return ErrorBudgetBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .queryClass(Checks.name("query_class", wire.getQueryClass()))
                .metric(Checks.name("metric", wire.getMetric()))
                .endMillis(Checks.millis("end_millis", wire.getEndMillis()))
                .objective(Checks.fraction("objective", wire.getObjective()))
                .shortWindow(fromWire("short_window", wire.getShortWindow()))
                .longWindow(fromWire("long_window", wire.getLongWindow()))
                .remaining(Checks.within("remaining", wire.getRemaining(), -FASTEST_BURN, 1))
                .periodMillis(period)
                .coveredMillis(Checks.within("covered_millis", wire.getCoveredMillis(), 0, period))
                .verdict(Checks.constant("verdict", wire.getVerdictValue(), VERDICTS))
                .causes(List.copyOf(causes))
                .build();
    }

    private static BurnRate fromWire(String field, BurnRateProto wire)
            throws InvalidRecordException {
        double low = Checks.within(field + ".low", wire.getLow(), 0, FASTEST_BURN);
        double rate = Checks.within(field + ".rate", wire.getRate(), low, FASTEST_BURN);
        return new BurnRate(
                Checks.within(
                        field + ".window_millis", wire.getWindowMillis(), 1, LONGEST_PERIOD_MILLIS),
                low,
                rate,
                Checks.within(field + ".high", wire.getHigh(), rate, FASTEST_BURN),
                Checks.count(field + ".answered", wire.getAnswered()),
                (int) Checks.within(field + ".samples", wire.getSamples(), 0, Integer.MAX_VALUE));
    }
}
