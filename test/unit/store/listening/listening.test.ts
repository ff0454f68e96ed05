import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { forEachArea } from 'sourcehut/port/instance.ts';
import type { DeliveryReading } from 'sourcehut/port/deliveryHint.ts';
import {
	openListening,
	type Listening,
	type ListeningAccount,
	type ListeningRequest,
} from '../../../../src/store/listening/listening.ts';
import type { Opening, ListenerOptions } from '../../../../src/store/listening/openedListener.ts';
import { readPublicAddress } from '../../../../src/store/listening/publicAddress.ts';
import { textInMemory } from '../../../../src/store/shared/keptText.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeInstance } from '../../../support/makeSession.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';

const off: ListeningRequest = {
	isOn: false,
	port: 0,
	address: '127.0.0.1',
	publicAddress: readPublicAddress('https://hooks.example'),
};
const on: ListeningRequest = { ...off, isOn: true };
const hook = '/hook-of-alice';

interface Account extends ListeningAccount {
	readonly toldAddresses: (string | undefined)[];
	readonly taken: DeliveryReading[];
	/** Number of reports of possibly missed deliveries. */
	missed: number;
}

function account(path = hook, webhookKey?: string): Account {
	const toldAddresses: (string | undefined)[] = [];
	const taken: DeliveryReading[] = [];
	const told: Account = {
		toldAddresses,
		taken,
		missed: 0,
		instance: makeInstance({ webhookKey }),
		webhooks: {
			listenAt: (address) => void toldAddresses.push(address),
			at: (asked) => (asked === path ? { family: { kind: 'user', area: 'todo' } } : undefined),
			deliveries: {
				read: (_, delivery) => ({
					again: [{ kind: delivery === undefined ? 'ownLists' : 'ownTrackers' }],
					push: undefined,
				}),
				take: (_, reading) => void taken.push(reading),
				missed: () => (told.missed += 1),
			},
		},
	};
	return told;
}

/** A window with its listeners. */
class Window {
	readonly clock = fakeClock();
	readonly kept = textInMemory();
	readonly portWritten = new Emitter<void>();
	keptProbe = textInMemory();
	readonly opened: ListenerOptions[] = [];
	readonly closed: number[] = [];
	readonly #owned = new Disposables();
	readonly #wished = this.#owned.add(new Emitter<void>());
	readonly #came = this.#owned.add(new Emitter<void>());
	readonly #leased = this.#owned.add(new Emitter<void>());
	#paths = 0;
	wish = on;
	wishesRead = 0;
	accounts: readonly ListeningAccount[] = [];
	isHeld = true;
	next: () => Opening | Promise<Opening> = () => this.listener(4711);

	listener(port: number): Opening {
		return { kind: 'open', listener: { port, dispose: () => void this.closed.push(port) } };
	}

	open(): Listening {
		return this.#owned.add(
			openListening({
				settings: { current: () => this.#wish(), onDidChange: (listener) => this.#wished.event(listener) },
				accounts: { all: () => this.accounts, onDidChange: this.#came.event },
				lease: { isOwner: () => this.isHeld, onDidChange: this.#leased.event },
				open: async (options) => {
					this.opened.push(options);
					return this.next();
				},
				port: this.kept,
				onDidWritePort: this.portWritten.event,
				probe: this.keptProbe,
				newPath: () => `/random-${(this.#paths += 1)}`,
				clock: this.clock,
				log: quietLog(),
			}),
		);
	}

	#wish(): ListeningRequest {
		this.wishesRead += 1;
		return this.wish;
	}

	async change(what: {
		wish?: ListeningRequest;
		accounts?: readonly ListeningAccount[];
		isHeld?: boolean;
	}): Promise<void> {
		Object.assign(this, what);
		(what.wish ? this.#wished : what.accounts ? this.#came : this.#leased).fire();
		await nextTurn();
	}

	async pass(totalMs: number): Promise<void> {
		for (let passedMs = 0; passedMs < totalMs; passedMs += 500) {
			this.clock.advance(500);
			await nextTurn();
		}
	}

	[Symbol.dispose](): void {
		this.#owned.dispose();
	}
}

suite('webhook listening', () => {
	test('starts only with the setting on, an account and the lease', async () => {
		using window = new Window();
		window.wish = off;
		window.isHeld = false;
		const listening = window.open();
		const seen: string[] = [listening.state.kind];
		for (const change of [{ wish: on }, { accounts: [account()] }, { isHeld: true }]) {
			assert.equal(window.opened.length, 0);
			await window.change(change);
			seen.push(listening.state.kind);
		}
		assert.deepEqual(seen, ['off', 'noAccount', 'elsewhere', 'open']);
		assert.equal(window.opened.length, 1);
	});

	test('publishes its address to accounts, including later ones', async () => {
		using window = new Window();
		const [first, second] = [account(), account('/other')];
		window.accounts = [first];
		window.open();
		await nextTurn();
		await window.change({ accounts: [first, second] });
		assert.deepEqual(first.toldAddresses.at(-1), 'https://hooks.example');
		assert.deepEqual(second.toldAddresses, ['https://hooks.example']);
		await window.change({ wish: { ...on, publicAddress: readPublicAddress('https://other.example') } });
		await window.pass(10_000);
		assert.deepEqual(second.toldAddresses.at(-1), 'https://other.example');
		assert.equal(window.opened.length, 1, 'the listener stays open');
		await window.change({ wish: { ...on, publicAddress: readPublicAddress('') } });
		await window.pass(10_000);
		assert.equal(second.toldAddresses.at(-1), undefined);
	});

	test('keeps the old address until typing ends, and accepts deliveries to it meanwhile', async () => {
		using window = new Window();
		const only = account();
		window.accounts = [only];
		const listening = window.open();
		await nextTurn();
		const type = (address: string): Promise<void> =>
			window.change({ wish: { ...on, publicAddress: readPublicAddress(address) } });
		const told = (): readonly unknown[] => [...new Set(only.toldAddresses)];
		for (const address of ['', 'https://hooks.ex', 'https://hooks.example.c', 'https://hooks.example.com']) {
			await type(address);
			await window.pass(9500);
			// A change of another setting does not restart the delay.
			await window.change({ accounts: [only] });
			assert.deepEqual(told(), ['https://hooks.example']);
		}
		assert.equal(listening.addressFor(only.instance), 'https://hooks.example.com', 'to be tested');
		assert.deepEqual(
			window.opened[0]?.hosts().filter((host) => !host.includes(':')),
			['hooks.example.com', 'hooks.example'],
		);
		await window.pass(500);
		assert.deepEqual(told(), ['https://hooks.example', 'https://hooks.example.com']);
		await type('https://hooks.example');
		await type('https://hooks.example.com');
		await window.pass(20_000);
		assert.deepEqual(told(), ['https://hooks.example', 'https://hooks.example.com']);
	});

	test('closes the listener and withdraws the address when switched off', async () => {
		using window = new Window();
		const only = account();
		window.accounts = [only];
		const listening = window.open();
		await nextTurn();
		await window.change({ wish: off });
		assert.deepEqual([window.closed, only.toldAddresses.at(-1), listening.state], [[4711], undefined, { kind: 'off' }]);
	});

	test('publishes nothing without the lease, and closes when the lease ends', async () => {
		using window = new Window();
		const only = account();
		window.accounts = [only];
		window.open();
		await nextTurn();
		const before = only.toldAddresses.length;
		await window.change({ isHeld: false });
		await window.change({ wish: off });
		assert.deepEqual([window.closed, only.toldAddresses.length], [[4711], before]);
	});

	test('reports possibly missed deliveries on each opening to accounts with a reachable listener', async () => {
		using window = new Window();
		const [reached, unreached] = [account(), account('/other')];
		window.accounts = [reached];
		window.isHeld = false;
		window.open();
		await nextTurn();
		const seen = [reached.missed];
		for (const change of [
			{ isHeld: true },
			{ accounts: [reached, unreached] },
			{ wish: { ...on, publicAddress: readPublicAddress('') } },
			{ wish: { ...on, port: 4000, publicAddress: readPublicAddress('') } },
			{ wish: { ...on, port: 5000 } },
		]) {
			await window.change(change);
			seen.push(reached.missed);
		}
		assert.deepEqual(seen, [0, 1, 1, 1, 1, 2]);
		assert.equal(unreached.missed, 1);
	});

	test('keeps webhooks while the port is taken, and retries', async () => {
		using window = new Window();
		const only = account();
		window.accounts = [only];
		window.wish = { ...on, port: 4000 };
		window.next = () => ({ kind: 'portTaken' });
		const listening = window.open();
		await nextTurn();
		const place = { port: 4000, address: '127.0.0.1' };
		assert.deepEqual([listening.state, only.toldAddresses], [{ kind: 'portTaken', place }, []]);
		window.next = () => window.listener(4000);
		window.clock.advance(9_999);
		assert.equal(window.opened.length, 1);
		window.clock.advance(1);
		await nextTurn();
		assert.deepEqual(
			[listening.state, window.opened.length, only.toldAddresses],
			[{ kind: 'open', place }, 2, ['https://hooks.example']],
		);
	});

	test('takes over the port of a closing window without an error', async () => {
		using window = new Window();
		const only = account();
		window.accounts = [only];
		window.isHeld = false;
		window.next = () => ({ kind: 'portTaken' });
		const listening = window.open();
		const seen: string[] = [];
		listening.onDidChange(() => seen.push(listening.state.kind));
		await window.change({ isHeld: true });
		await window.pass(3000);
		window.next = () => window.listener(4711);
		await window.pass(500);
		assert.deepEqual(seen, ['opening', 'open']);
		assert.equal(only.missed, 1);
	});

	test('reports a port that stays taken, and retries less often', async () => {
		using window = new Window();
		window.accounts = [account()];
		window.isHeld = false;
		window.next = () => ({ kind: 'portTaken' });
		const listening = window.open();
		await window.change({ isHeld: true });
		await window.pass(9500);
		assert.equal(listening.state.kind, 'opening');
		await window.pass(500);
		assert.equal(listening.state.kind, 'portTaken');
		const before = window.opened.length;
		await window.pass(10_000);
		assert.equal(window.opened.length, before + 1);
		await window.change({ isHeld: false });
		await window.pass(60_000);
		assert.equal(window.opened.length, before + 1);
	});

	test('does not retry after the setting is off', async () => {
		using window = new Window();
		window.accounts = [account()];
		window.next = () => ({ kind: 'portTaken' });
		window.open();
		await nextTurn();
		await window.change({ wish: off });
		window.clock.advance(60_000);
		await nextTurn();
		assert.equal(window.opened.length, 1);
	});

	test('reports the code of an address that this machine lacks', async () => {
		using window = new Window();
		window.accounts = [account()];
		window.wish = { ...on, address: '192.0.2.1' };
		window.next = () => ({ kind: 'placeRefused', code: 'EADDRNOTAVAIL' });
		const listening = window.open();
		await nextTurn();
		assert.deepEqual(listening.state, {
			kind: 'placeRefused',
			place: { port: 0, address: '192.0.2.1' },
			code: 'EADDRNOTAVAIL',
		});
		await window.change({ wish: on });
		assert.equal(window.opened.at(-1)?.address, '127.0.0.1', 'another address is tried at once');
	});

	test('reuses its last free port unless the settings name one', async () => {
		using window = new Window();
		window.accounts = [account()];
		window.open();
		await nextTurn();
		await window.change({ wish: off });
		await window.change({ wish: on });
		await window.change({ wish: { ...on, port: 4000 } });
		assert.deepEqual(
			window.opened.map(({ port }) => port),
			[0, 4711, 4000],
		);
	});

	test('closes a listener that opens too late', async () => {
		using window = new Window();
		window.accounts = [account()];
		const slow = Promise.withResolvers<Opening>();
		window.next = () => slow.promise;
		const listening = window.open();
		await window.change({ wish: off });
		slow.resolve(window.listener(4711));
		await nextTurn();
		assert.deepEqual([window.closed, listening.state], [[4711], { kind: 'off' }]);
	});

	test('reloads the account of a delivery, and everything possible for an unsaved delivery', async () => {
		using window = new Window();
		const [first, second] = [account(), account('/other')];
		window.accounts = [first, second];
		const listening = window.open();
		await nextTurn();
		const { received } = window.opened[0] ?? assert.fail();
		void received({
			kind: 'delivery',
			delivery: { path: '/other', event: 'tracker:create', id: 'a', body: new Uint8Array() },
		});
		void received({ kind: 'many', path: '/other' });
		void received({ kind: 'many', path: '/gone' });
		assert.deepEqual(first.taken, []);
		assert.deepEqual(
			second.taken.flatMap(({ again }) => again),
			[{ kind: 'ownTrackers' }, { kind: 'ownLists' }],
		);
		assert.equal(listening.lastArrivalMs('/other'), window.clock.nowMs());
		assert.equal(listening.lastArrivalMs(hook), undefined);
	});

	test('remembers an unsigned delivery only for its own webhook', async () => {
		using window = new Window();
		window.accounts = [account(hook, 'the key'), account('/other')];
		const listening = window.open();
		await nextTurn();
		const { forged } = window.opened[0] ?? assert.fail();
		forged(hook);
		forged('/gone');
		assert.deepEqual(
			[hook, '/other', '/gone'].map((path) => listening.lastForgedMs(path)),
			[window.clock.nowMs(), undefined, undefined],
		);
		assert.equal(listening.lastArrivalMs(hook), undefined);
	});

	test('checks each webhook with the key of its forge, and answers a probe until it ends', async () => {
		using window = new Window();
		window.accounts = [account(hook, 'the key'), account('/other')];
		const listening = window.open();
		await nextTurn();
		const { hookAt, answer } = window.opened[0] ?? assert.fail();
		const probe = (await listening.beginProbe()) ?? assert.fail();
		const paths = [hook, '/other', probe.path, '/unknown'];
		assert.deepEqual(paths.map(hookAt), [
			{ publicKey: 'the key' },
			{ publicKey: undefined },
			{ publicKey: undefined },
			undefined,
		]);
		assert.deepEqual([answer(probe.path), answer(hook)], [probe.text, undefined]);
		const misnamed = (path: string): string | undefined => window.opened[0]?.misnamed(path, 'upstream:80');
		assert.deepEqual(paths.map(misnamed), [undefined, undefined, `${probe.text} upstream:80`, undefined]);
		probe.dispose();
		assert.deepEqual(
			[hookAt, answer, misnamed].map((each) => each(probe.path)),
			[undefined, undefined, undefined],
		);
	});

	test('parses the host names again only after a settings change', async () => {
		using window = new Window();
		window.accounts = [account()];
		window.wish = { ...on, publicAddress: readPublicAddress('https://hooks.example') };
		window.open();
		await nextTurn();
		const { hosts } = window.opened[0] ?? assert.fail();
		const names = hosts();
		const readBefore = window.wishesRead;
		assert.deepEqual([names[0], hosts() === names, window.wishesRead - readBefore], ['hooks.example', true, 0]);
		await window.change({ wish: { ...on, publicAddress: readPublicAddress('https://other.example') } });
		// Forges still use the previous address until the delay ends.
		assert.deepEqual(
			hosts().filter((host) => !host.includes(':')),
			['other.example', 'hooks.example'],
		);
		await window.pass(10_000);
		assert.deepEqual([...new Set(hosts())], ['other.example', 'other.example:443']);
	});

	test('starts no probe without a listener', async () => {
		using window = new Window();
		assert.equal(await window.open().beginProbe(), undefined);
	});

	test('answers the probe of another window for at most a minute', async () => {
		using window = new Window();
		using other = new Window();
		other.keptProbe = window.keptProbe;
		window.accounts = other.accounts = [account()];
		other.isHeld = false;
		window.open();
		const elsewhere = other.open();
		await nextTurn();
		assert.deepEqual(elsewhere.state, { kind: 'elsewhere', place: { port: 0, address: '127.0.0.1' } });
		const { hookAt, answer } = window.opened[0] ?? assert.fail();
		const { path, text } = (await elsewhere.beginProbe()) ?? assert.fail();
		assert.deepEqual(hookAt(path), { publicKey: undefined });
		assert.equal(answer(path), text);
		window.clock.advance(60_000);
		assert.equal(hookAt(path), undefined);
	});

	test('learns the port first chosen by another window', async () => {
		using window = new Window();
		window.accounts = [account()];
		window.isHeld = false;
		const listening = window.open();
		assert.equal(listening.addressFor(makeInstance()), undefined);
		await window.kept.write('4711');
		window.portWritten.fire();
		assert.deepEqual(listening.state, { kind: 'elsewhere', place: { port: 4711, address: '127.0.0.1' } });
		const here = makeInstance({ areas: forEachArea(() => 'http://127.0.0.1:5000') });
		window.wish = { ...on, publicAddress: readPublicAddress('') };
		assert.equal(listening.addressFor(here), 'http://127.0.0.1:4711');
	});

	test('knows the address of the listener in another window', async () => {
		using window = new Window();
		window.accounts = [account()];
		window.isHeld = false;
		const listening = window.open();
		const here = makeInstance({ areas: forEachArea(() => 'http://127.0.0.1:5000') });
		window.wish = { ...on, port: 4000, publicAddress: readPublicAddress('') };
		await window.change({ wish: window.wish });
		assert.equal(listening.addressFor(here), 'http://127.0.0.1:4000');
		assert.equal(listening.addressFor(makeInstance()), undefined);
	});
});
