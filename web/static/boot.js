// Loads the program, showing how far it is, and starts it.
(() => {
  "use strict";

  const files = JSON.parse(document.body.dataset.files);
  const version = document.body.dataset.version;
  const words = wordsOf(JSON.parse(document.body.dataset.words), window.groupscopePage.wishes.lang);

  const title = document.getElementById("shell-title");
  const text = document.getElementById("shell-text");
  const progress = document.getElementById("shell-progress");
  const again = document.getElementById("shell-again");

  function wordsOf(all, lang) {
    return all[lang] || all.en;
  }

  function say(key, detail) {
    title.textContent = words[key];
    text.textContent = detail || "";
  }

  function fail(key, error) {
    document.getElementById("shell").hidden = false;
    progress.hidden = true;
    say(key, error ? String(error.message || error) : "");
    again.textContent = words.again;
    again.hidden = false;
    again.addEventListener("click", () => location.reload());
  }

  // The smallest form of a file that this browser can unpack. Any web host can send these: they are plain files, unpacked
  // here, so that the bytes counted are the bytes sent.
  function smallest(sizes) {
    const forms = [["br", "brotli"], ["gz", "gzip"]];
    for (const [ending, format] of forms) {
      if (!sizes[ending]) continue;
      try {
        return { ending: `.${ending}`, size: sizes[ending], unpack: new DecompressionStream(format) };
      } catch (error) {
        // This browser does not know the format.
      }
    }
    return { ending: "", size: sizes.raw, unpack: null };
  }

  // Some hosts say Content-Encoding: gzip for a .gz file, and the browser then unpacks it by itself.
  function isUnpacked(response) {
    return Boolean(response.headers.get("Content-Encoding"));
  }

  async function open(name, onProgress) {
    const form = smallest(files[name]);
    const response = await fetch(`${name}${form.ending}?v=${version}`);
    if (!response.ok) throw new Error(`${name}${form.ending}: ${response.status} ${response.statusText}`);
    const unpacked = isUnpacked(response);
    const total = unpacked ? files[name].raw : form.size;
    let got = 0;
    const count = new TransformStream({
      transform(chunk, controller) {
        got += chunk.byteLength;
        onProgress(Math.min(1, got / total));
        controller.enqueue(chunk);
      },
    });
    const body = response.body.pipeThrough(count);
    return form.unpack && !unpacked ? body.pipeThrough(form.unpack) : body;
  }

  async function load(name, onProgress) {
    const body = await open(name, onProgress);
    return new Uint8Array(await new Response(body).arrayBuffer());
  }

  function drawsWebGL() {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2");
    if (!context) return false;
    context.getExtension("WEBGL_lose_context")?.loseContext(); // browsers allow a page few contexts
    return true;
  }

  async function boot() {
    say("loading");
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") return fail("tooOld");
    if (!drawsWebGL()) return fail("noWebGL");
    const go = new Go();
    const body = await open("groupscope.wasm", (share) => { progress.value = share; });
    const answer = new Response(body, { headers: { "Content-Type": "application/wasm" } });
    const program = await WebAssembly.instantiateStreaming(answer, go.importObject);
    go.run(program.instance).then(() => fail("stopped"), (error) => fail("stopped", error));
  }

  document.documentElement.dataset.theme = window.groupscopePage.wishes.theme;
  window.groupscopeLoad = load;
  boot().catch((error) => fail("failed", error));
})();
