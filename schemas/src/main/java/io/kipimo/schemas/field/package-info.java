/**
 * Allowed values of the fields of records, defined once: annotations on record components, and
 * {@link io.kipimo.schemas.field.RecordFields}, which codecs, checks, file readers and random records of tests use.
 */
package io.kipimo.schemas.field;
