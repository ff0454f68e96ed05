import * as vscode from 'vscode';
import { cancelled } from '../../editor/ask/ask.ts';
import { notify, plainUnderBox } from '../../editor/ask/notify.ts';
import { openExactly } from '../../editor/links/openDestination.ts';
import type { ForgeProtocol } from 'sourcehut/port/forgeProtocol.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Scope } from 'sourcehut/port/scope.ts';
import { signInThroughBrowser, type Grant, type BrowserWays } from 'sourcehut/identity/browserSignIn.ts';
import { accountKey, type Session } from '../../editor/accounts/session.ts';
import { SignInError } from 'sourcehut/identity/signInError.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { checkReading, checkToken, whyBarred, type TokenCheck } from 'sourcehut/identity/tokenCheck.ts';
import type { AccountsContext } from './accountsContext.ts';
import { askForClientSecret, askForToken, tellBarred, tellRefusals } from './askForToken.ts';
import { explainSignIn, pasteFaultText, receiverPages } from './signInTexts.ts';

/** The account to sign in or renew. */
export interface WantedAccount {
	readonly instance: ForgeInstance;
	/** `~alice`; `undefined` accepts any account. */
	readonly accountName: string | undefined;
}

export interface TokenScopes {
	readonly scopes: readonly Scope[];
	/** The token to replace; the new one also gets its permissions. */
	readonly before: Token | undefined;
	/** The page that makes it opens at once. */
	readonly opensPage: boolean;
}

/** Runs the work that needs an account's token, then `go` removes it; undoes the work if the token stays. */
export async function whileTokenGoes(
	{ beforeTokenGoes, tokenStays }: AccountsContext,
	connectionKey: string,
	go: () => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	try {
		await beforeTokenGoes(connectionKey, signal);
		await go();
	} catch (error) {
		await tokenStays(connectionKey);
		throw error;
	}
}

/** Signs in and stores the session. On SignInError, ForgeError or an abort it stores nothing. */
export type SignIn = ReturnType<typeof signIn>;

export function signIn(context: AccountsContext) {
	const { sessions, net, clock } = context;

	async function check({ wanted, token, protocol }: Checking, signal: AbortSignal): Promise<TokenCheck> {
		const checked = await checkToken(token, { areas: protocol.areas, whoAmI: net.whoAmI(wanted.instance) }, signal);
		if (wanted.accountName !== undefined && wanted.accountName !== checked.accountName) {
			throw new SignInError({ kind: 'otherAccount', wanted: wanted.accountName, got: checked.accountName });
		}
		return checked;
	}

	async function checkAll(checking: Checking, signal: AbortSignal): Promise<Checked> {
		const { wanted, token, protocol } = checking;
		const checked = await check(checking, signal);
		const reading = { areas: protocol.areas, readAnything: net.readAnything(wanted.instance) };
		return { ...checked, barred: await whyBarred(token, checked, reading, signal) };
	}

	async function keep(
		{ instance }: WantedAccount,
		{ grant, checked }: { readonly grant: Grant; readonly checked: TokenCheck },
		signal: AbortSignal,
	): Promise<Session> {
		const id = accountKey(instance.id, checked.accountName);
		const before = sessions.byId(id);
		const session: Session = {
			...grant,
			id,
			instanceId: instance.id,
			accountName: checked.accountName,
			createdMs: before?.createdMs ?? clock.nowMs(),
			sinceMs: clock.nowMs(),
			origins: instance.areas,
			...(instance.hub === undefined ? {} : { hub: instance.hub }),
			refusedBy: checked.refusedBy,
			inMemoryOnly: instance.isSample,
		};
		const put = (): Promise<void> => sessions.put(session);
		const isReplaced = before !== undefined && before.token.reveal() !== grant.token.reveal();
		await (isReplaced ? whileTokenGoes(context, id, put, signal) : put());
		return session;
	}

	return {
		async throughBrowser(wanted: WantedAccount, scopes: readonly Scope[], signal: AbortSignal) {
			const protocol = await net.protocol(wanted.instance);
			const grant = await browserGrant(context, wanted.instance, protocol, scopes, signal);
			const checked = await checkAll({ wanted, token: grant.token, protocol }, signal);
			const session = await keep(wanted, { grant, checked }, signal);
			tellChecked(wanted.instance, checked);
			return session;
		},
		/** Asks for a personal token, best one with these scopes, and tries it against each area. */
		async withToken(wanted: WantedAccount, { scopes, before, opensPage }: TokenScopes, signal: AbortSignal) {
			const { instance } = wanted;
			const protocol = await net.protocol(instance);
			const held = before && protocol.readToken(before.reveal());
			const page = protocol.tokenPage(scopes, held?.kind === 'told' ? held.grants : '');
			const { token, checked } = await askForToken(
				{ instance, page, opensPage, protocol },
				async (pasted, whileOpen) => {
					checkReading(protocol.readToken(pasted.reveal()), wanted.accountName, clock.nowMs());
					const checked = await checkAll({ wanted, token: pasted, protocol }, whileOpen);
					return { token: pasted, checked };
				},
				context.explain,
				signal,
			);
			const session = await keep(wanted, { grant: personalGrant(token, protocol), checked }, signal);
			tellChecked(instance, checked);
			return session;
		},
		/** The same with a token that is at hand. */
		async withKnownToken(wanted: WantedAccount, token: Token, signal: AbortSignal) {
			const protocol = await net.protocol(wanted.instance);
			const checked = await check({ wanted, token, protocol }, signal);
			return keep(wanted, { grant: personalGrant(token, protocol), checked }, signal);
		},
	};
}

/** A token under test. */
interface Checking {
	readonly wanted: WantedAccount;
	readonly token: Token;
	readonly protocol: ForgeProtocol;
}

interface Checked extends TokenCheck {
	/** Why the account can do nothing; `undefined` when nothing speaks for that. */
	readonly barred: string | undefined;
}

/** A barred account matters more than areas without access. */
function tellChecked(instance: ForgeInstance, checked: Checked): void {
	if (checked.barred === undefined) {
		tellRefusals(instance, checked);
	} else {
		tellBarred(instance, checked.accountName, checked.barred);
	}
}

/** An opaque personal token has all permissions and an unknown lifetime. */
function personalGrant(token: Token, { readToken }: ForgeProtocol): Grant {
	const reading = readToken(token.reveal());
	return reading.kind === 'told'
		? { token, scopes: reading.scopes, expiresMs: reading.expiresMs }
		: { token, scopes: 'all', expiresMs: undefined };
}

/** True if the owner created the token on the forge's page, so that only the owner can create its successor. */
export function isOwnToken({ scopes, token }: Session, { signIn: method, readToken }: ForgeProtocol): boolean {
	const reading = readToken(token.reveal());
	const isPersonal = reading.kind === 'told' ? reading.isPersonal : scopes === 'all';
	return method.kind === 'tokenOnly' || isPersonal;
}

async function browserGrant(
	{ clientSecrets, net, clock, random }: AccountsContext,
	instance: ForgeInstance,
	protocol: ForgeProtocol,
	scopes: readonly Scope[],
	signal: AbortSignal,
): Promise<Grant> {
	let entered: Token | undefined;
	try {
		const grant = await signInThroughBrowser(
			{
				instance,
				protocol,
				scopes,
				async clientSecret(whileAsking) {
					const known = await clientSecrets.get(instance);
					entered = known === undefined ? await askForClientSecret(instance, whileAsking) : undefined;
					return known ?? entered ?? new Token('');
				},
				http: net.identity(instance),
				ways: browserWays(instance.name),
				clock,
				random,
			},
			signal,
		);
		if (entered !== undefined) {
			// Store it only after the server accepted it.
			await clientSecrets.set(instance, entered);
		}
		return grant;
	} catch (error) {
		const kind = error instanceof SignInError ? error.problem.kind : undefined;
		if (kind === 'wrongSecret') {
			await clientSecrets.forget(instance);
		}
		const mayBeWrong = kind === 'wrongSecret' || kind === 'unknownClient' || kind === 'refused';
		if (entered !== undefined && kind !== 'wrongSecret' && kind !== 'unknownClient') {
			clientSecrets.hold(instance, entered);
		} else if (mayBeWrong) {
			// Otherwise the client keeps a wrong secret that a server refuses in its own words.
			clientSecrets.hold(instance, undefined);
		}
		throw error;
	}
}

/**
 * Shows sign-in failures here, where the forge's name is known. Rethrows them as an abort, so that callers stay silent.
 */
export async function tellingWhy<T>(forge: string, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof SignInError)) {
			throw error;
		}
		const message = explainSignIn(error.problem, forge);
		if (message !== undefined) {
			void notify('error', message);
		}
		throw new DOMException('The sign-in failed and the user knows why', 'AbortError');
	}
}

/** The editor's side of a sign-in in the browser at one forge. */
function browserWays(forge: string): BrowserWays {
	return {
		async reachable(address) {
			const outside = await vscode.env.asExternalUri(vscode.Uri.parse(address, true));
			// Without its default escapes: the server compares this address letter by letter.
			return outside.toString(true);
		},
		open: openExactly,
		waitForPaste: (check, { canComeBack, onDidComeRefusal }, signal) => {
			const box = vscode.window.createInputBox();
			box.title = vscode.l10n.t('Sign in to {0}', forge);
			box.prompt = plainUnderBox(
				canComeBack
					? vscode.l10n.t(
							'Continue in the browser. If it does not return by itself, paste the code that it shows, or the URL of its last page.',
						)
					: vscode.l10n.t('Continue in the browser. Then paste the code that it shows, or the URL of its last page.'),
			);
			box.placeholder = vscode.l10n.t('Code or URL');
			box.ignoreFocusOut = true;
			box.busy = true;
			const refusals = onDidComeRefusal(() => {
				box.prompt = plainUnderBox(
					vscode.l10n.t(
						'{0} may have rejected the sign-in. Paste the URL of the page that the browser shows now to see why.',
						forge,
					),
				);
			});
			return waitIn(box, check, signal).finally(() => refusals.dispose());
		},
		pages: receiverPages(),
	};
}

/** Shows the box until the user enters an accepted input or the signal aborts. Closing the box cancels. */
function waitIn(
	box: vscode.InputBox,
	check: Parameters<BrowserWays['waitForPaste']>[0],
	signal: AbortSignal,
): Promise<void> {
	const ended = Promise.withResolvers<void>();
	const end = (): void => ended.resolve();
	const subscriptions = [
		box,
		box.onDidHide(() => (signal.aborted ? ended.resolve() : ended.reject(cancelled()))),
		box.onDidChangeValue(() => {
			box.validationMessage = undefined;
		}),
		box.onDidAccept(() => {
			const fault = check(box.value);
			if (fault === undefined) {
				ended.resolve();
			} else {
				box.validationMessage = plainUnderBox(pasteFaultText(fault));
			}
		}),
	];
	signal.addEventListener('abort', end, { once: true });
	if (signal.aborted) {
		end();
	} else {
		box.show();
	}
	return ended.promise.finally(() => {
		signal.removeEventListener('abort', end);
		for (const subscription of subscriptions) {
			subscription.dispose();
		}
	});
}
