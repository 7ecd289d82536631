// The keys, as the help lists them.
const table = [
  {keys: ['ArrowRight', 'l'], name: '→', does: 'a superstep forward', f: (page) => page.player.forward()},
  {keys: ['ArrowLeft', 'h'], name: '←', does: 'a superstep back', f: (page) => page.player.back()},
  {keys: [' '], name: 'space', does: 'play, pause', f: (page) => page.player.toggle()},
  {keys: ['Home'], name: 'Home', does: 'to Init', f: (page) => page.player.jump(page.player.first)},
  {keys: ['End'], name: 'End', does: 'to the last superstep', f: (page) => page.player.jump(page.player.last)},
  {keys: ['n'], name: 'n', does: 'run to the next breakpoint', f: (page) => page.run(1)},
  {keys: ['N'], name: 'N', does: 'back to the breakpoint before', f: (page) => page.run(-1)},
  {keys: ['/'], name: '/', does: 'search for a vertex', f: (page, by) => by('wanted').focus()},
  {keys: ['b'], name: 'b', does: 'set a breakpoint', f: (page, by) => by('condition').focus()},
  {keys: ['w'], name: 'w', does: 'why has the chosen vertex its value', f: (page) => page.panels.forEach((p) => p.ask())},
  {keys: ['+', '='], name: '+', does: 'zoom in', f: (page) => page.panels.forEach((p) => p.view?.zoom(1.4))},
  {keys: ['-'], name: '−', does: 'zoom out', f: (page) => page.panels.forEach((p) => p.view?.zoom(1 / 1.4))},
  {keys: ['f'], name: 'f', does: 'show the whole graph', f: (page) => page.panels.forEach((p) => p.view?.fit())},
  {keys: ['Escape'], name: 'Esc', does: 'leave a field; forget the chain', f: (page) => page.panels.forEach((p) => p.clear())},
  {keys: ['?'], name: '?', does: 'this help', f: (page, by) => by('help').showModal()},
];

// keys listens to the keyboard, and lists in the help what it understands.
export function keys(page, by) {
  for (const {name, does} of table) {
    const [term, text] = [document.createElement('dt'), document.createElement('dd')];
    term.append(Object.assign(document.createElement('kbd'), {textContent: name}));
    text.textContent = does;
    by('keys').append(term, text);
  }
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || by('help').open) return;
    const field = e.target.closest('input, select, textarea');
    if (field && e.key === 'Escape') return field.blur();
    const slider = field?.type === 'range' && !e.key.startsWith('Arrow') && e.key !== 'Home' && e.key !== 'End';
    if (field && !slider || e.key === ' ' && e.target.closest('button, summary')) return;
    const entry = table.find((k) => k.keys.includes(e.key));
    if (!entry) return;
    e.preventDefault();
    entry.f(page, by);
  });
}
