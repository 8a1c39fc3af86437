/**
 * The files that users write: YAML, its one reader, and JSON Schemas. The reader notes down which keys are taken from
 * it and what they allow, so that an editor's schema and a reader's error cannot differ. Read
 * {@link io.kipimo.schemas.document.Section} first.
 */
package io.kipimo.schemas.document;
