package client

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
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
