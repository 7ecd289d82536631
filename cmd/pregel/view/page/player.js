import {fires, seek} from './breakpoint.js';

// A Player is where in a run the page stands: after superstep `at`, or on the way
// there, `progress` from 0 to 1, with messages moving. It knows nothing of the page.
export class Player {
  constructor(first, last, change) {
    Object.assign(this, {first, last, change, at: first, progress: 1, playing: false, speed: 1, calm: false, points: []});
  }

  go(s) {
    this.at = Math.min(Math.max(s, this.first), this.last);
    this.progress = 1;
    this.change('position');
  }

  jump(s) { this.pause(); this.go(s); }

  back() { this.jump(this.at - 1); }

  // forward goes a superstep on; what is on the way arrives at once.
  forward() {
    this.pause();
    this.#depart();
  }

  #depart() {
    if (this.progress < 1) this.go(this.at);
    if (this.at >= this.last) return false;
    this.at++;
    this.progress = this.calm ? 1 : 0;
    this.started = null;
    this.change('position');
    return true;
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.at >= this.last) this.go(this.first);
    this.playing = true;
    this.rested = 0;
    this.change('playing');
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.change('playing');
  }

  // frame moves on with the clock, in milliseconds; true if there is more to come.
  frame(now) {
    if (this.progress < 1) {
      this.started ??= now;
      this.progress = Math.min(1, (now - this.started) * this.speed / 700);
      this.change(this.progress < 1 ? 'progress' : 'arrival');
      if (this.progress === 1) this.rested = now;
      return true;
    }
    if (!this.playing) return false;
    if (this.held) return true; // somebody looks whether a breakpoint stops the run here
    this.rested ||= now;
    if ((now - this.rested) * this.speed < (this.calm ? 900 : 350)) return true;
    this.rested = now;
    if (!this.#depart()) this.pause();
    return this.playing;
  }

  // run goes to the next superstep at which a breakpoint of a trace fires.
  async run(direction, trace, states) {
    this.pause();
    const found = await seek(this.points, trace, states, this.at, direction);
    if (found) this.go(found.superstep);
    return found;
  }

  // fired is a breakpoint of a trace that stops the run here, if any does.
  async fired(trace, states) {
    const at = this.at;
    for (const point of this.points) {
      if (at <= trace.last && await fires(point, trace, states, at)) return point;
    }
    return null;
  }
}
