package kafka

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClientsAndBrokersUseTheHighestVersionThatBothSpeak(t *testing.T) {
	for _, c := range []struct {
		api            API
		client, broker string
		want           int16
	}{
		{JoinGroupAPI, "0.9", "3.9", 0},
		{JoinGroupAPI, "0.10.1", "3.9", 1}, // the rebalance timeout
		{JoinGroupAPI, "2.1", "3.9", 3},
		{JoinGroupAPI, "2.2", "3.9", 4}, // KIP-394
		{JoinGroupAPI, "3.9", "2.2", 4},
		{JoinGroupAPI, "2.3", "2.3", 5}, // KIP-345
		{JoinGroupAPI, "3.1", "3.9", 7},
		{JoinGroupAPI, "3.2", "3.9", 9}, // KIP-800, KIP-814
		{SyncGroupAPI, "2.3", "2.3", 3},
		{SyncGroupAPI, "2.5", "3.9", 5}, // KIP-559: the protocol's name
		{HeartbeatAPI, "2.2", "2.3", 2},
		{HeartbeatAPI, "2.3", "2.3", 3},
		{LeaveGroupAPI, "2.3", "3.9", 2}, // the list of members came with 2.4
		{LeaveGroupAPI, "2.4", "3.9", 4},
		{LeaveGroupAPI, "3.2", "3.9", 5},
		{OffsetCommitAPI, "2.3", "3.9", 7},
		{OffsetCommitAPI, "3.7", "3.9", 9},
		{OffsetFetchAPI, "2.4", "3.9", 6},
		{OffsetFetchAPI, "2.5", "3.9", 7}, // require stable
		{FetchAPI, "0.10", "3.9", 2},
		{FetchAPI, "0.10.1", "3.9", 3}, // KIP-74
		{FetchAPI, "0.11", "3.9", 5},
		{FetchAPI, "3.9", "3.9", 17},
		{FindCoordinatorAPI, "4.0", "3.9", 6},
	} {
		require.Equal(t, c.want, Negotiate(c.api, mustRelease(c.client), mustRelease(c.broker)), "%s %s with %s", c.api, c.client, c.broker)
	}
}

func TestReleaseFourDoesNotSpeakTheOldestVersions(t *testing.T) {
	require.Equal(t, NoVersion, Negotiate(JoinGroupAPI, mustRelease("0.10.1"), mustRelease("4.0")))
	require.Equal(t, int16(2), Negotiate(JoinGroupAPI, mustRelease("4.0"), mustRelease("0.11")))
	require.Equal(t, int16(3), Negotiate(FetchAPI, mustRelease("0.10.1"), mustRelease("3.9")))
	require.Equal(t, NoVersion, Negotiate(FetchAPI, mustRelease("0.10.1"), mustRelease("4.0")))
}

func TestEveryAPIHasVersionsThatRise(t *testing.T) {
	require.Subset(t, slices.Collect(maps.Keys(apiNames)), slices.Collect(maps.Keys(apiVersions)))
	require.Len(t, apiVersions, len(slices.DeleteFunc(slices.Collect(maps.Keys(apiNames)), func(a API) bool { return a < 0 })), "all but the model's own")
	for api, steps := range apiVersions {
		require.NotEqual(t, NoVersion, MaxVersion(api, LastRelease), api)
		for i := 1; i < len(steps); i++ {
			require.Negative(t, steps[i-1].since.Compare(steps[i].since), api)
			require.Less(t, steps[i-1].version, steps[i].version, api)
		}
	}
}
