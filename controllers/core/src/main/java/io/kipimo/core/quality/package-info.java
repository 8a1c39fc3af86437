/**
 * Answer quality: how similar the answer that a user got is to the one that all components together
 * would have given (Ubora, sec. 2 and 3). The path of a query: {@code merge} makes the online and
 * the mature answer of partial results, {@code similarity} compares the two, {@code attribution}
 * divides the loss among the late components, {@code estimate} makes figures with intervals of many
 * queries; {@code score} does the same from files.
 */
package io.kipimo.core.quality;
