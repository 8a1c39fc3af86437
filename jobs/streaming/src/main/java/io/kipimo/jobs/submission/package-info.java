/**
 * Starts jobs. {@code flink run}, Flink's REST interface, its Kubernetes operator and {@code kipimo run} all begin at
 * {@link io.kipimo.jobs.submission.SubmissionMain}.
 */
package io.kipimo.jobs.submission;
