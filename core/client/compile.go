package client

import "slices"

// code is a part of a program laid flat: loops have become jumps, and handlers ranges.
type code struct {
	instructions []instruction
	handlers     []handler // inner ones first
}

// instruction is one operation of a program laid flat.
type instruction struct {
	Op
	to       int   // ForEach, If: where to go when no record is left, or the test fails; next, jump: where to go
	callback *code // CommitAsync; never changed
}

// handler says where an exception goes that an instruction from..to (exclusive) throws.
type handler struct {
	from, to int
	classes  []string
	target   int
}

// The operations that compiling adds.
const (
	jump OpKind = "jump"
	next OpKind = "next" // take the next record of the batch, then jump
)

// compile lays operations flat.
func compile(ops []Op) code {
	var c code
	c.add(ops)
	return c
}

func (c *code) add(ops []Op) {
	for _, op := range ops {
		switch op.Do {
		case ForEach:
			at := c.emit(instruction{Op: op})
			c.add(op.Body)
			c.emit(instruction{Op: Op{Do: next, Line: op.Line}, to: at})
			c.instructions[at].to = len(c.instructions)
		case Try:
			c.addTry(op)
		case If:
			at := c.emit(instruction{Op: op})
			c.add(op.Body)
			c.instructions[at].to = len(c.instructions)
		case CommitAsync:
			callback := compile(op.Callback)
			c.emit(instruction{Op: op, callback: &callback})
		default:
			c.emit(instruction{Op: op})
		}
	}
}

func (c *code) addTry(op Op) {
	from := len(c.instructions)
	c.add(op.Body)
	to := len(c.instructions)
	ends := []int{c.emit(instruction{Op: Op{Do: jump, Line: op.Line}})}
	for _, catch := range op.Catch {
		c.handlers = append(c.handlers, handler{from, to, catch.Classes, len(c.instructions)})
		c.add(catch.Body)
		ends = append(ends, c.emit(instruction{Op: Op{Do: jump, Line: op.Line}}))
	}
	for _, at := range ends {
		c.instructions[at].to = len(c.instructions)
	}
}

func (c *code) emit(i instruction) int {
	c.instructions = append(c.instructions, i)
	return len(c.instructions) - 1
}

// handler finds where an exception goes that the instruction at pc threw; false if nothing catches it.
func (c *code) handler(pc int, class string) (int, bool) {
	for _, h := range c.handlers {
		if h.from <= pc && pc < h.to && (len(h.classes) == 0 || slices.Contains(h.classes, class)) {
			return h.target, true
		}
	}
	return 0, false
}

// compileListener lays the methods of the rebalance listener flat. onPartitionsLost does what onPartitionsRevoked does
// unless the program says otherwise.
func compileListener(p *Program) map[string]*code {
	revoked, assigned, lost := compile(p.OnRevoked), compile(p.OnAssigned), compile(p.OnLost)
	if len(p.OnLost) == 0 {
		lost = revoked
	}
	return map[string]*code{onRevoked: &revoked, onAssigned: &assigned, onLost: &lost}
}
