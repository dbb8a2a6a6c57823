// Plots of the runs' reports, in step with the frame that is shown.
import uPlot from 'uplot';
import { css, runColour } from './colours.js';

const columnColours = { kinetic: '#4aa3df', elastic: '#7bc96f', gravity: '#b08d6a', contact: '#ef6f8f', total: '#f08c48',
                        dissipated: '#c58af9', work: '#e6c84b', px: '#ef6f8f', py: '#7bc96f', pz: '#4aa3df',
                        lx: '#ef6f8f', ly: '#7bc96f', lz: '#4aa3df' };
const energies = ['kinetic', 'elastic', 'gravity', 'contact', 'total', 'dissipated', 'work'];
const counts = ['newton_iterations', 'linear_iterations', 'contacts', 'inverted', 'seconds'];

const has = (run, column) => run.about.report[column] !== undefined;
const tidy = (column) => column.replaceAll('_', ' ');
const ofRun = (run, columns) => columns.filter((c) => has(run, c))
    .map((column) => ({ run, column, label: tidy(column), colour: columnColours[column] ?? runColour(run.index) }));
const ofAll = (runs, column) => runs.filter((run) => has(run, column))
    .map((run) => ({ run, column, label: run.label, colour: runColour(run.index) }));

/// What the two plots can show: { name, unit, series }.
export function choices(runs) {
  const several = runs.length > 1;
  const each = (name, unit, columns) => runs.map((run) => (
      { name: several ? `${name}: ${run.label}` : name, unit, series: ofRun(run, columns) }));
  const compare = (columns, unit) => several ? columns.map((column) => (
      { name: `All runs: ${tidy(column)}`, unit, series: ofAll(runs, column) })) : [];
  const balance = several ? compare(['ledger_error', 'raw_drift'], '') : each('Ledger error', '', ['ledger_error', 'raw_drift']);
  const costs = several ? compare(counts, '') : counts.flatMap((column) => each(tidy(column), '', [column]));
  const some = (list) => list.filter((choice) => choice.series.length);
  return {
    energy: some([...compare(['total', ...energies.filter((e) => e !== 'total')], 'J'), ...each('Energy (J)', 'J', energies)]),
    momentum: some([...each('Momentum (kg m/s)', 'kg m/s', ['px', 'py', 'pz']),
                    ...each('Angular momentum (kg m²/s)', 'kg m²/s', ['lx', 'ly', 'lz']), ...balance, ...costs])
  };
}

const shortNumber = (value) => value == null ? '–' : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5
    ? (value === 0 ? '0' : value.toExponential(1)) : String(Number(value.toPrecision(4)));

/// One plot over the timeline's frames; `seek` is called with the frame that is clicked.
export class Plot {
  constructor(parent, tickOf, seek) {
    Object.assign(this, { parent, tickOf, seek });
    new ResizeObserver(() => this.resize()).observe(parent);
  }

  show(choice) {
    this.choice = choice;
    this.plot?.destroy();
    this.plot = null;
    if (!choice) return;
    const tables = choice.series.map(({ run, column }) => [
      run.about.report.time.map((time) => this.tickOf(time)), run.about.report[column]]);
    const data = uPlot.join(tables);
    const axis = { stroke: css('--quiet'), grid: { stroke: css('--line'), width: 1 }, ticks: { stroke: css('--line') } };
    this.plot = new uPlot({
      ...this.size(),
      scales: { x: { time: false } },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      legend: { live: true },
      axes: [axis, { ...axis, size: 70, values: (_, values) => values.map(shortNumber) }],
      series: [{ label: 'frame' }, ...choice.series.map(({ label, colour }) => (
          { label, stroke: colour, width: 1.5, spanGaps: true, value: (_, value) => shortNumber(value) }))]
    }, data, this.parent);
    new ResizeObserver(() => this.resize()).observe(this.parent.querySelector('.u-legend'));
    const over = this.plot.over;
    this.mark = over.appendChild(document.createElement('div'));
    Object.assign(this.mark.style, { position: 'absolute', top: 0, bottom: 0, width: '1px', pointerEvents: 'none',
                                     background: css('--strong') });
    const go = (event) => {
      if (event.buttons & 1) this.seek(Math.round(this.plot.posToVal(event.offsetX, 'x')));
    };
    over.addEventListener('mousedown', go);
    over.addEventListener('mousemove', go);
    over.addEventListener('mouseleave', () => this.at(this.tick));
    if (this.tick !== undefined) this.at(this.tick);
  }

  at(tick) {
    this.tick = tick;
    if (!this.plot) return;
    this.mark.style.left = `${this.plot.valToPos(tick, 'x')}px`;
    const frames = this.plot.data[0];
    let idx = 0;
    while (idx + 1 < frames.length && frames[idx + 1] <= tick + 1e-6) ++idx;
    this.plot.setLegend({ idx });
  }

  /// What the legend leaves, as uPlot sets it below the plot.
  size() {
    const legend = this.parent.querySelector('.u-legend')?.offsetHeight ?? 60;
    return { width: Math.max(this.parent.clientWidth, 120),
             height: Math.max(this.parent.clientHeight - legend - 4, 100) };
  }

  resize() {
    if (!this.plot) return;
    const { width, height } = this.size();
    if (width === this.plot.width && height === this.plot.height) return;
    this.plot.setSize({ width, height });
    this.at(this.tick);
  }
}
