/** The open-source Expiring Bloom Filter of Quaestor's authors, in memory and in Redis. */
package io.kipimo.bench.filter.peer;
