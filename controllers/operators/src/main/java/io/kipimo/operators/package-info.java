/** How Flink runs the thoughts of the core: thin keyed functions, no Kafka, no Redis. */
package io.kipimo.operators;
