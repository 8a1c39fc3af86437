/** {@code kipimo bench filter}: the Expiring Bloom Filter compared with its authors' library. */
package io.kipimo.bench.filter;
