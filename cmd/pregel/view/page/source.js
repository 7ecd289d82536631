// Where a page has its traces from: its own text, or the server that made it.

// readData unpacks what the page carries: {traces: [{records, served}]}.
export async function readData(element) {
  const text = element.textContent;
  if (element.dataset.form !== 'gzip') return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

// fetcher reads records of a served trace by their range of bytes, and keeps the
// last of them.
export function fetcher(address) {
  const kept = new Map();
  return async (place) => {
    const [offset, length] = place.at;
    if (kept.has(offset)) return kept.get(offset);
    const answer = await fetch(address, {headers: {Range: `bytes=${offset}-${offset + length - 1}`}}).catch(() => {
      throw new Error('the server does not answer: has “pregel view --serve” ended?');
    });
    if (answer.status !== 206) throw new Error(`${address}: the server answered ${answer.status} to a range of bytes`);
    const record = await answer.json();
    kept.set(offset, record);
    if (kept.size > 32) kept.delete(kept.keys().next().value);
    return record;
  };
}
