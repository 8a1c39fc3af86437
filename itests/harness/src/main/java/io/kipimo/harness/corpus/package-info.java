/** Generated documents. Read {@link io.kipimo.harness.corpus.GeneratedCorpus}. */
package io.kipimo.harness.corpus;
