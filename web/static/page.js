// The page's side of the bridge: what the program wants of a page, and which of the page's input it may see.
(() => {
  "use strict";

  const embedded = window.parent !== window;
  const storeKey = "groupscope.place";

  function stored() {
    const entry = performance.getEntriesByType("navigation")[0];
    if (!entry || entry.type !== "reload") return "";
    try {
      return sessionStorage.getItem(storeKey) || "";
    } catch (error) {
      return ""; // a sandboxed frame has no storage
    }
  }

  function store(place) {
    try {
      sessionStorage.setItem(storeKey, place);
    } catch (error) {
      // A sandboxed frame has no storage: a reload begins at the beginning.
    }
  }

  // What the address and the browser ask for. A reload (Ebitengine reloads the page itself when it loses its WebGL
  // context) comes back to the place where it was.
  function wishes() {
    const query = new URLSearchParams(location.search);
    const prefers = (what) => matchMedia(`(prefers-${what})`).matches;
    const looks = prefers("contrast: more") ? "contrast" : prefers("color-scheme: dark") ? "dark" : "light";
    return {
      lesson: query.get("lesson") || "",
      variant: query.get("variant") || "",
      beat: query.get("beat") || "",
      lang: query.get("lang") || (navigator.language || "en").split("-")[0],
      theme: query.get("theme") || looks,
      reducedMotion: prefers("reduced-motion: reduce"),
      preview: query.has("preview"),
      place: stored(),
    };
  }

  // The address names the place, to be copied. An author's lesson has none: only the preview's server knows it.
  function follow(lesson, variant, beat) {
    const address = new URL(location.href);
    if (address.searchParams.has("preview")) return;
    for (const [name, value] of Object.entries({ lesson, variant, beat })) {
      address.searchParams.delete(name);
      if (value) address.searchParams.set(name, value);
    }
    try {
      history.replaceState(history.state, "", address);
    } catch (error) {
      // A sandboxed frame has no address of its own.
    }
  }

  // Chinese needs a font of its own, loaded when it is first wanted.
  async function loadFont(name) {
    try {
      window.groupscope.font(await window.groupscopeLoad(name, () => {}));
    } catch (error) {
      console.error(error);
      window.groupscope.noFont();
    }
    window.groupscopeGate.wake();
  }

  function start() {
    document.getElementById("shell").hidden = true;
    const canvas = document.querySelector("canvas");
    canvas.tabIndex = -1; // what can be reached with the Tab key is in the mirror
    canvas.setAttribute("aria-hidden", "true"); // as is all that it says
    // In somebody else's page a finger that moves up or down scrolls that page.
    canvas.style.touchAction = embedded ? "pan-y pinch-zoom" : "none";
    followPointer(canvas);
    window.addEventListener("pagehide", () => store(window.groupscope.place()));
    if (window.groupscopePage.wishes.preview) watchFiles();
    if (linked()) window.groupscope.open(linked());
  }

  // Every place of the pointer goes to the program, so that none is lost between two slow frames.
  function followPointer(canvas) {
    const send = (event, down) => {
      if (!event.isPrimary) return;
      window.groupscope.pointer(event.clientX, event.clientY, down, event.pointerType === "touch");
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      send(event, true);
    });
    canvas.addEventListener("pointermove", (event) => send(event, (event.buttons & 1) === 1));
    canvas.addEventListener("pointerup", (event) => send(event, false));
    canvas.addEventListener("pointercancel", () => window.groupscope.pointer(-1, -1, false, false));
    canvas.addEventListener("pointerleave", (event) => {
      if (event.buttons === 0) window.groupscope.pointer(-1, -1, false, false);
    });
  }

  // The wheel scrolls what it is over, but zooms where the browser says so, and scrolls the page around this one.
  function onWheel(event) {
    if (event.target.tagName !== "CANVAS") return;
    event.stopImmediatePropagation();
    if (event.ctrlKey || (embedded && !document.fullscreenElement)) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    window.groupscope?.wheel(event.clientX, event.clientY, event.deltaX * unit, event.deltaY * unit);
  }

  // An author's preview: the server tells of each change, the page fetches the files and hands them over.
  function watchFiles() {
    const load = async () => {
      const answer = await fetch("preview/files", { cache: "no-store" });
      window.groupscope.load(await answer.text());
    };
    new EventSource("preview/changes").addEventListener("change", load);
  }

  function download(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // A link is the address of this page with the place in its fragment, which no server is ever sent.
  const linkMark = "#g=";

  function linked() {
    return location.hash.startsWith(linkMark) ? decodeURIComponent(location.hash.slice(linkMark.length)) : "";
  }

  async function copy(link) {
    const address = new URL(location.href);
    address.hash = linkMark + link;
    try {
      await navigator.clipboard.writeText(address.href);
    } catch (error) {
      // Without leave to write to the clipboard the link stands in the address bar.
      history.replaceState(history.state, "", address);
    }
  }

  window.addEventListener("hashchange", () => {
    if (linked()) window.groupscope?.open(linked());
  });

  window.groupscopePage = {
    wishes: wishes(),
    start,
    store,
    follow,
    loadFont,
    mirror: (change) => window.groupscopeMirror.apply(JSON.parse(change)),
    announce: (text) => window.groupscopeMirror.announce(text),
    setBusy: (busy) => window.groupscopeGate.setBusy(busy),
    copy,
    save: (name, type, data) => download(name, new Blob([data], { type })),
    // The program calls this while it makes a frame. Its picture can be read once that is drawn, before the browser takes it away.
    savePicture(name) {
      queueMicrotask(() => document.querySelector("canvas").toBlob((blob) => download(name, blob), "image/png"));
    },
    setTheme(theme, lang) {
      document.documentElement.dataset.theme = theme;
      document.documentElement.lang = lang;
    },
    setTitle(lesson) {
      document.title = lesson ? `${lesson} · groupscope` : "groupscope";
      document.getElementById("title").textContent = document.title;
    },
  };

  // Ebitengine would prevent every key, wheel and touch. It never sees them: what the program has a use for is handed to it
  // by name and place, everything else is the browser's.
  function onKey(event) {
    const browsers = event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab" || /^F\d/.test(event.key);
    if (browsers || event.defaultPrevented || !window.groupscope) return;
    if (window.groupscopeMirror.owns(document.activeElement, event.key)) return;
    if (window.groupscope.key(event.key)) event.preventDefault();
  }
  window.addEventListener("keydown", onKey, { capture: true });

  // The second mouse button, a long press and the keys for a menu ask what can be done to a thing. In a field the menu is the browser's.
  function onMenu(event) {
    if (event.target.tagName === "INPUT" || !window.groupscope) return;
    event.preventDefault();
    window.groupscope.menu(event.clientX, event.clientY);
  }
  window.addEventListener("contextmenu", onMenu);

  window.addEventListener("wheel", onWheel, { capture: true, passive: false });

  const hidden = ["keydown", "keyup", "mousedown", "mouseup", "mousemove", "touchstart", "touchmove", "touchend"];
  for (const type of hidden) {
    window.addEventListener(type, (event) => {
      if (event.target.tagName === "CANVAS") event.stopImmediatePropagation();
    }, { capture: true, passive: true });
  }

  // Ebitengine reads the device pixel ratio once: another screen or zoom needs another start.
  const pixelRatio = window.devicePixelRatio;
  const onPixelRatio = () => {
    if (window.devicePixelRatio !== pixelRatio) location.reload();
  };
  matchMedia(`(resolution: ${pixelRatio}dppx)`).addEventListener("change", onPixelRatio);
  // Not every browser tells at once that a window has moved to another screen.
  for (const type of ["resize", "focus", "pointermove", "keydown"]) {
    window.addEventListener(type, onPixelRatio, { capture: true, passive: true });
  }

  new IntersectionObserver((entries) => {
    window.groupscopeGate.setInView(entries[entries.length - 1].isIntersecting);
  }).observe(document.documentElement);
})();
