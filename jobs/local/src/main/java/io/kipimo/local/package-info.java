/** {@code kipimo local}: all of Kipimo on this machine, for a service under development. */
package io.kipimo.local;
