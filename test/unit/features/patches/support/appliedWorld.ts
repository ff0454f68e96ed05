import type { Memento } from 'vscode';
import '../../../../support/vscodeStub.ts';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import type { PatchsetChecks } from '../../../../../src/features/lists/checks/patchsetChecks.ts';
import type { PatchsetSubject } from '../../../../../src/features/lists/subjects/subjects.ts';
import type { Email } from 'sourcehut/port/list.ts';
import type { KeptText } from '../../../../../src/store/shared/keptText.ts';
import { withAskPass } from 'hardened-git/askPass.ts';
import { folderKey } from 'hardened-git/fileInClone.ts';
import { hardenedGit } from 'hardened-git/hardenedGit.ts';
import { fake as made } from '../../../../support/fake.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeGit, fakeRepository, type FakeGit, type FakeRepository } from '../../../../support/fakeGit.ts';
import { fakeLists, listConnection, type FakeLists } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { importCommits } from '../../../../support/importCommits.ts';
import { keptInMemory } from '../../../../support/keptInMemory.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { madeOnce } from '../../../../support/madeOnce.ts';
import { makeList, makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { makeUser, someTimeMs } from '../../../../support/makeTicket.ts';
import { resetStub } from '../../../../support/vscodeValues.ts';

const { applyFeature } = await import('../../../../../src/features/patches/apply/applyFeature.ts');
const { tellingOfGit } = await import('../../../../../src/features/repositories/clones/failureText.ts');

const list = { owner: '~alice', name: 'devel' };

/** Patchset 7 of `~alice/devel` and a clone of its repository. */
export interface AppliedWorld extends TestMachine {
	/** Of the clone. */
	readonly root: string;
	/** Target of every push over ssh. */
	readonly bare: string;
	/** The base of the series. */
	readonly base: string;
	readonly lists: FakeLists;
	readonly connection: ReturnType<typeof listConnection>;
	readonly subject: PatchsetSubject;
	readonly fake: FakeRepository;
	readonly editorGit: FakeGit;
	/** Outlives a window. */
	readonly kept: KeptText;
	readonly flags: Map<string, unknown>;
	/** Shared by all windows. */
	readonly clock: FakeClock;
	/** Runs the machine's git in the clone. */
	readonly inClone: (...args: readonly string[]) => string;
	/** Writes a file of the clone and commits it. */
	readonly commit: (path: string, text: string, message: string) => string;
	/** A window with the commands. */
	readonly window: (changes?: {
		readonly isTrusted?: boolean;
		readonly parts?: Partial<ListsContext>;
	}) => AppliedWindow;
	/** Changes mails of the series. */
	readonly change: (ids: readonly number[], changed: (envelope: string) => string) => void;
	/** A reply to a mail of the series. */
	readonly reply: (id: number, to: number, body: string, from?: string) => void;
}

export interface AppliedWindow {
	readonly run: (command: CommandId, subject?: unknown) => Promise<void>;
	readonly checks: PatchsetChecks;
	readonly dispose: () => void;
}

/** Twenty numbered lines, changed by `change`. */
export function numbered(change: (line: number) => string = String): string {
	return Array.from({ length: 20 }, (_, at) => `${change(at + 1)}\n`).join('');
}

/** Shared start of all worlds: the clone `quill`, its push target `bare`, the base of a series, and its mails. */
const cloneAndSeries = madeOnce((machine) => {
	const root = join(machine.folder, 'quill');
	machine.plain(machine.folder, 'init', '-q', '--bare', '-b', 'main', 'bare');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'quill');
	const three = (line: number): string => (line === 3 ? 'three' : String(line));
	const fifteen = (line: number): string => (line === 15 ? 'fifteen' : three(line));
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: { a: numbered(), b: 'one\n' } },
		{ branch: 'series', from: 'main', message: 'Change three', files: { a: numbered(three) } },
		{ branch: 'series', message: 'Change b', files: { b: 'two\n' } },
		{ branch: 'series', message: 'Change fifteen', files: { a: numbered(fifteen) } },
	]);
	machine.plain(root, 'reset', '-q', '--hard');
	const mails = machine
		.plain(root, 'format-patch', '--stdout', '--base=main', 'main..series')
		.trimEnd()
		.split(/^(?=From [0-9a-f]{40} Mon)/m);
	machine.plain(root, 'branch', '-q', '-D', 'series');
	return { base: machine.plain(root, 'rev-parse', 'HEAD').trim(), mails };
});

/** Three patches: line 3 of `a`, the file `b`, line 15 of `a`; their mails are 71 to 73 and name the base commit. */
export function appliedWorld(): AppliedWorld {
	const machine = testMachine();
	const { base, mails } = cloneAndSeries(machine);
	writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
	const root = join(realpathSync(machine.folder), 'quill');
	const bare = join(machine.folder, 'bare');
	const ssh = join(machine.folder, 'ssh');
	writeFileSync(ssh, `#!/bin/sh\nexec git receive-pack '${bare}'\n`, { mode: 0o755 });
	const inClone = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	const fake = fakeRepository(root);
	const commit = (path: string, text: string, message: string): string => {
		writeFileSync(join(root, path), text);
		const id = machine.commitAll(root, message);
		fake.head = { ...fake.head, commit: id };
		return id;
	};
	fake.head = { name: 'main', commit: base, upstream: { remote: 'origin', name: 'main' } };
	fake.remotes.push({ name: 'origin', fetchUrl: 'git@git.forge.test:~alice/quill' });

	const lists = fakeLists();
	const patches = mails.map((text, at): Email => {
		const id = 71 + at;
		return makeMail({
			id,
			subject: /^Subject: (.*)$/m.exec(text)?.[1] ?? '',
			envelope: text.replace(/^From .*\n/, `Message-ID: <m${id}@forge.test>\n`),
			isPatch: true,
			patchsetId: 7,
			createdMs: someTimeMs,
			...(at === 0 ? {} : { parentId: 71, threadId: 71 }),
		});
	});
	lists.world.lists.push(makeList());
	lists.world.mails.push(...patches);
	lists.world.series.set(7, patches);
	lists.world.patchsets.set('~alice/devel', [
		makePatchset({
			id: 7,
			subject: 'Change three',
			prefix: undefined,
			list: { owner: makeUser('alice'), name: list.name },
		}),
	]);
	const connection = listConnection(lists.api);
	const kept = keptInMemory();
	const flags = new Map<string, unknown>();
	const clock = fakeClock();
	const editorGit = fakeGit(fake);
	return {
		...machine,
		root,
		bare,
		base,
		lists,
		connection,
		subject: { kind: 'patchset', connectionKey: connection.key, ref: { list, id: 7 } },
		fake,
		editorGit,
		kept,
		flags,
		clock,
		inClone,
		commit,
		window: ({ isTrusted = true, parts: changed = {} } = {}) => {
			const parts = listsParts(fakeConnections(connection));
			const feature = applyFeature({
				...parts,
				clock,
				findGit: editorGit,
				git: hardenedGit({
					...machine.parts,
					environment: { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' },
				}),
				tempFolder: machine.home,
				withAskPass: (ask, signal, work) =>
					withAskPass({ tempFolder: machine.home, node: process.execPath, isWindows: false }, ask, signal, work),
				pushAddress: (address) => address,
				folderKey: (path) => folderKey(path, false),
				trust: { isTrusted: () => isTrusted, onDidGrant: () => ({ dispose: () => undefined }) },
				tellingOfGit: (handler) => tellingOfGit(quietProblems, handler),
				appliedOf: () => kept,
				flags: made<Memento>({
					get: (key: string) => flags.get(key),
					update: async (key, value) => void flags.set(key, value),
				}),
				...changed,
			});
			return {
				run: async (command, subject) => feature.commands[command]?.(subject, new AbortController().signal, []),
				checks: parts.checks,
				dispose: () => void feature.dispose(),
			};
		},
		change(ids, changed) {
			const { mails: all, series } = lists.world;
			all.forEach((mail, at) => {
				if (ids.includes(mail.id)) {
					all[at] = { ...mail, envelope: changed(mail.envelope) };
				}
			});
			series.set(7, all.slice(0, 3));
		},
		reply(id, to, body, from = 'Dora Reviewer <dora@forge.test>') {
			lists.world.mails.push(
				makeMail({
					id,
					subject: 'Re: Change three',
					envelope: `From: ${from}\r\nSubject: Re: [PATCH 1/3] Change three\r\nMessage-ID: <m${id}@forge.test>\r\nIn-Reply-To: <m${to}@forge.test>\r\n\r\n${body.replaceAll('\n', '\r\n')}`,
					parentId: to,
					threadId: 71,
				}),
			);
		},
	};
}

/** Gives each test of a suite its own world with a window. */
export function eachInAppliedWorld(
	begin: (made: { readonly world: AppliedWorld; readonly window: AppliedWindow }) => void,
): void {
	let end = (): void => undefined;
	setup(() => {
		resetStub();
		const world = appliedWorld();
		const window = world.window();
		end = () => {
			window.dispose();
			world.remove();
		};
		begin({ world, window });
	});
	teardown(() => end());
}
