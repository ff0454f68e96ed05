import assert from 'node:assert/strict';
import {
	mainLine,
	type Moment,
	parsedAgain,
	timesOf,
	toldRows,
	type Trace,
	type Walk,
	walkFigures,
} from '../../house/walks/walkFigures.ts';
import { plantedIn } from '../../house/walks/tracer.ts';

function moment(name: Moment['name'], about: string, ...files: readonly string[]): Moment {
	return { name, about, files };
}

const trace: Trace = {
	moments: [
		moment('port', 'updateTicket', 'src/store.ts', 'src/command.ts'),
		moment('request', '', 'src/http.ts', 'src/rest.ts', 'src/store.ts', 'src/command.ts'),
		moment('told', 'tracker', 'src/tree.ts'),
		moment('told', 'row', 'src/tree.ts'),
		moment('told', 'row', 'src/tree.ts', 'src/late.ts'),
		moment('parsed', 'one\ntwo', 'src/parse.ts'),
		moment('parsed', 'other', 'src/parse.ts'),
		moment('parsed', 'one\ntwo', 'src/parse.ts'),
	],
	runs: [
		{ file: 'src/store.ts', name: 'update', calls: 2 },
		{ file: 'src/store.ts', name: 'apply', calls: 3 },
		{ file: 'src/aside.ts', name: '', calls: 1 },
	],
};

suite('walks', () => {
	test('the main line lists each file once, from the outermost caller inwards, moment by moment', () => {
		assert.deepEqual(
			mainLine(trace).map(({ file, moment: at }) => `${file} ${at}`),
			[
				'src/command.ts port',
				'src/store.ts port',
				'src/rest.ts request',
				'src/http.ts request',
				'src/tree.ts told',
				'src/late.ts told',
				'src/parse.ts parsed',
			],
		);
	});

	test('counts repeated notifications per row, and lists texts parsed again', () => {
		assert.deepEqual(toldRows(trace), [
			['row', 2],
			['tracker', 1],
		]);
		assert.deepEqual(parsedAgain(trace), ['one\ntwo']);
		assert.equal(timesOf(trace, 'request'), 1);
	});

	test('figures count files, functions, calls and notifications of one row', () => {
		const walks: readonly Walk[] = [{ name: 'folder', trace }];
		const figures = walkFigures(walks);
		const valueOf = (what: string): number | undefined => figures.find(({ name }) => name === `folder: ${what}`)?.value;
		assert.deepEqual(
			[
				'files on the main line',
				'files run',
				'functions run',
				'calls',
				'times that one row was told to the editor',
			].map(valueOf),
			[7, 2, 3, 6, 2],
		);
		assert.deepEqual(figures[0]?.found?.slice(0, 2), ['src/command.ts (port)', 'src/store.ts (port)']);
	});

	test('shows the first line of a text parsed again', () => {
		const again = walkFigures([{ name: 'patch', trace }]).find(({ name }) => name.endsWith('more than once'));
		assert.deepEqual([again?.value, again?.found], [1, ['one']]);
	});

	test('plants a statement on its line, and fails if the place is missing or ambiguous', () => {
		const plant = { file: 'src/a.ts', behind: 'function a(b: string): void {', moment: 'parsed', about: 'b' } as const;
		assert.equal(
			plantedIn('function a(b: string): void {\n}\n', plant),
			`function a(b: string): void { globalThis[Symbol.for('forgeDesk.walks')]?.("parsed", b);\n}\n`,
		);
		for (const text of ['function a() {}', 'function a(b: string): void {}function a(b: string): void {}']) {
			assert.throws(() => plantedIn(text, plant), /^Error: src\/a\.ts does not have once: function a/);
		}
	});
});
