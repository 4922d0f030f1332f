package sharing

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

type inner struct{ numbers []int }

type outer struct {
	inner   *inner
	byName  map[string]*inner
	list    []inner
	any     any
	message *kafka.Message
	sealed  []int `clone:"shared"`
	run     func()
}

func TestFindsWhatIsShared(t *testing.T) {
	shared := &inner{[]int{1}}
	numbers := []int{1, 2, 3}
	message := &kafka.Message{}
	for name, c := range map[string]struct {
		a, b outer
		want []string
	}{
		"nothing":                  {outer{inner: &inner{[]int{1}}}, outer{inner: &inner{[]int{1}}}, nil},
		"a pointer":                {outer{inner: shared}, outer{inner: shared}, []string{".inner: *sharing.inner"}},
		"a slice inside a pointer": {outer{inner: &inner{numbers}}, outer{inner: &inner{numbers}}, []string{".inner.numbers: []int"}},
		"room behind a slice":      {outer{inner: &inner{numbers[:1]}}, outer{inner: &inner{numbers[1:2:2]}}, []string{".inner.numbers: []int"}},
		"the end of a clipped one": {outer{inner: &inner{numbers[:1:1]}}, outer{inner: &inner{numbers[1:2:2]}}, nil},
		"a value of a map": {
			outer{byName: map[string]*inner{"x": shared}}, outer{byName: map[string]*inner{"x": shared}},
			[]string{".byName[x]: *sharing.inner"},
		},
		"an element of a slice": {outer{list: []inner{{numbers}}}, outer{list: []inner{{numbers}}}, []string{".list[0].numbers: []int"}},
		"behind an interface":   {outer{any: shared}, outer{any: shared}, []string{".any: *sharing.inner"}},
		"a message":             {outer{message: message}, outer{message: message}, nil},
		"a tagged field":        {outer{sealed: numbers}, outer{sealed: numbers}, nil},
		"a function":            {outer{run: func() {}}, outer{run: func() {}}, []string{".run: func()"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Between(c.a, c.b)) })
	}
}
