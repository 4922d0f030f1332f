package broker

import "slices"

// chunkSize is how many items a sealed chunk of a chunked list has.
const chunkSize = 128

// chunked is a list that grows, and can be cut, at its end. Items never change once they are in it, so copies share the
// sealed chunks, and the items of the tail too: a copy's first append moves the tail elsewhere.
type chunked[T any] struct {
	sealed [][]T `clone:"shared"` // each of chunkSize items
	tail   []T   `clone:"shared"` // shorter than chunkSize
}

// clone returns a copy that can grow independently: its slices end where the room behind them, the original's, begins.
func (c chunked[T]) clone() chunked[T] {
	return chunked[T]{sealed: slices.Clip(c.sealed), tail: slices.Clip(c.tail)}
}

func (c *chunked[T]) append(item T) {
	c.tail = append(c.tail, item)
	if len(c.tail) == chunkSize {
		c.sealed = append(c.sealed, c.tail)
		c.tail = nil
	}
}

// truncate keeps the first n items. Copies that share memory keep theirs: what is appended next goes elsewhere.
func (c *chunked[T]) truncate(n int) {
	full := n / chunkSize
	if full < len(c.sealed) {
		c.tail = c.sealed[full]
		c.sealed = c.sealed[:full:full]
	}
	c.tail = slices.Clip(c.tail[:n%chunkSize])
}

func (c *chunked[T]) len() int { return len(c.sealed)*chunkSize + len(c.tail) }

func (c *chunked[T]) at(i int) *T {
	if n := i / chunkSize; n < len(c.sealed) {
		return &c.sealed[n][i%chunkSize]
	}
	return &c.tail[i%chunkSize]
}

// slice returns the items from i up to j. It is not to be changed; inside one chunk it is the chunk's own memory.
func (c *chunked[T]) slice(i, j int) []T {
	if i >= j {
		return nil
	}
	if i/chunkSize == (j-1)/chunkSize {
		chunk := c.tail
		if n := i / chunkSize; n < len(c.sealed) {
			chunk = c.sealed[n]
		}
		from := i % chunkSize
		return chunk[from : from+j-i : from+j-i]
	}
	items := make([]T, 0, j-i)
	for ; i < j; i++ {
		items = append(items, *c.at(i))
	}
	return items
}
