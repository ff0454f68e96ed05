import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { draftFiles } from '../../../../src/machine/storage/draftFiles.ts';
import { fileTexts } from '../../../../src/machine/storage/fileTexts.ts';
import { indexFolders } from '../../../../src/machine/storage/indexFiles.ts';
import { keptNames, keptText } from '../../../../src/machine/storage/editorStorage.ts';
import { mailLimits, repositoryLimits, textFolders } from '../../../../src/machine/storage/textFolders.ts';
import { objectFolders } from '../../../../src/machine/storage/objectFolders.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { CommandId } from '../../../../src/commands/table.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import { objectHash } from 'patchmail/git/objectId.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { DraftEntry } from '../../../../src/store/drafts/drafts.ts';
import { keptMails } from '../../../../src/store/lists/keptMails.ts';
import { emptyWebhookBook } from '../../../../src/store/webhooks/webhookBook.ts';
import { keptRepositories } from '../../../../src/store/repositories/keptRepositories.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { bookIn } from '../../../support/fakeWebhooks.ts';
import { fakeSecrets, type FakeSecrets } from '../../../support/fakeSecrets.ts';
import { startLocalServer, type LocalServer } from '../../../support/localServer.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { makeMail } from '../../../support/makeMail.ts';
import { makeSession } from '../../../support/makeSession.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed, stubbedTabs, TabInputText, Uri } from '../../../support/vscodeValues.ts';

const { deskAccounts } = await import('../../../../src/app/accounts/deskAccounts.ts');
// The first connected account loads it; the tests must not wait for that.
await import('sourcehut/net.ts');

const [tokenOfAlice, tokenOfBob] = ['personal-token-of-alice', 'personal-token-of-bob'];
const root = join(import.meta.dirname, '..', '..', '..', '..');

suite('accounts of a window and their stored data', function () {
	this.timeout(600_000);
	let folder = '';
	let server: LocalServer;
	let secrets: FakeSecrets;
	let globalState: Map<string, unknown>;
	let workspaceState: Map<string, unknown>;
	const open: Disposables[] = [];

	setup(async () => {
		resetStub();
		folder = await mkdtemp(join(tmpdir(), 'forge-desk-accounts-'));
		server = await startLocalServer((_, response) => void response.writeHead(404).end());
		secrets = fakeSecrets();
		globalState = new Map();
		workspaceState = new Map();
		stubbed.settings.set('forge.forges', [
			{
				name: 'Example',
				areas: { meta: server.origin, todo: server.origin, git: server.origin, lists: server.origin },
			},
		]);
		// No background reads, so every request has another cause.
		stubbed.settings.set('forge.index.requestsPerHour', 0);
	});

	teardown(async () => {
		open.splice(0).forEach((owned) => owned.dispose());
		await server.stop();
		// Pending writes complete after the desk closes.
		await rm(folder, { recursive: true, force: true, maxRetries: 10 });
	});

	const instanceId = (): string => new URL(server.origin).host.replace(':', '-');
	const keyOf = (name: string): string => `${name}.${instanceId()}`;

	/** An account signed in before this window opened. */
	async function wasSignedIn(name: string, token: string, createdMs: number): Promise<void> {
		const { origin } = server;
		const before = new SessionStore(secrets, quietLog());
		await before.put(
			makeSession({
				id: keyOf(name),
				accountName: `~${name}`,
				instanceId: instanceId(),
				token: new Token(token),
				scopes: 'all',
				createdMs,
				origins: { meta: origin, todo: origin, git: origin, lists: origin },
			}),
		);
		before.dispose();
	}

	/** Stored data of an account, of every kind. */
	async function keepAll(name: string): Promise<void> {
		const key = keyOf(name);
		const index = indexFolders(join(folder, 'index')).of(key, server.origin);
		await index.write('trackers.json', JSON.stringify({ secretOf: name }));
		const objects = objectFolders(join(folder, 'objects'), fakeClock());
		const bytes = Buffer.from(`secret of ${name}`);
		objects.of(key).keep('blob', idOf(bytes), { aboutBytes: bytes.length, bytes: () => bytes });
		await objects.idle();
		const mails = textFolders(join(folder, 'mails'), fakeClock(), mailLimits);
		keptMails(mails.of(key, server.origin), fakeClock()).keepMail(makeMail({ id: 1 }), false);
		await mails.idle();
		const repositories = textFolders(join(folder, 'repositories'), fakeClock(), repositoryLimits);
		keptRepositories(repositories.of(key, server.origin), fakeClock()).keepBranch(
			{ owner: '~alice', name: 'quill' },
			{ name: 'main' },
		);
		await repositories.idle();
		for (const state of [globalState, workspaceState]) {
			await keptNames(memento(state), 'trackers', key).keep([`~${name}/lantern`]);
			await keptText(memento(state), 'looks', key).write(`looks of ${name}`);
		}
		draftFiles(join(folder, 'drafts')).write(`${name}.json`, draftOf(name));
		stubbedTabs.push({
			label: name,
			input: new TabInputText(Uri.from({ scheme: 'forge', authority: key, path: '/a' })),
		});
	}

	const draftOf = (name: string): DraftEntry => ({
		about: {
			kind: 'comment',
			connectionKey: keyOf(name),
			ref: { tracker: { owner: '~alice', name: 'lantern' }, id: 7 },
		},
		draft: { text: `not sent yet by ${name}`, atMs: 1 },
	});

	/** `state` is the editor's storage for this window alone. */
	function openWindow(state = workspaceState, storage = memento(globalState)) {
		const owned = new Disposables();
		open.push(owned);
		const context = standFor<vscode.ExtensionContext>({
			extensionUri: Uri.file(root),
			globalStorageUri: Uri.file(folder),
			globalState: memento(globalState),
			workspaceState: memento(state),
			secrets,
			extension: { packageJSON: { version: '0.0.0' } },
		});
		const accounts = deskAccounts(context, storage, owned);
		const run = async (command: CommandId): Promise<void> => {
			await accounts.accounts.commands[command]?.(undefined, new AbortController().signal, []);
		};
		return { ...accounts, run };
	}

	/** Names of all files on disk. */
	/** Stored files of accounts and drafts; windows register each other after the first account. */
	async function onDisk(): Promise<readonly string[]> {
		return (await filesThere()).filter((name) => !name.startsWith('windows'));
	}

	async function filesThere(): Promise<readonly string[]> {
		const all = await readdir(folder, { recursive: true, withFileTypes: true });
		return all
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
			.toSorted();
	}

	test('a window without an account shows nothing, sends nothing and writes nothing', async () => {
		const window = openWindow();
		await window.allThere();
		assert.deepEqual([window.live.all(), stubbed.asked, stubbed.shown, stubbed.lines], [[], [], [], []]);
		assert.deepEqual([server.seen, await filesThere(), stubbed.logged], [[], [], []]);
	});

	test('a sample forge that cannot start shows an error, and other accounts still connect', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		await secrets.store('forge.sample', 'alice');
		const window = openWindow();
		Object.assign(window.accounts, { signInToSample: () => Promise.reject(new ForgeError({ kind: 'notAllowed' })) });
		await window.allThere();
		assert.deepEqual(
			window.live.all().map(({ key }) => key),
			[keyOf('alice')],
		);
		assert.equal(stubbed.shown.length, 1);
	});

	test('connects signed-in accounts without a request', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		await wasSignedIn('bob', tokenOfBob, 2);
		const window = openWindow();
		await window.allThere();
		assert.deepEqual(
			window.live.all().map(({ key, me }) => [key, me]),
			[
				[keyOf('alice'), '~alice'],
				[keyOf('bob'), '~bob'],
			],
		);
		assert.deepEqual(server.seen, []);
	});

	test('signing out deletes everything of the account on disk and in memory, except drafts', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		await wasSignedIn('bob', tokenOfBob, 2);
		await keepAll('alice');
		await keepAll('bob');
		const window = openWindow();
		await window.allThere();
		assert.equal((await onDisk()).length, 10);
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');

		assert.deepEqual(
			window.live.all().map(({ me }) => me),
			['~bob'],
		);
		assert.deepEqual([...secrets.values.keys()], [`forge.session:${keyOf('bob')}`]);
		const kept = await onDisk();
		assert.equal(kept.length, 6);
		const texts = await Promise.all(kept.map((name) => readFile(join(folder, name), 'latin1')));
		assert.ok(!texts.some((text) => text.includes('"secretOf":"alice"')));
		assert.ok(texts.some((text) => text.includes('"secretOf":"bob"')));
		for (const state of [globalState, workspaceState]) {
			assert.deepEqual([...state.keys()].toSorted(), [
				`forge.names:looks:${keyOf('bob')}`,
				`forge.names:trackers:${keyOf('bob')}`,
			]);
		}
		assert.deepEqual(
			stubbedTabs.map(({ label }) => label),
			['bob'],
		);
		const drafts = draftFiles(join(folder, 'drafts')).read();
		assert.deepEqual(
			drafts.map(({ about, draft }) => ({ about, draft })),
			[draftOf('alice'), draftOf('bob')],
		);
		assert.deepEqual(server.seen, []);
	});

	test('the next window restores an account’s inbox, until a sign-out', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		const here = openWindow();
		await here.allThere();
		const inboxOf = ({ live }: typeof here) => live.all()[0]?.inbox;
		const states = (window: typeof here): unknown =>
			inboxOf(window)
				?.items()
				.map(({ entry, state }) => [entry.id, state]);
		inboxOf(here)?.add({ entries: [makeEntry('a', 0)], positions: new Map() });
		inboxOf(here)?.setState(['a'], 'done');
		const later = openWindow();
		await later.allThere();
		assert.deepEqual(states(later), [['a', 'done']]);
		assert.deepEqual(
			(await onDisk()).map((name) => name.replace(/[0-9a-f]{32}/, '…')),
			[join('texts', '…', 'inbox.json')],
		);
		stubbed.answers.push('~alice');
		await later.run('forge.accounts.signOut');
		assert.deepEqual(await onDisk(), []);
	});

	test('signing out deletes as much as possible if the disk rejects one kind', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		await keepAll('alice');
		const window = openWindow();
		await window.allThere();
		// A file blocks the folder of the account's objects.
		await rm(join(folder, 'objects'), { recursive: true });
		await writeFile(join(folder, 'objects'), '');
		stubbed.answers.push('~alice');
		await assert.rejects(window.run('forge.accounts.signOut'), { code: 'ENOTDIR' });
		assert.deepEqual(await onDisk(), ['drafts/alice.json', 'objects']);
	});

	test('signing out deletes the files even if the editor’s storage fails', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		await keepAll('alice');
		const refusing = { ...memento(globalState), update: () => Promise.reject(new Error('the storage refuses')) };
		const window = openWindow(workspaceState, refusing);
		await window.allThere();
		stubbed.answers.push('~alice');
		await assert.rejects(window.run('forge.accounts.signOut'), { message: 'the storage refuses' });
		assert.deepEqual(await onDisk(), ['drafts/alice.json']);
		assert.equal(workspaceState.size, 0);
	});

	/** Alice's webhooks as stored for all windows. */
	const keptWebhooks = () => fileTexts(join(folder, 'texts'), () => true, fakeClock()).of('webhooks', keyOf('alice'));
	const areResting = (): boolean => bookIn(standFor<string>(keptWebhooks().read())).isResting;
	const address = 'https://hooks.example';
	const aWebhook = {
		family: { kind: 'tracker', ref: { owner: '~alice', name: 'lantern' } },
		path: '/secret',
		url: `${address}/secret`,
		events: [],
		id: 1,
		askedMs: 1,
		verifiedMs: 1,
	};
	const signOut = async ({ run }: ReturnType<typeof openWindow>): Promise<void> => {
		stubbed.answers.push('~alice');
		await run('forge.accounts.signOut');
	};
	const refuseOnce = (): void => {
		let hasRefused = false;
		const { values } = secrets;
		const remove = values.delete.bind(values);
		values.delete = (key) => {
			if (!hasRefused) {
				hasRefused = true;
				throw new Error('the storage refuses');
			}
			return remove(key);
		};
	};

	test('a failed sign-out resumes webhooks only if it stopped them itself', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		const book = { ...emptyWebhookBook, addresses: [address] };
		for (const { before, after } of [
			{ before: { ...book, webhooks: [aWebhook] }, after: false },
			{ before: { ...book, isResting: true }, after: true },
		]) {
			await keptWebhooks().write(JSON.stringify(before));
			const window = openWindow(new Map());
			await window.allThere();
			refuseOnce();
			await assert.rejects(signOut(window), { message: 'the storage refuses' });
			assert.equal(areResting(), after);
			open.splice(0).forEach((owned) => owned.dispose());
		}
	});

	test('webhooks removed with a former token stay removed after a failed sign-out', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		const book = { ...emptyWebhookBook, addresses: [address] };
		await keptWebhooks().write(JSON.stringify({ ...book, webhooks: [aWebhook] }));
		const window = openWindow();
		await window.allThere();
		await signOut(window);
		await wasSignedIn('alice', tokenOfBob, 2);
		await eventually(async () => window.live.all().length, 1);
		await keptWebhooks().write(JSON.stringify({ ...book, isResting: true }));
		refuseOnce();
		await assert.rejects(signOut(window), { message: 'the storage refuses' });
		assert.equal(areResting(), true);
	});

	test('signing out of the last account deletes the window’s data without an account', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		await wasSignedIn('bob', tokenOfBob, 2);
		const window = openWindow();
		await window.allThere();
		await keptNames(window.windowStorageOf('all'), 'rows-forge.tickets', 'all').keep(['+queue:applied']);
		const names = (): readonly string[] => [...workspaceState.keys()];
		stubbed.answers.push('~alice');
		await window.run('forge.accounts.signOut');
		assert.deepEqual(names(), ['forge.names:rows-forge.tickets:all']);
		stubbed.answers.push('~bob');
		await window.run('forge.accounts.signOut');
		assert.deepEqual([window.live.all().length, names()], [0, []]);
		await keptNames(window.windowStorageOf('all'), 'rows-forge.tickets', 'all').keep(['+queue:applied']);
		assert.deepEqual(names(), []);
	});

	test('signing out in another window deletes the data here as well', async () => {
		await wasSignedIn('alice', tokenOfAlice, 1);
		const [here, there] = [openWindow(), openWindow(new Map())];
		await Promise.all([here.allThere(), there.allThere()]);
		await keepAll('alice');
		stubbed.answers.push('~alice');
		await there.run('forge.accounts.signOut');
		await eventually(async () => here.live.all().length, 0);
		assert.equal(globalState.size, 0);
		// Only this window can delete its own data.
		await eventually(async () => workspaceState.size, 0);
		assert.deepEqual(await onDisk(), ['drafts/alice.json']);
	});

	test('the next start deletes the editor’s data of a signed-out account', async () => {
		await wasSignedIn('bob', tokenOfBob, 2);
		await keepAll('alice');
		await keepAll('bob');
		await keptNames(memento(workspaceState), 'rows-forge.tickets', 'all').keep(['+queue:applied']);
		await keptNames(memento(globalState), 'trackers', 'alice.sample').keep(['~alice/lantern']);
		globalState.set('forge.threadPage.wrap', false);
		await openWindow().allThere();
		const left = (state: Map<string, unknown>): readonly string[] => [...state.keys()].toSorted();
		await eventually(
			async () => left(globalState),
			[
				`forge.names:looks:${keyOf('bob')}`,
				'forge.names:trackers:alice.sample',
				`forge.names:trackers:${keyOf('bob')}`,
				'forge.threadPage.wrap',
			],
		);
		await eventually(
			async () => left(workspaceState),
			[
				`forge.names:looks:${keyOf('bob')}`,
				'forge.names:rows-forge.tickets:all',
				`forge.names:trackers:${keyOf('bob')}`,
			],
		);
	});

	test('the next start deletes the files of a signed-out account', async () => {
		await wasSignedIn('bob', tokenOfBob, 2);
		await keepAll('alice');
		await keepAll('bob');
		const texts = fileTexts(join(folder, 'texts'), () => true, fakeClock());
		for (const name of ['alice', 'bob']) {
			await texts.of('series', keyOf(name)).write(name);
		}
		const old = new Date(Date.now() - 2 * 86_400_000);
		await Promise.all(
			(await readdir(join(folder, 'texts'))).map((name) => utimes(join(folder, 'texts', name), old, old)),
		);
		const window = openWindow();
		await window.allThere();
		for (const kind of ['index', 'objects', 'mails', 'texts']) {
			await eventually(async () => (await readdir(join(folder, kind))).length, 1);
		}
		const index = (await onDisk()).find((name) => name.startsWith('index')) ?? '';
		assert.match(await readFile(join(folder, index), 'utf8'), /"secretOf":"bob"/);
		assert.equal(texts.of('series', keyOf('bob')).read(), 'bob');
		assert.equal(draftFiles(join(folder, 'drafts')).read().length, 2);
	});

	test('an archive connects without an account, a token or a request', async () => {
		stubbed.settings.set('forge.archives.lists', [`${server.origin}/devel/`]);
		await wasSignedIn('alice', tokenOfAlice, 1);
		const window = openWindow();
		await window.allThere();
		const [account, archive] = window.live.all();
		assert.deepEqual([account?.key, archive?.me], [keyOf('alice'), '']);
		assert.equal(archive?.key, `~archive~.${instanceId()}`);
		assert.deepEqual(archive?.lists.followed.all(), [{ owner: new URL(server.origin).host, name: 'devel' }]);
		assert.equal(window.live.needsSignIn(archive?.key ?? ''), false);
		assert.deepEqual(server.seen, []);
		await archive?.lists.unfollow({ owner: new URL(server.origin).host, name: 'devel' });
		assert.deepEqual(stubbed.settings.get('forge.archives.lists'), []);
		assert.deepEqual(window.live.all(), [account]);
	});

	test('a request of an archive has no token', async () => {
		const heads: unknown[] = [];
		const site = await startLocalServer(({ url, headers }, response) => {
			heads.push([url, headers.authorization, headers.cookie, headers['user-agent']?.split('/')[0]]);
			response.writeHead(404).end();
		});
		try {
			stubbed.settings.set('forge.archives.lists', [`${site.origin}/devel/`]);
			await wasSignedIn('alice', tokenOfAlice, 1);
			const window = openWindow();
			await window.allThere();
			const archive = window.live.all().at(-1);
			const [ref] = archive?.lists.followed.all() ?? [];
			assert.ok(archive && ref);
			await assert.rejects(archive.lists.list(ref, new AbortController().signal));
			assert.deepEqual(heads, [['/devel/_/text/config/raw', undefined, undefined, 'ForgeDesk']]);
		} finally {
			await site.stop();
		}
	});

	test('an archive and an unreadable secret storage delete nothing of accounts', async () => {
		stubbed.settings.set('forge.archives.lists', [`${server.origin}/devel/`]);
		await keepAll('alice');
		const texts = fileTexts(join(folder, 'texts'), () => true, fakeClock());
		await texts.of('inbox', keyOf('alice')).write('news of alice');
		const past = new Date(Date.now() - 3 * 86_400_000);
		for (const name of await readdir(join(folder, 'texts'))) {
			await utimes(join(folder, 'texts', name), past, past);
		}
		const window = openWindow();
		await window.allThere();
		await window.started;
		await eventually(async () => (await readdir(join(folder, 'index'))).length, 0);
		assert.equal(texts.of('inbox', keyOf('alice')).read(), 'news of alice');
		assert.deepEqual(keptNames(memento(globalState), 'trackers', keyOf('alice')).all(), ['~alice/lantern']);
	});

	test('reports a rejected token once for any number of callers', async () => {
		await server.stop();
		server = await startLocalServer((_, response) => {
			response.writeHead(401, { 'Content-Type': 'application/json' });
			response.end('{"errors":[{"reason":"Invalid or expired OAuth token"}]}');
		});
		const { origin } = server;
		stubbed.settings.set('forge.forges', [
			{ name: 'Example', areas: { meta: origin, todo: origin, git: origin, lists: origin }, protocols: 'rest' },
		]);
		await wasSignedIn('alice', tokenOfAlice, 1);
		const window = openWindow();
		await window.allThere();
		const [connection] = window.live.all();
		const never = new AbortController().signal;
		const lamp = { owner: '~alice', name: 'lamp' };
		for (const read of [
			async () => connection?.tickets.trackers.read(lamp, never),
			async () => connection?.repositories.metadata.read(lamp, never),
		]) {
			await assert.rejects(read, { name: 'ForgeError' });
		}
		assert.equal(server.seen.length, 1);
		stubbed.answers.push(undefined);
		await eventually(async () => stubbed.shown.length, 1);
		assert.match(stubbed.shown[0] ?? '', /Example no longer accepts the token of ~alice/);
		assert.ok(!JSON.stringify([stubbed.logged, stubbed.shown]).includes(tokenOfAlice));
	});
});

function idOf(bytes: Uint8Array): string {
	return objectHash('0'.repeat(40), 'blob', bytes.length).update(bytes).digest('hex');
}

function memento(values: Map<string, unknown>) {
	return {
		keys: () => [...values.keys()],
		get: (key: string) => values.get(key),
		async update(key: string, value: unknown): Promise<void> {
			await Promise.resolve();
			if (value === undefined) {
				values.delete(key);
			} else {
				values.set(key, value);
			}
		},
	};
}
