/**
 * Decides whether a release keeps its quality objective, or the quality of its predecessor. Without enough data the
 * verdict is neither pass nor failure. Read {@link io.kipimo.core.quality.gate.Gate} first.
 */
package io.kipimo.core.quality.gate;
