/**
 * What an answer's quality may be expected to be, told when it leaves from who is missing in it.
 * Read {@link io.kipimo.schemas.completeness.CompletenessModel} first.
 */
package io.kipimo.schemas.completeness;
