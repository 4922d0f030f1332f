package kafka

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Release is a release of Apache Kafka that a broker or a client runs, such as 2.6.1.
// The model knows releases from 0.9 to 4.0. Releases compare with Compare, but behaviour asks Has for
// a feature by name and never compares releases itself.
type Release struct {
	Major, Minor, Patch, Fix int
}

// The first and the last release that the model knows, and the one a script has when it names none.
var (
	FirstRelease   = Release{0, 9, 0, 0}
	LastRelease    = Release{4, 0, 0, 0}
	DefaultRelease = Release{3, 9, 0, 0}
)

// ParseRelease reads a release such as "3.9", "0.10.1" or "2.6.1".
func ParseRelease(s string) (Release, error) {
	parts := strings.Split(s, ".")
	if len(parts) < 2 || len(parts) > 4 {
		return Release{}, fmt.Errorf("%q is not a Kafka release like 3.9 or 0.10.1", s)
	}
	var n [4]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || v > 99 {
			return Release{}, fmt.Errorf("%q is not a Kafka release like 3.9 or 0.10.1", s)
		}
		n[i] = v
	}
	r := Release{n[0], n[1], n[2], n[3]}
	if r.Compare(FirstRelease) < 0 || r.Major > LastRelease.Major {
		return Release{}, fmt.Errorf("release %s is not modelled: the model knows 0.9 to 4.x", s)
	}
	return r, nil
}

// Compare orders releases by age.
func (r Release) Compare(other Release) int {
	return cmp.Or(cmp.Compare(r.Major, other.Major), cmp.Compare(r.Minor, other.Minor),
		cmp.Compare(r.Patch, other.Patch), cmp.Compare(r.Fix, other.Fix))
}

// String writes the release as Kafka numbers it: 0.10.1, 2.6.1, 3.9.
func (r Release) String() string {
	parts := []int{r.Major, r.Minor, r.Patch, r.Fix}
	for len(parts) > 2 && parts[len(parts)-1] == 0 {
		parts = parts[:len(parts)-1]
	}
	text := make([]string, len(parts))
	for i, p := range parts {
		text[i] = strconv.Itoa(p)
	}
	return strings.Join(text, ".")
}
