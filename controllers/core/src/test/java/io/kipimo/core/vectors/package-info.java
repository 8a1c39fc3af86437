/**
 * Test vectors for implementations in other languages: JSON in {@code src/test/resources/vectors}. Read
 * {@link io.kipimo.core.vectors.VectorFile}.
 */
package io.kipimo.core.vectors;
