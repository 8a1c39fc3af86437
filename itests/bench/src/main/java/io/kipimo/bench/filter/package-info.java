/** {@code kipimo bench filter}: the Expiring Bloom Filter beside the library of its authors. */
package io.kipimo.bench.filter;
