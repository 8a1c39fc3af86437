package io.kipimo.examples.search;

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
 * @param shedsLow whether the front end sheds the low class; otherwise an enforcement point in
 *     front of it does
 * @param queueCapacity unsampled queries that may wait at a component
 */
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
        int queueCapacity) {

    /** Free ports, 30 ms, 2 s, top 20, a fifth of the queries sampled, all of them profiled. */
    public static SearchServiceSettings of(String service, Optional<KafkaSettings> kafka) {
        return new SearchServiceSettings(
                service,
                Optional.empty(),
                kafka,
                SearchService.Ports.FREE,
                Duration.ofMillis(30),
                Duration.ofSeconds(2),
                20,
                0.2,
                1,
                0.01,
                true,
                64);
    }

    /** The same settings for one of several servers of the service. */
    public SearchServiceSettings named(String newServer) {
        return new SearchServiceSettings(
                service,
                Optional.of(newServer),
                kafka,
                ports,
                deadline,
                expirationWindow,
                topK,
                samplingRate,
                profilingShare,
                lowFloor,
                shedsLow,
                queueCapacity);
    }

    /** Durations are whole milliseconds. */
    public SearchServiceSettings withTimes(Duration newDeadline, Duration newExpirationWindow) {
        return new SearchServiceSettings(
                service,
                server,
                kafka,
                ports,
                newDeadline,
                newExpirationWindow,
                topK,
                samplingRate,
                profilingShare,
                lowFloor,
                shedsLow,
                queueCapacity);
    }

    /** The same settings with another sampling rate, 0..1. */
    public SearchServiceSettings withSamplingRate(double newRate) {
        return new SearchServiceSettings(
                service,
                server,
                kafka,
                ports,
                deadline,
                expirationWindow,
                topK,
                newRate,
                profilingShare,
                lowFloor,
                shedsLow,
                queueCapacity);
    }

    /** The same settings with an enforcement point in front that sheds the low class. */
    public SearchServiceSettings admittingAll() {
        return new SearchServiceSettings(
                service,
                server,
                kafka,
                ports,
                deadline,
                expirationWindow,
                topK,
                samplingRate,
                profilingShare,
                lowFloor,
                false,
                queueCapacity);
    }

    /** The arguments of {@link SearchServiceMain} for these settings. */
    List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add("--service=" + service);
        server.ifPresent(name -> arguments.add("--server=" + name));
        kafka.ifPresent(
                k -> {
                    arguments.add("--bootstrap-servers=" + k.bootstrapServers());
                    arguments.add("--topic-prefix=" + k.topicPrefix());
                    k.properties()
                            .forEach((key, value) -> arguments.add("-P=" + key + "=" + value));
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
        return arguments;
    }
}
