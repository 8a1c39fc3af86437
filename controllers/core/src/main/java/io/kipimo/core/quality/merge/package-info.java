/**
 * Merges partial results to an answer, as the service's front end does: in-time results to the online answer, all
 * results to the mature answer (Ubora, sec. 3 and 7; ER.fst is {@code PREFERRED}). Items are ordered as trec_eval
 * orders them. Read {@link io.kipimo.core.quality.merge.Merges} first.
 */
package io.kipimo.core.quality.merge;
