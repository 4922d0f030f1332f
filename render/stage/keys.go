package stage

import "groupscope/render/scene"

// keyHelp is one line of the help: the keys and the word for what they do.
type keyHelp struct {
	keys []string // by name, as KeyboardEvent.key gives them
	word string
	do   scene.Action
}

// keyTable lists what every key does. Tab, Enter and the keys of the browser are left to the page; a window on
// the desktop sends FocusNext, FocusPrev and Activate itself.
var keyTable = []keyHelp{
	{[]string{"Space", "k"}, "help.play", scene.Action{Do: Toggle}},
	{[]string{"ArrowRight"}, "help.step", scene.Action{Do: Step}},
	{[]string{"ArrowLeft"}, "help.back", scene.Action{Do: Back}},
	{[]string{"n", "PageDown"}, "help.next-beat", scene.Action{Do: NextBeat}},
	{[]string{"p", "PageUp"}, "help.prev-beat", scene.Action{Do: PrevBeat}},
	{[]string{"Home"}, "help.first", scene.Action{Do: First}},
	{[]string{"End"}, "help.last", scene.Action{Do: Last}},
	{[]string{"r"}, "next.rebalance", scene.Action{Do: NextMark, Arg: "rebalance"}},
	{[]string{"R"}, "previous.rebalance", scene.Action{Do: PrevMark, Arg: "rebalance"}},
	{[]string{"c"}, "next.commit", scene.Action{Do: NextMark, Arg: "commit"}},
	{[]string{"C"}, "previous.commit", scene.Action{Do: PrevMark, Arg: "commit"}},
	{[]string{"e"}, "next.error", scene.Action{Do: NextMark, Arg: "error"}},
	{[]string{"E"}, "previous.error", scene.Action{Do: PrevMark, Arg: "error"}},
	{[]string{"s"}, "next.selected", scene.Action{Do: NextMark, Arg: "selected"}},
	{[]string{"S"}, "previous.selected", scene.Action{Do: PrevMark, Arg: "selected"}},
	{[]string{"a"}, "loop.start", scene.Action{Do: Repeat, Arg: "start"}},
	{[]string{"b"}, "loop.end", scene.Action{Do: Repeat, Arg: "end"}},
	{[]string{"x"}, "loop.off", scene.Action{Do: Repeat, Arg: "off"}},
	{[]string{"+", "="}, "help.faster", scene.Action{Do: Faster}},
	{[]string{"-"}, "help.slower", scene.Action{Do: Slower}},
	{[]string{"t"}, "help.true-time", scene.Action{Do: TrueTime}},
	{[]string{"i"}, "help.zoom-in", scene.Action{Do: Zoom, N: 1}},
	{[]string{"o"}, "help.zoom-out", scene.Action{Do: Zoom, N: -1}},
	{[]string{"0"}, "help.pace", scene.Action{Do: Zoom, Arg: paced}},
	{[]string{","}, "help.earlier", scene.Action{Do: Pan, N: -0.5}},
	{[]string{"."}, "help.later", scene.Action{Do: Pan, N: 0.5}},
	{[]string{"f"}, "menu.kinds", scene.Action{Do: Open, Arg: "kinds"}},
	{[]string{"d"}, "help.theme", scene.Action{Do: Theme}},
	{[]string{"l"}, "help.language", scene.Action{Do: Language}},
	{[]string{"/"}, "help.palette", scene.Action{Do: Open, Arg: "palette"}},
	{[]string{"!", "ContextMenu"}, "help.act", scene.Action{Do: Offer}},
	{[]string{"u"}, "help.undo", scene.Action{Do: Undo}},
	{[]string{"U"}, "help.redo", scene.Action{Do: Redo}},
	{[]string{"h"}, "menu.branches", scene.Action{Do: Open, Arg: "branches"}},
	{[]string{"Enter"}, "help.choose", scene.Action{Do: Choose}},
	{[]string{"y"}, "help.share", scene.Action{Do: Open, Arg: "share"}},
	{[]string{"m"}, "help.lessons", scene.Action{Do: Open, Arg: "lessons"}},
	{[]string{"?"}, "help.help", scene.Action{Do: Open, Arg: "help"}},
	{[]string{"Escape"}, "help.close", scene.Action{Do: Close}},
}

// KeyAction is the action of a key, by its name ("ArrowRight", "Space", "?"); false for a key without one.
func KeyAction(name string) (scene.Action, bool) {
	if name == " " {
		name = "Space"
	}
	for _, k := range keyTable {
		for _, key := range k.keys {
			if key == name {
				return k.do, true
			}
		}
	}
	return scene.Action{}, false
}

// keySigns are short signs for keys with long names.
var keySigns = map[string]string{
	"ArrowRight": "→", "ArrowLeft": "←", "PageDown": "PgDn", "PageUp": "PgUp", "Escape": "Esc", "ContextMenu": "Menu",
}

func keySign(key string) string {
	if sign, ok := keySigns[key]; ok {
		return sign
	}
	return key
}
