/**
 * Command {@code kipimo export}, which writes measurements as files for the tools of analysts. Read
 * {@link io.kipimo.cli.export.ExportCommand} first.
 */
package io.kipimo.cli.export;
