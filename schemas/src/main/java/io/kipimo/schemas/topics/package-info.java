/** The topic catalogue. Read {@link io.kipimo.schemas.topics.Topic}. */
package io.kipimo.schemas.topics;
