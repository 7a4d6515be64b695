// The page of a run: asks for its state ten times a second, and shows it.
//
// Each answer is whole, and none is asked for before the last one has come: so
// a page that is slow, or hidden, asks less often, and the program keeps
// nothing for it.
//
// Thread rule: the page's one thread.
// Tested by live_browser_test.
'use strict';
(function(pages) {

const PERIOD_MS = 100;
const HIDDEN_PERIOD_MS = 1000;
const LOST_PERIOD_MS = 1000;
// What is beside the picture is read by people, and is still that long.
const PANEL_PERIOD_MS = 500;
const SILENT_MS = 3000;
const {listOf, html} = pages;
const byId = id => document.getElementById(id);

class LivePage {
  constructor(picture) {
    this.picture = picture;
    this.sample = null;
    this.number = 0;
    this.page = '';
    this.selection = null;
    this.rates = new pages.Rates();
    this.panelMs = 0;
    this.isPanelHeld = false;
    this.view = new pages.GraphView(byId('graph'), picture);
    this.packets = new pages.PacketViewer(byId('packet'));
    this.log = new pages.LogList(byId('log-lines'), byId('log-count'));
    byId('title').textContent = pages.textOf(picture.title) || 'Graph';
    this.listen();
    this.showPanel(true);
  }

  listen() {
    byId('graph').addEventListener('graph-select', event => {
      this.selection = event.detail;
      const isStream =
          event.detail !== null && event.detail.kind === 'stream';
      this.packets.Show(isStream ? event.detail.index : -1);
      this.showPanel(true);
    });
    const panel = byId('panel');
    panel.addEventListener('pointerdown', () => this.isPanelHeld = true);
    for (const end of ['pointerup', 'pointercancel']) {
      window.addEventListener(end, () => this.isPanelHeld = false);
    }
    byId('overview').addEventListener('click', () => this.view.Select(null));
    byId('trace').addEventListener('click', () => this.pressTrace());
    for (const id of ['save', 'recent']) {
      byId(id).addEventListener('click', event => {
        if (byId(id).ariaDisabled === 'true') event.preventDefault();
      });
    }
  }

  // --- Asking

  async Run() {
    for (;;) {
      const start = performance.now();
      const isThere = await this.ask();
      const cost = performance.now() - start;
      const period = !isThere ? LOST_PERIOD_MS :
          document.hidden ? HIDDEN_PERIOD_MS : PERIOD_MS;
      // At most half of the time.
      const pause = Math.max(period - cost, Math.min(cost, LOST_PERIOD_MS), 10);
      await new Promise(done => setTimeout(done, pause));
    }
  }

  // False: the program does not answer.
  async ask() {
    try {
      // A program that was stopped, as by a debugger, does not answer at all.
      const answer = await fetch('/state.json?since=' + this.number,
                                 {signal: AbortSignal.timeout(SILENT_MS)});
      if (answer.status === 204) {
        this.showSilence(Number(answer.headers.get('X-Age-Ms')));
        return true;
      }
      if (answer.status === 401) {
        this.say('lost', 'The program was started again: open the address ' +
                     'that it printed.');
        return false;
      }
      if (answer.status !== 200) {
        this.say('lost', (await answer.text()).trim());
        return false;
      }
      this.take(await answer.json());
      return true;
    } catch (error) {
      this.showLost();
      return false;
    }
  }

  take(sample) {
    if (this.page !== '' && sample.page !== this.page) {
      // Another program has the port now, maybe with another graph.
      window.location.reload();
      return;
    }
    this.page = sample.page;
    this.number = sample.number;
    this.sample = sample;
    const state = sample.state;
    state.packets_per_second = this.rates.Add(sample);
    this.view.SetState(state);
    pages.showCalls(this.view, listOf(sample.calls));
    this.showRun();
    this.showPanel(false);
    this.showControl();
    this.log.Follow(sample.last_line);
  }

  // --- Showing

  showRun() {
    const {state, run} = this.sample;
    const phase = state.phase || '';
    this.setText('phase', phase);
    byId('phase').className = 'phase ' + phase.replace(' ', '-');
    this.setText('run', run > 1 ? 'run ' + run : '');
    this.setText('elapsed', run > 0 ?
        pages.durationText(Math.floor((state.elapsed_us || 0) / 1e5) * 1e5) :
        '');
    const rates = state.packets_per_second;
    this.setText('rate', phase === 'running' && rates.length > 0 ?
        pages.rateText(rates.reduce((sum, rate) => sum + rate, 0)) +
            ' packets' : '');
    document.title =
        (pages.textOf(this.picture.title) || 'Graph') + ' — ' + phase;
    if (state.error) {
      this.say('error', state.error);
    } else if (state.standstill) {
      this.say('standstill', state.standstill, state.standstill_text);
    } else {
      this.say('', '');
    }
  }

  setText(id, text) {
    const element = byId(id);
    if (element.textContent !== text) element.textContent = text;
  }

  // The sentence on top; `more` unfolds.
  say(kind, text, more) {
    text = text.trim();
    const value = kind + text + (more || '');
    if (value === this.said) return;
    this.said = value;
    const banner = byId('banner');
    banner.hidden = !text;
    banner.className = kind;
    const lines = more ? more.trim().split('\n').slice(1).join('\n') : '';
    banner.replaceChildren(html('div', 'sentence', text));
    if (!lines) return;
    const details = html('details');
    details.append(html('summary', '', 'Who waits for it, and what to do'),
                   html('pre', '', lines));
    banner.appendChild(details);
  }

  showSilence(ageMs) {
    if (ageMs < SILENT_MS) return;
    this.say('lost', 'The graph has not answered for ' +
                 Math.floor(ageMs / 1000) + ' s. What is shown is older.');
  }

  showLost() {
    const ended = this.sample &&
        ['ended', 'failed', 'interrupted'].includes(this.sample.state.phase);
    byId('phase').classList.add('gone');
    this.enableControl(false);
    // The last numbers may have come just after the panel was drawn.
    this.panelMs = -Infinity;
    this.showPanel(false);
    if (this.sample && this.sample.state.error) return;
    this.say('lost', ended ?
        'The run has ended, and its program has gone. This is what it did.' :
        'The program has gone, or cannot be reached. What is shown is the ' +
            'last that is known.');
  }

  showPanel(isNow) {
    const now = performance.now();
    const panel = byId('panel');
    const chosen = document.getSelection();
    const isRead = !chosen.isCollapsed && panel.contains(chosen.anchorNode);
    if (!isNow && (now - this.panelMs < PANEL_PERIOD_MS || this.isPanelHeld ||
                   isRead)) {
      return;
    }
    this.panelMs = now;
    const buttons = [...panel.querySelectorAll('button')];
    const focused = buttons.indexOf(document.activeElement);
    const scroll = panel.scrollTop;
    byId('details').replaceChildren(...this.panelParts());
    byId('overview').hidden = this.selection === null;
    if (isNow) {
      panel.scrollTop = 0;
    } else {
      panel.scrollTop = scroll;
      const again = panel.querySelectorAll('button')[focused];
      if (focused >= 0 && again) again.focus({preventScroll: true});
    }
  }

  panelParts() {
    const select = selection => this.view.Select(selection, true);
    const state = this.sample && this.sample.state;
    const parts = [
      pages.detailsOf(this.picture, this.selection, state, select)
    ];
    if (!this.sample) return parts;
    if (this.selection === null) {
      parts.push(pages.overviewOf(this.picture, this.sample, select));
    } else if (this.selection.kind === 'node') {
      // Under the name.
      parts[0].querySelector('h2').after(pages.nodeNumbersOf(
          this.picture, this.sample, this.selection.index));
    }
    return parts;
  }

  // --- Traces

  showControl() {
    const {has_control, is_tracing, has_trace, trace_text} = this.sample;
    byId('control').hidden = !has_control;
    if (!has_control) return;
    this.enableControl(true);
    this.setText('trace', is_tracing ? 'Stop trace' : 'Start trace');
    byId('save').hidden = !has_trace;
    this.setText('trace-text', trace_text || '');
  }

  // Who has the focus keeps it: a button that is disabled would lose it.
  enableControl(isEnabled) {
    for (const id of ['trace', 'save', 'recent']) {
      byId(id).setAttribute('aria-disabled', String(!isEnabled));
    }
  }

  async pressTrace() {
    if (this.isPressed || byId('trace').ariaDisabled === 'true') return;
    this.isPressed = true;
    try {
      const answer = await fetch(
          this.sample.is_tracing ? '/trace/stop' : '/trace/start',
          {method: 'POST'});
      if (!answer.ok) this.setText('trace-text', (await answer.text()).trim());
    } catch (error) {
      this.showLost();
    }
    this.isPressed = false;
  }
}

async function begin() {
  try {
    const answer = await fetch('/picture.json');
    if (!answer.ok) throw new Error(await answer.text());
    const page = new LivePage(await answer.json());
    pages.live = page;  // for tests
    page.Run();
  } catch (error) {
    byId('banner').hidden = false;
    byId('banner').textContent =
        'The picture of the graph cannot be had: ' + error.message;
  }
}
begin();

})(globalThis.synclinePages);
