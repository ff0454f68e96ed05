import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Command } from '../../src/commands/command.ts';
import { commandTable, type CommandId } from '../../src/commands/table.ts';
import { whenText } from '../../src/commands/when.ts';
import { viewIds } from '../../src/commands/viewIds.ts';
import { accountKey } from '../../src/editor/accounts/session.ts';
import { SessionStore } from '../../src/editor/accounts/sessionStore.ts';
import type { Desk, Views } from '../../src/editor/desk.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { commandIds } from '../support/commandIds.ts';
import { directTransport, instanceOf, systemClock, wanted } from '../support/contractForge.ts';
import { eventually } from '../support/eventually.ts';
import { fakeSecrets } from '../support/fakeSecrets.ts';
import { makeSession } from '../support/makeSession.ts';
import { quietLog } from '../support/quietLog.ts';
import { sharedForge } from '../support/sharedForge.ts';
import { standFor } from '../support/standFor.ts';
import { bringToFront, resetFront, stubbedFront } from '../support/stubbedFront.ts';
import {
	resetStub,
	stubbed,
	stubbedTabs,
	TabInputCustom,
	TabInputText,
	TabInputWebview,
	Uri,
	type StubbedBox,
	type StubbedPanel,
} from '../support/vscodeValues.ts';

const { openDesk } = await import('../../src/app/openDesk.ts');
const { openNet } = await import('sourcehut/net.ts');
const { patchUri } = await import('../../src/editor/patchDocuments/patchUri.ts');
const { uriOfPlace } = await import('../../src/features/repositories/subjects/place.ts');

const root = join(import.meta.dirname, '..', '..');
const lantern = { owner: '~alice', name: 'lantern' };
const caret = { line: 0, character: 0 };
const devel = { owner: '~alice', name: 'lantern-devel' };

/** Pages and documents by their subject, with the row families that they belong to. */
const fronts = {
	ticket: ['ticket', 'tracker'],
	patchset: ['patchset', 'list'],
	thread: ['mail', 'patchset', 'list'],
	diff: ['patchFile', 'mail', 'patchset', 'list'],
	/** Added by a patch. A tab of a picture has no text editor. */
	picture: ['patchFile', 'mail', 'patchset', 'list'],
	repository: ['repository', 'artifact'],
	commit: ['commit', 'repository'],
	file: ['file', 'reference', 'repository'],
	remotePicture: ['file', 'reference', 'repository'],
} as const;
type Front = keyof typeof fronts;
type Thing = (typeof fronts)[Front][number];
const frontNames: readonly Front[] = [
	'ticket',
	'patchset',
	'thread',
	'diff',
	'picture',
	'repository',
	'commit',
	'file',
	'remotePicture',
];

/** The texts of prompts for an object, across all features. */
const questions: Readonly<Record<Thing, RegExp>> = {
	ticket: /^Choose a ticket of|^Ticket number/,
	tracker: /^Choose a tracker|^Choose one of your trackers/,
	patchset: /^Choose a patchset(?! of this thread)/,
	list: /^Choose a list|^Choose one of your lists/,
	mail: /^Choose a (?:thread|message|patch)\b/,
	patchFile: /^Choose a (?:thread|message|patch)\b/,
	repository: /^Choose a repository|^Choose one of your repositories|^Name of the repository/,
	artifact: /^Choose a repository/,
	commit: /^Choose a commit/,
	file: /^Choose a file|^Find a file/,
	reference: /^Choose a branch or tag of/,
};

/** Commands that ignore the active page or always prompt, by reason. */
const reasons: Readonly<Record<string, readonly CommandId[]>> = {
	'about accounts, the window or a view': [
		'forge.accounts.signIn',
		'forge.accounts.signOut',
		'forge.accounts.addForge',
		'forge.checkConnection',
		'forge.sample.start',
		'forge.sample.end',
		'forge.view.cancel',
		'forge.view.refresh',
		'forge.view.tryAgain',
		'forge.view.showMore',
		'forge.view.enter',
		'forge.showKeys',
		'forge.getStarted',
		'forge.help',
		'forge.search.again',
		'forge.search.cancel',
		'forge.search.clear',
		'forge.search.openAsText',
		'forge.history.cancel',
		'forge.history.clear',
		'forge.outbox.sendNow',
		'forge.inbox.markAllRead',
		'forge.inbox.refresh',
		'forge.inbox.showDone',
		'forge.inbox.hideDone',
		'forge.webhooks.receive',
		'forge.webhooks.stop',
		'forge.webhooks.show',
		'forge.webhooks.check',
		'forge.webhooks.removeAll',
	],
	'a choice among everything': [
		'forge.goTo',
		'forge.archives.follow',
		'forge.openMailbox',
		'forge.drafts.show',
		'forge.folders.show',
		'forge.people.open',
		'forge.people.myMails',
		'forge.patchsets.mine',
		'forge.tickets.open',
		'forge.repositories.open',
		'forge.filters.apply',
		'forge.filters.clear',
		'forge.filters.save',
		'forge.filters.edit',
		'forge.filters.delete',
	],
	'names a new thing': [
		'forge.tickets.new',
		'forge.trackers.follow',
		'forge.lists.follow',
		'forge.lists.subscribe',
		'forge.repositories.follow',
		'forge.trackers.create',
		'forge.lists.create',
		'forge.repositories.create',
	],
	'removals and descriptions need the row of the thing': [
		'forge.trackers.unfollow',
		'forge.lists.unfollow',
		'forge.lists.unsubscribe',
		'forge.repositories.unfollow',
		'forge.trackers.editDescription',
		'forge.trackers.delete',
		'forge.lists.editDescription',
		'forge.lists.delete',
	],
	'only a resolved ticket': ['forge.tickets.reopen'],
	'rows of the Inbox, see inboxOnPages': [
		'forge.inbox.open',
		'forge.inbox.moveBack',
		'forge.inbox.markRead',
		'forge.inbox.markUnread',
	],
	'rows of the Outbox, and buttons of the ticket page': [
		'forge.outbox.open',
		'forge.outbox.edit',
		'forge.outbox.withdraw',
		'forge.outbox.sendAnyway',
		'forge.outbox.reveal',
		'forge.outbox.remove',
	],
	'links hand over the thing': [
		'forge.trackers.show',
		'forge.lists.show',
		'forge.patchsets.open',
		'forge.comments.open',
		'forge.repositories.openChange',
	],
	'for all messages of the window': ['forge.lists.lookUpKeys'],
	'documents, drafts and boxes of their own': [
		'forge.tickets.newFromHere',
		'forge.tickets.submit',
		'forge.tickets.discard',
		'forge.trackers.saveDescription',
		'forge.lists.sendMail',
		'forge.lists.discardMail',
		'forge.review.addComment',
		'forge.review.editComment',
		'forge.review.saveComment',
		'forge.review.cancelEdit',
		'forge.review.discardComment',
		'forge.review.addSuggestions',
		'forge.review.moveDrafts',
		'forge.review.moveDraftsBack',
		'forge.review.applySuggestion',
		'forge.review.editMail',
		'forge.submit.preview',
		'forge.submit.editMail',
		'forge.submit.send',
		'forge.submit.discard',
		'forge.repositories.swapSides',
	],
	'about the clone': [
		'forge.tickets.unpushed',
		'forge.patchsets.showDifferences',
		'forge.patchsets.undoApplying',
		'forge.patchsets.push',
		'forge.patchsets.removeWorktrees',
		'forge.repositories.openTwin',
		'forge.lists.aboutLine',
		'forge.lists.aboutFile',
		'forge.repositories.openTracker',
		'forge.repositories.openList',
		'forge.apply.show',
		'forge.apply.openConflicts',
		'forge.apply.continue',
		'forge.apply.skip',
		'forge.apply.abort',
	],
};
/** Pictures have no lines. */
const ofLines: readonly CommandId[] = ['forge.review.suggestChange'];
const others: readonly CommandId[] = Object.values(reasons).flat();

suite('the active page', () => {
	let desk: Desk;
	let folder: string;
	let key = '';
	let mailId = 0;
	let commitId = '';

	suiteSetup(async function () {
		this.timeout(60_000);
		resetStub();
		folder = await mkdtemp(join(tmpdir(), 'forge-desk-front-'));
		const forge = await sharedForge('graphql');
		const { areas } = forge;
		const hub = forge.hub ?? undefined;
		stubbed.settings.set('forge.forges', [{ name: 'Example', areas, hub, protocols: 'graphql' }]);
		stubbed.settings.set('forge.index.requestsPerHour', 0);
		const net = openNet({ transport: directTransport, clock: systemClock, random: Math.random });
		const port = net.connectForge({ instance: instanceOf(forge), me: '~alice', tokenFor: () => forge.tokens.alice });
		for await (const { items } of port.lists.patches({ list: devel, id: 2 }, wanted())) {
			mailId ||= items[0]?.id ?? 0;
		}
		for await (const { items } of port.repositories.log(lantern, undefined, wanted())) {
			commitId ||= items[0]?.id ?? '';
			break;
		}
		await net.close();
		const secrets = fakeSecrets();
		const sessions = new SessionStore(secrets, quietLog());
		const instanceId = new URL(areas.meta).host.replace(':', '-');
		key = accountKey(instanceId, '~alice');
		const token = new Token(forge.tokens.alice);
		await sessions.put(makeSession({ id: key, instanceId, scopes: 'all', origins: areas, token }));
		sessions.dispose();
		const packageJSON: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		desk = await openDesk(
			standFor<vscode.ExtensionContext>({
				extensionUri: Uri.file(root),
				globalStorageUri: Uri.file(folder),
				globalState: memento(),
				workspaceState: memento(),
				secrets,
				extension: { id: 'forge-desk.forge-desk', extensionUri: Uri.file(root), packageJSON },
			}),
			views(),
		);
		await eventually(async () => stubbed.contexts.get('forge.signedOut'), false);
	});

	suiteTeardown(async () => {
		desk.dispose();
		resetStub();
		await rm(folder, { recursive: true, force: true, maxRetries: 10 });
	});

	/** Runs a command, closes its boxes, and returns the prompts. */
	async function run(command: CommandId, subject?: unknown): Promise<readonly string[]> {
		stubbed.asked.length = 0;
		let hasEnded = false;
		const running = desk.run(command, subject, undefined).finally(() => (hasEnded = true));
		await eventually(async () => {
			for (const box of [...stubbed.boxes, ...stubbed.lines].filter(({ isShown }: StubbedBox) => isShown)) {
				stubbed.asked.push(box.title);
				box.hide();
			}
			return hasEnded;
		}, true);
		await running;
		return [...stubbed.asked];
	}

	async function openPage(type: string, command: CommandId, subject: object): Promise<() => void> {
		await run(command, { connectionKey: key, ...subject });
		const page = stubbed.panels.findLast((panel) => panel.viewType === `forge.${type}`);
		assert.ok(page, type);
		return () => show(page, new TabInputWebview(`mainThreadWebview-forge.${type}`));
	}

	function show(page: StubbedPanel | undefined, input: object): void {
		resetFront();
		stubbed.panels.forEach((panel) => (panel.active = panel === page));
		stubbedTabs.splice(0, Number.POSITIVE_INFINITY, { label: '', isActive: true, input });
	}

	function openDocument(uri: vscode.Uri): () => void {
		return () => {
			show(undefined, new TabInputText(uri));
			bringToFront(uri);
			Object.assign(stubbedFront.editor ?? {}, { selection: { isEmpty: true, start: caret, end: caret } });
		};
	}

	function openPicture(uri: vscode.Uri): () => void {
		return () => show(undefined, new TabInputCustom(uri));
	}

	/** Opens the object and returns a function that activates its page again. */
	async function opened(front: Front): Promise<() => void> {
		const ref = { list: devel, id: 2 };
		switch (front) {
			case 'ticket':
				return openPage(front, 'forge.tickets.open', { kind: 'ticket', ref: { tracker: lantern, id: 3 } });
			case 'patchset':
				return openPage(front, 'forge.patchsets.open', { kind: 'patchset', ref });
			case 'thread':
				return openPage(front, 'forge.patchsets.openThread', { kind: 'patchset', ref });
			case 'diff': {
				const view = { kind: 'after', fileIndex: 0 } as const;
				return openDocument(patchUri({ connectionKey: key, list: devel, patchsetId: 2, mailId, view }, '/a.c'));
			}
			case 'picture': {
				const view = { kind: 'only', fileIndex: 0 } as const;
				const uri = patchUri({ connectionKey: key, list: devel, patchsetId: 2, mailId, view }, '/a.png');
				return openPicture(uri);
			}
			case 'repository':
				return openPage(front, 'forge.repositories.open', { kind: 'repository', ref: lantern });
			case 'commit':
				return openPage(front, 'forge.repositories.openCommit', { kind: 'commit', ref: lantern, id: commitId });
			case 'file': {
				const at = { ref: 'master', path: 'README.md' };
				return openDocument(uriOfPlace({ kind: 'entry', connectionKey: key, ref: lantern, at }));
			}
			case 'remotePicture': {
				const at = { ref: 'master', path: 'lantern.png' };
				return openPicture(uriOfPlace({ kind: 'entry', connectionKey: key, ref: lantern, at }));
			}
		}
	}

	test('every command works on rows, has keys on pages, is merged, or has a reason here', () => {
		const unknown = commandIds.filter(
			(id) => frontsOf(id).length === 0 && !commandTable[id].merge && !others.includes(id),
		);
		assert.deepEqual(unknown, []);
	});

	for (const front of frontNames) {
		test(`with an active ${front} no command asks for one`, async function () {
			this.timeout(60_000);
			const bring = await opened(front);
			const wrong: string[] = [];
			const without: readonly CommandId[] = front === 'picture' ? ofLines : [];
			for (const id of commandIds.filter(
				(each) => ![...others, ...without].includes(each) && frontsOf(each).includes(front),
			)) {
				bring();
				stubbed.shown.length = 0;
				const asked = await run(id);
				const forIt = asked.filter((question) => fronts[front].some((thing) => questions[thing].test(question)));
				const refused = stubbed.shown.filter((text) => /^(?:Open|Select)\b.* first[.,]/.test(text));
				wrong.push(...[...forIt, ...refused].map((text) => `${id}: ${text}`));
			}
			assert.deepEqual(wrong, []);
		});
	}
});

/** The `when` clauses that match a page. */
const clauses: Readonly<Record<Front, RegExp>> = {
	ticket: /\bforge\.ticket\b/,
	patchset: /\bforge\.patchset\b/,
	thread: /\bforge\.thread\b/,
	diff: /resourceScheme == forge-patch\b/,
	picture: /resourceScheme == forge-patch\b/,
	repository: /\bforge\.repository\b/,
	commit: /\bforge\.commit\b/,
	file: /resourceScheme == forge(?![-\w])/,
	remotePicture: /resourceScheme == forge(?![-\w])/,
};

/** Pages that a command works on, by its rows, keys, menus and merged commands. */
function frontsOf(id: CommandId): readonly Front[] {
	const { rows = [], keys = {}, menus = {}, palette, merge }: Command = commandTable[id];
	const families = rows.flatMap(([{ families: all }]) => all.map((family) => family.split('.')[0] ?? ''));
	const focuses: readonly string[] = Object.values(keys).flat();
	const shown = Object.values(menus).flatMap((entries) => entries.map(([when]) => whenText(when)));
	const whens = [...shown, typeof palette === 'string' ? '' : whenText(palette)];
	const focusOf = (front: Front): string => (front === 'picture' ? 'diff' : front);
	const isPartIn = (front: Front): boolean =>
		commandIds.some((other) => {
			const { merge: into }: Command = commandTable[other];
			const places: Readonly<Record<string, string>> = into?.in ?? {};
			return places[focusOf(front)] === id;
		});
	const isIn = (front: Front): boolean =>
		focuses.includes(focusOf(front)) ||
		isPartIn(front) ||
		whens.some((when) => clauses[front].test(when)) ||
		fronts[front].some((thing: string) => families.includes(thing));
	return merge ? [] : frontNames.filter(isIn);
}

function memento() {
	const values = new Map<string, unknown>();
	return {
		keys: () => [...values.keys()],
		get: (name: string) => values.get(name),
		async update(name: string, value: unknown): Promise<void> {
			await Promise.resolve();
			void (value === undefined ? values.delete(name) : values.set(name, value));
		},
	};
}

function views(): Views {
	const silent = (): { dispose(): void } => ({ dispose() {} });
	const view = {
		selection: [],
		visible: false,
		reveal: () => Promise.resolve(),
		onDidChangeSelection: silent,
		onDidChangeCheckboxState: silent,
		onDidCollapseElement: silent,
		onDidExpandElement: silent,
		onDidChangeVisibility: silent,
	};
	return standFor<Views>(Object.fromEntries(viewIds.map((id) => [id, { ...view }])));
}
