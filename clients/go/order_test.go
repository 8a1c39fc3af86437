package kipimo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOrderVectors(t *testing.T) {
	file := load[struct {
		Vectors []struct{ Scores, InOrder []float32 }
	}](t, "order.json")
	for _, row := range file.Vectors {
		items, err := Items{Scores: row.Scores}.InOrder()
		if err != nil || !slices.Equal(items.Scores, row.InOrder) {
			t.Errorf("%+v: %v %v", row, items.Scores, err)
		}
	}
}

func TestScoresFallAsScoresAndThenPlacesDo(t *testing.T) {
	few := []float32{1, math.Nextafter32(1, 0), 0, math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32}
	random := rand.New(rand.NewPCG(20261126, 0))
	for range 2000 {
		scores := make([]float32, random.IntN(30))
		places := make([]int, len(scores))
		for n := range scores {
			scores[n], places[n] = few[random.IntN(len(few))], n
		}
		items, err := Items{Scores: scores}.InOrder()
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(places, func(a, b int) int {
			if scores[a] > scores[b] {
				return -1
			}
			if scores[a] < scores[b] {
				return 1
			}
			return 0
		})
		for rank := 1; rank < len(places); rank++ {
			if !(items.Scores[places[rank]] < items.Scores[places[rank-1]]) {
				t.Fatalf("%v becomes %v", scores, items.Scores)
			}
		}
	}
	if _, err := (Items{Scores: []float32{float32(math.NaN())}}).InOrder(); err == nil {
		t.Error("NaN is a score")
	}
}
