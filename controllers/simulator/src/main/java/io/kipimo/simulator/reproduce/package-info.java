/**
 * Reproductions of the papers' tables and figures, with Kipimo's results beside the papers'.
 * Differences are marked, with the likely cause. Read {@link
 * io.kipimo.simulator.reproduce.PaperExperiments} first.
 */
package io.kipimo.simulator.reproduce;
