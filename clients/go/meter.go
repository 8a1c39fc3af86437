package kipimo

import (
	"slices"
	"strings"
	"sync"

	"github.com/kipimo/kipimo/clients/go/wire"
)

const (
	maximumSeconds    = 60
	maximumComponents = 10_000
	maximumVariants   = 8
	otherVariants     = "other"
	// Bytes of the components' names with those of their counts: a record has each name up to three times, and fits
	// into Kafka's default of 1 MiB.
	maximumComponentBytes = 300_000
	countBytes            = 16
)

// componentCount has, in missing, the measurable answers that lacked the component, and in notAsked those that did not
// ask it.
type componentCount struct{ invoked, timedOut, missing, notAsked int64 }

type costCount struct{ offered, answered, workMicros int64 }

type classCounts struct {
	mutex                                         sync.Mutex
	offered, rejected, answered, timedOut         int64
	lateResults, lateWorkMicros, answerWorkMicros int64
	notAsked                                      int64
	notAskedLoss                                  float64
	listed, empty                                 int64
	components                                    map[string]*componentCount
	componentBytes                                int
	// By range of predicted cost.
	costs        map[int32]*costCount
	unmeasurable map[wire.UnmeasurableProto]int64
}

// Meter counts all queries, sampled or not, and publishes one observation a second and class. Counts of an undeclared
// class are ignored. Names of components that readers refuse are cleaned; a component without a name, and those beyond
// 10,000 or 300 kB of names, are not counted. An instance that serves several variants counts each with its own meter, see OfVariant.
type Meter struct {
	service, tier, server string
	variant               string
	variants              *meters
	names                 []string
	classes               map[string]*classCounts
	fraction              func(string) float64
	emitted               func() (bytes, dropped int64)
	publish               func(*wire.ObservationProto)

	// Of the goroutine that publishes.
	nextSecond                 int64
	bytesBefore, droppedBefore int64
}

// meters of all variants of an instance.
type meters struct {
	mutex sync.Mutex
	all   []*Meter
}

func newMeter(
	config Config, fraction func(string) float64, emitted func() (int64, int64),
	publish func(*wire.ObservationProto), nowMillis int64,
) *Meter {
	m := &Meter{
		service: config.Service, tier: config.Tier, server: config.Server,
		variant: config.Variant, variants: &meters{},
		fraction: fraction, emitted: emitted,
		publish: publish, nextSecond: floorDiv(nowMillis, 1000),
	}
	for _, c := range config.Classes {
		m.names = append(m.names, c.Name)
	}
	m.declare()
	m.variants.all = []*Meter{m}
	return m
}

func (m *Meter) declare() {
	m.classes = map[string]*classCounts{}
	for _, name := range m.names {
		m.classes[name] = &classCounts{
			components: map[string]*componentCount{}, unmeasurable: map[wire.UnmeasurableProto]int64{},
			costs: map[int32]*costCount{},
		}
	}
}

// Variant that this meter counts; empty: none.
func (m *Meter) Variant() string { return m.variant }

// OfVariant is the meter of a variant, for an instance that serves several, such as the arms of an experiment. Give the
// answers of its queries its Variant. Names beyond eight, and what is no name, count as other.
func (m *Meter) OfVariant(name string) *Meter {
	m.variants.mutex.Lock()
	defer m.variants.mutex.Unlock()
	if known := m.variants.find(name); known != nil {
		return known
	}
	if len(m.variants.all) >= maximumVariants || !isName(name) {
		name = otherVariants
		if known := m.variants.find(name); known != nil {
			return known
		}
	}
	made := &Meter{
		service: m.service, tier: m.tier, server: m.server, variant: name, variants: m.variants,
		names: m.names, fraction: m.fraction, emitted: m.emitted, publish: m.publish,
	}
	made.declare()
	m.variants.all = append(m.variants.all, made)
	return made
}

func (v *meters) find(name string) *Meter {
	if i := slices.IndexFunc(v.all, func(m *Meter) bool { return m.variant == name }); i >= 0 {
		return v.all[i]
	}
	return nil
}

func (m *Meter) count(queryClass string, change func(*classCounts)) {
	if c := m.classes[queryClass]; c != nil {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		change(c)
	}
}

// Offered counts a query that asked to be admitted.
func (m *Meter) Offered(queryClass string) {
	m.count(queryClass, func(c *classCounts) { c.offered++ })
}

// OfferedAtCost is Offered, with the cost that AdmitsByCost was given.
func (m *Meter) OfferedAtCost(queryClass string, cost float64) {
	m.count(queryClass, func(c *classCounts) {
		c.offered++
		if isCost(cost) {
			c.cost(cost).offered++
		}
	})
}

func (c *classCounts) cost(cost float64) *costCount {
	bin := costBin(cost)
	if c.costs[bin] == nil {
		c.costs[bin] = &costCount{}
	}
	return c.costs[bin]
}

// Rejected counts a query that was shed.
func (m *Meter) Rejected(queryClass string) {
	m.count(queryClass, func(c *classCounts) { c.rejected++ })
}

// Answered counts an answer. The reason is 0 if the quality can be measured.
func (m *Meter) Answered(queryClass string, invocations []Invocation, reason wire.UnmeasurableProto) {
	m.AnsweredInPart(queryClass, invocations, reason, nil)
}

// AnsweredInPart counts an answer that may not have asked some components. The loss is as in Answer; if it is nil and a
// component was not asked, the answer counts as wholly lost.
func (m *Meter) AnsweredInPart(
	queryClass string, invocations []Invocation, reason wire.UnmeasurableProto, notAskedLoss *float64,
) {
	m.AnsweredAtCost(queryClass, invocations, reason, notAskedLoss, 0)
}

// AnsweredAtCost is AnsweredInPart, with the cost that OfferedAtCost was given. What the components took is the work of
// queries of this cost.
func (m *Meter) AnsweredAtCost(
	queryClass string, invocations []Invocation, reason wire.UnmeasurableProto, notAskedLoss *float64, cost float64,
) {
	m.count(queryClass, func(c *classCounts) {
		asked := func(i Invocation) bool { return i.Outcome != OutcomeNotAsked }
		if reason == 0 && !slices.ContainsFunc(invocations, asked) {
			reason = NoComponents
		}
		degraded, trimmed := false, false
		workBefore := c.answerWorkMicros
		for _, i := range invocations {
			degraded = degraded || isLate(i.Outcome)
			trimmed = trimmed || !asked(i)
			c.answerWorkMicros += work(i.LatencyMicros)
			component := c.component(i.Component)
			if component == nil {
				continue
			}
			if !asked(i) {
				if reason == 0 {
					component.notAsked++
				}
				continue
			}
			component.invoked++
			if i.Outcome == TimedOut {
				component.timedOut++
			}
			if isLate(i.Outcome) && reason == 0 {
				component.missing++
			}
		}
		if trimmed && reason == 0 {
			c.notAsked++
			if notAskedLoss == nil || !isFraction(*notAskedLoss) {
				c.notAskedLoss++
			} else {
				c.notAskedLoss += *notAskedLoss
			}
		}
		if reason != 0 {
			c.unmeasurable[reason]++
		} else if degraded {
			c.timedOut++
		}
		if isCost(cost) {
			ofCost := c.cost(cost)
			ofCost.answered++
			ofCost.workMicros += c.answerWorkMicros - workBefore
		}
		c.answered++
	})
}

// component is nil if it has no name, or there are too many, because the number of names from requests is bounded.
func (c *classCounts) component(name string) *componentCount {
	if known := c.components[name]; known != nil {
		return known
	}
	name = cleaned(name)
	known, size := c.components[name], countBytes+len(name)
	if known == nil && name != "" && len(c.components) < maximumComponents &&
		size <= maximumComponentBytes-c.componentBytes {
		c.componentBytes += size
		known = &componentCount{}
		c.components[name] = known
	}
	return known
}

// work is at most ten days.
func work(micros int64) int64 { return max(0, min(longestMicros, micros)) }

// Listed counts an answer whose list was read, for the rate of answers without any item. Call it for all answers whose
// list is known, or for a random sample of them, never for only those that lack something.
func (m *Meter) Listed(queryClass string, items int) {
	m.count(queryClass, func(c *classCounts) {
		c.listed++
		if items == 0 {
			c.empty++
		}
	})
}

// LateResult counts a late result that was needed only for measuring; workMicros is its time after the deadline.
func (m *Meter) LateResult(queryClass string, workMicros int64) {
	m.count(queryClass, func(c *classCounts) {
		c.lateResults++
		c.lateWorkMicros += work(workMicros)
	})
}

// publishClosedSeconds is called by one goroutine at a time. Counts since the last call belong to the newest
// second.
func (m *Meter) publishClosedSeconds(nowMillis int64) {
	open := floorDiv(nowMillis, 1000)
	for second := max(m.nextSecond, open-maximumSeconds); second < open; second++ {
		newest := second == open-1
		var bytes, dropped int64
		if newest {
			bytesNow, droppedNow := m.emitted()
			bytes, dropped = bytesNow-m.bytesBefore, droppedNow-m.droppedBefore
			m.bytesBefore, m.droppedBefore = bytesNow, droppedNow
		}
		m.variants.mutex.Lock()
		all := slices.Clone(m.variants.all)
		m.variants.mutex.Unlock()
		for _, ofVariant := range all {
			for _, name := range m.names {
				w := &wire.ObservationProto{
					Service: m.service, Tier: m.tier, Server: m.server, QueryClass: name,
					Variant: ofVariant.variant, SecondMillis: second * 1000,
					EmittedBytes: bytes, DroppedEvents: dropped, AdmittedFraction: m.fraction(name),
				}
				// The emitter serves all classes; its costs are attributed to the first one.
				bytes, dropped = 0, 0
				if newest {
					ofVariant.classes[name].take(w)
				}
				m.publish(w)
			}
		}
	}
	m.nextSecond = max(m.nextSecond, open)
}

func (c *classCounts) take(w *wire.ObservationProto) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	// A part never exceeds its whole: a query offered before and rejected now counts in the next second.
	w.Offered, w.Rejected = c.offered, min(c.rejected, c.offered)
	w.Answered, w.TimedOut = c.answered, c.timedOut
	w.LateResults, w.LateWorkMicros = c.lateResults, min(largestCount, c.lateWorkMicros)
	w.AnswerWorkMicros = min(largestCount, c.answerWorkMicros)
	w.NotAsked, w.NotAskedLossSum = c.notAsked, min(c.notAskedLoss, float64(c.notAsked))
	c.notAsked, c.notAskedLoss = 0, 0
	// A list that was counted before its answer left counts with it.
	w.Listed = min(c.listed, w.Answered)
	w.Empty = min(c.empty, w.Listed)
	c.listed, c.empty = c.listed-w.Listed, c.empty-w.Empty
	c.rejected -= w.Rejected
	c.offered, c.answered, c.timedOut = 0, 0, 0
	c.lateResults, c.lateWorkMicros, c.answerWorkMicros = 0, 0, 0
	for name, count := range c.components {
		w.Components = append(w.Components, &wire.ComponentCountProto{
			Component: name, Invoked: count.invoked, TimedOut: count.timedOut,
		})
		// A component that an answer names twice counts once.
		if missing := min(count.missing, w.TimedOut); missing > 0 {
			w.Missing = append(w.Missing, &wire.MissingCountProto{Component: name, Answers: missing})
		}
		if notAsked := min(count.notAsked, w.NotAsked); notAsked > 0 {
			w.NotAskedComponents = append(
				w.NotAskedComponents, &wire.MissingCountProto{Component: name, Answers: notAsked})
		}
		*count = componentCount{}
	}
	slices.SortFunc(w.Components, func(a, b *wire.ComponentCountProto) int {
		return strings.Compare(a.Component, b.Component)
	})
	slices.SortFunc(w.Missing, func(a, b *wire.MissingCountProto) int {
		return strings.Compare(a.Component, b.Component)
	})
	slices.SortFunc(w.NotAskedComponents, func(a, b *wire.MissingCountProto) int {
		return strings.Compare(a.Component, b.Component)
	})
	for bin, count := range c.costs {
		// An answer may leave in a later second than its query came; a part never exceeds its whole.
		w.Costs = append(w.Costs, &wire.CostCountProto{
			Bin: bin, Offered: min(count.offered, w.Offered), Answered: min(count.answered, w.Answered),
			WorkMicros: min(largestCount, count.workMicros),
		})
	}
	clear(c.costs)
	slices.SortFunc(w.Costs, func(a, b *wire.CostCountProto) int { return int(a.Bin - b.Bin) })
	for reason := NoComponents; reason <= lastReason; reason++ {
		if answers := c.unmeasurable[reason]; answers > 0 {
			w.Unmeasurable = append(w.Unmeasurable, &wire.UnmeasurableCountProto{Reason: reason, Answers: answers})
		}
	}
	clear(c.unmeasurable)
}
