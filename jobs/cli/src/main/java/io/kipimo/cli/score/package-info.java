/**
 * Scores recorded answers with the functions of the quality job. Read {@link io.kipimo.cli.score.ScoreCommand} first;
 * the file forms are in {@link io.kipimo.cli.score.RunFile}.
 */
package io.kipimo.cli.score;
