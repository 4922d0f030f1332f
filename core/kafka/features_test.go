package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryFeatureIsDescribed(t *testing.T) {
	for i, info := range Features() {
		require.Equal(t, Feature(i), info.Feature)
		require.NotEmpty(t, info.Name, i)
		require.NotEmpty(t, info.Source, info.Name)
		require.Regexp(t, `\.$`, info.Help, info.Name)
		require.False(t, info.Broker == (Release{}) && info.Client == (Release{}), info.Name)
	}
}

func TestFeaturesBeginWithTheirRelease(t *testing.T) {
	broker, client := Feature.Broker, Feature.Client
	for _, c := range []struct {
		feature     Feature
		side        func(Feature, Release) bool
		last, first string // the last release without it, the first with it
	}{
		{EmptyGroupState, broker, "0.10.0.1", "0.10.1"},
		{InitialRebalanceDelay, broker, "0.10.2.2", "0.11"},
		{NewMemberJoinTimeout, broker, "2.1.1", "2.2"},
		{MemberIDHandshake, broker, "2.1.1", "2.2"},
		{MemberIDHandshake, client, "2.1.1", "2.2"},
		{StaticMembership, broker, "2.2.2", "2.3"},
		{StaticMembership, client, "2.2.2", "2.3"},
		{HeartbeatDuringSync, broker, "2.6", "2.6.1"},
		{HeartbeatDuringSync, broker, "2.6", "2.7"},
		{HeartbeatAfterJoin, client, "2.6", "2.6.1"},
		{PendingSyncExpiry, broker, "2.8", "2.8.1"},
		{PendingSyncExpiry, broker, "2.8", "3.0"},
		{StaticLeaderSkipsAssignment, client, "3.1.2", "3.2"},
		{OffsetsExpireWhenEmpty, broker, "2.0.1", "2.1"},
		{JavaCoordinator, broker, "3.9", "4.0"},
		{HeartbeatThread, client, "0.10.0.1", "0.10.1"},
		{CooperativeRebalance, client, "2.3.1", "2.4"},
		{CommitRebalanceInProgress, client, "2.4.1", "2.5"},
		{StaleErrorsIgnored, client, "2.5.1", "2.6"},
		{ResetPreparesJoin, client, "2.6.3", "2.7"},
		{MissingTopicAskedAgain, client, "2.2.2", "2.3"},
		{PatternMatchedBeforeJoin, client, "2.0", "2.0.1"},
		{LeaderAloneNotices, client, "0.9.0.1", "0.10"},
		{FirstBatchReturned, client, "0.10", "0.10.1"},
		{AutoCommitBeforeJoinAsync, client, "3.2", "3.2.1"},
		{ConstrainedSticky, client, "2.5", "2.5.1"},
		{StickyPartitioner, client, "2.3", "2.4"},
	} {
		require.False(t, c.side(c.feature, mustRelease(c.last)), "%s in %s", c.feature, c.last)
		require.True(t, c.side(c.feature, mustRelease(c.first)), "%s in %s", c.feature, c.first)
	}
}

func TestAReleaseOfANewerSeriesCanLackAFeature(t *testing.T) {
	for release, has := range map[string]bool{"3.0": false, "3.0.1": true, "3.1": false, "3.1.1": true, "3.2": true} {
		require.Equal(t, has, IdempotenceByDefault.Client(mustRelease(release)), release)
	}
}

func TestAFeatureAsksNothingOfTheOtherSide(t *testing.T) {
	require.True(t, HeartbeatThread.Broker(FirstRelease))
	require.True(t, EmptyGroupState.Client(FirstRelease))
}

func TestFeatureIsWrittenWithItsReleases(t *testing.T) {
	require.Equal(t, "KIP-394: broker >= 2.2, client >= 2.2", MemberIDHandshake.String())
	require.Equal(t, "KIP-134: broker >= 0.11", InitialRebalanceDelay.String())
	require.Equal(t, "KIP-41: client >= 0.10", MaxPollRecords.String())
}
