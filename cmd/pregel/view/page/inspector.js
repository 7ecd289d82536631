import {html} from './chart.js';
import {count, duration, plural, short} from './number.js';

const ways = {
  won: (link) => link.ties ? ` (${plural(link.ties, 'other')} sent the same)` : link.others.length ? `, and won over ${plural(link.others.length, 'other')}` : '',
  only: () => ', the only message',
  greatest: (link) => `, the greatest of ${count(link.others.length + 1)}${link.share === null ? '' : `: ${Math.round(link.share * 100)} % of what came`}`,
  likely: () => ' (messages were not recorded: this awake neighbour would have sent that value)',
  perhaps: (link) => ` (messages were not recorded: one of ${plural(link.others.length + 1, 'awake neighbour')})`,
};

// chainList puts the chain of messages into a list; a link goes to its superstep.
export function chainList(trace, answer, target, go) {
  const list = html('ol', {class: 'chain'});
  for (const link of answer.links) {
    const program = trace.programAt(link.superstep);
    const button = html('button', {type: 'button', class: 'plain', 'data-key': `link ${link.superstep}`, 'data-from': trace.id(link.from), 'data-to': trace.id(link.to)},
      html('b', {}, `superstep ${link.superstep}`), ` ${trace.id(link.from)} → ${trace.id(link.to)}`);
    button.addEventListener('click', () => go(link.superstep));
    const sent = link.message === undefined ? '' : ` sent ${trace.writeMessage(link.message, program)}`;
    list.append(html('li', {}, button, html('span', {}, `${sent}${ways[link.how](link)}. `),
      html('span', {class: 'values'}, `${trace.id(link.to)}: ${trace.write(link.before, program)} → ${trace.write(link.after, program)}`)));
  }
  const end = html('p', {class: 'end'}, ending(trace, answer));
  if (!answer.links.length) return end;
  return html('div', {}, html('p', {}, `${trace.id(target)} has its value by ${plural(answer.links.length, 'message')}${answer.links.length > 1 ? ', the last first' : ''}:`), list, end);
}

function ending(trace, {end, vertex, superstep, value}) {
  const id = trace.id(vertex);
  switch (end) {
    case 'init': return `${id} had ${trace.write(value, trace.programAt(superstep))} from Init.`;
    case 'silent': return `${id} changed in superstep ${superstep} without a message.`;
  }
  return `And so on from ${id}.`;
}

// facts lists what is known of a superstep.
export function facts(trace, s, state, changed) {
  const step = trace.bySuperstep.get(s);
  const list = html('dl', {class: 'facts'});
  const fact = (name, text) => { if (text !== null && text !== undefined && text !== '') list.append(html('div', {}, html('dt', {}, name), html('dd', {}, text))); };
  if (!step) {
    fact('superstep', 'none yet: values are those of Init');
    if (state.recorded) fact('awake next', count(state.awake.size));
    return list;
  }
  const number = (x) => x === undefined ? null : count(x);
  fact('program', step.program);
  fact('direction', step.direction && `${step.direction}${step.why ? `: ${step.why}` : ''}`);
  fact('why', step.direction ? null : step.why);
  fact('frontier', step.frontier);
  fact('awake', number(step.awake));
  fact('arcs', number(step.arcs));
  fact('messages', number(step.sent) && `${count(step.sent)}${step.combined === undefined ? '' : ` for ${plural(step.combined, 'vertex', 'vertices')}`}`);
  if (state.recorded) fact('changed', count(changed.size));
  fact('awake next', number(step.next));
  fact('time', duration(step.nanoseconds) + (step.timed ? `, an equal part of that of ${step.timed}` : ''));
  const like = step.likePhasesOf === undefined ? '' : `, as in superstep ${step.likePhasesOf}`;
  for (const phase of step.phases ?? []) fact(`· ${phase.name}${like && ' (not timed)'}`, phase.workers.map(duration).join(' | ') + like);
  fact('· barrier', step.barrier === undefined ? null : duration(step.barrier));
  fact('bytes', number(step.bytes));
  fact('atomics', number(step.atomics));
  fact('to a vertex', step.contention && `${plural(step.contention.most, 'message')} at most, ${short(step.contention.mean)} in the mean`);
  fact(step.metric?.name ?? '', step.metric && `${short(step.metric.value)} (tolerance ${short(step.metric.tolerance)})`);
  fact('aggregates', trace.aggregates(step));
  return list;
}

// vertexFacts says what is known of a vertex after a superstep.
export function vertexFacts(trace, v, s, state, heard) {
  const program = trace.programAt(s);
  const list = html('ul', {class: 'heard'});
  for (const m of heard.slice(0, 8)) list.append(html('li', {}, `${trace.writeMessage(m.message, program)} from ${trace.id(m.from)}`));
  if (heard.length > 8) list.append(html('li', {}, `and ${count(heard.length - 8)} more`));
  return html('div', {},
    html('p', {class: 'value'}, html('b', {}, trace.id(v)), ': ', html('output', {}, trace.write(state.values[v], program)), state.awake.has(v) ? ', awake' : ', asleep'),
    heard.length ? html('p', {}, `heard in superstep ${s}:`) : null, heard.length ? list : null);
}

// choices are buttons of vertices, at most fifty.
export function choices(trace, kind, list, choose) {
  const box = html('div', {class: 'choices'});
  for (const v of list.slice(0, 50)) {
    const button = html('button', {type: 'button', 'data-key': `${kind} ${trace.id(v)}`}, trace.id(v));
    button.addEventListener('click', () => choose(v));
    box.append(button);
  }
  if (list.length > 50) box.append(` and ${count(list.length - 50)} more`);
  return box;
}
