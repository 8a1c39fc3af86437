/** Load generators and clients that run ratings over Kafka. Read {@link io.kipimo.loadgen.topics.LoadAgent} first. */
package io.kipimo.loadgen.topics;
