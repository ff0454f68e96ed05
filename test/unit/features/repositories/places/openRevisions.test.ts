import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import type { OpenPlace } from '../../../../../src/features/repositories/places/openRevisions.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { keptRepositories, type KeptRepositories } from '../../../../../src/store/repositories/keptRepositories.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import {
	fakeStore,
	idOf,
	makeRepository,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import type { RepositoryStore } from '../../../../../src/store/repositories/repositoryStore.ts';
import { fake as partial } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { openRevisions } = await import('../../../../../src/features/repositories/places/openRevisions.ts');

const never = new AbortController().signal;
const main: OpenPlace = { connectionKey: 'alice.sample', ref: quill, revision: 'main' };
const minuteMs = 60_000;

interface Rig {
	readonly fake: FakeRepositories;
	readonly store: RepositoryStore;
	readonly clock: FakeClock;
	readonly open: (...places: readonly OpenPlace[]) => void;
	readonly focus: (isThere: boolean) => void;
	/** Waits for the pending responses of the forge. */
	readonly settled: () => Promise<void>;
	readonly looks: { count: number };
	readonly logged: readonly unknown[];
}

function rig(first: readonly OpenPlace[] = [main], disk?: KeptRepositories): Rig {
	const fake = quillWorld();
	const store = fakeStore(fake, { disk });
	const clock = fakeClock();
	const placesChanged = new Emitter<void>();
	const presenceChanged = new Emitter<void>();
	let places = first;
	let isThere = true;
	const looks = { count: 0 };
	const logged: unknown[] = [];
	openRevisions(
		partial<RepositoriesContext>({
			connections: repositoryConnections(repositoryConnection(store)),
			problems: { ...quietProblems, log: (error) => void logged.push(error) },
			clock,
		}),
		{
			places: () => places,
			onDidChangePlaces: placesChanged.event,
			presence: { isThere: () => isThere, onDidChange: presenceChanged.event },
		},
		() => void (looks.count += 1),
	);
	return {
		fake,
		store,
		clock,
		looks,
		logged,
		open(...opened) {
			places = opened;
			placesChanged.fire(undefined);
		},
		focus(there) {
			isThere = there;
			presenceChanged.fire(undefined);
		},
		async settled() {
			// Everything here waits only for turns of the event loop.
			for (let turn = 0; turn < 20; turn += 1) {
				await new Promise((resolve) => void setImmediate(resolve));
			}
		},
	};
}

function push({ world }: FakeRepositories, title = 'Anew'): string {
	const made = world.commit(quill, 'main', world.grow({ 'README.md': title }));
	return made.id;
}

suite('open revisions', () => {
	setup(() => resetStub());

	test('refresh another window’s data when the user returns and the forge responds', async () => {
		const disk = keptRepositories(textsInMemory(), fakeClock());
		const other = rig([main], disk);
		await Promise.all([other.store.own.first(never), other.store.references(quill).first(never)]);
		await other.store.folders.standing(quill, 'main', never);
		const { fake, store, clock, focus, settled } = rig([main], disk);
		fake.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' }));
		await Promise.all([store.own.first(never), store.references(quill).first(never)]);
		const stands = await store.folders.standing(quill, 'main', never);
		const isBefore = (): readonly boolean[] =>
			[store.own.before(), store.names.known(quill)?.referencesBefore()].map((each) => each !== undefined);
		const comeBack = async (): Promise<void> => {
			focus(false);
			clock.advance(2 * minuteMs);
			focus(true);
			await settled();
		};
		await comeBack();
		assert.deepEqual(isBefore(), [true, true]);
		fake.world.before = () => undefined;
		push(fake);
		await comeBack();
		assert.deepEqual(isBefore(), [false, false]);
		await store.references(quill).first(never);
		// Open places keep their commit, and a notice reports the move.
		assert.equal((await store.folders.standing(quill, 'main', never))?.commit.id, stands?.commit.id);
		assert.equal(stubbed.shown.length, 1);
	});

	test('a changed or new repository causes no request for branches', async () => {
		const { fake, store, settled } = rig();
		await store.own.first(never);
		await store.folders.standing(quill, 'main', never);
		const asked = fake.world.calls.length;
		store.apply({ kind: 'repositoryChanged', ref: quill, repository: makeRepository('quill', { description: 'New' }) });
		const ref = { owner: '~alice', name: 'ink' };
		store.apply({ kind: 'repositoryCreated', ref, repository: makeRepository('ink') });
		await settled();
		assert.deepEqual(fake.world.calls.slice(asked), []);
		store.apply({ kind: 'referencesMoved', ref: quill });
		await settled();
		assert.equal(fake.world.calls.length, asked + 1);
	});

	test('report a moved branch once to a returning user, and move nothing without consent', async () => {
		const { fake, store, clock, focus, settled } = rig();
		const before = await store.folders.standing(quill, 'main', never);
		push(fake);
		focus(false);
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(stubbed.shown.length, 1);
		assert.match(
			stubbed.shown[0] ?? '',
			/^main of ~alice\/quill has moved to \w+ "Change \d+"\. Open files and folders/,
		);
		assert.equal(store.folders.knownPinned(quill, 'main')?.commit.id, before?.commit.id);
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(stubbed.shown.length, 1);
		push(fake, 'Once more');
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(stubbed.shown.length, 2);
	});

	test('switching moves the open places', async () => {
		const { fake, store, clock, focus, settled } = rig();
		await store.folders.standing(quill, 'main', never);
		const pushed = push(fake);
		stubbed.answers.push('Switch to It');
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(store.folders.knownPinned(quill, 'main')?.commit.id, pushed);
	});

	test('showing the changes compares the two commits', async () => {
		const { fake, store, clock, focus, settled } = rig();
		const before = await store.folders.standing(quill, 'main', never);
		const pushed = push(fake);
		stubbed.answers.push('Show Changes');
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(stubbed.executed.at(-1), 'forge.repositories.compare');
		assert.deepEqual(stubbed.passed.at(-1), {
			kind: 'comparison',
			connectionKey: 'alice.sample',
			ref: quill,
			before: before?.commit.id,
			after: pushed,
		});
	});

	test('the user can still switch after a look at the changes', async () => {
		const { fake, store, clock, focus, settled } = rig();
		await store.folders.standing(quill, 'main', never);
		const pushed = push(fake);
		stubbed.answers.push('Show Changes', 'Switch to It');
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(store.folders.knownPinned(quill, 'main')?.commit.id, pushed);
		assert.equal(stubbed.shown.length, 2);
		assert.match(stubbed.shown[1] ?? '', /^main of ~alice\/quill has moved to/);
	});

	test('a push causes a request immediately; a short return and a window without focus do not', async () => {
		const { fake, store, clock, focus, settled } = rig();
		await store.folders.standing(quill, 'main', never);
		await settled();
		fake.world.calls.length = 0;
		focus(true);
		await settled();
		assert.deepEqual(fake.world.calls, []);
		focus(false);
		clock.advance(20 * minuteMs);
		await settled();
		assert.deepEqual(fake.world.calls, []);
		push(fake);
		store.apply({ kind: 'referencesMoved', ref: quill });
		await settled();
		assert.equal(stubbed.shown.length, 1);
	});

	test('a full refresh reports a moved branch', async () => {
		const { fake, store, settled } = rig();
		await store.folders.standing(quill, 'main', never);
		await settled();
		push(fake);
		store.forget();
		await settled();
		assert.equal(stubbed.shown.length, 1);
	});

	test('report a moved branch to a user who stays, too', async () => {
		const { fake, store, clock, settled, looks } = rig();
		await store.folders.standing(quill, 'main', never);
		push(fake);
		clock.advance(11 * minuteMs);
		await settled();
		assert.equal(stubbed.shown.length, 1);
		assert.equal(looks.count, 2);
	});

	test('commits and closed places cause no request', async () => {
		const { fake, store, clock, focus, open, settled } = rig([{ ...main, revision: idOf(120) }]);
		await store.folders.standing(quill, idOf(120), never);
		fake.world.calls.length = 0;
		push(fake);
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		open();
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.deepEqual(fake.world.calls, []);
	});

	test('places of another account cause no notice', async () => {
		const { fake, store, clock, focus, settled } = rig([{ ...main, connectionKey: 'bob.sample' }]);
		await store.folders.standing(quill, 'main', never);
		push(fake);
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(stubbed.shown.length, 0);
	});

	test('a failed request is logged without a notice', async () => {
		const { fake, store, clock, focus, settled, logged } = rig();
		await store.folders.standing(quill, 'main', never);
		fake.world.before = () => {
			throw new ForgeError({ kind: 'notFound' });
		};
		clock.advance(2 * minuteMs);
		focus(true);
		await settled();
		assert.equal(stubbed.shown.length, 0);
		assert.equal(logged.length, 1);
	});
});
