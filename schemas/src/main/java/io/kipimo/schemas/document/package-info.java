/**
 * JSON Schemas of the files that users write. The readers of the files note down which keys they take and what they
 * allow, so that an editor's schema and a reader's error cannot differ. Read
 * {@link io.kipimo.schemas.document.DocumentSchema} first.
 */
package io.kipimo.schemas.document;
