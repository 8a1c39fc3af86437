/**
 * Laws of other admission controls, for comparison with Kipimo's. They are pure functions of the signals that each
 * control sees. Read {@link io.kipimo.labs.reproductions.rivals.RivalLaw} first.
 */
package io.kipimo.labs.reproductions.rivals;
