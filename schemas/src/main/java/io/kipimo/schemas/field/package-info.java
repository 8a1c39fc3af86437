/**
 * What the fields of records may be, written once: annotations on the components of a record, and
 * {@link io.kipimo.schemas.field.RecordFields}, from which codec, checks, readers of files and
 * random records of tests take them.
 */
package io.kipimo.schemas.field;
