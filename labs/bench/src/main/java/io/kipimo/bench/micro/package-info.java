/** Measures single functions with JMH. Read {@link io.kipimo.bench.micro.MicroBenchmarks} first. */
package io.kipimo.bench.micro;
