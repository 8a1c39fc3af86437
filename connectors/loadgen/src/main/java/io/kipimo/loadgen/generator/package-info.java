/**
 * Generates an open or a closed load and measures the answers, from the intended start of each request. Read
 * {@link io.kipimo.loadgen.generator.LoadRun} first.
 */
package io.kipimo.loadgen.generator;
