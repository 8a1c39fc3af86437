/** Real parts on this machine: broker, store, cluster, service, load; and the demo made of them. */
package io.kipimo.harness;
