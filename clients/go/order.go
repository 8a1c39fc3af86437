package kipimo

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// InOrder returns the items of a list whose order counts: equal scores fall with the place. Otherwise equal scores rank
// by id. It fails if a score is not finite.
func (i Items) InOrder() (Items, error) {
	best := make([]int, len(i.Scores))
	for n, score := range i.Scores {
		if math.IsNaN(float64(score)) || math.IsInf(float64(score), 0) {
			return Items{}, fmt.Errorf("the score of item %d is %v; allowed: finite", n, score)
		}
		best[n] = n
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(i.Scores[b], i.Scores[a]) })
	last := float32(math.Inf(1))
	falling := make([]float32, len(best))
	for _, n := range best {
		last = min(i.Scores[n], math.Nextafter32(last, float32(math.Inf(-1))))
		falling[n] = last
	}
	if math.IsInf(float64(last), -1) {
		for rank, n := range best {
			falling[n] = 1 / float32(rank+1)
		}
	}
	return Items{Numbers: i.Numbers, Texts: i.Texts, Scores: falling}, nil
}
