/**
 * The papers' tables and figures again, ours beside theirs; what does not match is said to, with
 * the likely cause. Read {@link io.kipimo.labs.reproductions.PaperExperiments} first.
 */
package io.kipimo.labs.reproductions;
