package lessons

import (
	"regexp"
	"strconv"
	"strings"
)

// plainYAML is what can stand in a file without quotes and is read as the same text.
var plainYAML = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./+-]*( [A-Za-z0-9_./+-]+)*$`)

// quoted writes a text so that it is read as the same text.
func quoted(text string) string {
	if plainYAML.MatchString(text) {
		return text
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 || c == 0xfeff:
			hex := strconv.FormatInt(int64(c), 16)
			b.WriteString(`\u` + strings.Repeat("0", 4-len(hex)) + hex)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// flowYAML writes a tree in one line.
func flowYAML(n *node) string {
	switch n.kind {
	case scalar:
		return quoted(n.text)
	case mapping:
		parts := make([]string, len(n.pairs))
		for i, p := range n.pairs {
			parts[i] = quoted(p.key) + ": " + flowYAML(p.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case sequence:
		parts := make([]string, len(n.items))
		for i, item := range n.items {
			parts[i] = flowYAML(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "~"
}

// widest is how long a line gets before a mapping or list is written over several.
const widest = 100

// blockYAML writes a mapping over several lines, each of its keys in one line where that fits.
func blockYAML(b *strings.Builder, n *node, indent string) {
	for _, p := range n.pairs {
		b.WriteString(indent + quoted(p.key) + ":")
		writeValue(b, p.value, indent)
	}
}

// writeValue writes what stands behind a key or a dash.
func writeValue(b *strings.Builder, n *node, indent string) {
	flow := flowYAML(n)
	switch {
	case n.kind == scalar && isListing(n.text):
		b.WriteString(" |\n")
		for line := range strings.SplitSeq(strings.TrimSuffix(n.text, "\n"), "\n") {
			b.WriteString(strings.TrimRight(indent+"  "+line, " ") + "\n")
		}
	case n.kind == scalar || n.kind == nothing || len(indent) > 0 && len(indent)+len(flow) <= widest && !holdsListing(n) || len(n.pairs)+len(n.items) == 0:
		b.WriteString(" " + flow + "\n")
	case n.kind == mapping:
		b.WriteString("\n")
		blockYAML(b, n, indent+"  ")
	default:
		b.WriteString("\n")
		for _, item := range n.items {
			b.WriteString(indent + "  - " + flowYAML(item) + "\n")
		}
	}
}

var listingText = regexp.MustCompile(`^[^\s\x00-\x1f][ -~\n]*\n$`)

// isListing reports whether a text is code, which a block shows best: printable lines, the first not indented.
func isListing(text string) bool {
	return strings.Contains(strings.TrimSuffix(text, "\n"), "\n") && listingText.MatchString(text) && !strings.HasSuffix(text, "\n\n") &&
		!strings.Contains(text, " \n")
}

func holdsListing(n *node) bool {
	for _, p := range n.pairs {
		if p.value.kind == scalar && isListing(p.value.text) || holdsListing(p.value) {
			return true
		}
	}
	return false
}
