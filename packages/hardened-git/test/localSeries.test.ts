import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure } from '../src/gitFailure.ts';
import {
	formattedPatches,
	localCommits,
	mergeBase,
	revisionCommit,
	statedBase,
	subjectPrefix,
} from '../src/localSeries.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { addSettings } from '../../../test/support/gitSettings.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { trappedClone } from '../../../test/support/trappedClone.ts';

const never = new AbortController().signal;
const from = 'Alice Ärcher <alice@forge.test>';

const begun = madeOnce((machine) => {
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	writeFileSync(join(machine.folder, 'clone/a'), 'one\n');
	return { base: machine.commitAll(join(machine.folder, 'clone'), 'Begin') };
});

suite('local commits as patches', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let base: string;
	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		({ base } = begun(machine));
	});
	teardown(() => machine.remove());

	function commit(name: string, content: string | Uint8Array, message: string, ...more: readonly string[]): string {
		writeFileSync(join(root, name), content);
		return machine.commitAll(root, message, ...more);
	}

	async function patchesSince(since: string, { tag = 'PATCH lantern v2', isNumbered = true } = {}) {
		const tip = git('rev-parse', 'HEAD');
		const commits = await localCommits(machine.git, root, { since, tip, count: 100 }, never);
		const stated = (await statedBase(machine.git, root, since, never)).commit;
		const wanted = { base: since, tip, tag, isNumbered, from, commits, stated };
		return { commits, patches: await formattedPatches(machine.git, root, wanted, never) };
	}

	function boxOf(patches: readonly { readonly commit: string; readonly bytes: string }[]): Uint8Array {
		const mails = patches.map(({ commit: id, bytes }) => `From ${id} Mon Sep 17 00:00:00 2001\n${bytes}\n`);
		return Buffer.from(mails.join(''), 'latin1');
	}

	async function bodyOf(envelope: string | undefined) {
		const reading = await readMail(envelope ?? '', { evenIfLarge: true });
		assert.equal(reading.kind, 'read');
		return reading.kind === 'read' ? reading.mail : undefined;
	}

	test('round-trip through git am, oldest first, with numbers, base commit and foreign authors', async () => {
		commit('a', 'two é\n', 'Write two\n\nBecause.');
		const second = commit('b', 'b\n', `Write b: ${'a long subject '.repeat(8)}`, '--author=Bob <bob@forge.test>');
		const { commits, patches } = await patchesSince(base);
		assert.deepEqual(
			commits.map(({ id, parents }) => [id, parents.length]),
			[
				[git('rev-parse', 'HEAD~1'), 1],
				[second, 1],
			],
		);
		assert.match(commits[0]?.message ?? '', /^Write two\n\nBecause\.$/);
		const mails = await Promise.all(patches.map(({ bytes }) => bodyOf(Buffer.from(bytes, 'latin1').toString())));
		assert.deepEqual(
			mails.map((mail) => mail?.subject),
			['[PATCH lantern v2 1/2] Write two', `[PATCH lantern v2 2/2] Write b: ${'a long subject '.repeat(8).trim()}`],
		);
		assert.match(mails[0]?.body ?? '', new RegExp(`^base-commit: ${base}$`, 'm'));
		assert.match(mails[1]?.body ?? '', /^From: Bob <bob@forge\.test>\n\n---\n b \| 1 \+/);
		git('checkout', '-q', '-B', 'again', base);
		machine.feed(root, boxOf(patches), 'am', '-q');
		assert.equal(git('rev-parse', 'HEAD^{tree}'), git('rev-parse', `${second}^{tree}`));
	});

	test('ignore the clone’s settings for patches and mail nobody whom the clone names', async () => {
		const line = `From ${base} Mon Sep 17 00:00:00 2001`;
		commit('a', 'two\n', `Write two\n\n${line}\nSubject: of no mail`);
		const before = await patchesSince(base);
		assert.ok(before.patches[0]?.bytes.includes(`\n${line}\n`));
		writeFileSync(join(machine.folder, 'secret'), 'a secret\n');
		addSettings(join(root, '.git/config'), [
			['format.to', 'eve@evil.test'],
			['format.cc', 'eve@evil.test'],
			['format.headers', 'Bcc: eve@evil.test\n'],
			['format.attach', 'border'],
			['format.coverLetter', 'true'],
			['format.thread', 'deep'],
			['format.signOff', 'true'],
			['format.signatureFile', join(machine.folder, 'secret')],
			['format.pretty', 'oneline'],
			['format.noprefix', 'true'],
			['format.numbered', 'false'],
			['format.outputDirectory', join(machine.folder, 'elsewhere')],
			['format.notes', 'true'],
			['i18n.logOutputEncoding', 'UTF-16'],
			['diff.noprefix', 'true'],
			['diff.context', '9'],
			['color.ui', 'always'],
		]);
		git('notes', 'add', '-m', 'a note');
		assert.deepEqual(await patchesSince(base), before);
		assert.doesNotMatch(before.patches[0]?.bytes ?? '', /evil|secret/);
	});

	test('leave out merges and empty commits, and keep the bytes of a file outside UTF-8', async () => {
		const latin = commit('l', new Uint8Array([0x61, 0xe9, 0x0a]), 'Write Latin');
		git('checkout', '-q', '-b', 'side', base);
		const side = commit('s', 's\n', 'Write s');
		git('checkout', '-q', 'main');
		git('merge', '-q', '--no-edit', 'side');
		git('commit', '-q', '--allow-empty', '-m', 'Nothing');
		const { commits, patches } = await patchesSince(base);
		assert.equal(commits.length, 4);
		assert.deepEqual(
			new Map(patches.map(({ commit: id, bytes }) => [id, bytes.includes('\n+a\u00E9\n')])),
			new Map([
				[latin, true],
				[side, false],
			]),
		);
	});

	test('count no empty commit', async () => {
		git('commit', '-q', '--allow-empty', '-m', 'A cover letter');
		commit('a', 'two\n', 'Write two');
		git('commit', '-q', '--allow-empty', '-m', 'Nothing');
		commit('b', 'b\n', 'Write b');
		const { patches } = await patchesSince(base);
		assert.deepEqual(
			patches.flatMap(({ bytes }) => bytes.match(/^Subject: .*$/m)),
			['Subject: [PATCH lantern v2 1/2] Write two', 'Subject: [PATCH lantern v2 2/2] Write b'],
		);
		for (let at = 0; at < 8; at += 1) {
			commit(`c${at}`, 'c\n', `Write c ${at}`);
		}
		const many = (await patchesSince(base)).patches;
		assert.match(many[0]?.bytes ?? '', /^Subject: \[PATCH lantern v2 01\/10\] Write two$/m);
	});

	test('name no base if the branch merged it later, and apply on top of it', async () => {
		commit('a', 'two\n', 'Write two');
		git('checkout', '-q', '-b', 'theirs', base);
		const merged = commit('t', 't\n', 'Theirs');
		git('update-ref', 'refs/remotes/origin/main', merged);
		git('checkout', '-q', 'main');
		git('merge', '-q', '--no-edit', 'theirs');
		const tip = commit('b', 'b\n', 'Write b');
		const { patches } = await patchesSince(merged);
		assert.deepEqual(
			patches.flatMap(({ bytes }) => bytes.match(/^(?:Subject|base-commit): .*$/gm)),
			['Subject: [PATCH lantern v2 1/2] Write two', 'Subject: [PATCH lantern v2 2/2] Write b'],
		);
		git('checkout', '-q', '-B', 'again', merged);
		machine.feed(root, boxOf(patches), 'am', '-q');
		assert.equal(git('rev-parse', 'HEAD^{tree}'), git('rev-parse', `${tip}^{tree}`));
	});

	test('name the newest published commit, and the patches between it and the first one', async () => {
		git('update-ref', 'refs/remotes/origin/main', base);
		const local = commit('l', 'l\n', 'Local');
		commit('a', 'two\n', 'Write two');
		assert.deepEqual(await statedBase(machine.git, root, base, never), { commit: base, unpublished: 0 });
		assert.deepEqual(await statedBase(machine.git, root, local, never), { commit: base, unpublished: 1 });
		const [patch] = (await patchesSince(local)).patches;
		const [id] = machine.feed(root, git('show', local), 'patch-id', '--stable').split(' ');
		assert.match(patch?.bytes ?? '', new RegExp(`^base-commit: ${base}\nprerequisite-patch-id: ${id}$`, 'm'));
		git('update-ref', '-d', 'refs/remotes/origin/main');
		assert.deepEqual(await statedBase(machine.git, root, local, never), { commit: local, unpublished: 2 });
		assert.match((await patchesSince(local)).patches[0]?.bytes ?? '', new RegExp(`^base-commit: ${local}$`, 'm'));
	});

	for (const name of ['Carol "C" O.Reilly, Jr', 'Back\\slash (x), y', 'Dr. Ä, B']) {
		test(`keep the author ${name}`, async () => {
			const made = commit('a', 'two\n', 'Write two', `--author=${name} <carol@forge.test>`);
			const { patches } = await patchesSince(base);
			git('checkout', '-q', '-B', 'again', base);
			machine.feed(root, boxOf(patches), 'am', '-q');
			assert.equal(git('log', '-1', '--format=%an <%ae>'), git('log', '-1', '--format=%an <%ae>', made));
		});
	}

	test('start at the merge base with a remote branch', async () => {
		git('update-ref', 'refs/remotes/origin/main', commit('o', 'o\n', 'Theirs'));
		git('reset', '-q', '--hard', base);
		const own = commit('a', 'two\n', 'Mine');
		addSettings(join(root, '.git/config'), [['format.subjectPrefix', 'PATCH lantern']]);
		const theirs = (await revisionCommit(machine.git, root, 'refs/remotes/origin/main', never)) ?? '';
		assert.equal(await mergeBase(machine.git, root, [own, theirs], never), base);
		assert.equal(await revisionCommit(machine.git, root, 'refs/remotes/origin/none', never), undefined);
		assert.equal(await revisionCommit(machine.git, root, 'refs/heads/main', never), own);
		assert.equal(await subjectPrefix(machine.git, root, never), 'PATCH lantern');
	});

	test('resolve from any valid revision, and reject ranges, options and reflog entries', async () => {
		const tip = commit('a', 'two\n', 'Mine');
		git('tag', '-a', '-m', 'One', 'v1', base);
		for (const [revision, id] of [
			['HEAD', tip],
			[tip, tip],
			[base.slice(0, 7), base],
			['main~1', base],
			['HEAD^1', base],
			['v1', base],
			['HEAD~2', undefined],
			['gone', undefined],
			['v1~', undefined],
		] as const) {
			assert.equal(await revisionCommit(machine.git, root, revision, never), id, revision);
		}
		for (const revision of [
			'',
			'HEAD^@',
			'HEAD:a',
			'HEAD^{tree}',
			':/Mine',
			'main..HEAD',
			'^HEAD',
			'-n1',
			'HEAD@{1}',
		]) {
			await assert.rejects(revisionCommit(machine.git, root, revision, never), GitFailure, revision);
		}
	});

	test('run no program of the clone and reject options as names', async () => {
		const clone = trappedClone(machine);
		const { root: trapped, commit: tip } = clone;
		await localCommits(machine.git, trapped, { since: undefined, tip, count: 10 }, never);
		const commits = [{ id: tip, author: { name: '', address: '' } }];
		const wanted = { base: tip, tip, tag: 'PATCH', isNumbered: true, from, commits, stated: undefined };
		await formattedPatches(machine.git, trapped, wanted, never).catch(() => undefined);
		await revisionCommit(machine.git, trapped, 'refs/remotes/origin/HEAD', never);
		assert.deepEqual(clone.sprung(), []);
		for (const changes of [
			{ tag: 'PATCH] x' },
			{ tag: '-v9' },
			{ from: 'a\nBcc: b' },
			{ base: '--output=x' },
			{ stated: '--output=x' },
		]) {
			await assert.rejects(formattedPatches(machine.git, root, { ...wanted, ...changes }, never), GitFailure);
		}
		for (const name of ['--output=x', 'refs/heads/--output=x', 'refs/heads/main^@']) {
			await assert.rejects(revisionCommit(machine.git, root, name, never), GitFailure);
		}
	});
});
