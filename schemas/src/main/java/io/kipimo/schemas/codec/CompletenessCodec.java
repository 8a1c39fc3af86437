package io.kipimo.schemas.codec;

import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.wire.CompletenessModelProto;

/** Completeness models on the wire. */
final class CompletenessCodec {
    static final RecordMapping<CompletenessModel, CompletenessModelProto> MODEL = RecordMapping.of(
                    CompletenessModel.class, CompletenessModelProto.getDefaultInstance())
            .check((path, model, wire) -> checkBins(model));

    private CompletenessCodec() {}

    private static void checkBins(CompletenessModel model) throws InvalidRecordException {
        double end = 0;
        for (CalibrationBin bin : model.calibration()) {
            Checks.within("calibration.from", bin.from(), end, 1);
            end = bin.to();
        }
    }
}
