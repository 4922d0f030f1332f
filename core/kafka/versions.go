package kafka

// versionStep says that from a release on an API has a highest version.
type versionStep struct {
	since   Release
	version int16
}

// NoVersion is the version of an API that two sides cannot use with each other.
const NoVersion int16 = -1

// MaxVersion returns the highest version of an API that a client or a broker of a release speaks.
func MaxVersion(a API, r Release) int16 {
	highest := NoVersion
	for _, step := range apiVersions[a] {
		if r.Compare(step.since) >= 0 {
			highest = step.version
		}
	}
	return highest
}

// MinVersion returns the lowest version of an API that a client or a broker of a release speaks.
func MinVersion(a API, r Release) int16 {
	if r.Compare(oldVersionsRemoved) < 0 {
		return 0
	}
	return oldestVersions[a]
}

// Negotiate returns the version of an API that a client and a broker use with each other: the highest that both speak, or
// NoVersion.
func Negotiate(a API, client, broker Release) int16 {
	version := min(MaxVersion(a, client), MaxVersion(a, broker))
	if version < MinVersion(a, client) || version < MinVersion(a, broker) {
		return NoVersion
	}
	return version
}
