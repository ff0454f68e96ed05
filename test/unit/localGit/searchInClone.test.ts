import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure } from '../../../src/localGit/gitFailure.ts';
import { grepReader, type GrepMatch } from '../../../src/localGit/grepOutput.ts';
import { cloneSearchLimits, searchInClone, type CloneQuery } from '../../../src/localGit/searchInClone.ts';
import { testMachine, type TestMachine } from '../../support/localMachine.ts';

const never = new AbortController().signal;

suite('searching a commit in a clone', () => {
	let machine: TestMachine;
	let root: string;
	let first: string;
	let second: string;

	suiteSetup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(join(root, 'src'), { recursive: true });
		machine.plain(root, 'init', '-q');
		const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(root, name), content);
		put('odd\nname:1', 'one lamp\n');
		put('src/crlf.txt', 'é😀 a lamp\r\nLAMP(x)\r\n');
		put('binary', new Uint8Array([0x6c, 0x61, 0x6d, 0x70, 0, 10]));
		put('long.js', `${'x'.repeat(5000)}lamp${'y'.repeat(5000)}\n`);
		put('many.txt', 'needle\n'.repeat(cloneSearchLimits.matches + 5));
		machine.plain(root, 'add', '.');
		machine.plain(root, 'commit', '-q', '-m', 'One');
		first = machine.plain(root, 'rev-parse', 'HEAD').trim();
		put('src/crlf.txt', 'nothing\n');
		machine.plain(root, 'commit', '-q', '-a', '-m', 'Two');
		second = machine.plain(root, 'rev-parse', 'HEAD').trim();
	});
	suiteTeardown(() => machine.remove());

	async function search(query: Partial<CloneQuery>): Promise<readonly GrepMatch[]> {
		const found: GrepMatch[] = [];
		const wanted = { commit: first, query: 'lamp', isRegex: false, matchCase: true, ...query };
		for await (const match of searchInClone(machine.git, root, wanted, never)) {
			found.push(match);
		}
		return found;
	}

	async function problem(query: Partial<CloneQuery>): Promise<string> {
		try {
			await search(query);
		} catch (error) {
			return error instanceof GitFailure ? error.problem.kind : String(error);
		}
		return 'none';
	}

	test('finds lines with their columns as people count, whatever names files have', async () => {
		const found = await search({});
		assert.deepEqual(
			found.filter(({ path }) => path !== 'long.js'),
			[
				{ path: 'odd\nname:1', line: 1, column: 5, text: 'one lamp', textStart: 0 },
				{ path: 'src/crlf.txt', line: 1, column: 7, text: 'é😀 a lamp', textStart: 0 },
			],
		);
	});

	test('shows of a long line the piece around the match', async () => {
		const [found] = (await search({})).filter(({ path }) => path === 'long.js');
		assert.deepEqual([found?.column, found?.textStart, found?.text.length], [5001, 4800, 1000]);
		assert.equal(found?.text.slice(200, 204), 'lamp');
	});

	test('takes the text as it is, or as a regular expression', async () => {
		const paths = async (query: Partial<CloneQuery>): Promise<readonly string[]> =>
			(await search(query)).map(({ path, line }) => `${path}:${line}`);
		assert.deepEqual(await paths({ query: 'lamp(x)', matchCase: false }), ['src/crlf.txt:2']);
		assert.deepEqual(await paths({ query: 'lamp(x)' }), []);
		assert.deepEqual(await paths({ query: '^one\\s+l.mp$', isRegex: true }), ['odd\nname:1:1']);
		assert.deepEqual(await paths({ query: '\\d{40}', isRegex: true }), []);
		assert.equal(await problem({ query: 'lamp(', isRegex: true }), 'badPattern');
		assert.equal(await problem({ query: '' }), 'refused');
		assert.equal(await problem({ query: 'a\nb' }), 'refused');
	});

	test('reads the files of the commit and not those on the disk', async () => {
		assert.ok(!(await search({ commit: second })).some(({ path }) => path === 'src/crlf.txt'));
		assert.equal(await problem({ commit: '0123456789'.repeat(4) }), 'commitMissing');
	});

	test('ends after so many matches, and when nobody reads on', async () => {
		assert.equal((await search({ query: 'needle' })).length, cloneSearchLimits.matches);
		for await (const match of searchInClone(
			machine.git,
			root,
			{ commit: first, query: 'needle', isRegex: false, matchCase: true },
			never,
		)) {
			assert.equal(match.line, 1);
			break;
		}
	});

	test('reads what git writes however it is cut into pieces', () => {
		const bytes = Buffer.from('c:odd\nname:1\x001\x005\x00one lamp\nc:é\x002:3:ab\n');
		const whole = grepReader('c:')(bytes);
		assert.equal(whole.length, 2);
		for (let at = 1; at < bytes.length; at += 1) {
			const read = grepReader('c:');
			assert.deepEqual([...read(bytes.subarray(0, at)), ...read(bytes.subarray(at))], whole);
		}
	});

	test('keeps only the beginning of a line without end', () => {
		const read = grepReader('c:');
		const begun = read(Buffer.from('c:a\x001\x001\x00'));
		const piece = Buffer.alloc(500_000, 'x');
		for (let pieces = 0; pieces < 20; pieces += 1) {
			assert.deepEqual(read(piece), []);
		}
		assert.deepEqual(
			[begun.length, read(Buffer.from('\nc:b\x001\x001\x00y\n')).map(({ path }) => path)],
			[0, ['a', 'b']],
		);
	});
});
