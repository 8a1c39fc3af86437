/**
 * Command {@code kipimo score}, which scores recorded answers with the functions of the quality job. Read
 * {@link io.kipimo.cli.score.ScoreCommand} first; {@link io.kipimo.cli.score.RunFile} describes the forms of files.
 */
package io.kipimo.cli.score;
