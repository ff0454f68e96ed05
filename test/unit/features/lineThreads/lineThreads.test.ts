import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { newestOfSeries } from 'public-inbox/port/newestOfSeries.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { nameOfSender } from '../../../../src/engine/text/visible.ts';
import type { CommandId } from '../../../../src/commands/table.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { watchedNamed } from '../../../../src/store/inbox/watched.ts';
import { eagerClock } from '../../../support/eagerClock.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeGit, fakeRepository, uriAt } from '../../../support/fakeGit.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../support/fakeLists.ts';
import { importCommits } from '../../../support/importCommits.ts';
import { testMachine, type TestMachine } from '../../../support/localMachine.ts';
import { madeOnce } from '../../../support/madeOnce.ts';
import { makeList, makeMail } from '../../../support/makeMail.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetFront, stubbedFront } from '../../../support/stubbedFront.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { lineThreadsCommands } = await import('../../../../src/features/lineThreads/lineThreadsCommands.ts');

const never = new AbortController().signal;
const text = 'one\ntwo lines of text\nthree\n';

const clone = madeOnce((machine) => {
	const root = join(machine.folder, 'quill');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'quill');
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: { 'a.c': 'one\nthree\n' } },
		{ branch: 'main', message: 'Count up to three', files: { 'a.c': text } },
	]);
	machine.plain(root, 'reset', '-q', '--hard');
	return {};
});

suite('mails about lines and files of a clone', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let flags: Map<string, unknown>;

	setup(() => {
		resetStub();
		machine = testMachine();
		clone(machine);
		root = join(realpathSync(machine.folder), 'quill');
		flags = new Map();
	});
	teardown(() => {
		resetFront();
		machine.remove();
	});

	/** A connection with one list. `hits`: words of searches that find its patch. */
	function connected(me: string, hits: readonly string[], isArchive: boolean): [Connection, FakeListWorld] {
		const { world, api } = fakeLists(me);
		const patch = machine.plain(root, 'format-patch', '--stdout', '-1');
		const owner = { canonicalName: me, name: me };
		const list = makeList({ name: 'devel', owner });
		const mail = makeMail({
			id: 11,
			subject: '[PATCH quill v2] Count up to three',
			isPatch: true,
			list: { name: 'devel', owner },
			envelope: patch.slice(patch.indexOf('\n') + 1).replace('[PATCH]', '[PATCH quill v2]'),
		});
		world.lists.push(list);
		world.mails.push(mail);
		async function* search(_: unknown, query: string) {
			world.calls.push(`search ${query}`);
			await Promise.resolve(world.before('search'));
			const items = hits.some((words) => query.includes(words)) ? [mail] : [];
			yield { items, seen: items.length, completeness: { kind: 'complete' } as const };
		}
		const fileTerms = ([path]: readonly string[]): string => `dfn:"${path}"`;
		const connection = listConnection({ ...api, search, ...(isArchive ? { fileTerms } : {}) }, me);
		const { instance } = connection;
		return [
			isArchive ? { ...connection, instance: { ...instance, archiveUrl: 'https://lore.example/' } } : connection,
			world,
		];
	}

	function commandsOf(...connections: readonly Connection[]) {
		const repository = fakeRepository(root);
		repository.head = { name: 'main', commit: machine.plain(root, 'rev-parse', 'HEAD').trim() };
		const commands = lineThreadsCommands({
			connections: fakeConnections(...connections),
			ready: () => Promise.resolve(),
			findGit: fakeGit(repository),
			git: machine.git,
			tellingOfGit: (handler) => handler,
			flags: standFor<vscode.Memento>({
				get: (key: string) => flags.get(key),
				async update(key: string, value: unknown) {
					await Promise.resolve();
					flags.set(key, value);
				},
			}),
			clock: eagerClock(),
		});
		return async (id: CommandId, line = 1, written = text, path = join(root, 'a.c')): Promise<void> => {
			const active = { line, character: 0 };
			stubbedFront.editor = standFor({
				document: { uri: uriAt(path), getText: () => written },
				selection: { active },
			});
			await commands[id]?.(undefined, never, []);
		};
	}

	test('open at the patch of the line, and need no second request', async () => {
		const [archive, world] = connected('archive', ['patchid:'], true);
		const run = commandsOf(archive);
		await run('forge.lists.aboutLine', 2, `new\n${text}`);
		const list = { owner: 'archive', name: 'devel' };
		const opened = { kind: 'mail', connectionKey: archive.key, list, id: 11, messageId: '<m11@forge.test>' };
		assert.deepEqual(stubbed.executed, ['forge.lists.openThread']);
		assert.deepEqual(stubbed.passed, [opened]);
		const calls = world.calls.length;
		await run('forge.lists.aboutLine');
		assert.deepEqual(stubbed.passed, [opened, opened]);
		assert.equal(world.calls.length, calls, world.calls.slice(calls).join());
	});

	test('come from an archive before a forge, but from the list that had the last ones', async () => {
		const [forge, ofForge] = connected('~alice', ['"Count up to three"'], false);
		const [archive, ofArchive] = connected('archive', [], true);
		const searches = ({ calls }: FakeListWorld): number => calls.filter((call) => call.startsWith('search ')).length;
		await commandsOf(forge, archive)('forge.lists.aboutLine');
		assert.deepEqual([searches(ofArchive) > 0, searches(ofForge)], [true, 1]);
		const before = searches(ofArchive);
		// Another window has read nothing.
		const [again, ofAgain] = connected('~alice', ['"Count up to three"'], false);
		await commandsOf(archive, again)('forge.lists.aboutLine');
		assert.deepEqual([searches(ofArchive), searches(ofAgain)], [before, 1]);
		assert.equal(stubbed.executed.length, 2);
	});

	test('are none of an edited line, a commit without mails, or a file outside of clones', async () => {
		const [archive] = connected('archive', [], true);
		const run = commandsOf(archive);
		await run('forge.lists.aboutLine', 1, 'one\nedited\nthree\n');
		await run('forge.lists.aboutLine');
		await run('forge.lists.aboutLine', 0, text, '/elsewhere/a.c');
		assert.match(stubbed.shown[0] ?? '', /^This line is not committed yet/);
		assert.match(stubbed.shown[1] ?? '', /no message about commit [0-9a-f]{7} \("Count up to three"\)/);
		assert.match(stubbed.shown[2] ?? '', /^Open a file of a clone/);
		assert.deepEqual(stubbed.executed, []);
	});

	test('report the failure of a list only if no other list has them', async () => {
		const [failing, world] = connected('archive', [], true);
		world.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 500 });
		};
		await assert.rejects(commandsOf(failing)('forge.lists.aboutLine'), ForgeError);
		const [forge] = connected('~alice', ['"Count up to three"'], false);
		await commandsOf(failing, forge)('forge.lists.aboutLine');
		assert.deepEqual(stubbed.executed, ['forge.lists.openThread']);
	});

	test('of a file are one for each series, of its newest version', () => {
		const hits = [
			['[PATCH v2 3/5] fold: bend', 'Ann Author', 30],
			['[PATCH v2 1/5] fold: begin', 'Ann Author', 29],
			['A plain diff', 'Bob', 25],
			['[PATCH v2 1/5] fold: begin', 'Eve', 24],
			['[PATCH] iron', 'Ann Author', 20],
			['[PATCH 1/5] fold: begin', 'Ann Author', 10],
		].map(([subject, name, minute], at) =>
			makeMail({
				id: at + 1,
				subject: String(subject),
				from: `${name} <x@x.example>`,
				createdMs: Date.UTC(2026, 10, 1) + Number(minute) * 60_000,
			}),
		);
		assert.deepEqual(
			newestOfSeries(hits, ({ from = '' }) => nameOfSender(from)).map(({ mail: { id }, count }) => [id, count]),
			[
				[2, 2],
				[3, 1],
				[4, 1],
				[5, 1],
			],
		);
	});

	test('of a file are offered by archives only', async () => {
		const [archive] = connected('archive', ['dfn:"a.c"'], true);
		const [forge] = connected('~alice', ['a.c'], false);
		stubbed.answers.push('[PATCH quill v2] Count up to three');
		await commandsOf(forge, archive)('forge.lists.aboutFile');
		assert.equal(stubbed.asked[0], 'Choose a patch of a.c');
		assert.equal(stubbed.passed.length, 1);
		await commandsOf(forge)('forge.lists.aboutFile');
		assert.match(stubbed.shown[0] ?? '', /^Only email archives/);
	});

	test('of a file come to the inbox once the file is watched, and no more afterwards', async () => {
		const [archive] = connected('archive', ['dfn:"a.c"'], true);
		const run = commandsOf(archive);
		const choices = (): readonly unknown[] =>
			archive.inbox.choices().map(({ name, watching }) => [watchedNamed(name), watching]);
		stubbed.answers.push('Watch This File', 'Stop Watching This File');
		await run('forge.lists.aboutFile');
		assert.deepEqual(choices(), [
			[{ kind: 'file', list: { owner: 'archive', name: 'devel' }, path: 'a.c' }, 'everything'],
		]);
		await run('forge.lists.aboutFile');
		assert.deepEqual(choices(), []);
		assert.deepEqual(stubbed.executed, []);
	});
});
