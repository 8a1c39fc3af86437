package kipimo

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	admissionSalt      = uint64(0x4B69_7069_0000_0000)
	hourMillis         = 3_600_000
	slewUpPerSecond    = 0.1
	slewDownPerSecond  = 0.5
	maximumAgeMillis   = 300_000
	longestLeaseMillis = 3_600_000
	decayMillis        = 60_000
	startLeaseMillis   = 60_000
)

// Admits reports whether a query is admitted in the hour of epochMillis. Rule and vectors:
// clients/vectors/admission.json.
func Admits(queryID string, fraction float64, epochMillis int64) bool {
	if fraction >= 1 {
		return true
	}
	seed := admissionSalt + uint64(floorDiv(epochMillis, hourMillis))
	return float64(hash(queryID, seed)>>11)*0x1p-53 < fraction
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// ClassDefaults bound one class for every decision: 0 < Floor <= SafeFraction <= Ceiling <= 1.
type ClassDefaults struct {
	SafeFraction, Floor, Ceiling float64
}

// All admits everything, also under a lower decision.
var All = ClassDefaults{1, 1, 1}

// Sheddable admits everything without a decision, and the decided fraction, at least floor, with one.
func Sheddable(floor float64) ClassDefaults {
	return ClassDefaults{1, floor, 1}
}

func (d ClassDefaults) check() error {
	if !(d.Floor > 0 && d.Floor <= d.SafeFraction && d.SafeFraction <= d.Ceiling && d.Ceiling <= 1) {
		return fmt.Errorf("%+v; allowed: 0 < Floor <= SafeFraction <= Ceiling <= 1", d)
	}
	return nil
}

type taken struct {
	start, target                                float64
	validUntilMillis, takenAtMillis, leaseMillis int64
	decision                                     *Decision
}

type gate struct {
	defaults ClassDefaults
	taken    atomic.Pointer[taken]
}

// Admission holds the admitted fraction in force of each class. Reads take no lock.
type Admission struct {
	service         string
	gates           map[string]*gate
	wall, monotonic func() int64
	mutex           sync.Mutex
	refusals        map[string]int64
}

func newAdmission(service string, classes []Class, wall, monotonic func() int64) *Admission {
	a := &Admission{
		service: service, gates: map[string]*gate{}, wall: wall, monotonic: monotonic,
		refusals: map[string]int64{},
	}
	for _, c := range classes {
		g := &gate{defaults: c.Defaults}
		// No decision yet shows neither overload nor a lost controller.
		g.taken.Store(&taken{
			start: c.Defaults.Ceiling, target: c.Defaults.Ceiling,
			validUntilMillis: wall() + startLeaseMillis, takenAtMillis: monotonic(), leaseMillis: startLeaseMillis,
		})
		a.gates[c.Name] = g
	}
	return a
}

// Admits reports whether a query is admitted; the same for one id for about an hour. An undeclared class is admitted.
func (a *Admission) Admits(queryClass, queryID string) bool {
	return Admits(queryID, a.Fraction(queryClass), a.wall())
}

// AdmitsByCost is Admits, given the predicted cost of the query: any number that grows with its work, in the same unit in
// all front ends. If the policy's cost_order is above 0, the costliest queries of the class are shed first. A cost that is
// not finite and above 0 is unknown.
func (a *Admission) AdmitsByCost(queryClass, queryID string, cost float64) bool {
	inForce := a.Fraction(queryClass)
	if g := a.gates[queryClass]; g != nil {
		inForce = g.taken.Load().decision.fractionOf(inForce, cost)
	}
	return Admits(queryID, inForce, a.wall())
}

// Fraction is the admitted fraction in force, 0..1; 1 of an undeclared class.
func (a *Admission) Fraction(queryClass string) float64 {
	g := a.gates[queryClass]
	if g == nil {
		return 1
	}
	t := g.taken.Load()
	since := max(0, a.monotonic()-t.takenAtMillis)
	overdue := max(a.wall()-t.validUntilMillis, since-t.leaseMillis)
	seconds := float64(max(0, since-max(0, overdue))) / 1000.0
	low := t.start - float64(slewDownPerSecond*seconds)
	high := t.start + float64(slewUpPerSecond*seconds)
	leased := max(low, min(high, t.target))
	if overdue <= 0 {
		return leased
	}
	safe := g.defaults.SafeFraction
	if overdue >= decayMillis {
		return safe
	}
	return leased + float64((safe-leased)*(float64(overdue)/decayMillis))
}

// InForce is the decision behind the fraction in force; nil without one, or after its lease.
func (a *Admission) InForce(queryClass string) *Decision {
	g := a.gates[queryClass]
	if g == nil {
		return nil
	}
	if d := g.taken.Load().decision; d != nil && a.wall() < d.ValidUntilMillis {
		return d
	}
	return nil
}

// Refusals counts decisions for this service that were refused, by reason.
func (a *Admission) Refusals() map[string]int64 {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return maps.Clone(a.refusals)
}

func (a *Admission) unreadable() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.refusals["UNREADABLE"]++
}

func (a *Admission) offer(d Decision) {
	service, class, ok := strings.Cut(d.Scope, "/")
	if !ok || service != a.service {
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	g := a.gates[class]
	if refusal := a.refusal(g, d); refusal != "" {
		a.refusals[refusal]++
		switch {
		case refusal == "EXPIRED":
			g.ended(d)
		case refusal == "SHADOW" && g.taken.Load().decision == nil:
			// It prolongs the start: a controller is there, and is asked to change nothing.
			start := a.leased(g, class, d)
			start.target, start.decision = g.defaults.Ceiling, nil
			g.taken.Store(start)
		}
		return
	}
	g.taken.Store(a.leased(g, class, d))
}

func (a *Admission) leased(g *gate, class string, d Decision) *taken {
	return &taken{
		start:            a.Fraction(class),
		target:           max(g.defaults.Floor, min(g.defaults.Ceiling, d.Value)),
		validUntilMillis: d.ValidUntilMillis,
		takenAtMillis:    a.monotonic(),
		leaseMillis:      min(d.ValidUntilMillis-d.IssuedAtMillis, longestLeaseMillis),
		decision:         &d,
	}
}

// ended takes note of a decision whose lease has ended: before the first applied one it shows, if it shed, that
// control was lost.
func (g *gate) ended(d Decision) {
	t := *g.taken.Load()
	if t.decision != nil || !d.isEffective() {
		return
	}
	value := g.defaults.Ceiling
	if d.Value < value {
		value = g.defaults.SafeFraction
	}
	t.start, t.target = value, value
	g.taken.Store(&t)
}

func (a *Admission) refusal(g *gate, d Decision) string {
	now := a.wall()
	switch {
	case g == nil:
		return "OTHER_SCOPE"
	case d.Controller != "admission":
		return "OTHER_CONTROLLER"
	case !d.possible:
		return "IMPOSSIBLE"
	}
	before := g.taken.Load().decision
	switch {
	case before != nil && !d.isNewerThan(*before):
		return "NOT_NEWER"
	case now >= d.ValidUntilMillis:
		return "EXPIRED"
	case now-d.AsOfMillis > maximumAgeMillis:
		return "STALE"
	case !d.isEffective():
		return "SHADOW"
	}
	return ""
}
