package kipimo

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/kipimo/kipimo/clients/go/wire"
)

func TestCostsAreThoseOfTheVectors(t *testing.T) {
	var vectors struct {
		Bins []struct {
			Cost float64
			Bin  int32
		}
		Fractions []struct {
			CostOrder                      [][2]float64
			Value, InForce, Cost, Fraction float64
		}
	}
	data, err := os.ReadFile("../vectors/costs.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Bins) == 0 || len(vectors.Fractions) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range vectors.Bins {
		if bin := costBin(v.Cost); bin != v.Bin {
			t.Errorf("bin of %v is %d; want %d", v.Cost, bin, v.Bin)
		}
	}
	for _, v := range vectors.Fractions {
		d := &Decision{Value: v.Value}
		for _, step := range v.CostOrder {
			d.costOrder = append(d.costOrder, costStep{step[0], step[1]})
		}
		if got := d.fractionOf(v.InForce, v.Cost); got != v.Fraction {
			t.Errorf("%+v: fraction is %v", v, got)
		}
	}
}

func TestAQueryOfUnknownCostIsAdmittedAsWithoutOne(t *testing.T) {
	now := int64(1_000_000)
	clock := func() int64 { return now }
	a := newAdmission("shop", []Class{{"low", Sheddable(0.02)}}, clock, clock)
	a.offer(Decision{
		"admission", "shop/low", 1, 1, now, now, now + 60_000, 0.5, 2, "STEP", true,
		[]costStep{{10, 1}, {100, 0}},
	})
	now += 10_000
	for i := range 200 {
		id := fmt.Sprintf("query-%d", i)
		if !a.AdmitsByCost("low", id, 9.9) || a.AdmitsByCost("low", id, 1_000) {
			t.Fatalf("%s is not admitted by its cost", id)
		}
		for _, unknown := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			if a.AdmitsByCost("low", id, unknown) != a.Admits("low", id) {
				t.Fatalf("%s at cost %v is not admitted as without it", id, unknown)
			}
		}
	}
	if !a.AdmitsByCost("undeclared", "q", 1_000) {
		t.Error("an undeclared class is shed")
	}
}

func TestQueriesOfAPredictedCostAreCountedByItsRange(t *testing.T) {
	var published []*wire.ObservationProto
	config, err := Config{Service: "shop", Server: "f", Classes: []Class{{"low", All}}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	m := newMeter(config, func(string) float64 { return 1 }, func() (int64, int64) { return 0, 0 },
		func(w *wire.ObservationProto) { published = append(published, w) }, 0)
	m.OfferedAtCost("low", 4)
	m.OfferedAtCost("low", 4.1)
	m.OfferedAtCost("low", math.NaN())
	m.Offered("low")
	m.AnsweredAtCost("low", []Invocation{{"a", InTime, 10_000}, {"b", TimedOut, 50_000}}, 0, nil, 4)
	m.publishClosedSeconds(1_000)
	costs := published[0].Costs
	if len(costs) != 1 || costs[0].Bin != 8 || costs[0].Offered != 2 || costs[0].Answered != 1 ||
		costs[0].WorkMicros != 60_000 || published[0].Offered != 4 {
		t.Errorf("counted %v of %d", costs, published[0].Offered)
	}
}
