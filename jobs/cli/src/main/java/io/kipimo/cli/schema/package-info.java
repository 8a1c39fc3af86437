/**
 * Command {@code kipimo schema}, which prints JSON Schemas of the files that users write, for editors. Read
 * {@link io.kipimo.cli.schema.DocumentKind} first.
 */
package io.kipimo.cli.schema;
