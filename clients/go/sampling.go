package kipimo

import (
	"fmt"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
)

const (
	randomnessRange   = uint64(1) << 56
	explorationSalt   = uint64(0x4578706C6F726521) // "Explore!" in ASCII
	propagationMillis = 5_000
	keptDecisions     = 64
)

func isTraceID(id string) bool {
	if len(id) != 32 {
		return false
	}
	zero := true
	for i := 0; i < len(id); i++ {
		c := id[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
		zero = zero && c == '0'
	}
	return !zero
}

// Randomness is R of a query id, 0..2^56-1. Rule and vectors: clients/vectors/sampling.json.
func Randomness(queryID string) uint64 {
	if isTraceID(queryID) {
		// Fourteen hexadecimal digits always parse.
		r, _ := strconv.ParseUint(queryID[18:], 16, 64)
		return r
	}
	return hash(queryID, 0) & (randomnessRange - 1)
}

// Threshold is T of a rate, 0..2^56. A rate outside of 0..1 is an error.
func Threshold(rate float64) (uint64, error) {
	if !(rate >= 0 && rate <= 1) {
		return 0, fmt.Errorf("sampling rate is %v; allowed: 0..1", rate)
	}
	scaled := rate * float64(randomnessRange)
	whole := math.Floor(scaled)
	t := uint64(whole)
	if scaled-whole >= 0.5 {
		t++
	}
	return randomnessRange - t, nil
}

// IsSampled reports whether a query is sampled at a rate; false for a rate outside of 0..1.
func IsSampled(queryID string, rate float64) bool {
	t, err := Threshold(rate)
	return err == nil && Randomness(queryID) >= t
}

// ExplorationRandomness is R' of a query id, 0..2^56-1. Rule and vectors: clients/vectors/exploration.json.
func ExplorationRandomness(queryID string) uint64 {
	return hash(queryID, explorationSalt) & (randomnessRange - 1)
}

// IsExplored reports whether a query is always asked in full, and always sampled; false for a share outside of 0..1.
func IsExplored(queryID string, share float64) bool {
	t, err := Threshold(share)
	return err == nil && ExplorationRandomness(queryID) >= t
}

// SamplingRates has the rate for queries by their start. All emitters of a service must agree on it.
type SamplingRates struct {
	initial   float64
	mutex     sync.Mutex
	decisions atomic.Pointer[[]Decision]
}

// NewSamplingRates starts with the rate that applies without a decision, 0..1.
func NewSamplingRates(initial float64) *SamplingRates {
	return &SamplingRates{initial: initial}
}

func (r *SamplingRates) known() []Decision {
	if d := r.decisions.Load(); d != nil {
		return *d
	}
	return nil
}

// Accept applies a newer decision that is not in shadow mode and ignores others.
func (r *SamplingRates) Accept(decision Decision) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known := r.known()
	if !decision.isEffective() || len(known) > 0 && !decision.isNewerThan(known[len(known)-1]) {
		return
	}
	var next []Decision
	for _, d := range known {
		if d.IssuedAtMillis < decision.IssuedAtMillis {
			next = append(next, d)
		}
	}
	next = append(next, decision)
	next = next[max(0, len(next)-keptDecisions):]
	r.decisions.Store(&next)
}

// RateAt is the rate for a query by its start, 0..1.
func (r *SamplingRates) RateAt(startedAtMillis int64) float64 {
	if d := r.inForceAt(startedAtMillis); d != nil {
		return d.Value
	}
	return r.initial
}

// IsScarceAt reports whether measuring is at its budget, so that only degraded answers send their results.
func (r *SamplingRates) IsScarceAt(startedAtMillis int64) bool {
	d := r.inForceAt(startedAtMillis)
	return d != nil && (d.Reason == "BUDGET_SPENT" || d.Reason == "EXTRA_LOAD")
}

func (r *SamplingRates) inForceAt(startedAtMillis int64) *Decision {
	known := r.known()
	for i := len(known) - 1; i >= 0; i-- {
		d := &known[i]
		if startedAtMillis >= d.IssuedAtMillis+propagationMillis {
			if startedAtMillis < d.ValidUntilMillis+propagationMillis {
				return d
			}
			return nil
		}
	}
	return nil
}
