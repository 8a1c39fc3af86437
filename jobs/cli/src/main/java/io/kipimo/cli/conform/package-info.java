/** Checks the records that a service emits. Read {@link io.kipimo.cli.conform.ConformCommand} first. */
package io.kipimo.cli.conform;
