import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { authenticationProvider } from '../../editor/accounts/authenticationProvider.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { isRecord } from '../../editor/commands/subjects.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { isOfSample, sampleUser } from '../../editor/accounts/sampleSource.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { readScopes, scopes as allScopes, type Scope } from 'sourcehut/port/scope.ts';
import { scopeUnion } from 'sourcehut/identity/scopeUnion.ts';
import { type Session, isBoundTo } from '../../editor/accounts/session.ts';
import type { Token } from 'sourcehut/identity/token.ts';
import type { AccountsContext } from './accountsContext.ts';
import { addForge, enterInSettings, withProjects, type ReachedForge } from './addForge.ts';
import { badEntryText, pickAccount, pickForge, pickKnownAccount, pickWay } from './pickForge.ts';
import { sampleAccount } from './sampleAccount.ts';
import { scopeRequest } from './scopeRequest.ts';
import { expiredText, otherServersText, rejectedText } from './signInTexts.ts';
import { isOwnToken, signIn, tellingWhy, whileTokenGoes, type WantedAccount } from './signIn.ts';
import { turns } from './turns.ts';
import { dayTime } from '../../engine/text/age.ts';
import { cancelled } from '../../editor/ask/ask.ts';
import { confirm, notify, tellBriefly } from '../../editor/ask/notify.ts';
import * as v from 'valibot';
import { onceAtATime } from '../../base/onceAtATime.ts';
import { discoverServer } from 'sourcehut/identity/browserSignIn.ts';
import { redeem, renewalForm } from 'sourcehut/identity/tokenGrant.ts';
import { goodOf, kept } from '../../store/shared/keptText.ts';

interface ChosenForge {
	readonly instance: ForgeInstance;
	/** It was not in the settings before somebody chose it. */
	readonly isAdded: boolean;
}

export type AccountsFeature = ReturnType<typeof accountsFeature>;

/**
 * All commands and notices about accounts. No request starts before a command, a write or the Accounts menu needs one.
 */
export function accountsFeature(context: AccountsContext) {
	const { sessions, forges, settings } = context;
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	const asking = turns();
	const flows = signIn(context);
	const tried = owned.add(sampleAccount(context, flows, asking, signOut));

	function enter(
		wanted: WantedAccount,
		{
			way,
			scopes,
			before,
		}: {
			readonly way: 'browser' | 'token';
			readonly scopes: readonly Scope[];
			/** The token that the account has had. */
			readonly before: Token | undefined;
		},
		signal: AbortSignal,
	): Promise<Session> {
		return tellingWhy(wanted.instance.name, () =>
			way === 'browser'
				? flows.throughBrowser(wanted, scopes, signal)
				: flows.withToken(wanted, { scopes, before, opensPage: false }, signal),
		);
	}

	/** `host`: `undefined` to ask the user. */
	async function add(host: string | undefined, signal: AbortSignal): Promise<ChosenForge | undefined> {
		const before = new Set(forges.all().map(({ id }) => id));
		const instance = await addForge(context, host, signal);
		return instance && { instance, isAdded: !before.has(instance.id) };
	}

	/** Adds the protocol of each area, and the projects service if the forge needs one. */
	async function reached({ instance, isAdded }: ChosenForge, signal: AbortSignal): Promise<ReachedForge> {
		// Every sign-in request, even the first question, depends on the protocol of each area.
		const title = vscode.l10n.t('Connecting to {0}…', instance.name);
		const spoken = await withProgress(title, signal, (whileAsking) => context.net.withProtocols(instance, whileAsking));
		// `addForge` has just asked about projects.
		return isAdded ? { instance: spoken } : withProjects(context, spoken, signal);
	}

	/**
	 * Signs in and saves the projects service. Saving reconnects all accounts, so a cancelled sign-in must not reach
	 * it.
	 */
	async function into(
		{ instance, foundHub }: ReachedForge,
		enterIt: (instance: ForgeInstance) => Promise<Session>,
	): Promise<Session> {
		const session = await enterIt(instance);
		if (foundHub !== undefined) {
			await settings.tellHub(instance.id, foundHub).catch(tellFailure);
		}
		return session;
	}

	async function ask(wanted: readonly Scope[], signal: AbortSignal): Promise<Session | undefined> {
		for (const bad of settings.bad()) {
			void notify('warning', badEntryText(bad));
		}
		signal.throwIfAborted();
		const choice = await pickForge(forges.all(), signal);
		if (choice.kind === 'sample') {
			return tried.enter(sampleUser, signal);
		}
		if (choice.kind === 'settings') {
			return enterInSettings();
		}
		const chosen: ChosenForge | undefined =
			choice.kind === 'add' ? await add(choice.host, signal) : { instance: choice.instance, isAdded: false };
		if (chosen === undefined) {
			return undefined;
		}
		const known = await pickKnownAccount(sessions, chosen.instance);
		return into(await reached(chosen, signal), (instance) =>
			known === undefined ? enterNew(instance, wanted, signal) : renew(known, instance, signal),
		);
	}

	/** Signs in with an account that the user chooses on the forge. */
	async function enterNew(instance: ForgeInstance, wanted: readonly Scope[], signal: AbortSignal): Promise<Session> {
		const way = await pickWay(instance, await context.net.protocol(instance));
		const scopes = way === 'token' ? allScopes : scopeUnion([], wanted);
		return enter({ instance, accountName: undefined }, { way, scopes, before: undefined }, signal);
	}

	/** Signs in by the same method, with at least the same permissions. `instance`: with the protocol of each area. */
	async function renew(session: Session, instance: ForgeInstance, signal: AbortSignal): Promise<Session> {
		const way = isOwnToken(session, await context.net.protocol(instance)) ? 'token' : 'browser';
		const wanted: WantedAccount = { instance, accountName: session.accountName };
		const scopes = session.scopes === 'all' && way === 'token' ? allScopes : scopeUnion(session.scopes, []);
		return enter(wanted, { way, scopes, before: session.token }, signal);
	}

	async function again(session: Session): Promise<void> {
		const instance = forges.byId(session.instanceId);
		if (instance !== undefined) {
			await asking.takeOver(async (signal) => {
				const found = await reached({ instance, isAdded: false }, signal);
				return into(found, (each) => renew(session, each, signal));
			}, ending.signal);
		}
	}

	const nameOf = ({ instanceId }: Session): string => forges.byId(instanceId)?.name ?? instanceId;

	/** For actions started from a notice; nobody awaits them. */
	function tellFailure(error: unknown): void {
		if (!isAbort(error)) {
			void notify('error', context.explain(error));
		}
	}

	owned.add(endingNotice(context, nameOf, (session) => void again(session).catch(tellFailure)));

	owned.add(tokenRenewal(context));

	async function tellRejected(session: Session): Promise<void> {
		try {
			const { accountName, token, expiresMs } = session;
			const forge = nameOf(session);
			const instance = forges.byId(session.instanceId);
			// The token's own content explains more than the server's refusal.
			const reading = instance && (await context.net.protocol(instance)).readToken(token.reveal());
			const isExpired = expiresMs !== undefined && expiresMs <= context.clock.nowMs();
			const textOf = reading?.kind === 'ofOtherServers' ? otherServersText : isExpired ? expiredText : rejectedText;
			const goOn = vscode.l10n.t('Sign In Again');
			if ((await notify('warning', textOf(forge, accountName), goOn)) === goOn) {
				await again(session);
			}
		} catch (error) {
			tellFailure(error);
		}
	}

	async function signOut(sessionId: string, signal: AbortSignal): Promise<void> {
		const queued = context.queued(sessionId);
		const isMeant =
			queued === 0 ||
			(await confirm(
				vscode.l10n.t('Sign out? Unsent entries in the outbox: {0}', queued),
				isOfSample(sessionId)
					? vscode.l10n.t('They are deleted with the account of the sample forge.')
					: vscode.l10n.t('They stay on this computer, and are sent after you sign in to this account again.'),
				vscode.l10n.t('Sign Out'),
			));
		if (!isMeant) {
			throw cancelled();
		}
		await whileTokenGoes(context, sessionId, () => sessions.remove(sessionId), signal);
		await context.forget(sessionId);
		if (isOfSample(sessionId)) {
			await context.sample.keepUser(undefined);
		}
	}

	const provider = owned.add(
		authenticationProvider(
			sessions,
			(id) => forges.byId(id),
			(instance) => context.net.protocol(instance),
			async (wanted) => {
				const session = await asking.takeOver((signal) => ask(wanted, signal), ending.signal);
				if (session === undefined) {
					throw new Error(vscode.l10n.t('Sign-in was cancelled.'));
				}
				return session;
			},
			(sessionId) => signOut(sessionId, ending.signal),
		),
	);

	const commands: CommandTable = {
		'forge.accounts.signIn': async (subject, signal) => {
			const known = isRecord(subject) ? sessions.byId(String(subject['sessionId'])) : undefined;
			if (known !== undefined) {
				return again(known);
			}
			const session = await asking.takeOver((inTurn) => ask(readScopes, inTurn), signal);
			tellEntered(session);
			if (session !== undefined) {
				await vscode.commands.executeCommand('forge.tickets.focus');
			}
		},
		'forge.accounts.signOut': async (_, signal) => {
			await asking.takeOver(async (inTurn) => {
				const session = await pickAccount(sessions, forges);
				if (session === undefined) {
					void notify('information', vscode.l10n.t('No account is signed in.'));
					return;
				}
				await signOut(session.id, inTurn);
				tellBriefly(vscode.l10n.t('Signed out {0}', session.accountName));
			}, signal);
		},
		'forge.accounts.addForge': async (_, signal) => {
			await asking.takeOver(async (inTurn) => {
				const added = await add(undefined, inTurn);
				if (added !== undefined) {
					await into(await reached(added, inTurn), (instance) => enterNew(instance, readScopes, inTurn));
				}
			}, signal);
		},
		'forge.sample.start': async (_, signal) => {
			const isFirst = context.sample.running() === undefined;
			tellEntered(await asking.takeOver((inTurn) => tried.enter(sampleUser, inTurn), signal));
			// Focus the view even when the account is already signed in.
			await vscode.commands.executeCommand('forge.tickets.focus');
			if (isFirst) {
				tried.lookAtNews();
			}
		},
		'forge.sample.end': (_, signal) => tried.end(signal),
	};

	function tellEntered(session: Session | undefined): void {
		if (session !== undefined) {
			tellBriefly(vscode.l10n.t('Signed in to {0} as {1}', nameOf(session), session.accountName));
		}
	}

	return {
		commands,
		/** For the editor's Accounts menu. */
		provider,
		ensureScope: scopeRequest(context, flows, asking),
		/** Quietly asks the user to sign in again. Call it once per token. */
		tokenRejected(session: Session) {
			void tellRejected(session);
		},
		/** Signs in to the running sample forge as one of its users, without any question. */
		async signInToSample(user: string, signal: AbortSignal) {
			await tried.enter(user, signal);
		},
		dispose: () => owned.dispose(),
	};
}

/** Timers do not reach over a year, and the window that looks may be another one by then. */
const lookMs = 15 * 60_000;

/** Inspects each session when any session changes and at intervals, in the window that holds the lease. */
function lookAtSessions({ sessions, lease, clock }: AccountsContext, look: (session: Session) => void): Disposable {
	const owned = new Disposables();
	let timer: Disposable | undefined;
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(sessions.onDidChange(lookAtAll));
	owned.add(lease.onDidChange(lookAtAll));
	again();

	function again(): void {
		timer = clock.after(lookMs, () => {
			lookAtAll();
			again();
		});
	}

	function lookAtAll(): void {
		for (const session of lease.isOwner() ? sessions.current() : []) {
			look(session);
		}
	}

	return owned;
}

/** The last day of a token. */
const noticeMs = 86_400_000;
/** Users of tokens that live for hours expect the end, and would get a notice each time. */
const shortLifeMs = 2 * noticeMs;
const mostKept = 50;

const told = goodOf(v.string());

/** Says once of each token, on its last day, that it ends, and offers a new one. `renew`: signs the account in again. */
export function endingNotice(
	context: AccountsContext,
	forgeName: (session: Session) => string,
	renew: (session: Session) => void,
): Disposable {
	const { endings, clock } = context;
	const toldOf = kept(endings, told, []);
	/** Notices of this window; covers a failed write to the shared store. */
	const own = new Set<string>();

	async function say(session: Session, endsMs: number): Promise<void> {
		const action = vscode.l10n.t('Sign In Again');
		const message = vscode.l10n.t(
			'The token of {0} for {1} expires on {2}. Sign in again to replace it.',
			session.accountName,
			forgeName(session),
			dayTime(endsMs, vscode.env.language),
		);
		if ((await notify('information', message, action)) === action) {
			renew(session);
		}
	}

	return lookAtSessions(context, (session) => {
		const { id, sinceMs = Number.NEGATIVE_INFINITY, expiresMs = Number.POSITIVE_INFINITY, inMemoryOnly } = session;
		const leftMs = expiresMs - clock.nowMs();
		const name = `${id} ${expiresMs}`;
		const isDue = !inMemoryOnly && leftMs > 0 && leftMs <= noticeMs && expiresMs - sinceMs >= shortLifeMs;
		if (!isDue || own.has(name) || toldOf().includes(name)) {
			return;
		}
		own.add(name);
		endings.write(JSON.stringify([name, ...toldOf()].slice(0, mostKept))).catch(() => undefined);
		void say(session, clock.nowMs() + leftMs);
	});
}

/** So long before it ends: a computer may be off for a holiday, and the forge for a day. */
const renewalMs = 30 * 86_400_000;
const betweenTriesMs = 6 * 60 * 60_000;

/**
 * Renews tokens of registered clients before they expire. Only one window does it, because a refresh token works once.
 */
export function tokenRenewal(context: AccountsContext): Disposable {
	const { sessions, clock } = context;
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add(onDispose(() => ending.abort()));
	const once = onceAtATime();
	const triedMs = new Map<string, number>();
	owned.add(lookAtSessions(context, look));

	function look(session: Session): void {
		const { id, refresh, expiresMs = Number.POSITIVE_INFINITY } = session;
		const sinceTryMs = clock.nowMs() - (triedMs.get(id) ?? Number.NEGATIVE_INFINITY);
		const isDue = refresh !== undefined && expiresMs - clock.nowMs() <= renewalMs && sinceTryMs >= betweenTriesMs;
		if (isDue) {
			triedMs.set(id, clock.nowMs());
			void once(id, () => tryToRenew(session));
		}
	}

	async function tryToRenew({ id, token }: Session): Promise<void> {
		try {
			// Another window may have been faster than its event.
			const latest = await sessions.refresh(id);
			const refresh = latest?.refresh;
			if (latest !== undefined && refresh !== undefined && latest.token.reveal() === token.reveal()) {
				await renew(latest, refresh);
			}
		} catch (error) {
			if (!isAbort(error)) {
				context.noteFailure(error);
			}
		}
	}

	async function renew(session: Session, refresh: Token): Promise<void> {
		const instance = context.forges.byId(session.instanceId);
		if (!instance || !isBoundTo(session, instance)) {
			return;
		}
		const protocol = await context.net.protocol(instance);
		const clientSecret = await context.clientSecrets.get(instance);
		const { signIn } = protocol;
		if (clientSecret === undefined || signIn.kind !== 'secret') {
			return;
		}
		const http = context.net.identity(instance);
		const { tokenPath } = await discoverServer(http, instance.areas.meta, false, ending.signal);
		const client = { tokenPath, clientId: signIn.clientId, clientSecret, protocol };
		const renewed = await redeem(client, renewalForm(refresh), http, clock, ending.signal);
		// Store first: requests read the token from the session.
		await sessions.renew(session, {
			token: renewed.token,
			refresh: renewed.refresh,
			sinceMs: clock.nowMs(),
			expiresMs: renewed.expiresMs,
		});
	}

	return { dispose: () => owned.dispose() };
}
