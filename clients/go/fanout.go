package kipimo

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

const (
	fnvOffset = uint64(0xCBF29CE484222325)
	fnvPrime  = uint64(0x100000001B3)
	rowFactor = uint64(0x9E3779B97F4A7C15)

	mostPrice           = 1e6
	mostFanOut          = 1_000
	mostRowBits         = 17
	mostTableBytes      = 128 * 1024
	leastCost, mostCost = 0x1p-1022, 1e15
	mostLogit           = 1e6

	tenths         = 10
	leastChoices   = 200
	leastInTenth   = 30
	mostCorrected  = 0.25
	mostSumOfTenth = float64(largestCount)
)

// FeaturesOf has the 64-bit FNV-1a hashes of the first 64 texts in UTF-8, such as a query's terms.
func FeaturesOf(texts ...string) []uint64 {
	texts = texts[:min(MaximumFeatures, len(texts))]
	hashes := make([]uint64, len(texts))
	for i, text := range texts {
		h := fnvOffset
		for j := range len(text) {
			h = (h ^ uint64(text[j])) * fnvPrime
		}
		hashes[i] = h
	}
	return hashes
}

// FanOutReason is why a choice asks these components. All but FanOutChosen ask all.
type FanOutReason int

// Reasons.
const (
	// FanOutChosen: the others are expected to contribute less than they cost.
	FanOutChosen FanOutReason = iota
	// FanOutAllNeeded: all are needed for the floor, or worth their price.
	FanOutAllNeeded
	// FanOutOtherLayout: the model does not know these components.
	FanOutOtherLayout
	FanOutNoFeatures
	// FanOutNotCalibrated: the predictions were not tested enough, or promised too much.
	FanOutNotCalibrated
	FanOutNotPublished
	FanOutExpired
	FanOutOff
	// FanOutExplored: the query is one of those that are always asked in full.
	FanOutExplored
	// FanOutShadow: the model only advises.
	FanOutShadow
)

var fanOutReasons = [...]string{
	"CHOSEN", "ALL_NEEDED", "OTHER_LAYOUT", "NO_FEATURES", "NOT_CALIBRATED", "NOT_PUBLISHED", "EXPIRED", "OFF",
	"EXPLORED", "SHADOW",
}

func (r FanOutReason) String() string {
	return fanOutReasons[r]
}

// FanOutChoice has the components to ask, in the order in which they were given.
type FanOutChoice struct {
	Asked  []string
	Reason FanOutReason
	// Share of the full answer, 0..1, that the asked components are expected to have.
	ExpectedQuality float64
	// What would have been asked, if the reason is FanOutShadow; otherwise nil.
	Proposed *FanOutChoice
}

// Explored tells whether the query is always asked in full, so that its answer teaches the model.
func (c FanOutChoice) Explored() bool { return c.Reason == FanOutExplored }

// ExpectedLoss is the share of the full answer that is expected to be lost, 0..1.
func (c FanOutChoice) ExpectedLoss() float64 { return 1 - c.ExpectedQuality }

// NotAskedLoss is what an answer and the meter state; nil if all components are asked.
func (c FanOutChoice) NotAskedLoss() *float64 {
	if c.Reason != FanOutChosen {
		return nil
	}
	loss := c.ExpectedLoss()
	return &loss
}

func askAll(components []string, reason FanOutReason) FanOutChoice {
	return FanOutChoice{Asked: slices.Clone(components), Reason: reason, ExpectedQuality: 1}
}

// fanOutModel is immutable.
type fanOutModel struct {
	indices         map[string]int
	costs, bias     []float64
	allCosts        float64
	rowBits         uint
	step            float64
	table           []byte
	errors          [tenths]float64
	predictionsHold bool
}

func newFanOutModel(w *wire.ContributionTableProto) *fanOutModel {
	m := &fanOutModel{
		indices: map[string]int{}, costs: w.Costs, bias: w.Bias, rowBits: uint(w.RowBits), step: w.Step,
		table: w.Table, predictionsHold: true,
	}
	for i, name := range w.Components {
		m.indices[name] = i
		m.allCosts += w.Costs[i]
	}
	tested := 0.0
	for i := range tenths {
		tested += w.Tested[i]
		if w.Tested[i] >= leastInTenth {
			m.errors[i] = (w.Kept[i] - w.Predicted[i]) / w.Tested[i]
		}
		m.predictionsHold = m.predictionsHold && m.errors[i] >= -mostCorrected
	}
	m.predictionsHold = m.predictionsHold && tested >= leastChoices
	return m
}

func (m *fanOutModel) choose(features []uint64, components []string, price, floor float64) FanOutChoice {
	n := len(m.indices)
	if len(components) != n {
		return askAll(components, FanOutOtherLayout)
	}
	indices, listed := make([]int, n), make([]bool, n)
	for i, name := range components {
		index, known := m.indices[name]
		if !known || listed[index] {
			return askAll(components, FanOutOtherLayout)
		}
		indices[i], listed[index] = index, true
	}
	switch {
	case len(features) == 0:
		return askAll(components, FanOutNoFeatures)
	case !m.predictionsHold:
		return askAll(components, FanOutNotCalibrated)
	}
	shares := m.predict(features)
	isAsked, count, expected := make([]bool, n), 0, 0.0
	for _, c := range m.order(shares) {
		needed := count == 0 || m.corrected(expected) < floor
		if needed || shares[c] > price*m.costs[c]/m.allCosts {
			isAsked[c] = true
			expected += shares[c]
			count++
		}
	}
	if count == n {
		return askAll(components, FanOutAllNeeded)
	}
	asked := make([]string, 0, count)
	for i, name := range components {
		if isAsked[indices[i]] {
			asked = append(asked, name)
		}
	}
	return FanOutChoice{Asked: asked, Reason: FanOutChosen, ExpectedQuality: m.corrected(expected)}
}

// predict has the share of the full answer of each component.
func (m *fanOutModel) predict(features []uint64) []float64 {
	shares := slices.Clone(m.bias)
	n := len(shares)
	for _, feature := range features[:min(MaximumFeatures, len(features))] {
		row := int(feature*rowFactor>>(64-m.rowBits)) * n
		for c, weight := range m.table[row : row+n] {
			// The conversion keeps the product from being fused with the sum.
			shares[c] += float64(m.step * float64(int8(weight)))
		}
	}
	most, sum := slices.Max(shares), 0.0
	for c, logit := range shares {
		shares[c] = math.Exp(logit - most)
		sum += shares[c]
	}
	for c := range shares {
		shares[c] /= sum
	}
	return shares
}

// order has the greatest share first, then falling share for its cost.
func (m *fanOutModel) order(shares []float64) []int {
	order, best := make([]int, len(shares)), 0
	for c := range order {
		order[c] = c
		if shares[c] > shares[best] {
			best = c
		}
	}
	copy(order[1:], order[:best])
	order[0] = best
	slices.SortStableFunc(order[1:], func(a, b int) int {
		return cmp.Compare(shares[b]*m.costs[a], shares[a]*m.costs[b])
	})
	return order
}

func (m *fanOutModel) corrected(quality float64) float64 {
	tenth := max(0, min(tenths-1, int(quality*tenths)))
	return max(0, min(1, quality+m.errors[tenth]))
}

// publishedFanOut is a publication as a front end uses it; immutable.
type publishedFanOut struct {
	wire  *wire.FanOutPublicationProto
	model *fanOutModel
	price float64
}

func (p *publishedFanOut) explorationAt(millis int64) float64 {
	if p.model == nil || millis >= p.wire.ValidUntilMillis {
		return 0
	}
	return p.wire.Exploration
}

// choose decides first whether the query is explored, by its id alone.
func (p *publishedFanOut) choose(
	queryID string, features []uint64, components []string, nowMillis int64,
) FanOutChoice {
	switch {
	case nowMillis >= p.wire.ValidUntilMillis:
		return askAll(components, FanOutExpired)
	case p.model == nil:
		return askAll(components, FanOutOff)
	case IsExplored(queryID, p.wire.Exploration):
		return askAll(components, FanOutExplored)
	}
	choice := p.model.choose(features, components, p.price, p.wire.Floor)
	if p.wire.State == wire.FanOutStateProto_FAN_OUT_ON {
		return choice
	}
	shadow := askAll(components, FanOutShadow)
	shadow.Proposed = &choice
	return shadow
}

// FanOut follows the models of what components contribute. Any doubt asks all components. Reads take no lock.
type FanOut struct {
	service    string
	wall       func() int64
	newest     map[string]*atomic.Pointer[publishedFanOut]
	reasons    [len(fanOutReasons)]atomic.Int64
	unreadable atomic.Int64
	mutex      sync.Mutex
}

func newFanOut(service string, classes []Class, wall func() int64) *FanOut {
	f := &FanOut{service: service, wall: wall, newest: map[string]*atomic.Pointer[publishedFanOut]{}}
	for _, class := range classes {
		f.newest[class.Name] = &atomic.Pointer[publishedFanOut]{}
	}
	return f
}

func (f *FanOut) of(queryClass string) *publishedFanOut {
	if slot := f.newest[queryClass]; slot != nil {
		return slot.Load()
	}
	return nil
}

// Choose has the components to ask for a query. Features are the same as in the query's answer; components are all of
// the service, once each. Rule and vectors: clients/vectors/fan-out.json.
func (f *FanOut) Choose(queryClass, queryID string, features []uint64, components []string) FanOutChoice {
	var choice FanOutChoice
	if newest := f.of(queryClass); newest == nil {
		choice = askAll(components, FanOutNotPublished)
	} else {
		choice = newest.choose(queryID, features, components, f.wall())
	}
	f.reasons[choice.Reason].Add(1)
	return choice
}

// Reasons counts the choices of all classes.
func (f *FanOut) Reasons() map[FanOutReason]int64 {
	counts := map[FanOutReason]int64{}
	for reason := range f.reasons {
		if count := f.reasons[reason].Load(); count > 0 {
			counts[FanOutReason(reason)] = count
		}
	}
	return counts
}

// Publication is the newest one of a class, expired or not; nil: none came yet. It must not be changed.
func (f *FanOut) Publication(queryClass string) *wire.FanOutPublicationProto {
	if newest := f.of(queryClass); newest != nil {
		return newest.wire
	}
	return nil
}

// UnreadablePublications counts records that cannot be used, such as models with impossible numbers.
func (f *FanOut) UnreadablePublications() int64 {
	return f.unreadable.Load()
}

// explorationAt is the share of the queries that are explored, and so always sampled: the greatest of all classes,
// because a component does not know a query's class.
func (f *FanOut) explorationAt(startedAtMillis int64) float64 {
	most := 0.0
	for slot := range maps.Values(f.newest) {
		if p := slot.Load(); p != nil {
			most = max(most, p.explorationAt(startedAtMillis))
		}
	}
	return most
}

// offerRecord keeps a publication of this service unless it is older.
func (f *FanOut) offerRecord(record []byte) error {
	w := &wire.FanOutPublicationProto{}
	err := proto.Unmarshal(record, w)
	if err == nil && !isPublication(w) {
		err = errUnreadable
	}
	if err != nil {
		f.unreadable.Add(1)
		return err
	}
	slot := f.newest[w.QueryClass]
	if w.Service != f.service || slot == nil {
		return nil
	}
	p := &publishedFanOut{wire: w, price: w.Price}
	if w.Price == 0 {
		p.price = math.Inf(1)
	}
	if w.Model != nil {
		p.model = newFanOutModel(w.Model)
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if before := slot.Load(); before == nil || before.wire.Version <= w.Version {
		slot.Store(p)
	}
	return nil
}

// isPublication refuses the same records as the Java codec.
func isPublication(w *wire.FanOutPublicationProto) bool {
	off := wire.FanOutStateProto_FAN_OUT_OFF
	ok := isName(w.Service) && isName(w.QueryClass) && (w.Reason == "" || isText(w.Reason)) &&
		w.State >= wire.FanOutStateProto_FAN_OUT_ON && w.State <= off && (w.Model == nil) == (w.State == off) &&
		w.LearnedAtMillis >= 1 && w.ValidUntilMillis >= w.LearnedAtMillis && w.ValidUntilMillis <= latestMillis &&
		w.Version >= 0 && w.Version <= largestCount && w.Queries >= 0 && w.Queries <= largestCount &&
		w.Price >= 0 && w.Price <= mostPrice
	for _, f := range []float64{w.Floor, w.Exploration, w.Saving, w.Quality} {
		ok = ok && isFraction(f)
	}
	return ok && (w.Model == nil || isTable(w.Model))
}

func isTable(w *wire.ContributionTableProto) bool {
	n := len(w.Components)
	if n < 1 || n > mostFanOut || w.RowBits < 0 || w.RowBits > mostRowBits ||
		len(w.Table) > mostTableBytes || len(w.Table) != n<<w.RowBits {
		return false
	}
	names := map[string]bool{}
	for _, name := range w.Components {
		if names[name] || !isName(name) {
			return false
		}
		names[name] = true
	}
	return areWithin(w.Costs, n, leastCost, mostCost) && areWithin(w.Bias, n, -mostLogit, mostLogit) &&
		w.Step >= 0 && w.Step <= mostLogit && areWithin(w.Tested, tenths, 0, mostSumOfTenth) &&
		areWithin(w.Predicted, tenths, 0, mostSumOfTenth) && areWithin(w.Kept, tenths, 0, mostSumOfTenth)
}

// areWithin is false for NaN.
func areWithin(values []float64, size int, least, most float64) bool {
	outside := func(v float64) bool { return !(v >= least && v <= most) }
	return len(values) == size && !slices.ContainsFunc(values, outside)
}
