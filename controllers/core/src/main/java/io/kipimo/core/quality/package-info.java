/**
 * Answer quality: the similarity of the answer that a user got to the answer of all components together (Ubora, sec. 1,
 * 5.2, 7.1). For each query, {@code join} collects the partial results, {@code merge} merges them to the online and the
 * mature answer and divides the loss among the late components, {@code similarity} compares the two. {@code estimate}
 * estimates the quality of many queries with intervals, {@code window} makes such estimates over time, {@code deadline}
 * and {@code fanout.model} give advice.
 */
package io.kipimo.core.quality;
