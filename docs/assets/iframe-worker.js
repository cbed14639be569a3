/* Chromium refuses workers to pages opened as files, and the search runs in one. Then a hidden frame does its work. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const place = new URL(url, location.href);
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.append(frame);
      const inner = frame.contentWindow;
      const load = (source) =>
        new Promise((done, failed) => {
          const script = inner.document.createElement("script");
          script.src = new URL(source, place).href;
          script.onload = done;
          script.onerror = failed;
          inner.document.body.append(script);
        });
      inner.importScripts = (...sources) =>
        sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
      inner.postMessage = (data) => this.answer(data);
      this.inner = inner;
      this.ready = load(place);
    }
    answer(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(data) {
      this.ready.then(() => {
        const event = new MessageEvent("message", { data });
        this.inner.dispatchEvent(event);
        if (this.inner.onmessage) this.inner.onmessage(event);
      });
    }
    terminate() {}
  };
}
