package io.kipimo.cli.advice;

import io.kipimo.core.quality.window.GateEvidence;
import java.util.Map;

/**
 * Input of a gate's verdict.
 *
 * @param losses share of the quality lost by component, greatest first
 */
record GateInput(GateEvidence gate, Map<String, Double> losses) {}
