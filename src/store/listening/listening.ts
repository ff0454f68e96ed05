import * as v from 'valibot';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { DeliveryReading } from 'sourcehut/port/deliveryHint.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import { keptIn, readOr, type KeptText } from '../shared/keptText.ts';
import { addressFor, hostsOfAddress, ownAddress, type PublicAddress } from './publicAddress.ts';
import type { Arrival, Delivery, Listener, ListenerOptions, Opening, ListenAddress } from './openedListener.ts';
import { keptProbe, type Probe } from './probeAddress.ts';

export type ListeningState =
	| { readonly kind: 'off' }
	/** Enabled, but no signed-in forge can send webhooks. */
	| { readonly kind: 'noAccount' }
	/** Another window listens or is about to. Port 0: never chosen. */
	| { readonly kind: 'elsewhere'; readonly place: ListenAddress }
	| { readonly kind: 'opening'; readonly place: ListenAddress }
	| { readonly kind: 'open'; readonly place: ListenAddress }
	/** Another program uses the port; retries. */
	| { readonly kind: 'portTaken'; readonly place: ListenAddress }
	/** The address doesn't exist on this machine, or the port is privileged. `code`: the system's error code. */
	| { readonly kind: 'placeRefused'; readonly place: ListenAddress; readonly code: string };

/** Another window is choosing the port for the first time. */
export function isChoosingPort(state: ListeningState): boolean {
	return state.kind === 'elsewhere' && state.place.port === 0;
}

/** Settings of the listener. */
export interface ListeningRequest {
	readonly isOn: boolean;
	/** 0: any free port at first, then always the same. */
	readonly port: number;
	/** Local address to bind. */
	readonly address: string;
	readonly publicAddress: PublicAddress;
}

/** Reads the settings on each call. */
export interface ListeningSettings {
	current(): ListeningRequest;
	onDidChange(listener: () => void): Disposable;
}

export interface ListeningAccount {
	readonly instance: Pick<ForgeInstance, 'areas' | 'webhookKey'>;
	readonly webhooks: {
		/** `undefined` when the forge can't reach this machine. */
		listenAt(address: string | undefined): void;
		at(path: string): { readonly family: WebhookFamily } | undefined;
		/** Handles webhook deliveries for the account. */
		readonly deliveries: {
			/** Decodes a delivery. Without one, assumes any change. Sends nothing, never throws. */
			read(family: WebhookFamily, delivery: Delivery | undefined): DeliveryReading;
			/** Makes affected data due for a read. */
			take(family: WebhookFamily, reading: DeliveryReading): void;
			/** After a gap in listening: makes everything due once. */
			missed(): void;
		};
	};
}

export type Listening = ReturnType<typeof openListening>;

/** Retry interval while another program uses the port. */
const retryMs = 10_000;
/** Grace period for the previous window to release the port. */
const handOverMs = 10_000;
/** Retry interval during the grace period. */
const handOverRetryMs = 500;

/** Webhook listener for all accounts, if this window holds the lease. */
export function openListening(parts: {
	readonly settings: ListeningSettings;
	readonly accounts: { all(): readonly ListeningAccount[]; readonly onDidChange: Event<void> };
	/** One window listens for all accounts. */
	readonly lease: { isOwner(): boolean; readonly onDidChange: Event<void> };
	/** Lazily loads and opens a listener. */
	readonly open: (options: ListenerOptions, signal: AbortSignal) => Promise<Opening>;
	/** Stored port, shared by all windows, like `probe`. */
	readonly port: KeptText;
	/** Another window has written `port`, or may have. */
	readonly onDidWritePort: Event<void>;
	readonly probe: KeptText;
	/** Generates unguessable paths. */
	readonly newPath: () => string;
	readonly clock: Clock;
	readonly log: Log;
}) {
	const { settings, accounts, lease, clock } = parts;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const port = savedPort(parts.port);
	const probe = keptProbe(parts.probe, parts.newPath, clock);
	const arrivals = new Map<string, number>();
	const forgeries = new Map<string, number>();
	let state: ListeningState = { kind: 'off' };
	let attempt: Attempt | undefined;
	let takenOverMs = Number.NEGATIVE_INFINITY;
	/** Allowed host names, cached because every request needs them. */
	let names: readonly string[] | undefined;
	const told = owned.add(
		settledAddress(
			() => settings.current().publicAddress,
			() => {
				names = undefined;
				tellAccounts(settings.current());
			},
			clock,
		),
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
	owned.add(parts.onDidWritePort(() => isChoosingPort(state) && follow()));
	follow();

	function follow(): void {
		names = undefined;
		const current = settings.current();
		told.follow();
		// The state if nothing should be open.
		let idle: ListeningState | undefined;
		if (!current.isOn) {
			idle = { kind: 'off' };
		} else if (accounts.all().length === 0) {
			idle = { kind: 'noAccount' };
		} else if (!lease.isOwner()) {
			idle = { kind: 'elsewhere', place: addressAndPort(current) };
		}
		if (idle !== undefined) {
			attempt?.dispose();
			attempt = undefined;
			become(idle);
		} else if (attempt?.wished.port !== current.port || attempt.wished.address !== current.address) {
			attempt?.dispose();
			attempt = begin(current);
		}
		tellAccounts(current);
	}

	function addressAndPort({ address, port: wished }: ListenAddress): ListenAddress {
		return { address, port: wished === 0 ? port.read() : wished };
	}

	/** Tries to listen until disposed. */
	function begin(wished: ListenAddress): Attempt {
		const ending = new AbortController();
		let listener: Listener | undefined;
		let timer: Disposable | undefined;
		const place = addressAndPort(wished);
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
						answer: (path) => probe.textAt(path),
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

		async function follows(opened: Opening): Promise<void> {
			switch (opened.kind) {
				case 'open': {
					({ listener } = opened);
					become({ kind: 'open', place: { ...place, port: listener.port } });
					// The user entered the address before enabling, so skip the debounce.
					told.take();
					names = undefined;
					tellAccounts(settings.current());
					// Deliveries were lost while no window listened or the port differed.
					accounts
						.all()
						.filter(({ instance }) => addressOf(instance, told.now()) !== undefined)
						.forEach(({ webhooks }) => webhooks.deliveries.missed());
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

	/** Reports the webhook address to each account. While it is unknown, webhooks stay unchanged. */
	function tellAccounts(current: ListeningRequest): void {
		if (!lease.isOwner()) {
			return;
		}
		if (!current.isOn) {
			accounts.all().forEach(({ webhooks }) => webhooks.listenAt(undefined));
		} else if (state.kind === 'open') {
			accounts.all().forEach(({ instance, webhooks }) => webhooks.listenAt(addressOf(instance, told.now())));
		}
	}

	function addressOf(instance: Pick<ForgeInstance, 'areas'>, publicAddress: PublicAddress): string | undefined {
		const place = state.kind === 'open' || state.kind === 'elsewhere' ? state.place : undefined;
		if (place === undefined || place.port === 0) {
			return undefined;
		}
		return addressFor(instance, { publicAddress, ownAddress: ownAddress(place) });
	}

	function hosts(): readonly string[] {
		names ??= [settings.current().publicAddress, told.now()].flatMap((each) => hostsOfAddress(each));
		return names;
	}

	function hookAt(path: string): { readonly publicKey: string | undefined } | undefined {
		const account = accountAt(path);
		// A probe is our own unsigned call.
		return account || probe.textAt(path) !== undefined ? { publicKey: account?.instance.webhookKey } : undefined;
	}

	function accountAt(path: string): ListeningAccount | undefined {
		return accounts.all().find(({ webhooks }) => webhooks.at(path) !== undefined);
	}

	function received(arrived: Arrival): void {
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
		if (!isSameValue(next, state)) {
			state = next;
			changed.fire();
		}
	}

	return {
		get state(): ListeningState {
			return state;
		},
		onDidChange: changed.event,
		/** A path that answers any caller until disposed. `undefined` when no window listens. */
		beginProbe: async (): Promise<Probe | undefined> =>
			state.kind === 'open' || state.kind === 'elsewhere' ? probe.begin() : undefined,
		/** Current webhook base address for a forge; `undefined` when the forge can't reach it or no window listens. */
		addressFor: (instance: Pick<ForgeInstance, 'areas'>): string | undefined =>
			addressOf(instance, settings.current().publicAddress),
		/** Last delivery to a hook; milliseconds since 1970. */
		lastArrivalMs: (path: string): number | undefined => arrivals.get(path),
		/** Last delivery rejected for a bad signature; milliseconds since 1970. */
		lastForgedMs: (path: string): number | undefined => forgeries.get(path),
		dispose: (): void => owned.dispose(),
	};
}

interface Attempt extends Disposable {
	readonly wished: ListenAddress;
}

const portNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));

/** The chosen port. Forges know it as part of webhook addresses, so it must not change. */
function savedPort(text: KeptText) {
	/** 0 before the first choice, and for an invalid text. */
	const read = (): number => readOr(() => keptIn(text.read(), portNumber, 0), 0);
	return {
		read,
		/** A failed write keeps the known port. */
		async write(next: number): Promise<void> {
			if (next !== read()) {
				await text.write(JSON.stringify(next)).catch(() => undefined);
			}
		},
	};
}

const settledMs = 10_000;

/**
 * Debounces the public address. The editor saves settings while the user types, and a webhook for a private tracker
 * must not go to a half-typed host.
 */
function settledAddress(wished: () => PublicAddress, onDidSettle: () => void, clock: Clock) {
	let known = wished();
	let coming: { readonly address: PublicAddress; readonly timer: Disposable } | undefined;

	function drop(): void {
		coming?.timer.dispose();
		coming = undefined;
	}

	/** Accepts the setting immediately. */
	function take(): void {
		drop();
		known = wished();
	}

	return {
		now: (): PublicAddress => known,
		/** Starts the debounce if the setting changed. */
		follow(): void {
			const address = wished();
			if (isSameValue(address, coming?.address ?? known)) {
				return;
			}
			drop();
			if (!isSameValue(address, known)) {
				const timer = clock.after(settledMs, () => {
					take();
					onDidSettle();
				});
				coming = { address, timer };
			}
		},
		take,
		dispose: drop,
	};
}
