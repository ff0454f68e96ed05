import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { cancelled } from '../../editor/ask/ask.ts';
import { notify, plainUnderBox } from '../../editor/ask/notify.ts';
import { permissionText } from '../../editor/ask/permissionText.ts';
import { openExactly } from '../../editor/links/openDestination.ts';
import type { ForgeProtocol, TokenReading } from 'sourcehut/port/forgeProtocol.ts';
import { originOf, type ForgeInstance, contentAreas, type ContentArea } from 'sourcehut/port/instance.ts';
import { areaOfScope, covers, scopes, type HeldScopes, type Scope } from 'sourcehut/port/scope.ts';
import { SignInError } from 'sourcehut/identity/signInError.ts';
import { readPastedToken, Token } from 'sourcehut/identity/token.ts';
import type { TokenCheck } from 'sourcehut/identity/tokenCheck.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { dayText } from '../../engine/text/age.ts';
import { areaText, explainSignIn, pastedFaultText } from './signInTexts.ts';

/** A longer list would push its own first line out of the box. */
const mostNamed = 3;

/** The token to ask for, and the page that creates it. */
export interface WantedToken {
	readonly instance: ForgeInstance;
	readonly page: string;
	/** Opens the page at once; the user agreed to it earlier. */
	readonly opensPage: boolean;
	readonly protocol: ForgeProtocol;
}

/**
 * Asks for a personal token until `attempt` accepts one. An error from `attempt` appears in the box, which stays open.
 * `explain`: a failure as a sentence.
 */
export function askForToken<T>(
	{ instance, page, opensPage, protocol }: WantedToken,
	attempt: (token: Token, signal: AbortSignal) => Promise<T>,
	explain: (error: unknown) => string,
	signal: AbortSignal,
): Promise<T> {
	return askForSecret<T>(
		{
			title: vscode.l10n.t('Sign in to {0} with a token', instance.name),
			prompt: vscode.l10n.t('Then paste the token here.'),
			placeHolder: vscode.l10n.t('Token'),
			page: {
				label: vscode.l10n.t('Create a token on {0}', instance.name),
				remark: new URL(page).search === '' ? '' : vscode.l10n.t('(permissions filled in).'),
				address: page,
				opensAtOnce: opensPage,
			},
			tell(text) {
				const token = readPastedToken(text);
				const reading = token instanceof Token ? protocol.readToken(token.reveal()) : undefined;
				return reading?.kind === 'told' ? toldTokenText(reading) : undefined;
			},
			async take(text, whileOpen) {
				const token = readPastedToken(text);
				if (!(token instanceof Token)) {
					return { complaint: pastedFaultText(token) };
				}
				try {
					return { value: await attempt(token, whileOpen) };
				} catch (error) {
					if (isAbort(error)) {
						throw error;
					}
					const known = error instanceof SignInError ? explainSignIn(error.problem, instance.name) : undefined;
					return { complaint: known ?? explain(error) };
				}
			},
		},
		signal,
	);
}

/** Asks for the secret of the client that the user registered on this forge. */
export function askForClientSecret(instance: ForgeInstance, signal: AbortSignal): Promise<Token> {
	return askForSecret<Token>(
		{
			title: vscode.l10n.t('Client secret for {0}', instance.name),
			prompt: vscode.l10n.t(
				'Enter the secret that {0} showed when the client was registered. You are asked for it once, and it is kept in the secret storage.',
				instance.name,
			),
			placeHolder: vscode.l10n.t('Client secret'),
			page: undefined,
			async take(text) {
				const secret = readPastedToken(text);
				return secret instanceof Token ? { value: secret } : { complaint: pastedFaultText(secret) };
			},
		},
		signal,
	);
}

/** Names areas that reject a token which others accept. */
export function tellRefusals(instance: ForgeInstance, { refusedBy, accountName }: TokenCheck): void {
	if (refusedBy.length === 0) {
		return;
	}
	const areas = new Intl.ListFormat(vscode.env.language).format(
		refusedBy.map((area) => `${areaText(area)} (${new URL(originOf(instance, area)).host})`),
	);
	void notify(
		'warning',
		refusedBy.length === 1
			? vscode.l10n.t(
					'You are signed in as {0}, but one area of {1} rejects this token: {2}. Sign in with another token to use it.',
					accountName,
					instance.name,
					areas,
				)
			: vscode.l10n.t(
					'You are signed in as {0}, but these areas of {1} reject this token: {2}. Sign in with another token to use them.',
					accountName,
					instance.name,
					areas,
				),
	);
}

/** Says in the forge's own words why an account that has signed in can do nothing there. */
export function tellBarred(instance: ForgeInstance, accountName: string, reason: string): void {
	void notify(
		'warning',
		vscode.l10n.t(
			'You are signed in as {0}, but {1} rejects all requests of this account: {2}',
			accountName,
			instance.name,
			visibleLine(reason),
		),
	);
}

/** A box for one secret. */
interface SecretQuestion<T> {
	readonly title: string;
	readonly prompt: string;
	readonly placeHolder: string;
	/** A help page. Its link follows the prompt; a button does the same where another text replaces the prompt. */
	readonly page: HelpPage | undefined;
	/** Describes an untested input; replaces the prompt. */
	readonly tell?: (text: string) => string | undefined;
	/** Tests the input. A complaint appears in the box, which stays open. */
	readonly take: (text: string, signal: AbortSignal) => Promise<{ readonly complaint: string } | { readonly value: T }>;
}

interface HelpPage {
	readonly label: string;
	/** Text after the link. */
	readonly remark: string;
	readonly address: string;
	/** The box opens the page. */
	readonly opensAtOnce: boolean;
}

/** Asks for a secret, masked, until `take` accepts one. Closing the box cancels. */
function askForSecret<T>(question: SecretQuestion<T>, signal: AbortSignal): Promise<T> {
	const box = vscode.window.createInputBox();
	const answer = Promise.withResolvers<T>();
	const closing = new AbortController();
	const whileOpen = AbortSignal.any([signal, closing.signal]);
	const giveUp = (): void => answer.reject(cancelled());
	box.title = question.title;
	const link = linkTo(question.page);
	box.prompt = `${link}${plainUnderBox(question.prompt)}`;
	box.placeholder = question.placeHolder;
	box.password = true;
	box.ignoreFocusOut = true;
	const { page } = question;
	if (page !== undefined) {
		box.buttons = [{ iconPath: new vscode.ThemeIcon('link-external'), tooltip: page.label }];
	}
	const openPage = (): void => void openExactly(page?.address ?? '');
	const tryIt = async (): Promise<void> => {
		if (box.value.trim() === '') {
			return;
		}
		box.busy = true;
		box.enabled = false;
		try {
			const taken = await question.take(box.value, whileOpen);
			if ('value' in taken) {
				answer.resolve(taken.value);
			} else {
				box.validationMessage = plainUnderBox(taken.complaint);
			}
		} catch (error) {
			if (!isAbort(error)) {
				answer.reject(error);
			}
		} finally {
			box.busy = false;
			box.enabled = true;
		}
	};
	const subscriptions = [
		box,
		box.onDidHide(giveUp),
		box.onDidChangeValue(() => {
			box.validationMessage = undefined;
			const told = question.tell?.(box.value);
			box.prompt = told === undefined ? `${link}${plainUnderBox(question.prompt)}` : plainUnderBox(told);
		}),
		box.onDidTriggerButton(openPage),
		box.onDidAccept(() => void tryIt()),
	];
	signal.addEventListener('abort', giveUp, { once: true });
	box.show();
	if (page?.opensAtOnce === true) {
		openPage();
	}
	return answer.promise.finally(() => {
		closing.abort();
		signal.removeEventListener('abort', giveUp);
		for (const subscription of subscriptions) {
			subscription.dispose();
		}
	});
}

/**
 * An input box has no rows, and a list cannot mask its text. The editor draws links in the prompt, though, and the
 * keyboard reaches them.
 */
function linkTo(page: HelpPage | undefined): string {
	if (page === undefined) {
		return '';
	}
	const label = plainUnderBox(page.label).replaceAll(/[[\]]/g, '');
	const address = page.address.replaceAll(/[()\s]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
	return page.remark === '' ? `[${label} ↗](${address}) ` : `[${label} ↗](${address}) ${page.remark} `;
}

/** Owner, expiry date and permissions of a token, and features that it can't use. At most three sentences. */
function toldTokenText({ owner, expiresMs, scopes: held, lacks }: ToldToken): string {
	const whose = vscode.l10n.t('This token of {0} is valid until {1}.', owner, dayText(expiresMs, vscode.env.language));
	const lacking = [...lackingNames(held), ...lacks.map(permissionText)];
	if (lacking.length === 0) {
		return `${whose} ${vscode.l10n.t('It grants everything that Forge Desk needs.')}`;
	}
	const names = heldNames(held);
	const may = names.length === 0 ? [] : [vscode.l10n.t('It permits: {0}.', listed(names))];
	return [whose, ...may, vscode.l10n.t('It does not permit: {0}.', listed(lacking))].join(' ');
}

type ToldToken = Extract<TokenReading, { readonly kind: 'told' }>;

function listed(names: readonly string[]): string {
	const list = new Intl.ListFormat(vscode.env.language);
	if (names.length <= mostNamed + 1) {
		return list.format(names);
	}
	const rest = vscode.l10n.t('{0} more', names.length - mostNamed);
	return list.format([...names.slice(0, mostNamed), rest]);
}

/** Areas that the token can read completely, and things it can change. */
function heldNames(held: HeldScopes): readonly string[] {
	const all = scopes.filter((scope) => held === 'all' || covers(held, scope));
	const read = scopes.filter((scope) => scope.endsWith(':read'));
	const isWhole = (area: ContentArea): boolean =>
		read.every((scope) => areaOfScope(scope) !== area || all.includes(scope));
	const areas = contentAreas.filter(isWhole);
	const single = all.filter((scope) => read.includes(scope) && !areas.includes(areaOfScope(scope)));
	const changing = all.filter((scope) => !read.includes(scope));
	return [...areas.map(areaText), ...[...single, ...changing].map(permissionText)];
}

/** Missing areas by one name; missing writes only where the token can read. */
function lackingNames(held: HeldScopes): readonly string[] {
	const missing = held === 'all' ? [] : scopes.filter((scope) => !covers(held, scope));
	const isWhole = (scope: Scope): boolean =>
		scopes.every((other) => areaOfScope(other) !== areaOfScope(scope) || missing.includes(other));
	const areas = contentAreas.filter((area) => missing.some((scope) => areaOfScope(scope) === area && isWhole(scope)));
	// A missing read permission implies the missing write permission.
	const isImplied = (scope: Scope): boolean =>
		scope.endsWith(':write') && missing.some((other) => other === scope.replace(/:write$/, ':read'));
	const single = missing.filter((scope) => !isWhole(scope) && !isImplied(scope));
	const inOrder = [
		...single.filter((scope) => scope.endsWith(':read')),
		...single.filter((scope) => scope.endsWith(':write')),
	];
	return [...areas.map(areaText), ...inOrder.map(permissionText)];
}
