/** A peer that joins with Kafka Streams' Processor API. Read {@link io.kipimo.bench.streams.StreamsSubject} first. */
package io.kipimo.bench.streams;
