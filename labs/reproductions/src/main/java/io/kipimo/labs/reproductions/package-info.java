/**
 * Reproduces the papers' tables and figures. Results that do not match are marked, with the likely cause. Read
 * {@link io.kipimo.labs.reproductions.PaperExperiments} first.
 */
package io.kipimo.labs.reproductions;
