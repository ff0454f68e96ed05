import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { PageContent, PageHost, PageLink } from '../../../../src/editor/pages/pageHost.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { answer, type Protocol } from '../../../../src/pages/protocol/pageProtocol.ts';
import type {
	PersonPageStart,
	PersonChange,
	PersonSection,
	SectionView,
} from '../../../../src/pages/protocol/personProtocol.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { makeProfile, peopleWorld, type PeopleWorld } from '../../../support/fakePeople.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { pausing } from '../../../support/pageInBrowser.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { peopleFeature } = await import('../../../../src/features/people/peopleFeature.ts');

const { signal: never } = new AbortController();
const account = 'sample-alice';

interface Desk {
	readonly world: PeopleWorld;
	/** Opened pages, latest last. */
	readonly opened: readonly PageContent<Protocol>[];
	/** Messages sent to pages, except their own updates. */
	readonly told: readonly unknown[];
	/** Reported errors. */
	readonly failures: readonly unknown[];
	readonly run: (
		command: 'forge.people.open' | 'forge.people.myMails' | 'forge.patchsets.mine',
		subject?: unknown,
	) => Promise<void>;
	readonly feature: ReturnType<typeof peopleFeature>;
}

function desk(): Desk {
	const clock = pausing(fakeClock());
	const world = peopleWorld(clock);
	const opened: PageContent<Protocol>[] = [];
	const told: unknown[] = [];
	const failures: unknown[] = [];
	const open = (content: PageContent<Protocol>): unknown => {
		opened.push(content);
		return { tell: (name: string, value: unknown) => told.push([name, value]) };
	};
	const feature = peopleFeature({
		connections: fakeConnections(world.connection),
		ready: () => Promise.resolve(),
		render: () => import('../../../../src/render.ts'),
		pages: standFor<PageHost>({ open, restore: (_: unknown, content: PageContent<Protocol>) => open(content) }),
		problems: { ...quietProblems, show: async (error) => void failures.push(error) },
		clock,
	});
	return {
		world,
		opened,
		told,
		failures,
		feature,
		run: async (command, subject) => {
			await feature.commands[command]?.(subject, never, []);
		},
	};
}

interface Shown {
	/** State of the page after all updates. */
	readonly change: () => PersonChange;
	readonly section: (name: PersonSection) => SectionView | undefined;
	/** Row titles of a section, by group. */
	readonly rows: (name: PersonSection) => readonly (readonly string[])[];
	readonly ask: (name: string, value?: unknown) => Promise<unknown>;
	readonly news: readonly (readonly [string, unknown])[];
	readonly abort: AbortController;
}

/** Connects to a page as the editor does. */
function shown(content: PageContent<Protocol>): Shown {
	const news: (readonly [string, unknown])[] = [];
	const abort = new AbortController();
	let known: PersonChange = { head: undefined, sections: {} };
	const take = (change: PersonChange): void => {
		known = { head: change.head ?? known.head, sections: { ...known.sections, ...change.sections } };
	};
	const silent = new Emitter<void>();
	const link: PageLink<Protocol> = {
		tell(name, value) {
			news.push([name, value]);
			if (name === 'changed') {
				take(standFor<PersonChange>(value));
			}
		},
		setTitle: () => undefined,
		mark: () => undefined,
		become: () => undefined,
		close: () => abort.abort(),
		signal: abort.signal,
		owned: new Disposables(),
		isWatched: () => true,
		isVisible: () => true,
		entry: undefined,
		onDidWant: new Emitter<number>().event,
		onDidChangeWatched: silent.event,
		onDidShow: silent.event,
	};
	const { handlers, start } = content.connect(link);
	take(standFor<PersonPageStart>(start).change);
	const section = (name: PersonSection): SectionView | undefined => known.sections[name];
	let id = 0;
	return {
		change: () => known,
		section,
		rows(name) {
			const view = section(name);
			return view?.kind === 'rows' ? view.groups.map(({ rows }) => rows.map(({ title }) => title)) : [];
		},
		async ask(name, value) {
			id += 1;
			const reply = await answer(handlers, { kind: 'ask', id, name, value }, (error) => String(error));
			return reply?.kind === 'answer' ? reply.value : reply;
		},
		news,
		abort,
	};
}

/** Waits for all pending work. */
async function rest(): Promise<void> {
	for (let turns = 0; turns < 200; turns++) {
		await turn();
	}
}

async function pageOf(name: string, made = desk()): Promise<Shown> {
	await made.run('forge.people.open', { kind: 'person', connectionKey: account, name });
	const page = shown(made.opened.at(-1)!);
	await rest();
	return page;
}

setup(resetStub);

suite('person page', () => {
	test('shows its structure before the first response', async () => {
		const { world, run, opened } = desk();
		world.beforeUser = () => new Promise(() => undefined);
		world.lists.before = () => new Promise(() => undefined);
		await run('forge.people.open', '~bob');
		const page = shown(opened[0]!);
		assert.equal(page.change().head?.title, 'bob');
		assert.deepEqual(page.change().head?.profile, { kind: 'loading' });
		assert.deepEqual(
			Object.values(page.change().sections).map(({ kind }) => kind),
			['loading', 'loading', 'loading', 'loading', 'loading'],
		);
	});

	test('shows the profile, things, messages, and patchsets grouped by status', async () => {
		const page = await pageOf('~bob');
		assert.deepEqual(page.change().head, {
			title: 'bob',
			account: '~bob',
			isMe: false,
			profile: {
				kind: 'profile',
				unsent: '',
				facts: [
					{ kind: 'address', text: 'bob@forge.test', href: 'mailto:bob@forge.test' },
					{ kind: 'url', text: 'https://bob.example', href: 'https://bob.example/' },
					{ kind: 'location', text: 'Leeds', href: undefined },
				],
				bioHtml: '<p>Likes <strong>splines</strong>.</p>\n',
			},
		});
		assert.deepEqual(page.rows('trackers'), [['parser', 'splines']]);
		assert.deepEqual(page.rows('lists'), [['workshop']]);
		assert.deepEqual(page.rows('repositories'), [['lathe']]);
		assert.deepEqual(page.rows('mails'), [
			['Re: [PATCH proj v2] Turn the lathe', 'Which lathe?', '[PATCH proj v2] Turn the lathe'],
		]);
		assert.deepEqual(page.rows('patchsets'), [['Turn the lathe'], ['Oil it'], ['Sand it']]);
		const patchsets = page.section('patchsets');
		assert.deepEqual(patchsets?.kind === 'rows' && patchsets.groups.map(({ title, isFolded }) => [title, isFolded]), [
			['Waiting for review', false],
			['Needs revision', false],
			['Done', true],
		]);
	});

	test('counts replies to own patchsets', async () => {
		const made = desk();
		const [devel] = made.world.lists.patchsets.values();
		const [mine] = devel!.filter(({ id }) => id === 3);
		made.world.lists.patchsets.set('~alice/devel', [{ ...mine!, messageId: '<m14@forge.test>' }]);
		const short = { name: 'devel', owner: makeProfile('alice') };
		const own = {
			...made.world.lists.mails[3]!,
			id: 20,
			threadId: undefined,
			parentId: undefined,
			list: short,
			messageId: '<m20@forge.test>',
			isPatch: true,
			patchsetId: 3,
			subject: '[PATCH proj] Mine',
		};
		const reply = {
			...made.world.lists.mails[1]!,
			id: 21,
			threadId: 20,
			parentId: 20,
			list: short,
			messageId: '<m21@forge.test>',
		};
		made.world.lists.mails.push(own, reply);
		made.world.lists.series.set(3, [own]);
		const page = await pageOf('~alice', made);
		const view = page.section('patchsets');
		assert.deepEqual(view?.kind === 'rows' && view.groups.map(({ rows }) => rows.map(({ facts }) => facts)), [
			[['v1', '~alice/devel', '1 reply']],
		]);
		assert.equal(page.change().head?.isMe, true);
	});

	test('fails per section, and Try Again loads the failed ones', async () => {
		const made = desk();
		made.world.trackers.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		const page = await pageOf('~bob', made);
		assert.deepEqual(page.section('trackers'), { kind: 'failed', reason: 'The forge said: serverError.' });
		assert.deepEqual(page.rows('repositories'), [['lathe']]);
		made.world.trackers.before = () => undefined;
		await page.ask('again');
		await rest();
		assert.deepEqual(page.rows('trackers'), [['parser', 'splines']]);
	});

	test('explains an unknown name and hides all sections', async () => {
		const page = await pageOf('~nobody');
		assert.deepEqual(page.change().head?.profile, { kind: 'none', text: 'Sample has no account named ~nobody.' });
		assert.equal(page.change().head?.account, undefined);
		assert.deepEqual(
			Object.values(page.change().sections).map(({ kind }) => kind),
			['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
		);
	});

	test('explains an address without an account and shows its messages', async () => {
		const made = desk();
		const stranger = {
			...made.world.lists.mails[1]!,
			id: 30,
			sender: undefined,
			subject: 'From outside',
			envelope: 'From: Zed <zed@elsewhere.test>\r\nSubject: From outside\r\n\r\nHi\r\n',
			messageId: '<m30@elsewhere.test>',
		};
		made.world.lists.mails.push(stranger);
		made.world.lists.posts.get('~alice/devel')?.unshift(stranger);
		const page = await pageOf('zed@elsewhere.test', made);
		assert.deepEqual(page.change().head?.profile, {
			kind: 'none',
			text: 'No account on Sample has this email address.',
		});
		assert.deepEqual(page.rows('mails'), [['From outside']]);
		assert.equal(page.section('trackers')?.kind, 'hidden');
	});

	test('shows everything of the account for its address', async () => {
		const page = await pageOf('bob@forge.test');
		assert.equal(page.change().head?.account, '~bob');
		assert.deepEqual(page.rows('lists'), [['workshop']]);
	});

	test('opens the thing of each row, and ignores unknown keys', async () => {
		const page = await pageOf('~bob');
		for (const [section, key] of [
			['patchsets', '~alice/devel 1'],
			['mails', '13'],
			['trackers', '~bob/parser'],
			['lists', '~bob/workshop'],
			['repositories', '~bob/lathe'],
			['mails', '99'],
		]) {
			await page.ask('open', { section, key });
		}
		await rest();
		const ref = (name: string): unknown => ({ owner: '~bob', name });
		const devel = { owner: '~alice', name: 'devel' };
		assert.deepEqual(
			stubbed.executed.map((command, at) => [command, stubbed.passed[at]]),
			[
				['forge.patchsets.open', { kind: 'patchset', connectionKey: account, ref: { list: devel, id: 1 } }],
				[
					'forge.lists.openThread',
					{ kind: 'mail', connectionKey: account, list: devel, id: 13, messageId: '<m13@forge.test>' },
				],
				['forge.tickets.open', { kind: 'tracker', connectionKey: account, ref: ref('parser') }],
				['forge.lists.openThread', { kind: 'list', connectionKey: account, ref: ref('workshop') }],
				['forge.repositories.open', { kind: 'repository', connectionKey: account, ref: ref('lathe') }],
			],
		);
	});

	test('shows a followed tracker or list as followed', async () => {
		const made = desk();
		const page = await pageOf('~bob', made);
		await page.ask('keep', { section: 'trackers', key: '~bob/parser' });
		await page.ask('keep', { section: 'lists', key: '~bob/workshop' });
		await rest();
		const ties = (name: PersonSection): unknown => {
			const view = page.section(name);
			return view?.kind === 'rows' && view.groups[0]?.rows.map(({ tie }) => tie);
		};
		assert.deepEqual(ties('trackers'), [{ kind: 'there', text: 'Followed' }, { kind: 'offered' }]);
		assert.deepEqual(ties('lists'), [{ kind: 'there', text: 'Followed' }]);
		assert.deepEqual(made.world.connection.tickets.trackers.followed.all(), [{ owner: '~bob', name: 'parser' }]);
	});

	test('moves the row of a patchset when its status changes elsewhere', async () => {
		const made = desk();
		const page = await pageOf('~bob', made);
		await made.world.connection.lists.setStatus({ list: { owner: '~alice', name: 'devel' }, id: 1 }, 'approved', never);
		await rest();
		const view = page.section('patchsets');
		assert.deepEqual(view?.kind === 'rows' && view.groups.map(({ title }) => title), [
			'Needs revision',
			'Approved',
			'Done',
		]);
		const before = page.news.length;
		made.world.connection.threadReadMarks.look(
			{ list: { owner: '~alice', name: 'devel' }, id: 99, isOwn: false, updatedMs: 0 },
			99,
		);
		await rest();
		assert.equal(page.news.length, before, 'nothing is told twice');
	});

	test('shows hostile profile texts as text, and links only as the policy allows', async () => {
		const made = desk();
		made.world.users.set(
			'~bob',
			makeProfile('bob', {
				email: 'bob@forge.test?subject=x',
				url: 'javascript:alert(1)',
				location: 'Leeds\u202Esdeel\nx',
				bio: '<img src=x onerror=alert(1)> [go](command:forge.signOut) #12 ~carol',
			}),
		);
		const page = await pageOf('~bob', made);
		const profile = page.change().head?.profile;
		assert.ok(profile?.kind === 'profile');
		assert.deepEqual(
			profile.facts.map(({ text, href }) => [text, href]),
			[
				['bob@forge.test?subject=x', undefined],
				['javascript:alert(1)', undefined],
				['Leeds⟨U+202E⟩sdeel x', undefined],
			],
		);
		assert.equal(
			profile.bioHtml,
			'<p>&lt;img src=x onerror=alert(1)&gt; [go](command:forge.signOut) #12 <a href="https://lists.forge.test/~carol">~carol</a></p>\n',
		);
	});

	test('links tickets in the text of a profile below the ticket area', async () => {
		const made = desk();
		made.world.users.set('~bob', makeProfile('bob', { bio: 'See ~bob/alpha#3.' }));
		const page = await pageOf('~bob', made);
		const profile = page.change().head?.profile;
		assert.ok(profile?.kind === 'profile');
		assert.equal(profile.bioHtml, '<p>See <a href="https://todo.forge.test/~bob/alpha/3">~bob/alpha#3</a>.</p>\n');
	});

	test('reports why the forge could not resolve a link', async () => {
		const made = desk();
		const page = await pageOf('~bob', made);
		made.world.lists.before = () => {
			throw new ForgeError({ kind: 'notAllowed' });
		};
		await page.ask('follow', 'https://lists.forge.test/~alice/devel/%3Cm99@forge.test%3E');
		assert.equal(made.failures.length, 1);
		await page.ask('follow', 'javascript:alert(1)');
		assert.equal(made.failures.length, 1);
	});

	test('validates requests from the page before it runs them', async () => {
		const page = await pageOf('~bob');
		for (const [name, value] of [
			['open', { section: 'secrets', key: 'x' }],
			['open', { section: 'mails', key: 7 }],
			['more', 'everything'],
			['follow', { href: 'x' }],
			['keep', undefined],
		] as const) {
			const reply = await page.ask(name, value);
			assert.match(JSON.stringify(reply), /"kind":"refusal"/, name);
		}
		assert.deepEqual(stubbed.executed, []);
	});
});

suite('opening a person', () => {
	const subjectOf = ({ opened }: Desk): unknown => opened.at(-1)?.subject;

	for (const [what, subject] of [
		['a bare name', 'bob'],
		['a name with its tilde', '~bob'],
		['a URL', 'https://todo.forge.test/~bob'],
		['a subject', { kind: 'person', connectionKey: account, name: '~bob' }],
		['a subject in another spelling', { kind: 'person', connectionKey: account, name: 'bob' }],
		['a message', { kind: 'mail', connectionKey: account, list: { owner: '~alice', name: 'devel' }, id: 12 }],
	] as const) {
		test(`reads the person from ${what}`, async () => {
			const made = desk();
			await made.run('forge.people.open', subject);
			assert.deepEqual(subjectOf(made), { kind: 'person', connectionKey: account, name: '~bob' });
		});
	}

	test('reads the sender of a patchset from its address', async () => {
		const made = desk();
		const ref = { list: { owner: '~alice', name: 'devel' }, id: 1 };
		await made.run('forge.people.open', { kind: 'patchset', connectionKey: account, ref });
		assert.deepEqual(subjectOf(made), { kind: 'person', connectionKey: account, name: 'bob@forge.test' });
	});

	test('reads the address of a message from a sender without an account', async () => {
		const made = desk();
		made.world.lists.mails.push({
			...made.world.lists.mails[1]!,
			id: 40,
			sender: undefined,
			envelope: 'From: Zed <zed@x.test>\r\nSubject: a\r\n\r\nb\r\n',
		});
		await made.run('forge.people.open', {
			kind: 'mail',
			connectionKey: account,
			list: { owner: '~alice', name: 'devel' },
			id: 40,
		});
		assert.deepEqual(subjectOf(made), { kind: 'person', connectionKey: account, name: 'zed@x.test' });
	});

	test('offers known people in the palette, and finds any other name', async () => {
		const made = desk();
		await made.world.connection.lists.posts({ owner: '~alice', name: 'devel' }).first(never);
		await made.world.connection.lists.patchsets({ owner: '~alice', name: 'devel' }).first(never);
		const running = made.run('forge.people.open');
		await rest();
		const box = stubbed.boxes.at(-1)!;
		assert.deepEqual(
			box.items.map(({ label }) => label),
			['~alice', '~bob', 'bob@forge.test', 'alice@forge.test'],
		);
		box.type('zoe');
		assert.equal(box.items.at(-1)?.label, 'Find ~zoe');
		box.type('https://todo.forge.test/~bob');
		box.accept(box.items.at(-1)?.label);
		await running;
		assert.deepEqual(subjectOf(made), { kind: 'person', connectionKey: account, name: '~bob' });
	});

	test('opens the own page for own messages and patchsets', async () => {
		const made = desk();
		await made.run('forge.people.myMails');
		await made.run('forge.patchsets.mine');
		assert.deepEqual(
			made.opened.map(({ key }) => key),
			[`${account} ~alice`, `${account} ~alice`],
		);
		assert.deepEqual(made.told, [
			['show', 'mails'],
			['show', 'patchsets'],
		]);
	});

	test('restores a page after a reload, and closes one with an invalid subject', async () => {
		const { feature, opened } = desk();
		let closed = 0;
		const panel = standFor<Parameters<typeof feature.restorePage>[0]>({ dispose: () => (closed += 1) });
		await feature.restorePage(panel, { subject: { kind: 'person', connectionKey: account, name: '~bob' } });
		await feature.restorePage(panel, { subject: { kind: 'person', connectionKey: account, name: '' } });
		assert.deepEqual([opened.length, closed], [1, 1]);
	});

	test('reports a missing account on a restored page, and reloads when the account signs in', async () => {
		const made = desk();
		const accounts = fakeConnections();
		const feature = peopleFeature({
			connections: accounts,
			ready: () => Promise.resolve(),
			render: () => import('../../../../src/render.ts'),
			pages: standFor<PageHost>({ restore: (_: unknown, content: PageContent<Protocol>) => contents.push(content) }),
			problems: quietProblems,
			clock: pausing(fakeClock()),
		});
		const contents: PageContent<Protocol>[] = [];
		const panel = standFor<Parameters<typeof feature.restorePage>[0]>({});
		await feature.restorePage(panel, { subject: { kind: 'person', connectionKey: account, name: '~bob' } });
		const page = shown(contents[0]!);
		assert.deepEqual(page.change().head?.profile, { kind: 'failed', reason: 'The forge said: notSignedIn.' });
		accounts.replace(made.world.connection);
		await rest();
		assert.deepEqual(page.news[0], ['reload', undefined]);
		assert.equal(page.change().head?.profile.kind, 'profile');
		accounts.replace();
		assert.ok(page.abort.signal.aborted, 'signing out closes the page');
	});

	test('has a URL for a person of a signed-in account only', () => {
		const { feature } = desk();
		assert.equal(
			feature.links.webLink({ kind: 'person', connectionKey: account, name: '~bob' }),
			'https://lists.forge.test/~bob',
		);
		assert.equal(feature.links.webLink({ kind: 'person', connectionKey: 'gone', name: '~bob' }), undefined);
	});
});
