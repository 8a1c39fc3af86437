package io.kipimo.bench.idle;

import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.schemas.topics.Topic;
import java.util.Arrays;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The peer of Kipimo's jobs: a Flink job with default settings that reads one topic and discards what it reads. */
public final class BareFlink {
    static final String NAME = "bare flink";

    private BareFlink() {}

    /**
     * Runs the job.
     *
     * @param arguments the name, then {@code -Dkey=value}
     */
    public static void main(String[] arguments) throws Exception {
        Configuration config = new Configuration();
        Arrays.stream(arguments)
                .skip(1)
                .map(argument -> argument.substring("-D".length()).split("=", 2))
                .forEach(option -> config.setString(option[0], option[1]));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        KafkaSource<String> source = KafkaSource.<String>builder()
                .setBootstrapServers(config.get(KafkaOptions.BOOTSTRAP_SERVERS.option()))
                .setTopics(Topic.ANSWERS.name(config.get(KafkaOptions.TOPIC_PREFIX.option())))
                .setValueOnlyDeserializer(new SimpleStringSchema())
                .build();
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "answers").sinkTo(new DiscardingSink<>());
        env.execute(NAME);
    }
}
