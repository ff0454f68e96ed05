import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { ForgeDirectory } from '../../editor/accounts/forgeDirectory.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { EnsureScope } from '../../features/accounts/scopeRequest.ts';
import type { Forge } from '../../forge/forge.ts';
import { contentAreas, protocolOf, type ContentArea, type ForgeInstance } from '../../forge/instance.ts';
import type { LearntFacts } from '../../forge/learntFacts.ts';
import { isBoundTo, reachedBy, type Session } from '../../identity/session.ts';
import type { Token } from '../../identity/token.ts';
import type { Net } from '../../net.ts';
import type { Connection } from '../../state/connection.ts';
import type { FoundProtocols } from '../../state/shared/foundProtocols.ts';
import { accountTokens, type AccountTokens } from './accountTokens.ts';

type Account = Pick<Connection, 'key' | 'instance' | 'me'>;

/** A connection before its stores exist, with the forge port. Only the stores may use the port. */
export type BareConnection = Account & { readonly forge: Forge };

export interface ConnectionsParts<Whole extends Account = Connection> {
	readonly sessions: SessionStore;
	readonly forges: ForgeDirectory;
	/** Lazily loads the network, for the first account. */
	readonly net: () => Promise<Pick<Net, 'connectForge' | 'protocol'>>;
	readonly ensureScope: EnsureScope;
	readonly protocols: Pick<FoundProtocols, 'find' | 'doubt'>;
	/** Stored server capabilities. */
	readonly learnt: (account: Pick<Account, 'key' | 'instance'>) => LearntFacts;
	/** Called once per rejected token. */
	readonly tokenRejected: (session: Session) => void;
	/** The account has a new token. */
	readonly tokenReplaced: (connection: Whole) => void;
	/** Creates the stores. */
	readonly open: (bare: BareConnection) => Whole & Disposable;
	readonly clock: Clock;
	readonly log: Log;
}

/** Connections that follow sessions and forges. */
export interface LiveConnections<Whole extends Account = Connection> extends Disposable {
	/** In sign-in order. */
	all(): readonly Whole[];
	/** `undefined` after sign-out. */
	byKey(key: string): Whole | undefined;
	/** Fires when an account is added, removed or replaced, must sign in again, or has done so. */
	readonly onDidChange: Event<void>;
	/** Resolves when all current accounts are connected. Never rejects. Read it again after a sign-in. */
	readonly ready: Promise<void>;
	/** True after the forge rejected the token, which is then no longer used. */
	needsSignIn(key: string): boolean;
}

interface Opened<Whole> extends Disposable {
	readonly connection: Whole;
	readonly tokens: AccountTokens;
	/** The current one. */
	token: Token | undefined;
}

/** One connection per session with a known forge at its original address. */
export function connections<Whole extends Account>(parts: ConnectionsParts<Whole>): LiveConnections<Whole> {
	const { sessions, forges, log } = parts;
	const owned = new Disposables();
	const opened = new Map<string, Opened<Whole>>();
	const changed = owned.add(new Emitter<void>());
	let isDisposed = false;
	let work: Promise<void> = sessions.all().then(connectMissing);

	owned.add(forges.onDidChange(follow));
	owned.add(
		sessions.onDidChange((change) => {
			for (const { id } of change.changed) {
				noteToken(id);
			}
			follow();
		}),
	);

	function noteToken(key: string): void {
		const entry = opened.get(key);
		const token = sessions.byId(key)?.token;
		entry?.tokens.replaced();
		if (entry && token && token.reveal() !== entry.token?.reveal()) {
			entry.token = token;
			parts.tokenReplaced(entry.connection);
		}
	}

	/** Closes unwanted connections immediately; opens new ones after the network has loaded. */
	function follow(): void {
		const wanted = wantedAccounts();
		const gone = [...opened].filter(([key, { connection }]) => {
			const instance = wanted.get(key);
			return instance === undefined || !isSameForge(instance, connection.instance);
		});
		for (const [key, entry] of gone) {
			opened.delete(key);
			entry.dispose();
		}
		if (gone.length > 0) {
			changed.fire();
		}
		work = work.then(connectMissing);
	}

	function wantedAccounts(): ReadonlyMap<string, ForgeInstance> {
		return new Map(
			sessions.current().flatMap((session) => {
				const instance = forges.byId(session.instanceId);
				return instance !== undefined && isBoundTo(session, instance)
					? [[session.id, reachedBy(session, instance)]]
					: [];
			}),
		);
	}

	async function connectMissing(): Promise<void> {
		const isMissing = (key: string): boolean => !opened.has(key);
		if (isDisposed || ![...wantedAccounts().keys()].some(isMissing)) {
			return;
		}
		try {
			const net = await parts.net();
			// Check again: accounts may have signed out while the network loaded.
			const missing = [...wantedAccounts()].filter(([key]) => !isDisposed && isMissing(key));
			for (const [key, instance] of missing) {
				opened.set(key, open(key, instance, net));
			}
			if (missing.length > 0) {
				changed.fire();
			}
		} catch (error) {
			log.error(`An account could not be connected: ${error instanceof Error ? error.message : 'unknown failure'}`);
		}
	}

	function open(key: string, instance: ForgeInstance, net: Pick<Net, 'connectForge' | 'protocol'>): Opened<Whole> {
		const ending = new Disposables();
		const me = sessions.byId(key)?.accountName ?? '';
		const tokens = ending.add(
			accountTokens({
				key,
				instance,
				protocol: net.protocol(instance),
				sessions,
				clock: parts.clock,
				ensureScope: parts.ensureScope,
				findProtocol: (area, signal) => parts.protocols.find(instance, area, signal),
				rejected: (session) => {
					changed.fire();
					parts.tokenRejected(session);
				},
				accepted: () => changed.fire(),
			}),
		);
		const { tokenFor, tokenRejected } = tokens;
		const learnt = parts.learnt({ key, instance });
		const absent = (area: ContentArea): void => parts.protocols.doubt(instance, area);
		const forge = net.connectForge({ instance, me, tokenFor, tokenRejected, learnt, absent });
		const connection = ending.add(parts.open({ key, instance, me, forge }));
		return { connection, tokens, token: sessions.byId(key)?.token, dispose: () => ending.dispose() };
	}

	return {
		get ready() {
			return work;
		},
		all: () =>
			sessions.current().flatMap(({ id }) => {
				const entry = opened.get(id);
				return entry === undefined ? [] : [entry.connection];
			}),
		byKey: (key) => opened.get(key)?.connection,
		needsSignIn: (key) => opened.get(key)?.tokens.isRejected() ?? false,
		onDidChange: changed.event,
		dispose() {
			isDisposed = true;
			owned.dispose();
			for (const entry of opened.values()) {
				entry.dispose();
			}
			opened.clear();
		},
	};
}

function isSameForge(one: ForgeInstance, other: ForgeInstance): boolean {
	return one === other || JSON.stringify(asSpoken(one)) === JSON.stringify(asSpoken(other));
}

/** Normalizes detected protocols: confirming the assumed protocol is no change. */
function asSpoken(instance: ForgeInstance): object {
	return { ...instance, protocols: contentAreas.map((area) => protocolOf(instance, area)) };
}
