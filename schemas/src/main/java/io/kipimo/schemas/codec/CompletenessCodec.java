package io.kipimo.schemas.codec;

import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.wire.CalibrationBinProto;
import io.kipimo.schemas.wire.CompletenessModelProto;
import io.kipimo.schemas.wire.ComponentLossProto;
import java.util.ArrayList;
import java.util.List;

/** Completeness models on the wire. */
final class CompletenessCodec {
    private CompletenessCodec() {}

    static CompletenessModelProto toWire(CompletenessModel model) {
        CompletenessModelProto.Builder wire =
                CompletenessModelProto.newBuilder()
                        .setService(model.service())
                        .setQueryClass(model.queryClass())
                        .setMetric(model.metric())
                        .setAsOfMillis(model.asOfMillis())
                        .setQueries(model.queries())
                        .setUsualLoss(model.usualLoss());
        for (ComponentLoss loss : model.losses()) {
            wire.addLosses(
                    ComponentLossProto.newBuilder()
                            .setComponent(loss.component())
                            .setLoss(loss.loss())
                            .setQueries(loss.queries()));
        }
        for (CalibrationBin bin : model.calibration()) {
            wire.addCalibration(
                    CalibrationBinProto.newBuilder()
                            .setFrom(bin.from())
                            .setTo(bin.to())
                            .setQueries(bin.queries())
                            .setMeanPredicted(bin.meanPredicted())
                            .setMeanMeasured(bin.meanMeasured()));
        }
        return wire.build();
    }

    static CompletenessModel fromWire(CompletenessModelProto wire) throws InvalidRecordException {
        Checks.parts("losses", wire.getLossesCount());
        List<ComponentLoss> losses = new ArrayList<>(wire.getLossesCount());
        for (ComponentLossProto loss : wire.getLossesList()) {
            losses.add(
                    new ComponentLoss(
                            Checks.name("losses.component", loss.getComponent()),
                            Checks.fraction("losses.loss", loss.getLoss()),
                            Checks.count("losses.queries", loss.getQueries())));
        }
        Checks.parts("calibration", wire.getCalibrationCount());
        List<CalibrationBin> calibration = new ArrayList<>(wire.getCalibrationCount());
        double end = 0;
        for (CalibrationBinProto bin : wire.getCalibrationList()) {
            double from = Checks.within("calibration.from", bin.getFrom(), end, 1);
            end = Checks.within("calibration.to", bin.getTo(), from, 1);
            calibration.add(
                    new CalibrationBin(
                            from,
                            end,
                            Checks.count("calibration.queries", bin.getQueries()),
                            Checks.fraction("calibration.mean_predicted", bin.getMeanPredicted()),
                            Checks.fraction("calibration.mean_measured", bin.getMeanMeasured())));
        }
        return new CompletenessModel(
                Checks.name("service", wire.getService()),
                Checks.name("query_class", wire.getQueryClass()),
                Checks.name("metric", wire.getMetric()),
                Checks.millis("as_of_millis", wire.getAsOfMillis()),
                Checks.count("queries", wire.getQueries()),
                Checks.fraction("usual_loss", wire.getUsualLoss()),
                List.copyOf(losses),
                List.copyOf(calibration));
    }
}
