/**
 * Virtual time, the event queue, and random streams, independent of what is simulated. Read
 * {@link io.kipimo.simulator.engine.Engine} first.
 */
package io.kipimo.simulator.engine;
