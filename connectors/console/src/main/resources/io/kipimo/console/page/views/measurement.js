// Measuring: the sampling rate and the measurement cost.

import { LEAST_MEASURABLE } from "../model.js";
import * as words from "../words.js";
import { card, figures } from "./card.js";

const ESTIMATORS = {
  MODEL_ASSISTED: ["model-assisted", "by the learned cost of each missing component"],
  STRATIFIED_NOT_COUNTED: ["stratified", "some front end does not report which components were missing"],
  STRATIFIED_FEW_SAMPLES: ["stratified", "too few degraded samples yet to learn what a missing component costs"],
};

/** "8 % failed answer, 2 % cut; ": reasons of the unmeasurable answers. */
function reasons(w) {
  const most = Object.entries(w.unmeasurable).sort((a, b) => b[1] - a[1]);
  return most.map(([reason, share]) => `${words.share(share)} ${words.constant(reason)}`).join(", ") + (most.length > 0 ? "; " : "");
}

export function measurementCard() {
  const facts = figures("facts-list", {
    rate: "Sampling rate", measurable: "Measurable", samples: "Measured", estimator: "Estimate", plain: "Plain mean", mature: "Mature answers", failed: "Failed mature",
    orphans: "Orphans", late: "Late results", work: "Late work", bytes: "Emitted", dropped: "Dropped events",
  });
  const own = card("Measuring and its cost", "measurement", facts.node);
  return {
    node: own.node,
    update({ cls, service, now }) {
      const { now: w } = cls;
      const { sampling } = service;
      own.lack(w === null && sampling === null ? "Nothing is measured yet." : null);
      const windowMillis = service.policy?.windowMillis;
      own.say(windowMillis && w ? `Figures of the last ${words.duration(windowMillis)}.` : "");
      const busy = w && windowMillis ? w.bill.lateWorkMicros / 1000 / windowMillis : null;
      const extra = w && w.bill.answerWorkMicros > 0 ? w.bill.lateWorkMicros / w.bill.answerWorkMicros : null;
      facts.update({
        rate: sampling ? [words.share(sampling.rate), `${words.constant(sampling.reason)}, ${words.clock(sampling.decidedAtMillis, now)}`] : ["–", "no decision yet"],
        measurable: w ? [words.share(w.measurable), `of the answers; ${reasons(w)}${words.share(service.measurable)} of the service's`, w.measurable < LEAST_MEASURABLE] : undefined,
        samples: w ? [words.count(w.samples), `answers, ${words.count(w.degradedSamples)} of them degraded${w.backlogRate < 1 ? `; ${words.share(w.backlogRate)} of the queries, while the job is behind` : ""}`] : undefined,
        estimator: w && w.estimator ? ESTIMATORS[w.estimator] : undefined,
        plain: w ? [words.quality(w.plainMean), "of the samples alone, for comparison"] : undefined,
        mature: w ? [w.maturePer100.toFixed(1), "per 100 answers"] : undefined,
        failed: w ? [words.share(w.failedMature), "of the degraded ones", w.failedMature > 0.2] : undefined,
        orphans: w ? [words.count(w.orphans), "queries whose answer never arrived"] : undefined,
        late: w ? [words.count(w.bill.lateResults), "awaited after the deadline"] : undefined,
        work: w ? [words.duration(w.bill.lateWorkMicros / 1000), [busy === null ? "" : `as much as ${busy.toFixed(2)} threads`, extra === null ? "" : `${words.share(extra)} of the work for answers`].filter(Boolean).join(", ")] : undefined,
        bytes: w ? [words.bytes(w.bill.emittedBytes), "written to Kafka"] : undefined,
        dropped: w ? [words.count(w.bill.droppedEvents), w.bill.droppedEvents > 0 ? "emitters' buffers were full" : "", w.bill.droppedEvents > 0] : undefined,
      });
    },
  };
}
