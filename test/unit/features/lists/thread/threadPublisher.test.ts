import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ThreadMailView } from '../../../../../src/pages/protocol/mailsProtocol.ts';
import type { ThreadChange } from '../../../../../src/pages/protocol/threadProtocol.ts';
import { keptMails } from '../../../../../src/store/lists/keptMails.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { threadWorld } from '../../../../support/threadWorld.ts';

const { ThreadPublisher } = await import('../../../../../src/features/lists/thread/threadPublisher.ts');

const never = new AbortController().signal;
const ref = { list: { owner: '~alice', name: 'devel' }, id: 1 };
const count = 100;

async function longThread(change = {}): Promise<ReturnType<typeof listConnection>> {
	const world = threadWorld();
	for (let id = 1000; id < 1000 + count; id += 1) {
		world.world.mails.push(makeMail({ id, threadId: 1, parentId: 1, subject: 'Re: Fold', text: `Mail ${id}` }));
	}
	world.world.mails.forEach((each, at) => (world.world.mails[at] = { ...each, ...change }));
	const connection = listConnection(world.api);
	await connection.lists.thread(ref.list, ref.id, never);
	return connection;
}

type Connection = Awaited<ReturnType<typeof longThread>>;
type Teller = InstanceType<typeof ThreadPublisher>;

/** All slices up to the last one. */
function told(teller: Teller, connection: Connection, change = {}): readonly ThreadChange[] {
	const changes: ThreadChange[] = [];
	for (let goesOn = true, slices = 0; goesOn; slices += 1) {
		assert.ok(slices < 100 * count, 'telling never ends');
		const slice = teller.next({
			connection,
			connections: fakeConnections(connection),
			ref,
			failure: undefined,
			mailFailure: () => undefined,
			lastSeen: undefined,
			target: undefined,
			replies: () => [],
			...change,
		});
		if (slice.change) {
			changes.push(slice.change);
		}
		({ goesOn } = slice);
	}
	return changes;
}

function mailsIn(changes: readonly ThreadChange[]): readonly ThreadMailView[] {
	return changes.flatMap(({ mails }) => (mails?.kind === 'mails' ? mails.put : []));
}

/** Each clock read takes half a millisecond. */
function slowClock(): ConstructorParameters<typeof ThreadPublisher>[0] {
	let nowMs = 0;
	return { ...fakeClock(), nowMs: () => (nowMs += 0.5) };
}

suite('thread publisher', () => {
	test('looks at each mail of a long thread a few times, however many slices it takes', async () => {
		const connection = await longThread();
		await connection.texts.readAll(
			[...(connection.lists.knownThread(ref.list, ref.id) ?? [])].map(({ id }) => id),
			never,
		);
		let looks = 0;
		const known: typeof connection.texts.known = (id) => {
			looks += 1;
			return connection.texts.known(id);
		};
		const counting = { ...connection, texts: { ...connection.texts, known } };
		const changes = told(new ThreadPublisher(slowClock()), counting);
		assert.ok(changes.length > 20, `${changes.length} slices`);
		assert.ok(looks < 6 * count, `${looks} looks`);
	});

	test('says of an archive’s senders nothing about accounts', async () => {
		const forge = await longThread({ sender: undefined, from: 'Mallory <mallory@elsewhere.test>' });
		const archive = { ...forge, instance: { ...forge.instance, archiveUrl: 'https://lore.example/' } };
		for (const [connection, account, answered] of [
			[forge, undefined, ['someone without an account']],
			[archive, '', ['Bob Builder', 'Mallory']],
		] as const) {
			const views = mailsIn(told(new ThreadPublisher(fakeClock()), connection));
			assert.ok(views.every((view) => view.account === account));
			assert.deepEqual([...new Set(views.map(({ answers }) => answers))], [undefined, ...answered]);
		}
	});

	test('sends a long thread in slices: structure first, then texts', async () => {
		const connection = await longThread();
		await connection.texts.readAll(
			[...(connection.lists.knownThread(ref.list, ref.id) ?? [])].map(({ id }) => id),
			never,
		);
		const teller = new ThreadPublisher(slowClock());
		const changes = told(teller, connection);
		assert.ok(changes.length > 20, `${changes.length} slices`);
		const views = mailsIn(changes);
		assert.deepEqual(
			views
				.slice(0, count + 6)
				.map(({ text }) => text.kind)
				.filter((kind) => kind !== 'reading'),
			[],
		);
		assert.equal(views.filter(({ text }) => text.kind === 'read').length, count + 6);
		assert.deepEqual(told(teller, connection), []);
	});

	test('sends a short thread in one slice, and later only the message with a new text', async () => {
		const connection = await longThread();
		const teller = new ThreadPublisher(fakeClock());
		assert.equal(told(teller, connection).length, 1);
		await connection.texts.read(1050, never);
		assert.deepEqual(
			mailsIn(told(teller, connection)).map(({ id }) => id),
			[1050],
		);
	});

	test('sends the text of the target message first', async () => {
		const connection = await longThread();
		await connection.texts.readAll([1, 2, 1090], never);
		const views = mailsIn(told(new ThreadPublisher(slowClock()), connection, { target: 1090 }));
		assert.equal(views.find(({ text }) => text.kind === 'read')?.id, 1090);
	});

	test('marks a pull request, and links its repository and reference on known forges', async () => {
		const world = threadWorld();
		const asked = (repository: string): string =>
			[
				'Please pull.',
				'',
				`The following changes since commit ${'1'.repeat(40)}:`,
				'',
				'  x',
				'',
				'are available in the Git repository at:',
				'',
				`  ${repository} refs/tags/for alice/1.0`.replace('for alice', 'for-alice'),
				'',
			].join('\n');
		const texts = ['https://git.forge.test/~bob/lantern', 'https://evil.test/~bob/lantern'].map(asked);
		for (const [at, text] of texts.entries()) {
			world.world.mails.push(makeMail({ id: 1000 + at, threadId: 1, parentId: 1, subject: 'Re: Fold', text }));
		}
		const connection = listConnection(world.api);
		await connection.lists.thread(ref.list, ref.id, never);
		await connection.texts.readAll([1000, 1001, 2], never);
		const pulls = mailsIn(told(new ThreadPublisher(fakeClock()), connection)).map(({ id, text }) => [
			id,
			text.kind === 'read' &&
				text.pull && [text.pull.href, text.pull.reference, text.pull.referenceHref, text.pull.hasChanges],
		]);
		assert.deepEqual(Object.fromEntries(pulls.filter(([id]) => id === 2 || Number(id) >= 1000)), {
			2: undefined,
			1000: [
				'https://git.forge.test/~bob/lantern',
				'refs/tags/for-alice/1.0',
				'https://git.forge.test/~bob/lantern/tree/for-alice/1.0',
				true,
			],
			1001: [undefined, 'refs/tags/for-alice/1.0', undefined, false],
		});
	});

	test('keeps a thread in view during a reload', async () => {
		const connection = await longThread();
		const teller = new ThreadPublisher(fakeClock());
		told(teller, connection);
		connection.lists.forget(ref.list);
		assert.deepEqual(told(teller, connection), []);
		assert.deepEqual(told(teller, connection, { failure: 'It broke.' })[0]?.mails, {
			kind: 'failed',
			reason: 'It broke.',
		});
	});

	test('sends a thread again after a failed load', async () => {
		const connection = await longThread();
		const teller = new ThreadPublisher(fakeClock());
		told(teller, connection);
		connection.lists.forget(ref.list);
		told(teller, connection, { failure: 'It broke.' });
		await connection.lists.thread(ref.list, ref.id, never);
		assert.deepEqual(
			told(teller, connection).map(({ mails }) => mails?.kind),
			['mails'],
		);
		assert.deepEqual(told(teller, connection), []);
	});

	test('sends the age of a stored thread while the forge is unreachable, and clears it afterwards', async () => {
		const disk = keptMails(textsInMemory(), fakeClock());
		const { api } = threadWorld();
		let isAway = false;
		const thread: typeof api.thread = (id, signal) =>
			isAway
				? Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' }))
				: api.thread(id, signal);
		const openWindow = (): Connection => listConnection({ ...api, thread }, undefined, undefined, undefined, disk);
		await openWindow().lists.thread(ref.list, ref.id, never);
		const connection = openWindow();
		const clock = fakeClock();
		clock.advance(2 * 86_400_000);
		const teller = new ThreadPublisher(clock);
		const headAfter = async (): Promise<unknown> => {
			await connection.lists.thread(ref.list, ref.id, never);
			return told(teller, connection)[0]?.head?.readBefore;
		};
		isAway = true;
		assert.equal(await headAfter(), 'Offline – showing data from 2 days ago');
		isAway = false;
		assert.equal(await headAfter(), '');
	});

	test('keeps a text on the page after a cache eviction', async () => {
		const connection = await longThread();
		await connection.texts.readAll([1, 2, 3], never);
		const teller = new ThreadPublisher(fakeClock());
		told(teller, connection);
		Object.defineProperty(connection, 'texts', { value: { ...connection.texts, known: () => undefined } });
		assert.deepEqual(told(teller, connection), []);
		const views = mailsIn(told(teller, connection, { lastSeen: 0 }));
		assert.deepEqual(
			views.filter(({ text }) => text.kind === 'read').map(({ id }) => id),
			[1, 2, 3],
		);
	});

	test('marks no own or seen messages as new', async () => {
		const connection = listConnection(threadWorld().api, '~carol');
		await connection.lists.thread(ref.list, ref.id, never);
		const views = mailsIn(told(new ThreadPublisher(fakeClock()), connection, { lastSeen: 3 }));
		assert.deepEqual(
			views
				.filter(({ isNew }) => isNew)
				.map(({ id }) => id)
				.toSorted((a, b) => a - b),
			[4, 6],
		);
	});
});
