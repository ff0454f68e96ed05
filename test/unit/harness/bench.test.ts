import assert from 'node:assert/strict';
import { verdictOf } from '../../bench/figures.ts';
import { compare, comparisonOf, type Contender } from '../../bench/interleaved.ts';
import type { Figure, Measurement, Size, Verdict } from '../../bench/measurement.ts';
import { measurements } from '../../bench/measurements.ts';
import { mustStart } from '../../bench/peers.ts';
import { readArguments, runMeasurements } from '../../bench/runMeasurements.ts';

function figure(name: string, verdict: Verdict, measured = 1): Figure {
	return { name, goal: '≤ 1', measured, shown: measured.toFixed(3), verdict, detail: '' };
}

/** A measurement that takes a second per run and records its sizes. */
function fakeMeasurement(name: string, ...answers: readonly (readonly Figure[] | Error)[]): FakeMeasurement {
	const asked: Size[] = [];
	return {
		name,
		feltBy: 'nobody',
		isInEditor: false,
		asked,
		async measure(size) {
			nowMs += 1000;
			const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
			asked.push(size);
			if (answer instanceof Error) {
				throw answer;
			}
			return answer;
		},
	};
}

interface FakeMeasurement extends Measurement {
	readonly asked: readonly Size[];
}

let nowMs = 0;
const log: string[] = [];
const options = {
	size: 'full',
	nowMs: () => nowMs,
	limitMs: 60_000,
	budgetMs: 900_000,
	log: (line: string) => void log.push(line),
} as const;

suite('benchmark run', () => {
	test('each sample is one call, with no other call at the same time', async () => {
		const calls = { ours: 0, baseline: 0 };
		const underWay = new Set<string>();
		const called = async (name: keyof typeof calls): Promise<void> => {
			assert.equal(underWay.size, 0);
			calls[name] += 1;
			underWay.add(name);
			await new Promise(setImmediate);
			underWay.delete(name);
		};
		// A function that returns a promise counts like an `async` one.
		const ours = { name: 'ours', run: () => called('ours') };
		const baseline = { name: 'baseline', run: async () => called('baseline') };
		const { ours: samples } = await compare(ours, baseline, 3);
		assert.equal(samples.count, 3);
		// Including warm-up.
		assert.deepEqual(calls, { ours: 6, baseline: 6 });
	});

	test('slow rounds reduce their number to seven at least', async () => {
		const contender = (name: string): Contender => ({ name, run: async () => undefined });
		const countIn = async (rounds: number, msEach: number): Promise<number> => {
			let clockMs = 0;
			const made = await compare(contender('ours'), contender('baseline'), rounds, () => (clockMs += msEach));
			return made.ours.count;
		};
		assert.equal(await countIn(21, 400), 21);
		// Three rounds of warm-up used the first of the 12 seconds.
		assert.equal(await countIn(21, 1000), 8);
		assert.equal(await countIn(21, 60_000), 7);
		assert.equal(await countIn(5, 60_000), 5);
	});

	test('a measurement that throws is broken with its reason, and the others run', async () => {
		const first = fakeMeasurement('first', new Error('registerUriHandler is not a function'));
		const second = fakeMeasurement('second', [figure('a', 'met'), figure('b', 'not met')]);
		const [broken, measured] = await runMeasurements([first, second], options);
		assert.equal(broken?.kind, 'broken');
		assert.match(broken?.kind === 'broken' ? broken.reason : '', /^Error: registerUriHandler is not a function\n/);
		assert.deepEqual(measured, {
			kind: 'measured',
			name: 'second',
			figures: [figure('a', 'met'), figure('b', 'not met')],
			attempts: 1,
			tookMs: 1000,
		});
	});

	test('a measurement without its peer is skipped, and a peer that fails later breaks it', async () => {
		const env = { ...process.env, PATH: '' };
		const without = (name: string, measure: Measurement['measure']): Measurement => ({
			name,
			feltBy: 'nobody',
			isInEditor: false,
			measure,
		});
		const absent = without('absent', async () => {
			mustStart('b4', 'no-such-program', [], env);
			return [figure('a', 'met')];
		});
		const failing = without('failing', async () => {
			mustStart('node', process.execPath, ['--version'], env);
			throw new Error('It found other files');
		});
		const outcomes = await runMeasurements([absent, failing], options);
		assert.deepEqual(
			outcomes.map((outcome) => [outcome.kind, outcome.kind === 'measured' ? '' : outcome.reason.split('\n')[0]]),
			[
				['skipped', 'b4 does not start. Install it into the folder of FORGE_DESK_PEERS, see docs/benchmarks.md'],
				['broken', 'Error: It found other files'],
			],
		);
	});

	test('a measurement without a figure, or with NaN, is broken', async () => {
		const without = fakeMeasurement('without', []);
		const empty = fakeMeasurement('empty', [figure('a', 'met'), figure('b', 'met', Number.NaN)]);
		const outcomes = await runMeasurements([without, empty], options);
		assert.deepEqual(
			outcomes.map((outcome) => (outcome.kind === 'broken' ? outcome.reason.split('\n')[0] : 'measured')),
			['Error: There is no figure', 'Error: "b" is no number: NaN'],
		);
	});

	test('a measurement that does not end is broken, and the others run', async () => {
		const endless: Measurement = {
			name: 'endless',
			feltBy: 'nobody',
			isInEditor: false,
			measure: () => new Promise(() => {}),
		};
		const outcomes = await runMeasurements([endless, fakeMeasurement('next', [figure('a', 'met')])], {
			...options,
			limitMs: 1,
		});
		assert.deepEqual(
			outcomes.map(({ kind }) => kind),
			['broken', 'measured'],
		);
	});

	test('hanging measurements end with the time of the run, and the remaining ones are broken', async () => {
		const asked: string[] = [];
		const endless = (name: string, tookMs: number): Measurement => ({
			name,
			feltBy: 'nobody',
			isInEditor: false,
			measure: () => {
				asked.push(name);
				nowMs += tookMs;
				return new Promise(() => {});
			},
		});
		const outcomes = await runMeasurements([endless('first', 10), endless('second', 10), endless('third', 10)], {
			...options,
			budgetMs: 20,
		});
		assert.deepEqual(
			outcomes.map((outcome) => (outcome.kind === 'broken' ? outcome.reason : outcome.kind)),
			['It did not end within 0.0 s', 'It did not end within 0.0 s', 'The run had no time left for it'],
		);
		assert.deepEqual(asked, ['first', 'second']);
	});

	test('a measurement with a drifted baseline runs again after all others, until the baseline is stable', async () => {
		log.length = 0;
		const drifting = fakeMeasurement(
			'drifting',
			[figure('a', 'drifted')],
			[figure('a', 'drifted')],
			[figure('a', 'met')],
		);
		const other = fakeMeasurement('other', [figure('b', 'not met')]);
		const [outcome] = await runMeasurements([drifting, other], options);
		assert.deepEqual(outcome, {
			kind: 'measured',
			name: 'drifting',
			figures: [figure('a', 'met')],
			attempts: 3,
			tookMs: 3000,
		});
		assert.equal(other.asked.length, 1);
		assert.deepEqual(
			log.map((line) => line.split(' ').filter((word) => word !== '')[1]),
			['drifting', 'other', 'drifting', 'drifting'],
		);
	});

	test('a measurement is drifted after three more runs', async () => {
		const drifting = fakeMeasurement('drifting', [figure('a', 'drifted')]);
		const [outcome] = await runMeasurements([drifting], options);
		assert.equal(drifting.asked.length, 4);
		assert.equal(outcome?.kind === 'measured' ? outcome.figures[0]?.verdict : '', 'drifted');
	});

	test('a figure with a verdict stays when its measurement runs again', async () => {
		const mixed = fakeMeasurement(
			'mixed',
			[figure('a', 'not met', 2), figure('b', 'drifted')],
			[figure('a', 'met', 0.5), figure('b', 'met', 0.7)],
		);
		const [outcome] = await runMeasurements([mixed], options);
		assert.deepEqual(outcome?.kind === 'measured' ? outcome.figures : [], [
			figure('a', 'not met', 2),
			figure('b', 'met', 0.7),
		]);
	});

	test('a measurement does not run again if the run would exceed its time', async () => {
		const drifting = fakeMeasurement('drifting', [figure('a', 'drifted')]);
		await runMeasurements([drifting, fakeMeasurement('other', [figure('b', 'met')])], { ...options, budgetMs: 3000 });
		assert.equal(drifting.asked.length, 2);
	});

	test('a measurement that throws in a later run is broken', async () => {
		const drifting = fakeMeasurement('drifting', [figure('a', 'drifted')], new Error('gone'));
		const [outcome] = await runMeasurements([drifting], options);
		assert.equal(outcome?.kind, 'broken');
	});

	test('at the smallest size every measurement runs once', async () => {
		const drifting = fakeMeasurement('drifting', [figure('a', 'drifted')]);
		const outside = fakeMeasurement('outside', [figure('b', 'met')]);
		const outcomes = await runMeasurements([outside, { ...drifting, isInEditor: true }], {
			...options,
			size: 'smallest',
		});
		assert.deepEqual([drifting.asked, outside.asked], [['smallest'], ['smallest']]);
		assert.deepEqual(
			outcomes.map(({ name }) => name),
			['outside', 'drifting'],
		);
	});
});

suite('benchmark arguments', () => {
	test('every measurement has a unique name, and no names select all', () => {
		assert.equal(new Set(measurements.map(({ name }) => name)).size, measurements.length);
		assert.deepEqual(readArguments([], measurements), { size: 'full', measurements });
		assert.deepEqual(readArguments(['--smallest'], measurements), { size: 'smallest', measurements });
	});

	test('names select measurements, in running order', () => {
		const chosen = readArguments(['walk', '--smallest', 'list'], measurements);
		assert.deepEqual([chosen.size, ...chosen.measurements.map(({ name }) => name)], ['smallest', 'list', 'walk']);
	});

	test('an unknown name or option is an error, which lists the names', () => {
		const few = [fakeMeasurement('list'), fakeMeasurement('walk')];
		assert.throws(() => readArguments(['wlk'], few), {
			name: 'PlainProblem',
			message: 'No measurement is called wlk. There are: list, walk.',
		});
		assert.throws(() => readArguments(['--small'], few), { name: 'PlainProblem' });
	});
});

suite('benchmark verdicts', () => {
	test('a baseline may change by a quarter between its first and its last third', () => {
		assert.equal(verdictOf(true, 0.25), 'met');
		assert.equal(verdictOf(false, 0.25), 'not met');
		assert.equal(verdictOf(true, 0.26), 'drifted');
		assert.equal(verdictOf(false, Number.NaN), 'drifted');
	});

	test('only the baseline determines the drift, with any number of rounds', () => {
		assert.equal(comparisonOf([1, 5, 9, 2, 2, 2], [10, 10, 99, 99, 12, 12]).drift, 0.2);
		assert.equal(comparisonOf([1], [10]).drift, 0);
		assert.equal(comparisonOf([1, 1], [10, 15]).drift, 0.5);
	});
});
