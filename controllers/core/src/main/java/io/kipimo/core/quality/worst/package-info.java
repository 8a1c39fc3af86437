/**
 * The measured queries of a class that lost most quality, from figures down to single queries. Read
 * {@link io.kipimo.core.quality.worst.WorstQueries} first.
 */
package io.kipimo.core.quality.worst;
