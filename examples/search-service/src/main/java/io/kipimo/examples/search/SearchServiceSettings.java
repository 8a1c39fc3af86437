package io.kipimo.examples.search;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a search service process.
 *
 * @param service name on the topics
 * @param server name on the topics; empty: a generated name
 * @param kafka for reports and decisions; empty: it reports nothing and sheds nothing
 * @param ports wanted ones, 0 for a free one
 * @param deadline from the intended start to the answer
 * @param expirationWindow from the start of a query; later results are not reported
 * @param topK items in an answer
 * @param samplingRate share of queries that are sampled until a decision sets a rate, 0..1
 * @param profilingShare share of the complete sampled queries whose results are reported too, 0..1
 * @param lowFloor least admitted fraction of the low class, above 0, at most 1
 * @param shedsLow whether the front end sheds the low class; otherwise an enforcement point in front of it does
 * @param queueCapacity unsampled queries that may wait at a component
 * @param fanOut whether queries may ask fewer components
 */
@WithBuilder
public record SearchServiceSettings(
        String service,
        Optional<String> server,
        Optional<KafkaSettings> kafka,
        SearchService.Ports ports,
        Duration deadline,
        Duration expirationWindow,
        int topK,
        double samplingRate,
        double profilingShare,
        double lowFloor,
        boolean shedsLow,
        int queueCapacity,
        boolean fanOut) {

    /** Free ports, 30 ms, 2 s, top 20, a fifth of the queries sampled, all of them profiled. */
    public static SearchServiceSettings of(String service, Optional<KafkaSettings> kafka) {
        return SearchServiceSettingsBuilder.builder()
                .service(service)
                .kafka(kafka)
                .ports(SearchService.Ports.FREE)
                .deadline(Duration.ofMillis(30))
                .expirationWindow(Duration.ofSeconds(2))
                .topK(20)
                .samplingRate(0.2)
                .profilingShare(1)
                .lowFloor(0.01)
                .shedsLow(true)
                .queueCapacity(64)
                .build();
    }

    /** The same settings for one of several servers of the service. */
    public SearchServiceSettings named(String newServer) {
        return SearchServiceSettingsBuilder.builder(this)
                .server(Optional.of(newServer))
                .build();
    }

    /** Durations are whole milliseconds. */
    public SearchServiceSettings withTimes(Duration newDeadline, Duration newExpirationWindow) {
        return SearchServiceSettingsBuilder.builder(this)
                .deadline(newDeadline)
                .expirationWindow(newExpirationWindow)
                .build();
    }

    /** The same settings with another sampling rate, 0..1. */
    public SearchServiceSettings withSamplingRate(double newRate) {
        return SearchServiceSettingsBuilder.builder(this).samplingRate(newRate).build();
    }

    /** The same settings with an enforcement point in front that sheds the low class. */
    public SearchServiceSettings admittingAll() {
        return SearchServiceSettingsBuilder.builder(this).shedsLow(false).build();
    }

    /** The arguments of {@link SearchServiceMain} for these settings. */
    List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add("--service=" + service);
        server.ifPresent(name -> arguments.add("--server=" + name));
        kafka.ifPresent(k -> {
            arguments.add("--bootstrap-servers=" + k.bootstrapServers());
            arguments.add("--topic-prefix=" + k.topicPrefix());
            k.properties().forEach((key, value) -> arguments.add("-P=" + key + "=" + value));
        });
        arguments.add("--high-port=" + ports.high());
        arguments.add("--low-port=" + ports.low());
        arguments.add("--calibration-port=" + ports.calibration());
        arguments.add("--vocabulary-port=" + ports.vocabulary());
        arguments.add("--deadline-millis=" + deadline.toMillis());
        arguments.add("--expiration-window-millis=" + expirationWindow.toMillis());
        arguments.add("--top-k=" + topK);
        arguments.add("--sampling-rate=" + samplingRate);
        arguments.add("--profiling-share=" + profilingShare);
        arguments.add("--low-floor=" + lowFloor);
        arguments.add("--sheds-low=" + shedsLow);
        arguments.add("--queue-capacity=" + queueCapacity);
        if (fanOut) {
            arguments.add("--fan-out");
        }
        return arguments;
    }
}
