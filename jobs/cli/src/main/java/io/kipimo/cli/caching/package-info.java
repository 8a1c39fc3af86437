/** {@code kipimo purge} and {@code kipimo filter}: what stands between cached answers and HTTP. */
package io.kipimo.cli.caching;
