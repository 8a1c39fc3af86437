package kipimo

import "math"

// isCost reports whether a predicted cost is one: finite and above 0.
func isCost(cost float64) bool { return cost > 0 && cost <= math.MaxFloat64 }

// costBin is the range of a known cost: floor(4 log2(cost)), within -200..200. Vectors: clients/vectors/costs.json.
func costBin(cost float64) int32 {
	return int32(max(-mostCostBin, min(mostCostBin, math.Floor(4*math.Log(cost)/math.Log(2)))))
}

// costStep is the admitted fraction of queries with a predicted cost below upTo.
type costStep struct{ upTo, fraction float64 }

// fractionOf is the admitted fraction of a query with this predicted cost. The order of a decision applies only while
// the decided fraction is in force: not while it is approached, not after the lease.
func (d *Decision) fractionOf(inForce, cost float64) float64 {
	if d == nil || len(d.costOrder) == 0 || inForce != d.Value || !isCost(cost) {
		return inForce
	}
	for _, step := range d.costOrder {
		if cost < step.upTo {
			return step.fraction
		}
	}
	return d.costOrder[len(d.costOrder)-1].fraction
}
