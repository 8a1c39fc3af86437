/** {@code kipimo gateway} and {@code kipimo haproxy}: they apply decisions. */
package io.kipimo.cli.gateway;
