import { Emitter, type Event } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { readSession, writeSession, type Session } from './session.ts';

/** The used part of the editor's secret storage. */
export interface Secrets {
	keys(): PromiseLike<string[]>;
	get(key: string): PromiseLike<string | undefined>;
	store(key: string, value: string): PromiseLike<void>;
	delete(key: string): PromiseLike<void>;
	/** Fires in every window. */
	onDidChange(listener: (change: { readonly key: string }) => void): Disposable;
}

/** A change of sessions, with new states. `removed` includes sessions with an unreadable secret: see `isGone`. */
export interface SessionsChange {
	readonly added: readonly Session[];
	readonly removed: readonly Session[];
	readonly changed: readonly Session[];
}

/** Fields that a token renewal changes. */
export type RenewedToken = Pick<Session, 'token' | 'refresh' | 'sinceMs' | 'expiresMs'>;

const prefix = 'forge.session:';

/**
 * Sessions of all forges. Each is a separate secret, so that concurrent sign-ins in two windows don't conflict; the
 * storage's events synchronize the windows. Reads always return the stored state, whichever window wrote last.
 */
export class SessionStore implements Disposable {
	readonly #secrets: Secrets;
	readonly #log: Log;
	readonly #known = new Map<string, Session>();
	/** Sign-in times of the sessions that this window signed out, by id. */
	readonly #signedOut = new Map<string, number>();
	readonly #changed = new Emitter<SessionsChange>();
	readonly #subscription: Disposable;
	/** Everything happens one after the other, and the first thing is loading. */
	#work: Promise<void>;
	readonly onDidChange: Event<SessionsChange> = this.#changed.event;

	constructor(secrets: Secrets, log: Log) {
		this.#secrets = secrets;
		this.#log = log;
		this.#subscription = secrets.onDidChange(({ key }) => {
			if (key.startsWith(prefix)) {
				void this.#then(() => this.#reread(key.slice(prefix.length))).catch(() => undefined);
			}
		});
		this.#work = this.#load();
	}

	/** Loaded sessions, oldest first. */
	current(): readonly Session[] {
		return [...this.#known.values()].sort((a, b) => a.createdMs - b.createdMs);
	}

	/** All sessions, oldest first. Never rejects: if the storage fails, the list is empty and the log has the error. */
	async all(): Promise<readonly Session[]> {
		await this.#work;
		return this.current();
	}

	/** A loaded session. */
	byId(id: string): Session | undefined {
		return this.#known.get(id);
	}

	/** Stores a session; replaces one of the same account. */
	async put(session: Session): Promise<void> {
		const { id, createdMs, sinceMs = createdMs } = session;
		await this.#then(() => {
			// The clock may have been set back since the sign-out.
			const signInMs = Math.max(sinceMs, (this.#signedOut.get(id) ?? 0) + 1);
			return this.#write({ ...session, signInMs });
		});
	}

	/**
	 * Replaces a session's token. No-op if the account signed out or got another token during the renewal, in any
	 * window.
	 */
	async renew({ id, token }: Session, renewed: RenewedToken): Promise<void> {
		await this.#then(async () => {
			await this.#reread(id);
			const latest = this.#known.get(id);
			if (latest?.token.reveal() === token.reveal()) {
				await this.#write({ ...latest, ...renewed });
			}
		});
	}

	/** Forgets a session, in every window. Nothing happens when it is not there. */
	async remove(id: string): Promise<void> {
		await this.#then(async () => {
			if (this.#known.get(id)?.inMemoryOnly === true) {
				this.#set(id, undefined);
				return;
			}
			await this.#reread(id);
			const signInMs = signInOf(this.#known.get(id));
			this.#signedOut.set(id, Math.max(signInMs, this.#signedOut.get(id) ?? 0));
			await this.#secrets.delete(prefix + id);
			await this.#reread(id);
		});
	}

	/** Looks once more what the storage holds: another window may have been faster than its event. */
	async refresh(id: string): Promise<Session | undefined> {
		await this.#then(() => this.#reread(id));
		return this.#known.get(id);
	}

	/** True if the storage has no entry for an account, not even an unreadable one. Rejects if the storage fails. */
	async isGone(id: string): Promise<boolean> {
		await this.#work;
		return !this.#known.has(id) && (await this.#secrets.get(prefix + id)) === undefined;
	}

	/** Ids of all stored accounts, including unreadable ones, and of those in memory. Rejects if the storage fails. */
	async allIds(): Promise<readonly string[]> {
		await this.#work;
		const stored = (await this.#secrets.keys()).filter((key) => key.startsWith(prefix));
		return [...new Set([...stored.map((key) => key.slice(prefix.length)), ...this.#known.keys()])];
	}

	/** For `withoutSecrets`. */
	secrets(): readonly string[] {
		return this.current().flatMap(({ token, refresh }) => [token.reveal(), refresh?.reveal() ?? '']);
	}

	dispose(): void {
		this.#subscription.dispose();
		this.#changed.dispose();
	}

	#then(work: () => Promise<void>): Promise<void> {
		const result = this.#work.then(work);
		this.#work = result.catch(() => undefined);
		return result;
	}

	async #write(session: Session): Promise<void> {
		if (session.inMemoryOnly) {
			this.#set(session.id, session);
			return;
		}
		await this.#secrets.store(prefix + session.id, writeSession(session));
		await this.#reread(session.id);
	}

	async #load(): Promise<void> {
		try {
			const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(prefix));
			for (const key of keys) {
				await this.#reread(key.slice(prefix.length));
			}
		} catch {
			this.#log.error('The secret storage could not be read: no account is signed in');
		}
	}

	async #reread(id: string): Promise<void> {
		if (this.#known.get(id)?.inMemoryOnly === true) {
			return;
		}
		const text = await this.#secrets.get(prefix + id);
		const session = text === undefined ? undefined : readSession(text);
		const found = session?.id === id ? session : undefined;
		if (text !== undefined && !found) {
			this.#log.warn('A stored account could not be read and is left alone');
		}
		const isBack = found !== undefined && signInOf(found) <= (this.#signedOut.get(id) ?? 0);
		if (isBack) {
			// Another window renewed the token during the sign-out, and stored the session again.
			await this.#secrets.delete(prefix + id);
		}
		this.#set(id, isBack ? undefined : found);
	}

	#set(id: string, session: Session | undefined): void {
		const before = this.#known.get(id);
		if (session === undefined) {
			this.#known.delete(id);
			this.#tell({ removed: before === undefined ? [] : [before] });
			return;
		}
		const isSame = before?.inMemoryOnly === session.inMemoryOnly;
		if (before && isSame && writeSession(before) === writeSession(session)) {
			return; // Keep the object: callers detect a new token by identity.
		}
		this.#known.set(id, session);
		this.#tell(before === undefined ? { added: [session] } : { changed: [session] });
	}

	#tell({ added = [], removed = [], changed = [] }: Partial<SessionsChange>): void {
		if (added.length + removed.length + changed.length > 0) {
			this.#changed.fire({ added, removed, changed });
		}
	}
}

function signInOf(session: Session | undefined): number {
	return session?.signInMs ?? session?.createdMs ?? 0;
}
