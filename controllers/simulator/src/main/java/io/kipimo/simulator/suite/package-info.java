/** Closed-loop scenarios by which admission control is judged. */
package io.kipimo.simulator.suite;
