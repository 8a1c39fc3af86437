/**
 * Virtual time, the queue of what is to happen, and chance; nothing here knows what is simulated.
 * Read {@link io.kipimo.simulator.engine.Engine} first.
 */
package io.kipimo.simulator.engine;
