package io.kipimo.cli.advice;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.console.server.Gates;
import io.kipimo.console.server.RequestRefusedException;
import io.kipimo.core.quality.window.GateRule;
import io.kipimo.core.quality.window.GateVerdict;
import io.kipimo.schemas.field.Decimals;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Offers the checks of {@code kipimo gate} in the console's HTTP interface, on the control batches of a running system.
 * It has no {@code wait} parameter, because the caller can repeat the request.
 */
public final class HttpGates implements Gates {
    private static final Set<String> PARAMETERS = new TreeSet<>(Set.of(
            "service",
            "class",
            "metric",
            "objective",
            "minimum-samples",
            "since",
            "from",
            "to",
            "baseline-from",
            "baseline-to",
            "variant",
            "against",
            "allowed-drop"));
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KafkaSettings kafka;

    public HttpGates(KafkaSettings kafka) {
        this.kafka = kafka;
    }

    @Override
    public ReleaseVerdict judge(Map<String, String> parameters) {
        try {
            GateReport report = report(parameters, System.currentTimeMillis());
            return new ReleaseVerdict(
                    report.result().verdict() == GateVerdict.PASS, JSON.writeValueAsBytes(report.document()));
        } catch (InputException | IllegalArgumentException e) {
            // Parameters have the names of options, without their dashes.
            throw new RequestRefusedException(
                    400, String.valueOf(e.getMessage()).replaceAll("(?<!\\S)--", ""), e);
        } catch (BrokerUnavailableException e) {
            throw new RequestRefusedException(503, e.getMessage(), e);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report cannot be written as JSON", e);
        }
    }

    private GateReport report(Map<String, String> parameters, long nowMillis) {
        InputException.throwIf(
                !PARAMETERS.containsAll(parameters.keySet()),
                "a parameter is not known; allowed: " + String.join(", ", PARAMETERS));
        InputException.throwIf(
                parameters.containsKey("baseline-from") != parameters.containsKey("baseline-to"),
                "a baseline has two ends; allowed: both or none of baseline-from, baseline-to");
        TimeRange range = range(parameters, nowMillis);
        Optional<TimeRange> baselineRange = parameters.containsKey("baseline-from")
                ? Optional.of(new TimeRange(
                        moment(parameters, "baseline-from", nowMillis), moment(parameters, "baseline-to", nowMillis)))
                : Optional.empty();
        GateComparison comparison =
                GateComparison.of(parameters.get("variant"), parameters.get("against"), baselineRange);
        // Before brokers are asked.
        GateRule rule = rule(parameters, 0);
        GateSource source = ControlBatches.of(
                ClassFilter.of(parameters.get("service"), parameters.get("class")),
                Optional.ofNullable(parameters.get("metric")),
                kafka);
        if (!parameters.containsKey("objective")) {
            rule = rule(parameters, source.objective().orElseThrow());
        }
        return GateReport.of(comparison.candidate(source, range), comparison.baseline(source, range), rule);
    }

    private static TimeRange range(Map<String, String> parameters, long nowMillis) {
        InputException.throwIf(
                parameters.containsKey("since") && parameters.containsKey("from"),
                "since and from are given; allowed: one of them");
        long from = parameters.containsKey("from")
                ? moment(parameters, "from", nowMillis)
                : nowMillis
                        - TimeSpan.parse("since", parameters.getOrDefault("since", GateCommand.DEFAULT_SINCE))
                                .toMillis();
        long until = parameters.containsKey("to") ? moment(parameters, "to", nowMillis) : Math.max(nowMillis, from + 1);
        return new TimeRange(from, until);
    }

    private static long moment(Map<String, String> parameters, String name, long nowMillis) {
        return TimeRange.moment(name, parameters.get(name), nowMillis);
    }

    private static GateRule rule(Map<String, String> parameters, double objective) {
        double samples = number(parameters, "minimum-samples", GateCommand.DEFAULT_MINIMUM_SAMPLES);
        InputException.throwIf(
                samples != Math.rint(samples) || samples > Integer.MAX_VALUE,
                "minimum-samples is %s; allowed: a whole number, at least 1"
                        .formatted(parameters.get("minimum-samples")));
        return new GateRule(
                number(parameters, "objective", objective),
                number(parameters, "allowed-drop", GateCommand.DEFAULT_ALLOWED_DROP),
                (int) samples);
    }

    private static double number(Map<String, String> parameters, String name, double otherwise) {
        String text = parameters.get(name);
        double number = text == null ? otherwise : Decimals.parse(text);
        InputException.throwIf(Double.isNaN(number), name + " is '" + text + "'; allowed: a number");
        return number;
    }
}
