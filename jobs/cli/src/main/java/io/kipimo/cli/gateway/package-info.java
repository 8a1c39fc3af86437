/** {@code kipimo gateway} and {@code kipimo haproxy}: they carry out what is decided. */
package io.kipimo.cli.gateway;
