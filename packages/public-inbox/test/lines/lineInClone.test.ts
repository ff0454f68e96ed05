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
