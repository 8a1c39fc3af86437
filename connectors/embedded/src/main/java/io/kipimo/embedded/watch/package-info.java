/** Progress lines of a long run on a terminal. */
package io.kipimo.embedded.watch;
