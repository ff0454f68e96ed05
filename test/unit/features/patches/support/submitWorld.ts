import '../../../../support/vscodeStub.ts';
import type { Memento, Uri } from 'vscode';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { KeptText } from '../../../../../src/store/shared/keptText.ts';
import { eagerClock, type EagerClock } from '../../../../support/eagerClock.ts';
import { fake as made } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeGit, fakeRepository, type FakeRepository } from '../../../../support/fakeGit.ts';
import { fakeLists, listConnection, type FakeLists } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeMailDrafts, type FakeMailDrafts } from '../../../../support/fakeMailDrafts.ts';
import { fakeMailer, type FakeMailer } from '../../../../support/fakeMailer.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { importCommits } from '../../../../support/importCommits.ts';
import { keptInMemory } from '../../../../support/keptInMemory.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { madeOnce } from '../../../../support/madeOnce.ts';
import { makeList, makeMail } from '../../../../support/makeMail.ts';
import { toldSent } from '../../../../support/toldSent.ts';

const { submitFeature } = await import('../../../../../src/features/patches/submit/submitFeature.ts');
const { tellingOfGit } = await import('../../../../../src/features/repositories/clones/failureText.ts');
const { openDocument, stubbed } = await import('../../../../support/vscodeValues.ts');
const { seriesOfUri } = await import('../../../../../src/features/patches/submit/seriesPreview.ts');

/** A clone of ~alice with unpushed commits, for the list `~alice/devel`. */
export interface SubmitWorld extends TestMachine {
	readonly root: string;
	/** Commit of `origin/main`. */
	readonly base: string;
	readonly lists: FakeLists;
	readonly fake: FakeRepository;
	readonly mailer: FakeMailer;
	readonly clock: EagerClock;
	readonly connection: Connection;
	/** Git and the folder of our own repositories. */
	readonly place: { git: HardenedGit; tempFolder: string };
	/** Sent mails that the connection waits for. */
	readonly told: readonly string[];
	readonly documents: FakeMailDrafts;
	readonly kept: KeptText;
	/** The editor's storage of the workspace. */
	readonly flags: Map<string, unknown>;
	readonly inClone: (...args: readonly string[]) => string;
	/** Writes a file of the clone and commits it; returns the commit. */
	readonly commit: (path: string, text: string | Uint8Array, message: string) => string;
	readonly run: (command: CommandId, subject?: unknown, changes?: { readonly isTrusted?: boolean }) => Promise<void>;
	/** Retypes the draft of the cover letter. */
	readonly write: (change: (text: string) => string) => Promise<void>;
	readonly cover: () => string;
	/** Text of the last shown document. */
	readonly preview: () => Promise<string>;
	/** Language of the preview at its opening. */
	readonly previewLanguage: () => Promise<string>;
	/** Its URI. */
	readonly previewUri: () => Uri | undefined;
}

export const posting = '~alice/devel@lists.forge.test';
const list = { owner: '~alice', name: 'devel' };

/** The initial clone of all worlds, `quill`: its base, and a checkout of two commits later. */
const clone = madeOnce((machine) => {
	const root = join(machine.folder, 'quill');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'quill');
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: { a: 'one\n' } },
		{ branch: 'main', message: 'Write two\n\nBecause.', files: { a: 'one\ntwo é\n' } },
		{ branch: 'main', message: 'Write b', files: { b: 'b\n' } },
	]);
	machine.plain(root, 'reset', '-q', '--hard');
	machine.plain(root, 'update-ref', 'refs/remotes/origin/main', 'main~2');
	const [tip = '', , base = ''] = machine.plain(root, 'rev-list', 'main').split('\n');
	return { base, tip };
});

/** The two unpushed commits write a second line of `a` and the file `b`. */
export function submitWorld(): SubmitWorld {
	const machine = testMachine();
	const { base, tip } = clone(machine);
	const root = join(realpathSync(machine.folder), 'quill');
	const inClone = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	const fake = fakeRepository(root);
	const commit: SubmitWorld['commit'] = (path, text, message) => {
		writeFileSync(join(root, path), text);
		const id = machine.commitAll(root, message);
		fake.head = { ...fake.head, commit: id };
		return id;
	};
	fake.head = { ...fake.head, commit: tip };

	const lists = fakeLists();
	const mail = makeMail({
		id: 1,
		envelope: `List-Post: <mailto:${posting}>\r\nFrom: a@b.c\r\nSubject: Hi\r\n\r\nHi\r\n`,
	});
	lists.world.lists.push(makeList());
	lists.world.mails.push(mail);
	lists.world.posts.set('~alice/devel', [mail]);
	const connection = listConnection(lists.api);
	const told = toldSent(connection);
	const place = { git: machine.git, tempFolder: machine.folder };
	const connections = fakeConnections(connection);
	const clock = eagerClock();
	const parts = listsParts(connections, clock);
	const mailer = fakeMailer();
	const documents = fakeMailDrafts(parts.drafts);
	const kept = keptInMemory();
	const flags = new Map<string, unknown>();
	let names = 0;
	const feature = (isTrusted: boolean) =>
		submitFeature({
			...parts,
			findGit: fakeGit(fake),
			...place,
			trust: { isTrusted: () => isTrusted, onDidGrant: () => ({ dispose: () => undefined }) },
			tellingOfGit: (handler) => tellingOfGit(quietProblems, handler),
			mailer,
			mailDrafts: documents,
			newName: () => `id${(names += 1)}`,
			folderOf: async () => ({
				root: fake.repository.rootUri,
				repository: undefined,
				tracker: undefined,
				list: { ref: list, connectionKey: connection.key, foundBy: { kind: 'sendEmailTo' } },
			}),
			seriesOf: () => kept,
			flags: made<Memento>({
				get: (key: string) => flags.get(key),
				update: async (key: string, value: unknown) => void flags.set(key, value),
			}),
		});
	const isUri = (value: unknown): value is Uri => seriesOfUri(value) !== undefined;
	const shown = (): Uri | undefined => stubbed.documents.map(([uri]) => uri).findLast(isUri);
	const draft = (): Parameters<FakeMailDrafts['textOf']>[0] => {
		const [about] = documents.opened;
		if (!about) {
			throw new Error('No cover letter is open');
		}
		return about;
	};
	return {
		...machine,
		root,
		base,
		lists,
		fake,
		mailer,
		clock,
		connection,
		place,
		told,
		documents,
		kept,
		flags,
		inClone,
		commit,
		run: async (command, subject, { isTrusted = true } = {}) => {
			const opened = feature(isTrusted);
			await opened.commands[command]?.(subject, new AbortController().signal, []);
			opened.dispose();
		},
		write: (change) => parts.drafts.keep(draft(), { text: change(documents.textOf(draft()) ?? ''), atMs: 2 }),
		cover: () => documents.textOf(draft()) ?? '',
		previewUri: shown,
		preview: async () => {
			const opened = feature(true);
			const uri = shown();
			const bytes = uri ? await opened.previews.readFile(uri) : new Uint8Array();
			opened.dispose();
			return new TextDecoder().decode(bytes);
		},
		previewLanguage: async () => {
			const opened = feature(true);
			const text = { isDirty: false, getText: () => '', save: () => Promise.resolve(true) };
			const document = { uri: shown(), languageId: 'plaintext', ...text };
			openDocument(document);
			opened.dispose();
			return document.languageId;
		},
	};
}
