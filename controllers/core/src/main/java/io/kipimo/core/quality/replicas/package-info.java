/**
 * Whether an answer depends on the replica that was asked. Read
 * {@link io.kipimo.core.quality.replicas.AnswerDifference}.
 */
package io.kipimo.core.quality.replicas;
