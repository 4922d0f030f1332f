// The mirror: real elements, made from the picture's shapes and laid over them, for keyboards and screen readers. The
// program sends what differs from last time: elements to set, ids to drop, and the order when it changed.
(() => {
  "use strict";

  const root = document.getElementById("mirror");
  const nodes = new Map();

  // Roles that ARIA wants inside a parent of their own.
  const parents = { tab: "tablist", listitem: "list", radio: "radiogroup" };
  const tags = { button: "button", tab: "button", radio: "button", link: "button", slider: "input", textbox: "input", heading: "h2" };

  function make(element) {
    const node = document.createElement(tags[element.role] || "div");
    node.className = "at";
    node.dataset.id = element.id;
    node.dataset.role = element.role;
    if (node.tagName === "BUTTON") node.type = "button";
    if (element.role === "textbox") makeField(node, element.id);
    else if (node.tagName === "INPUT") {
      node.type = "range";
      node.addEventListener("input", () => window.groupscope.slide(element.id, Number(node.value)));
    } else if (element.role !== "button" && element.role !== "heading") {
      node.setAttribute("role", element.role);
    }
    if (element.role !== "textbox") node.addEventListener("click", () => window.groupscope.press(element.id));
    node.addEventListener("focus", () => window.groupscope.focus(element.id));
    node.addEventListener("blur", () => window.groupscope.focus(""));
    if (element.role === "radio") node.addEventListener("keydown", goAmongOptions);
    if (element.role === "link") node.addEventListener("keydown", goAlongSequence);
    return node;
  }

  // A field takes the focus as soon as it is there. Enter presses what its text finds first.
  function makeField(node, id) {
    node.type = "text";
    node.autocomplete = "off";
    node.spellcheck = false;
    node.addEventListener("input", () => window.groupscope.type(id, node.value));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      window.groupscope.key("Enter");
      event.preventDefault();
    });
    queueMicrotask(() => node.focus());
  }

  // The arrows go from option to option of a question, around its end.
  const ways = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

  function goAmongOptions(event) {
    const way = ways[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    const options = [...event.currentTarget.parentElement.children];
    const at = options.indexOf(event.currentTarget) + way;
    options[(at + options.length) % options.length].focus();
    event.preventDefault();
  }

  // The arrow keys go along the arrows of the sequence. Only the one with the focus is an element; the program sends the
  // next one, and says that it has the focus.
  function goAlongSequence(event) {
    const way = ways[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    window.groupscope.act(JSON.stringify({ Do: way > 0 ? "focus-next" : "focus-prev", Arg: "link" }));
    event.preventDefault();
  }

  function setFlag(node, name, value) {
    if (value === undefined) node.removeAttribute(name);
    else node.setAttribute(name, String(value));
  }

  function place(node, element) {
    node.style.left = `${element.x}px`;
    node.style.top = `${element.y}px`;
    node.style.width = `${element.w}px`;
    node.style.height = `${element.h}px`;
  }

  function set(element) {
    let node = nodes.get(element.id);
    if (node && node.dataset.role !== element.role) {
      node.remove();
      node = undefined;
    }
    if (!node) {
      node = make(element);
      nodes.set(element.id, node);
    }
    place(node, element);
    node.tabIndex = element.focus ? 0 : -1;
    if (element.role === "slider") {
      setSlider(node, element);
      return;
    }
    if (element.role === "textbox") {
      if (node.value !== (element.text || "")) node.value = element.text || "";
      node.setAttribute("aria-label", element.label);
      return;
    }
    if (node.textContent !== element.label) node.textContent = element.label;
    if (element.role === "region" || element.role === "dialog" || element.role === "img") {
      node.setAttribute("aria-label", element.label);
    }
    if (node.tagName === "BUTTON") node.disabled = Boolean(element.disabled);
    setFlag(node, "aria-pressed", element.role === "button" ? element.pressed : undefined);
    setFlag(node, "aria-selected", element.role === "tab" ? Boolean(element.selected) : undefined);
    setFlag(node, "aria-checked", element.role === "radio" ? Boolean(element.selected) : undefined);
  }

  function setSlider(node, element) {
    node.min = element.min;
    node.max = element.max;
    node.step = "any"; // before the value, which would be rounded to it
    node.value = element.now;
    node.setAttribute("aria-label", element.label);
    node.setAttribute("aria-valuetext", element.text || String(element.now));
    node.disabled = Boolean(element.disabled);
  }

  // Puts the elements in order, those of one kind that follow each other inside the parent that ARIA wants. A node that is
  // in place already is not touched: moving the focused one would lose the focus.
  function arrange(order) {
    let after = null;
    let group = null;
    let last = null;
    const kept = new Set();
    for (const id of order) {
      const node = nodes.get(id);
      const role = parents[node.dataset.role];
      if (!role) {
        group = null;
        putAfter(root, node, after);
        after = node;
        kept.add(node);
        continue;
      }
      if (!group || group.getAttribute("role") !== role) {
        group = parentFor(node, role, kept);
        putAfter(root, group, after);
        after = group;
        last = null;
        kept.add(group);
      }
      putAfter(group, node, last);
      last = node;
    }
    for (const child of Array.from(root.children)) {
      if (!kept.has(child)) child.remove();
    }
  }

  function parentFor(node, role, kept) {
    const old = node.parentElement;
    if (old && old !== root && old.getAttribute("role") === role && !kept.has(old)) return old;
    const group = document.createElement("div");
    group.setAttribute("role", role);
    return group;
  }

  function putAfter(parent, node, before) {
    const next = before ? before.nextSibling : parent.firstChild;
    if (node.parentElement === parent && node === next) return;
    parent.insertBefore(node, next);
  }

  // What had the focus when it went away: opening a dialog drops everything else, and closing it brings that back.
  let left = null;

  function drop(id) {
    const node = nodes.get(id);
    if (node === document.activeElement && left === null) left = id;
    node.remove();
    nodes.delete(id);
  }

  function returnFocus() {
    if (left === null || !nodes.has(left)) return;
    if (document.activeElement === document.body) nodes.get(left).focus();
    left = null;
  }

  window.groupscopeMirror = {
    apply(change) {
      for (const id of change.drop || []) drop(id);
      for (const element of change.set || []) set(element);
      if (change.order) arrange(change.order);
      if (change.focus && nodes.has(change.focus)) {
        nodes.get(change.focus).focus();
        left = null;
      }
      returnFocus();
    },
    announce(text) {
      document.getElementById("announcer").textContent = text;
    },
    // Whether the element uses the key itself, as a browser's own controls do.
    owns(node, key) {
      if (!node || !root.contains(node)) return false;
      if ((node.dataset.role === "radio" || node.dataset.role === "link") && key in ways) return true;
      if (node.tagName === "BUTTON") return key === "Enter" || key === " ";
      if (node.dataset.role === "textbox") return key !== "Escape";
      if (node.tagName === "INPUT") return /^(Arrow|Page|Home|End)/.test(key);
      return false;
    },
  };
})();
