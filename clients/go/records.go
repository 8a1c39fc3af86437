package kipimo

import (
	"slices"

	"github.com/kipimo/kipimo/clients/go/wire"
)

// MaximumItems of one result or answer; further items are cut.
const MaximumItems = 10_000

// MaximumFeatures of one query; further ones are cut.
const MaximumFeatures = 64

// Outcome of one component.
type Outcome = wire.OutcomeProto

// Outcomes.
const (
	InTime   = wire.OutcomeProto_IN_TIME
	TimedOut = wire.OutcomeProto_TIMED_OUT
	Failed   = wire.OutcomeProto_FAILED
	// OutcomeNotAsked: the front end chose not to ask the component for this query.
	OutcomeNotAsked = wire.OutcomeProto_OUTCOME_NOT_ASKED
)

// Kinds of answers, phases of results, reasons why a quality cannot be measured.
const (
	Online       = wire.AnswerKindProto_ONLINE
	Replayed     = wire.AnswerKindProto_REPLAYED
	PhaseOnline  = wire.PhaseProto_PHASE_ONLINE
	PhaseMature  = wire.PhaseProto_PHASE_MATURE
	NoComponents = wire.UnmeasurableProto_NO_COMPONENTS
	FailedAnswer = wire.UnmeasurableProto_FAILED_ANSWER
	Unreadable   = wire.UnmeasurableProto_UNREADABLE
	NotAsked     = wire.UnmeasurableProto_NOT_ASKED
	Cut          = wire.UnmeasurableProto_CUT
	NoList       = wire.UnmeasurableProto_NO_LIST
	MergeDiffers = wire.UnmeasurableProto_MERGE_DIFFERS
)

// lastReason is the last one of the schema, which numbers them without a gap.
var lastReason = wire.UnmeasurableProto(len(wire.UnmeasurableProto_name) - 1)

// Items are ranked, best first: Numbers or Texts, never both, and a finite score each.
type Items struct {
	Numbers []uint64
	Texts   []string
	Scores  []float32
}

func (i Items) toWire() (*wire.ItemsProto, bool) {
	return &wire.ItemsProto{
		Numbers: i.Numbers[:min(MaximumItems, len(i.Numbers))],
		Texts:   identifiers(i.Texts[:min(MaximumItems, len(i.Texts))]),
		Scores:  i.Scores[:min(MaximumItems, len(i.Scores))],
	}, len(i.Scores) > MaximumItems
}

func identifiers(texts []string) []string {
	ids := make([]string, len(texts))
	for i, text := range texts {
		ids[i] = identifier(text)
	}
	return ids
}

// Invocation is one component of one query.
type Invocation struct {
	Component     string
	Outcome       Outcome
	LatencyMicros int64
}

// Answer that left. Invocations name every component that the query invoked or chose not to ask, once each. It must not
// be changed after it was emitted.
type Answer struct {
	QueryID, QueryClass               string
	StartedAtMillis, AnsweredAtMillis int64
	DeadlineMillis, TopK              int32
	Invocations                       []Invocation
	// Zero: Online.
	Kind         wire.AnswerKindProto
	Items        Items
	Unmeasurable wire.UnmeasurableProto
	// Share of the full answer, 0..1, that components with OutcomeNotAsked are expected to cost; nil: unknown.
	NotAskedLoss *float64
	// The query was asked in full by the exploration rule.
	Explored bool
	// Hashes of what is known of the query before it asks; see FeaturesOf.
	Features []uint64
	// Release or experiment arm that made the answer; empty: that of the instance.
	Variant string
}

// isLate tells whether a component was asked, but its result was not in the answer.
func isLate(o Outcome) bool { return o != InTime && o != OutcomeNotAsked }

// IsDegraded reports whether a component that was asked is missing.
func (a *Answer) IsDegraded() bool {
	for _, i := range a.Invocations {
		if isLate(i.Outcome) {
			return true
		}
	}
	return false
}

func (a *Answer) asksAny() bool {
	return slices.ContainsFunc(a.Invocations, func(i Invocation) bool { return i.Outcome != OutcomeNotAsked })
}

func (a *Answer) toWire(service string) *wire.AnswerProto {
	w := &wire.AnswerProto{
		Service: service, QueryId: identifier(a.QueryID), QueryClass: cleaned(a.QueryClass), Kind: max(Online, a.Kind),
		StartedAtMillis: a.StartedAtMillis, AnsweredAtMillis: a.AnsweredAtMillis,
		DeadlineMillis: a.DeadlineMillis, TopK: a.TopK, Unmeasurable: a.Unmeasurable,
		NotAskedLoss: a.NotAskedLoss, Explored: a.Explored, Variant: cleaned(a.Variant),
		Features: a.Features[:min(MaximumFeatures, len(a.Features))],
	}
	for _, i := range a.Invocations {
		w.Invocations = append(w.Invocations, &wire.InvocationProto{
			Component: cleaned(i.Component), Outcome: i.Outcome, LatencyMicros: i.LatencyMicros,
		})
	}
	if len(a.Items.Scores) > 0 {
		w.Items, w.Truncated = a.Items.toWire()
	}
	return w
}

// PartialResult is one component's result, in time (PhaseOnline) or after the answer (PhaseMature). It must not be
// changed after it was emitted.
type PartialResult struct {
	QueryID, Component, Server string
	Phase                      wire.PhaseProto
	CompletedAtMillis          int64
	LatencyMicros              int64
	Items                      Items
	// The start of the query, as its answer has it.
	StartedAtMillis int64
}

func (p *PartialResult) toWire(service string) *wire.PartialResultProto {
	w := &wire.PartialResultProto{
		Service: service, QueryId: identifier(p.QueryID), Component: cleaned(p.Component), Server: cleaned(p.Server),
		Phase: p.Phase, CompletedAtMillis: p.CompletedAtMillis, LatencyMicros: p.LatencyMicros,
		StartedAtMillis: p.StartedAtMillis,
	}
	w.Items, w.Truncated = p.Items.toWire()
	return w
}
