import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../harness/places.ts';
import { draw } from '../../mutants/draw.ts';
import { type Fault, plant } from '../../mutants/fault.ts';
import { findCatch, type Runs } from '../../mutants/findCatch.ts';
import { importsOf, readImportGraph } from '../../mutants/importGraph.ts';
import { pool } from '../../mutants/pool.ts';
import { isGood, json, summaryLine } from '../../mutants/report.ts';
import { type FilesRun, insideMark, readStream } from '../../mutants/runFiles.ts';
import type { Outcome, Trial } from '../../mutants/tryFault.ts';
import { readWish } from '../../mutants/wish.ts';

const run = promisify(execFile);
const script = join(root, 'test/mutants/main.ts');

const fault: Fault = {
	name: 'made',
	room: 'http',
	kind: 'guard',
	file: 'src/http/made.ts',
	text: 'if (isOpen) {',
	replacement: 'if (true) {',
	harm: 'made for this test',
};

function trial(outcome: Outcome, name = 'made'): Trial {
	return { fault: { ...fault, name }, outcome, ms: 1 };
}

const caught = trial({ kind: 'caught', ring: 'unit', by: 'test/unit/made.test.ts › made' });
const escaped = trial({ kind: 'escaped', testFiles: 3 });
const broken = trial({ kind: 'broken', files: ['test/unit/made.test.ts'] });

/** Entries of bundles that hand on what other rooms do: a fault in them is one that no file loads. */
const entries: ReadonlySet<string> = new Set(['render', 'mailParser', 'desk', 'extension']);

/** As ARCHITECTURE.md has them, and the areas of `features`. */
function allRooms(): readonly string[] {
	const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
	const [, block = ''] = /```arrows in src\n([^`]+)```/.exec(page) ?? [];
	const rooms = Array.from(block.matchAll(/^(\S+)\s*->/gm), ([, room = '']) => room);
	return rooms.flatMap((room) =>
		room === 'features'
			? readdirSync(join(root, 'src/features')).map((area) => `features/${area}`)
			: entries.has(room)
				? []
				: [room],
	);
}

suite('the pool of faults', () => {
	test('each text stands once in its file, and is another one afterwards', () => {
		for (const each of pool) {
			const content = readFileSync(join(root, each.file), 'utf8');
			assert.notEqual(plant(each, content), content, each.name);
		}
	});

	test('names are unique, and each fault says what somebody would suffer', () => {
		assert.equal(new Set(pool.map(({ name }) => name)).size, pool.length);
		assert.deepEqual(
			pool.filter(({ name, harm }) => !/^[a-z][a-z0-9-]+$/.test(name) || harm.length < 20).map(({ name }) => name),
			[],
		);
	});

	test('each room and each area of features has faults, and each fault stands in its room', () => {
		const rooms = new Set(pool.map(({ room }) => room));
		assert.deepEqual(
			allRooms().filter((room) => !rooms.has(room)),
			[],
		);
		assert.deepEqual(
			pool
				.filter(({ room, file }) => file !== `src/${room}.ts` && !file.startsWith(`src/${room}/`))
				.map(({ name }) => name),
			[],
		);
	});

	test('every fault can be seen by a test', () => {
		const graph = readImportGraph(root);
		const unseen = pool.filter(({ file }) =>
			(['unit', 'contract', 'page'] as const).every((ring) => graph.testsOf(file, ring).length === 0),
		);
		assert.deepEqual(
			unseen.map(({ file }) => file),
			[],
		);
	});

	test('a text that is missing or stands there twice is an error', () => {
		assert.equal(plant(fault, 'a if (isOpen) { b'), 'a if (true) { b');
		assert.throws(() => plant(fault, 'nothing'), /made: its text stands 0 times in src\/http\/made.ts/);
		assert.throws(() => plant(fault, 'if (isOpen) { if (isOpen) {'), /stands 2 times/);
	});

	test('a draw has faults of every room, is the same for the same seed and another for another', () => {
		const drawn = draw(pool, 60, 1);
		assert.equal(drawn.length, 60);
		assert.equal(new Set(drawn).size, 60);
		assert.deepEqual(new Set(drawn.map(({ room }) => room)), new Set(pool.map(({ room }) => room)));
		assert.deepEqual(draw(pool, 60, 1), drawn);
		assert.notDeepEqual(draw(pool, 60, 2), drawn);
	});
});

suite('which tests can see a file', () => {
	const files = new Set(['src/a/one.ts', 'src/a/two.ts', 'src/b/thread.ts', 'src/webview/ticket/main.ts']);

	test('imports of values, programs and pages count, imports of types alone do not', () => {
		const source = [
			"import { one } from '../a/one.ts';",
			"import type { Two } from '../a/two.ts';",
			"const programPath = join(root, 'src', 'b/thread.ts');",
			"const page = { script: 'ticket.js' };",
		].join('\n');
		assert.deepEqual(
			importsOf('src/b/three.ts', source, files),
			new Set(['src/a/one.ts', 'src/b/thread.ts', 'src/webview/ticket/main.ts']),
		);
	});

	test('an import over several lines counts by what it imports', () => {
		const types = "import type {\n\tOne,\n\tTwo,\n} from './one.ts';\nimport { two } from './two.ts';\n";
		assert.deepEqual(importsOf('src/a/three.ts', types, files), new Set(['src/a/two.ts']));
	});

	test('the tests nearest to a file come first, and pages are seen by page tests alone', () => {
		const graph = readImportGraph(root);
		assert.equal(graph.testsOf('src/http/pace.ts', 'unit')[0], 'test/unit/http/pace.test.ts');
		assert.deepEqual(graph.testsOf('src/webview/ticket/composer.ts', 'unit'), []);
		assert.ok(graph.testsOf('src/webview/ticket/composer.ts', 'page').length > 1);
	});

	test('tests of the commands themselves see nothing', () => {
		const graph = readImportGraph(root);
		const seeing = pool.flatMap(({ file }) => graph.testsOf(file, 'unit'));
		assert.deepEqual(
			seeing.filter((file) => file.startsWith('test/unit/harness/')),
			[],
		);
	});
});

suite('what a run of tests came to', () => {
	const ended = { code: 0, folder: '/copy', ms: 5 };
	const passed = '["pass",{"title":"b","fullTitle":"a b","file":"/copy/test/a.test.ts","duration":2}]';
	const failed = '["fail",{"title":"c","fullTitle":"a c","file":"/copy/test/a.test.ts","err":"why","stack":"at"}]';

	test('the first failure counts, whatever the tests print in between', () => {
		assert.deepEqual(readStream(`["start",{"total":2}]\n${passed}\nprinted\n${failed}\n`, { ...ended, code: 1 }), {
			kind: 'failed',
			test: { file: 'test/a.test.ts', title: 'a c', ms: 0 },
			error: 'why',
			ms: 5,
		});
	});

	test('a run has passed when it came to its end with a test that passed', () => {
		const whole = `["start",{"total":1}]\n${passed}\n["end",{"passes":1}]\n`;
		assert.equal(readStream(whole, ended).kind, 'passed');
		assert.equal(readStream(whole, { ...ended, code: 1 }).kind, 'died');
		assert.equal(readStream(`["start",{"total":1}]\n${passed}\n`, ended).kind, 'died');
		assert.equal(readStream('["start",{"total":0}]\n["end",{"passes":0}]\n', ended).kind, 'died');
	});
});

suite('whether tests notice a fault', () => {
	const files = ['test/unit/one.test.ts', 'test/unit/two.test.ts'];
	const [one = '', two = ''] = files;
	const passed: FilesRun = { kind: 'passed', tests: [], ms: 1 };
	const died: FilesRun = { kind: 'died', output: 'out of memory', ms: 1 };
	const hung: FilesRun = { kind: 'hung', ms: 1 };
	const failedIn = (file: string): FilesRun => ({
		kind: 'failed',
		test: { file, title: 'a', ms: 1 },
		error: 'why',
		ms: 1,
	});

	/** Runs that come to what is given for each set of files: with the fault one after another, without it always. */
	function runs(withFault: Readonly<Record<string, readonly FilesRun[]>>, without: FilesRun = passed): Runs {
		const left = new Map(Object.entries(withFault).map(([names, all]) => [names, [...all]]));
		return {
			withFault: async (names) => left.get(names.join())?.shift() ?? passed,
			without: async () => without,
		};
	}

	const both = files.join();

	test('a test that fails twice has noticed it, unless it fails without it as well', async () => {
		const failing = { [both]: [failedIn(two)], [two]: [failedIn(two)] };
		assert.deepEqual(await findCatch(files, runs(failing)), { by: `${two} › a`, doubtful: [] });
		assert.deepEqual(await findCatch(files, runs(failing, failedIn(two))), { by: undefined, doubtful: [two] });
	});

	test('a test that fails once says nothing, and the others are run without it', async () => {
		const failing = { [both]: [failedIn(one)], [one]: [passed], [two]: [failedIn(two), failedIn(two)] };
		assert.deepEqual(await findCatch(files, runs(failing)), { by: `${two} › a`, doubtful: [one] });
	});

	test('a process that dies or hangs has noticed it only if it does so again, and not without it', async () => {
		for (const run of [died, hung]) {
			const { by, doubtful } = await findCatch(files, runs({ [both]: [run, run] }));
			assert.match(by ?? '', /one\.test\.ts, .*two\.test\.ts/, run.kind);
			assert.deepEqual(doubtful, []);
			const saysNothing = { by: undefined, doubtful: files };
			assert.deepEqual(await findCatch(files, runs({ [both]: [run] })), saysNothing, run.kind);
			assert.deepEqual(await findCatch(files, runs({ [both]: [run, run] }, run)), saysNothing, run.kind);
		}
	});

	test('a failure of which mocha does not tell the file is asked of all', async () => {
		const failing = { [both]: [failedIn(''), failedIn('')] };
		assert.deepEqual(await findCatch(files, runs(failing)), { by: ' › a', doubtful: [] });
	});
});

suite('the report of planted faults', () => {
	test('counts what caught them', () => {
		const result = { seed: 7, trials: [caught, escaped], brokenTests: [] };
		assert.match(summaryLine(result), /^1 of 2 caught \(unit 1, contract 0, page 0\)/);
		assert.match(json(result), /"kind": "escaped"/);
	});

	test('names what was not caught, and what is in doubt', () => {
		const named = (name: string, { outcome }: Trial): Trial => trial(outcome, name);
		const trials = [named('two', escaped), caught, named('three', broken), named('one', escaped)];
		assert.equal(
			summaryLine({ seed: 7, trials, brokenTests: [] }),
			'1 of 4 caught (unit 1, contract 0, page 0); not caught: one, two; in doubt: three',
		);
	});

	test('is good from 90 % on, unless something is in doubt', () => {
		const nine = Array.from({ length: 9 }, () => caught);
		assert.equal(isGood({ seed: 1, trials: [...nine, escaped], brokenTests: [] }), true);
		assert.equal(isGood({ seed: 1, trials: [...nine, escaped, escaped], brokenTests: [] }), false);
		assert.equal(isGood({ seed: 1, trials: [...nine, broken], brokenTests: [] }), false);
		assert.equal(isGood({ seed: 1, trials: [], brokenTests: [] }), false);
	});
});

suite('what the command of mutants is asked for', () => {
	test('a seed draws, names and rooms choose, and what is unknown is an error', () => {
		assert.equal(readWish([], pool, {}).seed, 20_261_121);
		assert.equal(readWish([], pool, { FORGE_DESK_SEED: '5' }).seed, 5);
		assert.equal(readWish(['--seed', '6'], pool, { FORGE_DESK_SEED: '5' }).seed, 6);
		assert.deepEqual(readWish(['--all'], pool, {}).faults, pool);
		assert.deepEqual(readWish(['made'], [fault], {}).faults, [fault]);
		assert.deepEqual(readWish(['http'], [fault], {}).faults, [fault]);
		assert.throws(() => readWish(['nothing'], pool, {}), /No fault and no room is called nothing/);
		assert.throws(() => readWish(['--seed', 'x'], pool, {}), /takes a whole number/);
	});

	test('it never runs within a run of its own', async () => {
		const env = { ...process.env, [insideMark]: 'yes' };
		await assert.rejects(
			run(process.execPath, [script, '--smallest'], { cwd: root, env }),
			/Faults are not planted by/,
		);
	});
});
