import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resting } from '@forge-desk/base/timeSlice.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { systemClock } from '../../../../test/support/contractForge.ts';
import { addSettings } from '../../../../test/support/gitSettings.ts';
import { testMachine, type TestMachine } from '../../../../test/support/localMachine.ts';
import { trappedClone } from '../../../../test/support/trappedClone.ts';
import { committedLines } from '../../src/lines/lineInClone.ts';

const never = new AbortController().signal;

suite('line of an edited file', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	setup(() => {
		machine = testMachine();
	});
	teardown(() => machine.remove());

	const found = (root: string, commit: string, path: string, text: string, line: number) =>
		committedLines(machine.git, resting(systemClock)).of({ root, path, commit, text, line }, never);

	test('leads to its commit through edits and renames, whatever the settings are', async () => {
		const root = join(machine.folder, 'clone');
		mkdirSync(root);
		machine.plain(root, 'init', '-q', '-b', 'main');
		const body = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
		writeFileSync(join(root, 'old ä.c'), body);
		const first = machine.commitAll(root, 'Begin\n\nLink: https://x.example/1@x', '--author', 'Bo <bo@x.example>');
		renameSync(join(root, 'old ä.c'), join(root, 'new.c'));
		const later = body.replace('line 3\n', 'line three\n');
		writeFileSync(join(root, 'new.c'), later);
		writeFileSync(join(root, '.mailmap'), 'Bo <other@x.example> <bo@x.example>\n');
		const second = machine.commitAll(root, 'Rename\nit\n\nText.');
		writeFileSync(join(machine.folder, 'ignored'), `${first}\n${second}\n`);
		addSettings(join(root, '.git/config'), [
			['blame.ignoreRevsFile', join(machine.folder, 'ignored')],
			['diff.renames', 'false'],
			['diff.noprefix', 'true'],
			['color.ui', 'always'],
			['log.mailmap', 'true'],
		]);
		const edited = `// Above.\r\n${later.replaceAll('\n', '\r\n').replace('line 7', 'line seven')}`;
		const one = await found(root, second, 'new.c', edited, 3);
		assert.ok(one);
		const { diff, authoredMs, committedMs, ...facts } = one;
		assert.deepEqual(facts, {
			commit: first,
			path: 'old ä.c',
			text: 'line 2',
			subject: 'Begin',
			author: 'bo@x.example',
			message: 'Begin\n\nLink: https://x.example/1@x',
		});
		assert.match(diff, /^diff --git /);
		assert.ok(authoredMs > 0 && committedMs >= authoredMs);
		const other = await found(root, second, 'new.c', edited, 4);
		assert.deepEqual([other?.commit, other?.subject, other?.text], [second, 'Rename it', 'line three']);
		// Edited, beyond the end, and in a new file.
		for (const line of [0, 8]) {
			assert.equal(await found(root, second, 'new.c', edited, line), undefined, String(line));
		}
		assert.equal(await found(root, second, 'none.c', edited, 3), undefined);
	});

	test('reads the commit of neighbouring lines once', async () => {
		const root = join(machine.folder, 'clone');
		mkdirSync(root);
		machine.plain(root, 'init', '-q', '-b', 'main');
		writeFileSync(join(root, 'a.c'), 'one\ntwo\n');
		const commit = machine.commitAll(root, 'Begin');
		const kinds: string[] = [];
		const git: HardenedGit = {
			...machine.git,
			run(command, how, signal) {
				kinds.push(command.kind);
				return machine.git.run(command, how, signal);
			},
		};
		const lines = committedLines(git, resting(systemClock));
		for (const line of [0, 1]) {
			assert.ok(await lines.of({ root, path: 'a.c', commit, text: 'one\ntwo\n', line }, never));
		}
		assert.deepEqual(kinds, ['contentAt', 'blame', 'patch', 'contentAt', 'blame']);
	});

	test('has the dates, the whole message and the whole line of its commit', async () => {
		const root = join(machine.folder, 'clone');
		mkdirSync(root);
		machine.plain(root, 'init', '-q', '-b', 'main');
		const text = '\tdeep\tline of filename x.c  ';
		writeFileSync(join(root, 'a.c'), `x\n${text}\nfilename other.c\n`);
		const message = '  A title\n  over   two lines\n \t\nText\n\nfilename none.c\n\nLink: x';
		const date = '@1700000000 +0100';
		const commit = machine.commitAll(root, message, '--cleanup=verbatim', '--date', date);
		const line = await found(root, commit, 'a.c', `x\n${text}\n`, 1);
		assert.deepEqual([line?.text, line?.path, line?.commit], [text, 'a.c', commit]);
		assert.deepEqual([line?.subject, line?.message], ['A title over two lines', message.trim()]);
		assert.equal(line?.authoredMs, 1_700_000_000_000);
		assert.ok(line.committedMs > line.authoredMs);
		assert.match(line.diff, /^diff --git a\/a\.c b\/a\.c\n[^]*\+filename other\.c\n$/);
	});

	test('has the name that the file had in its commit, unless git quotes it', async () => {
		const hash = 'ab'.repeat(32);
		const cases: readonly (readonly [string, string, string])[] = [
			['filename old ä.c', 'deep/new.c', 'old ä.c'],
			['filename x', 'deep/new.c', 'x'],
			['filename "a\\tb.c"', 'deep/new.c', 'deep/new.c'],
			['summary Title\rfilename other.c\r\tanother text\nfilename x.c', 'deep/new.c', 'x.c'],
			['summary filename other.c\nfilename of filename x.c', 'deep/new.c', 'of filename x.c'],
		];
		for (const [line, path, expected] of cases) {
			const outputs: Readonly<Record<string, string>> = {
				contentAt: 'one\r\n',
				blame: `${hash} 7 1 1\nauthor Bo\nsummary \tx ${'cd'.repeat(20)} \n${line}\n\tone\r\n`,
				patch: `bo@x\n1\n2\nTitle\n\n\0\n\ndiff --git\n`,
			};
			const git: HardenedGit = {
				...machine.git,
				run: async ({ kind }) => ({ code: 0, output: Buffer.from(outputs[kind] ?? ''), complaint: '' }),
			};
			const edited = { root: machine.folder, path, commit: 'a'.repeat(40), text: 'one\n', line: 0 };
			assert.deepEqual(await committedLines(git, resting(systemClock)).of(edited, never), {
				commit: hash,
				path: expected,
				text: 'one',
				author: 'bo@x',
				authoredMs: 1000,
				committedMs: 2000,
				subject: 'Title',
				message: 'Title',
				diff: 'diff --git\n',
			});
		}
	});

	test('fails with git, and does not read on for a file without the line', async () => {
		const kinds: string[] = [];
		const git: HardenedGit = {
			...machine.git,
			async run(command) {
				kinds.push(command.kind);
				const output = Buffer.from(command.kind === 'contentAt' ? 'one\n' : '');
				return { code: command.kind === 'contentAt' ? 0 : 128, output, complaint: 'fatal: broken' };
			},
		};
		const lines = committedLines(git, resting(systemClock));
		const edited = { root: machine.folder, path: 'a.c', commit: 'a'.repeat(40), text: 'one\nnew\n' };
		await assert.rejects(lines.of({ ...edited, line: 0 }, never), { name: 'GitFailure' });
		assert.deepEqual(kinds, ['contentAt', 'blame']);
		assert.equal(await lines.of({ ...edited, line: 1 }, never), undefined);
		assert.deepEqual(kinds, ['contentAt', 'blame', 'contentAt']);
	});

	test('runs no program of the clone', async () => {
		const clone = trappedClone(machine);
		const names = machine.plain(clone.root, 'ls-tree', '-r', '--name-only', '-z', clone.commit).split('\0');
		clone.sprung();
		const searched = names
			.filter((name) => name !== '')
			.map((path) => found(clone.root, clone.commit, path, 'a lantern x\n', 0));
		await Promise.allSettled(searched);
		assert.ok(searched.length > 5);
		assert.deepEqual(clone.sprung(), []);
	});
});
