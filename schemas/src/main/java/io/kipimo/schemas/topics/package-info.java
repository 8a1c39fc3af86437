/** The catalogue of all Kafka topics. Read {@link io.kipimo.schemas.topics.Topic}. */
package io.kipimo.schemas.topics;
