/**
 * The join written with Kafka Streams' Processor API. Read {@link
 * io.kipimo.bench.streams.StreamsSide} first.
 */
package io.kipimo.bench.streams;
