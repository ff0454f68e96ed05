import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { ForgeDirectory } from '../../editor/accounts/forgeDirectory.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { ProgramArchives } from './archives.ts';
import type { EnsureScope } from '../../features/accounts/scopeRequest.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ForgeProtocol } from 'sourcehut/port/forgeProtocol.ts';
import { contentAreas, protocolOf, type ContentArea, type ForgeInstance, type Area } from 'sourcehut/port/instance.ts';
import type { LearntFacts } from 'sourcehut/port/learntFacts.ts';
import { holds } from 'sourcehut/identity/scopeUnion.ts';
import { isBoundTo, reachedBy, type Session } from '../../editor/accounts/session.ts';
import type { Token } from 'sourcehut/identity/token.ts';
import type { Net, ForgeAccount } from 'sourcehut/net.ts';
import type { Connection } from '../../store/connection.ts';
import type { TokenWish } from 'sourcehut/port/tokenFor.ts';
import type { FoundProtocols } from '../../store/shared/foundProtocols.ts';

/**
 * Grace period for another window to replace a rejected token before the user hears of it. Nothing is sent with it
 * meanwhile.
 */
const graceMs = 2000;

type Account = Pick<Connection, 'key' | 'instance' | 'me'>;

/** A connection before its stores exist, with the forge port. Only the stores may use the port. */
export type BareConnection = Account & { readonly forge: Forge };

interface Opened<Whole> extends Disposable {
	readonly connection: Whole;
	/** `undefined` for an archive. */
	readonly tokens: ReturnType<typeof accountTokens> | undefined;
	readonly learnt: LearntFacts | undefined;
	/** The current one. */
	token: Token | undefined;
}

/** Connections that follow sessions and forges. */
export type LiveConnections = ReturnType<typeof connections<Connection>>;

/** One connection per session with a known forge at its original address, and one per site of mail archives. */
export function connections<Whole extends Account>(parts: {
	readonly sessions: SessionStore;
	readonly forges: ForgeDirectory;
	readonly archives: ProgramArchives;
	/** Lazily loads the network, for the first account. */
	readonly net: () => Promise<Net>;
	readonly ensureScope: EnsureScope;
	readonly protocols: FoundProtocols;
	/** Stored server capabilities. */
	readonly learnt: (account: Account) => LearntFacts;
	/** Called once per rejected token. */
	readonly tokenRejected: (session: Session) => void;
	/** The account has a new token. */
	readonly tokenReplaced: (connection: Whole) => void;
	/** Creates the stores. */
	readonly open: (bare: BareConnection) => Whole & Disposable;
	readonly clock: Clock;
	readonly log: Log;
}) {
	const { sessions, forges, archives, log } = parts;
	const owned = new Disposables();
	const opened = new Map<string, Opened<Whole>>();
	const changed = owned.add(new Emitter<void>());
	const tokenReplaced = owned.add(new Emitter<void>());
	let isDisposed = false;
	let work: Promise<void> = sessions.all().then(connectMissing);

	owned.add(forges.onDidChange(follow));
	owned.add(archives.onDidChange(follow));
	owned.add(
		sessions.onDidChange((change) => {
			for (const { id } of change.changed) {
				const entry = opened.get(id);
				const token = sessions.byId(id)?.token;
				entry?.tokens?.replaced();
				if (entry && token && token.reveal() !== entry.token?.reveal()) {
					entry.token = token;
					// Some servers answer alike for a missing route and a missing permission.
					for (const fact of (entry.learnt?.all() ?? []).filter((each) => each.startsWith('lacks:'))) {
						entry.learnt?.learn(fact, false);
					}
					parts.tokenReplaced(entry.connection);
					tokenReplaced.fire();
				}
			}
			follow();
		}),
	);

	/** Closes unwanted connections immediately; opens new ones after the network has loaded. */
	function follow(): void {
		const wanted = wantedAccounts();
		const gone = [...opened].filter(([key, { connection }]) => {
			const instance = wanted.get(key);
			return (
				instance === undefined ||
				(instance !== connection.instance &&
					JSON.stringify(asSpoken(instance)) !== JSON.stringify(asSpoken(connection.instance)))
			);
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
		const ofSessions = sessions.current().flatMap((session) => {
			const instance = forges.byId(session.instanceId);
			return instance !== undefined && isBoundTo(session, instance)
				? [[session.id, reachedBy(session, instance)] as const]
				: [];
		});
		return new Map([...ofSessions, ...archives.all()]);
	}

	async function connectMissing(): Promise<void> {
		const isMissing = (key: string): boolean => !opened.has(key);
		if (isDisposed || ![...wantedAccounts().keys()].some(isMissing)) {
			return;
		}
		try {
			const net = await parts.net();
			const isArchived = [...wantedAccounts()].some(
				([key, { archiveUrl }]) => archiveUrl !== undefined && isMissing(key),
			);
			const opener = isArchived ? await archives.open() : undefined;
			// Check again: accounts may have signed out while the network loaded.
			const missing = [...wantedAccounts()].filter(([key]) => !isDisposed && isMissing(key));
			for (const [key, instance] of missing) {
				const { archiveUrl } = instance;
				if (archiveUrl === undefined) {
					opened.set(key, open(key, instance, net));
				} else if (opener) {
					const forge = archives.forge(opener, archiveUrl);
					const connection = parts.open({ key, instance, me: forge.me, forge });
					const dispose = (): void => connection.dispose();
					opened.set(key, { connection, tokens: undefined, learnt: undefined, token: undefined, dispose });
				}
			}
			if (missing.length > 0) {
				changed.fire();
			}
		} catch (error) {
			log.error(`An account could not be connected: ${error instanceof Error ? error.message : 'unknown failure'}`);
		}
	}

	function open(key: string, instance: ForgeInstance, net: Net): Opened<Whole> {
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
		const learnt = parts.learnt({ key, instance, me });
		const absent = (area: ContentArea): void => parts.protocols.doubt(instance, area);
		const forge = net.connectForge({ instance, me, tokenFor, tokenRejected, learnt, absent });
		const connection = ending.add(parts.open({ key, instance, me, forge }));
		return { connection, tokens, learnt, token: sessions.byId(key)?.token, dispose: () => ending.dispose() };
	}

	return {
		/** Resolves when all current accounts are connected. Never rejects. Read it again after a sign-in. */
		get ready() {
			return work;
		},
		/** Accounts in the order of their sign-in, then archives. */
		all: (): readonly Whole[] =>
			[...sessions.current().map(({ id }) => id), ...archives.all().map(([key]) => key)].flatMap(
				(key) => opened.get(key)?.connection ?? [],
			),
		/** `undefined` after sign-out. */
		byKey: (key: string) => opened.get(key)?.connection,
		/** True after the forge rejected the token. Nothing uses it any more. */
		needsSignIn: (key: string) => opened.get(key)?.tokens?.isRejected() ?? false,
		/** Fires when an account is added, removed or replaced, must sign in again, or has done so. */
		onDidChange: changed.event,
		/** An account has a new token, so refused reads may succeed. */
		onDidReplaceToken: tokenReplaced.event,
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

/** Normalizes detected protocols: confirming the assumed protocol is no change. */
function asSpoken(instance: ForgeInstance): object {
	return { ...instance, protocols: contentAreas.map((area) => protocolOf(instance, area)) };
}

/** Provides an account's token, requests missing scopes, and withholds a rejected token. */
export function accountTokens(parts: {
	readonly key: string;
	readonly instance: ForgeInstance;
	readonly protocol: ForgeProtocol;
	readonly sessions: SessionStore;
	readonly clock: Clock;
	readonly ensureScope: EnsureScope;
	/** Detects an area's protocol before the first request; `undefined` when known. Rejects with ForgeError. */
	readonly findProtocol: (area: ContentArea, signal: AbortSignal) => Promise<void> | undefined;
	/** The account must sign in again. Called once per token. */
	readonly rejected: (session: Session) => void;
	/** The account has signed in again. */
	readonly accepted: () => void;
}) {
	const { key, instance, protocol, sessions, clock, ensureScope } = parts;
	const owned = new Disposables();
	let refused: Token | undefined;
	/** Cached parse result of the last token, because every request needs it. */
	let read: { readonly token: Token; readonly isOfOthers: boolean } | undefined;
	let isClosed = false;

	/** The session, while the connection is open and the token belongs to this very forge. */
	function session(): Session | undefined {
		const found = sessions.byId(key);
		const isBound = found !== undefined && isBoundTo(found, instance) && reachedBy(found, instance) === instance;
		return !isClosed && isBound ? found : undefined;
	}

	/** Why the token is useless by its own content; no request. */
	function uselessness({ token, expiresMs }: Session): 'expired' | 'ofOtherServers' | undefined {
		if (expiresMs !== undefined && expiresMs <= clock.nowMs()) {
			return 'expired';
		}
		if (read?.token !== token) {
			read = { token, isOfOthers: protocol.readToken(token.reveal()).kind === 'ofOtherServers' };
		}
		return read.isOfOthers ? 'ofOtherServers' : undefined;
	}

	function isUsable(found: Session, area: ContentArea): boolean {
		const { token, refusedBy } = found;
		return token !== refused && uselessness(found) === undefined && !refusedBy.includes(area);
	}

	function usableToken(area: ContentArea): string | undefined {
		const found = session();
		if (found && !isUsable(found, area)) {
			const why = uselessness(found);
			throw new ForgeError({ kind: 'tokenRejected', area, ...(why === undefined ? {} : { why }) });
		}
		return found?.token.reveal();
	}

	const usableFor: ForgeAccount['tokenFor'] = ({ area, scope }, signal) => {
		const token = usableToken(area);
		const found = session();
		// The user chose the read permissions at sign-in, so never ask for them again.
		const isWrite = scope?.endsWith(':write') === true;
		return token === undefined || found === undefined || !isWrite || holds(found.scopes, scope, protocol)
			? token
			: ensureScope(key, scope, signal).then(() => usableToken(area));
	};

	/** Another window may have stored a newer token. */
	async function tokenRejected(token: string, area: Area): Promise<boolean> {
		// Rejects when the keyring is locked.
		const latest = await sessions.refresh(key).catch((error: unknown) => {
			throw new ForgeError({ kind: 'sessionUnreadable' }, { cause: error });
		});
		if (latest?.token.reveal() !== token) {
			return latest !== undefined && latest.token !== refused;
		}
		// Sign-in already reported that this area rejects the token; other areas still accept it.
		const isKnown = area !== 'meta' && latest.refusedBy.includes(area);
		if (refused !== latest.token && !isKnown) {
			refused = latest.token;
			owned.add(
				clock.after(graceMs, () => {
					const found = session();
					if (found !== undefined && found.token === refused) {
						parts.rejected(found);
					}
				}),
			);
		}
		return false;
	}

	const giveToken: ForgeAccount['tokenFor'] = (wish, signal) => {
		const found = session();
		return found && !isUsable(found, wish.area)
			? tokenRejected(found.token.reveal(), wish.area).then(() => usableFor(wish, signal))
			: usableFor(wish, signal);
	};

	async function giveOnceFound(
		finding: Promise<void>,
		...wished: Parameters<typeof giveToken>
	): Promise<string | undefined> {
		await finding;
		if (isClosed) {
			// The protocol changed: the account has a new connection by now, and the caller retries there.
			throw new DOMException('The forge speaks another protocol', 'AbortError');
		}
		return giveToken(...wished);
	}

	return {
		tokenFor: (wish: TokenWish, signal: AbortSignal): ReturnType<ForgeAccount['tokenFor']> => {
			const finding = session() && parts.findProtocol(wish.area, signal);
			return finding === undefined ? giveToken(wish, signal) : giveOnceFound(finding, wish, signal);
		},
		tokenRejected,
		isRejected: () => refused !== undefined && session()?.token === refused,
		/** The session changed, maybe with a new token. */
		replaced() {
			if (refused !== undefined && session()?.token !== refused) {
				refused = undefined;
				parts.accepted();
			}
		},
		dispose() {
			isClosed = true;
			owned.dispose();
		},
	};
}
