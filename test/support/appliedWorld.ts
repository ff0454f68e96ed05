import './vscodeStub.ts';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandId } from '../../src/editor/names/commandIds.ts';
import type { PatchsetChecks } from '../../src/features/lists/checks/patchsetChecks.ts';
import type { PatchsetSubject } from '../../src/features/lists/subjects/subjects.ts';
import type { Email } from '../../src/forge/list.ts';
import type { KeptText } from '../../src/state/shared/keptText.ts';
import { withAskPass } from '../../src/localGit/askPass.ts';
import { folderKey } from '../../src/localGit/folderKey.ts';
import { hardenedGit } from '../../src/localGit/hardenedGit.ts';
import { atEndOfRun } from './endOfRun.ts';
import { fakeClock, type FakeClock } from './fakeClock.ts';
import { fakeConnections } from './fakeConnection.ts';
import { fakeGit, fakeRepository, type FakeGit, type FakeRepository } from './fakeGit.ts';
import { fakeLists, listConnection, type FakeLists } from './fakeLists.ts';
import { listsParts } from './fakeListsParts.ts';
import { quietProblems } from './fakeTicketsParts.ts';
import { keptInMemory } from './keptInMemory.ts';
import { testMachine, type TestMachine } from './localMachine.ts';
import { makeList, makeMail, makePatchset } from './makeMail.ts';
import { makeUser, someTimeMs } from './makeTicket.ts';

const { applyFeature } = await import('../../src/features/lists/apply/applyFeature.ts');
const { tellingOfGit } = await import('../../src/features/repositories/clones/failureText.ts');

const list = { owner: '~alice', name: 'devel' };

/** Patchset 7 of `~alice/devel` and a clone that it is for. */
export interface AppliedWorld extends TestMachine {
	/** Of the clone. */
	readonly root: string;
	/** Repository that every push over ssh reaches. */
	readonly bare: string;
	/** Commit that the series was made from. */
	readonly base: string;
	readonly lists: FakeLists;
	readonly subject: PatchsetSubject;
	readonly fake: FakeRepository;
	readonly editorGit: FakeGit;
	/** Kept between windows. */
	readonly kept: KeptText;
	readonly flags: Map<string, unknown>;
	/** Of all windows. */
	readonly clock: FakeClock;
	/** The machine's git in the clone. */
	readonly inClone: (...args: readonly string[]) => string;
	/** Writes a file of the clone and commits it. */
	readonly commit: (path: string, text: string, message: string) => string;
	/** A window with the commands. */
	readonly window: (changes?: { readonly isTrusted?: boolean }) => AppliedWindow;
	/** A reply to a mail of the series. */
	readonly reply: (id: number, to: number, body: string, from?: string) => void;
}

export interface AppliedWindow {
	readonly run: (command: CommandId, subject?: unknown) => Promise<void>;
	readonly checks: PatchsetChecks;
	readonly dispose: () => void;
}

/** Twenty lines with their numbers, or what `change` makes of them. */
export function numbered(change: (line: number) => string = String): string {
	return Array.from({ length: 20 }, (_, at) => `${change(at + 1)}\n`).join('');
}

/** What all worlds begin with: made once by a process, and copied, because git runs twenty times for it. */
interface Beginning {
	/** Of the folders `quill`, a clone, and `bare`, where its pushes go. */
	readonly machine: TestMachine;
	readonly base: string;
	readonly mails: readonly string[];
}

let begun: Beginning | undefined;

function makeBeginning(): Beginning {
	const machine = testMachine();
	atEndOfRun(async () => machine.remove());
	const root = join(machine.folder, 'quill');
	mkdirSync(root);
	const bare = join(machine.folder, 'bare');
	mkdirSync(bare);
	machine.plain(bare, 'init', '-q', '--bare', '-b', 'main');
	const inClone = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	const commit = (path: string, text: string, message: string): void => {
		writeFileSync(join(root, path), text);
		inClone('add', '-A');
		inClone('commit', '-q', '-m', message);
	};
	inClone('init', '-q', '-b', 'main');
	writeFileSync(join(root, 'b'), 'one\n');
	commit('a', numbered(), 'Begin');
	const base = inClone('rev-parse', 'HEAD');
	inClone('checkout', '-q', '-b', 'series');
	const three = (line: number): string => (line === 3 ? 'three' : String(line));
	commit('a', numbered(three), 'Change three');
	commit('b', 'two\n', 'Change b');
	commit(
		'a',
		numbered((line) => (line === 15 ? 'fifteen' : three(line))),
		'Change fifteen',
	);
	const mails = inClone('format-patch', '--stdout', '--base=main', 'main').split(/^(?=From [0-9a-f]{40} Mon)/m);
	inClone('checkout', '-q', 'main');
	inClone('branch', '-q', '-D', 'series');
	return { machine, base, mails };
}

/** Three patches: line 3 of `a`, the file `b`, line 15 of `a`; their mails are 71 to 73 and name the base commit. */
export function appliedWorld(): AppliedWorld {
	const { machine: made, base, mails } = (begun ??= makeBeginning());
	const machine = testMachine();
	writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
	const root = join(realpathSync(machine.folder), 'quill');
	const bare = join(machine.folder, 'bare');
	cpSync(join(made.folder, 'quill'), root, { recursive: true });
	cpSync(join(made.folder, 'bare'), bare, { recursive: true });
	const ssh = join(machine.folder, 'ssh');
	writeFileSync(ssh, `#!/bin/sh\nexec git receive-pack '${bare}'\n`, { mode: 0o755 });
	const inClone = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	// What git knows of the files is about those that were copied.
	inClone('update-index', '-q', '--refresh');
	const fake = fakeRepository(root);
	const commit = (path: string, text: string, message: string): string => {
		writeFileSync(join(root, path), text);
		inClone('add', '-A');
		inClone('commit', '-q', '-m', message);
		const id = inClone('rev-parse', 'HEAD');
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
		subject: { kind: 'patchset', connectionKey: connection.key, ref: { list, id: 7 } },
		fake,
		editorGit,
		kept,
		flags,
		clock,
		inClone,
		commit,
		window: ({ isTrusted = true } = {}) => {
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
				folderKey: (path) => folderKey(path, false),
				trust: { isTrusted: () => isTrusted, onDidGrant: () => ({ dispose: () => undefined }) },
				tellingOfGit: (handler) => tellingOfGit(quietProblems, handler),
				appliedOf: () => kept,
				flags: { get: (key) => flags.get(key), update: async (key, value) => void flags.set(key, value) },
			});
			return {
				run: async (command, subject) => feature.commands[command]?.(subject, new AbortController().signal, []),
				checks: parts.checks,
				dispose: () => void feature.dispose(),
			};
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
