import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import type { ForgeProtocol } from '../../forge/forgeProtocol.ts';
import type { ForgeInstance } from '../../forge/instance.ts';
import { SignInError } from '../../identity/signInError.ts';
import { readPastedToken, type Token } from '../../identity/token.ts';
import type { TokenCheck } from '../../identity/tokenCheck.ts';
import { askForSecret } from './secretBox.ts';
import { visibleLine } from '../../text/visible.ts';
import { areaText, explainSignIn } from './signInTexts.ts';
import { toldTokenText } from './toldTokenText.ts';
import { notify } from '../../editor/ask/notify.ts';

export interface AskForToken {
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
	readonly signal: AbortSignal;
}

/** The token to ask for, and the page that creates it. */
export interface WantedToken {
	readonly instance: ForgeInstance;
	readonly page: string;
	/** Opens the page at once; the user agreed to it earlier. */
	readonly opensPage: boolean;
	readonly protocol: Pick<ForgeProtocol, 'readToken'>;
}

/**
 * Asks for a personal token until `attempt` accepts one. An error from `attempt` appears in the box, which stays open.
 */
export function askForToken<T>(
	{ instance, page, opensPage, protocol }: WantedToken,
	attempt: (token: Token, signal: AbortSignal) => Promise<T>,
	{ explain, signal }: AskForToken,
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
				const reading = token && protocol.readToken(token.reveal());
				return reading?.kind === 'told' ? toldTokenText(reading) : undefined;
			},
			async take(text, whileOpen) {
				const token = readPastedToken(text);
				if (token === undefined) {
					return { complaint: vscode.l10n.t('This is not a token. A token contains no spaces.') };
				}
				try {
					return { value: await attempt(token, whileOpen) };
				} catch (error) {
					if (isAbort(error)) {
						throw error;
					}
					return { complaint: complaintOf(error, instance, explain) };
				}
			},
		},
		signal,
	);
}

function complaintOf(error: unknown, instance: ForgeInstance, explain: (error: unknown) => string): string {
	const known = error instanceof SignInError ? explainSignIn(error.problem, instance.name) : undefined;
	return known ?? explain(error);
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
				return secret === undefined
					? { complaint: vscode.l10n.t('This is not a client secret. A client secret contains no spaces.') }
					: { value: secret };
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
		refusedBy.map((area) => `${areaText(area)} (${new URL(instance.areas[area]).host})`),
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
