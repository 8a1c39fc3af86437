/**
 * Whether what a service emits is usable. Read {@link io.kipimo.cli.conform.ConformCommand} first.
 */
package io.kipimo.cli.conform;
