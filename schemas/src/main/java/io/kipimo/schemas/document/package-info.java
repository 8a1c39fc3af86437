/**
 * Reading of the YAML files that users write, and JSON Schemas of these files. Reading a file also notes each key and
 * its allowed values. The schema is made from these notes, so an editor's schema and the errors of reading cannot
 * differ. Read {@link io.kipimo.schemas.document.Section} first.
 */
package io.kipimo.schemas.document;
