/**
 * Makes an answer of partial results, as the service's front end does: the online answer of what
 * arrived in time, the mature one of all (Ubora, sec. 3 and 7; ER.fst is {@code PREFERRED}). Items
 * are ordered as trec_eval orders them. Read {@link io.kipimo.core.quality.merge.Merges} first.
 */
package io.kipimo.core.quality.merge;
