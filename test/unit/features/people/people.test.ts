import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { makeProfile, peopleWorld, type PeopleWorld } from '../../../support/fakePeople.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { pausing } from '../../../support/pageInBrowser.ts';
import { QuickPickItemKind, resetStub, stubbed, type StubbedBox } from '../../../support/vscodeValues.ts';

const { peopleFeature } = await import('../../../../src/features/people/peopleFeature.ts');

const { signal: never } = new AbortController();
const account = 'sample-alice';

interface Desk {
	readonly world: PeopleWorld;
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
	const failures: unknown[] = [];
	const feature = peopleFeature({
		connections: fakeConnections(world.connection),
		ready: () => Promise.resolve(),
		problems: { ...quietProblems, show: async (error) => void failures.push(error) },
		clock,
	});
	return {
		world,
		failures,
		feature,
		run: async (command, subject) => {
			await feature.commands[command]?.(subject, never, []);
		},
	};
}

interface Shown {
	readonly box: StubbedBox;
	/** Rows as `label | description | detail`, below their separators. */
	readonly rows: () => readonly string[];
	/** Labels below a separator; `undefined` names the profile. */
	readonly below: (title: string) => readonly string[];
	/** Resolves after the list closed. */
	readonly ended: Promise<void>;
}

async function listOf(name: string, made = desk()): Promise<Shown> {
	return shownBy(made.run('forge.people.open', { kind: 'person', connectionKey: account, name }));
}

async function shownBy(running: Promise<void>): Promise<Shown> {
	const ended = running.catch((error: unknown) => assert.ok(isAbort(error), String(error)));
	await rest();
	const box = stubbed.boxes.at(-1)!;
	const isTitle = (row: object): boolean => 'kind' in row && row.kind === QuickPickItemKind.Separator;
	return {
		box,
		ended,
		rows: () =>
			box.items.map(({ label, description = '', detail = '' }) =>
				[label, description, detail].filter((text) => text !== '').join(' | '),
			),
		below(title) {
			const from = box.items.findIndex((row) => isTitle(row) && row.label === title);
			const to = box.items.findIndex((row, at) => at > from && isTitle(row));
			return from === -1 ? [] : box.items.slice(from + 1, to === -1 ? undefined : to).map(({ label }) => label);
		},
	};
}

/** Waits for all pending work. */
async function rest(): Promise<void> {
	for (let turns = 0; turns < 200; turns++) {
		await turn();
	}
}

setup(resetStub);
teardown(() => stubbed.boxes.forEach((box) => box.hide()));

suite('list of a person', () => {
	test('offers the web and the name before the first response', async () => {
		const made = desk();
		made.world.beforeUser = () => new Promise(() => undefined);
		made.world.lists.before = () => new Promise(() => undefined);
		const { box, rows } = await listOf('~bob', made);
		assert.deepEqual([box.title, box.busy], ['~bob', true]);
		assert.deepEqual(rows().slice(0, 2), ['Open on the Web | ~bob', 'Copy Name | ~bob']);
	});

	test('has the profile, things, messages, and patchsets by status', async () => {
		const { box, rows, below } = await listOf('~bob');
		assert.deepEqual(rows().slice(0, 4), [
			'Open on the Web | ~bob | Leeds · Likes **splines**.',
			'Copy Name | ~bob',
			'bob@forge.test',
			'https://bob.example',
		]);
		assert.deepEqual(below('Trackers'), ['parser', 'splines']);
		assert.deepEqual(below('Mailing lists'), ['workshop']);
		assert.deepEqual(below('Repositories'), ['lathe']);
		assert.deepEqual(below('Messages'), [
			'Re: [PATCH proj v2] Turn the lathe',
			'Which lathe?',
			'[PATCH proj v2] Turn the lathe',
		]);
		assert.deepEqual(below('Patchsets'), ['Turn the lathe', 'Oil it', 'Sand it']);
		assert.deepEqual(
			['Turn the lathe | Proposed', 'Oil it | Needs revision', 'Sand it | Applied'].filter(
				(start) => !rows().some((row) => row.startsWith(start)),
			),
			[],
		);
		assert.equal(box.busy, false);
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
		const { rows } = await shownBy(made.run('forge.patchsets.mine'));
		assert.equal(rows()[0], 'Patchsets');
		assert.match(rows()[1] ?? '', / · v1 · ~alice\/devel · 1 reply · /);
		assert.ok(rows().includes('Copy Name | ~alice'), rows().join('\n'));
	});

	test('says why a part is missing, and Try Again reads it', async () => {
		const made = desk();
		made.world.trackers.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		const { box, below, rows } = await listOf('~bob', made);
		assert.deepEqual(below('Trackers'), ['The forge said: serverError.']);
		assert.deepEqual(below('Repositories'), ['lathe']);
		assert.ok(rows().includes('The forge said: serverError. | Try Again'));
		made.world.trackers.before = () => undefined;
		box.accept('The forge said: serverError.');
		await rest();
		assert.deepEqual(below('Trackers'), ['parser', 'splines']);
		assert.ok(box.isShown);
	});

	test('explains an unknown name, and has no other rows', async () => {
		const { rows } = await listOf('~nobody');
		assert.deepEqual(rows(), ['Sample has no account named ~nobody.']);
	});

	test('explains an address without an account, and has its messages', async () => {
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
		const { rows, below } = await listOf('zed@elsewhere.test', made);
		assert.equal(rows()[0], 'No account on Sample has this email address.');
		assert.deepEqual([below('Messages'), below('Trackers')], [['From outside'], []]);
	});

	test('has everything of the account for its address', async () => {
		const { rows, below } = await listOf('bob@forge.test');
		assert.ok(rows().includes('Copy Name | ~bob'));
		assert.deepEqual(below('Mailing lists'), ['workshop']);
	});

	test('opens the thing of each row', async () => {
		for (const label of [
			'Turn the lathe',
			'Which lathe?',
			'parser',
			'workshop',
			'lathe',
			'Open on the Web',
			'bob@forge.test',
		]) {
			const { box, ended } = await listOf('~bob');
			box.accept(label);
			await ended;
			assert.equal(box.isShown, false, label);
		}
		const ref = (name: string): unknown => ({ owner: '~bob', name });
		const devel = { owner: '~alice', name: 'devel' };
		assert.deepEqual(
			stubbed.executed.map((command, at) => [command, stubbed.passed[at]]),
			[
				['forge.patchsets.open', { kind: 'patchset', connectionKey: account, ref: { list: devel, id: 1 } }],
				[
					'forge.lists.openThread',
					{ kind: 'mail', connectionKey: account, list: devel, id: 12, messageId: '<m12@forge.test>' },
				],
				['forge.tickets.open', { kind: 'tracker', connectionKey: account, ref: ref('parser') }],
				['forge.lists.openThread', { kind: 'list', connectionKey: account, ref: ref('workshop') }],
				['forge.repositories.open', { kind: 'repository', connectionKey: account, ref: ref('lathe') }],
			],
		);
		assert.deepEqual(stubbed.opened, ['https://lists.forge.test/~bob', 'mailto:bob@forge.test']);
	});

	test('copies the name', async () => {
		const { box, ended } = await listOf('bob@forge.test');
		box.accept('Copy Name');
		await ended;
		assert.deepEqual(stubbed.copied, ['~bob']);
	});

	test('a button of a row follows a tracker or list, and the list stays open', async () => {
		const made = desk();
		const { box, rows } = await listOf('~bob', made);
		box.pressRow('parser');
		box.pressRow('workshop');
		await rest();
		assert.ok(box.isShown);
		const followed = rows().filter((row) => row.includes('| Followed'));
		assert.deepEqual(
			followed.map((row) => row.split(' | ')[0]),
			['parser', 'workshop'],
		);
		assert.deepEqual(made.world.connection.tickets.trackers.followed.all(), [{ owner: '~bob', name: 'parser' }]);
	});

	test('says why a follow failed', async () => {
		const made = desk();
		const { box } = await listOf('~bob', made);
		made.world.trackers.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		box.pressRow('parser');
		await rest();
		assert.deepEqual([made.failures.length, box.isShown], [1, true]);
	});

	test('changes the row of a patchset when its status changes elsewhere', async () => {
		const made = desk();
		const { rows } = await listOf('~bob', made);
		await made.world.connection.lists.setStatus({ list: { owner: '~alice', name: 'devel' }, id: 1 }, 'approved', never);
		await rest();
		assert.ok(
			rows().some((row) => row.startsWith('Turn the lathe | Approved')),
			rows().join('\n'),
		);
	});

	test('shows hostile profile texts as text, and opens only allowed links', async () => {
		const made = desk();
		made.world.users.set(
			'~bob',
			makeProfile('bob', {
				email: 'bob@forge.test?subject=x',
				url: 'javascript:alert(1)',
				location: 'Leeds\u202Esdeel\nx',
				bio: '<img src=x> $(sync~spin) [go](command:forge.signOut)',
			}),
		);
		const { box, rows } = await listOf('~bob', made);
		assert.equal(
			rows()[0],
			'Open on the Web | ~bob | Leeds⟨U+202E⟩sdeel x · <img src=x> $\u2060(sync~spin) [go](command:forge.signOut)',
		);
		box.accept('bob@forge.test?subject=x');
		box.accept('javascript:alert(1)');
		await rest();
		assert.deepEqual([stubbed.opened, stubbed.executed, box.isShown], [[], [], true]);
	});

	test('puts the wanted section first, and says that it is empty', async () => {
		const made = desk();
		made.world.lists.mails.splice(0);
		made.world.lists.posts.clear();
		const { rows } = await shownBy(made.run('forge.people.myMails'));
		assert.deepEqual(rows().slice(0, 3), [
			'Messages',
			'No messages on lists that you have access to.',
			'Open on the Web | ~alice · you | Leeds',
		]);
	});
});

suite('opening a person', () => {
	const titleOf = async (running: Promise<void>): Promise<string> => (await shownBy(running)).box.title;

	for (const [what, subject] of [
		['a bare name', 'bob'],
		['a name with its tilde', '~bob'],
		['a URL', 'https://todo.forge.test/~bob'],
		['a subject', { kind: 'person', connectionKey: account, name: '~bob' }],
		['a subject in another spelling', { kind: 'person', connectionKey: account, name: 'bob' }],
		['a message', { kind: 'mail', connectionKey: account, list: { owner: '~alice', name: 'devel' }, id: 12 }],
	] as const) {
		test(`reads the person from ${what}`, async () => {
			assert.equal(await titleOf(desk().run('forge.people.open', subject)), '~bob');
		});
	}

	test('reads the sender of a patchset from its address', async () => {
		const made = desk();
		const ref = { list: { owner: '~alice', name: 'devel' }, id: 1 };
		const running = made.run('forge.people.open', { kind: 'patchset', connectionKey: account, ref });
		assert.equal(await titleOf(running), 'bob@forge.test');
	});

	test('reads the address of a message from a sender without an account', async () => {
		const made = desk();
		made.world.lists.mails.push({
			...made.world.lists.mails[1]!,
			id: 40,
			sender: undefined,
			envelope: 'From: Zed <zed@x.test>\r\nSubject: a\r\n\r\nb\r\n',
		});
		const mail = { kind: 'mail', connectionKey: account, list: { owner: '~alice', name: 'devel' }, id: 40 };
		assert.equal(await titleOf(made.run('forge.people.open', mail)), 'zed@x.test');
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
		assert.equal(await titleOf(running), '~bob');
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
