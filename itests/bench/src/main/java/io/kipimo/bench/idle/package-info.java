/** What jobs cost while nothing comes. Read {@link io.kipimo.bench.idle.IdleBenchmark} first. */
package io.kipimo.bench.idle;
