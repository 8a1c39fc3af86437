/** Command {@code kipimo local}, which runs all of Kipimo on this machine, for a service under development. */
package io.kipimo.local;
