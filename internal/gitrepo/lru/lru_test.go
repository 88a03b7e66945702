package lru

import (
	"math/rand/v2"
	"testing"
)

func TestTheValuesUsedLastStay(t *testing.T) {
	c := New[int, string](4 * (10 + entryBytes))
	for key := range 4 {
		c.Put(key, "value", 10)
	}
	c.Get(0)
	c.Put(4, "value", 10) // 1 is the oldest now
	for key, want := range map[int]bool{0: true, 1: false, 2: true, 3: true, 4: true} {
		if _, ok := c.Get(key); ok != want {
			t.Errorf("%d is there: %v, want %v", key, ok, want)
		}
	}
}

func TestAValueOfMoreThanHalfIsNotKept(t *testing.T) {
	c := New[int, int](10_000)
	c.Put(1, 1, 10)
	c.Put(2, 2, 5_001)
	if _, ok := c.Get(2); ok || c.Len() != 1 {
		t.Errorf("kept: %v, of %d", ok, c.Len())
	}
}

func TestTheFirstValueOfAKeyStays(t *testing.T) {
	c := New[string, int](10_000)
	c.Put("a", 1, 10)
	c.Put("a", 2, 10)
	if got, _ := c.Get("a"); got != 1 || c.Bytes() != 10+entryBytes {
		t.Errorf("got %d in %d bytes", got, c.Bytes())
	}
}

func TestTheLimitHoldsWhateverIsAsked(t *testing.T) {
	const limit = 20_000
	c := New[int, int](limit)
	random := rand.New(rand.NewPCG(1, 1))
	found := 0
	for range 20_000 {
		key := random.IntN(300)
		if got, ok := c.Get(key); ok {
			found++
			if got != key {
				t.Fatalf("%d has the value %d", key, got)
			}
		}
		c.Put(key, key, random.IntN(2_000))
		if c.Bytes() > limit || c.Len()*entryBytes > c.Bytes() {
			t.Fatalf("%d values take %d bytes", c.Len(), c.Bytes())
		}
	}
	n := 0
	for at := c.newest; at != nil; at = at.older {
		n++
	}
	if n != c.Len() || found == 0 {
		t.Errorf("the list has %d of %d values; %d were found", n, c.Len(), found)
	}
}
