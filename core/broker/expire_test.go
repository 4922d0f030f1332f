package broker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

const hour = time.Hour

// The table of coordinator.md section 13: what the offset of T1-0 has become after a time.
func TestOffsetExpiry(t *testing.T) {
	settings := map[string]string{"offsets.retention.minutes": "60"}
	for name, c := range map[string]struct {
		release string
		prepare func(r *rig) []*person // who stays alive
		after   time.Duration
		kept    bool
	}{
		"simple group, before":                       {"3.9", simpleGroup, hour - time.Minute, true},
		"simple group, since the commit":             {"3.9", simpleGroup, hour + 10*time.Minute, false},
		"active group keeps what it subscribes to":   {"3.9", activeGroup, 3 * hour, true},
		"2.0: active group, since the commit":        {"2.0", activeGroup, hour + 10*time.Minute, false},
		"active group, topic nobody subscribes to":   {"3.9", resubscribedGroup, hour + 20*time.Minute, false},
		"empty group, since it became empty: before": {"3.9", emptiedGroup, hour, true},
		"empty group, since it became empty":         {"3.9", emptiedGroup, hour + 50*time.Minute, false},
		"2.0: empty group, since the commit":         {"2.0", emptiedGroup, hour + 10*time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, c.release, settings)
			alive := c.prepare(r)
			for r.now < c.after {
				r.pass(5 * second)
				for _, p := range alive {
					r.beat(*p)
				}
			}
			require.Equal(t, c.kept, len(r.broker.Committed("G1")) > 0)
		})
	}
}

func simpleGroup(r *rig) []*person {
	r.commit(person{client: "N"}, kafka.NoGeneration, 1)
	return nil
}

func activeGroup(r *rig) []*person {
	a := &person{client: "A"}
	r.join(a)
	r.pass(3 * second)
	r.sync(*a)
	r.commit(*a, 1, 1)
	return []*person{a}
}

func resubscribedGroup(r *rig) []*person {
	a := activeGroup(r)[0]
	request := r.joinOf(*a)
	request.Protocols = []kafka.Protocol{{Name: "range", Subscription: &kafka.Subscription{Topics: []string{"T2"}}}}
	r.send("A", request)
	r.sync(*a)
	return []*person{a}
}

// emptiedGroup commits at 3 s and is left after half an hour.
func emptiedGroup(r *rig) []*person {
	a := activeGroup(r)[0]
	for r.now < 30*time.Minute {
		r.pass(5 * second)
		r.beat(*a)
	}
	r.leave(*a)
	return nil
}

func TestGroupWithoutOffsetsAndMembersIsRemoved(t *testing.T) {
	r := newRig(t, "3.9", map[string]string{"offsets.retention.minutes": "1"})
	simpleGroup(r)
	r.until(10 * time.Minute)
	require.Nil(t, r.group())
	require.Contains(t, r.texts(view.GroupState), " Dead 0")
	require.Contains(t, r.texts(view.OffsetsAppended), " offset G1 T1-0: (deleted) 0")
	require.Contains(t, r.texts(view.OffsetsAppended), " group G1: (deleted) 0")
	require.Empty(t, r.alarms)
}
