package kipimo

import (
	"errors"
	"math"

	"github.com/cespare/xxhash/v2"
	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

const (
	largestCount = int64(1) << 53
	latestMillis = int64(7_258_118_400_000)
)

var errUnreadable = errors.New("no valid message of the topic")

// Decision is a controller's decision; topics admission and sampling.
type Decision struct {
	Controller, Scope                            string
	Epoch, Sequence                              int64
	IssuedAtMillis, AsOfMillis, ValidUntilMillis int64
	Value                                        float64
	Mode                                         wire.DecisionModeProto
	Reason                                       string
	possible                                     bool
	costOrder                                    []costStep
}

func (d Decision) isEffective() bool {
	return d.Mode != wire.DecisionModeProto_SHADOW
}

func (d Decision) isNewerThan(other Decision) bool {
	return d.Epoch > other.Epoch || d.Epoch == other.Epoch && d.Sequence > other.Sequence
}

func isFraction(value float64) bool {
	return !math.IsNaN(value) && value >= 0 && value <= 1
}

func isCount(value int64) bool {
	return value >= 0 && value < largestCount
}

// decisionOf refuses the same records as the Java codec.
func decisionOf(w *wire.DecisionProto) (Decision, error) {
	ok := w.Controller != "" && w.Scope != "" && w.Reason != "" &&
		w.Mode >= 1 && w.Mode <= 4 && w.Samples >= 0 &&
		w.IssuedAtMillis >= 1 && w.IssuedAtMillis <= latestMillis &&
		w.ValidUntilMillis >= w.IssuedAtMillis
	for _, f := range []float64{w.Value, w.Previous, w.Measured, w.Low, w.High, w.Objective} {
		ok = ok && isFraction(f)
	}
	possible := isCount(w.ValidUntilMillis)
	for _, c := range []int64{w.Epoch, w.Sequence, w.ConfigVersion, w.AsOfMillis} {
		ok = ok && c >= 0 && c <= largestCount
		possible = possible && isCount(c)
	}
	var order []costStep
	for _, step := range w.CostOrder {
		ok = ok && isCost(step.UpTo) && isFraction(step.Fraction)
		order = append(order, costStep{step.UpTo, step.Fraction})
	}
	if !ok {
		return Decision{}, errUnreadable
	}
	return Decision{
		w.Controller, w.Scope, w.Epoch, w.Sequence, w.IssuedAtMillis, w.AsOfMillis,
		w.ValidUntilMillis, w.Value, w.Mode, w.Reason, possible, order,
	}, nil
}

func parseDecision(record []byte) (Decision, error) {
	w := &wire.DecisionProto{}
	if err := proto.Unmarshal(record, w); err != nil {
		return Decision{}, err
	}
	return decisionOf(w)
}

// hash is xxHash64 of a text's UTF-8 bytes.
func hash(text string, seed uint64) uint64 {
	if seed == 0 {
		return xxhash.Sum64String(text)
	}
	var d xxhash.Digest
	d.ResetWithSeed(seed)
	// A digest's Write returns no error.
	_, _ = d.WriteString(text)
	return d.Sum64()
}
