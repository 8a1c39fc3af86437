/**
 * Load generators and those who ask for ratings, over a log. Read {@link
 * io.kipimo.loadgen.topics.LoadAgent} first.
 */
package io.kipimo.loadgen.topics;
