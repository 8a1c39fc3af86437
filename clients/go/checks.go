package kipimo

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

// What readers accept. Vectors: clients/vectors/readable.json.
const (
	mostAheadMillis       = 60_000
	longestMicros         = 864_000_000_000
	longestDeadlineMillis = 864_000_000
	mostParts             = 10_000
	mostCostBin           = 200
)

// refusals are what readers would refuse of one record.
type refusals struct{ first error }

func (r *refusals) add(format string, values ...any) {
	if r.first == nil {
		r.first = fmt.Errorf(format, values...)
	}
}

func (r *refusals) name(field, value string) {
	if !isName(value) {
		r.add("%s is %.60q; allowed: 1..256 characters, no '/', no control characters", field, value)
	}
}

func (r *refusals) optionalName(field, value string) {
	if value != "" {
		r.name(field, value)
	}
}

func (r *refusals) text(field, value string) {
	if !isText(value) {
		r.add("%s is %.60q; allowed: 1..256 characters, no control characters", field, value)
	}
}

func (r *refusals) within(field string, value, least, most int64) {
	if value < least || value > most {
		r.add("%s is %d; allowed: %d..%d", field, value, least, most)
	}
}

func (r *refusals) real(field string, value, least, most float64) {
	if !(value >= least && value <= most) {
		r.add("%s is %v; allowed: %v..%v", field, value, least, most)
	}
}

// once refuses a list with too many parts, or one that names a part twice.
func once[T any, K comparable](r *refusals, field string, parts []T, key func(T) K) {
	r.within("parts of "+field, int64(len(parts)), 0, mostParts)
	seen := make(map[K]bool, len(parts))
	for _, part := range parts {
		if seen[key(part)] {
			r.add("%s names %v twice; allowed: once", field, key(part))
		}
		seen[key(part)] = true
	}
}

func (r *refusals) items(w *wire.ItemsProto) {
	if len(w.GetNumbers()) > 0 && len(w.GetTexts()) > 0 {
		r.add("items have numbers and texts; allowed: one kind")
	}
	if len(w.GetScores()) != len(w.GetNumbers())+len(w.GetTexts()) {
		r.add("items have %d scores; allowed: one for each id", len(w.GetScores()))
	}
	for _, score := range w.GetScores()[:min(MaximumItems, len(w.GetScores()))] {
		r.real("items.scores", float64(score), -math.MaxFloat64, math.MaxFloat64)
	}
	for _, text := range w.GetTexts()[:min(MaximumItems, len(w.GetTexts()))] {
		r.text("items.texts", text)
	}
}

func (r *refusals) answer(w *wire.AnswerProto) {
	r.name("service", w.Service)
	r.text("query_id", w.QueryId)
	r.name("query_class", w.QueryClass)
	r.within("kind", int64(w.Kind), 1, 2)
	r.within("started_at_millis", w.StartedAtMillis, 1, latestMillis)
	r.within("answered_at_millis", w.AnsweredAtMillis, w.StartedAtMillis, latestMillis)
	r.within("deadline_millis", int64(w.DeadlineMillis), 0, longestDeadlineMillis)
	r.within("top_k", int64(w.TopK), 0, MaximumItems)
	for _, i := range w.Invocations {
		r.name("invocations.component", i.Component)
		r.within("invocations.outcome", int64(i.Outcome), 1, 4)
		r.within("invocations.latency_micros", i.LatencyMicros, 0, longestMicros)
	}
	once(r, "invocations", w.Invocations, (*wire.InvocationProto).GetComponent)
	r.items(w.Items)
	r.within("unmeasurable", int64(w.Unmeasurable), 0, int64(lastReason))
	r.real("not_asked_loss", w.GetNotAskedLoss(), 0, 1)
	r.optionalName("variant", w.Variant)
}

func (r *refusals) partial(w *wire.PartialResultProto) {
	r.name("service", w.Service)
	r.text("query_id", w.QueryId)
	r.name("component", w.Component)
	if w.Server != "" {
		r.text("server", w.Server)
	}
	r.within("phase", int64(w.Phase), 1, 2)
	r.within("completed_at_millis", w.CompletedAtMillis, 1, latestMillis)
	r.within("latency_micros", w.LatencyMicros, 0, longestMicros)
	r.items(w.Items)
	r.within("started_at_millis", w.StartedAtMillis, 0, latestMillis)
}

func (r *refusals) observation(w *wire.ObservationProto) {
	r.name("service", w.Service)
	r.name("tier", w.Tier)
	r.name("server", w.Server)
	r.name("query_class", w.QueryClass)
	r.optionalName("variant", w.Variant)
	r.within("second_millis", w.SecondMillis, 1, latestMillis)
	r.within("offered", w.Offered, 0, largestCount)
	r.within("rejected", w.Rejected, 0, w.Offered)
	r.within("answered", w.Answered, 0, largestCount)
	r.within("timed_out", w.TimedOut, 0, w.Answered)
	r.within("late_results", w.LateResults, 0, largestCount)
	r.within("late_work_micros", w.LateWorkMicros, 0, largestCount)
	r.within("emitted_bytes", w.EmittedBytes, 0, largestCount)
	r.within("dropped_events", w.DroppedEvents, 0, largestCount)
	r.within("answer_work_micros", w.AnswerWorkMicros, 0, largestCount)
	r.real("admitted_fraction", w.AdmittedFraction, 0, 1)
	r.real("safe_fraction", w.GetSafeFraction(), 0, 1)
	r.within("not_asked", w.NotAsked, 0, w.Answered)
	r.real("not_asked_loss_sum", w.NotAskedLossSum, 0, float64(w.NotAsked))
	r.within("listed", w.Listed, 0, w.Answered)
	r.within("empty", w.Empty, 0, w.Listed)
	r.within("parts of components", int64(len(w.Components)), 0, mostParts)
	for _, c := range w.Components {
		r.name("components.component", c.Component)
		r.within("components.invoked", c.Invoked, 0, largestCount)
		r.within("components.timed_out", c.TimedOut, 0, c.Invoked)
	}
	r.missing("missing", w.Missing, w.TimedOut)
	r.missing("not_asked_components", w.NotAskedComponents, w.NotAsked)
	left := w.Answered
	for _, u := range w.Unmeasurable {
		r.within("unmeasurable.reason", int64(u.Reason), 1, int64(lastReason))
		r.within("unmeasurable.answers", u.Answers, 0, left)
		left -= u.Answers
	}
	once(r, "unmeasurable", w.Unmeasurable, (*wire.UnmeasurableCountProto).GetReason)
	for _, c := range w.Costs {
		r.within("costs.bin", int64(c.Bin), -mostCostBin, mostCostBin)
		r.within("costs.offered", c.Offered, 0, w.Offered)
		r.within("costs.answered", c.Answered, 0, w.Answered)
		r.within("costs.work_micros", c.WorkMicros, 0, largestCount)
	}
	once(r, "costs", w.Costs, (*wire.CostCountProto).GetBin)
}

func (r *refusals) missing(field string, counts []*wire.MissingCountProto, most int64) {
	for _, m := range counts {
		r.name(field+".component", m.Component)
		r.within(field+".answers", m.Answers, 0, most)
	}
	once(r, field, counts, (*wire.MissingCountProto).GetComponent)
}

// check is an error if readers would refuse the record; it names the field.
func check(m proto.Message) error {
	var r refusals
	switch w := m.(type) {
	case *wire.AnswerProto:
		r.answer(w)
	case *wire.PartialResultProto:
		r.partial(w)
	case *wire.ObservationProto:
		r.observation(w)
	}
	return r.first
}
