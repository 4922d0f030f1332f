package broker

import "groupscope/core/kafka"

// leaveGroup handles LeaveGroup (coordinator.md section 9): all who are named leave, then there is one rebalance. Before the
// Java coordinator the first of them started it, which led to the same.
func (t *turn) leaveGroup(r *kafka.LeaveGroupRequest) *kafka.LeaveGroupResponse {
	if err := t.groupError(r.Group); err != kafka.None {
		return &kafka.LeaveGroupResponse{Error: err}
	}
	g := t.groups[r.Group]
	if g == nil {
		return leftReply(r, func(kafka.LeavingMember) kafka.ErrorCode { return kafka.UnknownMemberID })
	}
	if g.state == dead {
		return &kafka.LeaveGroupResponse{Error: t.deadError()}
	}
	gone := ""
	response := leftReply(r, func(l kafka.LeavingMember) kafka.ErrorCode {
		id, err := t.leave(g, l)
		if id != "" {
			gone = id
		}
		return err
	})
	if gone != "" {
		t.rebalanceWithout(g, gone)
	} else {
		t.maybeCompleteJoin(g)
	}
	return response
}

// leave takes out one who leaves, and returns the member id if it was a member, "" if it was a pending id or nobody. An
// administrator names a static member by its instance id alone.
func (t *turn) leave(g *ClassicGroup, l kafka.LeavingMember) (id string, err kafka.ErrorCode) {
	if g.isPending(l.MemberID) {
		t.dropPending(g, l.MemberID, "leave")
		return "", kafka.None
	}
	id = l.MemberID
	if id == "" {
		known := g.static(l.InstanceID)
		if known == nil {
			return "", kafka.UnknownMemberID
		}
		id = known.id
	} else if err := g.validate(id, l.InstanceID); err != kafka.None {
		return "", err
	}
	t.takeOut(g, []string{id}, "leave")
	return id, kafka.None
}

// leftReply answers for each who leaves. Before version 3 a request named one, and the answer to it was the response's error.
func leftReply(r *kafka.LeaveGroupRequest, leave func(kafka.LeavingMember) kafka.ErrorCode) *kafka.LeaveGroupResponse {
	response := &kafka.LeaveGroupResponse{}
	for _, l := range r.Members {
		response.Members = append(response.Members, kafka.LeftMember{MemberID: l.MemberID, InstanceID: l.InstanceID, Error: leave(l)})
	}
	if r.Version < 3 && len(response.Members) == 1 {
		return &kafka.LeaveGroupResponse{Error: response.Members[0].Error}
	}
	return response
}
