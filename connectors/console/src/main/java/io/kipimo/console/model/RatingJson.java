package io.kipimo.console.model;

import io.kipimo.core.rating.RatingProtocol;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import java.util.Comparator;
import java.util.List;

/** A service's ratings as JSON; latencies in milliseconds. */
final class RatingJson {
    private RatingJson() {}

    static List<JsonObject> of(RatingFigures ratings) {
        return ratings.newest().stream().map(RatingJson::rating).toList();
    }

    private static JsonObject rating(Rating rating) {
        RatingRequest request = rating.request();
        boolean none = rating.load() == 0;
        AgreementTerms agreement = request.agreement();
        return new JsonObject()
                .with("target", request.target())
                .with("state", rating.state())
                .with("stateText", rating.state().text())
                .with("remark", rating.remark())
                .with("atMillis", rating.updatedAtMillis())
                .with(
                        "loadIs",
                        request.search().technique() == RatingTechnique.SQUEEZE
                                ? "SHARE"
                                : request.experiments().model().name())
                .with("load", none ? Double.NaN : RatingProtocol.amount(request.experiments(), rating.load()))
                .with("throughput", none ? Double.NaN : rating.throughput())
                .with("leastWithin", agreement.leastWithin())
                .with("boundMillis", agreement.boundMicros() / 1e3)
                .with("leastQuality", agreement.leastQuality())
                .with(rating, "elapsedMillis", "predictedMillis")
                .with("experiments", rating.trials().size())
                // Valid experiments, lowest load first.
                .with(
                        "trials",
                        rating.trials().stream()
                                .filter(t -> !t.isVoid())
                                .sorted(Comparator.comparingLong(RatingTrial::load))
                                .map(trial -> trial(request, trial))
                                .toList());
    }

    private static JsonObject trial(RatingRequest request, RatingTrial trial) {
        ExperimentCounts counts = trial.counts();
        return new JsonObject()
                .with("load", RatingProtocol.amount(request.experiments(), trial.load()))
                .with(trial, "verdict", "throughput")
                .with("p95", trial.p95Micros() / 1e3)
                .with("quality", counts.scored() == 0 ? Double.NaN : counts.qualitySum() / counts.scored());
    }
}
