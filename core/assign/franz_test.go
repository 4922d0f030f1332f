package assign

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"

	"groupscope/core/kafka"
)

// The assignors of franz-go are an independent implementation of the same protocol. Its range and roundrobin promise Java's
// results; its sticky ones promise another algorithm with at least as good a balance.

var franzBalancers = map[Assignor]kgo.GroupBalancer{
	Range: kgo.RangeBalancer(), RoundRobin: kgo.RoundRobinBalancer(),
	Sticky: kgo.StickyBalancer(), CooperativeSticky: kgo.CooperativeStickyBalancer(),
}

// franzInput is a group as franz-go's balancers take it, with the metadata already read.
type franzInput struct {
	balancer kgo.GroupMemberBalancerOrError
	topics   map[string]int32
}

func newFranzInput(t require.TestingT, a Assignor, topics []Topic, members []Member) franzInput {
	in := franzInput{topics: map[string]int32{}}
	for _, topic := range topics {
		in.topics[topic.Name] = topic.Partitions
	}
	var joined []kmsg.JoinGroupResponseMember
	for _, m := range members {
		owned := map[string][]int32{}
		for _, tp := range m.Owned {
			owned[tp.Topic] = append(owned[tp.Topic], tp.Partition)
		}
		member := kmsg.JoinGroupResponseMember{MemberID: m.ID}
		if m.InstanceID != "" {
			member.InstanceID = &m.InstanceID
		}
		member.ProtocolMetadata = franzBalancers[a].JoinGroupMetadata(slices.Sorted(slices.Values(m.Topics)), owned, m.Generation)
		joined = append(joined, member)
	}
	slices.SortFunc(joined, func(a, b kmsg.JoinGroupResponseMember) int {
		x, y := instance(a), instance(b)
		if (x == "") != (y == "") {
			return cmp.Compare(y, x)
		}
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.MemberID, b.MemberID))
	})
	balancer, _, err := franzBalancers[a].MemberBalancer(joined)
	require.NoError(t, err)
	in.balancer = balancer.(kgo.GroupMemberBalancerOrError)
	return in
}

func instance(m kmsg.JoinGroupResponseMember) string {
	if m.InstanceID == nil {
		return ""
	}
	return *m.InstanceID
}

func (in franzInput) balance() map[string]map[string][]int32 {
	plan, err := in.balancer.BalanceOrError(in.topics)
	if err != nil {
		panic(err)
	}
	return plan.(*kgo.BalancePlan).AsMemberIDMap()
}

func (in franzInput) assignment() Assignment {
	a := Assignment{}
	for member, topics := range in.balance() {
		a[member] = []kafka.TopicPartition{}
		for topic, partitions := range topics {
			for _, p := range partitions {
				a[member] = append(a[member], kafka.TopicPartition{Topic: topic, Partition: p})
			}
		}
		slices.SortFunc(a[member], kafka.TopicPartition.Compare)
	}
	return a
}

func TestRangeAndRoundRobinAgreeWithFranzGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, anySubscriptions)
		for _, a := range []Assignor{Range, RoundRobin} {
			require.Equal(t, newFranzInput(t, a, topics, members).assignment(), sorted(a.Assign(topics, members)), a.Name())
		}
	})
}

func TestStickyIsAsBalancedAndAsStickyAsFranzGoForEqualSubscriptions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, equalSubscriptions)
		members = changeGroup(t, topics, members, Sticky.Assign(topics, members))
		ours := Sticky.Assign(topics, members)
		theirs := newFranzInput(t, Sticky, topics, members).assignment()
		require.Equal(t, imbalance(theirs), imbalance(ours))
		require.Equal(t, kept(members, theirs), kept(members, ours))
	})
}

func sorted(a Assignment) Assignment {
	for _, list := range a {
		slices.SortFunc(list, kafka.TopicPartition.Compare)
	}
	return a
}

// imbalance is the sum of the differences in size over all pairs of members.
func imbalance(a Assignment) int {
	sum := 0
	for _, x := range a {
		for _, y := range a {
			sum += max(len(x)-len(y), 0)
		}
	}
	return sum
}

// kept counts the partitions that stay where they were.
func kept(members []Member, a Assignment) int {
	n := 0
	for _, m := range members {
		for _, tp := range m.Owned {
			if slices.Contains(a[m.ID], tp) {
				n++
			}
		}
	}
	return n
}

// BenchmarkAssign compares the time that an assignment takes with franz-go's, without the decoding of metadata. The sticky
// assignors find a group in which a tenth of the members are new.
func BenchmarkAssign(b *testing.B) {
	for _, a := range []Assignor{Range, RoundRobin, Sticky, CooperativeSticky} {
		for _, count := range []int{10, 100, 1000} {
			for _, partitions := range []int32{100, 1000, 10000} {
				benchmarkBoth(b, a, count, partitions)
			}
		}
	}
}

func benchmarkBoth(b *testing.B, a Assignor, count int, partitions int32) {
	topics, members := benchmarkGroup(a, count, partitions)
	name := fmt.Sprintf("%s/%dx%d", a.Name(), count, partitions)
	b.Run(name+"/ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a.Assign(topics, members)
		}
	})
	b.Run(name+"/franz-go", func(b *testing.B) {
		in := newFranzInput(b, a, topics, members)
		b.ReportAllocs()
		for b.Loop() {
			in.balance()
		}
	})
}

// benchmarkGroup makes ten topics and members that subscribe to all of them.
func benchmarkGroup(a Assignor, count int, partitions int32) ([]Topic, []Member) {
	var topics []Topic
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprintf("topic%d", i))
		topics = append(topics, Topic{Name: names[i], Partitions: partitions / 10})
	}
	var members []Member
	for i := range count {
		members = append(members, Member{ID: fmt.Sprintf("consumer-%04d", i), Topics: names, Generation: kafka.NoGeneration})
	}
	old := members[:count-count/10]
	before := a.Assign(topics, old)
	for i, m := range old {
		members[i].Owned, members[i].Generation = before[m.ID], 1
	}
	return topics, members
}
