/**
 * What all controllers have in common, whoever runs them: the jobs, the simulator, a replay of what
 * was recorded. Read {@link io.kipimo.core.control.Controller} first.
 */
package io.kipimo.core.control;
