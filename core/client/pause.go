package client

import (
	"time"

	"groupscope/core/kafka"
)

// pause is how long a client waits before it tries again. It doubles with each failure in a row up to its limit. (The real
// client then adds up to a fifth at random; the model does not.)
type pause struct {
	base, limit time.Duration
}

// after is the pause after so many failures in a row, 1 for the first.
func (p pause) after(failures int) time.Duration {
	d := p.base
	for range failures - 1 {
		if d >= p.limit {
			break
		}
		d = min(2*d, p.limit)
	}
	return d
}

// shortestWait is the least time between two things that the client does over and over. Nothing is free: where messages travel in no time,
// the clock would stand still else.
const shortestWait = time.Millisecond

// readPause reads the pause that a release knows by the two keys. Releases that have no limit's key do not let it grow
// (KIP-144 for connections, KIP-580 for requests).
func readPause(c kafka.Config, base, limit string) pause {
	return pause{max(shortestWait, c.Duration(base)), c.Duration(limit)}
}
