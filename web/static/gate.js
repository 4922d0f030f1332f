// The gate holds back the program's frames while its picture stands still: a paused lesson leaves the processor alone.
// It has to replace requestAnimationFrame before the program is loaded, since Ebitengine takes hold of it once.
(() => {
  "use strict";

  const nextFrame = window.requestAnimationFrame.bind(window);
  // Ebitengine presents a picture for five frames before it rests; a few more let a slow one settle.
  const settle = 8;

  let held = [];
  let left = settle;
  let busy = false;
  let inView = true;

  function open() {
    return inView && (busy || left > 0);
  }

  window.requestAnimationFrame = (callback) => {
    if (!open()) {
      held.push(callback);
      return 0;
    }
    left = Math.max(0, left - 1);
    return nextFrame(callback);
  };

  function release() {
    if (!open()) return;
    const waiting = held;
    held = [];
    waiting.forEach((callback) => nextFrame(callback));
  }

  function wake() {
    left = settle;
    release();
  }

  window.groupscopeGate = {
    wake,
    isOpen: open,
    // The program says whether its picture moves by itself.
    setBusy(value) {
      busy = value;
      release();
    },
    // A page scrolled out of view needs no frames, moving or not.
    setInView(value) {
      inView = value;
      release();
    },
  };

  const inputs = [
    "pointerdown", "pointermove", "pointerup", "contextmenu", "mousedown", "mousemove", "mouseup", "mouseleave", "wheel",
    "touchstart", "touchmove", "touchend", "touchcancel", "keydown", "keyup", "focus", "blur", "resize", "message",
  ];
  for (const type of inputs) {
    window.addEventListener(type, wake, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", wake);
})();
