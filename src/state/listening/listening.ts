import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { DeliveryReading } from '../../forge/deliveryHint.ts';
import type { ForgeInstance } from '../../forge/instance.ts';
import type { WebhookFamily } from '../../forge/webhook.ts';
import type { KeptText } from '../shared/keptText.ts';
import type { WindowLease } from '../watch/windowLease.ts';
import { keptAgain, type NamedDelivery } from './keptAgain.ts';
import { keptPort, lookForPort } from './keptPort.ts';
import { keptProbe, type Probe } from './keptProbe.ts';
import { isChoosingPort, type ListeningState, type Place } from './listeningState.ts';
import { addressFor, hostsOfAddress, ownAddress, type PublicAddress } from './publicAddress.ts';
import type { Arrived, ArrivedDelivery, OpenedListener, OpenedOrNot, OpenListenerOptions } from './openedListener.ts';
import { pushMessage } from './pushMessage.ts';
import { settledAddress } from './settledAddress.ts';

/** What the settings say of listening. */
export interface ListeningWish {
	readonly isOn: boolean;
	/** 0: any that is free at first, and the same from then on. */
	readonly port: number;
	/** The address of this machine at which is listened. */
	readonly address: string;
	readonly publicAddress: PublicAddress;
	/** As `pushMessage` takes it. */
	readonly pushMessage: string;
}

/** The settings, read anew whenever they are asked for. */
export interface ListeningSettings {
	wish(): ListeningWish;
	onDidChange(listener: () => void): Disposable;
}

/** What is done with deliveries of an account's forge. */
export interface Deliveries {
	/** What a delivery says. Without one: whatever it could have been. Sends nothing, and never throws. */
	read(family: WebhookFamily, delivery: Pick<ArrivedDelivery, 'event' | 'body'> | undefined): DeliveryReading;
	/** Makes due what has to be read again. */
	take(family: WebhookFamily, reading: DeliveryReading): void;
	/** Nobody listened for a while: makes due whatever there is, once. */
	missed(): void;
}

/** An account, as far as listening goes. */
export interface ListeningAccount {
	readonly instance: Pick<ForgeInstance, 'areas' | 'webhookKey'>;
	readonly webhooks: {
		/** `undefined` where the forge can't reach this machine. */
		listenAt(address: string | undefined): void;
		at(path: string): { readonly family: WebhookFamily; readonly isSync: boolean } | undefined;
		readonly deliveries: Deliveries;
	};
}

export interface ListeningParts {
	readonly settings: ListeningSettings;
	readonly accounts: { all(): readonly ListeningAccount[]; readonly onDidChange: Event<void> };
	/** Of all windows one listens, and does so for all accounts. */
	readonly lease: Pick<WindowLease, 'isHeld' | 'onDidChange'>;
	/** Opens a listener, which is loaded then. */
	readonly open: (options: OpenListenerOptions, signal: AbortSignal) => Promise<OpenedOrNot>;
	/** Where the port is kept, for all windows. */
	readonly port: KeptText;
	/** Where it is kept that a window waits for a call of its own, for all windows. */
	readonly probe: KeptText;
	/** The same of deliveries that somebody has sent again. */
	readonly again: KeptText;
	/** Makes paths that nobody can guess. */
	readonly newPath: () => string;
	readonly clock: Clock;
	readonly log: Log;
}

/** The listener for webhooks of all accounts, while this window is the one that has it. */
export interface Listening extends Disposable {
	readonly state: ListeningState;
	readonly onDidChange: Event<void>;
	/** A path that answers to whoever calls it, until it is disposed. `undefined` where no window listens. */
	beginProbe(): Promise<Probe | undefined>;
	/** The forge is about to send this delivery again, so it is taken in though it came before, by whichever window. */
	takeAgain(delivery: NamedDelivery): Promise<void>;
	/** Where a forge reaches the listener, as the settings say now; `undefined` where it can't, and where no window listens. */
	addressFor(instance: Pick<ForgeInstance, 'areas'>): string | undefined;
	/** When something last came to a hook; milliseconds since 1970. */
	lastArrivalMs(path: string): number | undefined;
	/** The same of what was refused there because the forge's key has not signed it. */
	lastForgedMs(path: string): number | undefined;
}

/** A port that another program has is tried again. */
const retryMs = 10_000;
/** So long the window that listened before may have the port after this one has begun. */
const handOverMs = 10_000;
/** How often the port is tried in that time. */
const handOverRetryMs = 500;

export function openListening(parts: ListeningParts): Listening {
	const { settings, accounts, lease, clock } = parts;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const port = keptPort(parts.port);
	const probe = keptProbe({ ...parts, kept: parts.probe });
	const again = keptAgain(parts.again, clock);
	const arrivals = new Map<string, number>();
	const forgeries = new Map<string, number>();
	let state: ListeningState = { kind: 'off' };
	let attempt: Attempt | undefined;
	let portLook: Disposable | undefined;
	let takenOverMs = Number.NEGATIVE_INFINITY;
	/** Under which names it may be called, until the settings change: every request asks for them. */
	let names: readonly string[] | undefined;
	const told = owned.add(
		settledAddress({
			wished: () => settings.wish().publicAddress,
			onDidSettle() {
				names = undefined;
				tellAccounts(settings.wish());
			},
			clock,
		}),
	);

	owned.add(settings.onDidChange(follow));
	owned.add(accounts.onDidChange(follow));
	owned.add(
		lease.onDidChange(() => {
			takenOverMs = clock.nowMs();
			follow();
		}),
	);
	owned.add(onDispose(() => attempt?.dispose()));
	owned.add(onDispose(() => portLook?.dispose()));
	follow();

	function follow(): void {
		names = undefined;
		const wish = settings.wish();
		const idle = idleState(wish);
		told.follow();
		if (idle !== undefined) {
			attempt?.dispose();
			attempt = undefined;
			become(idle);
			portLook?.dispose();
			portLook = isChoosingPort(idle) ? lookForPort(clock, lookAgain) : undefined;
		} else if (attempt?.wished.port !== wish.port || attempt.wished.address !== wish.address) {
			attempt?.dispose();
			attempt = begin(wish);
		}
		tellAccounts(wish);
	}

	/** Answers whether the port that another window chooses is still to come. */
	function lookAgain(): boolean {
		const idle = idleState(settings.wish());
		become(idle ?? state);
		return idle !== undefined && isChoosingPort(idle);
	}

	/** Why nothing has to be open. */
	function idleState(wish: ListeningWish): ListeningState | undefined {
		if (!wish.isOn) {
			return { kind: 'off' };
		}
		if (accounts.all().length === 0) {
			return { kind: 'noAccount' };
		}
		return lease.isHeld() ? undefined : { kind: 'elsewhere', place: placeOf(wish) };
	}

	function placeOf({ address, port: wished }: Place): Place {
		return { address, port: wished === 0 ? port.read() : wished };
	}

	/** Tries to listen at a place until it is disposed. */
	function begin(wished: Place): Attempt {
		const ending = new AbortController();
		let listener: OpenedListener | undefined;
		let timer: Disposable | undefined;
		const place = placeOf(wished);
		become({ kind: 'opening', place });
		void open();

		async function open(): Promise<void> {
			try {
				const opened = await parts.open(
					{
						...place,
						hosts,
						hookAt,
						misnamed: (path, host) => probe.misnamed(path, host),
						answer,
						isAskedAgain: (delivery) => again.isAsked(delivery),
						received,
						forged,
					},
					ending.signal,
				);
				if (opened.kind === 'open' && ending.signal.aborted) {
					opened.listener.dispose();
				} else if (!ending.signal.aborted) {
					await follows(opened);
				}
			} catch (error) {
				if (!isAbort(error)) {
					parts.log.error(`The webhook listener: ${error instanceof Error ? error.message : 'unknown'}`);
				}
			}
		}

		async function follows(opened: OpenedOrNot): Promise<void> {
			switch (opened.kind) {
				case 'open': {
					({ listener } = opened);
					become({ kind: 'open', place: { ...place, port: listener.port } });
					// Whoever has it opened has entered the address before.
					told.take();
					names = undefined;
					tellAccounts(settings.wish());
					tellOfMissed();
					return wished.port === 0 ? port.write(listener.port) : undefined;
				}
				case 'portTaken':
					if (clock.nowMs() - takenOverMs < handOverMs) {
						timer = clock.after(handOverRetryMs, () => void open());
						return;
					}
					become({ kind: 'portTaken', place });
					break;
				case 'placeRefused':
					become({ kind: 'placeRefused', place, code: opened.code });
			}
			timer = clock.after(retryMs, () => void open());
		}

		return {
			wished,
			dispose() {
				ending.abort();
				timer?.dispose();
				listener?.dispose();
			},
		};
	}

	/** Where their forges reach the listener. What nobody knows yet is not said: webhooks stay as they are. */
	function tellAccounts(wish: ListeningWish): void {
		if (!lease.isHeld()) {
			return;
		}
		if (!wish.isOn) {
			accounts.all().forEach(({ webhooks }) => webhooks.listenAt(undefined));
		} else if (state.kind === 'open') {
			accounts.all().forEach(({ instance, webhooks }) => webhooks.listenAt(addressOf(instance, told.now())));
		}
	}

	/** Of what came while the window that had it was closed, or while the port was another one, no delivery tells any more. */
	function tellOfMissed(): void {
		accounts
			.all()
			.filter(({ instance }) => addressOf(instance, told.now()) !== undefined)
			.forEach(({ webhooks }) => webhooks.deliveries.missed());
	}

	function addressOf(instance: Pick<ForgeInstance, 'areas'>, publicAddress: PublicAddress): string | undefined {
		const place = state.kind === 'open' || state.kind === 'elsewhere' ? state.place : undefined;
		if (place === undefined || place.port === 0) {
			return undefined;
		}
		return addressFor(instance, { publicAddress, ownAddress: ownAddress(place) });
	}

	function hosts(): readonly string[] {
		names ??= [settings.wish().publicAddress, told.now()].flatMap((each) => hostsOfAddress(each));
		return names;
	}

	function hookAt(path: string): { readonly publicKey: string | undefined } | undefined {
		// A probe is our own call, which no forge has signed.
		return keyOf(accountAt(path)) ?? (probe.textAt(path) === undefined ? undefined : { publicKey: undefined });
	}

	function accountAt(path: string): ListeningAccount | undefined {
		return accounts.all().find(({ webhooks }) => webhooks.at(path) !== undefined);
	}

	function answer(delivery: ArrivedDelivery): string | undefined {
		const account = accountAt(delivery.path);
		const hook = account?.webhooks.at(delivery.path);
		if (!account || hook?.family.kind !== 'repository' || !hook.isSync) {
			return account ? undefined : probe.textAt(delivery.path);
		}
		const { push } = account.webhooks.deliveries.read(hook.family, delivery);
		return (
			push &&
			pushMessage({
				template: settings.wish().pushMessage,
				repository: hook.family.ref,
				push,
				todoOrigin: new URL(account.instance.areas.todo).origin,
			})
		);
	}

	function received(arrived: Arrived): void {
		const path = arrived.kind === 'many' ? arrived.path : arrived.delivery.path;
		const account = accountAt(path);
		const hook = account?.webhooks.at(path);
		if (account && hook) {
			arrivals.set(path, clock.nowMs());
			const delivery = arrived.kind === 'many' ? undefined : arrived.delivery;
			account.webhooks.deliveries.take(hook.family, account.webhooks.deliveries.read(hook.family, delivery));
		}
	}

	function forged(path: string): void {
		if (accountAt(path)) {
			forgeries.set(path, clock.nowMs());
		}
	}

	function become(next: ListeningState): void {
		if (JSON.stringify(next) !== JSON.stringify(state)) {
			state = next;
			changed.fire();
		}
	}

	return {
		get state() {
			return state;
		},
		onDidChange: changed.event,
		beginProbe: async () => (state.kind === 'open' || state.kind === 'elsewhere' ? probe.begin() : undefined),
		takeAgain: (delivery) => again.ask(delivery),
		addressFor: (instance) => addressOf(instance, settings.wish().publicAddress),
		lastArrivalMs: (path) => arrivals.get(path),
		lastForgedMs: (path) => forgeries.get(path),
		dispose: () => owned.dispose(),
	};
}

interface Attempt extends Disposable {
	readonly wished: Place;
}

function keyOf(account: ListeningAccount | undefined): { readonly publicKey: string | undefined } | undefined {
	return account && { publicKey: account.instance.webhookKey };
}
