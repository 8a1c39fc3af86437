/**
 * Imposes an open or a closed load and counts how it was borne, from the intended start of each
 * request. Read {@link io.kipimo.loadgen.generator.LoadRun} first.
 */
package io.kipimo.loadgen.generator;
