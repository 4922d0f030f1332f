package kafka

// versionStep says that from a release on an API has a highest version.
type versionStep struct {
	since   Release
	version int16
}

// MaxVersion returns the highest version of an API that a client or a broker of a release speaks; -1 if it does not
// speak it at all.
func MaxVersion(a API, r Release) int16 {
	highest := int16(-1)
	for _, step := range apiVersions[a] {
		if r.Compare(step.since) >= 0 {
			highest = step.version
		}
	}
	return highest
}

// Negotiate returns the version of an API that a client and a broker use with each other: the highest that both speak.
func Negotiate(a API, client, broker Release) int16 {
	return min(MaxVersion(a, client), MaxVersion(a, broker))
}
