import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { PageContent, PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { WindowTrust } from '../../../../../src/editor/commands/trust.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Protocol } from '../../../../../src/pages/protocol/pageProtocol.ts';
import { keptRepositories } from '../../../../../src/store/repositories/keptRepositories.ts';
import type { RepositorySources } from '../../../../../src/store/repositories/repositorySources.ts';
import type { RepositoryHeadView } from '../../../../../src/pages/protocol/repositoryProtocol.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { idOf, objectsInMemory, repositoryConnections } from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { pausing } from '../../../../support/pageInBrowser.ts';
import { testedPage, type TestedPage } from '../support/pageTester.ts';
import { bobsQuill, repositoryWorld, tinyPicture, type RepositoryWorld } from '../../../../support/repositoryWorld.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import type {
	RepositoriesContext,
	VerifySignature,
} from '../../../../../src/features/repositories/parts/repositoriesContext.ts';
import { fake } from '../../../../support/fake.ts';

const { repositoryPages } = await import('../../../../../src/features/repositories/repositoriesFeature.ts');
const { headView } = await import('../../../../../src/features/repositories/start/startViews.ts');

const { signal: never } = new AbortController();
const connectionKey = 'alice.sample';
const quill = { kind: 'repository', connectionKey, ref: bobsQuill };

/** A trusted window. */
const trusted: WindowTrust = { isTrusted: () => true, onDidGrant: () => ({ dispose: () => undefined }) };

interface DeskChoice {
	readonly verifySignature?: VerifySignature;
	readonly trust?: WindowTrust;
	/** State that outlives the window. */
	readonly kept?: Partial<RepositorySources>;
	readonly nowMs?: number;
}

interface Desk extends RepositoryWorld {
	readonly connections: ReturnType<typeof repositoryConnections>;
	/** Opened or filled pages, latest last. */
	readonly opened: PageContent<Protocol>[];
	readonly pages: ReturnType<typeof repositoryPages>;
	readonly run: (command: CommandId, subject?: unknown) => Promise<void>;
	/** Opens a page and waits for all its requests. */
	readonly page: (command: CommandId, subject: unknown) => Promise<TestedPage>;
}

function desk({ verifySignature, trust = trusted, kept, nowMs }: DeskChoice = {}): Desk {
	const made = repositoryWorld(kept);
	const connections = repositoryConnections(made.connection);
	const opened: PageContent<Protocol>[] = [];
	const open = (content: PageContent<Protocol>): void => void opened.push(content);
	const parts = fake<RepositoriesContext>({
		connections,
		ready: () => Promise.resolve(),
		render: () => import('../../../../../src/render.ts'),
		pages: standFor<PageHost>({
			open,
			inFront: () => undefined,
			restore: (_: unknown, content: PageContent<Protocol>) => open(content),
		}),
		problems: quietProblems,
		clock: pausing(fakeClock(nowMs)),
		trust,
		...(verifySignature ? { verifySignature } : {}),
	});
	const pages = repositoryPages(parts);
	const run = async (command: CommandId, subject?: unknown): Promise<void> => {
		await pages.commands[command]?.(subject, never, []);
	};
	return {
		...made,
		connections,
		opened,
		pages,
		run,
		async page(command, subject) {
			await run(command, subject);
			const page = testedPage(opened.at(-1)!);
			await rest();
			return page;
		},
	};
}

/** Waits for all pending work. */
async function rest(): Promise<void> {
	for (let turns = 0; turns < 200; turns++) {
		await turn();
	}
}

/** Value of a part of a page. */
function shownIn(page: TestedPage, part: string): unknown {
	return standFor<{ readonly value: unknown }>(page.known[part] ?? {}).value;
}

function htmlOf(page: TestedPage): string {
	return standFor<{ readonly html?: string }>(shownIn(page, 'readme') ?? {}).html ?? '';
}

function kinds(page: TestedPage): Readonly<Record<string, unknown>> {
	return Object.fromEntries(
		['about', 'readme', 'commits', 'references'].map((part) => [
			part,
			standFor<{ readonly kind: string }>(page.known[part]).kind,
		]),
	);
}

setup(resetStub);

suite('repository start page', () => {
	test('shows its structure immediately, before any read', async () => {
		const made = desk();
		made.world.before = () => new Promise(() => undefined);
		const page = await made.page('forge.repositories.open', quill);
		assert.deepEqual(kinds(page), { about: 'loading', readme: 'loading', commits: 'loading', references: 'loading' });
		assert.deepEqual(page.known['head'], {
			title: 'quill',
			owner: '~bob',
			reference: '~bob/quill',
			isReadable: true,
			clone: { readOnly: 'https://git.forge.test/~bob/quill', readWrite: 'git@git.forge.test:~bob/quill' },
			canClone: true,
		});
	});

	test('encodes a clone URL for its protocol, and has none for a name that is unsafe for git', () => {
		const clone = (name: string): unknown => headView(sampleInstance, { ...bobsQuill, name }, true).clone;
		assert.deepEqual(clone('c++'), {
			readOnly: 'https://git.forge.test/~bob/c%2B%2B',
			readWrite: 'git@git.forge.test:~bob/c++',
		});
		assert.deepEqual(clone('a&b'), { readOnly: 'https://git.forge.test/~bob/a%26b' });
		assert.equal(clone('two words'), undefined);
	});

	test('shows another window’s data offline, says so, and reads again on request', async () => {
		const kept = { disk: keptRepositories(textsInMemory(), fakeClock()), objects: objectsInMemory() };
		const before = await desk({ kept }).page('forge.repositories.open', quill);
		const made = desk({ kept, nowMs: fakeClock().nowMs() + 2 * 3_600_000 });
		made.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' }));
		const page = await made.page('forge.repositories.open', quill);
		for (const part of ['about', 'commits', 'references']) {
			assert.deepEqual(shownIn(page, part), shownIn(before, part), part);
		}
		assert.match(htmlOf(page), /Writes/);
		assert.equal(before.known['readBefore'], '');
		assert.equal(page.known['readBefore'], 'Offline – showing data from 2 hours ago');
		made.world.before = () => undefined;
		await page.ask('again', undefined);
		await rest();
		assert.equal(page.known['readBefore'], '');
	});

	test('shows cached data with its age in a new window until the forge responds', async () => {
		const kept = { disk: keptRepositories(textsInMemory(), fakeClock()), objects: objectsInMemory() };
		const before = await desk({ kept }).page('forge.repositories.open', quill);
		const made = desk({ kept, nowMs: fakeClock().nowMs() + 2 * 3_600_000 });
		const answers = Promise.withResolvers<undefined>();
		made.world.before = () => answers.promise;
		const page = await made.page('forge.repositories.open', quill);
		for (const part of ['about', 'commits', 'references']) {
			assert.deepEqual(shownIn(page, part), shownIn(before, part), part);
		}
		assert.match(htmlOf(page), /Writes/);
		assert.equal(page.known['readBefore'], 'Refreshing – showing data from 2 hours ago');
		answers.resolve(undefined);
		await rest();
		assert.equal(page.known['readBefore'], '');
	});

	test('refreshes cached data in a new window, even if the page closes or shows another branch', async () => {
		for (const isClosed of [true, false]) {
			const kept = { disk: keptRepositories(textsInMemory(), fakeClock()), objects: objectsInMemory() };
			await desk({ kept }).page('forge.repositories.open', quill);
			const made = desk({ kept });
			if (!isClosed) {
				made.world.heads.set('~bob/quill', 'side');
			}
			await made.run('forge.repositories.open', quill);
			const page = testedPage(made.opened.at(-1)!);
			if (isClosed) {
				page.abort.abort();
			}
			await rest();
			const { repositories } = made.connection;
			assert.deepEqual(
				[repositories.earlierMs(), repositories.names.known(bobsQuill)?.logBefore('main')],
				[undefined, undefined],
			);
		}
	});

	test('drops cached data in a new window when the forge says that the repository is gone', async () => {
		const kept = { disk: keptRepositories(textsInMemory(), fakeClock()), objects: objectsInMemory() };
		await desk({ kept }).page('forge.repositories.open', quill);
		const made = desk({ kept, nowMs: fakeClock().nowMs() + 2 * 3_600_000 });
		made.world.repositories.splice(0);
		made.world.before = (call) =>
			call.startsWith('lookup') ? undefined : Promise.reject(new ForgeError({ kind: 'notFound' }));
		const page = await made.page('forge.repositories.open', quill);
		assert.equal(kinds(page)['about'], 'failed');
		assert.deepEqual(
			[kinds(page)['commits'], kinds(page)['references'], kinds(page)['readme']],
			['hidden', 'hidden', 'hidden'],
		);
		assert.equal(page.known['readBefore'], '');
	});

	test('shows the changes of a viewed commit offline', async () => {
		const kept = { disk: keptRepositories(textsInMemory(), fakeClock()), objects: objectsInMemory() };
		const subject = { kind: 'commit', connectionKey, ref: bobsQuill, id: idOf(3) };
		const before = await desk({ kept }).page('forge.repositories.openCommit', subject);
		const made = desk({ kept });
		made.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' }));
		const page = await made.page('forge.repositories.openCommit', subject);
		assert.deepEqual([page.known['head'], page.known['files']], [before.known['head'], before.known['files']]);
		assert.equal(standFor<{ readonly view: { readonly kind: string } }>(page.known['files']).view.kind, 'files');
	});

	test('offers to clone after the window becomes trusted', async () => {
		const granted = new Emitter<void>();
		let isTrusted = false;
		const made = desk({ trust: { isTrusted: () => isTrusted, onDidGrant: granted.event } });
		const page = await made.page('forge.repositories.open', quill);
		const canClone = (): unknown => standFor<{ readonly canClone: boolean }>(page.known['head']).canClone;
		assert.equal(canClone(), false);
		isTrusted = true;
		granted.fire();
		await rest();
		assert.equal(canClone(), true);
	});

	test('shows the description, commits, references and README', async () => {
		const page = await desk().page('forge.repositories.open', quill);
		assert.deepEqual(shownIn(page, 'about'), {
			visibility: 'unlisted',
			descriptionHtml: '<p>For people who <em>write</em>.</p>\n',
			updatedAtMs: Date.UTC(2026, 10, 1),
		});
		const commits = standFor<readonly { readonly title: string }[]>(shownIn(page, 'commits'));
		assert.deepEqual(
			commits.map(({ title }) => title),
			["Merge branch 'side'", 'Rename it, see ~bob/parser#7', 'Change 1'],
		);
		const { groups } = standFor<{
			readonly groups: readonly { readonly kind: string; readonly rows: readonly unknown[] }[];
		}>(shownIn(page, 'references'));
		assert.deepEqual(
			groups.map(({ kind, rows }) => [kind, rows[0], rows.length]),
			[
				['branch', { revision: 'main', name: 'main', isDefault: true }, 2],
				['tag', { revision: 'v1.13', name: 'v1.13', isDefault: false }, 14],
			],
		);
	});

	test('shows pictures of the repository, and requests no others', async () => {
		const made = desk();
		const page = await made.page('forge.repositories.open', quill);
		const shown = htmlOf(page);
		assert.ok(
			shown.includes(`<img src="data:image/png;base64,${tinyPicture.toString('base64')}" alt="The logo">`),
			shown,
		);
		assert.equal(shown.split('<img').length, 2);
		assert.ok(shown.includes('<a href="https://elsewhere.test/badge.svg">elsewhere</a>'));
		assert.ok(shown.includes('item/docs/none.png">Missing</a>'));
	});

	test('shows the text before its pictures', async () => {
		const made = desk();
		const gate = Promise.withResolvers<undefined>();
		const id = made.world.write(new Uint8Array(tinyPicture));
		made.world.before = (call) => (call.includes(id) || call.endsWith('logo.png') ? gate.promise : undefined);
		const page = await made.page('forge.repositories.open', quill);
		assert.deepEqual([htmlOf(page).includes('Writes'), htmlOf(page).includes('<img')], [true, false]);
		gate.resolve(undefined);
		await rest();
		assert.ok(htmlOf(page).includes('<img'));
	});

	test('each part fails on its own, and a retry reads the missing ones', async () => {
		const made = desk();
		made.world.before = (call) => {
			if (call.startsWith('repository ') || call.startsWith('blobBy') || call.startsWith('blob ')) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		const page = await made.page('forge.repositories.open', quill);
		// The message above has the reason for the README.
		assert.deepEqual(kinds(page), { about: 'failed', readme: 'hidden', commits: 'shown', references: 'shown' });
		assert.deepEqual(page.known['about'], { kind: 'failed', reason: 'The forge said: serverError.' });
		const gate = Promise.withResolvers<undefined>();
		made.world.before = () => gate.promise;
		await page.ask('again');
		await rest();
		assert.deepEqual(kinds(page), { about: 'loading', readme: 'loading', commits: 'shown', references: 'shown' });
		gate.resolve(undefined);
		await rest();
		assert.deepEqual(kinds(page), { about: 'shown', readme: 'shown', commits: 'shown', references: 'shown' });
	});

	for (const problem of ['notAllowed', 'notFound'] as const) {
		test(`shows one message for an unreadable repository (${problem}), and offers nothing that needs it`, async () => {
			const made = desk();
			made.world.before = () => {
				throw new ForgeError({ kind: problem });
			};
			const page = await made.page('forge.repositories.open', quill);
			assert.deepEqual(kinds(page), { about: 'failed', readme: 'hidden', commits: 'hidden', references: 'hidden' });
			const { isReadable, clone } = standFor<RepositoryHeadView>(page.known['head']);
			assert.deepEqual([isReadable, clone], [false, undefined]);
			made.world.before = () => undefined;
			await page.ask('again');
			await rest();
			assert.deepEqual(kinds(page), { about: 'shown', readme: 'shown', commits: 'shown', references: 'shown' });
			assert.equal(standFor<RepositoryHeadView>(page.known['head']).isReadable, true);
		});
	}

	test('shows the rest when a server lists no references', async () => {
		const made = desk();
		made.world.before = (call) => {
			if (call.startsWith('references') || call.startsWith('defaultBranch')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const page = await made.page('forge.repositories.open', quill);
		assert.deepEqual(kinds(page), { about: 'shown', readme: 'shown', commits: 'shown', references: 'failed' });
		assert.deepEqual(page.known['push'], []);
	});

	test('explains how to push to an empty repository', async () => {
		const page = await desk().page('forge.repositories.open', { ...quill, ref: { owner: '~bob', name: 'blank' } });
		assert.deepEqual(kinds(page), { about: 'shown', readme: 'hidden', commits: 'hidden', references: 'hidden' });
		assert.deepEqual(page.known['push'], [
			'git remote add origin git@git.forge.test:~bob/blank',
			'git push --set-upstream origin HEAD',
		]);
	});

	test('follows changes in the store, and ignores those of other repositories', async () => {
		const made = desk();
		const page = await made.page('forge.repositories.open', quill);
		const before = page.news.length;
		made.connection.repositories.apply({ kind: 'referencesMoved', ref: { owner: '~bob', name: 'blank' } });
		const [, other] = made.world.repositories;
		made.connection.repositories.apply({
			kind: 'repositoryChanged',
			ref: { owner: '~bob', name: 'blank' },
			repository: other!,
		});
		await rest();
		assert.equal(page.news.length, before);
		made.world.commit(bobsQuill, 'main', made.world.grow({ 'readme.TXT': 'Now text, see ~bob/parser#7' }));
		made.connection.repositories.apply({ kind: 'referencesMoved', ref: bobsQuill });
		await rest();
		assert.deepEqual(shownIn(page, 'readme'), {
			kind: 'text',
			name: 'readme.TXT',
			pieces: [
				{ kind: 'text', text: 'Now text, see ' },
				{ kind: 'link', text: '~bob/parser#7', href: 'https://todo.forge.test/~bob/parser/7' },
			],
		});
	});

	test('follows a rename of its repository', async () => {
		const made = desk();
		const page = await made.page('forge.repositories.open', quill);
		const [repository] = made.world.repositories;
		made.connection.repositories.apply({
			kind: 'repositoryRenamed',
			from: bobsQuill,
			repository: { ...repository!, name: 'pen' },
		});
		// The page changes in place: one that opens on its own would take the keyboard from the user.
		assert.deepEqual(
			page.became.map(({ type, subject }) => [type, subject]),
			[['forge.repository', { ...quill, ref: { owner: '~bob', name: 'pen' } }]],
		);
		assert.deepEqual(stubbed.executed, []);
	});

	test('README links lead to files at the same revision, and other links to their target', async () => {
		const page = await desk().page('forge.repositories.open', quill);
		const [, href = ''] = /href="([^"]*how\.md#L3)"/.exec(htmlOf(page)) ?? [];
		await page.ask('follow', href);
		await rest();
		assert.deepEqual(
			[stubbed.executed, stubbed.passed],
			[
				['forge.repositories.openFile'],
				[
					{
						kind: 'file',
						connectionKey,
						ref: bobsQuill,
						at: { ref: 'main', path: 'docs/how.md' },
						lines: { first: 3, last: 3 },
					},
				],
			],
		);
		await page.ask('follow', 'https://todo.forge.test/~bob/parser/7');
		await page.ask('follow', 'https://elsewhere.test/x');
		await page.ask('follow', 'javascript:alert(1)');
		await rest();
		assert.deepEqual(stubbed.executed.slice(1), ['forge.tickets.open']);
		assert.deepEqual(stubbed.opened, ['https://elsewhere.test/x']);
	});

	test('every button runs its command with the subject of the page', async () => {
		const page = await desk().page('forge.repositories.open', quill);
		for (const action of [
			'mount',
			'goToFile',
			'clone',
			'compare',
			'openOwner',
			'openReadme',
			'copyLink',
			'openOnWeb',
		]) {
			await page.ask('run', action);
		}
		const reference = { kind: 'reference', connectionKey, ref: bobsQuill, revision: 'main' };
		assert.deepEqual(
			stubbed.executed.map((command, at) => [command, stubbed.passed[at]]),
			[
				['forge.repositories.mount', quill],
				['forge.repositories.openFile', reference],
				['forge.repositories.clone', quill],
				['forge.repositories.compare', quill],
				['forge.people.open', { kind: 'person', connectionKey, name: '~bob' }],
				[
					'forge.repositories.openFile',
					{ kind: 'file', connectionKey, ref: bobsQuill, at: { ref: 'main', path: 'README.md' } },
				],
				['forge.copyLink', quill],
				['forge.openOnWeb', quill],
			],
		);
		await page.ask('run', 'copyReadWrite');
		await page.ask('run', 'copyReadOnly');
		assert.deepEqual(stubbed.copied, ['git@git.forge.test:~bob/quill', 'https://git.forge.test/~bob/quill']);
		const refused = standFor<{ readonly kind: string }>(await page.ask('run', 'rm'));
		assert.equal(refused.kind, 'refusal');
	});

	test('fills itself again after a reload, even before its account connects', async () => {
		const made = desk();
		made.connections.replace();
		let isDisposed = false;
		const panel = standFor<never>({ dispose: () => (isDisposed = true) });
		await made.pages.restorePage('forge.repository', panel, { subject: quill, top: 3 });
		const page = testedPage(made.opened[0]!);
		await rest();
		assert.deepEqual(page.known['about'], { kind: 'failed', reason: 'The forge said: notSignedIn.' });
		made.connections.replace(made.connection);
		await rest();
		assert.ok(page.news.includes('reload'));
		await page.ask('load');
		assert.equal(isDisposed, false);
		await made.pages.restorePage('forge.repository', panel, { subject: { kind: 'commit' } });
		assert.equal(isDisposed, true);
	});
});

suite('commit page', () => {
	const subject = { kind: 'commit', connectionKey, ref: bobsQuill, id: idOf(3) };
	const head = (page: TestedPage): Readonly<Record<string, unknown>> =>
		standFor<Readonly<Record<string, unknown>>>(shownIn(page, 'head'));
	const files = (page: TestedPage): unknown => page.known['files'];

	test('follows a rename of its repository', async () => {
		const made = desk();
		const page = await made.page('forge.repositories.openCommit', subject);
		const [repository, other] = made.world.repositories;
		const ref = { owner: '~bob', name: 'blank' };
		made.connection.repositories.apply({ kind: 'repositoryRenamed', from: ref, repository: { ...other!, name: 'x' } });
		assert.equal(page.became.length, 0);
		const renamed = { ...repository!, name: 'pen' };
		made.connection.repositories.apply({ kind: 'repositoryRenamed', from: bobsQuill, repository: renamed });
		assert.deepEqual(
			page.became.map((content) => content.subject),
			[{ ...subject, ref: { owner: '~bob', name: 'pen' } }],
		);
	});

	test('shows the message with links, and people in trailers separately', async () => {
		const made = desk();
		const page = await made.page('forge.repositories.openCommit', subject);
		assert.deepEqual(head(page)['title'], [
			{ kind: 'text', text: 'Rename it, see ' },
			{ kind: 'link', text: '~bob/parser#7', href: 'https://todo.forge.test/~bob/parser/7' },
		]);
		const id = idOf(1);
		const link = { kind: 'link', text: id, href: `https://git.forge.test/~bob/quill/commit/${id}` };
		const why = [
			{ kind: 'text', text: ', as\n\n\t* ' },
			{ kind: 'link', text: 'https://x.test/why', href: 'https://x.test/why' },
			{ kind: 'text', text: ' says' },
		];
		assert.deepEqual(head(page)['body'], [
			{ kind: 'text', text: 'This follows ' },
			link,
			{ kind: 'text', text: ' and #12, as\n\n\t* ' },
			...why.slice(1),
		]);
		assert.deepEqual(head(page)['trailers'], [
			{ key: 'Reviewed-by', person: { name: 'Carol', address: 'carol@forge.test' }, pieces: [] },
			{
				key: 'Fixes',
				person: undefined,
				pieces: [
					{
						kind: 'link',
						text: 'https://todo.forge.test/~bob/parser/7',
						href: 'https://todo.forge.test/~bob/parser/7',
					},
				],
			},
		]);
		// The tracker of the same name is cached now.
		await made.connection.tickets.tracker(bobsQuill, never);
		await page.ask('load');
		const reopened = await made.page('forge.repositories.openCommit', subject);
		assert.deepEqual(head(reopened)['body'], [
			{ kind: 'text', text: 'This follows ' },
			link,
			{ kind: 'text', text: ' and ' },
			{ kind: 'link', text: '#12', href: 'https://todo.forge.test/~bob/quill/12' },
			...why,
		]);
	});

	test('shows author and committer, and the state of the signature', async () => {
		const made = desk();
		const page = await made.page('forge.repositories.openCommit', subject);
		assert.deepEqual(head(page)['committer'], { name: 'Bob', address: 'bob@forge.test' });
		assert.deepEqual(head(page)['signature'], { text: 'signed, not verified', tone: 'none' });
		const first = await made.page('forge.repositories.openCommit', { ...subject, id: idOf(1) });
		assert.deepEqual(
			[head(first)['committer'], head(first)['signature'], head(first)['parents']],
			[undefined, { text: 'not signed', tone: 'none' }, []],
		);
		const verified = await desk({ verifySignature: () => Promise.resolve({ kind: 'bad' }) }).page(
			'forge.repositories.openCommit',
			subject,
		);
		assert.deepEqual(head(verified)['signature'], { text: 'the signature does not match this commit', tone: 'bad' });
		const failed = await desk({ verifySignature: () => Promise.reject(new Error('No gpg here')) }).page(
			'forge.repositories.openCommit',
			subject,
		);
		assert.deepEqual(head(failed)['signature'], { text: 'signed, not verified', tone: 'none' });
	});

	test('shows cached titles of parents, without a request', async () => {
		const made = desk();
		const page = await made.page('forge.repositories.openCommit', { ...subject, id: idOf(4) });
		const known = 'Rename it, see ~bob/parser#7';
		assert.deepEqual(page.known['parentTitles'], [known, '']);
		const logs = made.world.calls.filter((call) => call.startsWith('log '));
		assert.equal(logs.length, 1, logs.join());
		await page.ask('compareWith', 1);
		await rest();
		assert.deepEqual(page.known['parentTitles'], [known, 'Change 2']);
	});

	test('lists changed files from the trees, and opens each at both commits', async () => {
		const page = await desk().page('forge.repositories.openCommit', subject);
		assert.deepEqual(files(page), {
			parent: 0,
			view: {
				kind: 'files',
				summary: '3 files changed',
				files: [
					{ key: 0, kind: 'added', path: 'docs/how.md', from: undefined, facts: '' },
					{ key: 1, kind: 'added', path: 'new name.c', from: undefined, facts: '' },
					{
						key: 2,
						kind: 'typeChanged',
						path: 'old name.c',
						from: undefined,
						facts: 'symbolic link, was file',
					},
				],
				remarks: [],
			},
		});
		await page.ask('openFile', 1);
		await page.ask('openFile', 99);
		assert.deepEqual(
			[stubbed.executed, stubbed.passed],
			[
				['forge.repositories.openChange'],
				[{ kind: 'change', connectionKey, ref: bobsQuill, before: idOf(1), after: idOf(3), path: 'new name.c' }],
			],
		);
	});

	test('compares a merge with the chosen parent, and ignores a parent that does not exist', async () => {
		const page = await desk().page('forge.repositories.openCommit', { ...subject, id: idOf(4) });
		const kindsOf = (): unknown => {
			const { view } = standFor<{
				readonly view: { readonly files: readonly Readonly<Record<string, unknown>>[] };
			}>(files(page));
			return view.files.map(({ kind, path, from }) => [kind, path, from]);
		};
		assert.deepEqual(kindsOf(), [
			['deleted', 'old name.c', undefined],
			['added', 'side.txt', undefined],
		]);
		await page.ask('compareWith', 1);
		await rest();
		assert.deepEqual(kindsOf(), [
			['added', 'docs/how.md', undefined],
			['renamed', 'new name.c', 'old name.c'],
		]);
		await page.ask('openFile', 1);
		assert.deepEqual(stubbed.passed, [
			{ kind: 'change', connectionKey, ref: bobsQuill, before: idOf(2), after: idOf(4), path: 'new name.c' },
		]);
		await page.ask('compareWith', 2);
		await rest();
		assert.equal(standFor<{ readonly parent: number }>(files(page)).parent, 1);
	});

	test('shows a failed comparison in place of the files, and a retry repairs it', async () => {
		const made = desk();
		made.world.before = (call) => {
			if (call.startsWith('tree')) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		const page = await made.page('forge.repositories.openCommit', subject);
		assert.deepEqual(files(page), { parent: 0, view: { kind: 'failed', reason: 'The forge said: serverError.' } });
		made.world.before = () => undefined;
		await page.ask('again');
		await rest();
		assert.equal(standFor<{ readonly view: { readonly kind: string } }>(files(page)).view.kind, 'files');
	});

	test('lists a part of very many files, and counts the rest', async () => {
		const made = desk();
		const many = Object.fromEntries(Array.from({ length: 730 }, (_, at) => [`f${at}`, `${at}`]));
		const { id } = made.world.commit(bobsQuill, 'main', made.world.grow(many));
		const page = await made.page('forge.repositories.openCommit', { ...subject, id });
		const { view } = standFor<{ readonly view: { readonly files: readonly unknown[]; readonly remarks: unknown } }>(
			files(page),
		);
		assert.equal(view.files.length, 500);
		assert.deepEqual(view.remarks, ['235 more files are not shown here. Open the changes to see all of them.']);
	});

	test('has one page per commit, for any prefix of its id', async () => {
		const made = desk();
		await made.run('forge.repositories.openCommit', { ...subject, id: idOf(3).slice(0, 9) });
		await made.run('forge.repositories.openCommit', subject);
		assert.deepEqual(
			made.opened.map(({ key }) => key),
			Array.from({ length: 2 }, () => `${connectionKey} ~bob/quill ${idOf(3)}`),
		);
	});

	test('opens nothing for an unknown commit', async () => {
		const made = desk();
		await assert.rejects(made.run('forge.repositories.openCommit', { ...subject, id: 'f'.repeat(40) }), isForgeError);
		assert.deepEqual(made.opened, []);
	});

	test('asks for a commit in the palette, and ends silently when the user closes the question', async () => {
		const made = desk();
		await made.connection.repositories.follow(bobsQuill, never);
		stubbed.answers.push('main', 'Change 1');
		await made.run('forge.repositories.openCommit');
		assert.equal(made.opened.length, 1);
		assert.deepEqual(stubbed.asked, ['Choose a branch or tag of quill', 'Choose a commit of main']);
		stubbed.boxes.length = 0;
		const running = made.run('forge.repositories.openCommit');
		while (stubbed.boxes.length === 0) {
			await new Promise((resolve) => void setImmediate(resolve));
		}
		stubbed.boxes.at(-1)?.hide();
		await assert.rejects(running, isAbort);
		assert.equal(made.opened.length, 1);
	});

	test('its buttons run commands with the subject of the page', async () => {
		const page = await desk().page('forge.repositories.openCommit', subject);
		for (const action of ['openChanges', 'browse', 'openRepository', 'copyLink', 'openOnWeb', 'copyId']) {
			await page.ask('run', action);
		}
		await page.ask('openParent', 0);
		await page.ask('openPerson', 'carol@forge.test');
		assert.deepEqual(
			stubbed.executed.map((command, at) => [command, stubbed.passed[at]]),
			[
				['forge.repositories.openChanges', subject],
				['forge.repositories.mount', { kind: 'reference', connectionKey, ref: bobsQuill, revision: idOf(3) }],
				['forge.repositories.open', quill],
				['forge.copyLink', subject],
				['forge.openOnWeb', subject],
				['forge.repositories.openCommit', { ...subject, id: idOf(1) }],
				['forge.people.open', { kind: 'person', connectionKey, name: 'carol@forge.test' }],
			],
		);
		assert.deepEqual(stubbed.copied, [idOf(3)]);
	});
});
