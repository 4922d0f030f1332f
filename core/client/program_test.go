package client

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// method is the method of the rebalance listener that a line of a listing is in; "" for none.
func method(listing []string, line int) string {
	for i := line - 1; i >= 0; i-- {
		_, rest, found := strings.Cut(listing[i], "public void ")
		if name, _, _ := strings.Cut(rest, "("); found {
			return name
		}
	}
	return ""
}

func TestWhatAListenerDoesStandsInItsMethodOfTheListing(t *testing.T) {
	for _, p := range Patterns(0, 0) {
		for name, ops := range map[string][]Op{onRevoked: p.Program.OnRevoked, onAssigned: p.Program.OnAssigned, onLost: p.Program.OnLost} {
			for _, op := range ops {
				require.Equal(t, name, method(p.Program.Listing, op.Line), "%s: %s", p.Program.Name, op.Do)
			}
		}
	}
}

func TestMetadataIsAskedForTheTopicsOfDeadLettersWhereverTheProgramSendsThem(t *testing.T) {
	letter := []Op{{Do: DeadLetter, Topics: []string{"DLT"}}}
	poll := Op{Do: Poll, For: time.Second}
	for name, program := range map[string]Program{
		"setup":      {Setup: []Op{{Do: If, Body: letter}}, Body: []Op{poll}},
		"body":       {Body: append([]Op{poll}, letter...)},
		"handler":    {Body: []Op{{Do: Try, Body: []Op{poll}, Catch: []Catch{{Body: letter}}}}},
		"callback":   {Body: []Op{poll, {Do: CommitAsync, Callback: letter}}},
		"closing":    {Body: []Op{poll}, Closing: letter},
		"onRevoked":  {Body: []Op{poll}, OnRevoked: letter},
		"onAssigned": {Body: []Op{poll}, OnAssigned: letter},
		"onLost":     {Body: []Op{poll}, OnLost: letter},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, "", program, nil)
			require.Equal(t, []string{"DLT", "T1"}, g.asked(kafka.MetadataAPI).(*kafka.MetadataRequest).Topics)
		})
	}
}

// intercepted lists what the interceptors were told so far.
func (g *rig) intercepted() []string {
	list := []string{}
	for _, f := range g.facts {
		switch f.Kind {
		case view.OnConsume:
			list = append(list, fmt.Sprintf("%s.onConsume %d", f.Text, f.To))
		case view.OnCommit:
			list = append(list, fmt.Sprintf("%s.onCommit %v %d", f.Text, f.Partition, f.To))
		}
	}
	return list
}

func TestInterceptorsSeeRecordsBeforePollReturnsThem(t *testing.T) {
	g := newRig(t, "", loop(0), map[string]string{"interceptor.classes": "Audit,Trace"}).find().join().sync()
	require.Empty(t, g.intercepted(), "a poll without records passes them by")
	g.fetch(0, 3)
	require.Equal(t, []string{"Audit.onConsume 3", "Trace.onConsume 3"}, g.intercepted())
	kinds := []view.FactKind{}
	for _, f := range g.facts {
		if f.Kind == view.OnConsume && f.Text == "Trace" || f.Kind == view.RecordsReturned {
			kinds = append(kinds, f.Kind)
		}
	}
	require.Equal(t, []view.FactKind{view.OnConsume, view.RecordsReturned}, kinds)
}

func TestWithoutInterceptorsTheTraceSaysNothingOfThem(t *testing.T) {
	g := newRig(t, "", loop(0, Op{Do: CommitSync}), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	g.fetch(0, 3)
	g.answer(&kafka.OffsetCommitResponse{})
	require.Empty(t, g.intercepted())
}

func TestInterceptorsAreToldOfACommitThatSucceeded(t *testing.T) {
	told := []string{"Audit.onConsume 3", "Audit.onCommit T1-0 3", "Audit.onCommit T1-1 0"}
	failed := &kafka.OffsetCommitResponse{Partitions: []kafka.PartitionError{{TopicPartition: both[0], Error: kafka.UnknownMemberID}}}
	for name, op := range map[string]Op{"commitSync": {Do: CommitSync}, "commitAsync": {Do: CommitAsync}} {
		for outcome, row := range map[string]struct {
			reply *kafka.OffsetCommitResponse
			told  []string
		}{
			"succeeds": {&kafka.OffsetCommitResponse{}, told},
			"fails":    {failed, told[:1]},
		} {
			t.Run(name+" "+outcome, func(t *testing.T) {
				settings := map[string]string{"interceptor.classes": "Audit", "enable.auto.commit": "false"}
				g := newRig(t, "", loop(0, op), settings).find().join().sync()
				g.fetch(0, 3)
				require.Equal(t, told[:1], g.intercepted(), "not before the answer is in")
				g.answer(row.reply)
				g.advance(2 * time.Second) // another poll handles the answer of an asynchronous one
				require.Equal(t, row.told, g.intercepted())
			})
		}
	}
	t.Run("automatic commit succeeds", func(t *testing.T) {
		g := newRig(t, "", loop(0), map[string]string{"interceptor.classes": "Audit", "auto.commit.interval.ms": "100"}).find().join().sync()
		g.fetch(0, 3)
		g.advance(200 * time.Millisecond)
		g.answer(&kafka.OffsetCommitResponse{})
		require.Equal(t, told, g.intercepted())
	})
	t.Run("the commit of close succeeds", func(t *testing.T) {
		g := newRig(t, "", loop(0), map[string]string{"interceptor.classes": "Audit"}).find().join().sync()
		g.fetch(0, 3)
		g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoClose}})
		g.advance(10 * time.Millisecond)
		g.answer(&kafka.OffsetCommitResponse{})
		require.Equal(t, told, g.intercepted())
	})
}

func TestALineCanBeSlowOnce(t *testing.T) {
	g := newRig(t, "", loop(100*time.Millisecond), nil).find().join().sync()
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoTrap, Line: 7, Count: 2, Method: TrapSlow, For: 5 * time.Second}})
	g.fetch(0, 3)
	begun := func() (list []int64) {
		for _, f := range g.facts {
			if f.Kind == view.ProcessingStarted {
				list = append(list, f.From)
			}
		}
		return list
	}
	g.advance(5 * time.Second)
	require.Equal(t, []int64{0}, begun(), "the thread waits at the line before it begins with the second record")
	require.Equal(t, 7, g.c.View().Program.Line)
	g.advance(110 * time.Millisecond)
	require.Equal(t, []int64{0, 1}, begun())
	g.advance(100 * time.Millisecond)
	require.Equal(t, []int64{0, 1, 2}, begun(), "the third record is as quick as ever")
	entered := 0
	for _, f := range g.facts {
		if f.Kind == view.LineEntered && f.From == 7 {
			entered++
		}
	}
	require.Equal(t, 3, entered, "a line is entered once for each record, however long it is held")
}

func TestASlowLineThatTakesNoTimeOfItsOwn(t *testing.T) {
	g := newRig(t, "", loop(0, Op{Do: CommitAsync, Line: 9}), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoTrap, Line: 9, Method: TrapSlow, For: 2 * time.Second}})
	g.fetch(0, 3)
	g.advance(1990 * time.Millisecond)
	require.Nil(t, g.asked(kafka.OffsetCommitAPI))
	g.advance(20 * time.Millisecond)
	require.NotNil(t, g.asked(kafka.OffsetCommitAPI))
}
