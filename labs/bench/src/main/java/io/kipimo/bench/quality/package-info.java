/**
 * The whole quality job, Kafka to Kafka, compared with peers on the same records. Read
 * {@link io.kipimo.bench.quality.QualityBenchmark} first.
 */
package io.kipimo.bench.quality;
