package io.kipimo.console.model;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kipimo.core.rating.course.RatingProtocol;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/** Writes a service's ratings as JSON; latencies in milliseconds. */
final class RatingJson {
    private final JsonGenerator out;
    private final StateJson json;

    RatingJson(JsonGenerator out, StateJson json) {
        this.out = out;
        this.json = json;
    }

    void write(RatingFigures ratings) throws IOException {
        out.writeArrayFieldStart("ratings");
        for (Rating rating : ratings.newest()) {
            rating(rating);
        }
        out.writeEndArray();
    }

    private void rating(Rating rating) throws IOException {
        RatingRequest request = rating.request();
        out.writeStartObject();
        out.writeStringField("target", request.target());
        out.writeStringField("state", rating.state().name());
        out.writeStringField("stateText", rating.state().text());
        out.writeStringField("remark", rating.remark());
        out.writeNumberField("atMillis", rating.updatedAtMillis());
        out.writeStringField(
                "loadIs",
                request.search().technique() == RatingTechnique.SQUEEZE
                        ? "SHARE"
                        : request.experiments().model().name());
        json.number(
                "load",
                rating.load() == 0
                        ? Double.NaN
                        : RatingProtocol.amount(request.experiments(), rating.load()));
        json.number("throughput", rating.load() == 0 ? Double.NaN : rating.throughput());
        AgreementTerms agreement = request.agreement();
        json.number("leastWithin", agreement.leastWithin());
        json.number("boundMillis", agreement.boundMicros() / 1e3);
        json.number("leastQuality", agreement.leastQuality());
        out.writeNumberField("elapsedMillis", rating.elapsedMillis());
        out.writeNumberField("predictedMillis", rating.predictedMillis());
        out.writeNumberField("experiments", rating.trials().size());
        trials(request, rating.trials());
        out.writeEndObject();
    }

    /** Valid experiments, lowest load first. */
    private void trials(RatingRequest request, List<RatingTrial> trials) throws IOException {
        out.writeArrayFieldStart("trials");
        for (RatingTrial trial :
                trials.stream()
                        .filter(t -> !t.isVoid())
                        .sorted(Comparator.comparingLong(RatingTrial::load))
                        .toList()) {
            ExperimentCounts counts = trial.counts();
            out.writeStartObject();
            json.number("load", RatingProtocol.amount(request.experiments(), trial.load()));
            out.writeStringField("verdict", trial.verdict().name());
            json.number("throughput", trial.throughput());
            json.number("p95", trial.p95Micros() / 1e3);
            json.number(
                    "quality",
                    counts.scored() == 0 ? Double.NaN : counts.qualitySum() / counts.scored());
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
