/**
 * Laws of other admission controls, to compare with: pure functions of what each sees. Read
 * {@link io.kipimo.labs.reproductions.rivals.RivalLaw} first.
 */
package io.kipimo.labs.reproductions.rivals;
